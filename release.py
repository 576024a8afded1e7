"""Builds the packages of a release, and plays with them in an empty environment: make release.

It tags and uploads nothing; it prints the commands for that. Only the standard library is used here.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from urllib.request import urlopen

from set_up import ROOT, Install, Pip, Step

DIST = ROOT / "dist"
WORK = ROOT / "build" / "release"
VENV = WORK / "venv"
PYTHON = VENV / "bin" / "python"
PROGRAM = VENV / "bin" / "tafelrunde"
RECORDS = WORK / "records"
PATIENCE_S = 120
IN_WHEEL = ("tafelrunde/py.typed", "tafelrunde/server/page/index.html", "licenses/LICENSE", "entry_points.txt")
IN_SDIST = (
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "hatch_build.py",
    "client/package-lock.json",
    "docs/rules/buffet.md",
)
WHERE = "import sys, tafelrunde; print(tafelrunde.__version__, tafelrunde.__file__.startswith(sys.prefix))"
GAME = """
import asyncio, subprocess, sys
from tafelrunde.client import Client
from tafelrunde.wire import Terms

async def main(url, program):
    async with Client(url) as client:
        seated = await client.create("buffet", 3, "Ada", bots={1: "greedy"}, terms=Terms(bot_pace="instant"))
        joined = subprocess.Popen([program, "join", seated.code, "--server", url], stdout=subprocess.DEVNULL)
        async with client.table(seated.code) as table:
            started = False
            async for _ in table:
                if table.view.phase == "over":
                    break
                if not started and all(seat.kind != "free" for seat in table.view.seats):
                    started = True
                    await table.start()
                if seated.seat in table.to_act:
                    view = await table.look()
                    await table.act(view.observation["legal"][0])
                    await asyncio.sleep(0.1)
        assert joined.wait(30) == 0
        assert len((await client.results(seated.code)).results) == 1

asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 120))
"""
"""A game over the network: a person's client, a bot of the server, and a bot that joins."""


# --- Checks ---------------------------------------------------------------------------------------------------------


def version_of(project: str) -> str:
    """The version in the text of pyproject.toml."""
    return str(tomllib.loads(project)["project"]["version"])


def changelog_faults(changelog: str, version: str, today: date) -> list[str]:
    """What keeps this version from being released, as far as the changelog is concerned."""
    unreleased, _, released = changelog.partition("## Unreleased\n")[2].partition("\n## ")
    newest = re.match(r"(\S+) - (\d{4}-\d{2}-\d{2})\n", released)
    if not newest or newest[1] != version:
        return [f"CHANGELOG.md: the newest release has to be: ## {version} - {today}"]
    faults = []
    if unreleased.strip():
        faults.append(f"CHANGELOG.md: what is listed as unreleased belongs to {version}")
    if date.fromisoformat(newest[2]) > today:
        faults.append(f"CHANGELOG.md: {version} has a date in the future")
    return faults


def missing(wanted: Iterable[str], names: Iterable[str]) -> list[str]:
    """Files that a package has to contain and does not; names may have folders before them."""
    paths = [f"/{name}" for name in names]
    return [file for file in wanted if not any(path.endswith(f"/{file}") for path in paths)]


def check_sources(version: str) -> None:
    """Refuse to release what is not committed, or not described."""
    faults = changelog_faults((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version, date.today())
    status = ["git", "status", "--porcelain"]
    changed = subprocess.run(status, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    if changed:
        faults.append(f"The working tree is not clean:\n{changed}")
    if faults:
        sys.exit("\n".join(faults))


def check_contents(sdist: Path, wheel: Path) -> None:
    """Look for the files that are easily forgotten."""
    with tarfile.open(sdist) as archive:
        lacking = missing(IN_SDIST, archive.getnames())
    with zipfile.ZipFile(wheel) as archive:
        lacking += missing(IN_WHEEL, archive.namelist())
    if lacking:
        sys.exit(f"Missing in the packages: {', '.join(lacking)}")


# --- Building, installing, playing ----------------------------------------------------------------------------------


def building() -> list[Step]:
    """The sdist from the sources, and the wheel from the sdist, so that the sdist is known to be complete."""
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    return [Step("sdist, and a wheel from it", *build)]


def installing(wheel: Path) -> list[Step]:
    """The wheel in an empty environment, with the locked packages."""
    return [
        Step("an empty environment", sys.executable, "-m", "venv", VENV),
        Install("packages", PYTHON, "play"),
        Pip("the wheel", PYTHON, "install", "--no-deps", "--no-index", str(wheel)),
        Pip("a check that all of it fits together", PYTHON, "check"),
    ]


def playing() -> list[Step]:
    """A game in the terminal, and some in the lab.

    Rules are compiled first: else each of them would start to do so in the background, and go on when we have ended.
    """
    simulate = ("simulate", "buffet", "--seats", "3", "--games", "20", "--seed", "1", "--records", RECORDS)
    return [
        Step("compiled rules", PROGRAM, "compile"),
        Step("a game to watch", PROGRAM, "watch", "buffet", "--seats", "3", "--delay", "0", "--seed", "1"),
        Step("games of the lab", PROGRAM, *simulate),
    ]


def verifying() -> list[Step]:
    """The records of these games."""
    return [Step("their records", PROGRAM, "verify", *RECORDS.iterdir())]


def run(steps: list[Step]) -> None:
    """Take one step after the other."""
    for number, step in enumerate(steps, 1):
        step.run(f"{number} of {len(steps)}")


def check_installed(version: str) -> None:
    """Is what was installed what was built, and not the sources?"""
    said = subprocess.run([PYTHON, "-I", "-c", WHERE], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
    if said != [version, "True"]:
        sys.exit(f"Another Tafelrunde than {version} of {VENV} is imported: {said}")


@contextlib.contextmanager
def server() -> Iterator[str]:
    """``tafelrunde serve`` on a free port; gives its address, and stops it at the end."""
    command = [PROGRAM, "serve", "--port", "0", "--db", WORK / "tables.db"]
    with (WORK / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603
    assert process.stdout
    try:
        address = re.search(r"http://\S+", process.stdout.readline())
        if not address:
            sys.exit(f"The server did not start:\n{(WORK / 'server.log').read_text()}")
        yield address[0]
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()
    if process.returncode:
        sys.exit(f"The server ended with status {process.returncode}:\n{(WORK / 'server.log').read_text()}")


def get(url: str) -> str:
    """What the server answers; raises unless it is a success."""
    with urlopen(url, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own server
        return str(answer.read().decode())


def check_the_page(url: str) -> None:
    """Are the page and its scripts in the wheel, and is the server well?"""
    get(f"{url}/healthz")
    scripts = re.findall(r'<script[^>]* src="(/[^"]+)"', get(url))
    if not scripts:
        sys.exit("The page of the server has no script.")
    for script in scripts:
        get(url + script)


def main() -> None:
    """Build, install, play; and say how to go on."""
    begun = time.monotonic()
    os.environ.pop("PYTHONPATH", None)  # or the sources would be imported instead of the wheel
    version = version_of((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    sdist, wheel = DIST / f"tafelrunde-{version}.tar.gz", DIST / f"tafelrunde-{version}-py3-none-any.whl"
    print(f"Checking what is to become Tafelrunde {version}", flush=True)
    check_sources(version)
    shutil.rmtree(WORK, ignore_errors=True)
    print("Building", flush=True)
    run(building())
    check_contents(sdist, wheel)
    print("Installing", flush=True)
    run(installing(wheel))
    check_installed(version)
    print("Playing", flush=True)
    os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")  # compiled rules; after pip, whose downloads are to be kept
    run(playing())
    run(verifying())
    with server() as url:
        check_the_page(url)
        run([Step("a game over the network", PYTHON, "-I", "-c", GAME, url, PROGRAM)])
    print(f"Tafelrunde {version} works: {sdist.name} and {wheel.name} in dist/, in {time.monotonic() - begun:.0f} s.")
    print(f"To tag it:\n  git tag -a v{version} -m 'Tafelrunde {version}'\n  git push origin v{version}")


if __name__ == "__main__":
    main()
