"""One table: commands in, lines out."""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tafelrunde import fairness, wire
from tafelrunde.errors import BadNonce, BadRecord, BadToken, ChatOff, NotHost, NotYourMoment, NotYourSeat, WrongPhase
from tafelrunde.game import Game
from tafelrunde.games.contract import Decision, Entry, RealTime, is_whole
from tafelrunde.record import header_of, to_line
from tafelrunde.store import GameRow, StoredTable, Write
from tafelrunde.table import codes
from tafelrunde.table.house import PASS_MS, STAND_IN, Head, Pass
from tafelrunde.table.lines import Held, Line, StepLine, read_line

REMEMBERED = 500
"""So many commands of a table are known again when they are sent again; a client waits for far fewer answers."""
NEW_CLIENT = (b'"do":"sit"', b'"do":"take"')
"""How lines begin after which a seat has another client: its ids have nothing to do with those of the one before."""
TALK = 30
"""So much of what was said is told to whoever comes."""
PAUSE_MS = 5000
"""A game in real time in which nothing has happened for so long has stood still: its clock goes on where it was."""

HouseVerb = Any  # one of wire.House.do


@dataclass(slots=True)
class Outcome:
    """What a command has brought about: lines to be told once they are durable, and what only the asker learns."""

    number: int
    """Of the line that is the answer; if it is not among the lines it was written before."""
    lines: list[Line]
    writes: list[Write]
    seat: int | None = None
    secret: str | None = None
    """A token or pass, for nobody else."""


class Table:
    """A table in memory; ahead of what is durable by the lines of outcomes that are not yet written."""

    def __init__(self, id: int, head: Head, number: int = 0) -> None:
        self.id = id
        self.head = head
        self.number = number
        self.spec = head.spec
        self.game: Game | None = None
        self.opening: tuple[int, int] | None = None
        """In real time: the seat that has given the signal, and when the round begins."""
        self.talk: list[Line] = []
        """What was said last."""
        self.last_at = 0
        """When the last line was written."""
        self._dealer: fairness.Dealer | None = None
        self._began = 0  # when the first entry was written, in milliseconds since 1970
        self._ms = 0  # when the last entry was written, in milliseconds since the first one
        self._done: OrderedDict[tuple[int, str], int] = OrderedDict()
        self._fresh: list[Line] = []
        self._head_changed = False
        self._row: GameRow | None = None

    # --- What is going on -----------------------------------------------------------------------------------------

    @property
    def view(self) -> wire.TableView:
        """All that is public."""
        return self.head.view

    @property
    def to_act(self) -> list[int]:
        """Who has a decision to take in the game."""
        if self.game is None or self.opening is not None or self.view.phase == "closed":
            return []
        return list(self.game.to_act)

    def waits_for(self) -> list[str]:
        """The names of those whom everybody waits for."""
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
        """What these seats see of the game, or a spectator; nothing before it begins."""
        if self.game is None:
            return []
        views = []
        seats: list[int | None] = [*sorted(held)] or [None]
        for seat in seats:
            seen = self.game.observe(seat)
            packed = base64.b64encode(seen.raw.tobytes()).decode() if raw else None
            views.append(wire.View(seat=seat, observation=seen.to_json(), raw=packed))
        return views

    def header(self) -> dict[str, Any]:
        """The first line of the record."""
        assert self.game is not None
        assert self._dealer is not None
        proof = self._dealer.fairness.to_json()
        return header_of(self.spec, self.game.names, self.game.options, self.game.deck, proof)

    # --- Time -----------------------------------------------------------------------------------------------------

    def clock(self, now: int) -> int:
        """Milliseconds since the first entry; never before what has happened already."""
        return max(now - self._began, self._ms)

    def moment(self, ms: int) -> int:
        """The other way round: when the game's clock shows this."""
        return self._began + ms

    def wake(self, now: int) -> None:
        """Somebody has come to a table at which nobody was: in real time the clock had stood still."""
        if self.spec.in_real_time and not 0 <= now - self.last_at <= PAUSE_MS:
            self._began = now - self._ms
            if self.opening is not None:
                self.opening = (self.opening[0], now + self.view.terms.countdown_s * 1000)

    # --- Commands -------------------------------------------------------------------------------------------------

    def command(self, held: Held, command: Any, now: int, claim: Mapping[str, int] | None = None) -> Outcome:
        """Carry out what the holder of these seats asks for, or refuse it; a refused command changes nothing."""
        if command.do == "look" and not held:
            return Outcome(self.number, [], [])
        seat = self.seat_of(held, command.seat)
        done = self._done.get((seat, command.id))
        if done is not None:
            return Outcome(done, [], [], seat)
        self.head.check_open()
        if command.do == "act":
            return self.decide(seat, command.decision, now, command.id, claim)
        carry_out: Callable[[int, Any, int], Outcome] = getattr(self, f"_{command.do}")
        return carry_out(seat, command, now)

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
        return Outcome(self.number, [], [], seat)

    def _say(self, seat: int, command: wire.Say, now: int) -> Outcome:
        self._may_talk()
        return self._tell(wire.Chat(number=self.number + 1, at=now, seat=seat, text=command.text), command.id)

    def _react(self, seat: int, command: wire.ShowReaction, now: int) -> Outcome:
        self._may_talk()
        return self._tell(wire.React(number=self.number + 1, at=now, seat=seat, sign=command.sign), command.id)

    def _may_talk(self) -> None:
        if not self.view.terms.chat:
            raise ChatOff("The host has switched the chat off.")

    def _pledge(self, seat: int, command: wire.Pledge, now: int) -> Outcome:
        self.head.in_phase("gathering")
        self.view.seats[seat].pledge = command.hash
        return self._house("pledge", seat, now, command.id)

    def _nonce(self, seat: int, command: wire.Nonce, now: int) -> Outcome:
        """Only after the start, when all pledges are known: nobody can choose a nonce to suit those of others."""
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

    # --- From outside ---------------------------------------------------------------------------------------------

    def sit(self, wanted: wire.Sit, now: int) -> Outcome:
        """Somebody sits down; the outcome has the token."""
        seat, token = self.head.seat_person(wanted.seat, wanted.name, wanted.pledge)
        return self._house("sit", seat, now, secret=token)

    def take(self, wanted: wire.Take, now: int) -> Outcome:
        """A seat is taken along to another device: the pass is used up, and the old token opens nothing any more."""
        self.head.check_open()
        for one in self.head.private.passes:
            if codes.opens(wanted.pass_, one.hash) and one.until > now:
                self.head.private.passes.remove(one)
                return self._house("take", one.seat, now, secret=self.head.new_token(one.seat))
        raise BadToken("This pass is not good, or not any more.")

    def away(self, seat: int, now: int) -> Outcome:
        """A bot begins to play for somebody who is away."""
        self.view.seats[seat].bot, self.view.seats[seat].stand_in = STAND_IN, True
        return self._house("away", seat, now)

    def back(self, seat: int, now: int) -> Outcome:
        """Somebody who was played for is back."""
        self.view.seats[seat].bot, self.view.seats[seat].stand_in = None, False
        return self._house("back", seat, now)

    # --- The game -------------------------------------------------------------------------------------------------

    def begin(self, now: int) -> Outcome:
        """All nonces are there, or time is up: the game begins."""
        self.head.in_phase("shuffling")
        self.head.begin(self.number + 1)
        return self._house("begin", None, now, then=self._first_step)

    def _begin_if_complete(self, now: int) -> None:
        if self.view.phase == "shuffling" and not self.head.awaited_nonces():
            self.head.begin(self.number + 1)
            self._note_house("begin", None, now)
            self._first_step(now)

    def _first_step(self, now: int) -> None:
        entries = self._set_up(now)
        self._row = GameRow(self.view.match, self.head.first, to_line(self.header()))
        self._note_step(entries, now)

    def _set_up(self, now: int) -> list[Entry]:
        private = self.head.private
        nonces = [None if nonce is None else bytes.fromhex(nonce) for nonce in private.nonces]
        self._dealer = fairness.Dealer(bytes.fromhex(private.secret), nonces)
        self.game = Game(self.spec, self.head.players, self.view.options, None, self.head.read_deck())
        self._began, self._ms, self.opening = now, 0, None
        return [*self.game.entries, *self._deal()]

    def _deal(self) -> list[Entry]:
        """Chance, as far as it is needed; the last entry of a game tells the secret."""
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
        """Take a decision in the game."""
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
        line = self._note_step(entries, now, seat, id, claim)
        return self._outcome(line.number, seat)

    def _running(self) -> Game:
        if self.view.phase != "playing":
            self.head.in_phase("playing")  # says why not
        assert self.game is not None
        return self.game

    @property
    def _real_time(self) -> RealTime:
        assert self.spec.real_time is not None
        return self.spec.real_time

    def _count_down(self, seat: int, decision: Decision, now: int, id: str | None) -> Outcome:
        """The signal is given; the round begins for all at the same moment, when the countdown is over."""
        if self.opening is not None:
            raise NotYourMoment("The countdown is running.", self._real_time.signal_rule)
        self._running().copy().act(seat, decision, self.clock(now))  # refuses what the rules refuse
        ms = self.view.terms.countdown_s * 1000
        self.opening = (seat, now + ms)
        return self._tell(wire.Countdown(number=self.number + 1, at=now, seat=seat, ms=ms), id)

    def open_now(self, now: int) -> Outcome:
        """The countdown is over."""
        if self.opening is None:
            raise NotYourMoment("The round has been opened.", self._real_time.signal_rule)  # by another process
        seat, _ = self.opening
        self.opening = None
        self._ms = self.clock(now)
        entries = [*self._running().act(seat, Decision(self._real_time.signal), self._ms), *self._deal()]
        return self._outcome(self._note_step(entries, now, seat).number)

    def run_out(self, now: int) -> Outcome:
        """In real time: end what time has ended by now; refused if there is nothing."""
        game, ms = self._running(), self.clock(now)
        if ms == game.deadline:
            raise NotYourMoment("A decision at this very moment still counts.")
        entries = [*game.run_out(ms), *self._deal()]
        self._ms = ms
        return self._outcome(self._note_step(entries, now).number)

    # --- Lines ----------------------------------------------------------------------------------------------------

    def _note_step(
        self,
        entries: list[Entry],
        now: int,
        seat: int | None = None,
        id: str | None = None,
        claim: Mapping[str, int] | None = None,
    ) -> Line:
        assert self.game is not None
        assert self._dealer is not None
        if self.game.over:
            entries[-1] = self._dealer.disclose(entries[-1])
            self.view.phase = "over"
            self._head_changed = True
            self._row = self._finished(entries[-1], now)
        return self._note(StepLine(self.number + 1, now, seat, id, self.spec, entries, self.to_act, claim))

    def _finished(self, end: Entry, now: int) -> GameRow:
        result = to_line({"names": self.head.players, "scores": end["scores"], "places": end["places"]})
        first, last = self.head.first, self.number + 1
        public = self.view.terms.public
        return GameRow(self.view.match, first, to_line(self.header()), last, result, now, public)

    def _note_house(
        self, do: HouseVerb, seat: int | None, now: int, id: str | None = None, by: int | None = None
    ) -> Line:
        self._head_changed = True
        message = wire.House(number=self.number + 1, at=now, do=do, seat=seat, table=self.view)
        line = self._note(Line.of(message, seat if by is None else by, id))
        line.tokens = tuple(self.head.private.tokens)
        return line

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
        """Something of the house has changed; ``then`` may add what follows from it at once."""
        line = self._note_house(do, seat, now, id, by)
        if then is not None:
            then(now)
        return self._outcome(line.number, seat, secret)

    def _tell(self, message: wire.Chat | wire.React | wire.Countdown, id: str | None) -> Outcome:
        return self._outcome(self._note(Line.of(message, message.seat, id)).number, message.seat)

    def _note(self, line: Line) -> Line:
        """A line is added: what the table remembers of it."""
        self._remember(line)
        self._fresh.append(line)
        return line

    def _remember(self, line: Line) -> None:
        self.number = line.number
        self.last_at = line.at
        if line.by is not None and line.id is not None:
            self._done[line.by, line.id] = line.number
            if len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        elif line.type == "house" and line.rest.startswith(NEW_CLIENT):
            self._done = OrderedDict(one for one in self._done.items() if one[0][0] != line.by)
        if line.type in ("say", "react"):
            self.talk.append(line)
            del self.talk[:-TALK]

    def _outcome(self, number: int, seat: int | None = None, secret: str | None = None) -> Outcome:
        """All that was noted, ready to be written in one go; what changes along goes with the last line."""
        lines, self._fresh = self._fresh, []
        writes = [Write(self.id, line.number, line.body) for line in lines[:-1]] if len(lines) > 1 else []
        head = self.head.model_dump_json() if self._head_changed else None
        listed = self.head.listed if self._head_changed else None
        writes.append(Write(self.id, lines[-1].number, lines[-1].body, head, listed, self._row))
        self._head_changed, self._row = False, None
        return Outcome(number, lines, writes, seat, secret)

    # --- Loading --------------------------------------------------------------------------------------------------

    @staticmethod
    def read_after(stored: StoredTable) -> int:
        """After which line ``load`` wants the lines: the game that is going on, and the last talk and commands."""
        first = Head.read(stored.head).first
        return max(0, (first or stored.number) - 1 - max(TALK, REMEMBERED))

    @classmethod
    def load(cls, stored: StoredTable, kept: Iterable[tuple[int, str]]) -> Table:
        """A table from its head and its last lines."""
        table = cls(stored.id, Head.read(stored.head), stored.number)
        for number, body in kept:
            table._read(read_line(number, body, table.spec))
        return table

    def follow(self, stored: StoredTable, kept: Iterable[tuple[int, str]]) -> list[Line]:
        """Take over what another process has written since; gives the new lines."""
        head = Head.read(stored.head)
        if head.first != self.head.first:
            self.game = self._dealer = None
        self.head = head
        lines = [read_line(number, body, self.spec) for number, body in kept]
        for line in lines:
            self._read(line)
        return lines

    def _read(self, line: Line) -> None:
        self._remember(line)
        if not self.head.first or line.number <= self.head.first:
            return
        if isinstance(line, StepLine):
            self._replay(line)
        elif line.type == "countdown" and line.by is not None:
            self.opening = (line.by, line.at + json.loads(b"{" + line.rest)["ms"])

    def _replay(self, line: StepLine) -> None:
        """The rules say again what followed; they must say the same as then."""
        ms = next((entry["ms"] for entry in line.entries if "ms" in entry), None)
        if self.game is None:
            entries: Sequence[Entry] = self._set_up(line.at)
        elif is_whole(by := line.entries[0]["by"]):
            entries = [*self.game.act(by, Decision.from_json(line.entries[0]), ms), *self._deal()]
        else:
            entries = [*self.game.run_out(ms or 0), *self._deal()]
        self.opening = None
        if ms is not None:
            self._ms = ms
            self._began = line.at - ms
        assert self._dealer is not None
        if [*map(self._dealer.disclose, entries)] != list(line.entries):
            raise BadRecord(f"Line {line.number} of table {self.view.code} is not what the rules say.")
