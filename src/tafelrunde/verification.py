"""Replaying records: every consequence is computed anew and compared with what is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tafelrunde.errors import BadChance, BadRecord, TafelrundeError
from tafelrunde.fairness import Fairness, Judge
from tafelrunde.game import LATEST, Entries, Game
from tafelrunde.games import find
from tafelrunde.games.contract import Chance, Decision, Entry, is_whole
from tafelrunde.record import FORMAT, Record, read_lines, to_line


@dataclass(frozen=True)
class Verdict:
    """What became of checking one record; ``error`` is None if it holds as far as it goes."""

    game: Game | None
    lines: int
    error: BadRecord | None
    finished: bool = False
    proven: bool = False
    """Were all shuffles dealt again from the secret and the nonces? Only a finished fair game allows that."""

    @property
    def holds(self) -> bool:
        """Is everything in the record as the rules say?"""
        return self.error is None

    def __str__(self) -> str:
        if self.error is not None:
            return str(self.error)
        assert self.game is not None
        state = "finished" if self.finished else "unfinished"
        proof = ", shuffles proven" if self.proven else ""
        return f"holds: {self.game.spec.id}, {self.game.seats} seats, {self.lines} lines, {state}{proof}"


class Replay:
    """A record being read: ``feed`` takes it line by line and raises BadRecord where it does not hold."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.game = _set_up(header)
        self._judge = _judge_of(header, self.game.seats)
        self._expected: deque[Entry] = deque(self.game.entries)
        self._line = 1
        self._ms = 0
        self._cause: str | None = None

    @property
    def finished(self) -> bool:
        """Has the record been read to the end of the game?"""
        return self.game.over and not self._expected

    @property
    def settled(self) -> bool:
        """Is a step complete: has all been read that followed from the last decision?"""
        return not self._expected and self.game.needs is None

    @property
    def proven(self) -> bool:
        """Has the secret been read, and did it lead to every shuffle?"""
        return self._judge is not None and self._judge.proven

    def feed(self, entry: Entry) -> None:
        """Replay one entry."""
        self._line += 1
        verb = entry.get("do")
        if not isinstance(verb, str) or verb not in self.game.spec.notation.verbs:
            raise BadRecord(f"{self.game.spec.id} knows no entry {verb!r}.")
        self._check_time(entry)
        if self._expected:
            self._compare(entry, self._expected.popleft())
        elif entry.get("by") == "table":
            self._supply(entry)
        else:
            self._decide(entry)
        if verb not in ("draw", "shuffle"):
            self._cause = verb

    def _check_time(self, entry: Entry) -> None:
        if "ms" in entry:
            ms = entry["ms"]
            if not is_whole(ms) or not self._ms <= ms < LATEST:
                raise BadRecord(f"'ms' is a whole number that never falls, not {ms!r} after {self._ms}.")
            self._ms = ms

    def _compare(self, entry: Entry, expected: Entry) -> None:
        """A consequence has to be what the rules say; keys that nobody knows are passed over."""
        if self._judge is not None and entry["do"] == expected["do"] == "end":
            self._judge.judge(entry)  # first: a shuffle at fault stands on an earlier line than wrong points
        for key, value in expected.items():
            if key not in entry or not _same(entry[key], value):
                field = key if entry.get("do") == expected["do"] else None
                raise self._otherwise(expected, field)
        for key in self.game.spec.notation.sometimes.get(expected["do"], frozenset()) & entry.keys():
            if key not in expected:
                raise self._otherwise(expected, key)

    def _otherwise(self, expected: Entry, field: str | None) -> BadRecord:
        return BadRecord(f"By the rules this line is {to_line(expected)}.", self._rule_of(expected, field))

    def _supply(self, entry: Entry) -> None:
        chance = self.game.needs
        if chance is None and self._says_time_is_over(entry):
            self._run_out(entry)
            return
        if chance is None:
            awaited = ", ".join(map(str, self.game.to_act))
            reason = f"the table waits for seat {awaited}" if awaited else "the game is over"
            raise BadRecord(f"Nothing happens by itself here: {reason}.", self._rule_of(entry))
        if entry["do"] != chance.do or entry.get("pile" if chance.do == "shuffle" else "option") != chance.of:
            raise self._awaited(chance)
        _, *rest = self._take(lambda: self.game.supply(self.game.spec.notation.order_of(chance, entry)))
        self._expected.extend(rest)
        if self._judge is not None:
            self._judge.note(self._line, entry, self._rule_of_chance(chance))

    def _says_time_is_over(self, entry: Entry) -> bool:
        """That time ended something has to be read: nothing else in the record tells."""
        real_time = self.game.spec.real_time
        if real_time is None or self.game.deadline is None:
            return False
        return real_time.lapse.items() <= entry.items()

    def _run_out(self, entry: Entry) -> None:
        if "ms" not in entry:
            raise BadRecord("When time runs out, 'ms' says when.", self._rule_of(entry))
        first, *rest = self._take(lambda: self.game.run_out(entry["ms"]))
        self._compare(entry, first)
        self._expected.extend(rest)

    def _decide(self, entry: Entry) -> None:
        seat = entry.get("by")
        if not is_whole(seat):
            raise BadRecord(f"'by' is a seat number or \"table\", not {seat!r}.")
        if self.game.spec.in_real_time and "ms" not in entry:
            raise BadRecord(f"{self.game.spec.id} is played in real time: every decision has 'ms'.")
        if self.game.needs is not None:
            raise self._awaited(self.game.needs)
        decision = self._decision_in(entry)
        _, *rest = self._take(lambda: self.game.act(seat, decision, entry.get("ms")))
        self._expected.extend(rest)

    def _decision_in(self, entry: Entry) -> Decision:
        """The fields that a decision of this verb can have; keys that it does not know are passed over."""
        known = self.game.spec.notation.decisions.get(entry["do"])
        if known is None:
            raise BadRecord(f"{entry['do']!r} is nothing that a player decides.", self._rule_of(entry))
        return Decision.from_json({key: value for key, value in entry.items() if key == "do" or key in known})

    def _take(self, step: Callable[[], Entries]) -> Entries:
        """Let the game go on; what it refuses does not hold."""
        try:
            return step()
        except BadChance as error:
            assert self.game.needs is not None
            raise BadRecord(error.sentence, self._rule_of_chance(self.game.needs)) from None
        except TafelrundeError as error:
            raise BadRecord(error.sentence, error.rule) from None

    def _awaited(self, chance: Chance) -> BadRecord:
        return BadRecord(f"Here the table has to {chance.do} {chance.of}.", self._rule_of_chance(chance))

    def _rule_of_chance(self, chance: Chance) -> str:
        return self._rule_of({"do": chance.do, "pile": chance.of})

    def _rule_of(self, entry: Entry, field: str | None = None) -> str:
        return self.game.spec.notation.rule_of(entry, field, self._cause)


def _set_up(header: dict[str, Any]) -> Game:
    """The game that a header tells of, before its first entry."""
    if not _same(header.get("tafelrunde"), FORMAT):
        raise BadRecord(f'The first line has to say "tafelrunde":{FORMAT}, the format of this record.')
    try:
        spec = find(header.get("game"))  # type: ignore[arg-type]
        names, options = header.get("seats"), header.get("options")
        if not _same(header.get("rules"), spec.rules.VERSION):
            raise BadRecord(f"This was played by rules {header.get('rules')!r}; known are {spec.rules.VERSION}.")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadRecord("'seats' is the list of the players' names.")
        if not isinstance(options, dict):
            raise BadRecord("'options' has every option of the game with its value.")
        missing = [option.name for option in spec.options if option.name not in options]
        if missing:
            raise BadRecord(f"'options' lacks {', '.join(missing)}.")
        deck = spec.decks.from_header(header) if spec.decks is not None else None
        return Game(spec, names, options, None, deck)
    except BadRecord:
        raise
    except TafelrundeError as error:
        raise BadRecord(error.sentence, error.rule) from None


def _judge_of(header: dict[str, Any], seats: int) -> Judge | None:
    """Somebody to watch over the shuffles, if the table has promised to prove them."""
    return Judge(Fairness.from_json(header["fairness"], seats)) if "fairness" in header else None


def _same(given: object, expected: object) -> bool:
    """Equal, and a number is a whole number: 7.0 and true are neither 7 nor 1."""
    if isinstance(expected, list):
        return (
            isinstance(given, list)
            and len(given) == len(expected)
            and all(_same(one, other) for one, other in zip(given, expected, strict=True))
        )
    return type(given) is type(expected) and given == expected


def replay(record: Record) -> Game:
    """Play a record again; raises BadRecord with the first line that does not hold."""
    verdict = check(enumerate([record.header, *record.entries], start=1))
    if verdict.error is not None:
        raise verdict.error
    assert verdict.game is not None
    return verdict.game


def verify(path: Path | str) -> Verdict:
    """Check a record file. A valid beginning of a game holds as unfinished."""
    try:
        with Path(path).open("rb") as file:
            return check(read_lines(file))
    except OSError as error:
        return Verdict(None, 0, BadRecord(f"The file can not be read: {error.strerror or error}."))


def check(lines: Iterable[tuple[int, dict[str, Any]]]) -> Verdict:
    """Check the lines of a record, given with their numbers."""
    run: Replay | None = None
    read = 0
    try:
        for number, entry in lines:
            read = number
            if run is None:
                run = Replay(entry)
            else:
                run.feed(entry)
    except BadRecord as error:
        error.line = error.line or read
        return Verdict(run.game if run else None, error.line, error)
    if run is None:
        return Verdict(None, 0, BadRecord("The record is empty.", line=1))
    return Verdict(run.game, read, None, run.finished, run.proven)
