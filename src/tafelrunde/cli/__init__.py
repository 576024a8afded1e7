"""The command line.

Each command is a module of its own, which is imported when the command is used. Command modules import rules, server
and terminal output inside their functions, so that ``--help`` and shell completion answer at once.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from tafelrunde.errors import TafelrundeError

PROGRAM = "tafelrunde"
COMPLETE_VARIABLE = "_TAFELRUNDE_COMPLETE"

# The first sentence of each command's help, so that the overview needs none of the modules.
SUMMARIES = {
    "compile": "Compile all rules and bots now.",
    "completion": "Print the completion script for a shell.",
    "decks": "The cards of a game as a file, to write your own.",
    "doctor": "Look whether everything is there, and say what to do if not.",
    "join": "Let a bot sit down at a table over the network.",
    "serve": "Open the table: people and bots play over the network.",
    "simulate": "Let many games run on all cores and tell who wins.",
    "verify": "Check game records: one line per file, and exit status 0 only if all hold.",
    "watch": "Watch a game of bots in the terminal.",
}


class LazyGroup(click.Group):
    """A group whose commands are the objects ``command`` in modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of this name."""
        if cmd_name not in SUMMARIES:
            return None
        command: click.Command = import_module(f"tafelrunde.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview without importing the commands."""
        width = formatter.width - 6 - max(map(len, SUMMARIES))
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, click.Command(name, help=text).get_short_help_str(width)) for name, text in SUMMARIES.items()]
            )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        """Complete names of commands without importing the commands, and the options of the group itself."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=text) for name, text in SUMMARIES.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Without a command the table is opened and shown in the browser, as by {PROGRAM} serve --open.",
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM)
def cli() -> None:
    """The game table for three food-and-mouse games.

    Play with people and bots, watch bots play, let thousands of games run, and check the record of a game.
    """


def main() -> None:
    """Run the command line; a refusal is printed in one line, with exit status 2."""
    try:
        if len(sys.argv) == 1 and COMPLETE_VARIABLE not in os.environ:
            from tafelrunde.cli.serve import without_command

            sys.argv += without_command()
        cli(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE)
    except TafelrundeError as error:
        click.echo(f"{PROGRAM}: {error}", err=True)
        sys.exit(2)
