"""The notes for Obsidian's plugin Templates, and where in a vault they go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.naming import name_key, title_of
from vaultmem.core.path_key import path_key
from vaultmem.errors import ConfigError
from vaultmem.resources import resource
from vaultmem.store.apart import TEMPLATES_FOLDER
from vaultmem.store.obsidian import TEMPLATES, templates_folder
from vaultmem.store.walk import walk

if TYPE_CHECKING:
    from pathlib import Path


class NoteTemplates(NamedTuple):
    """The templates as they would lie in a vault.

    Attributes:
        folder: the folder that they go to.
        files: path in the vault and bytes of each.
        taken: paths of those that are left out, because a note elsewhere has the name: a link to
            it would lead to either.
    """

    folder: str
    files: dict[str, bytes]
    taken: tuple[str, ...]


def note_templates(vault: Path, root: str) -> NoteTemplates:
    """The templates for a vault, in the folder that its plugin uses.

    Args:
        vault: the vault.
        root: its memory root.

    Raises:
        ConfigError: if that folder is a file or a link, or lies in the memory root, where notes of
            a category folder are memories.
        FileNotFoundError: if this installation lacks the templates.
    """
    folder = templates_folder(vault)[0] or TEMPLATES_FOLDER
    place = vault / folder
    if path_key(f"{folder}/").startswith(path_key(f"{root}/")):
        raise ConfigError(
            f"The folder of templates, {folder}, lies in the memory root. Choose another one in "
            "Obsidian's settings of the plugin Templates."
        )
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise ConfigError(
            f"{place} is no real folder. Rename it, or correct `folder` in {TEMPLATES}."
        )
    ours = {
        f"{folder}/{one.name}": one.read_bytes()
        for one in sorted((resource("templates") / "vault").glob("*.md"))
    }
    there = {name_key(title_of(path)) for path in walk(vault).notes if path not in ours}
    taken = tuple(path for path in ours if name_key(title_of(path)) in there)
    return NoteTemplates(
        folder, {path: data for path, data in ours.items() if path not in taken}, taken
    )
