"""Looking back at a game: what every seat saw after each step, worked out anew by the rules as they check the record.

A step is a decision with all that followed, as at a live table. Views differ little from step to step, so only the
first ones are whole; after that there are changes, each under its path in the view: ``{"seats/2/points": 7}``.

>>> change({"seats": [{"points": 0}, {"points": 4}], "round": 1}, {"seats": [{"points": 0}, {"points": 7}], "round": 2})
{'seats/1/points': 7, 'round': 2}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tafelrunde.errors import BadRecord, TooLarge
from tafelrunde.games.contract import Entry
from tafelrunde.verification import Replay
from tafelrunde.wire import ReplayData, ReplayHidden, ReplayRound, ReplayStep

MOST_VIEWS = 40_000
"""Steps times seats: more than in the longest games that people play, and still a matter of seconds."""

View = dict[str, Any]


def look_back(lines: Iterable[tuple[int, dict[str, Any]]]) -> ReplayData:
    """A record, given as its lines with their numbers, to be looked at step by step; raises BadRecord with the line."""
    album: Album | None = None
    read = 1
    try:
        for number, line in lines:
            read = number
            if album is None:
                album = Album(line)
            else:
                album.add(line)
        if album is None:
            raise BadRecord("The record is empty.")
        return album.close()
    except BadRecord as error:
        error.line = error.line or read
        raise


class Album:
    """A record being read, with a picture for every seat after each step."""

    def __init__(self, header: dict[str, Any]) -> None:
        self._run = Replay(header)
        self._header = header
        self._eyes: list[int | None] = [*range(self._run.game.seats), None]
        self._first: list[View] = []
        self._last: list[View] = []
        self._steps: list[ReplayStep] = []
        self._rounds: list[ReplayRound] = []
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Read the next entry."""
        if self._run.settled and self._entries:
            self._turn_over()
        self._run.feed(entry)
        self._entries.append(entry)

    def close(self) -> ReplayData:
        """There are no more entries."""
        if self._run.settled and self._entries:
            self._turn_over()  # else the record stops amid a step, and how that ends is not known
        if not self._steps:
            raise BadRecord("The record ends before the game has begun.")
        return ReplayData(
            header=self._header,
            views=self._first,
            steps=self._steps,
            rounds=self._rounds,
            real_time=self._run.game.spec.in_real_time,
            finished=self._run.finished,
            proven=self._run.proven,
        )

    def _turn_over(self) -> None:
        """A step is complete: what everybody sees now."""
        if (len(self._steps) + 1) * len(self._eyes) > MOST_VIEWS:
            raise TooLarge("This game is too long to be looked back at here.")
        seen = [self._run.game.look_at(eye).to_json() for eye in self._eyes]
        changes = [change(before, after) for before, after in zip(self._last, seen, strict=bool(self._last))]
        self._note_round()
        self._steps.append(
            ReplayStep(number=None, at=None, entries=self._entries, hidden=[*self._hidden()], changes=changes)
        )
        self._first = self._first or seen
        self._last = seen
        self._entries = []

    def _note_round(self) -> None:
        numbers = [entry["number"] for entry in self._entries if entry["do"] == "round"]
        if numbers and (not self._rounds or self._rounds[-1].number != numbers[-1]):
            scores = list(self._run.game.scores)
            self._rounds.append(ReplayRound(number=numbers[-1], step=len(self._steps), scores=scores))

    def _hidden(self) -> Iterator[ReplayHidden]:
        for index, entry in enumerate(self._entries):
            owner, rest = self._run.game.spec.owner_and_rest(entry)
            if rest is not entry:
                yield ReplayHidden(entry=index, seat=owner, seen=rest)


def change(before: View, after: View) -> View:
    """What is different, each under its path: keys and indexes in a row.

    Of a list that has got longer or shorter, ``heap/3:5`` are the items from 3 up to but not including 5: they give way
    to those that are listed.
    """
    changes: View = {}
    for key, value in after.items():
        _compare(before[key], value, key, changes)
    return changes


def _compare(before: Any, after: Any, path: str, changes: View) -> None:
    if before == after and type(before) is type(after):
        return
    if isinstance(after, dict) and isinstance(before, dict) and before.keys() == after.keys():
        for key, value in after.items():
            _compare(before[key], value, f"{path}/{key}", changes)
    elif isinstance(after, list) and isinstance(before, list):
        _compare_lists(before, after, path, changes)
    else:
        changes[path] = after


def _compare_lists(before: list[Any], after: list[Any], path: str, changes: View) -> None:
    if len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            _compare(one, other, f"{path}/{index}", changes)
        return
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = next((i for i in range(shorter - first) if before[-1 - i] != after[-1 - i]), shorter - first)
    changes[f"{path}/{first}:{len(before) - rest}"] = after[first : len(after) - rest]
