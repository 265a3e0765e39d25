"""Options that exclude one another, or that belong to another one: named both, never dropped."""

from __future__ import annotations

import click
from click.core import ParameterSource


def not_together(*options: str) -> None:
    """Refuse two of these options of the running command at once.

    Raises:
        UsageError: if two are given; it names them.
    """
    given = [one for one in options if _is_given(one)]
    if len(given) > 1:
        raise click.UsageError(f"Give {given[0]} or {given[1]}, not both.")


def goes_with(option: str, *others: str) -> None:
    """Refuse others of these options where `option`, to which they belong, is not given.

    Raises:
        UsageError: if one is given without it; it names both.
    """
    lone = [one for one in others if _is_given(one)]
    if lone and not _is_given(option):
        raise click.UsageError(f"{lone[0]} goes with {option}.")


def _is_given(option: str) -> bool:
    ctx = click.get_current_context()
    names = [one.name for one in ctx.command.params if option in one.opts and one.name]
    return any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)
