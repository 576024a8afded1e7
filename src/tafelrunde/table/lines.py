"""Lines of a table's log: how they are kept, and how each receiver sees them.

What a receiver gets is a function of the line and of the seats that it holds, nothing else. So a line that is sent
again after a break is byte for byte the one that was sent before, and all who see the same get the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tafelrunde.games.contract import Entry, GameSpec
from tafelrunde.wire import Told

Held = frozenset[int]
NOBODY: Held = frozenset()

dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Line:
    """A line that all see alike: something of the house, or something that was said."""

    __slots__ = ("at", "by", "id", "number", "text", "type")

    def __init__(self, number: int, at: int, by: int | None, id: str | None, type: str, text: str) -> None:
        self.number = number
        self.at = at
        self.by = by
        """The seat whose command it was, with the id of the command."""
        self.id = id
        self.type = type
        self.text = text
        """What follows the first keys of the message."""

    @classmethod
    def of(cls, message: Told, by: int | None, id: str | None) -> Line:
        """A line for a message that carries its number and time."""
        fields = message.model_dump(mode="json", exclude={"number", "at", "id", "type"})
        number, at, type = message.number, message.at, message.type  # type: ignore[attr-defined]
        return cls(number, at, by, id, type, dumps(fields)[1:])

    @property
    def body(self) -> str:
        """The line as it is kept."""
        return "{" + self._cause() + self._head() + self.text

    def _cause(self) -> str:
        return (
            "" if self.by is None else f'"by":{self.by},' + ("" if self.id is None else f'"command":{dumps(self.id)},')
        )

    def _head(self) -> str:
        return f'"type":"{self.type}","number":{self.number},"at":{self.at},'

    def seen(self, held: Held) -> bytes:
        """The message for whoever holds these seats."""
        return ("{" + self._head() + self.text).encode()

    def answer(self, held: Held) -> bytes:
        """The message for the one whose command it was."""
        return b'{"id":' + dumps(self.id).encode() + b"," + self.seen(held)[1:]


class StepLine(Line):
    """A step of the game: its entries are not for everybody."""

    __slots__ = ("_seen", "claim", "entries", "owners", "parts", "to_act")

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
        self.to_act = to_act
        self.claim = claim
        """When a claim arrived and how long its line takes, for the receipt."""
        self.parts = [_parts(spec, entry) for entry in entries]
        self.owners = {owner for _, hidden, owner in self.parts if hidden is not None and owner is not None}
        self._seen: dict[Held, bytes] = {}
        super().__init__(number, at, by, id, "step", self._text([full for full, _, _ in self.parts]))

    def _text(self, entries: Sequence[str]) -> str:
        return f'"entries":[{",".join(entries)}],"to_act":{dumps(self.to_act)}' + "}"

    def _cause(self) -> str:
        return super()._cause() + ("" if self.claim is None else f'"claim":{dumps(self.claim)},')

    def seen(self, held: Held) -> bytes:
        """Put together once for all who see the same of it."""
        sees = held & self.owners
        try:
            return self._seen[sees]
        except KeyError:
            entries = [full if hidden is None or owner in sees else hidden for full, hidden, owner in self.parts]
            text = self._seen[sees] = ("{" + self._head() + self._text(entries)).encode()
            return text


def _parts(spec: GameSpec, entry: Entry) -> tuple[str, str | None, int | None]:
    """An entry in full, as others see it (None: just so), and the seat that sees it in full (None: nobody)."""
    owner, hidden = spec.owner_and_rest(entry)
    return dumps(entry), None if hidden is entry else dumps(hidden), owner


def read_line(number: int, body: str, spec: GameSpec) -> Line:
    """A line that was kept."""
    kept: dict[str, Any] = json.loads(body)
    by, command = kept.pop("by", None), kept.pop("command", None)
    if kept["type"] == "step":
        entries, to_act = kept["entries"], kept["to_act"]
        return StepLine(number, kept["at"], by, command, spec, entries, to_act, kept.get("claim"))
    type, at = kept.pop("type"), kept.pop("at")
    del kept["number"]
    return Line(number, at, by, command, type, dumps(kept)[1:])
