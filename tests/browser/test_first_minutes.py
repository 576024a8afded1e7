"""The first minutes of somebody new: the wheel, one word, three clicks, and a card lies on the table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tafelrunde.server.static import FOLDER, read_page
from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
COUNT_CLICKS = """
addEventListener("click", () => sessionStorage.setItem("clicks", 1 + Number(sessionStorage.getItem("clicks"))), true);
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was installed; all that it stands on is that of the tests."""
    wheels, installed = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT)], check=True)
    [wheel] = wheels.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    subprocess.run([*pip, "install", "--no-deps", "--no-compile", "--target", str(installed), str(wheel)], check=True)
    return installed


@pytest.fixture
def alone(installed: Path, tmp_path: Path) -> Iterator[str]:
    """``tafelrunde`` without a command, as it was installed, in a home without anything; gives the address it tells."""
    # By plain rules: what follows a start without compiled ones has tests of its own.
    rules = {"NUMBA_DISABLE_JIT": "1"}
    home = {"TAFELRUNDE_PORT": "0", "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(installed)}
    quiet = {"CI": "true", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, str(installed / "bin" / "tafelrunde")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=os.environ | home | rules | quiet
    ) as process:
        assert process.stdout
        assert "tafelrunde --help" in process.stdout.readline()
        told = re.search(r"open at (\S+) \(stop with Ctrl-C\)", process.stdout.readline())
        assert told
        yield told[1]
        process.terminate()
        assert process.wait(timeout=PATIENCE_S) == 0


@pytest.mark.process
def test_the_wheel_brings_the_whole_page_along(installed: Path) -> None:
    brought = read_page(installed / "tafelrunde" / "server" / "page")
    assert brought == read_page(FOLDER)
    assert "/index.html" in brought


def test_one_word_and_three_clicks_lay_the_first_card(alone: str, arrive: Arrive) -> None:
    ada = arrive(url=alone)
    ada.context.add_init_script(COUNT_CLICKS)
    ada.open()
    ada.button("home.play", ada.find("article", "game.buffet")).click()
    board = Board(ada)
    board.wait_until_asked()
    board.lay()
    expect(board.cards).to_have_count(8)
    assert ada.page.evaluate("sessionStorage.getItem('clicks')") == "3"
