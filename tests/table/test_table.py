"""Who may do what at a table, and when: every command with what it brings about and with its refusals."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tafelrunde import TafelrundeError, wire
from tafelrunde.fairness import commitment
from tafelrunde.games import GAMES
from tafelrunde.table import codes
from tafelrunde.table.head import PASS_MS, new_head
from tafelrunde.table.log import read_line
from tests.table.tables import Evening, nonce_of, refuses, refuses_to

PHASES = ("gathering", "shuffling", "playing", "over")


def evening_in(phase: str, people: int = 3, **wanted: Any) -> Evening:
    """A table of three in this phase, Ada is its host."""
    evening = Evening(seats=3, people=people, **wanted)
    for seat in range(people, 3):
        evening.ask(0, "bot", on=seat, level="greedy")
    if phase == "gathering":
        return evening
    evening.pledge_all()
    evening.ask(0, "start")
    if phase == "shuffling":
        return evening
    evening.give_nonces()
    if phase == "over":
        evening.play(random.Random(1))
    assert evening.phase == phase
    return evening


# --- Setting up ---------------------------------------------------------------------------------------------------


def test_whoever_sets_up_a_table_sits_at_it_as_its_host() -> None:
    evening = Evening("chocolat", seats=4, people=1, seat=2)
    assert evening.table.view.host == 2
    assert [seat.kind for seat in evening.table.view.seats] == ["free", "free", "person", "free"]
    assert (evening.phase, evening.table.view.match) == ("gathering", 1)


def test_a_table_says_all_options_with_their_defaults_and_has_promised_its_secret() -> None:
    evening = Evening("dash", people=1, options={"target": 30})
    assert evening.table.view.options == {
        "target": 30, "keep_for_good": False, "pace_ms": 0, "round_limit_s": 0, "max_rounds": 2, "first_opener": None,
    }  # fmt: skip
    assert evening.table.view.commitment == commitment(bytes.fromhex(evening.table.head.private.secret))


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("unknown-game", {"game": "chess"}),
        ("bad-seats", {"seats": 7}),
        ("bad-seats", {"seats": 2}),
        ("unknown-option", {"options": {"tempo": 1}}),
        ("bad-option", {"options": {"start_seat": 9}}),
        ("not-your-seat", {"seat": 5}),
        ("unknown-bot", {"bots": [wire.BotSeat(seat=1, level="genius")]}),
        ("seat-taken", {"bots": [wire.BotSeat(seat=0, level="greedy")]}),
        ("not-your-seat", {"bots": [wire.BotSeat(seat=4, level="greedy")]}),
    ],
)
def test_a_table_that_can_not_be_played_at_is_refused(code: str, wrong: dict[str, Any]) -> None:
    wanted = wire.NewTable(**({"game": "buffet", "seats": 3, "name": "Ada"} | wrong))
    with pytest.raises(TafelrundeError) as refused:
        new_head(wanted, "kafemulo")
    assert refused.value.code == code


# --- Sitting down -------------------------------------------------------------------------------------------------


def test_somebody_sits_down_at_the_first_free_seat_or_at_the_one_asked_for() -> None:
    evening = Evening(seats=4, people=1)
    assert evening.sit("Cy", seat=2) == 2
    assert evening.sit("Bo") == 1
    assert evening.sit("Di") == 3
    assert [seat.name for seat in evening.table.view.seats] == ["Ada", "Bo", "Cy", "Di"]


def test_nobody_sits_down_where_somebody_sits_or_where_no_seat_is() -> None:
    evening = Evening(people=2)
    evening.ask(0, "bot", on=2, level="random")
    refuses_to("seat-taken", evening, lambda: evening.sit(seat=1))
    refuses_to("seat-taken", evening, lambda: evening.sit(seat=2))
    refuses_to("seat-taken", evening, lambda: evening.sit())
    refuses_to("not-your-seat", evening, lambda: evening.sit(seat=7))


def test_nobody_sits_down_while_the_cards_are_shuffled() -> None:
    evening = evening_in("shuffling")
    evening.ask(2, "leave")
    refuses_to("wrong-phase", evening, lambda: evening.sit())


def test_during_the_game_a_seat_that_was_left_can_be_taken_over() -> None:
    evening = evening_in("playing")
    refuses_to("seat-taken", evening, lambda: evening.sit())
    evening.ask(1, "leave")
    assert evening.sit("Zoe") == 1
    seat = evening.table.view.seats[1]
    assert (seat.kind, seat.name, seat.bot) == ("person", "Zoe", None)


def test_after_the_game_free_and_left_seats_can_be_taken() -> None:
    evening = evening_in("playing")
    evening.ask(1, "leave")
    evening.play(random.Random(2))
    evening.ask(2, "leave")
    assert [seat.kind for seat in evening.table.view.seats] == ["person", "left", "free"]
    assert evening.sit("Zoe") == 1
    assert evening.sit("Yan") == 2


def test_the_first_one_at_an_empty_table_becomes_its_host() -> None:
    evening = Evening(people=1)
    evening.ask(0, "leave")
    assert evening.table.view.host is None
    assert evening.sit("Zoe", seat=1) == 1
    assert evening.table.view.host == 1


def test_a_new_person_gets_a_key_and_the_old_key_of_the_seat_opens_nothing() -> None:
    evening = Evening(people=2)
    old = evening.tokens[1]
    evening.ask(1, "leave")
    evening.sit("Zoe", seat=1)
    head = evening.table.head
    assert head.keys([evening.tokens[0], evening.tokens[1]]).keys() == {0, 1}
    with pytest.raises(TafelrundeError) as refused:
        head.keys([old])
    assert refused.value.code == "bad-token"


# --- Which seat is meant ------------------------------------------------------------------------------------------


def test_whoever_has_several_seats_says_which_one_is_meant() -> None:
    evening = Evening()
    refuses("not-your-seat", evening, 0, "say", held={0, 1}, text="hello")
    evening.ask(0, "say", held={0, 1}, seat=1, text="hello")
    assert evening.kept()[-1]["seat"] == 1


def test_nobody_speaks_for_another_seat_and_who_watches_for_none() -> None:
    evening = Evening()
    refuses("not-your-seat", evening, 0, "say", seat=1, text="hello")
    refuses("not-your-seat", evening, 0, "leave", seat=9)
    refuses("not-your-seat", evening, 0, "say", held=set(), text="hello")
    refuses("not-your-seat", evening, 0, "act", held=set(), seat=0, decision={"do": "lay", "card": 1})


def test_who_watches_may_look() -> None:
    evening = evening_in("playing")
    outcome = evening.ask(0, "look", held=set())
    assert (outcome.number, outcome.lines, outcome.seat) == (evening.table.number, [], None)


def test_whoever_has_several_seats_sees_what_each_of_them_sees() -> None:
    evening = evening_in("playing")
    both = evening.table.views(frozenset({2, 0}))
    assert [view.seat for view in both] == [0, 2]
    assert both == [*evening.table.views(frozenset({0})), *evening.table.views(frozenset({2}))]
    first = next(line for line in evening.last.lines if line.event.type == "step")
    assert [entry["do"] for entry in first.event.entries if "cards" in entry] == ["draw"] * 3
    assert first.encoded(frozenset({0, 2})).count(b'"cards":[') == 2
    assert first.encoded(frozenset({1})).count(b'"cards":[') == 1
    assert first.encoded(frozenset()).count(b'"cards":[') == 0


# --- Bots ---------------------------------------------------------------------------------------------------------


def test_the_host_puts_bots_on_free_seats_changes_them_and_takes_them_away() -> None:
    evening = Evening(people=1)
    for level in ("random", "greedy"):
        evening.ask(0, "bot", on=2, level=level)
        assert (evening.table.view.seats[2].kind, evening.table.view.seats[2].bot) == ("bot", level)
    evening.ask(0, "bot", on=2, level=None)
    assert evening.table.view.seats[2] == wire.Seat(kind="free")
    evening.ask(0, "bot", on=2, level=None)


def test_bots_are_named_after_guests_who_are_not_there() -> None:
    evening = Evening("dash", seats=10, people=1)
    evening.sit("Jo", seat=9)
    for seat in range(1, 9):
        evening.ask(0, "bot", on=seat, level="greedy")
    names = [seat.name for seat in evening.table.view.seats]
    assert len(set(names)) == 10


def test_at_a_full_table_of_guests_a_bot_can_still_be_exchanged_and_taken_away() -> None:
    evening = Evening(
        "dash", seats=10, people=1, bots=[wire.BotSeat(seat=seat, level="random") for seat in range(1, 10)]
    )
    names = [seat.name for seat in evening.table.view.seats]
    evening.ask(0, "bot", on=4, level="greedy")
    assert [seat.name for seat in evening.table.view.seats] == names
    evening.ask(0, "bot", on=4, level=None)
    assert evening.table.view.seats[4].kind == "free"


def test_bots_are_refused_where_they_do_not_belong() -> None:
    evening = Evening(people=2)
    refuses("not-host", evening, 1, "bot", on=2, level="greedy")
    refuses("seat-taken", evening, 0, "bot", on=1, level="greedy")
    refuses("seat-taken", evening, 0, "bot", on=0, level=None)
    refuses("unknown-bot", evening, 0, "bot", on=2, level="genius")
    refuses("unknown-bot", evening, 0, "bot", on=2, level="os:system")
    refuses("not-your-seat", evening, 0, "bot", on=3, level="greedy")


@pytest.mark.parametrize("phase", PHASES[1:])
@pytest.mark.parametrize(("do", "fields"), [("bot", {"on": 2, "level": "random"}), ("start", {})])
def test_the_table_is_not_changed_once_the_game_has_been_started(phase: str, do: str, fields: dict[str, Any]) -> None:
    refuses("wrong-phase", evening_in(phase, people=2), 0, do, **fields)


# --- Removing -----------------------------------------------------------------------------------------------------


def test_the_host_removes_a_person_whose_key_opens_nothing_any_more() -> None:
    evening = Evening(people=2)
    evening.ask(0, "remove", whom=1)
    assert evening.table.view.seats[1] == wire.Seat(kind="free")
    assert evening.table.head.private.tokens[1] is None


@pytest.mark.parametrize("phase", PHASES)
def test_whoever_is_removed_during_a_game_leaves_a_bot_in_the_seat_and_can_not_take_it_again(phase: str) -> None:
    evening = evening_in(phase)
    evening.ask(0, "remove", whom=1)
    seat = evening.table.view.seats[1]
    if phase in ("shuffling", "playing"):
        assert (seat.kind, seat.bot, seat.stand_in) == ("bot", "greedy", False)
        assert seat.name not in ("Ada", "Bo", "Cy")
        refuses_to("wrong-phase" if phase == "shuffling" else "seat-taken", evening, lambda: evening.sit("Bo"))
    else:
        assert seat == wire.Seat(kind="free")
    with pytest.raises(TafelrundeError):
        evening.table.head.keys([evening.tokens[1]])


def test_at_a_full_table_there_is_a_name_for_the_bot_too() -> None:
    evening = Evening("dash", seats=10, people=2)
    for seat in range(2, 10):
        evening.ask(0, "bot", on=seat, level="greedy")
    evening.start()
    evening.ask(0, "remove", whom=1)
    assert evening.table.view.seats[1].kind == "bot"
    assert evening.table.view.seats[1].name


def test_nobody_waits_for_the_nonce_of_somebody_who_was_removed() -> None:
    evening = evening_in("shuffling")
    for seat in (0, 2):
        evening.ask(seat, "nonce", nonce=nonce_of(seat).hex())
    assert evening.phase == "shuffling"
    evening.ask(0, "remove", whom=1)
    assert evening.phase == "playing"
    evening.play(random.Random(1))
    assert evening.phase == "over"


def test_only_persons_are_removed_and_only_by_the_host_who_stays() -> None:
    evening = Evening(people=2)
    evening.ask(0, "bot", on=2, level="greedy")
    refuses("not-host", evening, 1, "remove", whom=0)
    refuses("not-your-seat", evening, 0, "remove", whom=0)
    refuses("not-your-seat", evening, 0, "remove", whom=2)
    refuses("not-your-seat", evening, 0, "remove", whom=8)


# --- Closing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_the_host_closes_the_table_at_any_time_and_nothing_happens_there_any_more(phase: str) -> None:
    evening = evening_in(phase, terms=wire.Terms(public=True))
    pass_ = pass_for(evening, 1)
    refuses("not-host", evening, 1, "close")
    closed = evening.ask(0, "close", id="enough")
    assert (evening.phase, evening.table.to_act, evening.table.waits_for()) == ("closed", [], [])
    assert not evening.table.head.listed
    for do, fields in (("say", {"text": "Why?"}), ("close", {}), ("leave", {}), ("remove", {"whom": 1}), ("start", {})):
        refuses("table-closed", evening, 0, do, **fields)
    refuses_to("table-closed", evening, lambda: evening.take(pass_))
    refuses_to("table-closed", evening, lambda: evening.sit("Zoe"))
    assert evening.ask(0, "close", id="enough").number == closed.number, "sent again it is known again"


def test_a_table_that_was_closed_is_closed_when_it_is_loaded() -> None:
    evening = evening_in("playing")
    evening.ask(0, "close")
    assert evening.load().view == evening.table.view
    [(number, body)] = evening.store.lines(evening.table.id, evening.table.number - 1)
    assert evening.last.lines[-1].event.closes_table
    assert read_line(number, body, evening.table.spec).event.closes_table


# --- Starting -----------------------------------------------------------------------------------------------------


def test_a_game_does_not_start_with_free_seats() -> None:
    evening = Evening(people=2)
    refuses("wrong-phase", evening, 0, "start")
    evening.ask(0, "bot", on=2, level="greedy")
    evening.ask(0, "start")
    assert evening.phase == "playing"


def test_only_the_host_starts_and_only_once() -> None:
    evening = Evening()
    refuses("not-host", evening, 1, "start")
    evening.ask(0, "start")
    refuses("wrong-phase", evening, 0, "start")


def test_without_pledges_the_game_begins_at_once() -> None:
    evening = Evening()
    outcome = evening.ask(0, "start")
    assert [line.event.type for line in outcome.lines] == ["house", "house", "step"]
    assert outcome.number == outcome.lines[0].number
    assert [line["do"] for line in evening.kept()[-3:-1]] == ["start", "begin"]


# --- Pledges and nonces -------------------------------------------------------------------------------------------


def test_with_pledges_the_game_waits_for_their_nonces() -> None:
    evening = evening_in("shuffling")
    assert evening.table.waits_for() == ["Ada", "Bo", "Cy"]
    for seat in (2, 0):
        evening.ask(seat, "nonce", nonce=nonce_of(seat).hex())
        assert evening.phase == "shuffling"
    assert evening.table.waits_for() == ["Bo"]
    evening.ask(1, "nonce", nonce=nonce_of(1).hex())
    assert evening.phase == "playing"
    nonces = evening.table.header()["fairness"]["nonces"]
    assert nonces == [nonce_of(seat).hex() for seat in range(3)]


def test_a_nonce_that_was_not_pledged_is_refused() -> None:
    evening = evening_in("shuffling")
    refuses("bad-nonce", evening, 1, "nonce", nonce=nonce_of(2).hex())
    refuses("bad-nonce", evening, 1, "nonce", nonce="0" * 64)


def test_a_nonce_is_given_once() -> None:
    evening = evening_in("shuffling")
    evening.ask(1, "nonce", nonce=nonce_of(1).hex())
    refuses("bad-nonce", evening, 1, "nonce", nonce=nonce_of(1).hex())


def test_whoever_has_pledged_nothing_has_no_nonce_to_give() -> None:
    evening = Evening()
    evening.ask(0, "pledge", hash=commitment(nonce_of(0)))
    evening.ask(0, "start")
    refuses("bad-nonce", evening, 1, "nonce", nonce=nonce_of(1).hex())


@pytest.mark.parametrize("phase", ["gathering", "playing", "over"])
def test_nonces_are_for_the_time_of_shuffling_only(phase: str) -> None:
    refuses("wrong-phase", evening_in(phase), 0, "nonce", nonce=nonce_of(0).hex())


@pytest.mark.parametrize("phase", ["shuffling", "playing", "over"])
def test_pledges_come_before_the_start(phase: str) -> None:
    refuses("wrong-phase", evening_in(phase), 0, "pledge", hash="0" * 64)


def test_a_pledge_can_be_changed_until_the_start_and_all_see_it() -> None:
    evening = Evening()
    for seat in (1, 2):
        evening.ask(0, "pledge", hash=commitment(nonce_of(seat)))
        assert evening.kept()[-1]["table"]["seats"][0]["pledge"] == commitment(nonce_of(seat))


def test_a_pledge_may_come_along_when_sitting_down() -> None:
    evening = Evening(people=1)
    evening.sit("Bo", pledge=commitment(nonce_of(1)))
    assert evening.table.view.seats[1].pledge == commitment(nonce_of(1))


def test_the_shuffle_goes_without_the_nonces_that_do_not_come() -> None:
    evening = evening_in("shuffling")
    evening.ask(1, "nonce", nonce=nonce_of(1).hex())
    evening.keep(evening.table.begin(evening.now))
    assert evening.table.header()["fairness"]["nonces"] == [None, nonce_of(1).hex(), None]


@pytest.mark.parametrize("phase", ["gathering", "playing", "over"])
def test_a_game_begins_only_after_it_was_started(phase: str) -> None:
    evening = evening_in(phase)
    refuses_to("wrong-phase", evening, lambda: evening.table.begin(evening.now))


def test_nobody_is_told_a_nonce_before_the_game_is_over() -> None:
    evening = evening_in("shuffling")
    evening.give_nonces()
    evening.play(random.Random(3), 20)
    told = str(evening.kept()) + evening.table.view.model_dump_json()
    assert not any(nonce_of(seat).hex() in told for seat in range(3))


# --- Leaving ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["gathering", "over"])
def test_whoever_leaves_before_or_after_a_game_frees_the_seat(phase: str) -> None:
    evening = evening_in(phase)
    evening.ask(1, "leave")
    assert evening.table.view.seats[1] == wire.Seat(kind="free")
    assert evening.table.head.private.tokens[1] is None


@pytest.mark.parametrize("phase", ["shuffling", "playing"])
def test_for_whoever_leaves_during_a_game_a_bot_plays_on(phase: str) -> None:
    evening = evening_in(phase)
    evening.ask(1, "leave")
    assert evening.table.view.seats[1] == wire.Seat(kind="left", name="Bo", bot="greedy")
    assert evening.table.head.private.tokens[1] is None
    assert evening.table.view.seats[1].bot == "greedy"


def test_if_the_last_one_who_owes_a_nonce_leaves_the_game_begins() -> None:
    evening = evening_in("shuffling")
    for seat in (0, 2):
        evening.ask(seat, "nonce", nonce=nonce_of(seat).hex())
    outcome = evening.ask(1, "leave")
    assert evening.phase == "playing"
    assert [line.event.type for line in outcome.lines] == ["house", "house", "step"]


@pytest.mark.parametrize("phase", PHASES)
def test_the_host_passes_on_to_the_next_person_when_the_host_leaves(phase: str) -> None:
    evening = evening_in(phase)
    evening.ask(0, "leave")
    assert evening.table.view.host == 1
    evening.ask(1, "leave")
    assert evening.table.view.host == 2
    evening.ask(2, "leave")
    assert evening.table.view.host is None


def test_a_bot_never_becomes_host() -> None:
    evening = evening_in("gathering", people=1)
    evening.ask(0, "leave")
    assert evening.table.view.host is None


def test_whoever_has_left_has_no_seat_to_leave() -> None:
    evening = Evening()
    evening.ask(1, "leave")
    with pytest.raises(TafelrundeError):
        evening.table.head.keys([evening.tokens[1]])


# --- Taking a seat along ------------------------------------------------------------------------------------------


def pass_for(evening: Evening, seat: int) -> str:
    given = evening.ask(seat, "pass").secret
    assert given is not None
    return given


@pytest.mark.parametrize("phase", PHASES)
def test_a_pass_takes_the_seat_along_and_the_old_key_opens_nothing(phase: str) -> None:
    evening = evening_in(phase)
    taken = evening.take(pass_for(evening, 1))
    assert taken.seat == 1
    assert taken.secret is not None
    assert evening.table.head.keys([taken.secret]).keys() == {1}
    with pytest.raises(TafelrundeError):
        evening.table.head.keys([evening.tokens[1]])


def test_a_pass_is_good_once() -> None:
    evening = Evening()
    pass_ = pass_for(evening, 1)
    evening.take(pass_)
    refuses_to("bad-token", evening, lambda: evening.take(pass_))


def test_a_pass_is_good_for_ten_minutes() -> None:
    evening = Evening()
    pass_ = pass_for(evening, 1)
    evening.now += PASS_MS
    refuses_to("bad-token", evening, lambda: evening.take(pass_))
    evening.now -= 1
    assert evening.take(pass_).seat == 1


def test_a_new_pass_for_a_seat_puts_the_one_before_out_of_use() -> None:
    evening = Evening()
    first, other, second = pass_for(evening, 1), pass_for(evening, 2), pass_for(evening, 1)
    refuses_to("bad-token", evening, lambda: evening.take(first))
    assert evening.take(second).seat == 1
    assert evening.take(other).seat == 2


def test_a_pass_is_no_key_and_a_key_no_pass() -> None:
    evening = Evening()
    pass_ = pass_for(evening, 1)
    refuses_to("bad-token", evening, lambda: evening.take(evening.tokens[1]))
    refuses_to("bad-token", evening, lambda: evening.take(codes.new_token()))
    with pytest.raises(TafelrundeError):
        evening.table.head.keys([pass_])


@pytest.mark.parametrize("phase", PHASES)
def test_whoever_has_left_can_not_come_back_with_an_old_pass(phase: str) -> None:
    evening = evening_in(phase)
    pass_ = pass_for(evening, 1)
    evening.ask(1, "leave")
    refuses_to("bad-token", evening, lambda: evening.take(pass_))


def test_whoever_was_removed_can_not_take_the_seat_from_the_next_one_with_an_old_pass() -> None:
    evening = Evening()
    pass_ = pass_for(evening, 1)
    evening.ask(0, "remove", whom=1)
    evening.sit("Zoe", seat=1)
    refuses_to("bad-token", evening, lambda: evening.take(pass_))
    assert evening.table.head.keys([evening.tokens[1]]).keys() == {1}


def test_of_a_pass_the_others_learn_only_that_there_is_one() -> None:
    evening = Evening()
    pass_ = pass_for(evening, 1)
    line = evening.last.lines[0]
    assert pass_.encode() not in line.encoded(frozenset({1}))
    assert codes.hashed(pass_).encode() not in line.encoded(frozenset({1}))


# --- Terms and talk -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES)
def test_the_host_changes_the_terms_at_any_time(phase: str) -> None:
    evening = evening_in(phase)
    refuses("not-host", evening, 1, "terms", terms={"chat": False})
    evening.ask(0, "terms", terms={"chat": False, "grace_s": None, "window_ms": 0})
    assert evening.table.view.terms == wire.Terms(chat=False, grace_s=None, window_ms=0)


@pytest.mark.parametrize("phase", PHASES)
def test_people_talk_in_every_phase_unless_the_chat_is_off(phase: str) -> None:
    evening = evening_in(phase)
    evening.ask(1, "say", text="  good   evening ")
    evening.ask(2, "react", sign="yum")
    assert [(line.event.type, line.by) for line in evening.table.talk] == [("say", 1), ("react", 2)]
    assert evening.kept()[-2]["text"] == "good evening"
    evening.ask(0, "terms", terms={"chat": False})
    refuses("chat-off", evening, 1, "say", text="hello?")
    refuses("chat-off", evening, 1, "react", sign="wow")
    refuses("chat-off", evening, 0, "say", text="hello?")


def test_of_all_that_was_said_the_last_thirty_are_told_to_newcomers() -> None:
    evening = Evening()
    for number in range(40):
        evening.ask(1, "say", text=f"number {number}")
    said = [line.message(frozenset())["text"] for line in evening.table.talk]
    assert said == [f"number {number}" for number in range(10, 40)]


def test_a_table_is_in_the_lobby_while_somebody_there_waits_for_others() -> None:
    evening = Evening(people=1, terms=wire.Terms(public=True))
    shown = lambda: bool(evening.store.listed(10))  # noqa: E731 - said once, asked often
    assert shown()
    evening.ask(0, "terms", terms={"public": False})
    assert not shown()
    evening.ask(0, "terms", terms={"public": True})
    evening.ask(0, "bot", on=1, level="greedy")
    assert shown()
    evening.ask(0, "bot", on=2, level="greedy")
    assert not shown()
    evening.ask(0, "bot", on=2, level=None)
    assert shown()
    evening.ask(0, "leave")
    assert not shown()


# --- Rematch ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", PHASES[:3])
def test_a_rematch_comes_after_the_game(phase: str) -> None:
    refuses("wrong-phase", evening_in(phase), 0, "rematch")


def test_only_the_host_offers_a_rematch() -> None:
    refuses("not-host", evening_in("over"), 1, "rematch")


def test_a_rematch_is_with_the_same_people_a_new_secret_and_new_pledges() -> None:
    evening = evening_in("playing", people=2)
    evening.play(random.Random(5))
    before = evening.table.view.model_copy(deep=True)
    secret = evening.table.head.private.secret
    evening.ask(0, "rematch")
    view = evening.table.view
    assert [seat.name for seat in view.seats] == [seat.name for seat in before.seats]
    assert [seat.kind for seat in view.seats] == ["person", "person", "bot"]
    assert (view.phase, view.match) == ("gathering", 2)
    assert view.commitment != before.commitment
    assert evening.table.head.private.secret != secret
    assert [seat.pledge for seat in view.seats] == [None] * 3
    assert evening.table.head.private.nonces == [None] * 3
    assert evening.table.game is None
    assert evening.table.head.keys(evening.tokens.values()).keys() == {0, 1}


def test_seats_that_were_left_are_free_in_a_rematch_and_stand_ins_go() -> None:
    evening = evening_in("playing")
    evening.ask(2, "leave")
    evening.keep(evening.table.away(1, evening.now))
    evening.play(random.Random(6))
    evening.ask(0, "rematch")
    assert evening.table.view.seats[1:] == [wire.Seat(kind="person", name="Bo"), wire.Seat(kind="free")]


# --- Away and back ------------------------------------------------------------------------------------------------


def test_a_stand_in_plays_for_whoever_is_away_until_they_are_back() -> None:
    evening = evening_in("playing")
    evening.keep(evening.table.away(1, evening.now))
    assert evening.table.view.seats[1] == wire.Seat(
        kind="person", name="Bo", bot="greedy", stand_in=True, pledge=commitment(nonce_of(1))
    )
    assert evening.table.head.keys([evening.tokens[1]]).keys() == {1}
    evening.keep(evening.table.back(1, evening.now))
    assert (evening.table.view.seats[1].bot, evening.table.view.seats[1].stand_in) == (None, False)
    assert [line["do"] for line in evening.kept()[-2:]] == ["away", "back"]


# --- Decisions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["gathering", "shuffling", "over"])
def test_decisions_are_for_the_time_of_play(phase: str) -> None:
    refuses("wrong-phase", evening_in(phase), 0, "act", decision={"do": "lay", "card": 1})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_the_rules_refuse_the_table_refuses(game: str) -> None:
    evening = Evening(game, terms=wire.Terms(countdown_s=0)).start()
    wild: list[dict[str, Any]] = [
        {}, {"do": 7}, {"do": "sing"}, {"do": "lay"}, {"do": "lay", "card": 10**30}, {"do": "lay", "card": [1]},
        {"do": "take", "place": -1}, {"do": "take", "place": {"a": 1}}, {"do": "return", "card": [], "place": None},
        {"do": "exchange", "cards": "all"}, {"do": "exchange", "cards": [[1], {}]}, {"do": "look", "hand": []},
        {"do": "combine", "cards": [{}], "kept": [[]]}, {"do": "lay", "card": True, "by": 2, "ms": -4},
    ]  # fmt: skip
    for decision in wild:
        for seat in range(3):
            codes_allowed = ("malformed", "illegal", "not-your-moment")
            with pytest.raises(TafelrundeError) as refused:
                evening.ask(seat, "act", decision=decision)
            assert refused.value.code in codes_allowed
    refuses("malformed", evening, 0, "act", decision={"do": "sing"})


def test_a_refusal_of_the_rules_names_its_rule() -> None:
    evening = Evening("dash", options={"first_opener": 1}, terms=wire.Terms(countdown_s=0)).start()
    with pytest.raises(TafelrundeError) as refused:
        evening.ask(0, "act", decision={"do": "open"})
    assert (refused.value.code, refused.value.rule) == ("not-your-moment", "D6")


# --- The countdown of a game in real time -------------------------------------------------------------------------


def countdown_evening(**options: Any) -> Evening:
    return Evening("dash", options={"first_opener": 1, **options}).start()


def test_the_signal_of_the_opener_starts_a_countdown_for_all() -> None:
    evening = countdown_evening()
    outcome = evening.ask(1, "act", decision={"do": "open"})
    assert [line.event.type for line in outcome.lines] == ["countdown"]
    assert evening.kept()[-1] | {"by": 1, "seat": 1, "ms": 3000} == evening.kept()[-1]
    assert evening.table.opening == (1, evening.now + 3000)
    assert evening.table.to_act == []


def test_during_the_countdown_nobody_does_anything() -> None:
    evening = countdown_evening()
    evening.ask(1, "act", decision={"do": "open"})
    refuses("not-your-moment", evening, 1, "act", decision={"do": "open"})
    refuses("not-your-moment", evening, 0, "act", decision={"do": "look"})


def test_only_the_opener_starts_the_countdown() -> None:
    refuses("not-your-moment", countdown_evening(), 0, "act", decision={"do": "open"})


def test_when_the_countdown_is_over_the_round_begins_and_the_limit_counts_from_there() -> None:
    evening = countdown_evening(round_limit_s=60)
    evening.later(10).ask(1, "act", decision={"do": "open"})
    evening.keep(evening.later(3).table.open_now(evening.now))
    assert evening.table.opening is None
    assert evening.table.game is not None
    assert evening.table.game.deadline == evening.table.clock(evening.now) + 60_000
    assert evening.kept()[-1]["entries"][0] == {"by": 1, "do": "open", "ms": 13_000}


def test_without_a_countdown_the_signal_is_the_beginning() -> None:
    evening = Evening("dash", options={"first_opener": 1}, terms=wire.Terms(countdown_s=0)).start()
    assert [line.event.type for line in evening.ask(1, "act", decision={"do": "open"}).lines] == ["step"]


# --- Time that runs out -------------------------------------------------------------------------------------------


def test_a_round_ends_when_its_time_has_run_out_and_not_a_moment_sooner() -> None:
    evening = Evening("dash", options={"first_opener": 0, "round_limit_s": 60}, terms=wire.Terms(countdown_s=0)).start()
    refuses_to("not-your-moment", evening, lambda: evening.table.run_out(evening.now))
    evening.ask(0, "act", decision={"do": "open"})
    evening.later(60)
    refuses_to("not-your-moment", evening, lambda: evening.table.run_out(evening.now))
    evening.now += 40
    evening.keep(evening.table.run_out(evening.now))
    score = evening.kept()[-1]["entries"][0]
    assert (score["do"], score["why"], score["ms"]) == ("score", "limit", 60_040)
    refuses("not-your-moment", evening, 0, "act", decision={"do": "look"})


def test_the_clock_of_a_game_stands_still_while_nobody_is_there() -> None:
    evening = Evening("dash", options={"first_opener": 0}, terms=wire.Terms(countdown_s=0)).start()
    evening.later(2).ask(0, "act", decision={"do": "open"})
    evening.later(4).table.wake(evening.now)
    assert evening.table.clock(evening.now) == 6000
    evening.later(3600).table.wake(evening.now)
    assert evening.table.clock(evening.now) == 2000


def test_a_countdown_begins_anew_when_nobody_was_there_to_see_it() -> None:
    evening = countdown_evening()
    evening.ask(1, "act", decision={"do": "open"})
    evening.later(3600).table.wake(evening.now)
    assert evening.table.opening == (1, evening.now + 3000)


def test_a_clock_that_was_set_back_does_not_stop_the_game() -> None:
    evening = Evening("dash", options={"first_opener": 0}, terms=wire.Terms(countdown_s=0)).start()
    evening.later(60).ask(0, "act", decision={"do": "open"})
    again = evening.load()
    evening.now -= 50_000
    again.wake(evening.now)
    assert again.clock(evening.now + 10) == 60_010
