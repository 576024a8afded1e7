"""What was told to whom, and what must hold because of it. Knows nothing of games, servers and networks.

A line is known by its table, its number, and the history in which it was written. Histories branch when a backup is put
back: generation 0 is the first one, and each restore begins the next, which shares with its parent the lines that the
backup had. What was told in one branch is never held against another, and what they share is held against both.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Held = frozenset[int]
Seen = Callable[[int, str, Held], bytes]
"""A line of the store, number and body, as whoever holds these seats is told it."""

REMEMBERED = 500
"""So many commands a table knows again, as the protocol says; a command and its double are that far apart at most."""
END_OF_TERM = ("leave", "remove", "take")
"""Lines after which a seat has no client, or another one; clients begin the ids of their commands with their names."""
MOST_SHOWN = 400
"""So much of a line is shown when something is wrong with it."""


@dataclass(frozen=True)
class Backup:
    """A copy of the store, as far as the checker has to know it."""

    generation: int
    moment: int
    """What was told before this moment is in the copy."""


@dataclass
class Branch:
    """Where a generation has come from."""

    backup: Backup
    numbers: Mapping[str, int]
    """The last line that the backup had of each table."""


@dataclass(frozen=True)
class Told:
    """What somebody was told."""

    text: bytes
    who: str
    moment: int
    generation: int


@dataclass
class TableFacts:
    """All that is known of one table."""

    created: tuple[int, int]
    """Generation and moment of its creation, as it was acknowledged."""
    lines: dict[tuple[int, int], dict[Held, Told]] = field(default_factory=lambda: defaultdict(dict))
    """By number and the generation in which the line was written."""
    commands: dict[tuple[int, str], list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))
    """By seat and id: number, generation and who was told, for each acknowledgement."""
    sent: dict[tuple[int, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    """By seat and id: each time that a command was sent, in words."""
    refused: dict[tuple[int, str], str] = field(default_factory=dict)
    """Commands that were sent once and refused."""


class Checker:
    """Collects what is told, and notes whatever contradicts it."""

    def __init__(self, one_process: bool = True) -> None:
        self.generation = 0
        self.one_process = one_process
        """Is there only one process that writes? Then nobody is ever behind."""
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        self._moment = 0
        self._branches: dict[int, Branch] = {}
        self._tables: dict[str, TableFacts] = {}
        self._watermark: dict[tuple[str, int], tuple[int, Told]] = {}
        """The last line of each table that was told in a generation."""

    # --- Histories ------------------------------------------------------------------------------------------------

    def moment(self) -> int:
        """Now; each moment is later than the one before."""
        self._moment += 1
        return self._moment

    def backup(self) -> Backup:
        """A backup is about to be made."""
        return Backup(self.generation, self.moment())

    def restored(self, backup: Backup, numbers: Mapping[str, int]) -> None:
        """A backup was put back; it has so many lines of each table."""
        for code, facts in self._tables.items():
            for (number, born), held in facts.lines.items():
                first = min(held.values(), key=lambda told: told.moment)
                inside = born == self.origin(code, number, backup.generation) and first.moment < backup.moment
                if inside and number > numbers.get(code, 0):
                    self._lost(f"the backup lacks line {number} of {code}, told before it was made", first)
        self.generation += 1
        self._branches[self.generation] = Branch(backup, dict(numbers))

    def origin(self, code: str, number: int, generation: int) -> int:
        """The generation in which this line of that generation's history was written."""
        while generation in self._branches:
            branch = self._branches[generation]
            if number > branch.numbers.get(code, -1):
                break
            generation = branch.backup.generation
        return generation

    def is_current(self, code: str, number: int, generation: int) -> bool:
        """Is the line that had this number then the one that has it now?"""
        return self.origin(code, number, generation) == self.origin(code, number, self.generation)

    def is_kept(self, generation: int, moment: int) -> bool:
        """Must what was acknowledged then still be so, given all backups that were put back since?"""
        at = self.generation
        while at != generation:
            if at not in self._branches:
                return False
            backup = self._branches[at].backup
            if backup.generation == generation and moment > backup.moment:
                return False
            at = backup.generation
        return True

    # --- What is told ---------------------------------------------------------------------------------------------

    def created(self, code: str) -> None:
        """A table was set up."""
        self._tables[code] = TableFacts((self.generation, self.moment()))

    def told(self, code: str, number: int, held: Held, text: bytes, generation: int, who: str) -> None:
        """Somebody who holds these seats was told this line, less the id of the answer."""
        self.counts["told"] += 1
        key = number, self.origin(code, number, generation)
        known = self._tables[code].lines[key]
        told = Told(text, who, self.moment(), generation)
        before = known.get(held) or next(iter(known.values()), None)
        if before is not None and not agree(before.text, text, exactly=held in known):
            self._contradicted(f"line {number} of {code} was told in two ways, seats {sorted(held)}", before, told)
        known.setdefault(held, told)
        if number > self.last(code, generation):
            self._watermark[code, generation] = number, told

    def last(self, code: str, generation: int) -> int:
        """The number of the last line that anybody was told in this generation."""
        return self._watermark[code, generation][0] if (code, generation) in self._watermark else 0

    def greeted(self, code: str, number: int, least: int, generation: int, who: str) -> None:
        """Somebody was welcomed or resumed at this number; ``least`` was told to somebody before they said hello."""
        if number < least:
            _, told = self._watermark[code, generation]
            self._lost(f"{who} was greeted at line {number} of {code}, but line {least} was told before", told)

    def resumed(self, code: str, after: int, since: int, generation: int, who: str) -> None:
        """Somebody with this number, told in generation ``since``, was resumed."""
        self.counts["resumed"] += 1
        if self.origin(code, after, since) != self.origin(code, after, generation):
            self._say(
                "contradicted",
                f"{who} came back to {code} after line {after} of generation {since}, which is not the line {after} of "
                f"generation {generation} (a backup was put back), and was resumed instead of welcomed",
            )

    def skipped(self, code: str, expected: int, number: int, who: str) -> None:
        """Somebody got another line than the next one."""
        self._say("contradicted", f"{who} at {code} was told line {number} where line {expected} was next")

    def sent(self, code: str, seat: int, id: str, how: str) -> None:
        """Somebody sends a command, perhaps once more."""
        self._tables[code].sent[seat, id].append(f"{how}, when line {self.last(code, self.generation)} was the last")

    def acknowledged(self, code: str, seat: int, id: str, number: int, generation: int, who: str) -> None:
        """Somebody was told that a command was carried out with this line."""
        known = self._tables[code].commands[seat, id]
        self.counts["acknowledged"] += not known
        for before, since, whom in {line[:2]: line for line in known}.values():
            both = self.is_current(code, before, since) and self.is_current(code, number, generation)
            if both and 0 < abs(number - before) <= REMEMBERED:
                self._say(
                    "doubled",
                    f"command {id} of seat {seat} at {code} was acknowledged with line {before} (to {whom}) and "
                    f"with line {number} (to {who})",
                )
        known.append((number, generation, who))

    def refused(self, code: str, seat: int, id: str, why: str) -> None:
        """A command that was sent only once was refused: it must not have happened."""
        self._tables[code].refused[seat, id] = why

    def unexpected(self, what: str) -> None:
        """Anything else that should not happen."""
        self._say("contradicted", what)

    def table_gone(self, code: str, who: str) -> None:
        """Somebody was told that there is no such table."""
        if self.is_kept(*self._tables[code].created):
            self._say("lost", f"{who} was told that there is no table {code}, which was acknowledged")

    # --- What is there --------------------------------------------------------------------------------------------

    def audit(self, code: str, lines: Iterable[tuple[int, str]] | None, seen: Seen) -> None:
        """Compare all that is known of a table with its lines in the store; None: the store has no such table."""
        facts = self._tables[code]
        if lines is None:
            if self.is_kept(*facts.created):
                self._say("lost", f"table {code} was acknowledged and is not there")
            return
        kept = self._audit_numbers(code, lines)
        self._audit_lines(code, facts, kept, seen)
        self._audit_commands(code, facts, kept)
        self._audit_terms(code, kept)

    @property
    def codes(self) -> list[str]:
        """All tables that were acknowledged."""
        return list(self._tables)

    def _audit_numbers(self, code: str, lines: Iterable[tuple[int, str]]) -> dict[int, str]:
        kept: dict[int, str] = {}
        last = 0
        for number, body in lines:
            if number in kept:
                self._say("doubled", f"{code} has line {number} twice: {show(kept[number])} and {show(body)}")
            elif number != last + 1:
                self._say("lost", f"{code} has a gap: line {last + 1} is missing before line {number}")
            kept[number] = body
            last = number
        return kept

    def _audit_lines(self, code: str, facts: TableFacts, kept: Mapping[int, str], seen: Seen) -> None:
        for (number, born), known in sorted(facts.lines.items(), key=lambda item: item[0]):
            if born != self.origin(code, number, self.generation):
                continue
            for held, told in known.items():
                if number not in kept:
                    self._lost(f"line {number} of {code} is not there", told)
                    break
                now = seen(number, kept[number], held)
                if now != told.text:
                    there = Told(now, "the store", 0, self.generation)
                    self._contradicted(f"line {number} of {code} has changed, seats {sorted(held)}", told, there)

    def _audit_commands(self, code: str, facts: TableFacts, kept: Mapping[int, str]) -> None:
        written: dict[tuple[int, str], list[int]] = defaultdict(list)
        for number, body in kept.items():
            line: dict[str, Any] = json.loads(body)
            if "command" in line:
                written[line["by"], line["command"]].append(number)
        for (seat, id), numbers in written.items():
            if any(later - earlier <= REMEMBERED for earlier, later in itertools.pairwise(numbers)):
                bodies = "".join(f"\n    {show(kept[number])}" for number in numbers)
                self._say(
                    "doubled",
                    f"command {id} of seat {seat} at {code} is in lines {numbers}:{bodies}\n"
                    f"    sent {'; '.join(facts.sent[seat, id])}; acknowledged {facts.commands.get((seat, id))}; "
                    f"meanwhile {_of_house(kept, numbers)}",
                )
            if (seat, id) in facts.refused:
                why = facts.refused[seat, id]
                self._say(
                    "contradicted",
                    f"command {id} of seat {seat} at {code} was refused ({why}) and carried out: line {numbers[0]}",
                )
        for (seat, id), acknowledgements in facts.commands.items():
            for number, since, who in acknowledgements:
                if self.is_current(code, number, since) and number not in written.get((seat, id), []):
                    there = show(kept[number]) if number in kept else "no such line"
                    self._say(
                        "lost",
                        f"command {id} of seat {seat} at {code} was acknowledged to {who} with line {number}; "
                        f"there is {there}",
                    )

    def _audit_terms(self, code: str, kept: Mapping[int, str]) -> None:
        """Whoever has left a seat, was removed or has handed it on to another device does nothing there any more."""
        here: dict[int, set[str]] = defaultdict(set)
        gone: dict[tuple[int, str], str] = {}
        for number, body in sorted(kept.items()):
            line: dict[str, Any] = json.loads(body)
            if "command" in line:
                seat, client = line["by"], line["command"].rpartition("-")[0]
                here[seat].add(client)
                if (seat, client) in gone:
                    self._say(
                        "contradicted",
                        f"line {number} of {code} is a command of a client that had seat {seat} before "
                        f"{gone[seat, client]}: {show(body)}",
                    )
            if line["type"] == "house" and line["do"] in END_OF_TERM:
                seat = line["seat"]
                gone |= {(seat, client): f"line {number} ({line['do']})" for client in here.pop(seat, ())}

    # --- Notes ----------------------------------------------------------------------------------------------------

    def _say(self, kind: str, what: str) -> None:
        self.counts[kind] += 1
        self.wrong.append(f"{kind}: {what}")

    def _lost(self, what: str, told: Told) -> None:
        self._say("lost", f"{what}; {told.who} was told (generation {told.generation}): {show(told.text)}")

    def _contradicted(self, what: str, before: Told, after: Told) -> None:
        where = difference(before.text, after.text)
        self._say(
            "contradicted",
            f"{what}, at byte {where}\n    {before.who} (generation {before.generation}): {show(before.text, where)}"
            f"\n    {after.who} (generation {after.generation}): {show(after.text, where)}",
        )


def _of_house(kept: Mapping[int, str], numbers: list[int]) -> list[str]:
    """What happened at the table between these lines, except for the game and talk."""
    lines = ((number, json.loads(kept[number])) for number in sorted(kept) if numbers[0] < number < numbers[-1])
    return [f"{number} {one['do']} {one['seat']}" for number, one in lines if one["type"] == "house"]


def agree(before: bytes, now: bytes, exactly: bool) -> bool:
    """Can both be the same line? Only the entries of a step depend on who is told."""
    if exactly or not before.startswith(b'{"type":"step"'):
        return before == now
    return before.partition(b',"entries":')[0] == now.partition(b',"entries":')[0]


def difference(one: bytes, other: bytes) -> int:
    """Where two texts begin to differ."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def show(text: str | bytes, around: int = 0) -> str:
    """A text, or the part around a place in it."""
    whole = text.decode(errors="replace") if isinstance(text, bytes) else text
    first = max(0, around - MOST_SHOWN // 2)
    part = whole[first : first + MOST_SHOWN]
    return ("…" if first else "") + part + ("…" if first + MOST_SHOWN < len(whole) else "")
