"""Writes all lessons: python -m client.lessons."""

from __future__ import annotations

from client.lessons.shelf import FOLDER, documents

(FOLDER / "examples").mkdir(exist_ok=True)
for name, text in documents().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
