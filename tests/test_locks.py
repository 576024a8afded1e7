"""A lock is all that is installed: it is complete, for every system and Python, and pip looks for nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import set_up
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.process

ROOT = Path(set_up.__file__).parent
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
REQUIRES: dict[str, list[str]] = json.loads((ROOT / "requirements" / "requires.json").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
HERE = {key: str(value) for key, value in default_environment().items()}
Environment = dict[str, str]


class Pin(NamedTuple):
    """One package of a lock."""

    version: str
    extras: set[str]
    always: bool
    """Is it for every system and Python?"""


def environment(system: str, python: str) -> Environment:
    versions = {"python_version": python, "python_full_version": f"{python}.1", "implementation_version": f"{python}.1"}
    return HERE | SYSTEMS[system] | versions


def fits(requirement: Requirement, environment: Environment, extra: str = "") -> bool:
    return requirement.marker is None or requirement.marker.evaluate({**environment, "extra": extra})


def lines_of(lock: Path) -> list[Requirement]:
    text = lock.read_text(encoding="utf-8")
    return [Requirement(line) for line in re.findall(r"^([A-Za-z0-9].*?)(?: \\)?$", text, re.MULTILINE)]


def pins(lock: Path, environment: Environment) -> dict[str, Pin]:
    found = {}
    for line in lines_of(lock):
        if fits(line, environment):
            version = str(line.specifier).removeprefix("==")
            found[canonicalize_name(line.name)] = Pin(version, set(line.extras), line.marker is None)
    return found


def wanted_by_us(lock: Path) -> Iterator[Requirement]:
    """What pyproject.toml asks for."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    for text in project["dependencies"]:
        yield Requirement(text)
    if lock.stem == "bench":
        yield from map(Requirement, project["optional-dependencies"]["bench"])
        return
    for entry in groups[lock.stem]:
        for text in groups[entry["include-group"]] if isinstance(entry, dict) else [entry]:
            yield Requirement(text)


def wanted_by_others(locked: dict[str, Pin], environment: Environment) -> Iterator[tuple[str, Requirement]]:
    """What the packages of the lock ask for, with the extras that are asked of them."""
    for name, pin in locked.items():
        known = REQUIRES.get(f"{name}=={pin.version}")
        assert known is not None or not pin.always, f"make lock has to be run: nothing is known of {name} {pin.version}"
        for requirement in map(Requirement, known or []):
            if any(fits(requirement, environment, extra) for extra in ("", *pin.extras)):
                yield name, requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_has_all_that_anything_in_it_requires(lock: Path, system: str, python: str) -> None:
    here = environment(system, python)
    locked = pins(lock, here)
    wanted = [("pyproject.toml", one) for one in wanted_by_us(lock)] + list(wanted_by_others(locked, here))
    assert len(wanted) > len(locked) / 2
    for who, requirement in wanted:
        pin = locked.get(canonicalize_name(requirement.name))
        assert pin is not None, f"{who} requires {requirement}, which is not locked"
        assert requirement.specifier.contains(pin.version, prereleases=True), f"{who} requires {requirement}: {pin}"
        assert requirement.extras <= pin.extras, f"{who} requires {requirement}, which is locked without the extra"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_everything_in_a_lock_is_pinned_by_version_and_hash(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    for block in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[\w.-]+(\[[\w, -]+\])?==[^\s;]+", block), block
        assert "--hash=sha256:" in block


def test_the_locks_agree_with_each_other() -> None:
    versions: dict[tuple[str, str], str] = {}
    for lock in LOCKS:
        for line in lines_of(lock):
            key = (canonicalize_name(line.name), str(line.marker))
            assert versions.setdefault(key, str(line.specifier)) == str(line.specifier), line


# --- Installing -----------------------------------------------------------------------------------------------------


def wheel(folder: Path, name: str, version: str, *metadata: str) -> str:
    """A package with nothing in it; gives its hash."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *metadata, ""]),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{path},sha256={digest_of(text)},{len(text)}" for path, text in files.items()]
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
        archive.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages to install, instead of those of the world."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(folder)), ("CONFIG_FILE", "/dev/null")):
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setattr(set_up, "ROOT", tmp_path)
    (tmp_path / "requirements").mkdir()
    return folder


@pytest.fixture
def python(tmp_path: Path) -> Path:
    venv.create(tmp_path / "venv", with_pip=True)
    return tmp_path / "venv" / "bin" / "python"


def installed(python: Path) -> dict[str, str]:
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], capture_output=True, check=True)
    return {one["name"]: one["version"] for one in json.loads(listed.stdout)}


@pytest.mark.parametrize("locked_as", ["sock", "sock[fast]"])
def test_a_newer_release_of_something_that_is_required_with_an_extra_changes_nothing(
    shop: Path, python: Path, tmp_path: Path, locked_as: str
) -> None:
    """pip would look for the newest one that has the extra, and then miss its hash."""
    socks = ("Provides-Extra: fast",)
    hashes = {
        "web==1.0": wheel(shop, "web", "1.0", "Requires-Dist: sock[fast]>=1.0"),
        f"{locked_as}==1.0": wheel(shop, "sock", "1.0", *socks),
    }
    wheel(shop, "sock", "1.1", *socks)
    lock = "".join(f"{line} \\\n    --hash=sha256:{hash}\n" for line, hash in hashes.items())
    (tmp_path / "requirements" / "demo.lock").write_text(lock)
    for step in set_up.on_top("packages", python, "demo"):
        step.run("1 of 2")
    assert installed(python).items() >= {"web": "1.0", "sock": "1.0"}.items()


def test_a_lock_that_is_not_complete_is_noticed_while_setting_up(shop: Path, python: Path, tmp_path: Path) -> None:
    hash = wheel(shop, "web", "1.0", "Requires-Dist: sock>=1.0")
    wheel(shop, "sock", "1.1")
    (tmp_path / "requirements" / "demo.lock").write_text(f"web==1.0 --hash=sha256:{hash}\n")
    install, check = set_up.on_top("packages", python, "demo")
    install.run("1 of 2")
    assert "sock" not in installed(python), "nothing is looked for that is not in the lock"
    with pytest.raises(SystemExit, match=r"web 1\.0 requires sock, which is not installed"):
        check.run("2 of 2")


def test_locks_are_installed_nowhere_else() -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [line for line in made.splitlines() if "pip install" in line and "build/lock" not in line] == []
    assert [line for line in made.splitlines() if ".lock" in line and "-r " in line] == []
