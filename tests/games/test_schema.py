"""The types of decisions, entries and views say what the games say: all of it, and nothing else."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from tafelrunde import Game, Observation
from tafelrunde.fairness import Dealer
from tafelrunde.games import GAMES, schema
from tafelrunde.games.buffet.notation import DISHES, PLATE_NAMES, VALUES
from tafelrunde.games.chocolat.deck import INGREDIENTS, POWERS, RANKS
from tafelrunde.games.chocolat.notation import CARD_CODES as CHOCOLAT_CARDS
from tafelrunde.games.dash.notation import CARD_NAMES as DASH_CARDS
from tafelrunde.games.dash.state import PLACES
from tafelrunde.record import to_line
from tafelrunde.testing import act_in_time, games, pick_any

Shape = dict[str, Any]
SHAPES = schema.schema()
KINDS = {
    (spec.id, kind): TypeAdapter[Any](getattr(spec.schema, kind.upper()))
    for spec, kind in product(GAMES.values(), ("Decision", "Entry", "View"))
}
ANY_GAME = st.sampled_from(sorted(GAMES)).flatmap(games)
TABLES = [(name, seats) for name, spec in GAMES.items() for seats in spec.seat_range]


def named(game: str, kind: str) -> Shape:
    return SHAPES[f"{game.capitalize()}{kind}"]  # type: ignore[no-any-return]


def resolved(shape: Shape) -> Shape:
    while "$ref" in shape:
        shape = SHAPES[shape["$ref"].rpartition("/")[2]]
    return shape


def variants(shape: Shape) -> dict[str, list[Shape]]:
    """The objects of a union by verb; there is one for every pile that is shuffled."""
    by_verb = {verb: resolved({"$ref": ref}) for verb, ref in shape["discriminator"]["mapping"].items()}
    return {verb: list(map(resolved, part.get("oneOf", [part]))) for verb, part in by_verb.items()}


# --- What games say fits the types --------------------------------------------------------------------------------


@settings(max_examples=60)
@given(ANY_GAME)
def test_decisions_entries_and_views_of_any_game_fit_their_types(game: Game) -> None:
    for seat in (None, *range(game.seats)):
        KINDS[game.spec.id, "View"].validate_json(to_line(game.observe(seat).to_json()))
    for line in {to_line(decision.to_json()) for seat in game.to_act for decision in game.legal(seat)}:
        KINDS[game.spec.id, "Decision"].validate_json(line)
    for line in {to_line(entry) for entry in entries_of(game)}:
        KINDS[game.spec.id, "Entry"].validate_json(line)


def entries_of(game: Game) -> Iterator[Shape]:
    """As they stand in the record, and as every seat and a spectator see them."""
    yield from game.entries
    for seat in (None, *range(game.seats)):
        yield from game.seen_by(seat)


# --- Nothing in the types is invented -----------------------------------------------------------------------------
# A point is something that a type allows: a field, that it is missing, a word of a list, a branch.


def points(shape: Shape, at: str, found: set[str]) -> None:
    """Everything that a type allows, and all types in it."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        if name not in found:
            found.add(name)
            points(SHAPES[name], name, found)
    for number, branch in enumerate(branches(shape)):
        found.add(f"{at}|{number}")
        points(branch, f"{at}|{number}", found)
    found |= {f"{at}={json.dumps(word)}" for word in words(shape)}
    for key, part in shape.get("properties", {}).items():
        found.add(f"{at}.{key}")
        if key not in shape.get("required", ()):
            found.add(f"{at} without {key}")
        points(part, f"{at}.{key}", found)
    if "items" in shape:
        points(shape["items"], f"{at}[]", found)


def touched(shape: Shape, value: Any, at: str, found: set[str]) -> None:
    """What of it a value makes use of."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        found.add(name)
        touched(SHAPES[name], value, name, found)
    for number, branch in enumerate(branches(shape)):
        if fits(branch, value):
            found.add(f"{at}|{number}")
            touched(branch, value, f"{at}|{number}", found)
    if words(shape):
        found.add(f"{at}={json.dumps(value)}")
    for key, part in shape.get("properties", {}).items():
        if key in value:
            found.add(f"{at}.{key}")
            touched(part, value[key], f"{at}.{key}", found)
        else:
            found.add(f"{at} without {key}")
    for item in value if "items" in shape else ():
        touched(shape["items"], item, f"{at}[]", found)


def branches(shape: Shape) -> list[Shape]:
    return shape.get("anyOf") or shape.get("oneOf") or []


def words(shape: Shape) -> list[object]:
    return [False, True] if shape.get("type") == "boolean" else shape.get("enum", [])


def fits(shape: Shape, value: Any) -> bool:
    """Is this the branch of a union that a value belongs to? Its content has been validated before."""
    shape = resolved(shape)
    if "oneOf" in shape:
        return any(fits(branch, value) for branch in shape["oneOf"])
    if shape["type"] == "object":
        consts = {key: part["const"] for key, part in shape["properties"].items() if "const" in part}
        return isinstance(value, dict) and all(value.get(key) == const for key, const in consts.items())
    if shape["type"] == "array":
        return isinstance(value, list) and ("items" not in shape or all(fits(shape["items"], item) for item in value))
    return isinstance(value, {"null": type(None), "integer": int, "string": str}[shape["type"]])


def moments(name: str, seats: int) -> Iterator[Game]:
    """A fair game from before the first shuffle to its end; also those without need for it have their time."""
    options: dict[str, Any] = dict(GAMES[name].quick)
    if name == "dash":
        options |= {"pace_ms": 40, "round_limit_s": 5 if seats % 2 else 0, "target": 1 if seats > 8 else 75}
    game = Game(GAMES[name], ["?"] * seats, options, stream=None)
    dealer, chooser = Dealer(bytes(32), [None] * seats), random.Random(seats)
    number = 0
    while not game.over:
        yield game
        number += 1
        if game.needs:
            game.supply(dealer.order(game))
            continue
        seat, decision = pick_any(game, chooser)
        if game.spec.in_real_time:
            act_in_time(game, seat, decision, chooser.choice((0, 0, 70, 500)))
        else:
            game.act(seat, decision, None if number % 2 else 100 * number)
    yield game


def views_of(game: Game, number: int) -> Iterator[Observation]:
    """Of one seat after the other; in real time, where there are many moments, now and then, and of a hand as well."""
    if not game.spec.in_real_time:
        yield seen_from(game, number)
    elif number % 8 == 0 or game.needs or game.over:
        yield seen_from(game, number // 8)
        yield game.observe_hand(number // 8 % game.hands)


def seen_from(game: Game, number: int) -> Observation:
    seat = number % (game.seats + 1)
    return game.observe(seat if seat < game.seats else None)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_everything_that_the_types_allow_happens(name: str) -> None:
    allowed: set[str] = set()
    happened: set[str] = set()
    kinds = {kind: {"$ref": f"#/$defs/{name.capitalize()}{kind}"} for kind in ("Decision", "Entry", "View")}
    for shape in kinds.values():
        points(shape, "", allowed)
    for seats in GAMES[name].seat_range:
        told = set()
        for number, game in enumerate(moments(name, seats)):
            told |= {("View", to_line(view.to_json())) for view in views_of(game, number)}
        dealer = Dealer(bytes(32), [None] * seats)
        told |= {("Entry", to_line(said)) for entry in entries_of(game) for said in (entry, dealer.disclose(entry))}
        for kind, line in told:
            KINDS[name, kind].validate_json(line)
            touched(kinds[kind], json.loads(line), "", happened)
    assert sorted(allowed - happened) == []
    assert sorted(happened - allowed) == []


# --- Types and notations name the same ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_verbs_and_fields_are_those_of_the_notation(name: str) -> None:
    notation = GAMES[name].notation
    decisions, entries = variants(named(name, "Decision")), variants(named(name, "Entry"))
    assert decisions.keys() == set(notation.decisions)
    assert entries.keys() == notation.verbs
    for verb, (decision,) in decisions.items():
        fields = decision["properties"].keys() - {"do"}
        assert fields <= notation.decisions[verb]
        for entry in entries[verb]:
            assert entry["properties"].keys() == fields | {"do", "by", "ms"}
    for verb, of_verb in entries.items():
        assert all((entry["properties"]["by"].get("const") == "table") == (verb not in decisions) for entry in of_verb)


@pytest.mark.parametrize("name", GAMES)
def test_piles_and_options_left_to_chance_are_those_of_the_notation(name: str) -> None:
    entries = variants(named(name, "Entry"))
    told = {("shuffle", shuffle["properties"]["pile"]["const"]) for shuffle in entries["shuffle"]}
    told |= {("choose", choose["properties"]["option"]["const"]) for choose in entries["choose"]}
    assert told == {(chance.do, chance.of) for chance in GAMES[name].notation.chances.values()}


@pytest.mark.parametrize("name", GAMES)
def test_a_view_has_what_the_observation_shows(name: str) -> None:
    view = named(name, "View")
    assert view["required"] == list(view["properties"]) == ["game", *GAMES[name].observation.shown, "legal"]


def matching(name: str, candidates: set[str]) -> set[str]:
    return {text for text in candidates if re.search(SHAPES[name]["pattern"], text)}


def test_cards_and_plates_are_those_of_the_notations() -> None:
    digits = range(-1, 12)
    plates = {f"{dish}{value}" for dish, value in product((*DISHES, "soup"), digits)}
    assert matching("BuffetPlate", plates) == set(PLATE_NAMES)
    cards = {f"{sign}{digit}" for sign, digit in product("ABCDEFGHX", digits)} | {"X"}
    assert matching("DashCard", cards) == set(DASH_CARDS)
    assert matching("DashFood", cards) == set(DASH_CARDS) - {"X"}
    ingredients = {"-".join(map(str, card)) for card in product((*INGREDIENTS, "salt"), digits, digits)}
    assert matching("ChocolatCard", ingredients) == set(CHOCOLAT_CARDS)


def test_lists_of_words_are_those_of_the_notations() -> None:
    assert list(SHAPES["BuffetStacks"]["properties"]) == list(DISHES)
    assert SHAPES["BuffetValue"]["enum"] == list(VALUES)
    assert SHAPES["BuffetCard"]["enum"] == list(range(-1, 10))
    assert SHAPES["DashPlace"]["maximum"] == PLACES - 1
    assert SHAPES["ChocolatIngredient"]["enum"] == list(INGREDIENTS)
    assert SHAPES["ChocolatPower"]["enum"] == list(POWERS)
    assert SHAPES["ChocolatRank"]["enum"] == list(RANKS)


# --- Exact, and for nothing at run time ---------------------------------------------------------------------------


def test_every_type_is_closed() -> None:
    objects = {name: shape for name, shape in SHAPES.items() if shape.get("type") == "object"}
    assert len(objects) > 60
    assert [name for name, shape in objects.items() if shape["additionalProperties"] is not False] == []


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("Decision", '{"do":"lay"}'),
        ("Decision", '{"do":"lay","card":7,"helper":1}'),
        ("Decision", '{"do":"lay","card":10}'),
        ("Decision", '{"do":"lay","card":"7"}'),
        ("Decision", '{"do":"sing"}'),
        ("Decision", '{"card":7}'),
        ("Entry", '{"by":true,"do":"lay"}'),
        ("Entry", '{"by":1.0,"do":"lay"}'),
        ("Entry", '{"by":"table","do":"lay"}'),
        ("Entry", '{"by":0,"do":"lay","count":1}'),
        ("Entry", '{"by":"table","do":"shuffle","pile":"plates","order":[1]}'),
    ],
)
def test_what_is_not_said_in_a_game_does_not_fit(kind: str, line: str) -> None:
    with pytest.raises(ValidationError):
        KINDS["buffet", kind].validate_json(line)


def test_an_annotated_dict_has_the_schema_and_stays_a_plain_dict() -> None:
    class Message(BaseModel):
        entries: list[Annotated[dict[str, Any], schema.LooksLike("ENTRY")]]
        decision: Annotated[dict[str, Any], schema.LooksLike("DECISION")]
        view: Annotated[dict[str, Any], schema.LooksLike("VIEW")] | None = None

    said = {"do": "what nobody knows"}
    assert Message(entries=[said], decision=said).model_dump(exclude_none=True) == {"entries": [said], "decision": said}
    for mode in ("validation", "serialization"):
        shape = Message.model_json_schema(mode=mode, schema_generator=schema.WithoutTitles)
        assert shape["$defs"] == SHAPES
        assert shape["properties"]["entries"] == {"type": "array", "items": {"$ref": "#/$defs/GameEntry"}}
        assert shape["properties"]["decision"] == {"$ref": "#/$defs/GameDecision"}
