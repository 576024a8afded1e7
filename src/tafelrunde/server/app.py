"""The HTTP side: getting to a table, and what is left of a game afterwards."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from tafelrunde import bots, wire
from tafelrunde.errors import BadDeck, NoSuchTable, TafelrundeError
from tafelrunde.games import GAMES
from tafelrunde.games.contract import GameSpec
from tafelrunde.record import SUFFIX, to_line
from tafelrunde.server import metrics, pages
from tafelrunde.server.claims import receipts_of
from tafelrunde.server.guard import RECORDS_TO, Guard
from tafelrunde.server.hall import Hall
from tafelrunde.server.hosts import HostCheck
from tafelrunde.server.logs import log
from tafelrunde.server.page import add_page, read_page
from tafelrunde.store import StoreError


def look_up(request: Request, code: Annotated[str, Path(description="The code of the table", max_length=40)]) -> str:
    """Every look-up counts, whatever it finds: otherwise codes could be tried one after the other."""
    hall: Hall = request.app.state.hall
    hall.look_up(_address(hall, request))
    return code


Code = Annotated[str, Depends(look_up)]
Match = Annotated[int, Path(description="Which game at this table, from 1", ge=1, le=1_000_000)]
MOST_RECENT = 2**53 - 1
Before = Annotated[int, Query(description="Only games that ended before this, in milliseconds", ge=0, le=MOST_RECENT)]

STATUS = {
    "no-such-table": 404, "no-such-match": 404, "table-closed": 410, "unknown-game": 422, "seat-taken": 409,
    "wrong-phase": 409, "bad-token": 403, "wrong-host": 421, "too-fast": 429, "too-large": 413, "unavailable": 503,
    "store-error": 503,
}  # fmt: skip
"""HTTP's word for our codes; all others are 422, something is wrong with what was sent."""


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How an endpoint may refuse, for its description."""
    return {status: {"model": wire.Refusal, "description": "Refused"} for status in (*statuses, 413, 422, 429, 503)}


def replays(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The same for an endpoint whose answer is a replay: it is long, and was put into JSON off the event loop."""
    refused = {"model": wire.RecordRefusal, "description": "Refused"}
    return refusals(*statuses) | {200: {"model": wire.ReplayData}, 422: refused}


REFUSED = {
    "description": "Refused",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
}
"""The same for an endpoint whose answers are no JSON otherwise."""


DECK_REFUSED: dict[int | str, dict[str, Any]] = {
    422: {"model": wire.DeckRefusal | wire.Refusal, "description": "Refused"}
}
"""Where a deck may be brought along."""


class RecordResponse(Response):
    """The text of a record: one JSON object a line."""

    media_type = "application/x-ndjson"


def make_app(hall: Hall) -> FastAPI:
    """The application around a hall."""
    app = FastAPI(
        title="Tafelrunde",
        version=version("tafelrunde"),
        description="Getting to a table. What happens at it goes over its socket: see /api/socket.json and the docs.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        strict_content_type=True,
    )
    app.state.hall = hall
    app.add_middleware(HostCheck)
    app.add_middleware(Guard)
    _handle_errors(app, hall)
    _tables(app, hall)
    _games(app, hall)
    _house(app, hall)
    add_page(app, read_page())
    return app


def _address(hall: Hall, request: Request) -> str:
    peer = request.client.host if request.client else "local"
    return hall.address(peer, request.headers.getlist("x-forwarded-for"))


def _tables(app: FastAPI, hall: Hall) -> None:
    @app.get("/api/games", tags=["lobby"])
    async def games() -> wire.Games:
        """What can be played here, with options and bots."""
        return wire.Games(games=[_info(spec) for spec in GAMES.values()])

    @app.get("/api/lobby", tags=["lobby"], responses=refusals())
    async def lobby() -> wire.Lobby:
        """Tables that wait for people, the latest first."""
        return await hall.lobby()

    @app.post("/api/tables", tags=["tables"], status_code=201, responses=refusals(409) | DECK_REFUSED)
    async def create(wanted: wire.NewTable, request: Request) -> wire.Seated:
        """Set up a table and take a seat; keep the token."""
        hall.creating.draw(_address(hall, request), hall.clock())
        return await hall.create(wanted)

    @app.get("/api/tables/{code}", tags=["tables"], responses=refusals(404))
    async def look(code: Code) -> wire.TableState:
        """A table as everybody may see it."""
        return await hall.state(code)

    @app.post("/api/tables/{code}/seats", tags=["tables"], status_code=201, responses=refusals(404, 409, 410))
    async def sit(code: Code, wanted: wire.Sit, request: Request) -> wire.Seated:
        """Sit down at a table; keep the token."""
        hall.joining.draw(_address(hall, request), hall.clock())
        return await hall.sit(code, wanted)

    @app.post("/api/tables/{code}/take", tags=["tables"], responses=refusals(403, 404, 410))
    async def take(code: Code, wanted: wire.Take, request: Request) -> wire.Seated:
        """Take a seat along to this device with a pass from the other one, whose token is good no more."""
        hall.joining.draw(_address(hall, request), hall.clock())
        return await hall.take(code, wanted)


def _games(app: FastAPI, hall: Hall) -> None:
    @app.get("/api/tables/{code}/games", tags=["games"], responses=refusals(404))
    async def results(code: Code) -> wire.Results:
        """The games that were finished at this table."""
        return await hall.results(code)

    @app.get(
        "/api/tables/{code}/games/{match}/record",
        tags=["games"],
        response_class=RecordResponse,
        responses=dict.fromkeys(refusals(404), REFUSED),
    )
    async def record(code: Code, match: Match) -> Response:
        """The record of a finished game, to keep, replay and check."""
        header, steps = await hall.finished(code, match)
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
        address = _address(hall, request)
        hall.looking_back.draw(address, hall.clock())
        return Response(await hall.replay(code, match, address), media_type="application/json")

    @app.post(RECORDS_TO, tags=["games"], responses=replays())
    async def replay_record(sent: wire.RecordText, request: Request) -> Response:
        """A record, checked by the rules, step by step and with what every seat saw."""
        address = _address(hall, request)
        hall.looking_back.draw(address, hall.clock())
        return Response(await hall.replay_record(sent.record, address), media_type="application/json")

    @app.get("/api/games/recent", tags=["games"], responses=refusals())
    async def recent(before: Before = MOST_RECENT) -> wire.RecentGames:
        """Finished games of public tables, the latest first."""
        return await hall.recent(before)

    @app.get("/api/tables/{code}/games/{match}/receipts", tags=["games"], responses=refusals(404))
    async def receipts(code: Code, match: Match) -> wire.Receipts:
        """In real time: who reached for the same card, when, and who got it."""
        _, steps = await hall.finished(code, match)
        return receipts_of(steps)


def _house(app: FastAPI, hall: Hall) -> None:
    @app.get("/healthz", tags=["house"])
    async def health() -> wire.Health:
        """Is the server well?"""
        return wire.Health(version=app.version)

    @app.get("/readyz", tags=["house"], responses=refusals())
    async def ready() -> wire.Health:
        """Can people play? Also asks the database."""
        await hall.check_ready()
        return wire.Health(version=app.version)

    @app.get("/metrics", include_in_schema=False)
    async def numbers() -> Response:
        return Response(metrics.numbers(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/api/socket.json", include_in_schema=False)
    async def socket_schema() -> JSONResponse:
        return JSONResponse(wire.schema())

    @app.get("/api", include_in_schema=False)
    async def api_page() -> HTMLResponse:
        return HTMLResponse(pages.api_page(app.openapi()))

    @app.get("/api/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(pages.STYLE, media_type="text/css")


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
    )


def _handle_errors(app: FastAPI, hall: Hall) -> None:
    def answer(status: int, code: str, sentence: str, rule: str | None = None) -> JSONResponse:
        return refuse(status, wire.Refusal(code=code, rule=rule, sentence=sentence))

    def refuse(status: int, told: wire.Refusal) -> JSONResponse:
        return JSONResponse(told.model_dump(mode="json"), status_code=status)

    @app.exception_handler(BadDeck)
    async def bad_deck(request: Request, error: BadDeck) -> JSONResponse:
        faults = [wire.DeckFault.model_validate(one, from_attributes=True) for one in error.faults]
        told = wire.DeckRefusal(code=error.code, rule=error.rule, sentence=error.sentence, faults=faults)
        return refuse(422, told)

    @app.exception_handler(TafelrundeError)
    async def refused(request: Request, error: TafelrundeError) -> JSONResponse:
        if isinstance(error, NoSuchTable):
            hall.guessed_wrong(_address(hall, request))
        elif isinstance(error, StoreError):
            log.error("the store does not answer", extra={"reason": str(error)})
        status = STATUS.get(error.code, 422)
        if error.line:
            told = wire.RecordRefusal(code=error.code, rule=error.rule, sentence=error.sentence, line=error.line)
            return refuse(status, told)
        return answer(status, error.code, error.sentence, error.rule)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        return answer(422, "bad-message", f"{where}: {first['msg']}." if where else f"{first['msg']}.")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        status = 422 if error.status_code == 400 else error.status_code  # a body that is no JSON at all
        code = {404: "not-found", 405: "method-not-allowed", 422: "bad-message"}.get(status, "bad-request")
        told = answer(status, code, f"{error.detail}.")
        told.headers.update(error.headers or {})
        return told
