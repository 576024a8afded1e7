"""The page on which people play: the files of the browser client as they were built, answered from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tafelrunde.server import pages
from tafelrunde.server.logs import log

FOLDER = Path(__file__).with_name("page")
INDEX = "/index.html"
ROUTES = (
    "/", "/t/{code}", "/rules/{game}", "/learn/{game}", "/results", "/replay", "/replay/{code}/{match}", "/about",
)  # fmt: skip
"""Addresses that the client itself takes apart; all of them are the same page."""

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""How the build has compressed files, the best first; nothing is compressed while somebody waits."""

TYPES = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain",
    ".webmanifest": "application/manifest+json", ".webp": "image/webp", ".woff2": "font/woff2",
}  # fmt: skip
"""Written down here, because what a machine knows by itself differs from one to the next."""

FOREVER = "public, max-age=31536000, immutable"
"""For files under /assets: their names change with what is in them."""
ASK_FIRST = "no-cache"
"""For all others: a browser keeps them, and asks each time whether they still hold."""

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Variant:
    """A file in one encoding, and what is said with it."""

    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class File:
    """One file of the page, as it is and compressed."""

    media_type: str
    plain: Variant
    compressed: dict[str, Variant]

    async def answer(self, request: Request) -> Response:
        """The file in the best way that is understood, or that it is still the same."""
        chosen = self._choose(", ".join(request.headers.getlist("accept-encoding")))
        if _knows(", ".join(request.headers.getlist("if-none-match")), chosen.headers["etag"]):
            return Response(status_code=304, headers=chosen.headers)
        return Response(chosen.body, headers=chosen.headers, media_type=self.media_type)

    def _choose(self, header: str) -> Variant:
        understood = dict(_understood(header))
        for encoding, variant in self.compressed.items():
            if understood.get(encoding, understood.get("*", False)):
                return variant
        return self.plain


def _understood(header: str) -> Iterator[tuple[str, bool]]:
    """Encodings out of ``br;q=1.0, gzip, *;q=0``, and whether they are wanted."""
    for part in header.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights = [value.strip() for key, _, value in (one.partition("=") for one in parameters) if key.strip() == "q"]
        yield name, not any(weight.strip("0.") == "" for weight in weights)


def _knows(header: str, etag: str) -> bool:
    """Has the browser this very answer? Proxies may have marked the tag as weak."""
    known = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return etag in known or "*" in known


def read_page(folder: Path = FOLDER) -> dict[str, File]:
    """All files by their paths; none at all if the page has not been built."""
    found = {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}
    beside = {path + suffix for path in found for suffix in ENCODINGS.values()}
    return {path: _read(path, file) for path, file in sorted(found.items()) if path not in beside}


def _read(path: str, file: Path) -> File:
    caching = FOREVER if path.startswith("/assets/") else ASK_FIRST
    compressed = {
        encoding: _variant(packed.read_bytes(), caching, encoding)
        for encoding, suffix in ENCODINGS.items()
        if (packed := file.with_name(file.name + suffix)).exists()
    }
    media_type = TYPES.get(file.suffix, "application/octet-stream")
    return File(media_type, _variant(file.read_bytes(), caching), compressed)


def _variant(body: bytes, caching: str, encoding: str | None = None) -> Variant:
    headers = {
        "cache-control": caching,
        "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "vary": "accept-encoding",
    }
    return Variant(body, headers | ({"content-encoding": encoding} if encoding else {}))


def add_page(app: FastAPI, files: dict[str, File]) -> None:
    """Answer at the addresses of the client and of its files, and at no other: paths never become names of files."""
    if INDEX not in files:
        log.warning("the page has not been built")
    index = files[INDEX].answer if INDEX in files else _unbuilt
    for route in ROUTES:
        _add(app, route, index)
    for path, file in files.items():
        if path != INDEX:
            _add(app, path, file.answer)


def _add(app: FastAPI, path: str, answer: Handler) -> None:
    app.router.add_route(path, answer, methods=["GET", "HEAD"], include_in_schema=False)


async def _unbuilt(request: Request) -> Response:
    return HTMLResponse(pages.unbuilt_page(), status_code=503)
