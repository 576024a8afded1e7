"""The built files of the browser client, served from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tafelrunde.server import api_docs
from tafelrunde.server.logs import log

FOLDER = Path(__file__).with_name("page")
INDEX = "/index.html"
ROUTES = (
    "/", "/t/{code}", "/rules/{game}", "/learn/{game}", "/results", "/replay", "/replay/{code}/{match}", "/about",
)  # fmt: skip
"""Paths that the client routes itself; all of them are the same page."""

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The encodings in which the build has compressed files, the best first."""

TYPES = {
    ".css": "text/css", ".html": "text/html", ".ico": "image/x-icon", ".js": "text/javascript",
    ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain",
    ".webmanifest": "application/manifest+json", ".webp": "image/webp", ".woff2": "font/woff2",
}  # fmt: skip
"""Listed here, because Python's own table depends on the machine."""

FOREVER = "public, max-age=31536000, immutable"
"""For files under /assets: their names contain a hash of their content."""
ASK_FIRST = "no-cache"
"""For all others: browsers revalidate them each time."""

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Variant:
    """A file in one encoding, with its headers."""

    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class File:
    """One file of the page, uncompressed and compressed."""

    media_type: str
    plain: Variant
    compressed: dict[str, Variant]

    async def answer(self, request: Request) -> Response:
        """The file in the best encoding that the browser accepts, or 304 if it has it already."""
        chosen = self._choose(", ".join(request.headers.getlist("accept-encoding")))
        if _has(", ".join(request.headers.getlist("if-none-match")), chosen.headers["etag"]):
            return Response(status_code=304, headers=chosen.headers)
        return Response(chosen.body, headers=chosen.headers, media_type=self.media_type)

    def _choose(self, header: str) -> Variant:
        accepted = dict(_accepted(header))
        for encoding, variant in self.compressed.items():
            if accepted.get(encoding, accepted.get("*", False)):
                return variant
        return self.plain


def _accepted(header: str) -> Iterator[tuple[str, bool]]:
    """The encodings in ``br;q=1.0, gzip, *;q=0``, and whether they are accepted."""
    for part in header.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weights = [value.strip() for key, _, value in (one.partition("=") for one in parameters) if key.strip() == "q"]
        yield name, not any(weight.strip("0.") == "" for weight in weights)


def _has(header: str, etag: str) -> bool:
    """Does the browser have this answer already? Proxies may have marked the tag as weak."""
    known = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return etag in known or "*" in known


def read_page(folder: Path = FOLDER) -> dict[str, File]:
    """All files by path; empty if the page has not been built."""
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
    """Add routes for the client and its files. Request paths are never used as file names."""
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
    return HTMLResponse(api_docs.unbuilt_page(), status_code=503)
