"""The settings of a server: the one definition behind flags, environment variables and their table in the docs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tafelrunde.folders import STORE, data_folder

PREFIX = "TAFELRUNDE_"
"""An environment variable is named like its setting, in capital letters after this."""


def _split(names: object) -> object:
    return tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
"""Names, also given as one text with commas between them."""


class Settings(BaseModel):
    """Everything that can be set; the defaults are right for friends around one Wi-Fi.

    Construction takes keyword arguments only and ignores the environment, so that programs and tests get what they ask
    for on any machine. ``from_environment`` is for the command line.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="127.0.0.1", description="the address to listen on; 0.0.0.0 for all")
    port: int = Field(
        default=8000,
        ge=0,
        le=65535,
        description="the port; 0 takes any that is free, and the first line of output says which",
    )
    db: str = Field(default_factory=lambda: str(data_folder() / STORE), description="a SQLite file, or postgresql://…")
    origins: Names = Field(default=(), description="other origins whose pages may open sockets, divided by commas")
    hosts: Names = Field(
        default=(), description="other names under which the server may be opened, divided by commas; * for all"
    )
    behind_proxy: bool = Field(
        default=False, description="believe X-Forwarded-For: only behind a reverse proxy of your own"
    )
    fd: int | None = Field(default=None, ge=0, description="serve on this open socket, handed over by another program")
    keep_days: int = Field(default=90, ge=0, description="delete tables unused for so long; 0: never")
    creates_per_minute: int = Field(default=20, ge=1, description="new tables per address")
    joins_per_minute: int = Field(
        default=60, ge=1, description="seats taken and games looked back at, each per address"
    )
    lookups_per_minute: int = Field(
        default=1200, ge=1, description="tables asked for by their code, per address; a wrong code counts as twenty"
    )
    connections_per_address: int = Field(
        default=200, ge=1, description="open sockets per address; twice as many may be opened in a minute"
    )
    lines_per_hour: int = Field(default=200_000, ge=1, description="what is written for an address")
    commands_per_second: int = Field(default=20, ge=1, description="per connection, on average; twice as many at once")
    hello_s: float = Field(
        default=10, ge=0.1, le=600, description="seconds in which a connection has to say what it wants"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="debug, info, warning or error; on a terminal warning unless you say otherwise"
    )
    open: bool = Field(
        default=False,
        description="show the page in a browser of this machine, if it has a screen; with --host 0.0.0.0 at the "
        "address that others use",
    )

    @classmethod
    def from_environment(cls, **given: Any) -> Settings:
        """What is given wins over environment variables, and these over the defaults; raises ValidationError.

        ``model_fields_set`` of the result tells what was set at all.
        """
        return _EnvironmentSettings(**given)


class _EnvironmentSettings(Settings, BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True)
