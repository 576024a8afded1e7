"""The reference: a bare relay with picows on uvloop. It knows no game, keeps nothing and trusts everybody.

    python bench/relays/picows_relay.py PORT

All who are connected under one path sit at one table: what one of them sends is read, numbered and told to all.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server


class Table:
    """Who is there, and how much was said."""

    def __init__(self) -> None:
        self.guests: list[WSTransport] = []
        self.number = 0

    def answer(self, text: bytes) -> bytes:
        """What is told to all."""
        command = json.loads(text)
        self.number += 1
        seat = command["seat"]
        step = {"type": "step", "number": self.number, "at": int(time.time() * 1000), "id": command["id"]}
        return json.dumps(step | {"entries": [{"by": seat, "do": "lay"}], "to_act": [seat]}).encode()


class Guest(WSListener):
    """One connection."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Sit down."""
        self.table.guests.append(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Tell all."""
        if frame.msg_type == WSMsgType.TEXT:
            text = self.table.answer(frame.get_payload_as_bytes())
            for guest in self.table.guests:
                guest.send(WSMsgType.TEXT, text)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Get up."""
        self.table.guests.remove(transport)


async def serve(port: int) -> None:
    """Relay until the end."""
    tables: dict[bytes, Table] = defaultdict(Table)

    def seat(request: WSUpgradeRequest) -> Guest:
        return Guest(tables[request.path])

    server = await ws_create_server(seat, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
