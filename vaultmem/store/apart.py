"""Which folders of a vault hold templates and daily notes, as Obsidian's plugins are set up."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.resources import resource
from vaultmem.store.obsidian import FOLDER, TEMPLATES, plugin_folder
from vaultmem.store.paths import is_within

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATES_FOLDER = "Templates"
"""Where our templates go in a vault whose plugin has no folder yet."""

_CORE = (TEMPLATES, "folder")
_DAILY = (f"{FOLDER}/daily-notes.json", "folder")
_TEMPLATER = (f"{FOLDER}/plugins/templater-obsidian/data.json", "templates_folder")
_SETTINGS = (_CORE, _DAILY, _TEMPLATER)
"""A settings file of a plugin, and the key in it that names a folder of the vault."""


class TemplatesOf(NamedTuple):
    """Which notes of a vault are templates: forms for notes that say nothing themselves.

    Attributes:
        folders: what the vault's plugins take for folders of templates.
        ours: our templates where `init --templates` puts them as long as no plugin has a folder.
    """

    folders: tuple[str, ...]
    ours: frozenset[str]

    def hold(self, path: str) -> bool:
        """Whether the note at a path of the vault is one."""
        return path in self.ours or any(is_within(folder, path) for folder in self.folders)


def folders_apart(vault: Path) -> tuple[str, ...]:
    """The folders whose notes are no knowledge, relative to the vault, in a fixed order.

    A settings file that is not there or cannot be read names none; `doctor` reports the broken one
    of the core plugin.
    """
    return _named(vault, _SETTINGS)


def templates_of(vault: Path) -> TemplatesOf:
    """The templates of a vault, as the settings of its plugins are now."""
    ours: frozenset[str] = frozenset()
    with suppress(FileNotFoundError):  # an installation without them; `init` says so
        shipped = (resource("templates") / "vault").glob("*.md")
        ours = frozenset(f"{TEMPLATES_FOLDER}/{one.name}" for one in shipped)
    return TemplatesOf(_named(vault, (_CORE, _TEMPLATER)), ours)


def _named(vault: Path, settings: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    found = (plugin_folder(vault, path, key) for path, key in settings)
    return tuple(folder for folder, _ in found if folder)
