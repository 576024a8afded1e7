"""The pages about the live table say what the code does: codes, commands, messages, settings, and examples that fit."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from jsonschema import Draft202012Validator

from tafelrunde import wire
from tafelrunde.cli.serve import command as serve
from tafelrunde.client import DEFAULT_URL
from tafelrunde.errors import TafelrundeError
from tafelrunde.games.chocolat import deck
from tafelrunde.server import metrics
from tafelrunde.server.refusals import STATUS
from tafelrunde.server.settings import Settings
from tafelrunde.store import errors as store_errors
from tests.server.running import RunningServer

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "src" / "tafelrunde" / "server"
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
RUNNING = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")

NEVER_SENT = {
    "error",  # the root of the family
    "game-over",  # a table that is over says wrong-phase
    "bad-chance", "bad-seed", "bad-pace", "endless",  # nobody can ask a table for these
    "code-taken",  # the service takes another code
}  # fmt: skip
BODIES = (
    wire.NewTable, wire.Sit, wire.Take, wire.Seated, wire.TableState, wire.Lobby, wire.Results, wire.ReplayData,
    wire.Receipts, wire.RecentGames, wire.Refusal, wire.RecordRefusal, wire.DeckRefusal,
)  # fmt: skip
SCHEMA = wire.schema()


# --- Reading pages ------------------------------------------------------------------------------------------------


def section(page: str, title: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", page, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[1]


def tables(text: str) -> list[list[list[str]]]:
    """The rows of each table, without its head."""
    found = re.findall(r"((?:^\|.*\|\n)+)", text, re.MULTILINE)
    return [[[cell.strip() for cell in row.strip("|").split(" | ")] for row in one.splitlines()[2:]] for one in found]


def keys(rows: list[list[str]]) -> list[str]:
    """The first column, less its backquotes."""
    return [row[0].strip("`| ") for row in rows]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def values(text: str) -> Iterator[Any]:
    """JSON values one after the other, however they are laid out."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


# --- Codes --------------------------------------------------------------------------------------------------------


def family(error: type[TafelrundeError] = TafelrundeError) -> Iterator[type[TafelrundeError]]:
    yield error
    for one in error.__subclasses__():
        yield from family(one)


def codes_of_errors() -> set[str]:
    """All errors that can be raised on the server; a client has some of its own."""
    return {one.code for one in family() if one.__module__ in (TafelrundeError.__module__, store_errors.__name__)}


def literal(node: ast.expr) -> set[str]:
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def codes_in_words(file: Path) -> set[str]:
    """Codes written down where something is answered: ``refusal(code, …)``, ``close_with(code, …)``, ``{…}.get``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        if name in ("refusal", "close_with", "_close_connections"):
            found |= literal(node.args[0])
        elif name == "_refuse" and len(node.args) > 1:
            found |= literal(node.args[1])
        elif name == "get" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Dict):
            found |= {code for part in (*node.func.value.values, *node.args) for code in literal(part)}
    return found


def test_every_code_that_can_be_sent_is_in_the_table_and_no_other() -> None:
    [rows] = tables(section(PROTOCOL, "Codes"))
    in_words = {code for file in SERVER.glob("*.py") for code in codes_in_words(file)}
    assert {"seat-moved", "silent", "server-stops", "not-found", "bad-request", "internal"} <= in_words
    listed = keys(rows)
    assert len(listed) == len(set(listed))
    assert set(listed) == (codes_of_errors() | in_words) - NEVER_SENT


def test_the_table_of_codes_says_the_status_of_each() -> None:
    [rows] = tables(section(PROTOCOL, "Codes"))
    for code, _, where in ((row[0].strip("`| "), *row[1:]) for row in rows):
        if code in STATUS:
            assert f"HTTP {STATUS[code]}" in where, code
        elif code in codes_of_errors() and "HTTP" in where:
            assert "422" in where, code


# --- Commands and messages ----------------------------------------------------------------------------------------


def constants(kind: str) -> set[str]:
    """The verbs or types of a union in the schema."""
    return set(SCHEMA["$defs"][kind]["discriminator"]["mapping"])


def test_every_command_is_described_with_its_keys() -> None:
    [rows] = tables(section(PROTOCOL, "Commands"))
    assert set(keys(rows)) == constants("Command") | {"hello"}
    mapping = SCHEMA["$defs"]["Command"]["discriminator"]["mapping"] | {"hello": "#/$defs/Hello"}
    for row in rows:
        known = SCHEMA["$defs"][mapping[row[0].strip("`| ")].rpartition("/")[2]]["properties"]
        assert set(re.findall(r"`(\w+)`", row[1])) == set(known) - {"do", "id", "seat"}, row


def test_every_message_and_every_verb_of_the_house_is_described() -> None:
    messages, house = tables(section(PROTOCOL, "Messages"))
    assert set(keys(messages)) == constants("Message")
    assert set(keys(house)) == set(get_args(wire.House.model_fields["do"].annotation))


def test_every_term_is_described_with_its_default() -> None:
    rows = tables(section(PROTOCOL, "Getting to a table"))[1]
    told = {row[0].strip("`| "): json.loads(row[1].strip("`")) for row in rows}
    assert told == wire.Terms().model_dump()


def test_every_reaction_is_named() -> None:
    assert all(f"`{sign}`" in section(PROTOCOL, "Commands") for sign in wire.REACTIONS)


def test_everything_that_can_be_wrong_with_a_deck_is_described() -> None:
    [rows] = tables(section(PROTOCOL, "A deck of your own"))
    told = {row[0].strip("`| "): (re.findall(r"`(\w+)`", row[1]), row[3] or None) for row in rows}
    assert told == {kind: (re.findall(r"{(\w+)}", sentence), rule) for kind, (sentence, rule) in deck.FAULTS.items()}


# --- Examples -----------------------------------------------------------------------------------------------------


def fits(kind: str, value: Any) -> None:
    Draft202012Validator(SCHEMA | {"$ref": f"#/$defs/{kind}"}).validate(value)


def fits_a_body(value: dict[str, Any]) -> bool:
    for body in BODIES:
        shape = body.model_json_schema()
        if set(value) <= set(shape["properties"]) and Draft202012Validator(shape).is_valid(value):
            return True
    return False


EXAMPLES = [value for block in blocks(PROTOCOL, "json") for value in values(block)]


@pytest.mark.parametrize("value", EXAMPLES, ids=lambda value: str(value.get("type", value.get("do", "body"))))
def test_examples_fit_the_schema(value: dict[str, Any]) -> None:
    if "type" in value:
        fits("Message", value)
        wire.MESSAGES.validate_python(value)
    elif value.get("do") == "hello":
        fits("Hello", value)
    elif "do" in value:
        fits("Command", value)
        wire.COMMANDS.validate_json(json.dumps(value))
    else:
        assert fits_a_body(value)


def test_there_is_an_example_of_every_message() -> None:
    assert {value["type"] for value in EXAMPLES if "type" in value} == constants("Message")


def test_bodies_that_are_sent_with_curl_are_bodies_of_the_api() -> None:
    sent = [body for block in blocks(PROTOCOL, "sh") for body in re.findall(r"-d '(.*?)'", block, re.DOTALL)]
    assert len(sent) >= 3
    assert all(fits_a_body(json.loads(body)) for body in sent)


@pytest.mark.process
def test_the_client_of_the_readme_plays_a_game(tmp_path: Path) -> None:
    [example] = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "py")
    assert example.count(DEFAULT_URL) == 1
    assert example.count("sleep(0.1)") == 1
    server = RunningServer(tmp_path / "tables.db")
    try:
        program = example.replace(DEFAULT_URL, server.url).replace("sleep(0.1)", "sleep(0)")
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    finally:
        server.kill()
    assert done.returncode == 0, done.stderr
    assert "scores=" in done.stdout


# --- Settings and metrics -----------------------------------------------------------------------------------------


def flags() -> dict[str, click.Option]:
    options = [one for one in serve.params if isinstance(one, click.Option)]
    return {option.opts[0]: option for option in options}


def plain(markdown: str) -> str:
    """A text without links and backquotes."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown).replace("`", "")


def test_the_table_of_settings_is_what_the_settings_say() -> None:
    [rows] = tables(section(RUNNING, "Flags and environment"))
    assert [row[0].strip("`| ") for row in rows] == list(flags())
    assert [option.name for option in flags().values()] == list(Settings.model_fields)
    for row, option in zip(rows, flags().values(), strict=True):
        _, variable, default, meaning = row
        assert option.name is not None
        field = Settings.model_fields[option.name]
        assert variable == f"`{option.envvar}`"
        assert plain(meaning).rstrip("| ") == field.description
        if option.name != "db":  # depends on the machine
            named = {"True": "yes", "False": "no", "()": "none", "None": "none"}
            assert default == named.get(str(field.default), f"`{field.default}`"), option.name


def test_every_metric_is_in_the_table_with_its_labels() -> None:
    [rows] = tables(section(RUNNING, "Metrics"))
    made = {
        (one._name + ("_total" if one._type == "counter" else ""), one._type, one._labelnames)
        for one in set(metrics.REGISTRY._collector_to_names)
    }
    told = {(row[0].strip("`| "), row[1], tuple(re.findall(r"`(\w+)`", row[2]))) for row in rows}
    assert told == made


def test_every_event_of_the_log_is_in_the_table() -> None:
    [rows] = tables(section(RUNNING, "Logs"))
    sources = "".join(file.read_text(encoding="utf-8") for file in SERVER.glob("*.py"))
    logged = set(re.findall(r"log\.(?:debug|info|warning|error|exception)\(\s*\"([^\"]+)\"", sources))
    assert {event for row in rows for event in re.findall(r"`([^`]+)`", row[0])} == logged


# --- Promises -----------------------------------------------------------------------------------------------------


def test_every_test_that_the_page_about_security_names_exists() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) > 20
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), test
