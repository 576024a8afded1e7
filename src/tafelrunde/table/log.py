"""The log of a table: numbered lines, each with a typed event.

What a client receives depends only on the line and on the seats that it holds. So a line that is sent again after a
reconnect has the same bytes as before, and everybody with the same view shares one encoding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic_core import from_json, to_json

from tafelrunde.games.contract import Entry, GameSpec
from tafelrunde.wire import HouseVerb

Held = frozenset[int]
"""Seats that a client holds."""
NOBODY: Held = frozenset()

Fields = dict[str, Any]


class Event:
    """Something that has happened. Most events look the same to everybody; a step of the game may not."""

    __slots__ = ()

    type: ClassVar[str]

    @property
    def owners(self) -> Held:
        """The seats that see more of it than others."""
        return NOBODY

    def fields(self) -> Fields:
        """All of it, as it is stored."""
        raise NotImplementedError

    def fields_for(self, held: Held) -> Fields:
        """What the holder of these seats may see."""
        return self.fields()


@dataclass(frozen=True, slots=True)
class House(Event):
    """Somebody sat down, left, changed the terms, started the game …"""

    type = "house"

    do: HouseVerb
    seat: int | None
    table: Mapping[str, Any]
    """The public view of the table afterwards, as JSON."""
    tokens: tuple[str | None, ...] | None = None
    """The hashes of the tokens that open the seats from now on. Only known for new lines; never stored or sent."""

    @property
    def closes_table(self) -> bool:
        """Has the host closed the table?"""
        return self.do == "close"

    @property
    def changes_client(self) -> bool:
        """Does another client have the seat now? Its command ids have nothing to do with earlier ones."""
        return self.do in ("sit", "take")

    def fields(self) -> Fields:
        """As stored, and as everybody sees it."""
        return {"do": self.do, "seat": self.seat, "table": self.table}


@dataclass(frozen=True, slots=True)
class Countdown(Event):
    """In real time: the round begins after this many milliseconds."""

    type = "countdown"

    seat: int
    ms: int

    def fields(self) -> Fields:
        """As stored, and as everybody sees it."""
        return {"seat": self.seat, "ms": self.ms}


@dataclass(frozen=True, slots=True)
class Chat(Event):
    """Somebody said something."""

    type = "say"

    seat: int
    text: str

    def fields(self) -> Fields:
        """As stored, and as everybody sees it."""
        return {"seat": self.seat, "text": self.text}


@dataclass(frozen=True, slots=True)
class Reaction(Event):
    """Somebody showed a reaction."""

    type = "react"

    seat: int
    sign: str

    def fields(self) -> Fields:
        """As stored, and as everybody sees it."""
        return {"seat": self.seat, "sign": self.sign}


class Step(Event):
    """A step of the game. Some of its entries may be secret.

    What others see is computed when the line is sent: most lines that a table is loaded from never are.
    """

    __slots__ = ("_owners", "_parts", "claim", "entries", "spec", "to_act")

    type = "step"

    def __init__(
        self,
        spec: GameSpec,
        entries: Sequence[Entry],
        to_act: Sequence[int],
        claim: Mapping[str, int] | None = None,
    ) -> None:
        self.spec = spec
        self.entries = entries
        self.to_act = to_act
        self.claim = claim
        """When a claim arrived and its lag credit, for the receipt. Stored, but not sent."""
        self._parts: list[tuple[int | None, Entry]] = []
        self._owners: Held | None = None

    @property
    def owners(self) -> Held:
        """The seats that see more of it than others."""
        if self._owners is None:
            self._parts = [self.spec.owner_and_rest(entry) for entry in self.entries]
            self._owners = frozenset([owner for owner, _ in self._parts if owner is not None])
        return self._owners

    def fields(self) -> Fields:
        """With all secrets."""
        return {"entries": self.entries, "to_act": self.to_act}

    def fields_for(self, held: Held) -> Fields:
        """Entries of these seats in full, of all others what is public."""
        owned = held & self.owners
        entries = [
            entry if owner is not None and owner in owned else public
            for entry, (owner, public) in zip(self.entries, self._parts, strict=True)
        ]
        return {"entries": entries, "to_act": self.to_act}


AnyEvent = Step | House | Countdown | Chat | Reaction


class LogLine:
    """One line of a table's log."""

    __slots__ = ("_encoded", "_stored", "at", "by", "command", "event", "number")

    def __init__(self, number: int, at: int, by: int | None, command: str | None, event: AnyEvent) -> None:
        self.number = number
        self.at = at
        """When, in milliseconds since 1970."""
        self.by = by
        """The seat whose command it was …"""
        self.command = command
        """… and the id of that command."""
        self.event = event
        self._encoded: dict[Held, bytes] = {}
        self._stored: str | None = None

    def message(self, held: Held) -> Fields:
        """What the holder of these seats is sent."""
        head = {"type": self.event.type, "number": self.number, "at": self.at}
        return head | self.event.fields_for(held)

    def encoded(self, held: Held) -> bytes:
        """The message as JSON, encoded once for all who see the same."""
        view = held & self.event.owners
        text = self._encoded.get(view)
        if text is None:
            text = self._encoded[view] = to_json(self.message(view))
        return text

    def answer(self, held: Held) -> bytes:
        """The message for the client whose command it was."""
        return to_json({"id": self.command} | self.message(held))

    def stored(self) -> str:
        """The line as the store keeps it, with all secrets."""
        if self._stored is None:
            fields = {"type": self.event.type, "number": self.number, "at": self.at} | self.event.fields()
            self._stored = to_json(self._cause() | fields).decode()
        return self._stored

    def _cause(self) -> Fields:
        """Where the line came from, for the store only."""
        cause: Fields = {}
        if self.by is not None:
            cause["by"] = self.by
            if self.command is not None:
                cause["command"] = self.command
        if isinstance(self.event, Step) and self.event.claim is not None:
            cause["claim"] = self.event.claim
        return cause


def read_line(number: int, stored: str, spec: GameSpec) -> LogLine:
    """A line from the store."""
    line: Fields = from_json(stored)
    return LogLine(number, line["at"], line.get("by"), line.get("command"), _event_in(line, spec))


def _event_in(line: Fields, spec: GameSpec) -> AnyEvent:
    match line["type"]:
        case "step":
            return Step(spec, line["entries"], line["to_act"], line.get("claim"))
        case "house":
            return House(line["do"], line["seat"], line["table"])
        case "countdown":
            return Countdown(line["seat"], line["ms"])
        case "say":
            return Chat(line["seat"], line["text"])
        case "react":
            return Reaction(line["seat"], line["sign"])
        case unknown:
            raise ValueError(f"A log has no lines of type {unknown!r}.")
