"""HTTP requests: finding tables, sitting down, results and records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ValidationError

from tafelrunde import wire
from tafelrunde.client.errors import OtherVersion, Unreachable, refusal_in
from tafelrunde.client.table import RemoteTable
from tafelrunde.nonces import commitment, fresh

DEFAULT_URL = "http://127.0.0.1:8000"
ANSWER_S = 20.0
"""Timeout of a request."""

Body = TypeVar("Body", bound=BaseModel)


class Client:
    """A client of a server; used with ``async with``.

    It remembers the tokens of its seats, and the nonce that it has pledged for each. ``patience`` is for how many
    seconds it tries to reach a table again before it gives up.
    """

    def __init__(self, url: str = DEFAULT_URL, patience: float = 300.0) -> None:
        self.url = url.rstrip("/")
        self.patience = patience
        self.tokens: dict[str, dict[int, str]] = {}
        """The tokens of our seats, by code and seat."""
        self.nonces: dict[tuple[str, int], bytes] = {}
        """The nonces of our seats, by code and seat: of the coming game, or else of the last one."""
        # No proxy from the environment: the WebSocket would not go through it either.
        self._http = httpx.AsyncClient(base_url=self.url, timeout=ANSWER_S, trust_env=False)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._http.aclose()

    # --- Looking around -----------------------------------------------------------------------------------------

    async def games(self) -> wire.Games:
        """What can be played here."""
        return await self._get(wire.Games, "/api/games")

    async def lobby(self) -> wire.Lobby:
        """Tables that are open to all."""
        return await self._get(wire.Lobby, "/api/lobby")

    async def look_at(self, code: str) -> wire.TableState:
        """A table from outside."""
        return await self._get(wire.TableState, path_of(code))

    # --- Sitting down -------------------------------------------------------------------------------------------

    async def create(
        self,
        game: str,
        seats: int,
        name: str,
        *,
        seat: int = 0,
        options: Mapping[str, int | bool | None] | None = None,
        bots: Mapping[int, str] | None = None,
        terms: wire.Terms | None = None,
        deck: str | None = None,
    ) -> wire.Seated:
        """Set up a table and sit down as its host; ``bots`` has levels by seat, ``deck`` is the text of a deck file."""
        body: dict[str, Any] = {
            "game": game,
            "seats": seats,
            "name": name,
            "seat": seat,
            "options": dict(options or {}),
        }
        body["bots"] = [{"seat": bot_seat, "level": level} for bot_seat, level in (bots or {}).items()]
        body["terms"] = (terms or wire.Terms()).model_dump()
        body |= {} if deck is None else {"deck": deck}
        return await self._sit_down("/api/tables", body)

    async def sit(self, code: str, name: str, seat: int | None = None) -> wire.Seated:
        """Sit down at a table: at this seat, or at any that is free."""
        return await self._sit_down(f"{path_of(code)}/seats", {"name": name, "seat": seat})

    async def take(self, code: str, pass_: str) -> wire.Seated:
        """Take a seat along from another device, with a pass from there."""
        return self._remember(await self._post(wire.Seated, f"{path_of(code)}/take", {"pass": pass_}))

    async def _sit_down(self, path: str, body: dict[str, Any]) -> wire.Seated:
        nonce = fresh()
        seated = await self._post(wire.Seated, path, body | {"pledge": commitment(nonce)})
        self.nonces[seated.code, seated.seat] = nonce
        return self._remember(seated)

    def _remember(self, seated: wire.Seated) -> wire.Seated:
        self.tokens.setdefault(seated.code, {})[seated.seat] = seated.token
        return seated

    def table(
        self, code: str, tokens: Iterable[str] | None = None, *, recall: bool = False, raw: bool = False
    ) -> RemoteTable:
        """The table itself, to be used with ``async with``.

        Without ``tokens`` it has all seats that this client has there; with none of them it watches. With ``recall``
        the welcome tells what has happened in the game so far. With ``raw`` views are for compiled bots too.
        """
        given = self.tokens.get(code, {}).values() if tokens is None else tokens
        url = "ws" + self.url.removeprefix("http") + path_of(code) + "/socket"
        return RemoteTable(url, list(given), self.nonces, self.patience, recall, raw)

    # --- Looking back -------------------------------------------------------------------------------------------

    async def results(self, code: str) -> wire.Results:
        """The games that were finished at a table."""
        return await self._get(wire.Results, f"{path_of(code)}/games")

    async def record(self, code: str, match: int) -> str:
        """The record of a finished game: the text of a .tafel file."""
        return (await self._request("GET", f"{path_of(code)}/games/{match}/record")).text

    async def replay(self, code: str, match: int) -> wire.ReplayData:
        """A finished game, step by step."""
        return await self._get(wire.ReplayData, f"{path_of(code)}/games/{match}/replay")

    async def receipts(self, code: str, match: int) -> wire.Receipts:
        """Who reached for the same card in a finished game, and who got it."""
        return await self._get(wire.Receipts, f"{path_of(code)}/games/{match}/receipts")

    async def replay_record(self, record: str) -> wire.ReplayData:
        """A game of which you have the record, finished or not: checked by the rules, and step by step.

        If it does not hold, the refusal has the ``line`` and the ``rule``.
        """
        return await self._post(wire.ReplayData, "/api/replays", {"record": record})

    async def recent(self, before: int | None = None) -> wire.RecentGames:
        """Finished games of public tables, the latest first.

        ``before`` asks for those that ended before this, in milliseconds since 1970; the answer has the one for the
        next page.
        """
        asked = "" if before is None else f"?before={before}"
        return await self._get(wire.RecentGames, f"/api/games/recent{asked}")

    # --- HTTP ---------------------------------------------------------------------------------------------------

    async def _get(self, kind: type[Body], path: str) -> Body:
        return read(kind, await self._request("GET", path))

    async def _post(self, kind: type[Body], path: str, body: Mapping[str, Any]) -> Body:
        return read(kind, await self._request("POST", path, body))

    async def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
        try:
            response = await self._http.request(method, path, json=body)
        except httpx.TransportError as error:
            raise Unreachable(f"The server at {self.url} can not be reached: {error or 'no answer'}.") from None
        if response.is_success:
            return response
        raise refusal_in(response.status_code, response.content)


def path_of(code: str) -> str:
    """Where a table is found."""
    return f"/api/tables/{quote(code, safe='')}"


def read(kind: type[Body], response: httpx.Response) -> Body:
    """What the server has answered."""
    try:
        return kind.model_validate_json(response.content)
    except ValidationError:
        raise OtherVersion("The server answers something that this client does not understand.") from None
