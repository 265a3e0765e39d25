"""Which folders of a vault hold templates and daily notes, as Obsidian's plugins are set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.settings import folder_path
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.obsidian import FOLDER, MAX_JSON, TEMPLATES

if TYPE_CHECKING:
    from pathlib import Path

_SETTINGS = (
    (TEMPLATES, "folder"),
    (f"{FOLDER}/daily-notes.json", "folder"),
    (f"{FOLDER}/plugins/templater-obsidian/data.json", "templates_folder"),
)
"""A settings file of a plugin, and the key in it that names a folder of the vault."""


def folders_apart(vault: Path) -> tuple[str, ...]:
    """The folders whose notes are no knowledge, relative to the vault, in a fixed order.

    A settings file that is not there or cannot be read names none; `doctor` reports the broken one
    of the core plugin.
    """
    found = (_folder(vault, path, key) for path, key in _SETTINGS)
    return tuple(folder for folder in found if folder)


def _folder(vault: Path, path: str, key: str) -> str | None:
    from vaultmem.core.json_splice import SpliceError, load

    data = read_inside(vault, path, limit=MAX_JSON)
    if isinstance(data, Unread):
        return None
    try:
        value = load(data.decode("utf-8-sig")).get(key)
    except (UnicodeDecodeError, SpliceError):
        return None
    return folder_path(value.removeprefix("/") if isinstance(value, str) else value)
