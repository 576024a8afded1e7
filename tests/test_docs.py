"""What the pages say is true: examples run, links lead somewhere, every rule is described and tested."""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tafelrunde.games import GAMES
from tafelrunde.games.chocolat import deck
from tafelrunde.games.chocolat.deck import INGREDIENTS
from tafelrunde.games.dash.menu import DRINKS, FOODS

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TESTED_PAGES = [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def rule_ids(game: str) -> list[str]:
    text = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*([A-Z]\d+)\*\*", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("page", TESTED_PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    for example in blocks(page, "python"):
        done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    commands = [
        line.partition("#")[0].strip()
        for block in blocks(ROOT / "README.md", "console")
        for line in block.splitlines()
        if line.startswith("tafelrunde ")
    ]
    assert len(commands) >= 5
    for command in commands:
        name, *arguments = shlex.split(command)
        if "games/*.tafel" in arguments:
            arguments[arguments.index("games/*.tafel") :] = map(str, tmp_path.glob("games/*.tafel"))
        if "--delay" in arguments:
            arguments[arguments.index("--delay") + 1] = "0"  # nobody watches here
        done = subprocess.run([sys.executable, "-m", name, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize(("game", "last"), [("buffet", 28), ("dash", 30), ("chocolat", 16)])
def test_every_rule_is_described_once(game: str, last: int) -> None:
    letter = game[0].upper()
    assert sorted(rule_ids(game), key=lambda rule: int(rule[1:])) == [f"{letter}{n}" for n in range(1, last + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_named_by_a_test(game: str) -> None:
    sources = (ROOT / "tests" / "games" / game).glob("test_*.py")
    tested = {rule for source in sources for rule in re.findall(r"def test_([A-Z]\d+)_", source.read_text("utf-8"))}
    assert tested == set(rule_ids(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_the_code_names_exists(game: str) -> None:
    spec = GAMES[game]
    notation = importlib.import_module(f"tafelrunde.games.{game}.notation")
    named = {option.rule for option in spec.options} | {chance.rule for chance in spec.notation.chances.values()}
    named |= (
        {refusal.rule for refusal in spec.refusals.values() if refusal.rule}
        | {spec.seats_rule}
        | set(notation.RULES.values())
    )
    for source in (ROOT / "src" / "tafelrunde").rglob(f"**/{game}/*.py"):
        named |= set(re.findall(rf"\b({game[0].upper()}\d+)\b", source.read_text(encoding="utf-8")))
    assert named <= set(rule_ids(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_and_option_is_part_of_the_described_record(game: str) -> None:
    text = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    for verb in GAMES[game].notation.verbs:
        assert f'"do":"{verb}"' in text or f"`{verb}`" in text, verb
    for option in GAMES[game].options:
        assert option.name in text


def test_the_menu_of_dash_stands_in_its_rules() -> None:
    text = (ROOT / "docs" / "rules" / "dash.md").read_text(encoding="utf-8")
    for items in (FOODS, DRINKS):
        assert f"| {' | '.join(item.sign for item in items)} |" in text
        assert f"| {' | '.join(item.en for item in items)} |" in text


def test_the_deck_of_chocolat_stands_in_its_rules_with_its_sources() -> None:
    text = (ROOT / "docs" / "rules" / "chocolat.md").read_text(encoding="utf-8")
    cards = tomllib.loads(deck.standard_text())["cards"]
    for ingredient in INGREDIENTS:
        coins = (" ".join(map(str, line["coins"])) for line in cards[ingredient].values())
        assert f"| {ingredient} | {' | '.join(coins)} |" in text
    for helper in deck.STANDARD.helpers:
        row = rf"^\| {helper.rank} \| {helper.animal} \| {helper.power} \| .* \| {helper.sources[2]} \|$"
        assert re.search(row, text, re.MULTILINE), helper
