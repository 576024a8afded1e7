"""The HTTP API: getting to a table, and finished games."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from tafelrunde import bots, wire
from tafelrunde.errors import NoSuchTable, TafelrundeError
from tafelrunde.games import GAMES
from tafelrunde.games.contract import GameSpec
from tafelrunde.record import SUFFIX, to_line
from tafelrunde.server import api_docs, metrics
from tafelrunde.server.game_server import GameServer
from tafelrunde.server.logs import log
from tafelrunde.server.middleware import RECORDS_TO, HostCheck, RequestGuard
from tafelrunde.server.refusals import refusal, refusal_of, status_of
from tafelrunde.server.static import add_page, read_page
from tafelrunde.store import StoreError


def look_up(request: Request, code: Annotated[str, Path(description="The code of the table", max_length=40)]) -> str:
    """Count every look-up, whatever it finds, so that codes can not be guessed."""
    server: GameServer = request.app.state.server
    server.admission.draw(server.admission.lookups, _address(server, request))
    return code


Code = Annotated[str, Depends(look_up)]
Match = Annotated[int, Path(description="Which game at this table, from 1", ge=1, le=1_000_000)]
MOST_RECENT = 2**53 - 1
Before = Annotated[int, Query(description="Only games that ended before this, in milliseconds", ge=0, le=MOST_RECENT)]


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of an endpoint, for OpenAPI."""
    return {status: {"model": wire.Refusal, "description": "Refused"} for status in (*statuses, 413, 422, 429, 503)}


def replays(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same for endpoints that answer with a replay, which is encoded in a thread."""
    refused = {"model": wire.RecordRefusal, "description": "Refused"}
    return refusals(*statuses) | {200: {"model": wire.ReplayData}, 422: refused}


REFUSED = {
    "description": "Refused",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
}
"""The same for endpoints that do not answer with JSON otherwise."""


DECK_REFUSED: dict[int | str, dict[str, Any]] = {
    422: {"model": wire.DeckRefusal | wire.Refusal, "description": "Refused"}
}
"""For endpoints that take a deck."""


class RecordResponse(Response):
    """The text of a record: one JSON object per line."""

    media_type = "application/x-ndjson"


def make_app(server: GameServer) -> FastAPI:
    """The application of a server."""
    app = FastAPI(
        title="Tafelrunde",
        version=version("tafelrunde"),
        description="Getting to a table. What happens at it goes over its socket: see /api/socket.json and the docs.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        strict_content_type=True,
    )
    app.state.server = server
    app.add_middleware(HostCheck, check=lambda hosts: server.admission.hosts.check(hosts))
    app.add_middleware(RequestGuard)
    _handle_errors(app, server)
    _tables(app, server)
    _games(app, server)
    _house(app, server)
    add_page(app, read_page())
    return app


def _address(server: GameServer, request: Request) -> str:
    peer = request.client.host if request.client else "local"
    return server.admission.address(peer, request.headers.getlist("x-forwarded-for"))


def _tables(app: FastAPI, server: GameServer) -> None:
    @app.get("/api/games", tags=["lobby"])
    async def games() -> wire.Games:
        """What can be played here, with options and bots."""
        return wire.Games(games=[_info(spec) for spec in GAMES.values()])

    @app.get("/api/lobby", tags=["lobby"], responses=refusals())
    async def lobby() -> wire.Lobby:
        """Tables that wait for people, the latest first."""
        return await server.service.lobby()

    @app.post("/api/tables", tags=["tables"], status_code=201, responses=refusals(409) | DECK_REFUSED)
    async def create(wanted: wire.NewTable, request: Request) -> wire.Seated:
        """Set up a table and take a seat; keep the token."""
        server.admission.draw(server.admission.creates, _address(server, request))
        return await server.service.create(wanted)

    @app.get("/api/tables/{code}", tags=["tables"], responses=refusals(404))
    async def look(code: Code) -> wire.TableState:
        """A table as everybody may see it."""
        return await server.service.state(code)

    @app.post("/api/tables/{code}/seats", tags=["tables"], status_code=201, responses=refusals(404, 409, 410))
    async def sit(code: Code, wanted: wire.Sit, request: Request) -> wire.Seated:
        """Sit down at a table; keep the token."""
        server.admission.draw(server.admission.joins, _address(server, request))
        return await server.service.sit(code, wanted)

    @app.post("/api/tables/{code}/take", tags=["tables"], responses=refusals(403, 404, 410))
    async def take(code: Code, wanted: wire.Take, request: Request) -> wire.Seated:
        """Take a seat along to this device with a pass from the other one, whose token is good no more."""
        server.admission.draw(server.admission.joins, _address(server, request))
        return await server.service.take(code, wanted)


def _games(app: FastAPI, server: GameServer) -> None:
    @app.get("/api/tables/{code}/games", tags=["games"], responses=refusals(404))
    async def results(code: Code) -> wire.Results:
        """The games that were finished at this table."""
        return await server.service.results(code)

    @app.get(
        "/api/tables/{code}/games/{match}/record",
        tags=["games"],
        response_class=RecordResponse,
        responses=dict.fromkeys(refusals(404), REFUSED),
    )
    async def record(code: Code, match: Match) -> Response:
        """The record of a finished game, to keep, replay and check."""
        header, steps = await server.service.finished(code, match)
        lines = [header, *(entry for step in steps for entry in step["entries"])]
        name = f"{header['game']}-{code}-{match}{SUFFIX}"
        safe = "".join(sign for sign in name if sign.isascii() and (sign.isalnum() or sign in "-."))
        return RecordResponse(
            "".join(to_line(line) + "\n" for line in lines),
            headers={"Content-Disposition": f'attachment; filename="{safe}"'},
        )

    @app.get("/api/tables/{code}/games/{match}/replay", tags=["games"], responses=replays(404))
    async def replay(code: Code, match: Match, request: Request) -> Response:
        """A finished game step by step, with what every seat saw and the times at which things happened."""
        address = _address(server, request)
        server.admission.draw(server.admission.replays, address)
        return Response(await server.service.replay(code, match, address), media_type="application/json")

    @app.post(RECORDS_TO, tags=["games"], responses=replays())
    async def replay_record(sent: wire.RecordText, request: Request) -> Response:
        """A record, checked by the rules, step by step and with what every seat saw."""
        address = _address(server, request)
        server.admission.draw(server.admission.replays, address)
        return Response(await server.service.replay_record(sent.record, address), media_type="application/json")

    @app.get("/api/games/recent", tags=["games"], responses=refusals())
    async def recent(before: Before = MOST_RECENT) -> wire.RecentGames:
        """Finished games of public tables, the latest first."""
        return await server.service.recent(before)

    @app.get("/api/tables/{code}/games/{match}/receipts", tags=["games"], responses=refusals(404))
    async def receipts(code: Code, match: Match) -> wire.Receipts:
        """In real time: who reached for the same card, when, and who got it."""
        return await server.service.receipts(code, match)


def _house(app: FastAPI, server: GameServer) -> None:
    @app.get("/healthz", tags=["house"])
    async def health() -> wire.Health:
        """Is the server well?"""
        return wire.Health(version=app.version)

    @app.get("/readyz", tags=["house"], responses=refusals())
    async def ready() -> wire.Health:
        """Can people play? Also asks the database."""
        await server.service.check_ready()
        return wire.Health(version=app.version)

    @app.get("/metrics", include_in_schema=False)
    async def numbers() -> Response:
        return Response(metrics.numbers(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/api/socket.json", include_in_schema=False)
    async def socket_schema() -> JSONResponse:
        return JSONResponse(wire.schema())

    @app.get("/api", include_in_schema=False)
    async def api_page() -> HTMLResponse:
        return HTMLResponse(api_docs.api_page(app.openapi()))

    @app.get("/api/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(api_docs.STYLE, media_type="text/css")


def _info(spec: GameSpec) -> wire.GameInfo:
    return wire.GameInfo(
        id=spec.id,
        title=spec.title,
        credit=spec.credit,
        rules=spec.rules.VERSION,
        least_seats=min(spec.seat_range),
        most_seats=max(spec.seat_range),
        real_time=spec.in_real_time,
        options=[wire.OptionInfo(**vars(option)) for option in spec.options],
        bots=list(bots.names(spec.id)),
        deck=None if spec.decks is None else spec.decks.standard.name,
        secrets={verb: sorted(secret.fields) for verb, secret in spec.secrets.items()},
    )


def _handle_errors(app: FastAPI, server: GameServer) -> None:
    def refuse(status: int, body: dict[str, Any]) -> JSONResponse:
        return JSONResponse(body, status_code=status)

    @app.exception_handler(TafelrundeError)
    async def refused(request: Request, error: TafelrundeError) -> JSONResponse:
        if isinstance(error, NoSuchTable):
            server.admission.charge_wrong_code(_address(server, request))
        elif isinstance(error, StoreError):
            log.error("the store does not answer", extra={"reason": str(error)})
        return refuse(status_of(error), refusal_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        return refuse(422, refusal("bad-message", f"{where}: {first['msg']}." if where else f"{first['msg']}."))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        status = 422 if error.status_code == 400 else error.status_code  # a body that is not JSON at all
        code = {404: "not-found", 405: "method-not-allowed", 422: "bad-message"}.get(status, "bad-request")
        answer = refuse(status, refusal(code, f"{error.detail}."))
        answer.headers.update(error.headers or {})
        return answer
