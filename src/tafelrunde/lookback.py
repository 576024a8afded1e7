"""Data for the replay page: what every seat saw after each step, computed by the rules while they check the record.

A step is a decision with all its consequences, as at a live table. Views differ little from step to step, so only the
first ones are complete; after that there are diffs, which map paths in the view to new values:
``{"seats/2/points": 7}``.

>>> diff({"seats": [{"points": 0}, {"points": 4}], "round": 1}, {"seats": [{"points": 0}, {"points": 7}], "round": 2})
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
"""Limit for steps times viewers: more than the longest games of people need, and still computed in seconds."""

View = dict[str, Any]


def look_back(lines: Iterable[tuple[int, dict[str, Any]]]) -> ReplayData:
    """Prepare a record, given as numbered lines, for the replay page; raises BadRecord with the wrong line."""
    builder: ReplayBuilder | None = None
    read = 1
    try:
        for number, line in lines:
            read = number
            if builder is None:
                builder = ReplayBuilder(line)
            else:
                builder.add(line)
        if builder is None:
            raise BadRecord("The record is empty.")
        return builder.finish()
    except BadRecord as error:
        error.line = error.line or read
        raise


class ReplayBuilder:
    """Replays a record and collects the views of all seats after each step."""

    def __init__(self, header: dict[str, Any]) -> None:
        self._replay = Replay(header)
        self._header = header
        self._viewers: list[int | None] = [*range(self._replay.game.seats), None]  # None: a spectator
        self._first: list[View] = []
        self._last: list[View] = []
        self._steps: list[ReplayStep] = []
        self._rounds: list[ReplayRound] = []
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Replay the next entry."""
        if self._replay.settled and self._entries:
            self._finish_step()
        self._replay.feed(entry)
        self._entries.append(entry)

    def finish(self) -> ReplayData:
        """The result, after the last entry."""
        if self._replay.settled and self._entries:
            self._finish_step()  # otherwise the record ends within a step, whose result is unknown
        if not self._steps:
            raise BadRecord("The record ends before the game has begun.")
        return ReplayData(
            header=self._header,
            views=self._first,
            steps=self._steps,
            rounds=self._rounds,
            real_time=self._replay.game.spec.in_real_time,
            finished=self._replay.finished,
            proven=self._replay.proven,
        )

    def _finish_step(self) -> None:
        """Add a complete step, with the changes in every view."""
        if (len(self._steps) + 1) * len(self._viewers) > MOST_VIEWS:
            raise TooLarge("This game is too long to be looked back at here.")
        seen = [self._replay.game.spectate(viewer).to_json() for viewer in self._viewers]
        changes = [diff(before, after) for before, after in zip(self._last, seen, strict=bool(self._last))]
        self._note_round()
        self._steps.append(
            ReplayStep(number=None, at=None, entries=self._entries, hidden=[*self._hidden()], changes=changes)
        )
        self._first = self._first or seen
        self._last = seen
        self._entries = []

    def _note_round(self) -> None:
        numbers = [entry["number"] for entry in self._entries if entry["do"] == "round" and "number" in entry]
        if numbers and (not self._rounds or self._rounds[-1].number != numbers[-1]):
            scores = list(self._replay.game.scores)
            self._rounds.append(ReplayRound(number=numbers[-1], step=len(self._steps), scores=scores))

    def _hidden(self) -> Iterator[ReplayHidden]:
        for index, entry in enumerate(self._entries):
            owner, rest = self._replay.game.spec.owner_and_rest(entry)
            if rest is not entry:
                yield ReplayHidden(entry=index, seat=owner, seen=rest)


def diff(before: View, after: View) -> View:
    """What differs between two views: new values by path, which is keys and indexes joined by slashes.

    Where the length of a list has changed, the path ends with a slice: ``heap/3:5`` replaces items 3 and 4 by the given
    ones.
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
