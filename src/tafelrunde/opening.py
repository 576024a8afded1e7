"""Opening the table: where it is found, and how people get there."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from urllib.parse import urlsplit

HERE = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared


def is_taken(host: str, port: int) -> bool:
    """Does another program listen there?"""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def is_table(port: int) -> bool:
    """Is it a server of ours that listens there on this machine?"""
    asking = http.client.HTTPConnection(HERE, port, timeout=2)
    try:
        asking.request("GET", "/api/openapi.json")
        told = json.loads(asking.getresponse().read())
        return bool(told["info"]["title"] == "Tafelrunde")
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        return False  # whoever it is
    finally:
        asking.close()


def address_here(url: str) -> str:
    """The address to open on this machine: one that listens everywhere has no name of its own."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def address_in_network(url: str) -> str | None:
    """The address for the phones around, if the server listens everywhere; a best guess without asking anybody."""
    if urlsplit(url).hostname not in EVERYWHERE:
        return None
    own = own_address()
    return own and f"http://{own}:{urlsplit(url).port}"


def own_address() -> str | None:
    """The address of this machine in its network, if it is in one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: the system only says which way it would go
        except OSError:
            return None
        return str(probe.getsockname()[0])


def for_cameras(url: str) -> str:
    """The address as a picture of half blocks, which the camera of a phone reads from the terminal."""
    import segno

    light = [[not dark for dark in row] for row in segno.make(url, error="l").matrix_iter(border=2)]
    light += [[False] * len(light[0])] * (len(light) % 2)
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(light[::2], light[1::2], strict=True)
    return "\n".join("".join(blocks[pair] for pair in zip(*rows, strict=True)) for rows in pairs)


def has_screen() -> bool:
    """Is there somebody who would see a browser?"""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) and not os.environ.get("CI")


def show_page(url: str) -> None:
    """Open a browser where there is a screen; if that fails, the address has been told."""
    if has_screen():
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "webbrowser", url]  # browsers may chatter, and keep us waiting
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603
