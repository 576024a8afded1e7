"""Proof of shuffles: dealt from a secret and nonces, dealt again by whoever knows them, and what is found out."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Record, bots, fairness
from tafelrunde.errors import BadChance, BadRecord, BadSeats, Malformed
from tafelrunde.fairness import Dealer, Fairness, commitment, deal, record_of
from tafelrunde.game import DEFAULT_NAMES, Game
from tafelrunde.games import GAMES
from tafelrunde.games.chocolat import deck
from tafelrunde.games.compiler import COMPILED
from tafelrunde.games.contract import Deck
from tafelrunde.record import to_line
from tafelrunde.verification import check
from tests.records import Lines, first, lines_of, write
from tests.test_docs import ROOT, blocks

SECRET = hashlib.sha256(b"what the table alone knew").digest()
ADA = hashlib.sha256(b"what Ada made up").digest()
BO = hashlib.sha256(b"what Bo made up").digest()
WRONG = "0" * 64
PLAYERS = {"buffet": "greedy", "dash": "greedy", "chocolat": "random"}
"""The bot of each game that soonest comes to an end, also as plain Python."""

values = st.binary(min_size=32, max_size=32)
whole_games = settings(max_examples=15 if COMPILED else 2)


def new(name: str, seats: int, own: Deck | None = None, **options: Any) -> Game:
    """A game that waits for its dealer; just long enough that each game shuffles again."""
    short = {**GAMES[name].quick, **({"target": 45} if name == "chocolat" else {})}
    return Game(GAMES[name], DEFAULT_NAMES[:seats], {**short, **options}, None, own)


def play(game: Game, dealer: Dealer, seed: int = 1) -> Game:
    """Bots play to the end; they sit down anew after each shuffle, because bots can not play on across one."""
    players = [bots.find(game.spec.id, PLAYERS[game.spec.id])] * game.seats
    number = 0
    while not game.over:
        deal(game, dealer)
        for _ in bots.steps(game, players, seed=seed, number=number):
            if game.needs is not None:
                break
        number += 1
    return game


@cache
def fair(name: str, seats: int = 3) -> Record:
    """A finished fair game in which only the first two seats are people."""
    dealer = Dealer(SECRET, [ADA, BO, *[None] * (seats - 2)])
    return record_of(play(new(name, seats), dealer), dealer)


def proven(record: Record) -> bool:
    return check(enumerate([record.header, *record.entries], start=1)).proven


def chances(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry["do"] in ("choose", "shuffle")]


# --- The derivation -------------------------------------------------------------------------------------------------


def test_a_known_secret_and_nonces_give_a_known_order() -> None:
    """Golden: whoever changes the derivation makes all fair records wrong."""
    dealer = Dealer(bytes(range(32)), [bytes(range(100, 132)), None, bytes(32)])
    assert dealer.fairness.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    game = new("chocolat", 3)
    choose, ingredients, helpers = chances(deal(game, dealer))
    assert choose == {"by": "table", "do": "choose", "option": "pantry_seat", "value": 0}
    assert ingredients["order"][:4] == ["eggs-7-1", "eggs-5-3", "eggs-6-2", "sugar-4-3"]
    assert helpers["order"] == [3, 7, 4, 2, 6, 1, 5]


def test_the_derivation_is_the_one_of_the_docs() -> None:
    """Number by number, with nothing of ours."""
    key = hashlib.sha256(SECRET + b"\x01" + ADA + b"\x00" * 33 + b"\x01" + BO).digest()
    numbers = [int.from_bytes(hashlib.sha256(key + bytes(7) + bytes([i])).digest(), "big") for i in range(6)]
    dealer = Dealer(SECRET, [ADA, None, BO])
    assert dealer.recompute({"do": "choose", "value": 0})["value"] == numbers[0] % 3
    pile = ["X", "A1", "G7", "X", "B2"]
    items = ["A1", "B2", "G7", "X", "X"]
    for i, number in zip((4, 3, 2, 1), numbers[1:], strict=False):
        j = number % (i + 1)
        items[i], items[j] = items[j], items[i]
    assert dealer.recompute({"do": "shuffle", "order": pile})["order"] == items
    assert dealer.recompute({"do": "choose", "value": 0})["value"] == numbers[5] % 3
    assert pile == ["X", "A1", "G7", "X", "B2"]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_chosen_is_always_one_of_all_seats(name: str) -> None:
    for seats in GAMES[name].seat_range:
        game = new(name, seats)
        assert game.needs is not None
        assert game.needs.do == "choose"
        assert sorted(game.offer()) == list(range(seats))


@given(values, values)
def test_a_nonce_counts_only_at_its_seat_and_none_is_not_zeros(secret: bytes, nonce: bytes) -> None:
    tables: list[list[bytes | None]] = [
        [nonce, None, None],
        [None, nonce, None],
        [None, None, nonce],
        [None] * 3,
        [bytes(32), None, None],
    ]
    pile = {"do": "shuffle", "order": list(range(40))}
    orders = {tuple(Dealer(secret, nonces).recompute(pile)["order"]) for nonces in tables}
    assert len(orders) == (4 if nonce == bytes(32) else 5)


@given(values, st.lists(st.none() | values, min_size=3, max_size=3), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_the_pile_lay(
    secret: bytes, nonces: list[bytes | None], mixer: random.Random
) -> None:
    """Nor on our codes: what is offered in any order, and what is written in any order, gives the same entry."""
    game = new("dash", 3, first_opener=0)
    offered = mixer.sample(game.offer(), len(game.offer()))
    game.offer = lambda: offered  # type: ignore[method-assign]
    dealt = chances(game.supply(Dealer(secret, nonces).order(game)))[0]
    mixed = dealt | {"order": mixer.sample(dealt["order"], len(dealt["order"]))}
    assert Dealer(secret, nonces).recompute(mixed) == dealt


def test_every_first_place_comes_up_about_as_often() -> None:
    """Chi-square of who starts, what lies on top and what at the bottom, over a fixed set of secrets."""
    rounds = 3000
    counts: dict[str, Counter[int]] = {"start": Counter(), "top": Counter(), "bottom": Counter()}
    for number in range(rounds):
        dealer = Dealer(hashlib.sha256(str(number).encode()).digest(), [ADA, None, BO, None, None])
        counts["start"][dealer.recompute({"do": "choose"})["value"]] += 1
        order = dealer.recompute({"do": "shuffle", "order": list(range(10))})["order"]
        counts["top"][order[0]] += 1
        counts["bottom"][order[-1]] += 1
    for what, kinds, limit in (("start", 5, 18.5), ("top", 10, 27.9), ("bottom", 10, 27.9)):  # one in a thousand
        expected = rounds / kinds
        assert sum((counts[what][kind] - expected) ** 2 / expected for kind in range(kinds)) < limit


# --- Dealing --------------------------------------------------------------------------------------------------------


@whole_games
@given(st.sampled_from(sorted(GAMES)), st.data())
def test_every_fair_game_is_proven_and_has_its_cards_from_the_dealer_alone(name: str, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(list(GAMES[name].seat_range)))
    secret = data.draw(values)
    nonces = data.draw(st.lists(st.none() | values, min_size=seats, max_size=seats))
    dealer = Dealer(secret, nonces)
    game = play(new(name, seats), dealer, seed=data.draw(st.integers(0, 1000)))
    record = record_of(game, dealer)
    assert proven(record)
    again = Dealer(secret, nonces)
    assert [again.recompute(entry) for entry in chances(record.entries)] == chances(record.entries)
    assert Fairness.from_json(record.header["fairness"], seats) == dealer.fairness


def test_a_deck_of_ones_own_is_dealt_and_proven() -> None:
    """A replay knows its cards from the first shuffle only."""
    own = deck.Deck("mine", deck.STANDARD.cards, deck.STANDARD.helpers, {})
    dealer = Dealer(SECRET, [ADA, None])
    record = record_of(play(new("chocolat", 2, own), dealer), dealer)
    assert proven(record)
    assert record.header["deck"] == "mine"


def test_deal_gives_everything_up_to_the_first_decision() -> None:
    game = new("buffet", 3)
    entries = deal(game, Dealer(SECRET, [ADA, BO, None]))
    assert entries == list(game.entries)
    assert [entry["do"] for entry in entries[:3]] == ["choose", "shuffle", "shuffle"]
    assert game.needs is None
    assert deal(game, Dealer(SECRET, [ADA, BO, None])) == []


def test_the_secret_is_told_at_the_end_and_not_before() -> None:
    dealer = Dealer(SECRET, [ADA, BO, None])
    game = new("buffet", 3)
    deal(game, dealer)
    assert SECRET.hex() not in record_of(game, dealer).text()
    record = record_of(play(game, dealer), dealer)
    assert record.text().count(SECRET.hex()) == 1
    assert list(record.entries[-1]) == ["by", "do", "scores", "places", "secret"]


def test_what_a_dealer_refuses() -> None:
    for secret, nonce in ((b"short", None), (SECRET, b""), (SECRET, bytes(33))):
        with pytest.raises(Malformed):
            Dealer(secret, [nonce])
    dealer = Dealer(SECRET, [ADA, BO, None])
    with pytest.raises(BadSeats):
        dealer.order(new("buffet", 4))
    game = new("buffet", 3)
    deal(game, dealer)
    with pytest.raises(BadChance):
        dealer.order(game)


def test_fresh_values_are_new_and_read_back() -> None:
    one, other = fairness.fresh(), fairness.fresh()
    assert one != other
    assert fairness.read_hex(one.hex()) == one
    assert len(one) == fairness.SIZE
    assert commitment(one) == hashlib.sha256(one).hexdigest()
    for wrong in (
        None,
        7,
        one.hex()[1:],
        one.hex() + "0",
        "A" * 64,
        "g" * 64,
        " " + "0" * 63,
        "٠" * 64,
        "0" * 64 + "\n",
    ):
        with pytest.raises(Malformed):
            fairness.read_hex(wrong)


# --- What verify finds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_verdict_says_what_is_proven(name: str, tmp_path: Path) -> None:
    record = fair(name)
    verdict = tafelrunde.verify(write(tmp_path / "fair.tafel", lines_of(record)))
    assert str(verdict) == f"holds: {name}, 3 seats, {len(record.entries) + 1} lines, finished, shuffles proven"
    unfinished = tafelrunde.verify(write(tmp_path / "unfinished.tafel", lines_of(record)[:-1]))
    assert str(unfinished) == f"holds: {name}, 3 seats, {len(record.entries)} lines, unfinished"
    assert unfinished.holds
    assert not unfinished.proven


def swap(lines: Lines, at: int) -> None:
    """Two different cards at the very bottom of a pile change places, where hardly a rule would notice."""
    order: list[Any] = lines[at]["order"]  # type: ignore[assignment]
    other = next(i for i in range(len(order) - 1, -1, -1) if order[i] != order[-1])
    order[-1], order[other] = order[other], order[-1]


Change = Callable[[Lines], object]
PROMISES: dict[str, tuple[Change, str]] = {
    "no object": (lambda ls: ls[0].update(fairness=[]), "'fairness'"),
    "null": (lambda ls: ls[0].update(fairness=None), "'fairness'"),
    "no commitment": (lambda ls: ls[0]["fairness"].pop("commitment"), "64"),  # type: ignore[attr-defined]
    "a short commitment": (lambda ls: promise(ls).update(commitment="ab"), "64"),
    "capitals": (lambda ls: promise(ls).update(commitment=promise(ls)["commitment"].upper()), "64"),
    "no nonces": (lambda ls: promise(ls).pop("nonces"), "each of the 3 seats"),
    "a nonce too many": (lambda ls: promise(ls)["nonces"].append(None), "each of the 3 seats"),
    "a nonce too few": (lambda ls: promise(ls)["nonces"].pop(), "each of the 3 seats"),
    "a number for a nonce": (lambda ls: promise(ls)["nonces"].__setitem__(2, 0), "64"),
    "an empty nonce": (lambda ls: promise(ls)["nonces"].__setitem__(2, ""), "64"),
}


def promise(lines: Lines) -> dict[str, Any]:
    return lines[0]["fairness"]  # type: ignore[return-value]


@pytest.mark.parametrize("damage", PROMISES)
def test_a_promise_that_is_none_is_named_on_the_first_line(damage: str) -> None:
    change, reason = PROMISES[damage]
    lines = lines_of(fair("buffet"))
    change(lines)
    for cut in (lines, lines[:1]):
        error = check(enumerate(cut, start=1)).error
        assert error is not None
        assert (error.line, error.rule) == (1, None)
        assert reason in error.sentence


RULES = {
    "buffet": ["B5", "B5", "B5", "B18"],
    "dash": ["D6", "D4", "D5", "D4", "D5"],
    "chocolat": ["C6", "C4", "C6", "C7"],
}
"""The rules behind what is left to chance in the fair game of three, one after the other."""


def assert_fault(lines: Lines, line: int, reason: str, rule: str | None) -> None:
    verdict = check(enumerate(lines, start=1))
    assert verdict.error is not None, "the damage went unnoticed"
    assert (verdict.error.line, verdict.error.rule) == (line, rule)
    assert reason in verdict.error.sentence
    assert not verdict.proven


@pytest.mark.parametrize("name", GAMES)
def test_a_wrong_or_missing_secret_is_named_on_the_last_line(name: str) -> None:
    for secret, reason in ((WRONG, "commitment"), ("ab", "64"), (None, "'secret'"), (7, "'secret'")):
        lines = lines_of(fair(name))
        lines[-1]["secret"] = secret
        assert_fault(lines, len(lines), reason, None)
    lines = lines_of(fair(name))
    del lines[-1]["secret"]
    assert_fault(lines, len(lines), "'secret'", None)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("nonces", [[WRONG, BO.hex(), None], [ADA.hex(), None, None], [BO.hex(), ADA.hex(), None]])
def test_other_nonces_are_noticed_at_the_first_chance(name: str, nonces: list[str | None]) -> None:
    """A choice of three seats may come out the same by chance; the shuffle after it does not."""
    lines = lines_of(fair(name))
    promise(lines)["nonces"] = nonces
    dealer = Dealer(SECRET, Fairness.from_json(promise(lines), 3).nonces)
    same = dealer.recompute(lines[1]) == lines[1]
    line, chance = (first(lines, "shuffle") + 1, "order") if same else (2, "choice")
    assert_fault(lines, line, f"another {chance} of", RULES[name][same])


def dealt_unfairly(name: str, at: int) -> Lines:
    """A game in which the table has changed one chance entry and gone on by the rules."""
    dealer = Dealer(SECRET, [ADA, BO, None])
    honest = dealer.order
    calls = iter(range(10_000))

    def cheat(game: Game) -> list[int]:
        order = honest(game)
        if next(calls) != at:
            return order
        if len(order) == 1:
            return [(order[0] + 1) % game.seats]
        other = next(i for i, code in enumerate(order) if code != order[0])
        order[0], order[other] = order[other], order[0]
        return order

    dealer.order = cheat  # type: ignore[method-assign]
    return lines_of(record_of(play(new(name, 3), dealer), dealer))


@pytest.mark.parametrize("name", GAMES)
def test_a_table_that_cheats_is_found_out_at_the_line_where_it_did(name: str) -> None:
    assert len(chances(fair(name).entries)) == len(RULES[name])
    for at, rule in enumerate(RULES[name]):
        lines = dealt_unfairly(name, at)
        line = [i for i, line in enumerate(lines, start=1) if line.get("do") in ("choose", "shuffle")][at]
        plain: Lines = [{key: value for key, value in lines[0].items() if key != "fairness"}, *lines[1:]]
        assert check(enumerate(plain, start=1)).finished, "by the rules all is well"
        assert check(enumerate(lines[:-1], start=1)).holds, "nothing can be proven before the secret is out"
        what = f"choice of {lines[line - 1]['option']}" if at == 0 else f"order of {lines[line - 1]['pile']}"
        assert_fault(lines, line, f"another {what}.", rule)
        lines[-1]["scores"] = [0, 0, 0]
        assert_fault(lines, line, what, rule)


def test_a_secret_without_a_promise_is_a_key_that_nobody_knows() -> None:
    lines = lines_of(fair("buffet"))
    del lines[0]["fairness"]
    for secret in (SECRET.hex(), "of the kitchen"):
        lines[-1]["secret"] = secret
        verdict = check(enumerate(lines, start=1))
        assert verdict.finished
        assert not verdict.proven
        assert str(verdict).endswith(", finished")


def test_keys_that_nobody_knows_are_passed_over_in_a_promise_too() -> None:
    lines = lines_of(fair("buffet"))
    promise(lines)["mood"] = "good"
    lines[2]["mood"] = "better"
    assert check(enumerate(lines, start=1)).proven


@given(st.data())
def test_nothing_in_the_place_of_a_promise_or_secret_crashes_the_check(data: st.DataObject) -> None:
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | values.map(bytes.hex),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
    lines = lines_of(fair("buffet"))
    holders = {"fairness": lines[0], "commitment": promise(lines), "nonces": promise(lines), "secret": lines[-1]}
    key = data.draw(st.sampled_from(sorted(holders)))
    holders[key][key] = data.draw(anything)
    verdict = check(enumerate(lines, start=1))
    assert verdict.proven or (verdict.error is not None and verdict.error.sentence)


def test_replay_raises_what_verify_says() -> None:
    record = fair("buffet")
    assert tafelrunde.replay(record).over
    lines = lines_of(record)
    lines[-1]["secret"] = WRONG
    with pytest.raises(BadRecord) as caught:
        tafelrunde.replay(Record(lines[0], lines[1:]))
    assert caught.value.line == len(lines)


# --- What the page says ---------------------------------------------------------------------------------------------

PAGE = ROOT / "docs" / "record.md"


def checker() -> str:
    (found,) = (block for block in blocks(PAGE, "python") if "hashlib" in block)
    return found


def run_checker(path: Path) -> subprocess.CompletedProcess[str]:
    """As a file of its own, by a Python that has nothing but its standard library."""
    program = path.with_name("checker.py")
    program.write_text(checker(), encoding="utf-8")
    return subprocess.run([sys.executable, "-I", "-S", program, path], capture_output=True, text=True)


def test_the_checker_of_the_page_is_short() -> None:
    assert len([line for line in checker().splitlines() if line]) <= 20


@pytest.mark.process
@pytest.mark.parametrize("name", GAMES)
def test_the_checker_of_the_page_passes_what_is_sound_and_finds_what_is_not(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.tafel"
    done = run_checker(write(path, lines_of(fair(name))))
    assert (done.returncode, done.stdout) == (0, f"{path}: shuffles proven\n"), done.stderr
    sound = lines_of(fair(name))
    shuffles = [i for i, line in enumerate(sound) if line.get("do") == "shuffle"]
    other = {"value": (sound[1]["value"] + 1) % 3}  # type: ignore[operator]
    damage: list[tuple[Change, int]] = [
        (lambda ls: ls[-1].update(secret=WRONG), len(sound)),
        (lambda ls: ls[1].update(other), 2),
        *[(lambda ls, at=at: swap(ls, at), at + 1) for at in shuffles],
    ]
    for change, line in damage:
        lines = lines_of(fair(name))
        change(lines)
        done = run_checker(write(path, lines))
        assert done.returncode == 1
        assert done.stderr.startswith(f"{path}: line {line}: ")


@pytest.mark.process
@pytest.mark.parametrize("name", GAMES)
def test_the_checker_of_the_page_finds_another_nonce_where_verify_does(name: str, tmp_path: Path) -> None:
    for nonces in ([WRONG, BO.hex(), None], [ADA.hex(), None, None], [ADA.hex(), BO.hex(), WRONG]):
        lines = lines_of(fair(name))
        promise(lines)["nonces"] = nonces
        path = write(tmp_path / "game.tafel", lines)
        done, verdict = run_checker(path), tafelrunde.verify(path)
        assert verdict.error is not None
        assert done.returncode == 1
        assert done.stderr.startswith(f"{path}: line {verdict.error.line}: ")


def test_the_example_of_the_page_is_real() -> None:
    """The table of the example is dealt again, and everybody always takes the first decision there is."""
    section = PAGE.read_text(encoding="utf-8").partition("## Fairness")[2]
    written = section.partition("```text\n")[2].partition("\n```")[0].splitlines()
    header, end = json.loads(written[0]), json.loads(written[-1])
    promised = Fairness.from_json(header["fairness"], len(header["seats"]))
    dealer = Dealer(bytes.fromhex(end["secret"]), promised.nonces)
    game = Game(GAMES[header["game"]], header["seats"], header["options"], None)
    deal(game, dealer)
    while not game.over:
        seat = game.to_act[0]
        game.act(seat, game.legal(seat)[0])
        deal(game, dealer)
    record = record_of(game, dealer)
    assert tafelrunde.replay(record).over
    lines = [to_line(line) for line in lines_of(record)]
    gap = written.index("…")
    tail = lines[-len(written[gap + 1 :]) :]
    for line, shown in zip([*lines[:gap], *tail], [*written[:gap], *written[gap + 1 :]], strict=True):
        assert line.startswith(shown.removesuffix("…]}"))
        assert line == shown or shown.endswith("…]}")
    shares = b"".join(bytes(33) if nonce is None else b"\x01" + nonce for nonce in promised.nonces)
    assert f"`{hashlib.sha256(dealer.secret + shares).hexdigest()}`" in section
