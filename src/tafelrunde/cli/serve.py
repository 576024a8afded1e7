"""``tafelrunde serve``, and ``tafelrunde`` without a command."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from tafelrunde.cli.settings import read_settings, setting_options
from tafelrunde.compile_cache import announce_compiling, can_compile_later, serve_while_compiling
from tafelrunde.launch import HERE, address_here, address_in_network, is_our_server, is_taken, qr_code, show_page
from tafelrunde.server.settings import PREFIX, Settings

DEFAULT_PORT: int = Settings.model_fields["port"].default


@click.command(name="serve")
@setting_options()
def command(**given: Any) -> None:
    """Open the table: people and bots play over the network.

    \b
    Examples:
      tafelrunde serve
      tafelrunde serve --host 0.0.0.0 --port 80
      tafelrunde serve --db postgresql://tafelrunde@localhost/tafelrunde
    """
    settings = read_settings(given)
    if "log_level" not in settings.model_fields_set and sys.stderr.isatty():
        settings = settings.model_copy(update={"log_level": "warning"})  # keeps the address in sight
    from tafelrunde.server.run import serve

    def ready(url: str) -> None:
        restarted = settings.fd is not None  # then the addresses are known, and the page is open
        in_network = None if restarted else address_in_network(url)
        print_addresses(address_here(url), in_network)
        if settings.open and not restarted:
            show_page(in_network or address_here(url))  # invitations carry the address at which the page was opened

    if can_compile_later():
        serve_while_compiling(settings, ready)
    announce_compiling()
    serve(settings, ready)


def print_addresses(here: str, in_network: str | None) -> None:
    """Say where the table is open; on a terminal also as a picture for the cameras of phones."""
    click.echo(f"Tafelrunde is open at {here} (stop with Ctrl-C).")
    if in_network:
        click.echo(f"Others in your network find it at {in_network}")
        if sys.stdout.isatty():
            click.secho(qr_code(in_network), fg="bright_white", bg="black")


def without_command(port: int = DEFAULT_PORT) -> list[str]:
    """The arguments to use when there are none: open the table and show it."""
    click.echo("Opening the table; for everything else: tafelrunde --help")
    arguments = ["serve", "--open"]
    if f"{PREFIX}PORT" in os.environ or not is_taken(HERE, port):
        return arguments
    if is_our_server(port):
        here = f"http://{HERE}:{port}"
        click.echo(f"It is open already, at {here}")
        show_page(here)
        sys.exit()
    click.echo(f"Another program uses port {port}; taking any that is free.")
    return [*arguments, "--port=0"]
