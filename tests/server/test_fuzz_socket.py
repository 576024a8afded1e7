"""The socket against its own schema: whatever is sent is answered once or ends the line, and the others play on."""

from __future__ import annotations

import asyncio
import json
import struct
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import picows
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema
from jsonschema import Draft202012Validator

from tafelrunde import wire
from tafelrunde.client import Client
from tests.server.guests import PATIENT, Raw, connection, seated
from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

SCHEMA = wire.schema()
COMMAND, MESSAGE = (
    Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}) for name in ("Command", "Message")
)
CLOSED_BY_PICOWS = {1002, 1007, 1009}
"""Close codes for what is no WebSocket any more; there nothing can be said before."""

few = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def described(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """All that the schema allows. Objects are put together here: what from_schema does with them leans on parts of
    Hypothesis that have changed.
    """
    if "$ref" in schema:
        return described(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    for either in ("anyOf", "oneOf"):
        if either in schema:
            return st.one_of([described(one) for one in schema[either]])
    if "properties" in schema:
        fields = {name: described(one) for name, one in schema["properties"].items()}
        needed = {name: fields.pop(name) for name in schema.get("required", ())}
        return st.fixed_dictionaries(needed, optional=fields)
    if schema.get("type") == "array" and "items" in schema:
        least, most = schema.get("minItems", 0), schema.get("maxItems", 4)
        return st.lists(described(schema["items"]), min_size=least, max_size=most)
    return from_schema(dict(schema))


# --- A table to be rude at ------------------------------------------------------------------------------------------


class Scene:
    """A table with a game going on: one seat for the rude guest, one for somebody who wants to play."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.loop = asyncio.new_event_loop()
        self.code, self.rude, self.calm = "", "", ""
        self.sent = 0

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE_S))

    async def set_up(self) -> None:
        async with Client(self.server.url) as client:
            calm = await client.create("chocolat", 3, "Ada", bots={2: "greedy"}, terms=PATIENT)
            rude = await client.sit(calm.code, "Bo")
            self.code, self.calm, self.rude = calm.code, calm.token, rude.token
            async with client.table(calm.code) as table:
                await table.start(calm.seat)
                await until(lambda: table.view.phase == "playing")

    async def check_others(self) -> None:
        """Somebody else is still answered, and bots still play."""
        async with seated(self.server.url, self.code, self.calm) as raw:
            self.sent += 1
            answer = await raw.answer({"do": "say", "id": f"calm-{self.sent}", "text": "May I?"})
            assert answer["type"] in ("say", "refused")
            assert answer.get("code") in (None, "chat-off")
            looked = await raw.answer({"do": "look", "id": "look"})
            assert looked["views"]


@pytest.fixture(scope="module")
def scene(server: RunningServer) -> Iterator[Scene]:
    scene = Scene(server)
    scene.do(scene.set_up())
    yield scene
    scene.do(scene.check_others())
    assert not any("Traceback" in line for line in server.log), "".join(server.log)
    scene.loop.close()


def check_messages(heard: Sequence[bytes]) -> list[dict[str, Any]]:
    """All that was heard, which has to be as the schema says."""
    messages = [json.loads(text) for text in heard]
    for message in messages:
        MESSAGE.validate(message)
        wire.MESSAGES.validate_python(message)
    return messages


def answers_in(messages: Sequence[Mapping[str, Any]]) -> Counter[str | None]:
    """How often each id was answered; None for what could not be read so far."""
    return Counter(
        message["id"] for message in messages if message.get("id") is not None or message["type"] == "refused"
    )


async def be_rude(scene: Scene, texts: Sequence[bytes]) -> None:
    """Say all this to the table, and see that each is answered once, unless a goodbye ends it."""
    async with seated(scene.server.url, scene.code, scene.rude) as raw:
        for text in texts:
            raw.say(text)
        raw.say({"do": "look", "id": "the-last"})
        await until(lambda: raw.gone or any(b'"the-last"' in text for text in raw.heard))
        messages = check_messages(raw.heard)
        bye = messages[-1]["type"] == "bye"
        answers = answers_in(messages)
        assert all(times == 1 for id, times in answers.items() if id is not None)
        if not raw.gone:
            assert answers.total() == len(texts) + 1
        else:
            assert bye or raw.close_code in CLOSED_BY_PICOWS


def with_ids(commands: Sequence[dict[str, Any]]) -> list[bytes]:
    """Each command under an id of its own; a repeated one would be answered as the same."""
    return [
        json.dumps(command | {"id": f"{number}-{id(commands)}"}).encode() for number, command in enumerate(commands)
    ]


# --- By the schema --------------------------------------------------------------------------------------------------


def test_commands_as_the_schema_allows_them_are_each_answered_once(scene: Scene) -> None:
    @few
    @given(st.lists(described(SCHEMA["$defs"]["Command"]), min_size=1, max_size=8))
    def try_it(commands: list[dict[str, Any]]) -> None:
        for command in commands:
            COMMAND.validate(command)
        staying = [command for command in commands if command["do"] != "leave"]  # who gets up has nothing more to say
        scene.do(be_rude(scene, with_ids(staying)))

    try_it()


def test_a_hello_as_the_schema_allows_it_is_welcomed_or_sent_away(scene: Scene) -> None:
    async def greet(hello: dict[str, Any]) -> None:
        async with connection(scene.server.url, scene.code) as raw:
            raw.say(json.dumps(hello))
            await until(lambda: raw.gone or raw.heard)
            if raw.gone:
                assert check_messages(raw.heard)[-1]["type"] == "bye"
            else:
                assert check_messages(raw.heard)[0]["type"] in ("welcome", "resumed", "bye")

    @few
    @given(described(SCHEMA["$defs"]["Hello"]))
    def try_it(hello: dict[str, Any]) -> None:
        scene.do(greet(hello))

    try_it()


# --- Nearly right ---------------------------------------------------------------------------------------------------

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.just("\ud800")
    | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
verbs = st.sampled_from(
    ["act", "look", "say", "react", "pledge", "nonce", "pass", "bot", "remove", "terms", "start", "rematch", "hello"]
) | st.text(max_size=8)  # fmt: skip
decisions = st.fixed_dictionaries(
    {"do": st.sampled_from(["take", "mouse", "help", "serve", "lay", "pass", "open", "place", "exchange"]) | junk},
    optional=dict.fromkeys(("card", "cards", "mouse", "place", "hand", "seat", "from", "to", "helper", "kind"), junk),
)
near = st.fixed_dictionaries(
    {"do": verbs},
    optional={
        "id": st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=40) | junk,
        "seat": st.integers(-1, 10) | junk,
        "decision": decisions | junk,
        "text": st.text(max_size=210) | junk,
        "sign": st.sampled_from([*wire.REACTIONS, "boo"]) | junk,
        "hash": st.text("0123456789abcdef", min_size=63, max_size=65) | junk,
        "nonce": st.text("0123456789abcdef", min_size=63, max_size=65) | junk,
        "on": st.integers(-1, 10) | junk,
        "level": st.sampled_from(["greedy", "random", "clever", None]) | junk,
        "whom": st.integers(-1, 10) | junk,
        "terms": st.fixed_dictionaries({}, optional={"chat": st.booleans(), "grace_s": st.integers()}) | junk,
        "raw": st.booleans() | junk,
        "views": st.booleans() | junk,
        "more": junk,
    },
)


def test_commands_that_are_nearly_right_are_each_answered_once(scene: Scene) -> None:
    @few
    @given(st.lists(near, min_size=1, max_size=6, unique_by=lambda one: json.dumps(one.get("id"))))
    def try_it(commands: list[dict[str, Any]]) -> None:
        scene.do(be_rude(scene, [json.dumps(command).encode() for command in commands]))

    try_it()


def test_decisions_that_are_nearly_right_are_each_answered_once(scene: Scene) -> None:
    @few
    @given(st.lists(decisions, min_size=1, max_size=6))
    def try_it(wanted: list[dict[str, Any]]) -> None:
        scene.do(be_rude(scene, with_ids([{"do": "act", "decision": decision} for decision in wanted])))

    try_it()


def test_any_text_and_any_bytes_are_each_answered_once(scene: Scene) -> None:
    anything = (
        st.text(max_size=60).map(str.encode) | st.binary(max_size=60) | junk.map(lambda one: json.dumps(one).encode())
    )

    @few
    @given(st.lists(anything, min_size=1, max_size=5))
    def try_it(texts: list[bytes]) -> None:
        scene.do(be_rude(scene, texts))

    try_it()


def test_a_first_message_that_is_no_hello_ends_the_line_with_a_goodbye(scene: Scene) -> None:
    async def greet(text: bytes) -> None:
        async with connection(scene.server.url, scene.code) as raw:
            raw.say(text)
            bye = await raw.ends()
            check_messages(raw.heard)
            assert bye is not None
            assert (bye["code"], bye["again"]) == ("bad-message", False)

    tokens = st.lists(junk, max_size=3) | junk
    hellos = st.fixed_dictionaries({"do": st.just("hello"), "tokens": tokens.filter(bool), "more": junk})
    others = near.filter(lambda command: command["do"] != "hello")

    @few
    @given(st.binary(max_size=40) | (hellos | others).map(lambda one: json.dumps(one).encode()))
    def try_it(text: bytes) -> None:
        scene.do(greet(text))

    try_it()


# --- Frames ---------------------------------------------------------------------------------------------------------


def masked(first: int, payload: bytes, mask: bytes = b"\x01\x02\x03\x04") -> bytes:
    """A frame as a client sends it; the first byte has all flags."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack("!H", size)
    return bytes([first]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def test_a_message_may_come_in_pieces(scene: Scene) -> None:
    async def say_in_pieces(text: str, cuts: list[int]) -> None:
        message = json.dumps({"do": "say", "id": "piece", "text": text}, ensure_ascii=False).encode()
        edges = [0, *sorted(cut % len(message) for cut in cuts), len(message)]
        async with seated(scene.server.url, scene.code, scene.rude) as raw:
            for number, (start, end) in enumerate(pairwise(edges)):
                kind = picows.WSMsgType.CONTINUATION if number else picows.WSMsgType.TEXT
                raw.transport.send(kind, message[start:end], fin=end == len(message))
                raw.transport.send_ping(b"between the pieces")
            answered = await raw.hear("say", "refused", "accepted")
            while answered.get("id") != "piece":
                answered = await raw.hear("say", "refused", "accepted")
            check_messages(raw.heard)

    @few
    @given(
        st.text(st.characters(categories=["L"]), min_size=1, max_size=40), st.lists(st.integers(0, 1000), max_size=5)
    )
    def try_it(text: str, cuts: list[int]) -> None:
        scene.do(say_in_pieces(text, cuts))

    try_it()


Send = Callable[[Raw], None]


def raw_bytes(*frames: bytes) -> Send:
    return lambda raw: raw.transport.underlying_transport.write(b"".join(frames))


LOOK = b'{"do":"look","id":"look"}'


@pytest.mark.parametrize(
    ("send", "code"),
    [
        (lambda raw: raw.transport.send(picows.WSMsgType.BINARY, LOOK), 1008),
        (lambda raw: raw.transport.send(picows.WSMsgType.BINARY, b"", fin=False), 1008),
        (raw_bytes(bytes([0x81, 4]) + b"look"), 1002),
        (raw_bytes(masked(0xC1, LOOK)), None),
        (raw_bytes(masked(0x83, LOOK)), 1002),
        (raw_bytes(masked(0x8B, LOOK)), 1002),
        (raw_bytes(masked(0x09, b"ping")), 1002),
        (raw_bytes(masked(0x89, b"x" * 126)), 1002),
        (raw_bytes(masked(0x88, b"\x03")), 1002),
        (raw_bytes(masked(0x88, struct.pack("!H", 1005))), 1002),
        (raw_bytes(masked(0x88, struct.pack("!H", 1000) + b"\xff\xff")), 1007),
        (raw_bytes(b"\x81\xff" + struct.pack("!Q", 1 << 62) + b"mask"), 1009),
        (raw_bytes(b"\x81\xff" + struct.pack("!Q", 1 << 63) + b"mask"), 1002),
        (raw_bytes(masked(0x88, b"")), 1000),
        (raw_bytes(masked(0x88, struct.pack("!H", 4711) + b"bye")), 1000),
    ],
    ids=[
        "binary", "binary piece", "unmasked", "reserved bit", "unknown kind", "unknown control", "ping in pieces",
        "long ping", "half a close code", "forbidden close code", "close that is no text", "endless",
        "longer than endless", "close", "close with a code",
    ],
)  # fmt: skip
def test_a_frame_that_may_not_be_ends_the_line(scene: Scene, send: Send, code: int | None) -> None:
    async def story() -> None:
        async with seated(scene.server.url, scene.code, scene.rude) as raw:
            send(raw)
            if code is None:
                raw.say({"do": "look", "id": "after"})
                await until(lambda: raw.gone or any(b'"after"' in text for text in raw.heard))
                return
            bye = await raw.ends()
            check_messages(raw.heard)
            assert raw.close_code == code
            assert (bye is not None) == (code == 1008)

    scene.do(story())
    scene.do(scene.check_others())


def test_pieces_without_a_beginning_or_an_end_do_no_harm(scene: Scene) -> None:
    async def story() -> None:
        text, more = picows.WSMsgType.TEXT, picows.WSMsgType.CONTINUATION
        for frames in ([(more, LOOK, True)], [(text, b"{", False), (text, LOOK, True)], [(text, b"{", False)],
                       [(more, b"", False)] * 100):  # fmt: skip
            async with seated(scene.server.url, scene.code, scene.rude) as raw:
                for kind, payload, fin in frames:
                    raw.transport.send(kind, payload, fin=fin)
                raw.transport.send(text, LOOK)
                await until(lambda raw=raw: raw.gone or any(b'"look"' in one for one in raw.heard))
                check_messages(raw.heard)

    scene.do(story())
    scene.do(scene.check_others())


def test_bytes_that_are_no_frames_at_all_do_no_harm(scene: Scene) -> None:
    async def babble(noise: bytes) -> None:
        async with seated(scene.server.url, scene.code, scene.rude) as raw:
            raw.transport.underlying_transport.write(noise)
            raw.transport.disconnect()
            await until(lambda: raw.gone)
            check_messages(raw.heard)

    @few
    @given(st.binary(min_size=1, max_size=200))
    def try_it(noise: bytes) -> None:
        scene.do(babble(noise))

    try_it()
    scene.do(scene.check_others())
