"""A table at which everything is known beforehand, written down moment by moment as the learner sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tafelrunde import Decision, Game

LEARNER = 0
"""The seat of whoever learns."""

Json = dict[str, Any]


class Seen:
    """A game through the learner's eyes: what is new since the last look."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.view = self._look()
        self._told = len(game.seen_by(LEARNER))

    def _look(self) -> Json:
        return self.game.observe(LEARNER).to_json()

    def news(self) -> Json:
        """What has happened, and what of the view is not as before."""
        view = self._look()
        entries = self.game.seen_by(LEARNER)
        changed = {key: value for key, value in view.items() if self.view[key] != value}
        news = {"entries": entries[self._told :], "view": changed}
        self.view, self._told = view, len(entries)
        return news

    def listed(self, decision: Decision) -> Json:
        """A decision as it stands in the learner's view; what is not legal there can not be asked for."""
        notation = self.game.spec.notation
        wanted = Decision.coded(decision.code(notation), notation).to_json()
        return next(one for one in self.view["legal"] if one == wanted)


class Lesson:
    """A guided first round: something is said at each moment, and at some the learner has to do something."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._seen = Seen(game)
        self._first = self._seen.view
        self._moments: list[Json] = []

    def say(self, what: str, at: str | None = None) -> None:
        """Only told; ``at`` is what it speaks of."""
        self._moments.append({"say": what} | ({"at": at} if at else {}))

    def ask(
        self,
        what: str,
        at: str,
        decision: Decision,
        alike: bool = False,
        before: Sequence[tuple[int, Decision]] = (),
    ) -> None:
        """The learner has to take this decision.

        ``alike``: what is as good will do as well; ``before``: what others do while the learner reaches out.
        """
        moment = {"say": what, "at": at, "want": self._seen.listed(decision)}
        self._moments.append(moment | ({"alike": True} if alike else {}))
        for seat, one in (*before, (LEARNER, decision)):
            self.follow(seat, one)

    def follow(self, seat: int, decision: Decision) -> None:
        """What somebody does then, before anything else is said."""
        self.game.act(seat, decision)

    def look(self) -> None:
        """All that has happened belongs to the moment that was asked or told last."""
        self._moments[-1] |= self._seen.news()

    def to_json(self) -> Json:
        """The whole lesson, as the page reads it."""
        return {"game": self.game.spec.id, "names": list(self.game.names), "first": self._first,
                "moments": self._moments}  # fmt: skip


class Fork:
    """A moment at which something can be tried: each choice with what comes of it, and what can be tried then."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._choices: list[tuple[Json, Fork]] = []
        self._verdict: Json = {}

    def choice(
        self,
        decision: Decision,
        *then: tuple[int, Decision],
        before: Sequence[tuple[int, Decision]] = (),
        alike: bool = False,
    ) -> Fork:
        """The learner may do this; the others do that before it arrives, or answer it.

        ``alike``: what is as good will do as well: a place that looks the same, another order.
        """
        game = self.game.copy()
        seen = Seen(game)
        choice = {"want": seen.listed(decision)} | ({"alike": True} if alike else {})
        for seat, one in (*before, (LEARNER, decision), *then):
            game.act(seat, one)
        fork = Fork(game)
        self._choices.append((choice | seen.news(), fork))
        return fork

    def say(self, what: str, rule: str) -> Fork:
        """What is to be said of how it has come to this, and the rule behind it."""
        self._verdict = {"say": what, "rule": rule}
        return self

    def branches(self) -> list[Json]:
        """All choices; where nothing more can be tried, nothing more is offered."""
        return [
            choice
            | fork._verdict
            | ({"choices": fork.branches()} if fork._choices else {"view": closed(choice["view"])})
            for choice, fork in self._choices
        ]


def closed(view: Json) -> Json:
    """The example ends here, though the game would go on."""
    return view | {"legal": []}


class Position(Fork):
    """An example of a rulebook as a moment of a game; if there are several, ``variant`` is the text to tell them by."""

    def __init__(
        self, example: int, game: Game, names: Sequence[str] | None = None, variant: str | None = None
    ) -> None:
        super().__init__(game)
        self.example = example
        self._names = names or game.names
        self._variant = variant
        self._first = game.observe(LEARNER).to_json()

    def to_json(self) -> Json:
        """The position, as the page reads it."""
        variant = {"variant": self._variant} if self._variant else {}
        return variant | {"game": self.game.spec.id, "names": list(self._names), "first": self._first,
                          "choices": self.branches()}  # fmt: skip
