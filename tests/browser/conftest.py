"""The client in a real browser, against a real server: people are browser contexts, and what they see is the test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from chromium import find_browser
from tafelrunde.server.static import FOLDER
from tests.browser.guest import Guest
from tests.browser.proxy import Line
from tests.browser.screens import Banquet
from tests.server.running import RunningServer

PICTURES = Path(__file__).parents[2] / "build" / "browser"
"""Where tests that fail leave what was on the screens."""
PATIENCE_MS = 120_000
"""For a single step, on a machine that is busy with much else."""

expect.set_options(timeout=PATIENCE_MS)
Arrive = Callable[..., Guest]


# Not for the whole session: as long as Playwright runs in this thread, no other test can run an event loop in it.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    assert (FOLDER / "index.html").exists(), "the page has not been built: make page"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser())
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server for all tests that do it no harm."""
    running = RunningServer(tmp_path_factory.mktemp("server") / "tables.db")
    yield running
    running.stop()


@pytest.fixture(scope="package")
def banquet(server: RunningServer) -> Banquet:
    """Tables in every state, for tests that only look at them."""
    return Banquet(server.url)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that a test may kill."""
    running = RunningServer(tmp_path / "tables.db")
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture
def line(server: RunningServer) -> Iterator[Line]:
    """A piece of line to the server that can be cut; asked for before its guests arrive, it is there until they go."""
    between = Line(server.port)
    yield between
    between.close()


@pytest.fixture
def arrive(chromium: Browser, server: RunningServer, request: pytest.FixtureRequest) -> Iterator[Arrive]:
    """Somebody with a device of their own comes; nothing may go wrong in their browser unless it was expected."""
    guests: list[Guest] = []

    def come(**device: Any) -> Guest:
        guests.append(Guest(chromium, device.pop("url", server.url), **device))
        guests[-1].context.set_default_timeout(PATIENCE_MS)
        return guests[-1]

    yield come
    keep_pictures_of_failure(request.node, guests)
    for guest in guests:
        guest.context.close()
    check_nothing_went_wrong(guests)


@pytest.fixture(scope="package")
def devices() -> Iterator[dict[str, Guest]]:
    """Devices that are used again, by what they are like: their browsers have the page in their cache already."""
    kept: dict[str, Guest] = {}
    yield kept
    for guest in kept.values():
        guest.context.close()


@pytest.fixture
def borrow(
    chromium: Browser, server: RunningServer, devices: dict[str, Guest], request: pytest.FixtureRequest
) -> Iterator[Arrive]:
    """Like ``arrive``, with a new tab on a device that is used again; ``start_with_keys`` has to be the first step."""
    borrowed: list[Guest] = []

    def come(**device: Any) -> Guest:
        kind = repr(device)
        if kind in devices:
            devices[kind].open_new_tab()
        else:
            devices[kind] = Guest(chromium, server.url, **device)
            devices[kind].context.set_default_timeout(PATIENCE_MS)
        borrowed.append(devices[kind])
        return devices[kind]

    yield come
    keep_pictures_of_failure(request.node, borrowed)
    check_nothing_went_wrong(borrowed)


def check_nothing_went_wrong(guests: list[Guest]) -> None:
    troubles = [trouble for guest in guests for trouble in guest.troubles()]
    assert not troubles, "\n".join(troubles)


# --- Pictures of failures ---------------------------------------------------------------------------------------------

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def keep_pictures_of_failure(test: pytest.Item, guests: list[Guest]) -> None:
    if not test.stash.get(FAILED, False):
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", test.name)
    for number, guest in enumerate(guests):
        for page in guest.context.pages:
            page.screenshot(path=PICTURES / f"{name}-{number}.png")
