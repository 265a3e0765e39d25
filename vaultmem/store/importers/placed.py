"""Where the records of a source hold, and what tells them from those of another source."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.core.importing.item import text_key
from vaultmem.core.model import Scope
from vaultmem.store.project import project_identity

if TYPE_CHECKING:
    from vaultmem.core.category import Category
    from vaultmem.store.importers.source import Source

MEMORY = ".pi/memory"


def scope_of(project: str | None) -> Scope:
    """The scope of what a person imports for a project, or for none."""
    return Scope.PROJECT if project else Scope.GLOBAL


def place_key(project: str | None, category: Category, text: str) -> str:
    """The key of a record without an id of its own: its place, its category and its words.

    Two projects may each have such a store, so the words alone do not tell a record.
    """
    return text_key(category, f"{project or ''}|{text}")


def memory_folder(source: Source, signs: tuple[str, ...]) -> str | None:
    """Where a project's memory lies in the folder that a person named, with a `/` at its end.

    The person may name the project, its `.pi` or the memory itself. The first comes first, for a
    project may have folders of such names of its own. None where none of `signs` is in any of them.
    """
    for prefix in (f"{MEMORY}/", "memory/", ""):
        if any(source.has(prefix + sign) for sign in signs):
            return prefix
    return None


def project_of(source: Source, folder: str) -> str | None:
    """The project whose `.pi/memory` it is; None where it lies in no such place."""
    memory = Path(os.path.normpath(source.root.absolute() / folder))  # they may name `..`
    if memory.name != "memory" or memory.parent.name != ".pi":
        return None
    return project_identity(memory.parent.parent).id
