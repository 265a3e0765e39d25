"""Questions to the person at the terminal, a line each, so that they work over ssh as well."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from vaultmem.cli.output import plain, say_wrapped
from vaultmem.errors import NotConfirmedError, NotRatifiedError, VaultmemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_Result = TypeVar("_Result")

ratify_option = click.option(
    "--ratify",
    "ratified",
    is_flag=True,
    help="Ratify an identity memory (L1) in the same go.",
)
"""Gives a command the option `--ratify`, as the argument `ratified`."""


def somebody_types() -> bool:
    """Whether a person can answer."""
    return sys.stdin.isatty()


def somebody_looks() -> bool:
    """Whether a person can answer and sees what is printed, so that a list may be a dialogue."""
    return somebody_types() and sys.stdout.isatty()


def refuse_unattended(why: str, *, as_json: bool = False) -> None:
    """Stop where nobody can be asked.

    Args:
        why: what was not done, and what to do without a question.
        as_json: a program reads the answer, so nothing is asked.

    Raises:
        NotConfirmedError: with `why`, if no person types.
    """
    if as_json or not somebody_types():
        raise NotConfirmedError(why)


def confirm(question: str, otherwise: str) -> None:
    """Ask for a yes; an empty line says no.

    Raises:
        NotConfirmedError: with `otherwise`, if the person says no.
    """
    if not click.confirm(question):
        raise NotConfirmedError(otherwise)


def go_ahead(question: str, *, as_json: bool = False) -> None:
    """Ask before a command with `--yes` does what it has shown.

    Raises:
        NotConfirmedError: if the person says no, or nobody can be asked.
    """
    refuse_unattended("Nobody is there to ask. Add `--yes` to go ahead.", as_json=as_json)
    confirm(question, "Nothing was changed.")


def ask(question: str) -> str | None:
    """The line that the person types, without blanks around it; None where there is none any more.

    Raises:
        KeyboardInterrupt: on Ctrl-C; what was done before it is done.
    """
    click.echo(f"{plain(question)} ", nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        return None
    return line.strip()


def ratifying(do: Callable[[bool], _Result], *, ratified: bool, as_json: bool) -> _Result:
    """Do it; where only a ratification is missing and a person is there, ask for that.

    Args:
        do: takes whether the person ratified.
        ratified: what `--ratify` said.
        as_json: a program reads the answer, so nothing is asked.

    Raises:
        NotRatifiedError: if nobody could be asked.
        NotConfirmedError: if the person said no.
    """
    try:
        return do(ratified)
    except NotRatifiedError as missing:
        if as_json or not somebody_types():
            raise
        say_wrapped(missing.what)
    confirm("Ratify it now?", "Nothing was changed. Answer `y` to ratify it.")
    return do(True)  # noqa: FBT003 - `do` is ours, and takes nothing else


def open_in_editor(note: Path) -> None:
    """Show a note in the editor that $VISUAL or $EDITOR names, until the person closes it.

    Raises:
        NotConfirmedError: if nobody is there to edit it.
        VaultmemError: if the editor does not run.
    """
    refuse_unattended(
        "Nobody is there to edit it. Say what changes with `--statement` or `--set`, or run it in "
        "a terminal."
    )
    try:
        click.edit(filename=str(note))
    except click.ClickException as error:
        raise VaultmemError(
            f"The editor failed: {error.format_message()}. "
            "Set $EDITOR to another one, or use `--statement` and `--set`."
        ) from error
