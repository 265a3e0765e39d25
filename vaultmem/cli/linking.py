"""Paths of notes as links on a terminal: a click opens the note in Obsidian.

A link is an operating-system command, OSC 8, around what is printed anyway. It is written only
where a person looks at a terminal that can be expected to know it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vaultmem.app import App
from vaultmem.errors import VaultmemError

if TYPE_CHECKING:
    from pathlib import Path

_KNOW_NONE = ("dumb", "linux")
"""Terminals, by `TERM`, that show an operating-system command as letters or choke on it."""
_OPEN, _CLOSE, _END = "\x1b]8;;", "\x1b]8;;\x1b\\", "\x1b\\"


def linked(line: str, shown: str, path: str) -> str:
    """The line with `shown` in it as a link to a note; the line itself where none is wanted.

    Args:
        line: what is printed, visible characters only.
        shown: the path as it stands in the line.
        path: the note, relative to the vault.
    """
    if not shown or "\n" in shown or shown not in line or not (uri := _uri(path)):
        return line
    before, _, after = line.partition(shown)
    return f"{before}{_OPEN}{uri}{_END}{shown}{_CLOSE}{after}"


def _uri(path: str) -> str:
    from vaultmem.core.obsidian_uri import open_uri  # where a person looks only
    from vaultmem.store.obsidian import obsidian_vault

    app = _app()
    if app is None or not _follows(app):
        return ""
    try:
        vault = app.found.path
    except VaultmemError:
        return ""
    above = obsidian_vault(vault)
    if above is None or not _is_file(vault, path):
        return ""
    return open_uri(above.name, (vault.relative_to(above) / path).as_posix())


def _app() -> App | None:
    ctx = click.get_current_context(silent=True)
    found = ctx.find_root().obj if ctx is not None else None
    return found if isinstance(found, App) else None


def _follows(app: App) -> bool:
    """Whether a person looks at a terminal that can be expected to know links, and wants them."""
    env = app.env
    return (
        sys.stdout.isatty()
        and not env.no_color
        and env.agent is None
        and env.term is not None
        and env.term not in _KNOW_NONE
        and app.config.config.obsidian_links
    )


def _is_file(vault: Path, path: str) -> bool:
    """Whether the note is there: what Obsidian does with another is not known."""
    parts = path.split("/")
    if path.startswith("/") or ".." in parts:
        return False
    try:
        return (vault / path).is_file()
    except (OSError, ValueError):
        return False
