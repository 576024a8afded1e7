"""What every game has to keep, whatever its rules: the conformance suite."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Decision, Game, Stream, TafelrundeError, imagine
from tafelrunde.errors import NotYourMoment
from tafelrunde.games import GAMES
from tafelrunde.games.log import LOG_SHIFT
from tafelrunde.record import to_line
from tafelrunde.testing import games, pick, pick_any, random_walk

ANY_GAME = st.sampled_from(sorted(GAMES)).flatmap(games)
ANY_FINISHED_GAME = st.sampled_from(sorted(GAMES)).flatmap(lambda name: games(name, finished=True))
TABLES = [(name, seats) for name, spec in GAMES.items() for seats in spec.seat_range]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_same_seed_and_decisions_give_the_same_game(name: str, seats: int) -> None:
    texts = set()
    for _ in range(2):
        game = tafelrunde.new(name, seats=seats, seed=11, **GAMES[name].quick)
        for _ in islice(random_walk(game, random.Random(12)), 200):
            pass
        texts.add(game.record().text())
    assert len(texts) == 1


@given(ANY_GAME)
def test_decisions_read_back_from_their_repr_and_from_json(game: Game) -> None:
    for seat in game.to_act:
        for decision in list(game.legal(seat))[:40]:
            assert eval(repr(decision)) == decision
            assert Decision.from_json(json.loads(json.dumps(decision.to_json()))) == decision
            assert game.spec.notation.code_of(eval(repr(decision))) == decision.code(game.spec.notation)


@given(ANY_GAME)
def test_what_a_decision_brings_is_what_the_record_gains(game: Game) -> None:
    before = list(game.entries)
    if not game.over:
        seat = game.to_act[-1]
        decision = game.legal(seat)[0]
        entries = list(game.act(seat, decision))
        assert entries[0].items() >= {"by": seat, **decision.to_json()}.items()
        assert list(game.entries) == before + entries


@given(ANY_GAME)
def test_entries_use_the_declared_words_only(game: Game) -> None:
    for entry in game.entries:
        assert entry["do"] in game.spec.notation.verbs
        assert (entry["by"] != "table") == (entry["do"] in game.spec.notation.decisions)


@given(ANY_GAME, st.integers(0, 2**32))
def test_secrecy_an_imagined_world_looks_exactly_the_same(game: Game, seed: int) -> None:
    for seat in (None, *range(game.seats)):
        seen = game.observe(seat)
        other = imagine(seen, Stream(seed))
        assert other.observe(seat).raw.tobytes() == seen.raw.tobytes()
        assert other.to_act == game.to_act
        assert other.freshness(seat) == game.freshness(seat)  # neither does it show when a view is sent
        if seat is not None:
            assert list(other.legal(seat)) == list(game.legal(seat))
            assert to_line(other.observe(seat).to_json()) == to_line(seen.to_json())


@given(ANY_GAME, st.integers(0, 2**32), st.integers(0, 2**32))
def test_secrecy_what_an_opponent_does_unseen_looks_the_same_in_every_imagined_world(
    game: Game, seed: int, walk: int
) -> None:
    """In two worlds that a seat can not tell apart, decisions of others that look the same to it send it the same."""
    chooser = random.Random(walk)
    for seat in range(game.seats):
        one, two = (imagine(game.observe(seat), Stream(seed + i)) for i in range(2))
        for other in [actor for actor in game.to_act if actor != seat and game.legal(actor)][:-1]:
            decision = pick(one, other, chooser)
            alike = looking_like(decision, two, other, seat)
            if alike is None:
                break  # openly impossible in the other world
            streams = [told(world, other, chosen, seat) for world, chosen in ((one, decision), (two, alike))]
            if any('"show"' in line for line in streams[0]):
                break  # a card is uncovered: openly different from here on
            assert streams[0] == streams[1]
            assert one.observe(seat).raw.tobytes() == two.observe(seat).raw.tobytes()
            assert one.freshness(seat) == two.freshness(seat)


def told(world: Game, actor: int, decision: Decision, seat: int) -> list[str]:
    """What a seat is told of a decision; before the actor's hand is ready, the time of the round may have run out."""
    try:
        return [to_line(world.spec.hide(entry, seat)) for entry in world.act(actor, decision)]
    except NotYourMoment as refusal:
        return [str(refusal)]


def looking_like(decision: Decision, world: Game, actor: int, seat: int) -> Decision | None:
    """A decision that the actor has in this world and that looks the same to a seat."""

    def seen(taken: Decision) -> str:
        return to_line(world.spec.hide({"by": actor, **taken.to_json()}, seat))

    return next((legal for legal in world.legal(actor) if seen(legal) == seen(decision)), None)


@given(ANY_GAME)
def test_secrecy_hidden_fields_are_left_out_never_faked(game: Game) -> None:
    for seat, entry in product((None, *range(game.seats)), game.entries):
        seen = game.spec.hide(entry, seat)
        secret = game.spec._secret_of(entry)
        if secret is None or (secret.owner and entry[secret.owner] == seat):
            assert seen == entry
        else:
            assert not seen.keys() & secret.fields
            assert {key: value for key, value in seen.items() if key != "count"}.items() <= entry.items()


@given(ANY_GAME, st.integers(0, 2**32))
def test_an_imagined_game_can_be_played_to_its_end(game: Game, seed: int) -> None:
    world = imagine(game.observe(0), Stream(seed))
    for _ in random_walk(world, random.Random(seed)):
        pass
    assert world.over
    assert min(world.places) == 1


@given(ANY_GAME)
def test_a_refused_decision_changes_nothing(game: Game) -> None:
    before = (game._table.tobytes(), game.record().text(), game.to_act)
    for seat in range(-1, game.seats + 1):
        for wrong in (Decision("sing"), {"do": "lay", "card": 99}, {"do": "exchange", "cards": [9] * 9}):
            with pytest.raises(TafelrundeError) as refused:
                game.act(seat, wrong)
            assert refused.value.code
            assert refused.value.sentence
    assert (game._table.tobytes(), game.record().text(), game.to_act) == before


@given(ANY_FINISHED_GAME)
def test_a_record_is_replayed_to_the_same_end(game: Game) -> None:
    again = tafelrunde.replay(game.record())
    assert again._table.tobytes() == game._table.tobytes()
    assert list(again.entries) == list(game.entries)


@given(st.sampled_from(TABLES), st.integers(0, 2**32))
def test_one_call_never_adds_more_to_the_log_than_the_game_declares(table: tuple[str, int], walk: int) -> None:
    name, seats = table
    game = Game(GAMES[name], ["?"] * seats, GAMES[name].quick, stream=None)
    chooser = random.Random(walk)
    while not game.over:
        words = len(game._archive) + (game._word >> LOG_SHIFT)
        if game.needs:
            order = game.offer()
            chooser.shuffle(order)
            game.supply(order)
        else:
            game.act(*pick_any(game, chooser))
        assert len(game._archive) + (game._word >> LOG_SHIFT) - words <= game.spec.rules.MAX_WORDS


PLAY_AND_DIGEST = """
import hashlib, random, sys
import tafelrunde
from tafelrunde.games.compiler import COMPILED
from tafelrunde.testing import random_walk
digest = hashlib.sha256()
for name, spec in tafelrunde.GAMES.items():
    for seats in spec.seat_range:
        game = tafelrunde.new(name, seats=seats, seed=seats, **spec.quick)
        stream = tafelrunde.Stream(3)
        for number, moment in enumerate(random_walk(game, random.Random(seats))):
            if number == 120:
                break
            digest.update(moment._table.tobytes())
            seat = moment.to_act[0]
            digest.update(moment.observe(seat).raw.tobytes())
            digest.update(tafelrunde.imagine(moment.observe(seat), stream)._table.tobytes())
        digest.update(game.record().text().encode())
print(COMPILED, digest.hexdigest())
"""


@pytest.mark.slow
@pytest.mark.process
def test_compiled_and_plain_rules_are_bit_identical() -> None:
    """The same decisions give the same states, views, imagined states and entries both ways."""
    answers = {}
    for disabled in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", PLAY_AND_DIGEST],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        )
        compiled, digest = done.stdout.split()
        answers[compiled] = digest
    assert answers.keys() == {"True", "False"}
    assert len(set(answers.values())) == 1
