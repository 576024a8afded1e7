"""Bytes to the port and from it, with nothing in between that would put them right."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.waiting import PATIENCE_S

TABLE = {"game": "buffet", "seats": 3, "name": "Ada"}
KEY = base64.b64encode(b"sixteen bytes!!!").decode()


@dataclass(frozen=True)
class Answer:
    """One answer, as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)


# --- What is sent ---------------------------------------------------------------------------------------------------


def request(line: str = "GET /healthz", *fields: str, body: bytes = b"", version: str = "1.1") -> bytes:
    """A request with a host and these fields."""
    return "\r\n".join([f"{line} HTTP/{version}", "Host: localhost", *fields, "", ""]).encode("latin-1") + body


def tagged(tag: str) -> bytes:
    """A request whose answer names this tag."""
    return post(json.dumps(TABLE | {tag: 1}).encode())


def post(body: bytes, *fields: str) -> bytes:
    kind = "Content-Type: application/json"
    return request("POST /api/tables", kind, f"Content-Length: {len(body)}", *fields, body=body)


def post_in_chunks(*chunks: bytes, trailer: str = "") -> bytes:
    body = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + f"0\r\n{trailer}\r\n".encode()
    return request("POST /api/tables", "Content-Type: application/json", "Transfer-Encoding: chunked", body=body)


def upgrade(code: str, *fields: str) -> bytes:
    """The wish to become a socket."""
    wish = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}")
    return request(f"GET /api/tables/{code}/socket", *wish, *fields)


def frame(payload: bytes, first: int = 0x81) -> bytes:
    """A short frame as clients send them; the first byte has all flags."""
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0x80 | 126, len(payload))
    return bytes([first]) + length + bytes(4) + payload


# --- What comes back ------------------------------------------------------------------------------------------------


def talk(port: int, *packets: bytes, half_close: bool = True) -> bytes:
    """Send all this piece by piece, say that this was all, and give what comes until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(OSError):  # it may have heard enough
            for packet in packets:
                line.sendall(packet)
            if half_close:
                line.shutdown(socket.SHUT_WR)
        return read_all(line)


def read_all(line: socket.socket) -> bytes:
    heard = bytearray()
    with contextlib.suppress(ConnectionError):
        while some := line.recv(65536):
            heard += some
    return bytes(heard)


def read_answers(heard: bytes, heads: Iterable[int] = ()) -> tuple[list[Answer], bytes]:
    """What the server has said, which has to be whole answers; and what it said as a socket after that.

    ``heads`` are the numbers of the answers that have no body whatever they tell about it.
    """
    answers: list[Answer] = []
    without_body = set(heads)
    while heard:
        head, end, heard = heard.partition(b"\r\n\r\n")
        assert end, f"half an answer: {head!r}"
        first, *lines = head.decode("latin-1").split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1"
        if status == "100":
            continue
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        if status == "101":
            return [*answers, Answer(101, headers, b"")], heard
        size = 0 if len(answers) in without_body else int(headers["content-length"])
        assert len(heard) >= size, f"half a body: {heard!r}"
        answers.append(Answer(int(status), headers, heard[:size]))
        heard = heard[size:]
    return answers, b""


def read_frames(heard: bytes) -> list[tuple[int, bytes]]:
    """What a server has said over a socket: whole frames, without masks; kinds and payloads."""
    frames = []
    while heard:
        first, size, at = heard[0], heard[1], 2
        assert first & 0xF0 == 0x80, f"no frame of ours: {heard!r}"
        assert size <= 127, "servers do not mask"
        if size >= 126:
            at += 2 if size == 126 else 8
            size = int.from_bytes(heard[2:at], "big")
        assert len(heard) >= at + size, f"half a frame: {heard!r}"
        frames.append((first & 0x0F, heard[at : at + size]))
        heard = heard[at + size :]
    return frames
