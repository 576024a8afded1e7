"""The server: tables over HTTP and WebSocket, on one port."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket as sockets
from collections.abc import Callable, Iterator

import uvicorn

from tafelrunde.games import GAMES
from tafelrunde.server.app import make_app
from tafelrunde.server.hall import Hall
from tafelrunde.server.logs import log, set_up_logs
from tafelrunde.server.settings import Settings
from tafelrunde.server.socket import socket_protocol
from tafelrunde.store import open_store

__all__ = ["Settings", "serve"]

BACKLOG = 2048


def serve(settings: Settings, ready: Callable[[str], None] = lambda url: None) -> None:
    """Run a server until it is told to stop; ``ready`` is told its address once it answers."""
    import uvloop

    set_up_logs(settings.log_level)
    for spec in GAMES.values():
        _ = spec.calls  # compiled, or read from the cache, before the first player comes
    uvloop.run(run(settings, ready))


async def run(settings: Settings, ready: Callable[[str], None]) -> None:
    """Open the store, listen, serve; on SIGINT or SIGTERM tell the clients, write what waits, and end."""
    listening = _listen(settings)
    hall = Hall(await asyncio.to_thread(open_store, settings.db), settings)
    config = uvicorn.Config(
        make_app(hall),
        loop="none",
        http="httptools",
        ws=socket_protocol(hall),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        proxy_headers=False,
        backlog=BACKLOG,
    )
    server = uvicorn.Server(config)
    host, port = listening.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    serving = asyncio.create_task(server._serve([listening]))
    with _stopping(server):
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        log.info("serving", extra={"url": url})
        ready(url)
        await serving
    await hall.close()
    log.info("stopped")


def _listen(settings: Settings) -> sockets.socket:
    family = sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET
    listening = sockets.socket(family, sockets.SOCK_STREAM)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    listening.set_inheritable(True)
    return listening


@contextlib.contextmanager
def _stopping(server: uvicorn.Server) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
