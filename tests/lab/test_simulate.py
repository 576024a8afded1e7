"""The lab: many games, the same result however they are run."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

import tafelrunde
from tafelrunde.bots.pace import HUMAN, INSTANT, Pace
from tafelrunde.errors import BadSeats, BadSeed, Endless, UnknownBot, UnknownOption
from tafelrunde.games import GAMES
from tafelrunde.lab.simulate import Result, Tally, confidence, simulate

TABLES = [(name, seats) for name, spec in GAMES.items() for seats in spec.seat_range]


def numbers(result: Result) -> dict[str, object]:
    return {key: value for key, value in result.to_json().items() if key != "seconds"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_compiled_and_step_by_step_games_are_the_same(name: str, seats: int, tmp_path: Path) -> None:
    """The playout inside compiled code and the face that bot authors use play the very same games."""
    players = ["greedy", *["random"] * (seats - 1)]
    quick = dict(GAMES[name].quick)
    compiled = simulate(name, seats=seats, games=12, seed=3, players=players, options=quick)
    stepped = simulate(name, seats=seats, games=12, seed=3, players=players, options=quick, records=tmp_path, workers=1)
    assert numbers(compiled) == numbers(stepped)
    records = sorted(tmp_path.iterdir())
    assert len(records) == 12
    assert all(tafelrunde.verify(record).finished for record in records)


def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    results = [simulate("buffet", seats=5, games=2300, seed=8, players=["greedy"], workers=w) for w in (1, 2, 3)]
    assert numbers(results[0]) == numbers(results[1]) == numbers(results[2])


def test_greedy_wins_at_least_three_times_its_fair_share() -> None:
    players = ["greedy", "random", "random", "random", "random"]
    result = simulate("buffet", seats=5, games=4000, seed=1, players=players)
    low, _ = confidence(result.tally.wins[0], result.tally.games)
    assert low * 5 > 3


def test_greedy_of_dash_wins_at_least_four_times_its_fair_share() -> None:
    players = ["greedy", "random", "random", "random", "random"]
    result = simulate("dash", seats=5, games=1000, seed=1, players=players)
    low, _ = confidence(result.tally.wins[0], result.tally.games)
    assert low * 5 > 4


def test_greedy_of_chocolat_wins_at_least_three_times_its_fair_share() -> None:
    players = ["greedy", "random", "random", "random"]
    result = simulate("chocolat", seats=4, games=1000, seed=1, players=players)
    low, _ = confidence(result.tally.wins[0], result.tally.games)
    assert low * 4 > 3


@pytest.mark.slow
@pytest.mark.parametrize("paces", [(HUMAN,), (INSTANT,), (Pace(latency=90), HUMAN, INSTANT, Pace(spread=0))])
@pytest.mark.parametrize("options", [{}, {"pace_ms": 1500, "round_limit_s": 30}, {"keep_for_good": True}])
def test_compiled_and_step_by_step_games_in_real_time_are_the_same(
    paces: tuple[Pace, ...], options: dict[str, object], tmp_path: Path
) -> None:
    setting = {"seats": 4, "games": 6, "seed": 3, "players": ["greedy", "random"] * 2, "paces": paces}
    limited = {**options, "max_rounds": 2}
    compiled = simulate("dash", options=limited, **setting)  # type: ignore[arg-type]
    stepped = simulate("dash", options=limited, records=tmp_path, workers=1, **setting)  # type: ignore[arg-type]
    assert numbers(compiled) == numbers(stepped)
    assert all(tafelrunde.verify(record).finished for record in tmp_path.iterdir())


def test_who_is_faster_wins_more() -> None:
    """Four bots of one mind; one has a slow line."""
    paces = [Pace(latency=400), HUMAN, HUMAN, HUMAN]
    wins = simulate("dash", seats=4, games=2000, seed=1, players=["greedy"], paces=paces).tally.wins
    assert wins[0] < min(wins[1:]) / 2


def test_no_seat_of_dash_is_better_than_another() -> None:
    tally = simulate("dash", seats=5, games=4000, seed=2, players=["greedy"]).tally
    assert sum(tally.wins) == pytest.approx(tally.games)
    assert all(0.85 < wins * 5 / tally.games < 1.15 for wins in tally.wins)


def test_games_that_never_end_are_given_up() -> None:
    with pytest.raises(Endless):
        simulate("dash", seats=10, games=1, seed=1, players=["random"], paces=[INSTANT])


def test_every_win_is_counted_once() -> None:
    tally = simulate("buffet", seats=6, games=3000, seed=2).tally
    assert sum(tally.wins) == pytest.approx(tally.games)
    assert all(0.8 < wins * 6 / tally.games < 1.2 for wins in tally.wins), "no seat is better than another"


def test_shared_wins_count_their_fraction() -> None:
    tally = Tally(3, games=2)
    tally.shared[0, 1] = 1
    tally.shared[1, 2] = tally.shared[2, 2] = 1
    assert tally.wins == [1.0, 0.5, 0.5]


def test_json_has_what_is_promised() -> None:
    result = simulate("buffet", seats=4, games=10, seed=5)
    read = json.loads(json.dumps(result.to_json()))
    assert list(read) == ["game", "seats", "games", "decisions", "seconds", "seed", "bots", "wins", "mean_points"]
    assert read["bots"] == ["random"] * 4
    assert len(read["wins"]) == len(read["mean_points"]) == 4


def test_progress_is_told_and_the_stop_sign_is_seen() -> None:
    done: list[int] = []
    stop = threading.Event()

    def note(games: int) -> None:
        done.append(games)
        stop.set()

    result = simulate("buffet", seats=4, games=10**9, seed=1, progress=note, stop=stop)
    assert sum(done) == result.tally.games < 10**9


def test_a_game_that_was_stopped_before_it_began_has_an_empty_tally() -> None:
    stop = threading.Event()
    stop.set()
    result = simulate("buffet", seats=4, games=10, stop=stop)
    assert result.tally.games == 0
    assert result.tally.mean_points == [0.0] * 4
    assert confidence(0, 0) == (0.0, 1.0)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(BadSeats):
        simulate("buffet", seats=9, games=1)
    with pytest.raises(BadSeats, match="4 seats need 4 bots"):
        simulate("buffet", seats=4, games=1, players=["random", "random"])
    with pytest.raises(UnknownBot):
        simulate("buffet", seats=4, games=1, players=["clever"])
    with pytest.raises(UnknownOption):
        simulate("buffet", seats=4, games=1, options={"colour": 1})
    with pytest.raises(BadSeed):
        simulate("buffet", seats=4, games=1, seed=-4)
