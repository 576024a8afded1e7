"""The secrecy law on the wire: what a seat can not know makes no difference to a single byte that it is sent.

Two worlds are made that differ in what is hidden: in the order of cards nobody has seen, and in choices that others
made unseen. Then both are played at a table of the real server, with the same commands at the same times, wrong ones
included. Whoever can not tell the worlds apart must be sent the same bytes: welcome, lines, views that come with them
or are asked for, refusals, and whatever is sent again after a break.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tafelrunde import Decision, Game, TafelrundeError, fairness
from tafelrunde.game import codes_of
from tafelrunde.games import GAMES, find
from tafelrunde.games.contract import Entry, GameSpec
from tafelrunde.server import service
from tafelrunde.server.app import make_app
from tafelrunde.table import codes
from tafelrunde.testing import pick, pick_any
from tests.server.timeless import NAMES, Guest, House, Round, moment, spend

Held = frozenset[int]
TRIES = 40
"""So many changes of what is hidden are tried; those that somebody could notice are dropped."""
STEP_S = 0.25


# --- Worlds -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """All that makes a game: what chance has dealt, and what was decided."""

    game: str
    seats: int
    orders: tuple[tuple[int, ...], ...]
    deeds: tuple[tuple[int, Decision], ...]

    @property
    def spec(self) -> GameSpec:
        return find(self.game)

    def begin(self) -> Game:
        return Game(self.spec, NAMES[: self.seats], self.spec.quick, None)


class Openly(Exception):
    """The worlds differ in something that can be seen."""


def invent(game: str, seats: int, steps: int, chooser: random.Random) -> World:
    """A game of so many random decisions."""
    world = World(game, seats, (), ())
    state = world.begin()
    orders, deeds = [], []
    while not state.over:
        while state.needs is not None:
            orders.append(shuffled(state, chooser))
            state.supply(orders[-1])
        if len(deeds) == steps or state.over:
            break
        seat, decision = pick_any(state, chooser)
        state.act(seat, decision)
        deeds.append((seat, Decision.from_json(decision.to_json())))
    return replace(world, orders=tuple(orders), deeds=tuple(deeds))


def shuffled(state: Game, chooser: random.Random) -> tuple[int, ...]:
    offered = state.offer()
    assert state.needs is not None
    return tuple(chooser.sample(offered, 1 if state.needs.do == "choose" else len(offered)))


def seen_by(spec: GameSpec, entry: Entry, held: Held) -> Entry:
    owner, rest = spec.owner_and_rest(entry)
    return entry if owner is not None and owner in held else rest


@dataclass
class Telling:
    """A world as it is played, and what somebody who holds these seats sees of it, step by step."""

    world: World
    held: Held
    state: Game = field(init=False)
    seen: list[list[Entry]] = field(default_factory=list)

    def play(self, expected: list[list[Entry]] | None) -> Telling:
        """Play all of it; raises Openly as soon as something is not seen as expected."""
        self.state = self.world.begin()
        orders = iter(self.world.orders)
        self._note([*self.state.entries, *self._deal(orders)], expected)
        deeds = []
        for seat, wanted in self.world.deeds:
            decision = self._possible(seat, wanted)
            deeds.append((seat, decision))
            self._note([*self.state.act(seat, decision), *self._deal(orders)], expected)
        self.world = replace(self.world, deeds=tuple(deeds))
        return self

    def _deal(self, orders: Iterator[tuple[int, ...]]) -> list[Entry]:
        dealt: list[Entry] = []
        while self.state.needs is not None:
            dealt += self.state.supply(next(orders))
        return dealt

    def _note(self, entries: list[Entry], expected: list[list[Entry]] | None) -> None:
        self.seen.append([seen_by(self.world.spec, entry, self.held) for entry in entries])
        if expected is not None and self.seen[-1] != expected[len(self.seen) - 1]:
            raise Openly

    def _possible(self, seat: int, wanted: Decision) -> Decision:
        """The decision; if it can not be taken in this world, another one that looks the same."""
        legal, notation = self.state.legal(seat), self.world.spec.notation
        if wanted.code(notation) in codes_of(legal, notation):
            return wanted
        alike = [one for one in legal if seat not in self.held and self._looks(seat, one) == self._looks(seat, wanted)]
        if not alike:
            raise Openly
        return Decision.from_json(alike[0].to_json())

    def _looks(self, seat: int, decision: Decision) -> Entry:
        return seen_by(self.world.spec, {"by": seat, **decision.to_json()}, self.held)


def twin_of(world: World, held: Held, chooser: random.Random) -> tuple[World, Telling]:
    """Another world that the holder of these seats can not tell from this one; perhaps the same, if there is none."""
    first = Telling(world, held).play(None)
    twin = first
    for _ in range(TRIES):
        changed = change(twin.world, held, chooser)
        try:
            twin = Telling(changed, held).play(first.seen)
        except (Openly, TafelrundeError):
            continue
    return first.world, twin


def change(world: World, held: Held, chooser: random.Random) -> World:
    """Something else is dealt, or somebody else decides otherwise."""
    hidden = [number for number, (seat, _) in enumerate(world.deeds) if seat not in held]
    if hidden and chooser.random() < 0.4:
        return change_deed(world, chooser.choice(hidden[-6:] if chooser.random() < 0.7 else hidden), chooser)
    number = chooser.randrange(len(world.orders))
    order = list(world.orders[number])
    one, two = (chooser.randrange(min(len(order), chooser.choice((30, 200)))) for _ in range(2))
    order[one], order[two] = order[two], order[one]
    return replace(world, orders=(*world.orders[:number], tuple(order), *world.orders[number + 1 :]))


def change_deed(world: World, number: int, chooser: random.Random) -> World:
    before = Telling(replace(world, deeds=world.deeds[:number]), frozenset()).play(None).state
    seat = world.deeds[number][0]
    decision = Decision.from_json(pick(before, seat, chooser).to_json())
    return replace(world, deeds=(*world.deeds[:number], (seat, decision), *world.deeds[number + 1 :]))


# --- The same evening in both worlds ------------------------------------------------------------------------------


class StackedDealer(fairness.Dealer):
    """Deals what the world has it; nobody can tell from a commitment what a secret would have dealt."""

    def __init__(self, secret: bytes, nonces: Any, orders: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(secret, nonces)
        self._orders = iter(orders)

    def order(self, game: Game) -> list[int]:
        return list(next(self._orders))


@contextmanager
def dealt(world: World) -> Iterator[None]:
    """Cards as in this world; codes, tokens and secrets are the same in all worlds."""
    chance = random.Random(1)
    token = codes.new_token
    with ExitStack() as patches:
        patches.enter_context(patch.object(fairness, "Dealer", partial(StackedDealer, orders=world.orders)))
        patches.enter_context(patch.object(fairness, "fresh", lambda: chance.randbytes(32)))
        patches.enter_context(patch.object(codes, "new_token", lambda: chance.randbytes(24).hex()[: len(token())]))
        patches.enter_context(patch.object(service, "new_code", lambda: "kafemulo"))
        yield


@dataclass
class Probe:
    """What a curious client sends after a step: none of it may bring more to light than the rules tell."""

    messages: list[bytes]
    comes_again: int | None
    """It also connects once more, and says that it has followed so far; -1: that it knows nothing and would like to."""


def probes_for(world: World, held: Held, chooser: random.Random) -> list[Probe]:
    """Wrong commands for each step; what would be a legal decision of the seat is left out."""
    state = world.begin()
    orders = iter(world.orders)
    probes = []
    for number in range(len(world.deeds) + 1):
        while state.needs is not None:
            state.supply(next(orders))
        commands = wrong_commands(state, held, chooser)
        messages = [
            json.dumps({"id": f"p{number}-{i}", **command}).encode() if isinstance(command, dict) else command
            for i, command in enumerate(chooser.sample(commands, 3))
        ]
        probes.append(Probe(messages, chooser.choice((None, None, -1, number // 2))))
        if number < len(world.deeds):
            state.act(*world.deeds[number])
    return probes


def wrong_commands(state: Game, held: Held, chooser: random.Random) -> list[Any]:
    seats = sorted(held) or [None]
    seat = chooser.choice(seats)
    other = chooser.randrange(state.seats)
    somebody = chooser.choice(state.to_act or (0,))
    act = {"do": "act", "seat": seat} if seat is not None else {"do": "act"}
    wild = [
        {"do": "lay", "card": chooser.randrange(-2, 12)}, {"do": "take", "place": chooser.randrange(64)},
        {"do": "back", "place": chooser.randrange(64)}, *({"do": do} for do in ("keep", "look", "exit", "open")),
        {"do": "return", "card": chooser.choice("ABCDEFG") + chooser.choice("1234567"), "place": chooser.randrange(64)},
        {"do": "lay", "card": f"{chooser.choice(('fruit', 'eggs'))}-{chooser.randrange(8)}-{chooser.randrange(8)}"},
        {"do": "exchange", "cards": [chooser.randrange(10)]}, {"do": "pass"}, {"do": "dig"},
    ]  # fmt: skip
    if state.legal(somebody):
        wild += [pick(state, somebody, chooser).to_json() for _ in range(6)]
    acts = [{**act, "decision": one} for one in wild if seat is None or is_refused(state, seat, one)]
    others = [{"do": "act", "seat": other, "decision": wild[0]}] if other not in held else []
    named = {} if seat is None else {"seat": seat}
    return [
        *acts, *others, {"do": "look", "raw": True, **named}, {"do": "start", **named}, {"do": "rematch", **named},
        {"do": "nonce", "nonce": "0" * 64, **named}, {"do": "remove", "whom": seat or 0, **named},
        {"do": "look", "seat": 9}, {"do": "cheat"}, b"{", b"[]", b'"hello"', b'{"do":"act"}', b"\xff\xfe",
        b'{"do":"hello","tokens":[]}',
        {"do": "act", "decision": "lay", **named}, {"do": "bot", "on": other, "level": "greedy", **named},
    ]  # fmt: skip


def is_refused(state: Game, seat: int, decision: dict[str, Any]) -> bool:
    try:
        state.copy().act(seat, decision)
    except TafelrundeError:
        return True
    return False


async def evening_in(world: World, held: Held, probes: list[Probe], house: House) -> list[list[bytes]]:
    """Play a world at a table, and give everything that the holder of these seats was sent, on every line."""
    table = await house.table(world.game, world.seats, countdown_s=0, grace_s=None)
    curious = table.guest(*held, views=True, raw=True)
    others = [table.guest(seat, views=True) for seat in range(world.seats) if seat not in held]
    by_seat = dict(zip((seat for seat in range(world.seats) if seat not in held), others, strict=True))
    again: list[Guest] = []
    await moment(STEP_S)
    by_seat.get(0, curious).ask("start", seat=0)
    await moment(STEP_S)
    for deed, probe in zip((*world.deeds, None), probes, strict=True):
        for message in probe.messages:
            curious.tell(message)
        if probe.comes_again is not None:
            nothing = probe.comes_again < 0
            again.append(table.guest(*held, after=None if nothing else probe.comes_again, recall=nothing, views=True))
        await moment(STEP_S)
        if deed is not None:
            seat, decision = deed
            by_seat.get(seat, curious).ask("act", seat=seat, decision=decision.to_json())
            await moment(STEP_S)
    told = in_words_of(table)
    assert told == [without_time(entry) for entry in Telling(world, held).play(None).state.entries]
    return [guest.heard for guest in (curious, *again, *await resumed_everywhere(table, held))]


async def resumed_everywhere(table: Round, held: Held) -> list[Guest]:
    """Somebody comes back after a break of every length."""
    guests = []
    for after in range(table.live.table.number + 2):
        guests.append(table.guest(*held, after=after, views=True, raw=True))
        await moment()
        guests[-1].hang_up()
    return guests


def in_words_of(table: Round) -> list[Entry]:
    assert table.live.table.game is not None
    return [without_time(entry) for entry in table.live.table.game.entries]


def without_time(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key != "ms"}


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
@settings(max_examples=22)
@given(data=st.data())
def test_worlds_that_a_seat_can_not_tell_apart_send_it_the_same_bytes(game: str, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(GAMES[game].seat_range[:3]), label="seats")
    held = data.draw(st.frozensets(st.integers(0, seats - 1), max_size=seats - 1), label="held")
    chooser = random.Random(data.draw(st.integers(0, 2**32), label="seed"))
    world, twin = twin_of(invent(game, seats, chooser.choice((3, 12, 30, 60)), chooser), held, chooser)
    assume(twin.world != world)
    probes = probes_for(world, held, chooser)
    sent = []
    for one in (world, twin.world):
        with dealt(one):
            sent.append(spend(partial(evening_in, one, held, probes)))
    assert any(text.startswith(b'{"type":"views"') for text in sent[0][0])
    assert [len(line) for line in sent[0]] == [len(line) for line in sent[1]]
    for here, there in zip(*sent, strict=True):
        for one, other in zip(here, there, strict=True):
            assert one == other


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_worlds_of_this_test_differ_in_hands_piles_and_choices(game: str) -> None:
    """Else the test above would say little."""
    differing = set()
    for seed in range(30):
        chooser = random.Random(seed)
        held = frozenset({0})
        world, twin = twin_of(invent(game, 3, 20, chooser), held, chooser)
        real = Telling(world, held).play(None).state
        for one, other in zip(real.entries, twin.state.entries, strict=True):
            if one != other:
                assert seen_by(real.spec, one, held) == seen_by(real.spec, other, held)
                differing.add(one["do"])
        assert real.observe(0).raw.tobytes() == twin.state.observe(0).raw.tobytes()
    expected = {
        "buffet": {"shuffle", "draw", "lay"},
        "chocolat": {"shuffle", "draw", "lay"},
        "dash": {"shuffle", "deal", "see"},
    }
    assert differing == expected[game]


# --- Nothing private, ever ----------------------------------------------------------------------------------------


@dataclass
class Safe:
    """What must never be sent, each with those who may have it all the same."""

    private: dict[str, Guest | None] = field(default_factory=dict)

    def put(self, secret: str, owner: Guest | None = None) -> None:
        self.private[secret] = owner
        self.private[codes.hashed(secret)] = None

    def check(self, text: bytes, receiver: Guest | None) -> None:
        for secret, owner in self.private.items():
            assert (receiver is not None and receiver is owner) or secret.encode() not in text


async def pledge_and_start(table: Round, guests: list[Guest], safe: Safe) -> None:
    nonces = [fairness.fresh() for _ in guests]
    for guest, nonce in zip(guests, nonces, strict=True):
        guest.ask("pledge", hash=fairness.commitment(nonce))
        safe.private[nonce.hex()] = None
    guests[0].ask("start")
    await moment()
    for guest, nonce in zip(guests, nonces, strict=True):
        guest.ask("nonce", nonce=nonce.hex())
    await moment()
    assert table.view.phase == "playing"


def shows_only_own_secrets(spec: GameSpec, guest: Guest, held: Held) -> None:
    """No entry has a hidden field for anybody but its owner."""
    for entry in guest.entries():
        secret = spec._secret_of(entry)
        if secret is not None and (secret.owner is None or entry[secret.owner] not in held):
            assert not entry.keys() & secret.fields


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_private_is_ever_on_the_wire(game: str) -> None:
    """Neither the secret before the end, nor nonces, tokens, passes, hashes of these, nor cards of others."""

    async def evening(house: House) -> None:
        table = await house.table(game, 4, bots={3: "greedy"}, countdown_s=0, grace_s=30)
        guests = [table.guest(seat, views=True, raw=True) for seat in range(3)]
        watcher = table.guest(views=True)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(make_app(house.server)), base_url="http://here")
        bodies: list[bytes] = []
        await moment()
        safe = Safe()
        for token in table.tokens.values():
            safe.put(token)
        secret = table.live.table.head.private.secret
        safe.private[secret] = None
        await pledge_and_start(table, guests, safe)
        asked = guests[1].ask("pass")
        await moment()
        safe.put(guests[1].answer(asked)["pass"], guests[1])
        guests[2].hang_up()
        chooser = random.Random(5)
        for _ in range(40):
            await moment(1.5)
            for seat in (0, 1):
                state = table.live.table.game
                if state is not None and seat in state.to_act and state.legal(seat):
                    guests[seat].ask("act", decision=pick(state, seat, chooser).to_json())
            guests[0].ask("look", raw=True)
            again = table.guest(0, after=chooser.randrange(table.live.table.number), views=True)
            recalling = table.guest(1, recall=True)
            await moment(0.01)
            guests += [again, recalling]
            for path in ("", "/games", "/games/1/record", "/games/1/replay", "/games/1/receipts"):
                bodies.append((await http.get(f"/api/tables/{table.code}{path}")).content)
            bodies.append((await http.get("/api/lobby")).content)
            again.hang_up()
            recalling.hang_up()
        await http.aclose()
        assert table.view.phase == "playing"
        assert len(watcher.messages("step")) > 15
        for guest in (*guests, watcher):
            for text in guest.heard:
                safe.check(text, guest)
        for body in bodies:
            safe.check(body, None)
        for guest, held in ((guests[0], {0}), (guests[1], {1}), (guests[2], {2}), (watcher, set()), (guests[-2], {0})):
            shows_only_own_secrets(find(game), guest, frozenset(held))
            assert {view["seat"] for told in guest.messages("views") for view in told["views"]} == (held or {None})
        assert table.live.table.head.private.secret == secret

    spend(evening)


def test_whoever_has_several_seats_sees_the_secrets_of_all_of_them_and_of_no_other() -> None:
    async def evening(house: House) -> None:
        table = await house.table("buffet", 4)
        both = table.guest(0, 2)
        await moment()
        both.ask("start", seat=0)
        await moment()
        draws = [entry for entry in both.entries() if entry["do"] == "draw"]
        assert [("cards" in draw) for draw in draws] == [True, False, True, False]
        again = table.guest(0, 2)
        await moment()
        [welcome] = again.messages("welcome")
        assert [view["seat"] for view in welcome["views"]] == [0, 2]

    spend(evening)
