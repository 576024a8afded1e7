"""Types of the games' JSON: decisions, entries and views.

At run time decisions, entries and views are plain dicts. These types describe them, so that the JSON Schema is exact
and clients can generate types from it; they check and convert nothing. Each game's ``notation`` produces the JSON, its
``schema`` describes it, and tests make sure that both agree.

Every type is closed: it has these keys and no others. A key that may be hidden from a seat (docs/record.md) is not
required, and neither is the ``count`` that replaces it. The length of lists and which keys go together is left to the
rules.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter, with_config
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypeAliasType, TypedDict

from tafelrunde.games.registry import GAMES

# --- In every game ------------------------------------------------------------------------------------------------

Whole = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Seat = Annotated[int, Field(ge=0, le=9)]
Time = Whole
"""Milliseconds since the first entry."""
Secret = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@with_config(ConfigDict(extra="forbid", strict=True))
class Closed(TypedDict):
    """These keys and no others; nothing is read as something else."""


class Decided(Closed):
    """An entry that a player has decided."""

    by: Seat


class Followed(Closed):
    """An entry that followed."""

    by: Literal["table"]


class EndEntry(Followed):
    """The game is over."""

    do: Literal["end"]
    scores: list[int]
    places: list[Number]
    secret: NotRequired[Secret]
    """Of a table that proves its shuffles."""


# --- All games ----------------------------------------------------------------------------------------------------

Kind = Literal["DECISION", "ENTRY", "VIEW"]
NAMES: dict[Kind, str] = {"DECISION": "GameDecision", "ENTRY": "GameEntry", "VIEW": "GameView"}


@cache
def type_of(kind: Kind) -> Any:
    """The union of the types of all games."""
    each = [_type_in(id, kind) for id in GAMES]
    union: Any = reduce(or_, each)
    if kind == "VIEW":
        union = Annotated[union, Field(discriminator="game")]
    return TypeAliasType(NAMES[kind], union)


def _type_in(id: str, kind: Kind) -> Any:
    """The type from a game's ``schema``; without one, any object that has the keys of all games."""
    schema = GAMES[id].schema
    if schema is not None:
        return getattr(schema, kind)
    fields: dict[Kind, dict[str, Any]] = {
        "DECISION": {"do": str},
        "ENTRY": {"by": Seat | Literal["table"], "do": str},
        "VIEW": {
            "game": Literal[id], "seat": Seat | None, "to_act": list[Seat], "over": bool, "legal": list[dict[str, Any]],
        },
    }  # fmt: skip
    open_type: Any = TypedDict(f"{id.capitalize()}{kind.capitalize()}", fields[kind])  # type: ignore[misc]
    return with_config(ConfigDict(extra="allow"))(open_type)


class LooksLike:
    """``Annotated[dict[str, Any], LooksLike("ENTRY")]``: a plain dict at run time, typed in the JSON Schema."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(type_of(self.kind)).core_schema)


class WithoutTitles(GenerateJsonSchema):
    """A JSON Schema without titles of fields: they only repeat the names, and type generators turn them into types."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never."""
        return False


def schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """The types of all games by name, to be merged with the ``$defs`` of another JSON Schema.

    >>> [part["$ref"] for part in schema()["BuffetDecision"]["oneOf"]]
    ['#/$defs/BuffetLay', '#/$defs/BuffetExchange']
    """
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (name, "validation", TypeAdapter(type_of(kind))) for kind, name in NAMES.items()
    ]
    _, whole = TypeAdapter.json_schemas(adapters, ref_template=ref_template, schema_generator=WithoutTitles)
    definitions: dict[str, Any] = whole["$defs"]
    return definitions
