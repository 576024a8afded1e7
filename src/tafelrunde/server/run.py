"""Running a server: opening the port, serving until a signal comes, and stopping in order."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import socket as sockets
import sys
from collections.abc import Callable

import uvicorn

from tafelrunde import bots
from tafelrunde.errors import Unavailable
from tafelrunde.game import new
from tafelrunde.games import GAMES
from tafelrunde.server.app import make_app
from tafelrunde.server.game_server import GameServer
from tafelrunde.server.http import http_protocol
from tafelrunde.server.logs import log, set_up_logs
from tafelrunde.server.settings import Settings
from tafelrunde.server.upgrade import socket_protocol
from tafelrunde.store import open_store
from tafelrunde.stream import Stream

BACKLOG = 2048
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(settings: Settings, ready: Callable[[str], None], until: Callable[[], bool] = lambda: False) -> bool:
    """Run a server until it gets a signal, or ``until`` returns True; ``ready`` gets its URL once it answers.

    Returns whether ``until`` has ended it.
    """
    import uvloop

    set_up_logs(settings.log_level)
    _warm_up()
    _freeze_garbage_collection()
    _switch_threads_quickly()
    _allow_many_connections()
    ended = uvloop.run(run(settings, ready, until))
    if not ended:
        _ignore_signals()
    return ended


def _warm_up() -> None:
    """Load everything compiled that a decision needs before the first player comes."""
    for name, spec in GAMES.items():
        game = new(name, seed=1)
        seen = game.observe_hand(0) if spec.in_real_time else game.observe(game.to_act[0])
        bots.find(name, spec.stand_in)(seen, Stream(1))
        game.act(game.to_act[0], game.legal(game.to_act[0])[0])


def _freeze_garbage_collection() -> None:
    """Exclude what is loaded now from garbage collection, which would stall the event loop."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 100)  # with 20,000 objects a collection took 50 ms


def _switch_threads_quickly() -> None:
    """Let other threads give way to the event loop after half a millisecond instead of five."""
    sys.setswitchinterval(0.0005)


def _allow_many_connections() -> None:
    """Raise the limit of open files, since each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def run(settings: Settings, ready: Callable[[str], None], until: Callable[[], bool]) -> bool:
    """Open the store, listen and serve; on SIGINT or SIGTERM shut down."""
    listening = listen(settings)
    game_server = GameServer(await asyncio.to_thread(open_store, settings.db), settings)
    config = uvicorn.Config(
        make_app(game_server),
        loop="none",
        http=http_protocol(settings.hello_s),
        ws=socket_protocol(game_server.for_connections),
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
    _stop_on_signals(server)
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    log.info("serving", extra={"url": url})
    ready(url)
    ended = False
    while not serving.done():
        await asyncio.wait([serving], timeout=0.5)
        if not server.should_exit and until():
            server.should_exit = ended = True
    await serving
    await game_server.close()
    log.info("stopped")
    return ended


def listen(settings: Settings) -> sockets.socket:
    """Open the port, or use the given file descriptor."""
    if settings.fd is not None:
        return sockets.socket(fileno=settings.fd)
    family = sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET
    listening = sockets.socket(family, sockets.SOCK_STREAM)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or "that is no address"
        raise Unavailable(f"Nobody can listen at {settings.host}, port {settings.port}: {reason}.") from None
    listening.set_inheritable(True)
    return listening


def _stop_on_signals(server: uvicorn.Server) -> None:
    """Shut down on SIGINT and SIGTERM, until the loop is closed: a second signal does not cut the first one short."""
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))


def _ignore_signals() -> None:
    """All is written and the process is about to end: a late signal must not turn that into a kill."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
