"""The command line as people use it: each in a real process, their many cases within this one."""

from __future__ import annotations

import io
import json
import os
import pkgutil
import pty
import re
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import click
import pytest

import tafelrunde
from tafelrunde.cli import SUMMARIES, cli, main
from tafelrunde.cli.serve import command as serve
from tafelrunde.cli.settings import read_settings
from tafelrunde.server.settings import Settings
from tests.cold import make_cold
from tests.golden import path_of
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.process

Done = subprocess.CompletedProcess[str]


def run(*arguments: str, **options: object) -> Done:
    return subprocess.run(
        [sys.executable, "-m", "tafelrunde", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        **options,  # type: ignore[call-overload, no-any-return]
    )


def run_here(*arguments: str) -> Done:
    """The same without a process of its own, which would spend most of its time on loading the rules."""
    command, out, err, code = ["tafelrunde", *arguments], io.StringIO(), io.StringIO(), 0
    on_interrupt = signal.getsignal(signal.SIGINT)
    with patch.object(sys, "argv", command), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            signal.signal(signal.SIGINT, on_interrupt)  # simulate has one of its own
    return Done(command, code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Commands behave a little differently on a first start; that has a test of its own."""
    assert run("compile").returncode == 0


def test_help_teaches_every_command() -> None:
    overview = run("--help")
    assert overview.returncode == 0
    for command in SUMMARIES:
        assert command in overview.stdout
        help_text = run(command, "--help").stdout
        assert len(help_text.splitlines()) > 6
    assert "Examples:" in run("simulate", "-h").stdout


def test_the_overview_says_what_the_commands_say() -> None:
    context = click.Context(cli)
    for name, summary in SUMMARIES.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(1000) == summary


HEAVY = {"numba", "numpy", "rich", "http.client", "tafelrunde.game", "tafelrunde.server.run"}
HEAVIER_THAN_CLICK = {*HEAVY, "asyncio", "pydantic", "tafelrunde.server"}


def loaded_by(*python: str, **environment: str) -> set[str]:
    """The modules that Python loads for a program."""
    command = [sys.executable, "-X", "importtime", *python]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=True)
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "tafelrunde" in modules
    return modules


def test_importing_the_package_is_quick() -> None:
    assert not loaded_by("-c", "import tafelrunde") & {*HEAVIER_THAN_CLICK, "click"}


def test_the_overview_is_quick() -> None:
    assert not loaded_by("-m", "tafelrunde", "--help") & HEAVIER_THAN_CLICK


@pytest.mark.parametrize("command", SUMMARIES)
def test_the_help_of_a_command_loads_no_rules(command: str) -> None:
    assert not loaded_by("-m", "tafelrunde", command, "--help") & HEAVY


def test_completion_of_commands_is_quick() -> None:
    variables = {"_TAFELRUNDE_COMPLETE": "bash_complete", "COMP_WORDS": "tafelrunde s", "COMP_CWORD": "1"}
    assert not loaded_by("-m", "tafelrunde", **variables) & HEAVIER_THAN_CLICK


def test_every_export_can_be_imported_and_is_listed() -> None:
    for name in (*tafelrunde.__all__, "__version__"):
        assert getattr(tafelrunde, name) is not None
        assert name in dir(tafelrunde)
    with pytest.raises(AttributeError, match="no attribute 'cheese'"):
        tafelrunde.cheese  # noqa: B018


def test_no_submodule_replaces_an_export() -> None:
    submodules = {module.name for module in pkgutil.iter_modules(tafelrunde.__path__)}
    assert not submodules & set(tafelrunde.__all__)


def test_version() -> None:
    assert run("--version").stdout == f"tafelrunde, version {tafelrunde.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("dance",), "No such command 'dance'"),
        (("simulate",), "Missing argument 'GAME'"),
        (("simulate", "poker"), "unknown-game"),
        (("simulate", "buffet", "--seats", "7"), "bad-seats, B6"),
        (("simulate", "buffet", "--seats", "many"), "not a valid integer"),
        (("simulate", "buffet", "--games", "0"), "--games"),
        (("simulate", "buffet", "--bots", "clever"), "unknown-bot"),
        (("simulate", "buffet", "--bots", "greedy,random", "--seats", "4"), "bad-seats"),
        (("simulate", "buffet", "--bots", "greedy,random"), "bad-seats"),
        (("simulate", "buffet", "--seed", "-1"), "bad-seed"),
        (("simulate", "buffet", "-o", "colour=1"), "unknown-option"),
        (("simulate", "buffet", "-o", "start_seat=9"), "bad-option, B5"),
        (("simulate", "buffet", "-o", "start_seat"), "NAME=VALUE"),
        (("simulate", "buffet", "-o", "start_seat=x"), "no value"),
        (("simulate", "buffet", "--pace", "instant"), "bad-pace"),
        (("simulate", "dash", "--pace", "frantic"), "bad-pace"),
        (("simulate", "dash", "--latency", "fast"), "milliseconds"),
        (("simulate", "dash", "--latency", "99999999999999999999"), "bad-pace"),
        (("simulate", "dash", "--latency", "1,2,3", "--seats", "5"), "5 latencies"),
        (("simulate", "dash", "--seats", "10", "--pace", "instant", "--games", "1", "--seed", "1"), "endless"),
        (("watch", "dash", "-o", "pace_ms=-1"), "bad-option, D29"),
        (("watch", "buffet", "--seats", "2"), "bad-seats"),
        (("watch", "buffet", "--delay", "-1"), "--delay"),
        (("watch", "buffet", "--bots", "greedy,random,random", "--seats", "5"), "5 bots"),
        (("watch", "buffet", "--deck", "mine.toml"), "bad-deck"),
        (("watch", "chocolat", "--deck", "nothing.toml"), "bad-deck"),
        (("simulate", "chocolat", "--seats", "7"), "bad-seats, C5"),
        (("decks", "check"), "Missing argument"),
        (("verify",), "Missing argument"),
        (("serve", "--port", "65536"), "--port"),
        (("serve", "--creates-per-minute", "0"), "--creates-per-minute"),
        (("serve", "--log-level", "loud"), "--log-level"),
        (("doctor", "--port", "many"), "--port"),
        (("completion", "tcsh"), "tcsh"),
    ],
)
def test_bad_usage_is_told_in_words_with_exit_status_2(arguments: tuple[str, ...], said: str) -> None:
    done = run_here(*arguments)
    assert done.returncode == 2
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PORT", "65536"), ("PORT", "many"), ("HELLO_S", "0"), ("LOG_LEVEL", "loud"), ("OPEN", "perhaps"), ("FD", "-1")],
)
def test_a_bad_value_in_the_environment_is_told_with_its_variable(variable: str, value: str) -> None:
    done = run("serve", env={**os.environ, f"TAFELRUNDE_{variable}": value})
    assert done.returncode == 2
    assert f"Error: Invalid value for TAFELRUNDE_{variable}: Input should be " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_flag_wins_over_the_environment_and_that_over_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAFELRUNDE_PORT", "1234")
    monkeypatch.setenv("TAFELRUNDE_KEEP_DAYS", "7")
    monkeypatch.setenv("TAFELRUNDE_HOSTS", "a.example, b.example")
    monkeypatch.setenv("TAFELRUNDE_OPEN", "yes")
    monkeypatch.setenv("TAFELRUNDE_HOST", "")
    with serve.make_context("serve", ["--port=5", "--no-open", "--origins=https://a,https://b"]) as context:
        settings = read_settings(context.params)
    assert (settings.port, settings.keep_days, settings.open) == (5, 7, False)
    assert settings.hosts == ("a.example", "b.example")
    assert settings.origins == ("https://a", "https://b")
    assert settings.host == "127.0.0.1", "an empty variable is none"
    assert "log_level" not in settings.model_fields_set
    assert Settings().port == 8000, "programs are not changed by the environment"


def test_simulate_prints_a_table_for_people() -> None:
    done = run("simulate", "buffet", "--bots", "greedy,random,random", "--games", "200", "--seed", "1")
    assert done.returncode == 0
    assert re.search(r"greedy +\d+\.\d% +\d+\.\d% – \d+\.\d%", done.stdout)
    assert "200 games" in done.stdout
    assert done.stderr == "", "no progress bar when piped"


def test_simulate_prints_one_json_object() -> None:
    done = run_here("simulate", "buffet", "--seats", "5", "--games", "300", "--seed", "4", "--json")
    result = json.loads(done.stdout)
    assert result["games"] == 300
    assert result["seats"] == len(result["wins"]) == 5
    again = json.loads(run_here("simulate", "buffet", "-n", "5", "-g", "300", "-s", "4", "--json").stdout)
    assert {**result, "seconds": 0} == {**again, "seconds": 0}


def test_simulate_writes_records_that_verify(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    done = run_here("simulate", "buffet", "-n", "3", "-g", "5", "-s", "9", "--records", str(folder), "--json")
    assert done.returncode == 0
    files = sorted(map(str, folder.iterdir()))
    assert len(files) == 5
    checked = run_here("verify", *files)
    assert checked.returncode == 0
    assert checked.stdout.count("holds: buffet, 3 seats") == 5


def test_simulate_takes_a_bot_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "mybots.py").write_text("def lowest(observation, stream):\n    return observation.legal[0]\n")
    done = run("simulate", "buffet", "-b", "mybots:lowest,greedy,random", "-g", "6", "-s", "1", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["bots"] == ["mybots:lowest", "greedy", "random"]
    command = Path(sys.executable).with_name("tafelrunde")
    told = subprocess.run([command, "watch", "buffet", "-b", "mybots:lowest", "-n", "3"], cwd=tmp_path, check=True)
    assert told.returncode == 0, "also when the installed command is used, which does not look here by itself"


@pytest.mark.parametrize("extra", [[], ["--records", "games"]])
def test_ctrl_c_stops_cleanly_and_reports_what_was_done(extra: list[str], tmp_path: Path) -> None:
    """On a terminal, where the progress bar shows when games are being played."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tafelrunde", "simulate", "buffet", "-g", "100000000", "--json", *extra],
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    ) as process:
        os.close(follower)
        seen = b""
        while b"games/s" not in seen:
            seen += os.read(leader, 4096)
        os.killpg(process.pid, signal.SIGINT)
        told = read_all(leader)
        output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert 0 < json.loads(output)["games"] < 100000000
    assert b"Stopped after" in told
    assert b"Traceback" not in told


def read_all(terminal: int) -> bytes:
    told = b""
    try:
        while part := os.read(terminal, 4096):
            told += part
    except OSError:
        pass  # the terminal is closed when the last process is gone
    finally:
        os.close(terminal)
    return told


def test_verify_tells_one_line_per_file_and_fails_if_one_does_not_hold(tmp_path: Path) -> None:
    good = path_of("buffet", 4)
    bad = tmp_path / "bad.tafel"
    bad.write_text(good.read_text().replace('"do":"win","seat":', '"do":"win","seat":1', 1))
    done = run("verify", str(good), str(bad), str(tmp_path / "missing.tafel"))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert "holds: buffet, 4 seats" in lines[0]
    assert re.search(r"bad.tafel: line \d+: .*\[bad-record, B14\]", lines[1])
    assert "can not be read" in lines[2]


@pytest.mark.parametrize("seats", ["3", "4", "5", "6"])
def test_watch_tells_a_whole_game(seats: str) -> None:
    done = run_here("watch", "buffet", "--seats", seats, "--seed", "7", "--delay", "0")
    assert done.returncode == 0
    assert done.stdout.count("Round ") == (14 if seats == "3" else {"4": 12, "5": 9, "6": 7}[seats])
    assert "goes away empty" in done.stdout
    assert "The buffet is empty" in done.stdout
    assert done.stdout == run_here("watch", "buffet", "-n", seats, "-s", "7", "--delay", "0").stdout


@pytest.mark.parametrize("seats", ["2", "5", "10"])
def test_watch_draws_the_heap_and_the_displays_of_dash(seats: str) -> None:
    arguments = ("watch", "dash", "--seats", seats, "--seed", "7", "--delay", "0", "-o", "max_rounds=2")
    done = run_here(*arguments)
    assert done.returncode == 0
    assert done.stdout.count("opens ─") == 2
    assert done.stdout.count("I’m off!") == 2 * {"2": 3, "5": 4, "10": 5}[seats]
    assert "░░ ░░" in done.stdout
    assert "The last exit card is gone. D15" in done.stdout
    assert re.search(r"wins? D21", done.stdout)
    assert done.stdout == run_here(*arguments).stdout


def test_watch_tells_what_time_does() -> None:
    told = run_here(
        "watch", "dash", "-n", "3", "-s", "1", "-b", "random", "-o", "max_rounds=1", "-o", "round_limit_s=9"
    ).stdout
    assert "Time is up. D30" in told
    assert "returns" in told
    assert "D17" in told, "every score names its rule"


def test_watch_keeps_the_table_of_dash_in_its_place_on_a_terminal() -> None:
    leader, follower = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "tafelrunde",
        "watch",
        "dash",
        "-n",
        "4",
        "-s",
        "1",
        "-o",
        "max_rounds=1",
        "--delay",
        "0",
    ]
    terminal = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "110", "LINES": "40"}
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.PIPE, env=terminal) as process:
        os.close(follower)
        shown = read_all(leader).decode()
        assert process.wait() == 0
    assert "exits left" in shown
    assert "holds" in shown
    assert "\x1b[1A" in shown, "the picture is drawn anew where it was"


@pytest.mark.parametrize("seats", ["2", "4", "6"])
def test_watch_tells_what_is_bid_drafted_and_laid_out_in_chocolat(seats: str) -> None:
    arguments = ("watch", "chocolat", "--seats", seats, "--seed", "7", "--delay", "0")
    done = run_here(*arguments)
    assert done.returncode == 0
    rounds = done.stdout.count("Round ")
    assert done.stdout.count("market ") >= rounds > 1
    assert done.stdout.count(" takes ") >= rounds * int(seats)
    assert done.stdout.count("lays out") + done.stdout.count("passes C10") == rounds * int(seats)
    assert "Dessert is served" in done.stdout
    assert done.stdout == run_here(*arguments).stdout


def test_watch_names_every_helper_and_every_end_of_chocolat() -> None:
    arguments = ("-b", "random", "-n", "6", "-s", "3", "-o", "target=1000", "--delay", "0")
    told = run_here("watch", "chocolat", *arguments).stdout
    for helper in ("1 ant", "2 bee", "3 squirrel", "5 mole", "6 dung beetle"):
        assert f"calls the {helper}: " in told
    assert "with the 7 cockroach C9 C15" in told
    assert "(4 hamster) C15" in told
    assert "There are too few cards left to fill the market. C14" in told


def test_a_deck_of_your_own_is_shown_checked_and_played_with(tmp_path: Path) -> None:
    shown = run("decks", "show").stdout
    own = ("--deck", str(tmp_path / "mine.toml"), "--json")
    mine, bad = tmp_path / "mine.toml", tmp_path / "bad.toml"
    mine.write_text(shown.replace('"reconstructed"', '"mine"', 1), encoding="utf-8")
    bad.write_text(shown.replace("[6, 6, 5, 5]", "[6, 6, 5, 9]"), encoding="utf-8")
    done = run_here("decks", "check", str(mine))
    assert (done.returncode, done.stdout) == (0, f"{mine}: sound: mine, 80 cards (80 reconstructed), 7 helpers\n")
    done = run_here("decks", "check", str(mine), str(bad), str(tmp_path / "missing.toml"))
    assert done.returncode == 1
    assert re.search(r"bad.toml: line \d+: The coins of eggs go from 1 to 6, not 9. \[bad-deck, C2\]", done.stdout)
    assert "can not be read" in done.stdout
    assert run_here("watch", "chocolat", "-n", "2", "--deck", str(bad)).returncode == 2
    games = tmp_path / "games"
    done = run_here("simulate", "chocolat", "-n", "2", "-g", "2", "--records", str(games), *own)
    assert json.loads(done.stdout)["deck"] == "mine"
    for record in games.iterdir():
        assert tafelrunde.read(record).header["deck"] == "mine"
        assert tafelrunde.verify(record).finished
    assert json.loads(run_here("simulate", "chocolat", "-g", "9", *own).stdout)["deck"] == "mine"


def test_watch_names_the_rule_behind_a_tie() -> None:
    told = "".join(run_here("watch", "buffet", "-n", "6", "-s", str(seed)).stdout for seed in (1, 2, 3))
    assert "B23" in told


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = run_here("completion", shell)
    assert done.returncode == 0
    assert "_TAFELRUNDE_COMPLETE" in done.stdout


def complete(words: str) -> str:
    return run(env={**os.environ, "_TAFELRUNDE_COMPLETE": "bash_complete", "COMP_WORDS": words,
                    "COMP_CWORD": str(len(words.split(" ")) - 1)}).stdout  # fmt: skip


def test_completion_knows_commands_games_and_bots() -> None:
    assert "simulate" in complete("tafelrunde sim")
    assert "buffet" in complete("tafelrunde watch b")
    assert "random,greedy" in complete("tafelrunde simulate buffet --bots random,g")
    assert "human,instant" in complete("tafelrunde simulate dash --pace human,i")
    assert complete("tafelrunde simulate dash --latency 1").strip() == ""


@pytest.mark.slow
def test_the_first_start_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """Small work begins at once in plain Python; meanwhile the rules are compiled for the next time."""
    cold = os.environ | make_cold(tmp_path / "watching")
    first = run("watch", "buffet", "--seed", "3", "--delay", "0", env=cold)
    assert "in the background" in first.stderr
    assert first.stdout == run("watch", "buffet", "--seed", "3", "--delay", "0").stdout
    assert run("compile", env=cold).stdout == "All rules are compiled.\n"
    assert list(tmp_path.glob("watching/tafelrunde/*/complete"))
    assert run("verify", str(path_of("buffet", 3)), env=cold).stderr == ""


def test_compiling_takes_a_while_and_says_so(tmp_path: Path) -> None:
    done = run("compile", env=os.environ | make_cold(tmp_path))
    assert "Compiling" in done.stderr
    assert list(tmp_path.glob("tafelrunde/*/complete"))


def test_without_a_home_to_write_to_it_still_runs(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = run("verify", str(path_of("buffet", 3)), env={**os.environ, "XDG_CACHE_HOME": str(blocked)})
    assert done.returncode == 0
