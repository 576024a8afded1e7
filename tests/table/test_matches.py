"""Games at a table from their beginning to their record."""

from __future__ import annotations

import json
import random

import pytest

import tafelrunde
from tafelrunde import wire
from tafelrunde.fairness import commitment
from tafelrunde.games import GAMES
from tafelrunde.verification import check
from tests.table.tables import Evening, nonce_of

TABLES = [("buffet", 3), ("buffet", 6), ("chocolat", 2), ("chocolat", 5), ("dash", 2), ("dash", 6)]


def played(game: str, seats: int, seed: int = 1) -> Evening:
    """A game to its end, with nonces of all but the last."""
    evening = Evening(game, seats, people=min(seats, 6))
    evening.pledge_all()
    evening.ask(evening.table.head.people()[-1], "pledge", hash="f" * 64)
    evening.ask(0, "start")
    for seat in evening.table.head.people()[:-1]:
        evening.ask(seat, "nonce", nonce=nonce_of(seat).hex())
    evening.keep(evening.table.begin(evening.now))
    return evening.play(random.Random(seed))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_record_of_a_finished_game_holds_and_its_shuffles_are_proven(game: str, seats: int) -> None:
    record = played(game, seats).record()
    verdict = check(enumerate([record.header, *record.entries], start=1))
    assert verdict.error is None
    assert verdict.finished
    assert verdict.proven
    assert tafelrunde.replay(record).over


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_record_has_the_promised_commitment_the_given_nonces_and_the_secret(game: str, seats: int) -> None:
    evening = played(game, seats)
    record = evening.record()
    assert record.header["fairness"] == {
        "commitment": evening.table.view.commitment,
        "nonces": [nonce_of(seat).hex() for seat in range(seats - 1)] + [None],
    }
    assert commitment(bytes.fromhex(record.entries[-1]["secret"])) == evening.table.view.commitment


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_secret_is_told_with_the_end_and_never_before(game: str) -> None:
    evening = Evening(game)
    secret = evening.table.head.private.secret
    evening.start().play(random.Random(3), 40)
    assert secret not in str(evening.kept())
    assert secret not in evening.table.view.model_dump_json()
    assert secret not in "".join(str(row) for row in evening.store.games(evening.table.id))
    evening.play(random.Random(4))
    assert evening.kept()[-1]["entries"][-1]["secret"] == secret


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_in_the_list_of_results_when_it_is_over(game: str) -> None:
    evening = Evening(game).start()
    [row] = evening.store.games(evening.table.id)
    assert (row.game, row.last, row.result, row.ended) == (1, None, None, None)
    evening.play(random.Random(5))
    [row] = evening.store.games(evening.table.id)
    end = evening.record().entries[-1]
    assert json.loads(row.result or "") == {
        "names": ["Ada", "Bo", "Cy"],
        "scores": end["scores"],
        "places": end["places"],
    }
    assert (row.last, row.ended) == (evening.table.number, evening.now)
    assert evening.phase == "over"
    assert evening.table.to_act == []


def test_the_record_names_those_who_sat_down_to_the_game() -> None:
    evening = Evening().start().play(random.Random(1), 10)
    evening.ask(1, "leave")
    evening.sit("Zoe")
    evening.play(random.Random(1))
    [row] = evening.store.games(evening.table.id)
    assert json.loads(row.header)["seats"] == ["Ada", "Bo", "Cy"]
    assert json.loads(row.result or "")["names"] == ["Ada", "Bo", "Cy"]


def test_games_at_one_table_have_a_record_each_with_other_cards() -> None:
    evening = Evening("chocolat", 3)
    for match in (1, 2, 3):
        evening.pledge_all()
        evening.start().play(random.Random(match))
        if match < 3:
            evening.ask(0, "rematch")
    records = [evening.record(match) for match in (1, 2, 3)]
    assert all(check(enumerate([one.header, *one.entries], start=1)).proven for one in records)
    assert len({one.header["fairness"]["commitment"] for one in records}) == 3
    shuffles = {str(next(entry for entry in one.entries if entry["do"] == "shuffle")) for one in records}
    assert len(shuffles) == 3
    assert [row.game for row in evening.store.games(evening.table.id)] == [1, 2, 3]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_line_is_a_message_of_the_protocol_for_everybody(game: str) -> None:
    evening = Evening(game)
    seen = [frozenset[int](), frozenset({0}), frozenset({1, 2})]
    lines = list(evening.ask(0, "start").lines)
    chooser = random.Random(7)
    while evening.phase == "playing":
        lines += evening.play(chooser, 1).last.lines
    for line in lines:
        for held in seen:
            message = wire.MESSAGES.validate_json(line.encoded(held))
            assert (message.number, message.at) == (line.number, line.at)  # type: ignore[union-attr]
    assert [line.number for line in lines] == list(range(lines[0].number, lines[-1].number + 1))


def test_everybody_is_awaited_by_name() -> None:
    evening = Evening()
    assert evening.table.waits_for() == ["Ada"]
    evening.start()
    assert sorted(evening.table.waits_for()) == ["Ada", "Bo", "Cy"]
    state = evening.table.state()
    assert (state.number, state.to_act) == (evening.table.number, [0, 1, 2])
    evening.play(random.Random(8))
    assert evening.table.waits_for() == ["Ada"]
