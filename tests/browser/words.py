"""The page's own words, by their keys: tests look for what people read, and do not break when it is said better."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / "client" / "src"
LANGUAGES = ("de", "en", "ja")
LOCALES = {"de": "de-DE", "en": "en-GB", "ja": "ja-JP"}
Value = str | int
ANYTHING = r"[\s\S]+"
"""Stands for a value that is not known."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """All that is said in a language: by the page, and by every game."""
    folders = (SOURCE / "words", *SOURCE.glob("games/*/words"))
    files = (file for folder in folders for file in folder.iterdir() if file.name.endswith(f"{language}.json"))
    return {key: text for file in files for key, text in json.loads(file.read_text(encoding="utf-8")).items()}


class Words:
    """The texts of one language.

    >>> Words("en").text("close")
    'Close'
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def __contains__(self, key: str) -> bool:
        return key in catalogue(self.language)

    def text(self, key: str, **values: Value) -> str:
        """A text as it is read, with its values put in."""
        return self._fill(self._message(key), values, exact=True)

    def pattern(self, key: str, **values: Value) -> re.Pattern[str]:
        """The same; values that are not named may be anything."""
        return re.compile(f"^{self._fill(self._message(key), values, exact=False)}$")

    def inside(self, key: str, **values: Value) -> re.Pattern[str]:
        """The same, as a part of something longer."""
        return re.compile(self._fill(self._message(key), values, exact=False))

    def _message(self, key: str) -> str:
        return catalogue(self.language)[key]

    def _fill(self, message: str, values: dict[str, Value], exact: bool, count: Value | None = None) -> str:
        """ICU's message format, as far as our texts go: ``{name}``, plural, select and ``#``."""
        filled = ""
        at = 0
        while at < len(message):
            if message[at] == "{":
                end = _closing(message, at)
                filled += self._argument(message[at + 1 : end], values, exact)
                at = end
            elif message[at] == "#" and count is not None:
                filled += self._said(count, exact)
            else:
                filled += message[at] if exact else re.escape(message[at])
            at += 1
        return filled

    def _argument(self, inside: str, values: dict[str, Value], exact: bool) -> str:
        name, _, rest = inside.partition(",")
        kind, _, branches = rest.partition(",")
        name, kind = name.strip(), kind.strip()
        if exact and name not in values:
            raise KeyError(name)
        value = values.get(name, ANYTHING)
        if kind not in ("plural", "select", "selectordinal"):
            return self._said(value, exact)
        choices = dict(_branches(branches))
        if value is ANYTHING:
            return "|".join(self._fill(one, values, exact, value) for one in choices.values()).join(("(?:", ")"))
        chosen = choices.get(f"={value}") or choices.get(self._category(kind, value)) or choices["other"]
        return self._fill(chosen, values, exact, value if kind.startswith("plural") else None)

    def _category(self, kind: str, value: Value) -> str:
        if kind == "select":
            return str(value)
        return "one" if value == 1 and self.language != "ja" else "other"

    @staticmethod
    def _said(value: Any, exact: bool) -> str:
        return str(value) if exact or value is ANYTHING else re.escape(str(value))


def _closing(message: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(message)):
        depth += {"{": 1, "}": -1}.get(message[at], 0)
        if depth == 0:
            return at
    raise ValueError(message)


def _branches(text: str) -> list[tuple[str, str]]:
    """``one {…} other {…}`` in pieces."""
    pieces = []
    while "{" in text:
        opening = text.index("{")
        closing = _closing(text, opening)
        pieces.append((text[:opening].strip(), text[opening + 1 : closing]))
        text = text[closing + 1 :]
    return pieces
