"""How long ``tafelrunde --help`` takes, compared with importing click: CPU time, because the machine does other things.

python bench/help.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

RUNS = 20
MOST = 3.0
"""What is aimed at."""
REFERENCE = (sys.executable, "-c", "import click")
HELP = (sys.executable, "-m", "tafelrunde", "--help")


def cpu_seconds(command: tuple[str, ...]) -> float:
    """User and system time of one run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Take turns, so that both see the same machine; print the medians and their ratio."""
    runs = [(cpu_seconds(REFERENCE), cpu_seconds(HELP)) for _ in range(RUNS)]
    reference, help = (statistics.median(times) for times in zip(*runs, strict=True))
    print(f"import click        {reference * 1000:6.0f} ms")
    print(f"tafelrunde --help   {help * 1000:6.0f} ms, {help / reference:.2f} × import click; aimed at: {MOST} ×")


if __name__ == "__main__":
    main()
