"""The parts of make release that need no package: what is checked before anything is built."""

from __future__ import annotations

from datetime import date

import pytest
import release

TODAY = date(2026, 5, 2)
GOOD = "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-05-01\n\n- New.\n\n## 1.1.0 - 2026-04-01\n"


def test_a_changelog_that_is_ready() -> None:
    assert release.changelog_faults(GOOD, "1.2.0", TODAY) == []


@pytest.mark.parametrize(
    ("changelog", "fault"),
    [
        (GOOD.replace("1.2.0", "1.1.1"), "the newest release has to be: ## 1.2.0 - 2026-05-02"),
        (GOOD.replace(" - 2026-05-01", ""), "the newest release has to be"),
        (GOOD.replace("## Unreleased\n", ""), "the newest release has to be"),
        (GOOD.replace("Unreleased\n", "Unreleased\n\n- More.\n"), "belongs to 1.2.0"),
        (GOOD.replace("05-01", "05-03"), "in the future"),
    ],
)
def test_a_changelog_that_is_not_ready_says_why(changelog: str, fault: str) -> None:
    (found,) = release.changelog_faults(changelog, "1.2.0", TODAY)
    assert fault in found


def test_files_that_are_missing_in_a_package() -> None:
    names = ["game-1.0/LICENSE", "game/py.typed"]
    assert release.missing(["LICENSE", "game/py.typed", "page/index.html", "typed"], names) == [
        "page/index.html",
        "typed",
    ]


def test_the_version_is_that_of_the_project() -> None:
    assert release.version_of('[project]\nversion = "1.2.0"\n') == "1.2.0"
