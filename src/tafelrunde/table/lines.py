"""Lines of a table's log: how they are kept, and how each receiver sees them.

What a receiver gets is a function of the line and of the seats that it holds, nothing else. So a line that is sent
again after a break is byte for byte the one that was sent before, and all who see the same get the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any

from pydantic_core import from_json, to_json

from tafelrunde.games.contract import Entry, GameSpec
from tafelrunde.wire import Outgoing

Held = frozenset[int]
NOBODY: Held = frozenset()
CLOSE = "close"


class Line:
    """A line that all see alike: something of the house, or something that was said."""

    __slots__ = ("_body", "_head", "_rest", "at", "by", "closes", "id", "number", "tokens", "type")

    def __init__(self, number: int, at: int, by: int | None, id: str | None, type: str, rest: bytes) -> None:
        self.number = number
        self.at = at
        self.by = by
        """The seat whose command it was, with the id of the command."""
        self.id = id
        self.type = type
        self._body: str | None = None
        self._head = b'"type":"%b","number":%d,"at":%d,' % (type.encode(), number, at)
        self._rest = rest
        self.tokens: tuple[str | None, ...] | None = None
        """After something of the house: which tokens open the seats from now on; it is not kept."""
        self.closes = False
        """Is the table closed with this line?"""

    @classmethod
    def of(cls, message: Outgoing, by: int | None, id: str | None) -> Line:
        """A line for a message that carries its number and time."""
        number, at, type = message.number, message.at, message.type  # type: ignore[attr-defined]
        line = cls(number, at, by, id, type, to_json(message, exclude={"number", "at", "id", "type"})[1:])
        line.closes = getattr(message, "do", None) == CLOSE
        return line

    @property
    def rest(self) -> bytes:
        """The message after its first keys, in full."""
        return self._rest

    @property
    def owners(self) -> Held:
        """The seats that see more of it than others."""
        return NOBODY

    @property
    def body(self) -> str:
        """The line as it is kept."""
        if self._body is None:
            self._body = "{" + self._cause() + (self._head + self.rest).decode()
        return self._body

    def _cause(self) -> str:
        by = "" if self.by is None else f'"by":{self.by},'
        return by if self.by is None or self.id is None else f'{by}"command":{to_json(self.id).decode()},'

    def seen(self, held: Held) -> bytes:
        """The message for whoever holds these seats."""
        return b"{" + self._head + self.rest

    def answer(self, held: Held) -> bytes:
        """The message for the one whose command it was."""
        return b'{"id":%b,%b' % (to_json(self.id), self.seen(held)[1:])


class StepLine(Line):
    """A step of the game: its entries are not for everybody.

    What it looks like is worked out when it is told: most lines that a table is loaded from never are.
    """

    __slots__ = ("_owners", "_parts", "_seen", "_spec", "_to_act", "claim", "entries")

    def __init__(
        self,
        number: int,
        at: int,
        by: int | None,
        id: str | None,
        spec: GameSpec,
        entries: Sequence[Entry],
        to_act: Sequence[int],
        claim: Mapping[str, int] | None = None,
    ) -> None:
        self.entries = entries
        self.claim = claim
        """When a claim arrived and how long its line takes, for the receipt."""
        self._spec = spec
        self._to_act = to_act
        self._parts: list[tuple[int | None, Entry]] = []
        self._owners: Held | None = None
        super().__init__(number, at, by, id, "step", b"")
        self._seen: dict[Held, bytes] = {}

    @property
    def rest(self) -> bytes:
        """The message after its first keys, in full."""
        if not self._rest:
            self._rest = self._with(self.entries)
        return self._rest

    @property
    def owners(self) -> Held:
        """The seats that see more of it than others."""
        if self._owners is None:
            self._parts = [self._spec.owner_and_rest(entry) for entry in self.entries]
            self._owners = frozenset([owner for owner, _ in self._parts if owner is not None])
        return self._owners

    def _with(self, entries: Sequence[Entry]) -> bytes:
        return b'"entries":%b,"to_act":%b}' % (to_json(entries), to_json(self._to_act))

    def _cause(self) -> str:
        if self.claim is None:
            return super()._cause()
        return f'{super()._cause()}"claim":{to_json(self.claim).decode()},'

    def seen(self, held: Held) -> bytes:
        """Put together once for all who see the same of it."""
        sees = held & self.owners
        text = self._seen.get(sees)
        if text is None:
            entries = [
                entry if owner is not None and owner in sees else rest
                for entry, (owner, rest) in zip(self.entries, self._parts, strict=True)
            ]
            whole = all(map(is_, entries, self.entries))
            rest = self.rest if whole else self._with(entries)
            text = self._seen[sees] = b"{" + self._head + rest
        return text


def read_line(number: int, body: str, spec: GameSpec) -> Line:
    """A line that was kept."""
    kept: dict[str, Any] = from_json(body)
    by, command = kept.pop("by", None), kept.pop("command", None)
    if kept["type"] == "step":
        entries, to_act = kept["entries"], kept["to_act"]
        return StepLine(number, kept["at"], by, command, spec, entries, to_act, kept.get("claim"))
    type, at = kept.pop("type"), kept.pop("at")
    del kept["number"]
    line = Line(number, at, by, command, type, to_json(kept)[1:])
    line.closes = kept.get("do") == CLOSE
    return line
