"""Options of the command line that are made from the settings of a server."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import click
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from tafelrunde.server.settings import PREFIX, Settings

Command = TypeVar("Command", bound=Callable[..., Any])

OFF_FLAGS = {"behind_proxy": "--no-proxy"}
"""Switches that are not turned off by ``--no-`` and their own name."""
DEFAULTS = {"db": "in your data folder"}
"""Defaults that depend on the machine, in words."""


class SettingOption(click.Option):
    """An option whose help names its environment variable; the variable is read by the settings, not by click."""

    def value_from_envvar(self, ctx: click.Context) -> None:
        """Leave the environment to the settings."""


def setting_options(*names: str, **helps: str) -> Callable[[Command], Command]:
    """Add an option for each of these settings, or for all; ``helps`` replaces the descriptions of some."""

    def decorate(command: Command) -> Command:
        for name in reversed(names or tuple(Settings.model_fields)):
            command = _option(name, helps.get(name))(command)
        return command

    return decorate


def read_settings(given: Mapping[str, Any]) -> Settings:
    """The settings from the values of options, None where an option was not given, and from the environment."""
    try:
        return Settings.from_environment(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fault = error.errors()[0]
        hint = variable_of(str(fault["loc"][0]))  # flags have been checked by click
        raise click.BadParameter(f"{fault['msg']}.", click.get_current_context(), param_hint=hint) from None


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def _option(name: str, help: str | None) -> Callable[[Command], Command]:
    field = Settings.model_fields[name]
    on = f"--{name.replace('_', '-')}"
    flags = f"{on}/{OFF_FLAGS.get(name, on.replace('--', '--no-', 1))}" if field.annotation is bool else on
    return click.option(
        flags,
        name,
        cls=SettingOption,
        type=_click_type(field),
        metavar="A,B,…" if _is_list(field) else None,
        default=None,
        envvar=variable_of(name),
        show_envvar=True,
        help=_help(name, field, flags, help),
    )


def _help(name: str, field: FieldInfo, flags: str, help: str | None) -> str:
    text = help or field.description or ""
    sentence = f"{text[0].upper()}{text[1:]}."
    default = DEFAULTS.get(name, field.default)
    if isinstance(default, bool):
        default = flags.split("/")[0 if default else 1].removeprefix("--")
    return sentence if default in (None, ()) else f"{sentence} [default: {default}]"


def _click_type(field: FieldInfo) -> click.ParamType[Any] | None:
    """The type with the bounds of a setting, for help and for errors that name the flag."""
    kind = _without_none(field.annotation)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    low, high = (
        next((getattr(bound, side) for bound in field.metadata if hasattr(bound, side)), None) for side in ("ge", "le")
    )
    if kind is int:
        return click.IntRange(low, high)
    if kind is float:
        return click.FloatRange(low, high)
    return None if kind is bool else click.STRING


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        [annotation] = [kind for kind in get_args(annotation) if kind is not type(None)]
    return annotation


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple
