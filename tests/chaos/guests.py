"""People at tables: they play at random, talk, come and go, and tell the checker every word they hear."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import secrets
import traceback
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.chaos.checker import REMEMBERED, Checker
from tests.chaos.client import Address, Gone, Socket, Turned, http
from tests.chaos.pause import pause
from tests.waiting import until

ANSWERED = re.compile(rb'^\{"id":"[^"]*",')
LINES = {"step", "house", "countdown", "say", "react"}
WORTH_IT = {"server-stops", "unavailable", "store-error", "silent"}
"""Goodbyes after which everybody comes back."""
USUAL = {
    "illegal", "not-your-moment", "wrong-phase", "not-host", "seat-taken", "not-your-seat", "bad-nonce", "unavailable",
    "table-closed", "chat-off",
}  # fmt: skip
"""Refusals of commands that were right when somebody decided to send them."""
WORDS = ("Cheers!", "Guten Appetit", "いただきます", "¿Quién va?", "🧀🐭", '"quoted" \\ and {braces}', "x" * 200)
SIGNS = ("yum", "wow", "haha", "oops", "cheers", "hurry")
LONGEST_WAIT_S = 1.0
"""Before somebody tries to connect again."""
LATE_S = 8.0
GIVES_UP_S = 20.0
"""A table at which nothing has happened for so long is left: somebody may have sat down whom nobody knows."""


@dataclass
class Sent:
    """A command, until it is answered."""

    text: dict[str, Any]
    seat: int
    answer: asyncio.Future[dict[str, Any]]
    attempts: int = 0


@dataclass(frozen=True)
class Done:
    """A command that was carried out: with which line, and in which generation."""

    sent: Sent
    number: int
    since: int


@dataclass(eq=False)
class Key:
    """A token, and since when it is good."""

    token: str
    seat: int
    generation: int
    moment: int
    doomed: bool = False
    """Somebody may have put it out of use: by leaving, removing, or taking the seat along."""


@dataclass
class World:
    """What all guests share."""

    checker: Checker
    addresses: list[Address]
    dice: random.Random
    games: list[dict[str, Any]] = field(default_factory=list)
    closing: bool = False
    """It is late: nobody begins anything any more."""
    counts: Counter[str] = field(default_factory=Counter)
    names: Any = field(default_factory=lambda: map("g{}".format, count(1)))
    parties: list[Party] = field(default_factory=list)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """A request to any of the servers that is answered with JSON; raises Gone."""
        status, text = await self.request(method, path, body)
        return status, json.loads(text)

    async def request(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """A request to any of the servers; raises Gone."""
        status, text = await http(self.dice.choice(self.addresses), method, path, body)
        if status >= 500 and status != 503:
            self.checker.unexpected(f"{method} {path} was answered with {status}: {text[:300]!r}")
        return status, text


class Guest:
    """Somebody who holds seats at a table, or watches it."""

    def __init__(self, party: Party, keys: list[Key]) -> None:
        self.world = party.world
        self.party = party
        self.keys = keys
        self.name = next(self.world.names)
        self.dice = random.Random(self.world.dice.random())
        self.number: int | None = None
        """The last line that it knows, and in which generation it was told."""
        self.since = 0
        self.over = False
        self.table: dict[str, Any] | None = None
        self._epoch: str | None = None
        self._to_act: list[int] = []
        self._held: frozenset[int] = frozenset()
        self._socket: Socket | None = None
        self._port = 0
        self._ready = False
        """Everything missed has come; commands may be sent."""
        self._unanswered: dict[str, Sent] = {}
        self._done: deque[Done] = deque(maxlen=100)
        """The last commands that were carried out."""
        self._echoes: dict[str, Done] = {}
        """Commands that were answered, and sent again all the same."""
        self._ids = map(f"{secrets.token_hex(4)}-{{}}".format, count())
        self._news = asyncio.Event()
        self._nonces: dict[str, str] = {}
        self._greetings = 0
        self._failures = 0
        """How many times in a row nobody has greeted it."""

    def __str__(self) -> str:
        seats = ",".join(str(key.seat) for key in self.keys) or "none"
        return f"{self.name} (seats {seats})"

    # --- Being connected --------------------------------------------------------------------------------------------

    async def stay(self) -> None:
        """Be connected, again and again, until it is over."""
        while not self.over:
            before = self._greetings
            await self._sleep_in()
            try:
                await self._visit()
            except Gone:
                self.world.counts["broken lines"] += 1
            except Turned as no:
                self._turned(no)
            finally:
                self._ready = False
                if self._socket is not None:
                    self._socket.close(self.dice.random() < 0.5)
                self._socket = None
            if not self.over:
                self._failures = 0 if self._greetings > before else self._failures + 1
                await pause(self.dice, 0, min(0.1 * 2**self._failures, LONGEST_WAIT_S))
        self._news.set()
        for sent in self._unanswered.values():
            sent.answer.cancel()

    async def _sleep_in(self) -> None:
        """After a backup was put back some come late, when others have written past the line that they know."""
        checker, code = self.world.checker, self.party.code
        if self.number is None or self.since == checker.generation or self.dice.random() < 0.6:
            return
        try:
            async with asyncio.timeout(LATE_S):
                number = self.number
                await until(lambda: checker.last(code, checker.generation) > number or self.world.closing)
                self.world.counts["overtaken"] += not self.world.closing
        except TimeoutError:
            pass

    def leave_the_line(self) -> None:
        """Hang up; it will come back."""
        if self._socket is not None:
            self._socket.close()

    async def _visit(self) -> None:
        checker, code = self.world.checker, self.party.code
        generation = checker.generation
        address = self.dice.choice(self.world.addresses)
        self._port = address[1]
        self._socket = await Socket.open(address, f"/api/tables/{code}/socket")
        least = checker.last(code, generation) if checker.one_process else 0
        hello = self._hello()
        await self._socket.send(hello)
        text = await self._socket.receive()
        if text is None or checker.generation != generation:
            return
        message = json.loads(text)
        if message["type"] not in ("welcome", "resumed"):
            self._other(message)
            return
        self._greetings += 1
        checker.greeted(code, message["number"], least, generation, str(self))
        self._held = frozenset(message["seats"])
        if message["type"] == "resumed":
            assert self.number is not None
            checker.resumed(code, self.number, self.since, generation, str(self))
        else:
            self._welcome(message, generation)
        self.since = generation
        self._epoch = message.get("epoch")
        await self._listen(message["number"])

    def _hello(self) -> dict[str, Any]:
        hello: dict[str, Any] = {"do": "hello", "tokens": [key.token for key in self.keys]}
        if self.number is not None and self.dice.random() < 0.97:
            hello["after"] = self.number
            if self._epoch is not None:
                hello["epoch"] = self._epoch
        if self.dice.random() < 0.2:
            hello["recall"] = True
        if self.dice.random() < 0.5:
            hello["views"] = True
        return hello

    def _welcome(self, message: dict[str, Any], generation: int) -> None:
        checker, code = self.world.checker, self.party.code
        checker.counts["welcomed"] += 1
        self.number = message["number"]
        self.table = message["table"]
        self._to_act = message["to_act"]
        for line in message["lines"]:
            # What is recalled is told too, and has to be what others were told, byte for byte.
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
            checker.told(code, line["number"], self._held, text, generation, f"{self} (recalled)")

    async def _listen(self, caught_up: int) -> None:
        while True:
            assert self._socket is not None
            if not self._ready and self.number is not None and self.number >= caught_up:
                await self._send_again()
            text = await self._socket.receive()
            if text is None:
                return
            message = json.loads(text)
            if message["type"] in LINES:
                self._line(text, message, caught_up)
            else:
                self._other(message)
                if message["type"] == "bye":
                    return
            self._news.set()

    async def _send_again(self) -> None:
        """What has got no answer is sent once more, and sometimes what has got one."""
        again = list(self._unanswered.values())
        if self._done and self.dice.random() < 0.7 and not any(key.doomed for key in self.keys):
            done = self.dice.choice(self._done)
            assert self.number is not None
            if self.number - done.number < REMEMBERED // 2:  # many more may be written before it arrives
                self._echoes[done.sent.text["id"]] = done
                again.append(done.sent)
        self._ready = True  # from now on new commands are sent by those who give them
        for sent in again:
            await self._send(sent)

    async def _send(self, sent: Sent) -> None:
        if self._socket is not None:
            sent.attempts += 1
            how = f"by {self} through port {self._port} as the {sent.attempts}. time"
            self.world.checker.sent(self.party.code, sent.seat, sent.text["id"], how)
            await self._socket.send(sent.text)

    def _line(self, text: bytes, message: dict[str, Any], caught_up: int) -> None:
        checker, code, number = self.world.checker, self.party.code, message["number"]
        assert self.number is not None
        if number != self.number + 1:
            checker.skipped(code, self.number + 1, number, str(self))
        self.number = number
        checker.told(code, number, self._held, ANSWERED.sub(b"{", text), self.since, str(self))
        self.party.active()
        if message["type"] == "step":
            self._to_act = message["to_act"]
        elif message["type"] == "house":
            self.table = message["table"]
            if number > caught_up and message["do"] in ("leave", "remove", "take"):
                self._held -= {message["seat"]}
        if "id" in message:
            self._answer(message["id"], message)

    def _other(self, message: dict[str, Any]) -> None:
        """What is not a line."""
        if message["type"] in ("accepted", "refused"):
            self._answer(message["id"], message)
        elif message["type"] == "bye":
            self._bye(message["code"], message)
        elif message["type"] == "views":
            self._views(message)
        elif message["type"] != "presence":
            self.world.checker.unexpected(f"{self} at {self.party.code} was told {message}")

    def _views(self, message: dict[str, Any]) -> None:
        """They belong to the line before them, and to seats of ours."""
        seats = {view["seat"] for view in message["views"]}
        if message["number"] != self.number or not seats <= (self._held or {None}):
            told = f"views of {sorted(map(str, seats))} after line {message['number']}"
            self.world.checker.unexpected(f"{self} at {self.party.code}, at line {self.number}, was told {told}")

    def _answer(self, id: str | None, message: dict[str, Any]) -> None:
        checker, code = self.world.checker, self.party.code
        if id in self._echoes:
            self._echo(id, message)
            return
        sent = self._unanswered.pop(id or "", None)
        if sent is None:
            checker.unexpected(f"{self} at {code} was told {message}, and had asked nothing like this")
            return
        if message["type"] == "refused":
            if message["code"] not in USUAL:
                checker.unexpected(f"{self} at {code} sent {sent.text} and was told {message}")
            if sent.attempts == 1:
                checker.refused(code, sent.seat, sent.text["id"], message["code"])
            self.world.counts["refused"] += 1
        elif sent.text["do"] != "look":
            checker.acknowledged(code, sent.seat, sent.text["id"], message["number"], self.since, str(self))
            self._done.append(Done(sent, message["number"], self.since))
        if not sent.answer.done():
            sent.answer.set_result(message)

    def _echo(self, id: str, message: dict[str, Any]) -> None:
        """A command that had been answered: it is known again, or else does not belong to this history."""
        checker, code, done = self.world.checker, self.party.code, self._echoes.pop(id)
        self.world.counts["sent again"] += 1
        if message["type"] != "refused":
            checker.acknowledged(code, done.sent.seat, id, message["number"], self.since, str(self))
        elif checker.is_current(code, done.number, done.since):
            checker.unexpected(
                f"{self} at {code} sent {id} again, which was line {done.number}, and was told {message}"
            )

    def _bye(self, why: str, message: dict[str, Any]) -> None:
        self.world.counts[f"bye {why}"] += 1
        if why in WORTH_IT:
            return
        self.over = True
        checker, code = self.world.checker, self.party.code
        if why == "no-such-table":
            checker.table_gone(code, str(self))
        elif why == "table-closed" and self.party.closed:
            pass
        elif why in ("seat-moved", "bad-token"):
            if all(self._is_good(key) for key in self.keys):
                checker.unexpected(
                    f"{self} at {code} has tokens that nobody has put out of use, and was told {message}"
                )
        else:
            checker.unexpected(f"{self} at {code} was told {message}")

    def _is_good(self, key: Key) -> bool:
        """Must this token still open its seat?"""
        spared = not key.doomed and key.seat not in self.party.removed
        return spared and self.world.checker.is_kept(key.generation, key.moment)

    def _turned(self, no: Turned) -> None:
        """The socket was not opened: the server stops, or there is no such table."""
        if no.status not in (503, 404):
            self.world.checker.unexpected(f"{self} got no socket of {self.party.code}: {no}")
        if no.status == 404:
            self.over = True
            self.world.checker.table_gone(self.party.code, str(self))

    # --- Doing something --------------------------------------------------------------------------------------------

    async def tell(self, do: str, seat: int, **more: Any) -> Sent:
        """Send a command and do not wait."""
        text: dict[str, Any] = {"do": do, "id": next(self._ids), **more}
        if len(self.keys) > 1 or (self.keys and self.dice.random() < 0.3):
            text["seat"] = seat
        sent = Sent(text, seat, asyncio.get_running_loop().create_future())
        self._unanswered[text["id"]] = sent
        if self._ready:
            try:
                await self._send(sent)
            except Gone:
                self.leave_the_line()
        return sent

    async def ask(self, do: str, seat: int, **more: Any) -> dict[str, Any]:
        """Send a command and wait for its answer, over as many connections as it takes."""
        return await (await self.tell(do, seat, **more)).answer

    @property
    def waits(self) -> list[str]:
        """What it has got no answer to."""
        return [json.dumps(sent.text) for sent in self._unanswered.values()]

    async def play(self) -> None:
        """Do something whenever there is something to do."""
        while not self.over and not self.world.closing:
            self._news.clear()
            if self.table is None or not await self._turn():
                try:
                    async with asyncio.timeout(self.dice.uniform(0.02, 0.4)):
                        await self._news.wait()
                except TimeoutError:
                    pass
            else:
                await pause(self.dice, 0, 0.03)

    async def _turn(self) -> bool:
        """Do something, if there is something to be done."""
        if not self.keys:
            return await self._watch()
        assert self.table is not None
        luck = self.dice.random()
        key = self.dice.choice(self.keys)
        if luck < (0.2 if self.party.chatters else 0.02):
            await self._chat(key.seat, self.dice.randint(1, 12))
            return True
        if luck < 0.024 and len(self.keys) == 1:
            await self._take_along(key)
            return True
        if luck < 0.027 and len(self.keys) == 1 and not self.party.is_host(key.seat):
            await self._leave(key)
            return True
        return await self._do_what_is_due(self.dice.choice(self.keys).seat)

    async def _watch(self) -> bool:
        """A spectator looks, and goes away sooner or later."""
        if self.dice.random() < 0.02:
            self.over = True
            self.leave_the_line()
        elif self.dice.random() < 0.1:
            await self.tell("look", -1)
        return False

    async def _chat(self, seat: int, times: int) -> None:
        """Many words at once, not waiting for answers."""
        for _ in range(times):
            if self.dice.random() < 0.7:
                sent = await self.tell("say", seat, text=self.dice.choice(WORDS))
            else:
                sent = await self.tell("react", seat, sign=self.dice.choice(SIGNS))
        await sent.answer

    async def _leave(self, key: Key) -> None:
        """Get up; what is said after that is too late."""
        key.doomed = True
        sent = await self.tell("leave", key.seat)
        if self.dice.random() < 0.5:
            await self.tell("say", key.seat, text="And another thing")
        await sent.answer
        self.over = True
        self.leave_the_line()

    async def _take_along(self, key: Key) -> None:
        """Take the seat to another device: somebody else with the same seat and another token."""
        answer = await self.ask("pass", key.seat)
        if "pass" not in answer:
            return
        key.doomed = True
        try:
            status, seated = await self.world.ask(
                "POST", f"/api/tables/{self.party.code}/take", {"pass": answer["pass"]}
            )
        except Gone:
            return
        if status == 200:
            self.world.counts["taken along"] += 1
            self.party.seat(seated)
            self.over = True
            self.leave_the_line()

    async def _take(self, key: str) -> tuple[int, Any]:
        try:
            return await self.world.ask("POST", f"/api/tables/{self.party.code}/take", {"pass": key})
        except Gone:
            return 0, None

    async def _do_what_is_due(self, seat: int) -> bool:
        assert self.table is not None
        phase, mine = self.table["phase"], self.table["seats"][seat]
        if phase == "gathering":
            return await self._gather(seat, mine)
        if phase == "shuffling" and mine["pledge"] in self._nonces:
            await self.ask("nonce", seat, nonce=self._nonces.pop(mine["pledge"]))
            return True
        if phase == "playing" and seat in self._to_act:
            return await self._decide(seat)
        if phase == "over" and self.table["host"] == seat:
            await self.party.next_game(self, seat)
            return True
        return False

    async def _gather(self, seat: int, mine: dict[str, Any]) -> bool:
        assert self.table is not None
        if self.dice.random() < (0.3 if mine["pledge"] is None else 0.02):
            nonce = secrets.token_bytes(32)
            hash = hashlib.sha256(nonce).hexdigest()
            self._nonces[hash] = nonce.hex()
            await self.ask("pledge", seat, hash=hash)
            return True
        if self.table["host"] != seat:
            return False
        return await self.party.gather(self, seat)

    async def _decide(self, seat: int) -> bool:
        """Look, and take any decision that is legal."""
        answer = await self.ask("look", seat)
        views = answer.get("views") or []
        legal = views[0]["observation"]["legal"] if views else []
        if not legal:
            return False
        await self.ask("act", seat, decision=self.dice.choice(legal))
        return True


@dataclass
class Party:
    """One table and the people at it."""

    world: World
    code: str
    game: str
    games_left: int
    chatters: bool = False
    """They only talk, and never begin to play."""
    guests: list[Guest] = field(default_factory=list)
    closed: bool = False
    """The host has closed the table, or is about to."""
    removed: set[int] = field(default_factory=set)
    """Seats from which the host has asked somebody to leave."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _last: float = 0.0

    @classmethod
    async def set_up(cls, world: World) -> Party | None:
        """Set up a table for any game; None if nobody answers, or not now."""
        dice, game = world.dice, world.dice.choice(world.games)
        seats = dice.randint(game["least_seats"], min(game["most_seats"], 5))
        bots = [seat for seat in range(1, seats) if dice.random() < 0.4]
        body = {
            "game": game["id"], "seats": seats, "name": "Ada", "options": quick(game, dice),
            "bots": [{"seat": seat, "level": dice.choice(game["bots"])} for seat in bots],
            "terms": {
                "public": dice.random() < 0.5, "bot_pace": "instant", "countdown_s": dice.choice([0, 0, 1]),
                "grace_s": 5, "decision_s": dice.choice([None, 5]), "window_ms": dice.choice([0, 20, 60]),
            },
        }  # fmt: skip
        try:
            status, seated = await world.ask("POST", "/api/tables", body)
        except Gone:
            return None
        if status != 201:
            if status != 503:
                world.checker.unexpected(f"a table could not be set up: {status} {seated}")
            return None
        world.checker.created(seated["code"])
        world.counts["tables"] += 1
        party = cls(world, seated["code"], game["id"], dice.randint(1, 3), chatters=dice.random() < 0.2)
        world.parties.append(party)
        party.active()
        party.seat(seated)
        for _ in range(seats - len(bots) - 1):
            await party.invite()
        return party

    @property
    def path(self) -> str:
        return f"/api/tables/{self.code}"

    def active(self) -> None:
        """Something has happened at the table."""
        self._last = asyncio.get_running_loop().time()

    def is_host(self, seat: int) -> bool:
        table = next((guest.table for guest in self.guests if guest.table is not None), None)
        return table is None or table["host"] == seat

    def seat(self, *seated: dict[str, Any]) -> None:
        """Somebody has got seats."""
        checker = self.world.checker
        keys = [Key(one["token"], one["seat"], checker.generation, checker.moment()) for one in seated]
        self._comes(Guest(self, keys))

    def watch(self) -> None:
        """Somebody comes to watch."""
        self._comes(Guest(self, []))

    def _comes(self, guest: Guest) -> None:
        self.guests.append(guest)
        for work in (guest.stay, guest.play):
            task = asyncio.create_task(self._guarded(work, guest))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Callable[[], Awaitable[None]], guest: Guest) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            pass  # an answer that will not come any more
        except Exception as error:
            guest.over = True
            where = "".join(traceback.format_exception(error))
            self.world.checker.unexpected(f"{guest} at {self.code} failed: {where}")

    async def invite(self) -> None:
        """Somebody sits down, or two who share a device do."""
        seated = []
        for _ in range(1 + (self.world.dice.random() < 0.15)):
            generation = self.world.checker.generation
            try:
                status, answer = await self.world.ask("POST", f"{self.path}/seats", {"name": "Bo"})
            except Gone:
                continue
            if status == 201 and generation == self.world.checker.generation:
                seated.append(answer)
            elif status == 404:
                self.world.checker.table_gone(self.code, "somebody who wanted to sit down")
        if seated:
            self.seat(*seated)

    async def gather(self, host: Guest, seat: int) -> bool:
        """The host sees to it that all seats are taken, and begins."""
        assert host.table is not None
        known = {key.seat for guest in self.guests if not guest.over for key in guest.keys}
        for number, one in enumerate(host.table["seats"]):
            if one["kind"] == "free":
                if host.dice.random() < 0.5:
                    await self.invite()
                else:
                    await host.ask("bot", seat, on=number, level="random")
                return True
            if one["kind"] == "person" and number not in known:
                self.removed.add(number)  # somebody whose answer got lost
                await host.ask("remove", seat, whom=number)
                return True
        if self.chatters:
            return False
        await host.ask("start", seat)
        return True

    async def next_game(self, host: Guest, seat: int) -> None:
        """The game is over: another one, or home."""
        self.games_left -= 1
        self.world.counts["games"] += 1
        if self.games_left > 0:
            await host.ask("rematch", seat)
        else:
            self.closed = True
            await host.ask("close", seat)

    @property
    def stuck(self) -> bool:
        """Is there nobody left, or nothing going on?"""
        return all(g.over for g in self.guests) or asyncio.get_running_loop().time() - self._last > GIVES_UP_S

    async def keep(self) -> None:
        """See to it that people come, until it is time to leave the table."""
        dice = self.world.dice
        while not self.world.closing and not self.stuck:
            await pause(dice, 0.1, 0.6)
            self.guests = [guest for guest in self.guests if not guest.over]
            if dice.random() < 0.2 and sum(not guest.keys for guest in self.guests) < 2:
                self.watch()
            if dice.random() < 0.1 and self.guests:
                dice.choice(self.guests).leave_the_line()
            tables = [guest.table for guest in self.guests if guest.table is not None]
            if tables and any(one["kind"] == "left" for one in tables[0]["seats"]) and dice.random() < 0.2:
                await self.invite()

    async def end(self) -> None:
        """Everybody goes home at once; what they were told is not forgotten."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self in self.world.parties:
            self.world.parties.remove(self)


def quick(game: dict[str, Any], dice: random.Random) -> dict[str, int]:
    """Options that keep a game short, among those that the game has."""
    wanted = {"max_rounds": dice.randint(1, 2), "round_limit_s": dice.randint(2, 6), "target": dice.randint(5, 20)}
    return {option["name"]: wanted[option["name"]] for option in game["options"] if option["name"] in wanted}
