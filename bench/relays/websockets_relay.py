"""The same relay with the websockets library on uvloop.

python bench/relays/websockets_relay.py PORT
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed

tables: dict[str, set[ServerConnection]] = defaultdict(set)
numbers: dict[str, int] = defaultdict(int)


async def relay(socket: ServerConnection) -> None:
    """One connection."""
    assert socket.request is not None
    path = socket.request.path
    tables[path].add(socket)
    try:
        async for message in socket:
            command = json.loads(message)
            numbers[path] += 1
            seat = command["seat"]
            step = {"type": "step", "number": numbers[path], "at": int(time.time() * 1000), "id": command["id"]}
            broadcast(tables[path], json.dumps(step | {"entries": [{"by": seat, "do": "lay"}], "to_act": [seat]}))
    except ConnectionClosed:
        pass
    finally:
        tables[path].discard(socket)


async def main(port: int) -> None:
    """Relay until the end."""
    async with serve(relay, "127.0.0.1", port, compression=None):
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
