"""Prints one JSON Schema of everything that goes over the wire, and some numbers; wire.js makes TypeScript of it.

The names are those of the server's classes. What the server sends has all its keys (but those marked ``LEFT_OUT``),
also where the class has a default; what it is sent may leave a default out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, TypeAdapter

from tafelrunde import wire
from tafelrunde.games.registry import GAMES
from tafelrunde.games.schema import WithoutTitles
from tafelrunde.server.app import make_app
from tafelrunde.table.head import PASS_MS

UNIONS = {"Command": wire.COMMANDS, "Line": TypeAdapter[Any](wire.AnyLine), "Message": wire.MESSAGES}
REF = "#/$defs/"


def bodies() -> list[type[BaseModel]]:
    """What goes over HTTP, besides the words of the games."""
    # The server is used only when a request comes.
    names = make_app(None).openapi()["components"]["schemas"]  # type: ignore[arg-type]
    return list(filter(None, map(model_of, names)))


def definitions() -> dict[str, Any]:
    """All types under their names; made in one go, so no name can stand for two of them."""
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = [
        (name, "validation", adapter) for name, adapter in UNIONS.items()
    ]
    models: list[type[BaseModel]] = [wire.Hello, *bodies()]
    adapters += [(model.__name__, "validation", TypeAdapter(model)) for model in models]
    parts, whole = TypeAdapter.json_schemas(adapters, schema_generator=WithoutTitles)
    defs: dict[str, Any] = whole["$defs"]
    return defs | {name: parts[name, "validation"] for name in UNIONS}


def refs(part: Any) -> Iterator[dict[str, Any]]:
    """Every reference within a schema."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part
        for one in part.values():
            yield from refs(one)
    elif isinstance(part, list):
        for one in part:
            yield from refs(one)


def told(defs: dict[str, Any]) -> set[str]:
    """The models that the server sends, and those within them."""
    found: set[str] = set()
    fresh = {name for name in defs if issubclass(model_of(name) or object, wire.Outgoing)}
    while fresh:
        found |= fresh
        within = {ref["$ref"].removeprefix(REF) for name in fresh for ref in refs(defs[name])}
        fresh = {name for name in within if model_of(name)} - found
    return found


def model_of(name: str) -> type[BaseModel] | None:
    """The model behind a definition; unions and the words of games have none."""
    model = getattr(wire, name, None)
    return model if name not in UNIONS and isinstance(model, type) and issubclass(model, BaseModel) else None


def complete(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """What the server sends it sends whole."""
    fields = model.model_fields.items()
    left_out = {field.alias or name for name, field in fields if wire.LEFT_OUT in field.metadata}
    schema["required"] = [key for key in schema["properties"] if key not in left_out]


def relax(schema: dict[str, Any], both_ways: set[str]) -> None:
    """On the way to the server even those types may leave their defaults out."""
    for ref in refs(schema):
        within = ref["$ref"].removeprefix(REF)
        if within in both_ways:
            ref.clear()
            ref["tsType"] = f"Partial<{within}>"


def longest(kind: Any) -> int:
    """How many characters a line of text may have."""
    most: int = TypeAdapter(kind).json_schema()["maxLength"]
    return most


def constants() -> dict[str, Any]:
    """What the server allows and what it takes for granted, so that the client does not have to say it again."""
    cards = {id: game.rules.CARDS for id, game in GAMES.items() if hasattr(game.rules, "CARDS")}
    return {
        "LIMITS": {"name": longest(wire.Name), "said": longest(wire.Said), "pass_ms": PASS_MS},
        "DEFAULT_TERMS": wire.Terms().model_dump(),
        "CARDS": cards,
    }


def main() -> None:
    """Print the schema."""
    defs = definitions()
    sent = told(defs)
    both_ways = {name for name in sent if not issubclass(model_of(name) or object, wire.Outgoing)}
    assert all("required" not in defs[name] for name in both_ways), "a part of them would have to be there"
    for name in defs.keys() - sent:
        relax(defs[name], both_ways)
    for name in sent:
        complete(defs[name], model_of(name) or BaseModel)
    json.dump({"$defs": dict(sorted(defs.items())), "constants": constants()}, sys.stdout)


if __name__ == "__main__":
    main()
