"""The rooms of the package and who imports whom; docs/graph.py reads it from the sources."""

from __future__ import annotations

import pytest
from docs import graph

ROOMS = graph.room_graph()


def test_every_room_has_its_layer() -> None:
    assert sorted(ROOMS) == sorted(room for layer in graph.LAYERS for room in layer)


def test_no_arrow_points_the_wrong_way() -> None:
    assert graph.wrong_arrows(ROOMS) == []


@pytest.mark.parametrize(
    ("room", "allowed"),
    [
        ("games", {"errors", "folders"}),
        ("client", {"wire", "errors", "nonces"}),
        ("store", {"errors"}),
    ],
)
def test_some_rooms_know_very_few_others(room: str, allowed: set[str]) -> None:
    assert ROOMS[room] <= allowed


def test_a_table_knows_no_store() -> None:
    assert "store" not in ROOMS["table"]


def test_nobody_imports_the_server_but_those_who_start_it() -> None:
    assert {room for room, others in ROOMS.items() if "server" in others} <= {"cli", "compile_cache", "doctor"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for the type checker alone."""
    assert graph.cycles(graph.module_graph()) == []


def test_a_wrong_arrow_and_a_circle_would_be_found() -> None:
    assert graph.wrong_arrows({"games": {"server"}, "server": {"games"}}) == ["games -> server"]
    assert graph.cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_the_picture_in_the_docs_is_the_graph() -> None:
    page = graph.PAGE.read_text(encoding="utf-8")
    assert page == graph.drawn(page), "make graph draws it anew"
