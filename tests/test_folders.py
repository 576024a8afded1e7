"""Where files of the user are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tafelrunde import folders


@pytest.mark.parametrize(
    ("variable", "folder"), [("XDG_DATA_HOME", folders.data_folder), ("XDG_CACHE_HOME", folders.cache_folder)]
)
def test_the_folders_that_the_environment_names_are_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, folder: object
) -> None:
    monkeypatch.setenv(variable, str(tmp_path))
    assert callable(folder)
    assert folder() == tmp_path / "tafelrunde"


def test_tables_that_an_earlier_version_has_left_on_macos_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    new, earlier = tmp_path / "Library", tmp_path / ".local" / "share" / "tafelrunde"
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(folders, "user_data_path", lambda *args, **options: new)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert folders.data_folder() == new
    earlier.mkdir(parents=True)
    (earlier / folders.STORE).touch()
    assert folders.data_folder() == earlier
    new.mkdir()
    (new / folders.STORE).touch()
    assert folders.data_folder() == new
