"""Which folders of a vault hold templates and daily notes, as Obsidian's plugins are set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.obsidian import FOLDER, TEMPLATES, plugin_folder

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
    found = (plugin_folder(vault, path, key) for path, key in _SETTINGS)
    return tuple(folder for folder, _ in found if folder)
