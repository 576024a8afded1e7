"""A table of chocolat may bring its own cards along."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import tafelrunde
from tafelrunde import wire
from tafelrunde.errors import BadDeck
from tafelrunde.games.chocolat import deck
from tafelrunde.games.chocolat.notation import cards
from tafelrunde.table.head import Head, new_head
from tafelrunde.verification import check
from tests.decks import NAME, POWERS, SPOILT, TURNED, line_of
from tests.table.tables import Evening, portrait


def wanted(game: str, text: str | None) -> wire.NewTable:
    return wire.NewTable(game=game, seats=3, name="Ada", deck=text)


def test_a_table_tells_the_name_of_its_deck() -> None:
    assert Evening("chocolat", deck=TURNED).table.view.deck == NAME
    assert Evening("chocolat").table.view.deck == "reconstructed"
    assert Evening("buffet").table.view.deck is None


def test_the_cards_and_powers_are_those_of_the_file() -> None:
    evening = Evening("chocolat", deck=TURNED).start()
    (shuffle,) = [entry for entry in evening.table.game.entries if entry.get("pile") == "ingredients"]  # type: ignore[union-attr]
    assert Counter(shuffle["order"]) == Counter(cards(deck.parse(TURNED).cards))
    (view,) = evening.table.views(frozenset({0}))
    assert {str(rank): power for rank, power in view.observation["powers"].items()} == POWERS


def test_a_game_with_an_own_deck_is_loaded_and_its_record_holds() -> None:
    evening = Evening("chocolat", people=3, deck=TURNED)
    evening.pledge_all()
    evening.start().play(random.Random(2), 25)
    assert portrait(evening.load(), evening.now) == portrait(evening.table, evening.now)
    evening.play(random.Random(3))
    record = evening.record()
    assert (record.header["deck"], record.header["helpers"]) == (NAME, POWERS)
    verdict = check(enumerate([record.header, *record.entries], start=1))
    assert (verdict.error, verdict.finished, verdict.proven) == (None, True, True)
    assert tafelrunde.replay(record).over


def test_a_rematch_is_played_with_the_same_deck() -> None:
    evening = Evening("chocolat", people=3, deck=TURNED, options={"target": 1}).start().play(random.Random(1))
    evening.ask(0, "rematch")
    evening.start().play(random.Random(2))
    assert evening.record(2).header["deck"] == evening.table.view.deck == NAME
    assert portrait(evening.load(), evening.now) == portrait(evening.table, evening.now)


def test_a_file_that_is_not_sound_is_refused_with_all_that_is_wrong_with_it() -> None:
    with pytest.raises(BadDeck) as refused:
        new_head(wanted("chocolat", SPOILT), "kafemulo")
    assert [(fault.line, fault.rule) for fault in refused.value.faults] == [
        (line_of("9]"), "C2"), (line_of("luck"), "C15"),
    ]  # fmt: skip


@pytest.mark.parametrize("game", ["buffet", "dash"])
def test_other_games_have_always_the_same_cards(game: str) -> None:
    with pytest.raises(BadDeck, match="always the same"):
        new_head(wanted(game, TURNED), "kafemulo")


def test_a_table_from_before_decks_could_be_brought_along_is_still_read() -> None:
    head = Evening("chocolat").table.head
    old = head.model_dump()
    del old["deck"], old["view"]["deck"]
    read = Head.model_validate(old)
    assert read.read_deck() is deck.STANDARD
    assert read.view.deck is None
