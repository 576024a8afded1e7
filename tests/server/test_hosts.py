"""Names under which the server may be opened: a name of somebody else that leads here gets no answer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import httpx
import pytest

from tafelrunde.errors import WrongHost
from tafelrunde.server.hosts import Hosts
from tests.server.running import RunningServer
from tests.server.test_abuse import check_headers, new_table, refused_handshake

Start = Callable[..., RunningServer]

OURS = (
    "localhost", "LOCALHOST:8000", "localhost.", "table.localhost", "127.0.0.1:8000", "127.0.0.1", "[::1]:8000",
    "[::1]", "192.0.2.7:80", "[2001:db8::1]:8000", socket.gethostname(), f"{socket.gethostname()}.local:8000",
)  # fmt: skip
NOT_OURS = (
    "evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil",
    "evil.example/127.0.0.1", "", " ", "[evil]", "[::1", "localhost:port", "localhost:8000:8000", "ünknown.example",
)  # fmt: skip


def answers_to(hosts: Hosts, *headers: str) -> bool:
    try:
        hosts.check(headers)
    except WrongHost:
        return False
    return True


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_and_addresses_are_answered_to(host: str) -> None:
    assert answers_to(Hosts((), behind_proxy=False), host)


@pytest.mark.parametrize("host", NOT_OURS)
def test_no_other_name_is(host: str) -> None:
    assert not answers_to(Hosts((), behind_proxy=False), host)
    assert not answers_to(Hosts(("games.example",), behind_proxy=True), host)


def test_names_can_be_given() -> None:
    hosts = Hosts(("games.example", " Other.example. "), behind_proxy=False)
    assert answers_to(hosts, "games.example:443")
    assert answers_to(hosts, "OTHER.example")
    assert not answers_to(hosts, "more.games.example")
    assert not answers_to(hosts, "games.example", "evil.example"), "every one that is named has to be ours"
    assert answers_to(Hosts(("*",), behind_proxy=False), "evil.example")


def test_a_proxy_of_ours_knows_its_names_itself() -> None:
    assert answers_to(Hosts((), behind_proxy=True), "games.example")


def test_whoever_names_nobody_is_no_browser() -> None:
    assert answers_to(Hosts((), behind_proxy=False))


def test_a_page_that_lets_its_own_name_lead_here_gets_nothing(start_server: Start) -> None:
    server = start_server(hosts="games.example")

    async def story() -> None:
        table = await new_table(server.url)
        async with httpx.AsyncClient(base_url=server.url) as http:
            for path in ("/", "/api/lobby", f"/api/tables/{table.code}", "/metrics", "/nowhere"):
                answer = await http.get(path, headers={"Host": f"evil.example:{server.port}"})
                assert (answer.status_code, answer.json()["code"]) == (421, "wrong-host"), path
                check_headers(answer.headers)
            for host in ("games.example", f"localhost:{server.port}"):
                assert (await http.get("/api/lobby", headers={"Host": host})).status_code == 200
        status, refusal, headers = await refused_handshake(
            server.url, table.code, Host="evil.example", Origin="http://evil.example"
        )
        assert (status, refusal["code"]) == (421, "wrong-host")
        check_headers(headers)

    asyncio.run(story())
