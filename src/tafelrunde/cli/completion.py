"""``tafelrunde completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tafelrunde.cli import COMPLETE_VARIABLE, PROGRAM, cli


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  tafelrunde completion bash > ~/.local/share/bash-completion/completions/tafelrunde
    zsh:   tafelrunde completion zsh > ~/.zfunc/_tafelrunde
    fish:  tafelrunde completion fish > ~/.config/fish/completions/tafelrunde.fish
    """
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(cli, {}, PROGRAM, COMPLETE_VARIABLE).source())
