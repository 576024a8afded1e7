"""One table: commands in, lines out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tafelrunde import fairness, wire
from tafelrunde.errors import BadNonce, BadRecord, BadToken, ChatOff, NotHost, NotYourMoment, NotYourSeat, WrongPhase
from tafelrunde.game import Game
from tafelrunde.games.contract import Decision, Entry, RealTime, is_whole
from tafelrunde.record import header_of, to_line
from tafelrunde.table import codes
from tafelrunde.table.head import PASS_MS, Head, Pass
from tafelrunde.table.log import AnyEvent, Chat, Countdown, Held, House, LogLine, Reaction, Step, read_line
from tafelrunde.table.outcome import Match, Outcome
from tafelrunde.table.views import view_of, viewers
from tafelrunde.wire import HouseVerb

REMEMBERED_COMMANDS = 500
"""How many command ids a table remembers, to recognise repeated commands."""
TALK = 30
"""How many of the last chat lines are sent to a client that connects."""
PAUSE_MS = 5000
"""A game in real time in which nothing has happened for this long was paused: its clock continues where it was."""


class Table:
    """A table in memory. It is ahead of the store by the outcomes that are not written yet."""

    def __init__(self, id: int, head: Head, number: int = 0) -> None:
        self.id = id
        self.head = head
        self.number = number
        self.spec = head.spec
        self.game: Game | None = None
        self.opening: tuple[int, int] | None = None
        """In real time: the seat that gave the signal, and when the round begins."""
        self.talk: list[LogLine] = []
        """The last chat lines."""
        self.last_at = 0
        """When the last line was written."""
        self._dealer: fairness.Dealer | None = None
        self._began = 0  # when the first entry was written, in milliseconds since 1970
        self._ms = 0  # when the last entry was written, in milliseconds since the first one
        self._done: OrderedDict[tuple[int, str], int] = OrderedDict()
        """The lines of the last commands, by seat and command id."""
        self._new_lines: list[LogLine] = []
        self._head_changed = False
        self._match: Match | None = None

    # --- What is going on -----------------------------------------------------------------------------------------

    @property
    def view(self) -> wire.TableView:
        """Everything public about the table."""
        return self.head.view

    @property
    def to_act(self) -> list[int]:
        """Who has a decision to take in the game."""
        if self.game is None or self.opening is not None or self.view.phase == "closed":
            return []
        return list(self.game.to_act)

    def waits_for(self) -> list[str]:
        """The names of those everybody waits for."""
        if self.view.phase == "playing":
            awaited = self.to_act
        elif self.view.phase == "shuffling":
            awaited = self.head.awaited_nonces()
        elif self.view.phase == "closed":
            awaited = []
        else:
            awaited = [] if self.view.host is None else [self.view.host]
        return [self.view.seats[seat].name or "" for seat in awaited]

    def state(self) -> wire.TableState:
        """The table from outside."""
        return wire.TableState(table=self.view, number=self.number, to_act=self.to_act, waits_for=self.waits_for())

    def views(self, held: Held, raw: bool = False) -> list[wire.View]:
        """What these seats see of the game, or a spectator if there are none; empty before the game begins."""
        if self.game is None:
            return []
        return [view_of(self.game.observe(viewer), raw) for viewer in viewers(held)]

    def header(self) -> dict[str, Any]:
        """The first line of the record."""
        assert self.game is not None
        assert self._dealer is not None
        proof = self._dealer.fairness.to_json()
        return header_of(self.spec, self.game.names, self.game.options, self.game.deck, proof)

    # --- Time -----------------------------------------------------------------------------------------------------

    def clock(self, now: int) -> int:
        """Milliseconds since the first entry; never earlier than the last entry."""
        return max(now - self._began, self._ms)

    def moment(self, ms: int) -> int:
        """When the game's clock shows this, in milliseconds since 1970."""
        return self._began + ms

    def wake(self, now: int) -> None:
        """Somebody has come to an empty table: in real time its clock was paused."""
        if self.spec.in_real_time and not 0 <= now - self.last_at <= PAUSE_MS:
            self._began = now - self._ms
            if self.opening is not None:
                self.opening = (self.opening[0], now + self.view.terms.countdown_s * 1000)

    # --- Commands -------------------------------------------------------------------------------------------------

    def command(self, held: Held, command: Any, now: int, claim: Mapping[str, int] | None = None) -> Outcome:
        """Carry out a command of the holder of these seats, or refuse it; a refused command changes nothing."""
        if isinstance(command, wire.Look) and not held:
            return Outcome(self.number)
        seat = self.seat_of(held, command.seat)
        done = self._done.get((seat, command.id))
        if done is not None:
            return Outcome(done, seat=seat)
        self.head.check_open()
        if isinstance(command, wire.Act):
            return self.decide(seat, command.decision, now, command.id, claim)
        return HANDLERS[type(command)](self, seat, command, now)

    def seat_of(self, held: Held, seat: int | None) -> int:
        """Which of the held seats is meant."""
        if seat is None and len(held) == 1:
            return next(iter(held))
        if seat is None:
            raise NotYourSeat("You have no seat here: you watch." if not held else "Say which of your seats: 'seat'.")
        if seat not in held:
            raise NotYourSeat("That is not your seat.")
        return seat

    def _as_host(self, seat: int) -> None:
        if self.view.host != seat:
            raise NotHost("Only the host of the table may do that.")

    def _look(self, seat: int, command: wire.Look, now: int) -> Outcome:
        return Outcome(self.number, seat=seat)

    def _say(self, seat: int, command: wire.Say, now: int) -> Outcome:
        self._may_talk()
        return self._outcome(self._add(Chat(seat, command.text), now, seat, command.id), seat)

    def _react(self, seat: int, command: wire.ShowReaction, now: int) -> Outcome:
        self._may_talk()
        return self._outcome(self._add(Reaction(seat, command.sign), now, seat, command.id), seat)

    def _may_talk(self) -> None:
        if not self.view.terms.chat:
            raise ChatOff("The host has switched the chat off.")

    def _pledge(self, seat: int, command: wire.Pledge, now: int) -> Outcome:
        self.head.in_phase("gathering")
        self.view.seats[seat].pledge = command.hash
        return self._house("pledge", seat, now, command.id)

    def _nonce(self, seat: int, command: wire.Nonce, now: int) -> Outcome:
        """Allowed only after the start, when all pledges are known: nobody can adapt a nonce to those of others."""
        self.head.in_phase("shuffling")
        if fairness.commitment(bytes.fromhex(command.nonce)) != self.view.seats[seat].pledge:
            raise BadNonce("That is not the nonce that was pledged.")
        if self.head.private.nonces[seat] is not None:
            raise BadNonce("The nonce was given already.")
        self.head.private.nonces[seat] = command.nonce
        return self._house("nonce", seat, now, command.id, then=self._begin_if_complete)

    def _leave(self, seat: int, command: wire.Leave, now: int) -> Outcome:
        self.head.free_seat(seat)
        return self._house("leave", seat, now, command.id, then=self._begin_if_complete)

    def _pass(self, seat: int, command: wire.Pass, now: int) -> Outcome:
        token = codes.new_token()
        valid = [one for one in self.head.private.passes if one.seat != seat and one.until > now]
        self.head.private.passes = [*valid, Pass(hash=codes.hashed(token), seat=seat, until=now + PASS_MS)]
        return self._house("pass", seat, now, command.id, secret=token)

    def _bot(self, seat: int, command: wire.SetBot, now: int) -> Outcome:
        self._as_host(seat)
        self.head.in_phase("gathering")
        self.head.seat_bot(command.on, command.level)
        return self._house("bot", command.on, now, command.id, by=seat)

    def _remove(self, seat: int, command: wire.Remove, now: int) -> Outcome:
        self._as_host(seat)
        if self.head.seat(command.whom).kind != "person" or command.whom == seat:
            raise NotYourSeat("Another person's seat has to be named; a bot is taken away by 'bot'.")
        self.head.remove_person(command.whom)
        return self._house("remove", command.whom, now, command.id, by=seat, then=self._begin_if_complete)

    def _close(self, seat: int, command: wire.Close, now: int) -> Outcome:
        self._as_host(seat)
        self.head.close()
        return self._house("close", seat, now, command.id)

    def _terms(self, seat: int, command: wire.SetTerms, now: int) -> Outcome:
        self._as_host(seat)
        self.view.terms = command.terms
        return self._house("terms", seat, now, command.id)

    def _start(self, seat: int, command: wire.Start, now: int) -> Outcome:
        self._as_host(seat)
        self.head.in_phase("gathering")
        free = [number for number, one in enumerate(self.view.seats) if one.kind == "free"]
        if free:
            listed = ", ".join(map(str, free))
            raise WrongPhase(f"Nobody sits at seat {listed} yet: wait for people, or put bots there.")
        self.view.phase = "shuffling"
        return self._house("start", seat, now, command.id, then=self._begin_if_complete)

    def _rematch(self, seat: int, command: wire.Rematch, now: int) -> Outcome:
        self._as_host(seat)
        self.head.in_phase("over")
        self.head.next_match()
        self.game = self._dealer = None
        return self._house("rematch", seat, now, command.id)

    # --- Not by command -----------------------------------------------------------------------------------------------

    def sit(self, wanted: wire.Sit, now: int) -> Outcome:
        """Somebody sits down; the outcome has the token."""
        seat, token = self.head.seat_person(wanted.seat, wanted.name, wanted.pledge)
        return self._house("sit", seat, now, secret=token)

    def take(self, wanted: wire.Take, now: int) -> Outcome:
        """A seat moves to another device: the pass is used up, and the old token is no longer valid."""
        self.head.check_open()
        for one in self.head.private.passes:
            if codes.opens(wanted.pass_, one.hash) and one.until > now:
                self.head.private.passes.remove(one)
                return self._house("take", one.seat, now, secret=self.head.new_token(one.seat))
        raise BadToken("This pass is not good, or not any more.")

    def away(self, seat: int, now: int) -> Outcome:
        """A bot starts to play for somebody who is away."""
        self.view.seats[seat].bot, self.view.seats[seat].stand_in = self.spec.stand_in, True
        return self._house("away", seat, now)

    def back(self, seat: int, now: int) -> Outcome:
        """Somebody is back and takes over from the bot."""
        self.view.seats[seat].bot, self.view.seats[seat].stand_in = None, False
        return self._house("back", seat, now)

    # --- The game -------------------------------------------------------------------------------------------------

    def begin(self, now: int) -> Outcome:
        """All nonces are there, or time is up: start the game."""
        self.head.in_phase("shuffling")
        self.head.begin(self.number + 1)
        return self._house("begin", None, now, then=self._first_step)

    def _begin_if_complete(self, now: int) -> None:
        if self.view.phase == "shuffling" and not self.head.awaited_nonces():
            self.head.begin(self.number + 1)
            self._add_house("begin", None, now)
            self._first_step(now)

    def _first_step(self, now: int) -> None:
        entries = self._set_up(now)
        self._match = Match(self.view.match, self.head.first, to_line(self.header()))
        self._add_step(entries, now)

    def _set_up(self, now: int) -> list[Entry]:
        private = self.head.private
        nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in private.nonces]
        self._dealer = fairness.Dealer(bytes.fromhex(private.secret), nonces)
        self.game = Game(self.spec, self.head.players, self.view.options, None, self.head.read_deck())
        self._began, self._ms, self.opening = now, 0, None
        return [*self.game.entries, *self._deal()]

    def _deal(self) -> list[Entry]:
        """The shuffles and draws that the game needs now."""
        assert self.game is not None
        assert self._dealer is not None
        return fairness.deal(self.game, self._dealer) if self.game.needs is not None else []

    def decide(
        self,
        seat: int,
        given: Mapping[str, Any] | Decision,
        now: int,
        id: str | None = None,
        claim: Mapping[str, int] | None = None,
    ) -> Outcome:
        """Make a decision in the game."""
        game = self._running()
        decision = given if isinstance(given, Decision) else self.spec.notation.decision_in(given)
        real_time = self.spec.real_time
        if real_time is not None and decision.do == real_time.signal and self.view.terms.countdown_s:
            return self._count_down(seat, decision, now, id)
        ms = self.clock(now)
        entries = game.act(seat, decision, ms)[:]
        if game.needs is not None:
            entries += self._deal()
        self._ms = ms
        return self._outcome(self._add_step(entries, now, seat, id, claim), seat)

    def _running(self) -> Game:
        if self.view.phase != "playing":
            self.head.in_phase("playing")  # raises, with the reason
        assert self.game is not None
        return self.game

    @property
    def _real_time(self) -> RealTime:
        assert self.spec.real_time is not None
        return self.spec.real_time

    def _count_down(self, seat: int, decision: Decision, now: int, id: str | None) -> Outcome:
        """Somebody gave the signal: the round begins for everybody at the end of the countdown."""
        if self.opening is not None:
            raise NotYourMoment("The countdown is running.", self._real_time.signal_rule)
        self._running().copy().act(seat, decision, self.clock(now))  # raises if the rules refuse it
        ms = self.view.terms.countdown_s * 1000
        self.opening = (seat, now + ms)
        return self._outcome(self._add(Countdown(seat, ms), now, seat, id), seat)

    def open_now(self, now: int) -> Outcome:
        """The countdown is over."""
        if self.opening is None:
            raise NotYourMoment("The round has been opened.", self._real_time.signal_rule)  # by another process
        seat, _ = self.opening
        self.opening = None
        self._ms = self.clock(now)
        entries = [*self._running().act(seat, Decision(self._real_time.signal), self._ms), *self._deal()]
        return self._outcome(self._add_step(entries, now, seat))

    def run_out(self, now: int) -> Outcome:
        """In real time: end what has run out of time by now; refused if nothing has."""
        game, ms = self._running(), self.clock(now)
        if ms == game.deadline:
            raise NotYourMoment("A decision at this very moment still counts.")
        entries = [*game.run_out(ms), *self._deal()]
        self._ms = ms
        return self._outcome(self._add_step(entries, now))

    # --- Lines ----------------------------------------------------------------------------------------------------

    def _add_step(
        self,
        entries: list[Entry],
        now: int,
        seat: int | None = None,
        id: str | None = None,
        claim: Mapping[str, int] | None = None,
    ) -> LogLine:
        assert self.game is not None
        assert self._dealer is not None
        if self.game.over:
            entries[-1] = self._dealer.disclose(entries[-1])
            self.view.phase = "over"
            self._head_changed = True
            self._match = self._finished(entries[-1], now)
        return self._add(Step(self.spec, entries, self.to_act, claim), now, seat, id)

    def _finished(self, end: Entry, now: int) -> Match:
        result = to_line({"names": self.head.players, "scores": end["scores"], "places": end["places"]})
        first, last = self.head.first, self.number + 1
        return Match(self.view.match, first, to_line(self.header()), last, result, now, self.view.terms.public)

    def _add_house(
        self, do: HouseVerb, seat: int | None, now: int, id: str | None = None, by: int | None = None
    ) -> LogLine:
        self._head_changed = True
        event = House(do, seat, self.view.model_dump(mode="json"), tuple(self.head.private.tokens))
        return self._add(event, now, seat if by is None else by, id)

    def _house(
        self,
        do: HouseVerb,
        seat: int | None,
        now: int,
        id: str | None = None,
        by: int | None = None,
        secret: str | None = None,
        then: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Log a change of the head; ``then`` may add what follows from it at once."""
        line = self._add_house(do, seat, now, id, by)
        if then is not None:
            then(now)
        return self._outcome(line, seat, secret)

    def _add(self, event: AnyEvent, now: int, by: int | None = None, id: str | None = None) -> LogLine:
        """Append a line to the log."""
        line = LogLine(self.number + 1, now, by, id, event)
        self._remember(line)
        self._new_lines.append(line)
        return line

    def _remember(self, line: LogLine) -> None:
        """What the table needs to know about a new or loaded line."""
        event = line.event
        self.number = line.number
        self.last_at = line.at
        if line.by is not None and line.command is not None:
            self._done[line.by, line.command] = line.number
            if len(self._done) > REMEMBERED_COMMANDS:
                self._done.popitem(last=False)
        elif isinstance(event, House) and event.changes_client:
            self._done = OrderedDict(one for one in self._done.items() if one[0][0] != line.by)
        if isinstance(event, Chat | Reaction):
            self.talk.append(line)
            del self.talk[:-TALK]

    def _outcome(self, line: LogLine, seat: int | None = None, secret: str | None = None) -> Outcome:
        """Everything new since the last outcome, to be written in one transaction; ``line`` is the answer."""
        lines, self._new_lines = self._new_lines, []
        match, self._match = self._match, None
        if not self._head_changed:
            return Outcome(line.number, lines, seat, secret, match=match)
        self._head_changed = False
        return Outcome(line.number, lines, seat, secret, self.head.model_dump_json(), self.head.listed, match)

    # --- Loading --------------------------------------------------------------------------------------------------

    @staticmethod
    def lines_needed_after(head: str, number: int) -> int:
        """``load`` needs the lines after this one: the current game, and the last chat and commands.

        ``number`` is the line that last changed the head.
        """
        first = Head.read(head).first
        return max(0, (first or number) - 1 - max(TALK, REMEMBERED_COMMANDS))

    @classmethod
    def load(cls, id: int, head: str, number: int, stored: Iterable[tuple[int, str]]) -> Table:
        """A table from its stored head, the number of the line that last changed it, and its last lines."""
        table = cls(id, Head.read(head), number)
        for line_number, body in stored:
            table._replay(read_line(line_number, body, table.spec))
        return table

    def follow(self, head: str, stored: Iterable[tuple[int, str]]) -> list[LogLine]:
        """Apply what another process has written since; returns the new lines."""
        new_head = Head.read(head)
        if new_head.first != self.head.first:
            self.game = self._dealer = None
        self.head = new_head
        lines = [read_line(number, body, self.spec) for number, body in stored]
        for line in lines:
            self._replay(line)
        return lines

    def _replay(self, line: LogLine) -> None:
        event = line.event
        self._remember(line)
        if not self.head.first or line.number <= self.head.first:
            return
        if isinstance(event, Step):
            self._replay_step(line, event)
        elif isinstance(event, Countdown):
            self.opening = (event.seat, line.at + event.ms)

    def _replay_step(self, line: LogLine, step: Step) -> None:
        """Run the rules again; they must give the same entries as before."""
        ms = next((entry["ms"] for entry in step.entries if "ms" in entry), None)
        if self.game is None:
            entries: Sequence[Entry] = self._set_up(line.at)
        elif is_whole(by := step.entries[0]["by"]):
            entries = [*self.game.act(by, Decision.from_json(step.entries[0]), ms), *self._deal()]
        else:
            entries = [*self.game.run_out(ms or 0), *self._deal()]
        self.opening = None
        if ms is not None:
            self._ms = ms
            self._began = line.at - ms
        assert self._dealer is not None
        if [*map(self._dealer.disclose, entries)] != list(step.entries):
            raise BadRecord(f"Line {line.number} of table {self.view.code} is not what the rules say.")


HANDLERS: dict[type, Callable[[Table, int, Any, int], Outcome]] = {
    wire.Look: Table._look,
    wire.Say: Table._say,
    wire.ShowReaction: Table._react,
    wire.Pledge: Table._pledge,
    wire.Nonce: Table._nonce,
    wire.Leave: Table._leave,
    wire.Pass: Table._pass,
    wire.SetBot: Table._bot,
    wire.Remove: Table._remove,
    wire.SetTerms: Table._terms,
    wire.Start: Table._start,
    wire.Rematch: Table._rematch,
    wire.Close: Table._close,
}
"""The method that carries out each command; ``wire.Act`` is a decision in the game."""
