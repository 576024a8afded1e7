"""Writes all lessons: python -m client.lessons."""

from __future__ import annotations

from client.lessons.shelf import FOLDER, documents

for name, text in documents().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
