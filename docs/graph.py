"""Which room of the package imports which: read from the sources, checked by the tests, drawn in architecture.md.

Every import counts, also those inside functions and for the type checker only. ``make graph`` draws the picture anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"
PACKAGE = "tafelrunde"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- graph: made by docs/graph.py -->", "<!-- end of graph -->"

LAYERS = (
    ("errors", "nonces", "folders", "launch"),
    ("games",),
    ("stream", "record", "wire"),
    ("game", "client"),
    ("fairness", "bots"),
    ("verification", "lab", "watch", "testing", "remote"),
    ("lookback", "store", "table"),
    ("server",),
    ("doctor", "compile_cache"),
    ("cli",),
)
"""From the bottom up: a room imports rooms below its own layer, and never beside or above it."""
FACES = ("__init__", "__main__")
"""Modules of the package itself: they lead anywhere, and nobody imports them."""

Graph = dict[str, set[str]]


def modules() -> dict[str, Path]:
    """All modules by their full names."""
    found = {}
    for path in sorted((SOURCES / PACKAGE).rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def module_graph() -> Graph:
    """Which module imports which."""
    known = modules()
    return {name: set(_imports(path, known)) - {name} for name, path in known.items()}


def _imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in known:
                    yield inner
                elif node.module in known:
                    yield node.module


def room_of(module: str) -> str:
    """The room that a module belongs to: the first name below the package."""
    return [*module.split("."), "__init__"][1]


def room_graph() -> Graph:
    """Which room imports which."""
    rooms: Graph = {}
    for module, imported in module_graph().items():
        others = {room_of(other) for other in imported} - {room_of(module), *FACES}
        rooms.setdefault(room_of(module), set()).update(others)
    return {room: others for room, others in rooms.items() if room not in FACES}


def wrong_arrows(rooms: Graph) -> list[str]:
    """Imports that do not point downwards."""
    layer = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
    return [
        f"{room} -> {other}"
        for room, others in rooms.items()
        for other in sorted(others)
        if layer[other] >= layer[room]
    ]


def cycles(graph: Graph) -> list[set[str]]:
    """Sets of modules that all reach each other (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph[node]:
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            knot = set(stack[stack.index(node) :])
            del stack[stack.index(node) :]
            if len(knot) > 1:
                found.append(knot)

    for node in graph:
        if node not in order:
            visit(node)
    return found


def reduced(rooms: Graph) -> Graph:
    """Only arrows that do not follow from others."""

    def reach(room: str) -> set[str]:
        return rooms[room].union(*(reach(other) for other in rooms[room]))

    return {
        room: {other for other in others if not any(other in reach(third) for third in others - {other})}
        for room, others in rooms.items()
    }


def picture() -> str:
    """The graph for the page; an arrow leads from a room to what it imports."""
    rooms = reduced(room_graph())
    arrows = [f"    {room} --> {other}" for room in sorted(rooms) for other in sorted(rooms[room])]
    return "\n".join([BEGIN, "```mermaid", "flowchart TD", *arrows, "```", END])


def drawn(page: str) -> str:
    """The page with the picture as it is now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + picture() + after


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
