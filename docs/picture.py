"""Draw docs/images/watch.svg: the first round of a game as ``tafelrunde watch`` tells it (``make picture``)."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import tafelrunde
from tafelrunde import bots
from tafelrunde.watch import TELLERS

SEED, SEATS = 7, 5
INK, CLOTH = (245, 235, 221), (33, 26, 36)
BLACK, WHITE = (20, 16, 22), (255, 255, 255)
THEME = TerminalTheme(CLOTH, INK, [BLACK, INK, (143, 131, 120), INK, INK, INK, INK, WHITE])
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {height}" role="img"
     aria-label="A round of buffet told in the terminal: plates, mice on the track, who is out with what">
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


def main() -> None:
    """Play, tell the first round, draw."""
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, highlight=False)
    game = tafelrunde.new("buffet", seats=SEATS, seed=SEED)
    player = bots.find("buffet", "greedy")
    bots.play(game, [player] * SEATS, seed=SEED)
    teller = TELLERS["buffet"](game)
    for entry in game.entries:
        if entry["do"] == "round" and entry["number"] == 2:
            break
        for picture, _ in teller.tell(entry):
            console.print(picture)
    drawing = console.export_svg(theme=THEME, code_format=FRAME, unique_id="watch")
    (Path(__file__).parent / "images" / "watch.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
