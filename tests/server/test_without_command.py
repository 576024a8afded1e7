"""``tafelrunde`` without a command: whoever says nothing wants to play."""

from __future__ import annotations

import socket

import pytest

from tafelrunde.cli.serve import without_command
from tests.server.running import RunningServer


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAFELRUNDE_PORT", raising=False)


def test_a_free_port_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    assert without_command(port) == ["serve", "--open"]
    assert capsys.readouterr().out == "Opening the table; for everything else: tafelrunde --help\n"


def test_beside_another_program_any_port_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert without_command(port) == ["serve", "--open", "--port=0"]
        assert f"Another program uses port {port}" in capsys.readouterr().out
        monkeypatch.setenv("TAFELRUNDE_PORT", str(port))
        assert without_command(port) == ["serve", "--open"], "a port that was named is meant"


def test_a_table_that_is_open_already_is_shown(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("tafelrunde.cli.serve.show_page", shown.append)
    with pytest.raises(SystemExit) as ended:
        without_command(server.port)
    assert not ended.value.code
    assert f"It is open already, at {server.url}\n" in capsys.readouterr().out
    assert shown == [server.url]
