"""The views that clients get with the steps that make them necessary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import to_json

from tafelrunde.games.contract import Observation
from tafelrunde.server.peer import Peer, held_at
from tafelrunde.table import LogLine, Table
from tafelrunde.table.log import Chat, Held, Reaction, Step
from tafelrunde.table.views import Viewer, view_of, viewers


class FreshViews:
    """What some viewers see after a line, encoded once for all who hold the same seat.

    That is done together with the step, whose errors are caught: a game of another package can fail to say what it
    shows, and when lines are sent that would hit other tables too.
    """

    __slots__ = ("_encoded", "_number")

    def __init__(self, number: int, seen: dict[Viewer, Observation], peers: dict[Peer, Held]) -> None:
        self._number = number
        wanted = {(viewer, peer.wants_raw) for peer, held in peers.items() for viewer in viewers(held)}
        self._encoded = {(viewer, raw): to_json(view_of(seen[viewer], raw)) for viewer, raw in wanted if viewer in seen}

    def send_to(self, peer: Peer) -> None:
        """Send a client those views that are its own, if it has asked for views."""
        if peer.wants_views:
            own = ((viewer, peer.wants_raw) for viewer in viewers(peer.held))
            theirs = [self._encoded[key] for key in own if key in self._encoded]
            if theirs:
                peer.send(b'{"type":"views","number":%d,"views":[%b]}' % (self._number, b",".join(theirs)))


class ViewTracker:
    """Finds out after which lines somebody needs a fresh view; costs nothing while nobody has asked for views.

    It looks at the table in memory, which is ahead of the disk: what it finds is sent when the lines are.
    """

    __slots__ = ("_followers", "_freshness")

    def __init__(self) -> None:
        self._followers: set[Peer] = set()
        """Clients that get views, also those who are just being welcomed."""
        self._freshness: dict[Viewer, Any] = {}
        """For each of their viewers: ``Game.freshness`` as of now."""

    def follow(self, peer: Peer, table: Table) -> None:
        """A client is told everything as it is now; from here on it needs what changes."""
        self._drop_closed()
        self._followers.add(peer)
        if table.game is not None:
            self._freshness |= {viewer: table.game.freshness(viewer) for viewer in viewers(peer.held)}

    def forget(self) -> None:
        """What was found before may never have been sent: from now on everybody needs a fresh view."""
        self._freshness = {}

    def after(self, lines: Sequence[LogLine], table: Table) -> FreshViews | None:
        """The views that are needed after these lines, the last ones of the table."""
        talk = all(isinstance(line.event, Chat | Reaction) for line in lines)
        if not self._followers or (talk and self._freshness):
            return None
        self._drop_closed()
        before, self._freshness = self._freshness, {}
        if table.game is None:
            return None
        held = {peer: held_at(table, peer) for peer in self._followers}
        needed: set[Viewer] = {line.by for line in lines if isinstance(line.event, Step) and line.by is not None}
        if any(peer.held and not seats for peer, seats in held.items()):
            needed.add(None)  # whoever has just lost the last seat watches from now on
        seen: dict[Viewer, Observation] = {}
        for viewer in {viewer for seats in held.values() for viewer in viewers(seats)}:
            self._freshness[viewer] = table.game.freshness(viewer)
            if viewer in needed or before.get(viewer) != self._freshness[viewer]:
                seen[viewer] = table.game.observe(viewer)
        return FreshViews(table.number, seen, held) if seen else None

    def _drop_closed(self) -> None:
        self._followers = {peer for peer in self._followers if not peer.closed}
