"""The same relay with Starlette on uvicorn, as many servers are built.

python bench/relays/starlette_relay.py PORT
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

tables: dict[str, list[WebSocket]] = defaultdict(list)
numbers: dict[str, int] = defaultdict(int)


async def relay(socket: WebSocket) -> None:
    """One connection."""
    await socket.accept()
    path = socket.url.path
    tables[path].append(socket)
    try:
        while True:
            command = json.loads(await socket.receive_text())
            numbers[path] += 1
            seat = command["seat"]
            step = {"type": "step", "number": numbers[path], "at": int(time.time() * 1000), "id": command["id"]}
            text = json.dumps(step | {"entries": [{"by": seat, "do": "lay"}], "to_act": [seat]})
            for guest in tables[path]:
                await guest.send_text(text)
    except WebSocketDisconnect:
        tables[path].remove(socket)


if __name__ == "__main__":
    app = Starlette(routes=[WebSocketRoute("/{table:path}", relay)])
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), loop="uvloop", log_level="error", access_log=False)
