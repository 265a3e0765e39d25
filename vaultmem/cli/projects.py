"""The project that a command's `--project` names, by its identity or the end of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.cli.output import say_beside
from vaultmem.services.projects import find_project, known_project

if TYPE_CHECKING:
    from vaultmem.app import App


def is_no_projects_folder(app: App) -> bool:
    """Whether the working folder holds projects rather than being one: home, or the top of all."""
    return app.cwd.resolve() in (Path.home().resolve(), Path(app.cwd.anchor))


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
        say_beside(f"{name} is a new project; `vaultmem status` lists those that are known.")
    else:
        say_taken(name, found)
    return found or name


def say_taken(name: str, found: str) -> None:
    """Tell on standard error which project a name is taken for, where it is another word."""
    if found.casefold() != name.casefold():
        say_beside(f"{name} is taken for {found}.")
