"""The changelog: versions and dates in order, and the newest one is that of the package."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).parents[1]
HEADINGS = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
RELEASES = [heading.split(" - ") for heading in HEADINGS[1:]]


def test_what_is_not_released_comes_first() -> None:
    assert HEADINGS[0] == "Unreleased"
    assert all(len(release) == 2 for release in RELEASES)


def test_the_newest_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert RELEASES[0][0] == project["version"]


def test_versions_and_dates_descend() -> None:
    versions = [Version(version) for version, _ in RELEASES]
    assert versions == sorted(set(versions), reverse=True)
    dates = [date.fromisoformat(day) for _, day in RELEASES]
    assert dates == sorted(dates, reverse=True)
