"""What holds for all tests: none sleeps, and none is timed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ALLOWED = {
    "waiting.py": "polls, and gives up when nothing happens any more",
    "chaos/pause.py": "people pause by chance",
    "chaos/evening.py": "make chaos lasts as long as it is told to",
    "server/timeless.py": "its time jumps",
    "browser/pictures.py": "no test: it takes the README's pictures",
}
"""Where it may be, and why."""
SLEEPS = {"sleep", "wait_for_timeout"}
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time"}


def breaches(source: str) -> Iterator[str]:
    """The calls that sleep, or look at a clock. To sleep for 0 seconds is to let other tasks take their turn."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in CLOCKS or (name in SLEEPS and [ast.unparse(one) for one in node.args] != ["0"]):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_test_sleeps_and_none_is_timed() -> None:
    """But for the exceptions, each of which is still needed."""
    found = {
        path.relative_to(TESTS).as_posix(): list(breaches(path.read_text("utf-8"))) for path in TESTS.rglob("*.py")
    }
    assert {place: wrong for place, wrong in found.items() if wrong and place not in ALLOWED} == {}
    assert [place for place in ALLOWED if not found[place]] == []


@pytest.mark.parametrize("wrong", ["time.sleep(1)", "await asyncio.sleep(0.01)", "sleep(x)", "time.monotonic()"])
def test_a_breach_is_found(wrong: str) -> None:
    assert len(list(breaches(wrong))) == 1
    assert not list(breaches("asyncio.sleep(0)"))
