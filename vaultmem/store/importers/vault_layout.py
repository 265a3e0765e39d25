"""What of a folder of notes a vault keeps for itself: its memory root, and its templates."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from vaultmem.config import UserConfig
from vaultmem.core.place import inside
from vaultmem.core.settings import DEFAULT_ROOT, SETTINGS_NOTE
from vaultmem.store.apart import TemplatesOf, templates_of
from vaultmem.store.discovery import find_root
from vaultmem.store.obsidian import FOLDER

ROOT = "notes in a vault's memory root"
TEMPLATES = "templates of a vault"


class Layout(NamedTuple):
    """A vault that a folder is, or lies in.

    Attributes:
        below: where the folder lies in the vault, with a `/` at its end; "" where it is the vault.
        root: the vault's memory root, "" for none.
        templates: its templates.
    """

    below: str
    root: str
    templates: TemplatesOf

    def keeps(self, relative: str) -> str:
        """What a note of the folder is that is no note of the person's; "" for one that is."""
        path = self.below + relative
        if self.root and inside(path, self.root):
            return ROOT
        return TEMPLATES if self.templates.hold(path) else ""


class Layouts:
    """The vaults that the notes of a folder lie in: the one that it is or lies in, those below."""

    def __init__(self, folder: Path) -> None:
        """Look at the folder; those below are looked at when a note of theirs is asked for."""
        self._folder = folder
        self._outer = _layout_of(folder)
        self._below: dict[str, Layout | None] = {}

    def keeps(self, relative: str) -> str:
        """As `Layout.keeps`, for a path below the folder."""
        folder = relative
        while "/" in folder:
            folder = folder.rpartition("/")[0]
            if folder not in self._below:
                place = self._folder / folder
                self._below[folder] = _layout_of(place) if _is_vault(place) else None
            layout = self._below[folder]
            if layout is not None and (kept := layout.keeps(relative[len(folder) + 1 :])):
                return kept
        return self._outer.keeps(relative) if self._outer is not None else ""


def _layout_of(folder: Path) -> Layout | None:
    """The nearest vault that a folder is, or lies in; None where there is none."""
    real = Path(os.path.realpath(folder))
    places = (place for place in (real, *real.parents) if place.name)
    vault = next(filter(_is_vault, places), None)
    if vault is None:
        return None
    below = real.relative_to(vault).as_posix()
    root, _ = find_root(vault, UserConfig())
    return Layout("" if below == "." else f"{below}/", root or "", templates_of(vault))


def _is_vault(place: Path) -> bool:
    """Whether Obsidian or `vaultmem init` made a vault of it."""
    marks = (place / FOLDER, place / DEFAULT_ROOT / SETTINGS_NOTE)
    return any(map(os.path.lexists, marks))
