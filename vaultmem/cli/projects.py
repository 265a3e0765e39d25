"""The project that a command's `--project` names, by its identity or the end of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import plain
from vaultmem.services.projects import find_project, known_project

if TYPE_CHECKING:
    from vaultmem.app import App


def read_of(app: App, name: str | None) -> str | None:
    """The identity, for a command that reads; None where no project was named.

    Raises:
        ProjectNotFoundError: if nothing is of such a project.
    """
    return name and known_project(app.call(), name, here=app.project.id)


def written_of(app: App, name: str | None) -> str | None:
    """The identity, for a command that writes; a new project is told on standard error.

    Raises:
        ProjectNotFoundError: if the name may mean several projects.
    """
    if not name:
        return name
    found = find_project(app.call(), name, here=app.project.id)
    if found is None:
        _say(f"{name} is a new project; `vaultmem status` lists those that are known.")
    else:
        say_taken(name, found)
    return found or name


def say_taken(name: str, found: str) -> None:
    """Tell on standard error which project a name is taken for, where it is another word."""
    if found.casefold() != name.casefold():
        _say(f"{name} is taken for {found}.")


def _say(text: str) -> None:
    click.echo(f"vaultmem: {plain(text)}", err=True)
