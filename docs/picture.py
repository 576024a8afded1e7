"""Draw docs/images/: a round of each game as ``tafelrunde watch`` tells it (``make picture``)."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console, RenderableType
from rich.terminal_theme import TerminalTheme

import tafelrunde
from tafelrunde import bots
from tafelrunde.watch import teller_of

SEED, SEATS, WIDTH = 7, 5, 80
SENTENCES = 14
ROUND_OF_CHOCOLAT = 7
INK, CLOTH = (245, 235, 221), (33, 26, 36)
BLACK, WHITE = (20, 16, 22), (255, 255, 255)
THEME = TerminalTheme(CLOTH, INK, [BLACK, INK, (143, 131, 120), INK, INK, INK, INK, WHITE])
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {height}" role="img"
     aria-label="LABEL">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="976" height="{terminal_height}"/></clipPath>
{lines}
</defs>
<rect width="100%" height="100%" rx="20" fill="#211A24"/>
<g transform="translate(12, 0)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def canvas() -> Console:
    """Something to print on that can be drawn."""
    return Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)


def draw(console: Console, name: str, label: str) -> None:
    """Write what was printed as a picture."""
    drawing = console.export_svg(theme=THEME, code_format=FRAME.replace("LABEL", label), unique_id=name)
    (Path(__file__).parent / "images" / f"{name}.svg").write_text(drawing, encoding="utf-8")


def draw_buffet() -> None:
    """The first round."""
    console = canvas()
    game = bots.play(
        tafelrunde.new("buffet", seats=SEATS, seed=SEED), [bots.find("buffet", "greedy")] * SEATS, seed=SEED
    )
    teller = teller_of(game)
    for entry in game.entries:
        if entry["do"] == "round" and entry["number"] == 2:
            break
        for told, _ in teller.tell(entry):
            console.print(told)
    draw(console, "watch", "A round of buffet told in the terminal: plates, mice on the track, who is out with what")


def draw_dash() -> None:
    """The last sentences before the second exit, and the table as it lies then."""
    console = canvas()
    game = tafelrunde.new("dash", seats=SEATS, seed=SEED)
    teller = teller_of(game)
    sentences: list[RenderableType] = []
    for entries in bots.steps(game, [bots.find("dash", "greedy")] * SEATS, seed=SEED):
        sentences += [told for entry in entries for told, _ in teller.tell(entry)]
        if game.observe(None).exits_left == 2:
            break
    console.print("", *sentences[-SENTENCES:], "", sep="\n")
    console.print(teller.picture())
    draw(console, "watch-dash", "A round of dash in the terminal: the heap of cards, everybody's display, who is off")


def draw_chocolat() -> None:
    """A round, with the helpers that it begins with."""
    console = canvas()
    game = bots.play(tafelrunde.new("chocolat", seats=4, seed=SEED), [bots.find("chocolat", "greedy")] * 4, seed=SEED)
    teller = teller_of(game)
    passed_on = 0
    for entry in game.entries:
        passed_on += entry["do"] == "helpers"
        told = [told for told, _ in teller.tell(entry)]
        if passed_on == ROUND_OF_CHOCOLAT and told:
            console.print(*told, sep="\n")
    draw(console, "watch-chocolat", "A round of chocolat in the terminal: helpers, market, bids, drafts, combinations")


if __name__ == "__main__":
    draw_buffet()
    draw_dash()
    draw_chocolat()
