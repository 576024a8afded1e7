"""``tafelrunde join``."""

from __future__ import annotations

import click

from tafelrunde.cli.params import find_own_bots


@click.command(name="join")
@click.argument("code")
@click.option("--bot", help="A bot that comes with the game, or module:function. [default: the best of the game]")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="The address of the server.")
@click.option("--seat", type=click.IntRange(0), help="Which seat. [default: any that is free]")
@click.option("--name", help="What it is called. [default: as the bot]")
@click.option("--pace", default="human", show_default=True, help="In real time: human or instant.")
@click.option("--stay", is_flag=True, help="Stay for further games.")
def command(code: str, bot: str | None, server: str, seat: int | None, name: str | None, pace: str, stay: bool) -> None:
    """Let a bot sit down at a table over the network.

    \b
    Examples:
      tafelrunde join kafemulotabi
      tafelrunde join kafemulotabi --bot mybots:clever --name Clever --stay
    """
    import asyncio

    from tafelrunde.bots.pace import find_pace
    from tafelrunde.remote import play_remote

    find_own_bots()
    playing = play_remote(server, code, bot, seat=seat, name=name, pace=find_pace(pace), stay=stay, tell=click.echo)
    asyncio.run(playing)
