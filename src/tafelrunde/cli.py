"""The command line. Rules are imported by the commands that need them, so that --help answers at once."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem, get_completion_class

from tafelrunde.cold import PROGRAM, announce_compiling, is_cold, may_start_cold, serve_while_compiling, start_at_once
from tafelrunde.opening import HERE, address_here, address_in_network, for_cameras, is_table, is_taken, show_page

if TYPE_CHECKING:
    from rich.table import Table

    from tafelrunde.bots.pace import Pace
    from tafelrunde.lab.simulate import Result

COMPLETE_VARIABLE = "_TAFELRUNDE_COMPLETE"
FEW_FILES = 30  # so many records are checked in plain Python before a compiler would be ready
Command = TypeVar("Command", bound=Callable[..., Any])


class GameName(click.ParamType[str]):
    """The name of a game."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what is no game."""
        from tafelrunde.games import find

        return find(value).id

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete with the games there are."""
        from tafelrunde.games import GAMES

        return [CompletionItem(game) for game in GAMES if game.startswith(incomplete)]


class Names(click.ParamType[tuple[str, ...]]):
    """Names, divided by commas."""

    name = "a,b,…"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Split the list."""
        return tuple(name.strip() for name in value.split(","))

    def known(self, ctx: click.Context) -> Iterable[str]:
        """The names there are."""
        return ()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last name of the list."""
        done, comma, begun = incomplete.rpartition(",")
        return [CompletionItem(done + comma + name) for name in self.known(ctx) if name.startswith(begun)]


class BotNames(Names):
    """Names of bots."""

    def known(self, ctx: click.Context) -> Iterable[str]:
        """The bots of the game, or of all where the option stands before it."""
        from tafelrunde import bots
        from tafelrunde.games import GAMES

        game = ctx.params.get("game")
        return bots.names(game) if game else sorted({name for game in GAMES for name in bots.names(game)})


class PaceNames(Names):
    """Names of paces."""

    def known(self, ctx: click.Context) -> Iterable[str]:
        """All of them."""
        from tafelrunde.bots.pace import PACES

        return PACES


def game_options(command: Command) -> Command:
    """What every command that plays a game takes."""
    for decorate in reversed(
        (
            click.argument("game", type=GameName()),
            click.option("--seats", "-n", type=int, help="How many play. [default: as many bots as named, else 4]"),
            click.option("--bots", "-b", type=BotNames(), help="A bot for each seat, or one for all."),
            click.option(
                "--seed", "-s", type=int, help="Same seed, same bots: same games. [default: another each time]"
            ),
            click.option(
                "--option", "-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
            ),
            click.option(
                "--deck",
                type=click.Path(path_type=Path),
                help="In chocolat: play with the cards of this file (see: tafelrunde decks).",
            ),
            click.option(
                "--pace",
                type=PaceNames(),
                help="In real time: human or instant, for each seat or for all. [default: human]",
            ),
            click.option(
                "--latency",
                type=Names(),
                help="In real time: milliseconds of the line, for each seat or for all. [default: 0]",
            ),
        )
    ):
        command = decorate(command)
    return command


def read_options(options: tuple[str, ...]) -> dict[str, Any]:
    """``start_seat=2`` and the like; values are JSON."""
    read: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"An option is given as NAME=VALUE, not {option!r}.")
        try:
            read[name] = json.loads(value)
        except ValueError:
            raise click.UsageError(f"{value!r} is no value for {name}: a number, true, false or null.") from None
    return read


def fill_seats(game: str, seats: int | None, bots: tuple[str, ...] | None, default: str) -> tuple[int, tuple[str, ...]]:
    """Settle how many play and who; bots of your own lie where the command is given."""
    from tafelrunde.bots import for_seats
    from tafelrunde.games import find

    sys.path.insert(0, "")
    if seats is None:
        seats = len(bots) if bots and len(bots) > 1 else min(4, max(find(game).seat_range))
    return find(game).check_seats(seats), for_seats(bots or (default,), seats)


def read_paces(
    game: str, seats: int, names: tuple[str, ...] | None, latencies: tuple[str, ...] | None
) -> tuple[Pace, ...]:
    """How fast each seat acts."""
    from tafelrunde.bots import for_seats
    from tafelrunde.bots.pace import find_pace
    from tafelrunde.errors import BadPace
    from tafelrunde.games import find

    if (names or latencies) and not find(game).in_real_time:
        raise BadPace(f"{game} has turns; pace and latency are for games in real time.")
    for latency in latencies or ():
        if not latency.isdecimal():
            raise click.UsageError(f"A latency is a whole number of milliseconds, not {latency!r}.")
    paces = for_seats([find_pace(name) for name in names or ("human",)], seats, "paces")
    lines = for_seats([int(latency) for latency in latencies or ("0",)], seats, "latencies")
    return tuple(replace(pace, latency=line) for pace, line in zip(paces, lines, strict=True))


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Without a command the table is opened and shown in the browser, as by {PROGRAM} serve --open.",
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM)
def cli() -> None:
    """The game table for three food-and-mouse games.

    Play with people and bots, watch bots play, let thousands of games run, and check the record of a game.
    """


@cli.command()
@game_options
@click.option("--delay", type=float, help="Seconds for every moment. [default: 0.4 on a terminal, else 0]")
def watch(
    game: str,
    seats: int | None,
    bots: tuple[str, ...] | None,
    seed: int | None,
    options: tuple[str, ...],
    deck: Path | None,
    pace: tuple[str, ...] | None,
    latency: tuple[str, ...] | None,
    delay: float | None,
) -> None:
    """Watch a game of bots in the terminal.

    \b
    Examples:
      tafelrunde watch buffet
      tafelrunde watch buffet --seats 6 --bots greedy --seed 7
      tafelrunde watch buffet --bots greedy,random,random --delay 0
      tafelrunde watch dash --seats 5 --delay 1
      tafelrunde watch chocolat --deck mine.toml
    """
    if delay is not None and not 0 <= delay <= 60:
        raise click.UsageError("--delay is from 0 to 60 seconds.")
    start_at_once()
    from rich.console import Console

    import tafelrunde
    from tafelrunde import bots as all_bots
    from tafelrunde.stream import check_seed
    from tafelrunde.watch import watch as tell

    seats, named = fill_seats(game, seats, bots, default="greedy")
    players = [all_bots.find(game, name) for name in named]
    seed = check_seed(seed)
    played = tafelrunde.new(game, seats=seats, seed=seed, deck=deck, **read_options(options))
    console = Console(highlight=False)
    if delay is None:
        delay = 0.4 if console.is_terminal else 0.0
    console.print(f"{played.spec.title} ({played.spec.credit}), {seats} bots, seed {seed}", style="dim")
    tell(played, players, seed, read_paces(game, seats, pace, latency), console, delay)


def setting(name: str, type: Any, help: str, **more: Any) -> Callable[[Command], Command]:
    """A setting of the server: a flag, or an environment variable."""
    env = f"TAFELRUNDE_{name.upper().replace('-', '_')}"
    return click.option(f"--{name}", type=type, envvar=env, show_envvar=True, help=help, **more)


@cli.command()
@setting("host", str, "The address to listen on; 0.0.0.0 for all. [default: 127.0.0.1]")
@setting("port", click.IntRange(0, 65535), "The port; 0 takes any that is free. [default: 8000]")
@setting("db", str, "A SQLite file, or postgresql://…. [default: in your data folder]")
@setting("origins", Names(), "Other origins whose pages may open sockets, like https://games.example.")
@setting("hosts", Names(), "Names besides this machine's own under which the server may be opened; * for all.")
@click.option(
    "--behind-proxy/--no-proxy", default=None, envvar="TAFELRUNDE_BEHIND_PROXY", show_envvar=True,
    help="Believe X-Forwarded-For: only behind a reverse proxy of your own. [default: no-proxy]",
)  # fmt: skip
@setting("fd", click.IntRange(0), "Serve on this open socket, handed over by another program.")
@setting("keep-days", click.IntRange(0), "Delete tables unused for so long; 0: never. [default: 90]")
@setting("creates-per-minute", click.IntRange(1), "New tables per address. [default: 20]")
@setting("joins-per-minute", click.IntRange(1), "Seats taken and games looked back at per address. [default: 60]")
@setting("lookups-per-minute", click.IntRange(1), "Tables asked for by code per address. [default: 1200]")
@setting("connections-per-address", click.IntRange(1), "At the same time. [default: 200]")
@setting("lines-per-hour", click.IntRange(1), "What is written for people and bots of an address. [default: 200000]")
@setting("commands-per-second", click.IntRange(1), "Per connection. [default: 20]")
@setting("hello-s", click.FloatRange(0.1, 600), "How long a connection may say nothing. [default: 10]")
@setting("log-level", click.Choice(["debug", "info", "warning", "error"]), "[default: info; warning on a terminal]")
@click.option(
    "--open/--no-open", "open_browser", default=None, envvar="TAFELRUNDE_OPEN", show_envvar=True,
    help="Show the page in a browser of this machine. [default: no-open]",
)  # fmt: skip
def serve(**given: Any) -> None:
    """Open the table: people and bots play over the network.

    \b
    Examples:
      tafelrunde serve
      tafelrunde serve --host 0.0.0.0 --port 80
      tafelrunde serve --db postgresql://tafelrunde@localhost/tafelrunde
    """
    from tafelrunde.server import Settings
    from tafelrunde.server import serve as open_table

    if given["log_level"] is None and sys.stderr.isatty():
        given["log_level"] = "warning"  # the address is to stay in sight
    settings = Settings(**{name: value for name, value in given.items() if value is not None})

    def ready(url: str) -> None:
        begins = settings.fd is None  # else it begins anew: all of this is known, and the page is open already
        in_network = address_in_network(url) if begins else None
        tell_addresses(address_here(url), in_network)
        if settings.open_browser and begins:
            show_page(in_network or address_here(url))  # invitations carry the address at which the page was opened

    if may_start_cold():
        serve_while_compiling(settings, ready)
    announce_compiling()
    open_table(settings, ready)


def tell_addresses(here: str, in_network: str | None) -> None:
    """The table is open; on a terminal phones find the way by their cameras."""
    click.echo(f"Tafelrunde is open at {here} (stop with Ctrl-C).")
    if in_network:
        click.echo(f"Others in your network find it at {in_network}")
        if sys.stdout.isatty():
            click.secho(for_cameras(in_network), fg="bright_white", bg="black")


@cli.command()
@click.argument("code")
@click.option("--bot", default="greedy", show_default=True, help="A bot that comes with the game, or module:function.")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="The address of the server.")
@click.option("--seat", type=click.IntRange(0), help="Which seat. [default: any that is free]")
@click.option("--name", help="What it is called. [default: as the bot]")
@click.option("--pace", default="human", show_default=True, help="In real time: human or instant.")
@click.option("--stay", is_flag=True, help="Stay for further games.")
def join(code: str, bot: str, server: str, seat: int | None, name: str | None, pace: str, stay: bool) -> None:
    """Let a bot sit down at a table over the network.

    \b
    Examples:
      tafelrunde join kafemulotabi
      tafelrunde join kafemulotabi --bot mybots:clever --name Clever --stay
    """
    import asyncio

    from tafelrunde.bots.pace import find_pace
    from tafelrunde.remote import play_remote

    sys.path.insert(0, "")  # bots of your own lie where the command is given
    playing = play_remote(server, code, bot, seat=seat, name=name, pace=find_pace(pace), stay=stay, tell=click.echo)
    asyncio.run(playing)


@cli.command()
@game_options
@click.option("--games", "-g", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option("--records", type=click.Path(file_okay=False, path_type=Path), help="Write each game to a file here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def simulate(
    game: str,
    seats: int | None,
    bots: tuple[str, ...] | None,
    seed: int | None,
    options: tuple[str, ...],
    deck: Path | None,
    pace: tuple[str, ...] | None,
    latency: tuple[str, ...] | None,
    games: int,
    records: Path | None,
    as_json: bool,
) -> None:
    """Let many games run on all cores and tell who wins.

    \b
    Bots are ours by name, or your own: module:function, a function of an
    observation and a random stream. Ctrl-C stops and reports what was done.

    \b
    Examples:
      tafelrunde simulate buffet --games 100000
      tafelrunde simulate buffet --bots greedy,random,random,random,random --games 20000
      tafelrunde simulate buffet --seats 3 --games 10 --records games/ --json
      tafelrunde simulate dash --bots greedy,random,random,random,random --latency 200,0,0,0,0
    """
    announce_compiling()
    from tafelrunde.lab import simulate as lab

    seats, named = fill_seats(game, seats, bots, default="random")
    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    with progress_bar(games) as advance:
        result = lab.simulate(
            game,
            seats=seats,
            games=games,
            seed=seed,
            players=named,
            options=read_options(options),
            deck=deck,
            paces=read_paces(game, seats, pace, latency),
            records=records,
            progress=advance,
            stop=stop,
        )
    if as_json:
        click.echo(json.dumps(result.to_json()))
    else:
        show(result)
    if stop.is_set():
        click.echo(f"Stopped after {result.tally.games} of {games} games.", err=True)
        sys.exit(130)


class progress_bar:  # noqa: N801 - reads like the function it is
    """A bar with rate and time left on a terminal; nothing when piped."""

    def __init__(self, games: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=games, rate="")

    def __enter__(self) -> Callable[[int], None]:
        self._bar.start()
        return self._advance

    def _advance(self, games: int) -> None:
        speed = self._bar.tasks[0].speed
        self._bar.update(self._task, advance=games, rate=f"{speed:,.0f} games/s" if speed else "")

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()


def show(result: Result) -> None:
    """Print a simulation for people."""
    from rich.console import Console

    tally = result.tally
    console = Console(highlight=False)
    console.print(result_table(result))
    rate = tally.decisions / result.seconds if result.seconds else 0
    console.print(
        f"{tally.games:,} games, {tally.decisions:,} decisions in {result.seconds:.2f} s"
        f" ({rate:,.0f} decisions/s), seed {result.seed}",
        style="dim",
    )


def result_table(result: Result) -> Table:
    """Wins with their confidence interval, per seat."""
    from rich.table import Table

    from tafelrunde.lab.simulate import confidence

    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for heading in ("seat", "bot", "wins", "95 % interval", "× fair share", "mean points"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    tally = result.tally
    for seat, (bot, wins, points) in enumerate(zip(result.bots, tally.wins, tally.mean_points, strict=True)):
        low, high = confidence(wins, tally.games)
        share = wins / tally.games if tally.games else 0.0
        table.add_row(
            str(seat), bot, f"{share:.1%}", f"{low:.1%} – {high:.1%}", f"{share * tally.seats:.2f}", f"{points:.2f}"
        )
    return table


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check game records: one line per file, and exit status 0 only if all hold.

    \b
    Every consequence is computed anew from the decisions and the chance that
    are written down. The first line that does not hold is named, with the rule
    behind it. The beginning of a game holds as unfinished.
    """
    if len(files) <= FEW_FILES:
        start_at_once()
    else:
        announce_compiling()
    import tafelrunde

    all_hold = True
    for file in files:
        verdict = tafelrunde.verify(file)
        all_hold &= verdict.holds
        click.echo(f"{file}: {verdict}")
    sys.exit(0 if all_hold else 1)


@cli.group()
def decks() -> None:
    """The cards of chocolat as a file.

    \b
    What is known of the printed cards comes from public sources, the rest was
    reconstructed. Who owns the box can write its values into a file:
      tafelrunde decks show > mine.toml
      tafelrunde decks check mine.toml
      tafelrunde watch chocolat --deck mine.toml
    """


@decks.command(name="show")
def show_deck() -> None:
    """Print the deck that comes with the game, as a file to begin with."""
    from tafelrunde.games.chocolat import deck

    click.echo(deck.standard_text(), nl=False)


@decks.command(name="check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def check_decks(files: tuple[Path, ...]) -> None:
    """Tell whether deck files are sound: everything that is wrong, by line; exit status 0 only if nothing is."""
    from tafelrunde.errors import BadDeck
    from tafelrunde.games.chocolat import deck

    all_sound = True
    for file in files:
        try:
            text = deck.read_text(file)
            faults = list(map(str, deck.check(text)))
        except BadDeck as error:
            faults = [str(error)]
        for line in faults or [deck.describe(deck.parse(text))]:
            click.echo(f"{file}: {line}")
        all_sound &= not faults
    sys.exit(0 if all_sound else 1)


@cli.command(name="compile")
def compile_rules() -> None:
    """Compile all rules and bots now.

    \b
    The first use of a game compiles its rules and keeps them in the user's
    cache folder. Do it when installing, so that no first game has to wait.
    """
    if is_cold():
        click.echo("Compiling all rules: a minute or two …", err=True)
    import tafelrunde
    from tafelrunde import bots
    from tafelrunde.games.registry import compile_mark
    from tafelrunde.lab.simulate import simulate as run

    for game, spec in tafelrunde.GAMES.items():
        seats = spec.rules.MIN_SEATS
        player, stream = bots.find(game, bots.names(game)[-1]), tafelrunde.Stream(0, lane=1)
        quick: dict[str, Any] = dict(spec.quick)
        played = bots.play(tafelrunde.new(game, seats=seats, seed=0, **quick), [player] * seats, seed=0)
        tafelrunde.imagine(played.observe(0), stream)
        tafelrunde.replay(played.record())
        run(game, seats=seats, games=1, seed=0, players=[bots.names(game)[-1]], workers=1)
    mark = compile_mark()
    if mark is not None:
        mark.touch()
    click.echo("All rules are compiled.")


@cli.command()
@setting("port", click.IntRange(1, 65535), "The port to look at. [default: 8000]")
@setting("db", str, "The SQLite file or postgresql://… to look at. [default: in your data folder]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences.")
def doctor(port: int | None, db: str | None, as_json: bool) -> None:
    """Look whether everything is there, and say what to do if not.

    \b
    Looks at Python and its packages, the compiled rules, the page, the data
    folder, the port, the browser and the network. Changes nothing. Exit status
    0 if a game can be played.
    """
    from tafelrunde.doctor import examine

    sys.exit(examine(port, db, as_json))


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  tafelrunde completion bash > ~/.local/share/bash-completion/completions/tafelrunde
    zsh:   tafelrunde completion zsh > ~/.zfunc/_tafelrunde
    fish:  tafelrunde completion fish > ~/.config/fish/completions/tafelrunde.fish
    """
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(cli, {}, PROGRAM, COMPLETE_VARIABLE).source())


def without_command() -> list[str]:
    """Who says nothing wants to play: the command that opens the table and shows it."""
    from tafelrunde.server.settings import Settings

    click.echo(f"Opening the table; for everything else: {PROGRAM} --help")
    command = ["serve", "--open"]
    port = Settings.port
    if "TAFELRUNDE_PORT" in os.environ or not is_taken(HERE, port):
        return command
    if is_table(port):
        here = f"http://{HERE}:{port}"
        click.echo(f"It is open already, at {here}")
        show_page(here)
        sys.exit()
    click.echo(f"Another program uses port {port}; taking any that is free.")
    return [*command, "--port=0"]


def main() -> None:
    """Run the command line; what is refused is told in one line with exit status 2."""
    from tafelrunde.errors import TafelrundeError

    try:
        if len(sys.argv) == 1 and COMPLETE_VARIABLE not in os.environ:
            sys.argv += without_command()
        cli(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE)
    except TafelrundeError as error:
        click.echo(f"{PROGRAM}: {error}", err=True)
        sys.exit(2)
