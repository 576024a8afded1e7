"""Getting people to the page: addresses, QR code and browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from urllib.parse import urlsplit

HERE = "127.0.0.1"
ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - only compared
TIMEOUT_S = 2


def is_taken(host: str, port: int) -> bool:
    """Does a program listen at this port?"""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def is_our_server(port: int) -> bool:
    """Is it a Tafelrunde server that listens at this port of this machine?"""
    import http.client
    import json

    connection = http.client.HTTPConnection(HERE, port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/api/openapi.json")
        answer = json.loads(connection.getresponse().read())
        return bool(answer["info"]["title"] == "Tafelrunde")
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        return False  # whatever it is, it does not answer as ours would
    finally:
        connection.close()


def address_here(url: str) -> str:
    """The address to open on this machine, where the server listens at all addresses."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def address_in_network(url: str) -> str | None:
    """The address for phones nearby if the server listens at all addresses: a guess that sends nothing."""
    if urlsplit(url).hostname not in ALL_ADDRESSES:
        return None
    own = own_address()
    return own and f"http://{own}:{urlsplit(url).port}"


def own_address() -> str | None:
    """The address of this machine in its network; None if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it makes the system choose one of our addresses
        except OSError:
            return None
        return str(probe.getsockname()[0])


def qr_code(url: str) -> str:
    """The address as a QR code of half blocks, which phones read from the terminal."""
    import segno

    light = [[not dark for dark in row] for row in segno.make(url, error="l").matrix_iter(border=2)]
    light += [[False] * len(light[0])] * (len(light) % 2)
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(light[::2], light[1::2], strict=True)
    return "\n".join("".join(blocks[pair] for pair in zip(*rows, strict=True)) for rows in pairs)


def has_screen() -> bool:
    """Can a browser be shown here?"""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) and not os.environ.get("CI")


def show_page(url: str) -> None:
    """Open a browser if there is a screen; if that fails, the user has the address."""
    if has_screen():
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "webbrowser", url]  # a process of its own: browsers may print, or block
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603
