"""The face that bot authors meet first."""

from __future__ import annotations

import copy
import pickle

import pytest

import tafelrunde
from tafelrunde import Decision, Stream, TafelrundeError, errors
from tafelrunde.game import DEFAULT_NAMES


def test_a_game_from_its_first_card_to_its_end() -> None:
    game = tafelrunde.new("buffet", seats=5, seed=7)
    steps = 0
    while not game.over:
        for seat in game.to_act:
            entries = game.act(seat, game.legal(seat)[0])
            assert entries[0]["by"] == seat
            steps += 1
    assert steps > 100
    assert len(game.scores) == len(game.places) == 5
    assert game.to_act == ()
    assert game.legal(0) == ()
    assert repr(game) == "<buffet of 5, over>"


def test_seats_names_and_options_have_defaults() -> None:
    game = tafelrunde.new("buffet")
    assert game.seats == 3
    assert game.names == DEFAULT_NAMES[:3]
    assert game.options == {"start_seat": None}
    assert tafelrunde.new("buffet", names=["Ada", "Grüße", "ネズミ", "Zoë"]).seats == 4


def test_without_a_seed_every_game_is_another_one() -> None:
    assert tafelrunde.new("buffet").record().text() != tafelrunde.new("buffet").record().text()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"game": "poker"}, errors.UnknownGame),
        ({"game": None}, errors.UnknownGame),
        ({"game": ["buffet"]}, errors.UnknownGame),
        ({"seats": 2}, errors.BadSeats),
        ({"seats": 7}, errors.BadSeats),
        ({"seats": "4"}, errors.BadSeats),
        ({"seats": 4.0}, errors.BadSeats),
        ({"seats": True}, errors.BadSeats),
        ({"seats": 3, "names": ["Ada", "Bo"]}, errors.BadSeats),
        ({"seats": 3, "names": ["Ada", "Bo", 3]}, errors.BadSeats),
        ({"seed": -1}, errors.BadSeed),
        ({"seed": 2**63}, errors.BadSeed),
        ({"seed": "7"}, errors.BadSeed),
        ({"seed": 7.0}, errors.BadSeed),
        ({"colour": "red"}, errors.UnknownOption),
        ({"start_seat": 3}, errors.BadOption),
        ({"start_seat": -1}, errors.BadOption),
        ({"start_seat": "0"}, errors.BadOption),
        ({"start_seat": True}, errors.BadOption),
        ({"start_seat": 10**30}, errors.BadOption),
    ],
)
def test_what_can_not_be_set_up_is_refused_with_a_code(
    arguments: dict[str, object], error: type[TafelrundeError]
) -> None:
    given = {"game": "buffet", "seats": 3} | arguments
    with pytest.raises(error) as refused:
        tafelrunde.new(given.pop("game"), **given)  # type: ignore[arg-type]
    assert refused.value.code in str(refused.value)
    assert refused.value.sentence.endswith(".")


def test_the_codes_of_all_errors_are_stable() -> None:
    members = (cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, TafelrundeError))
    family = {cls.__name__: cls.code for cls in members if cls is not TafelrundeError}
    assert family == {
        "Malformed": "malformed",
        "Illegal": "illegal",
        "NotYourMoment": "not-your-moment",
        "GameOver": "game-over",
        "BadChance": "bad-chance",
        "UnknownGame": "unknown-game",
        "BadSeats": "bad-seats",
        "UnknownOption": "unknown-option",
        "BadOption": "bad-option",
        "BadSeed": "bad-seed",
        "UnknownBot": "unknown-bot",
        "BadPace": "bad-pace",
        "Endless": "endless",
        "BadDeck": "bad-deck",
        "BadRecord": "bad-record",
        "NoSuchTable": "no-such-table",
        "NoSuchMatch": "no-such-match",
        "SeatTaken": "seat-taken",
        "NotYourSeat": "not-your-seat",
        "NotHost": "not-host",
        "WrongPhase": "wrong-phase",
        "TableClosed": "table-closed",
        "ChatOff": "chat-off",
        "BadToken": "bad-token",
        "BadNonce": "bad-nonce",
        "BadMessage": "bad-message",
        "WrongHost": "wrong-host",
        "TooLarge": "too-large",
        "TooFast": "too-fast",
        "Unavailable": "unavailable",
    }


@pytest.mark.parametrize("seat", [-1, -9, 4, "0", None, 1.0, 10**30, -(10**30), [0]])
def test_there_is_nobody_at_a_seat_that_does_not_exist(seat: object) -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    before = game.record().text()
    for call in (
        lambda: game.act(seat, Decision("lay", card=1)),  # type: ignore[arg-type]
        lambda: game.legal(seat),  # type: ignore[arg-type]
        *([lambda: game.observe(seat)] if seat is not None else []),  # type: ignore[arg-type]
    ):
        with pytest.raises(errors.BadSeats):
            call()
    assert game.record().text() == before


@pytest.mark.parametrize("ms", [-1, 1.5, "3", True, 2**53])
def test_a_time_is_a_whole_number_of_milliseconds(ms: object) -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    with pytest.raises(errors.Malformed):
        game.act(0, game.legal(0)[0], ms=ms)  # type: ignore[arg-type]


def test_a_decision_keeps_its_time_in_the_record() -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    assert game.act(0, game.legal(0)[0], ms=1250)[0]["ms"] == 1250


def test_a_decision_can_be_given_as_it_stands_in_json() -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    card = game.observe(2).hand[0]
    assert game.act(2, {"do": "lay", "card": card})[0] == {"by": 2, "do": "lay", "card": card}


def test_decisions_are_values() -> None:
    lay = Decision("lay", card=7)
    assert lay == Decision("lay", card=7) != Decision("lay", card=8)
    assert len({lay, Decision("lay", card=7), Decision("exchange", cards=[1])}) == 2
    assert lay != "lay 7"
    assert copy.deepcopy(lay) == lay == pickle.loads(pickle.dumps(lay))
    listed = tafelrunde.new("buffet", seats=4, seed=1).legal(0)[0]
    assert copy.copy(listed) == listed == pickle.loads(pickle.dumps(listed))
    with pytest.raises(AttributeError, match="helper"):
        _ = lay.helper


def test_a_decision_of_another_game_object_is_understood() -> None:
    one, other = (tafelrunde.new("buffet", seats=4, seed=1) for _ in range(2))
    mine, yours = one.legal(0)[0], other.legal(0)[0]
    assert list(one.act(0, yours)) == list(other.act(0, mine))


def test_a_copy_goes_its_own_way() -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    before = game.record().text()
    twin = game.copy(Stream(5))
    while not twin.over:
        for seat in twin.to_act:
            twin.act(seat, twin.legal(seat)[-1])
    assert game.record().text() == before
    assert twin.record().text().startswith(before)


def test_many_decisions_are_listed_without_being_put_into_words() -> None:
    game = tafelrunde.new("buffet", seats=4, seed=3)
    while game.observe(None).exchange is None:
        seat = game.to_act[0]
        game.act(seat, game.legal(seat)[seat % len(game.legal(seat))])
    first_out = game.observe(None).exchange
    choices = game.legal(first_out)
    assert choices[0] == Decision("exchange", cards=[])
    assert len(choices) == len(list(choices)) == len(set(choices)) > 32
    assert choices[-1] == choices[len(choices) - 1]
    assert choices[:3] == list(choices)[:3]
    assert choices == list(choices)
    assert repr(choices) == repr(list(choices))
    with pytest.raises(IndexError):
        _ = choices[len(choices)]


def test_entries_are_a_sequence() -> None:
    game = tafelrunde.new("buffet", seats=4, seed=1)
    entries = game.entries
    assert len(entries) == len(list(entries)) == 8
    assert entries[-1]["do"] == "round"
    assert entries[:2] == list(entries)[:2]
    assert entries == list(entries)
    assert repr(entries) == repr(list(entries))


def test_a_stream_does_all_that_random_does() -> None:
    stream = Stream(9, lane=1)
    assert 0 <= stream.random() < 1
    assert stream.getrandbits(0) == 0
    assert 0 <= stream.getrandbits(100) < 2**100
    assert sorted(stream.sample(range(50), 50)) == list(range(50))
    here = stream.getstate()
    ahead = [stream.randrange(1000) for _ in range(5)]
    stream.setstate(here)
    assert [stream.randrange(1000) for _ in range(5)] == ahead
    assert 20 < sum(stream.gauss(0, 1) > 0 for _ in range(100)) < 80
    with pytest.raises(ValueError, match="non-negative"):
        stream.getrandbits(-1)


def test_an_observation_shows_the_table_in_words() -> None:
    game = tafelrunde.new("buffet", seats=3, seed=4, start_seat=1)
    view = game.observe(1).to_json()
    assert view["game"] == "buffet"
    assert view["seat"] == view["start"] == 1
    assert len(view["hand"]) == 9
    assert len(view["legal"]) == len(set(view["hand"]))
    assert len(view["plates_to_come"]) == 31
    assert game.observe(1) == game.observe(1) != game.observe(2)
    assert len({game.observe(1), game.observe(1)}) == 1
    spectator = game.observe(None)
    assert spectator.seat is None
    assert spectator.to_json()["hand"] == []
    assert spectator.legal == ()
    assert "round=1" in repr(spectator)


def test_in_a_game_with_turns_time_ends_nothing() -> None:
    game = tafelrunde.new("buffet", seats=3, seed=1)
    assert game.deadline is None
    assert list(game.wait(10**9)) == []
