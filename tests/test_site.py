"""The site: it builds without a warning, has all pages and the API, and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import tafelrunde

ROOT = Path(__file__).parents[1]
PAGES = ["index", "contributing", "changelog", "license", "architecture", "protocol", "rules/de/dash", "rules/ja/dash"]
API = {
    "tafelrunde": [*tafelrunde.__all__, "Game.act", "Record.write", "Decision.to_json"],
    "errors": ["Illegal", "BadRecord"],
    "bots": ["find", "play"],
    "client": ["Client.create", "RemoteTable.act"],
    "wire": ["Welcome", "Terms.chat", "Seat.name"],
    "contract": ["GameSpec", "Notation"],
    "testing": ["games"],
    "simulate": ["simulate", "Tally.wins"],
}
"""Some names of each page of the reference."""
EXAMPLES = {"tafelrunde": "seats=5, seed=7", "bots": "bots.find", "simulate": "confidence(50, 100)", "client": "seated"}


class Loads(HTMLParser):
    """What a page loads by itself: scripts, styles, icons, images; not what it links to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and (name in {"src", "srcset", "poster", "data"} or (tag == "link" and name == "href")):
                self.found.add(value)


def build(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def text_of(page: Path) -> str:
    return re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))


def check_the_reference(site: Path) -> None:
    for name, objects in API.items():
        page = site / "api" / f"{name}.html"
        anchors = re.findall(r'id="(tafelrunde[\w.]*)"', page.read_text(encoding="utf-8"))
        for wanted in objects:
            assert any(anchor.endswith(f".{wanted}") for anchor in anchors), (name, wanted)
        assert EXAMPLES.get(name, "") in text_of(page)
        assert "<blockquote" not in page.read_text(encoding="utf-8"), f"{name}: an example is shown as a quotation"


def check_that_all_is_local(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        for load in Loads(page).found:
            if page.name != "404.html":  # its paths begin at the root of the server
                assert (page.parent / unquote(load.partition("?")[0].partition("#")[0])).exists(), (page, load)
            assert not re.match(r"(\w+:)?//", load), (page, load)
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(\w+:)?//", style.read_text(encoding="utf-8")), style


@pytest.mark.slow
@pytest.mark.process
def test_the_site_is_complete_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    build(tmp_path)  # once: it takes ten seconds
    for page in PAGES:
        assert (tmp_path / f"{page}.html").exists(), page
    check_the_reference(tmp_path)
    check_that_all_is_local(tmp_path)
    diagrams = (tmp_path / "architecture.html").read_text(encoding="utf-8")
    assert ('class="mermaid"' in diagrams) == ('src="assets/mermaid.js"' in diagrams)
