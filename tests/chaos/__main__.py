"""``python -m tests.chaos``: everything goes wrong for two minutes; the exit status is 1 if any promise was broken."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

from tafelrunde.compile_cache import is_cold
from tests.chaos.evening import Report, for_seconds, spend
from tests.chaos.faults import build
from tests.chaos.servers import HOUSES

EVENING_S = 120.0
"""With --kills: after so long everything begins anew, with an empty database and the next seed."""
MOST_SHOWN = 12


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long things go wrong (default: 120)")
    parser.add_argument("--kills", type=int, help="go on until servers were killed so many times")
    parser.add_argument("--db", choices=[*HOUSES, "both"], default="both", help="both: one after the other (default)")
    parser.add_argument("--seed", type=int, help="which faults come when; any unless you say")
    parser.add_argument("--tables", type=int, default=6, help="tables at each house (default: 6)")
    wanted = parser.parse_args()
    seed = secrets.randbelow(10**6) if wanted.seed is None else wanted.seed
    databases = [*HOUSES] if wanted.db == "both" else [wanted.db]
    print(f"chaos: seed {seed}, {', '.join(databases)}", flush=True)
    if is_cold():
        sys.exit("The rules have to be compiled first: tafelrunde compile")
    with tempfile.TemporaryDirectory(prefix="tafelrunde-chaos-") as folder:
        library = build(Path(folder))
        kills = 0
        while True:
            seconds = (wanted.seconds if wanted.kills is None else EVENING_S) / len(databases)
            reports = [
                asyncio.run(spend(HOUSES[db], seed, library, wanted.tables, for_seconds(seconds))) for db in databases
            ]
            show(reports)
            kills += sum(report.kills for report in reports)
            if any(report.wrong for report in reports):
                return 1
            if wanted.kills is None or kills >= wanted.kills:
                return 0
            seed += 1


def show(reports: list[Report]) -> None:
    for report in reports:
        print(report.line(), flush=True)
        if report.wrong:
            for what in report.wrong[:MOST_SHOWN]:
                print(f"  {what}")
            if len(report.wrong) > MOST_SHOWN:
                print(f"  … and {len(report.wrong) - MOST_SHOWN} more")
            print(report.log, flush=True)


if __name__ == "__main__":
    sys.exit(main())
