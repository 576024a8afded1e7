"""What tables and connections know of each other."""

from __future__ import annotations

from typing import Any, Protocol

from tafelrunde.errors import TafelrundeError
from tafelrunde.table import Table
from tafelrunde.table.log import Held


class FollowedTable(Protocol):
    """A live table, as a connection sees it."""

    @property
    def in_real_time(self) -> bool:
        """Do milliseconds matter here?"""

    def command(self, origin: Peer, command: Any) -> None:
        """Carry out a command of a client."""

    def depart(self, peer: Peer) -> None:
        """A client has disconnected."""


class Peer(Protocol):
    """The client at the other end of a connection, as a table sees it."""

    address: str
    held: Held
    """The seats that the client holds …"""
    keys: dict[int, str]
    """… and the token hashes with which it opened them."""
    wants_views: bool
    """Does the client get views with the steps that make them necessary …"""
    wants_raw: bool
    """… and with each of these the flat record?"""
    rtt_ms: float | None
    """The measured round trip time."""
    closed: bool

    def send(self, message: bytes) -> None:
        """Send a message if the connection is open."""

    def refuse(self, error: TafelrundeError, id: str | None) -> None:
        """Refuse the command of this id."""

    def close_with(self, code: str, sentence: str, reconnect: bool = False) -> None:
        """Send the reason, then close the connection."""

    def follow(self, table: FollowedTable) -> None:
        """The client has been welcomed: from now on its commands go to this table."""


def held_at(table: Table, peer: Peer) -> Held:
    """The seats that a client holds at this table, which may be ahead of what the client has been sent."""
    tokens = table.head.private.tokens
    lost = [seat for seat in peer.held if tokens[seat] != peer.keys[seat]]
    return peer.held.difference(lost) if lost else peer.held
