"""Replaying records: the rules recompute every consequence and compare it with the record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tafelrunde.errors import BadChance, BadRecord, TafelrundeError
from tafelrunde.fairness import Fairness, ShuffleCheck
from tafelrunde.game import MS_LIMIT, Entries, Game
from tafelrunde.games import find
from tafelrunde.games.contract import Chance, Decision, Entry, is_whole
from tafelrunde.record import FORMAT, Record, read_lines, to_line


@dataclass(frozen=True)
class Verdict:
    """The result of checking a record; ``error`` is None if every line is right. A record may end early."""

    game: Game | None
    lines: int
    error: BadRecord | None
    finished: bool = False
    proven: bool = False
    """Were all shuffles recomputed from the secret and the nonces? Only possible for a finished fair game."""

    @property
    def holds(self) -> bool:
        """Does the record agree with the rules?"""
        return self.error is None

    def __str__(self) -> str:
        if self.error is not None:
            return str(self.error)
        assert self.game is not None
        state = "finished" if self.finished else "unfinished"
        proof = ", shuffles proven" if self.proven else ""
        return f"holds: {self.game.spec.id}, {self.game.seats} seats, {self.lines} lines, {state}{proof}"


class Replay:
    """Replays a record line by line; ``feed`` raises BadRecord at the first line that is wrong."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.game = _set_up(header)
        self._shuffles = _shuffle_check_of(header, self.game.seats)
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
        """Is a step complete: have all consequences of the last decision been read?"""
        return not self._expected and self.game.needs is None

    @property
    def proven(self) -> bool:
        """Has the secret been read, and did all shuffles agree with it?"""
        return self._shuffles is not None and self._shuffles.proven

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
            if not is_whole(ms) or not self._ms <= ms < MS_LIMIT:
                raise BadRecord(f"'ms' is a whole number that never falls, not {ms!r} after {self._ms}.")
            self._ms = ms

    def _compare(self, entry: Entry, expected: Entry) -> None:
        """Compare a consequence with what the rules say; unknown keys are ignored."""
        if self._shuffles is not None and entry["do"] == expected["do"] == "end":
            self._shuffles.check(entry)  # first: a wrong shuffle is on an earlier line than wrong points
        for key, value in expected.items():
            if key not in entry or not _same_json(entry[key], value):
                field = key if entry.get("do") == expected["do"] else None
                raise self._mismatch(expected, field)
        for key in self.game.spec.notation.optional_fields.get(expected["do"], frozenset()) & entry.keys():
            if key not in expected:
                raise self._mismatch(expected, key)

    def _mismatch(self, expected: Entry, field: str | None) -> BadRecord:
        return BadRecord(f"By the rules this line is {to_line(expected)}.", self._rule_of(expected, field))

    def _supply(self, entry: Entry) -> None:
        chance = self.game.needs
        if chance is None and self._is_timeout(entry):
            self._time_out(entry)
            return
        if chance is None:
            awaited = ", ".join(map(str, self.game.to_act))
            reason = f"the table waits for seat {awaited}" if awaited else "the game is over"
            raise BadRecord(f"Nothing happens by itself here: {reason}.", self._rule_of(entry))
        if entry["do"] != chance.do or entry.get("pile" if chance.do == "shuffle" else "option") != chance.of:
            raise self._missing_chance(chance)
        _, *rest = self._play(lambda: self.game.supply(self.game.spec.notation.order_of(chance, entry)))
        self._expected.extend(rest)
        if self._shuffles is not None:
            self._shuffles.note(self._line, entry, self._rule_of_chance(chance))

    def _is_timeout(self, entry: Entry) -> bool:
        """Does this entry say that the time of a round ran out? The rules alone can not tell when that was noticed."""
        real_time = self.game.spec.real_time
        if real_time is None or self.game.deadline is None:
            return False
        return real_time.lapse.items() <= entry.items()

    def _time_out(self, entry: Entry) -> None:
        if "ms" not in entry:
            raise BadRecord("When time runs out, 'ms' says when.", self._rule_of(entry))
        first, *rest = self._play(lambda: self.game.run_out(entry["ms"]))
        self._compare(entry, first)
        self._expected.extend(rest)

    def _decide(self, entry: Entry) -> None:
        seat = entry.get("by")
        if not is_whole(seat):
            raise BadRecord(f"'by' is a seat number or \"table\", not {seat!r}.")
        if self.game.spec.in_real_time and "ms" not in entry:
            raise BadRecord(f"{self.game.spec.id} is played in real time: every decision has 'ms'.")
        if self.game.needs is not None:
            raise self._missing_chance(self.game.needs)
        decision = self._decision_in(entry)
        _, *rest = self._play(lambda: self.game.act(seat, decision, entry.get("ms")))
        self._expected.extend(rest)

    def _decision_in(self, entry: Entry) -> Decision:
        """The decision in an entry: the fields that its verb knows; other keys are ignored."""
        known = self.game.spec.notation.decisions.get(entry["do"])
        if known is None:
            raise BadRecord(f"{entry['do']!r} is nothing that a player decides.", self._rule_of(entry))
        return Decision.from_json({key: value for key, value in entry.items() if key == "do" or key in known})

    def _play(self, step: Callable[[], Entries]) -> Entries:
        """Play one step; turn any refusal into BadRecord."""
        try:
            return step()
        except BadChance as error:
            assert self.game.needs is not None
            raise BadRecord(error.sentence, self._rule_of_chance(self.game.needs)) from None
        except TafelrundeError as error:
            raise BadRecord(error.sentence, error.rule) from None

    def _missing_chance(self, chance: Chance) -> BadRecord:
        return BadRecord(f"Here the table has to {chance.do} {chance.of}.", self._rule_of_chance(chance))

    def _rule_of_chance(self, chance: Chance) -> str:
        return self._rule_of({"do": chance.do, "pile": chance.of})

    def _rule_of(self, entry: Entry, field: str | None = None) -> str:
        return self.game.spec.notation.rule_of(entry, field, self._cause)


def _set_up(header: dict[str, Any]) -> Game:
    """Set up the game that a header describes."""
    if not _same_json(header.get("tafelrunde"), FORMAT):
        raise BadRecord(f'The first line has to say "tafelrunde":{FORMAT}, the format of this record.')
    try:
        spec = find(header.get("game"))  # type: ignore[arg-type]
        names, options = header.get("seats"), header.get("options")
        if not _same_json(header.get("rules"), spec.rules.VERSION):
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


def _shuffle_check_of(header: dict[str, Any], seats: int) -> ShuffleCheck | None:
    """The check of the shuffles, if the header promises fair ones."""
    return ShuffleCheck(Fairness.from_json(header["fairness"], seats)) if "fairness" in header else None


def _same_json(given: object, expected: object) -> bool:
    """Equal as JSON: in Python 7.0 equals 7 and True equals 1, here they do not."""
    if isinstance(expected, list):
        return (
            isinstance(given, list)
            and len(given) == len(expected)
            and all(_same_json(one, other) for one, other in zip(given, expected, strict=True))
        )
    return type(given) is type(expected) and given == expected


def replay(record: Record) -> Game:
    """Replay a record; raises BadRecord with the first wrong line."""
    verdict = check(enumerate([record.header, *record.entries], start=1))
    if verdict.error is not None:
        raise verdict.error
    assert verdict.game is not None
    return verdict.game


def verify(path: Path | str) -> Verdict:
    """Check a record file. A correct beginning of a game holds, as unfinished."""
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
