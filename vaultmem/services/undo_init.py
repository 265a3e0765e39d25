"""Undo init: take back what `init` made and nobody has changed since."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import NoteNotFoundError, UnsafePathError, VaultmemError, VaultNotFoundError
from vaultmem.services.init_record import forget, recorded
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note, remove_file, replace_file
from vaultmem.store.folders import remove_folder
from vaultmem.store.obsidian import (
    APP,
    FOLDER,
    TYPES,
    apply_change,
    plan_filter_undo,
    plan_types_undo,
)
from vaultmem.store.settings import read_settings
from vaultmem.store.state import known_id
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import set_default_vault, untrust

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.config import HomeDirs
    from vaultmem.services.init_record import Record
    from vaultmem.store.obsidian import FileChange, FilterPlan, TypesPlan


class Undone(NamedTuple):
    """What `init --undo` did.

    Attributes:
        removed: what it took away: files, folders, and entries in a settings file.
        restored: files that are to the byte as they were before `init`.
        kept: what it left because it is not `init`'s any more.
    """

    removed: tuple[str, ...]
    restored: tuple[str, ...]
    kept: tuple[str, ...]


def undo_init(home: HomeDirs, vault: Path, root: str) -> Undone:
    """Take back what `init` made and nobody has changed since; everything else stays.

    What was stopped half-way can be done again: the settings may be gone by then, and with them the
    vault's id, so the one that this machine knows is asked too.

    Raises:
        VaultNotFoundError: if `init` was not run there on this machine.
    """
    identifier = read_settings(vault, root).settings.id or known_id(home, vault, root)
    record = recorded(home, identifier) if identifier is not None else None
    if identifier is None or record is None:
        raise VaultNotFoundError(
            f"`vaultmem init` did not make {root} in {vault} on this machine. "
            "Name the vault, and `--root`, as they were given to `init`."
        )
    removed, kept = [], []
    for path, etag in record.files.items():
        try:
            remove_file(vault, path, expected=Etag(etag))
            removed.append(path)
        except NoteNotFoundError:
            continue
        except VaultmemError:
            kept.append(path)
    for folder in sorted(record.folders, key=len, reverse=True):
        if not os.path.lexists(vault / folder):
            continue
        (removed if _goes(vault, folder) else kept).append(f"{folder}/")
    unmerged = _unmerge(vault, record)
    removed += unmerged.removed
    kept += unmerged.kept
    untrust(home, vault)
    if record.default and read_user_config(home).config.vault == vault:
        set_default_vault(home, None)
    if not kept:
        forget(home, identifier)
    return Undone(tuple(removed), unmerged.restored, tuple(kept))


def _unmerge(vault: Path, record: Record) -> Undone:
    restored = [path for path in record.before if _put_back(vault, path, record)]
    removed: list[str] = []
    kept: list[str] = []
    merged: list[tuple[str, TypesPlan | FilterPlan]] = []
    if record.types:
        merged.append((f"{TYPES}: our property types", plan_types_undo(vault, record.types)))
    if record.filter:
        merged.append((f"{APP}: our Excluded-files entry", plan_filter_undo(vault, record.filter)))
    for what, plan in merged:
        if plan.findings:
            kept.append(what)
        elif plan.change is not None:
            (removed if _applied(vault, plan.change) else kept).append(what)
    for path in sorted(record.obsidian, key=lambda path: path == FOLDER):
        if path == FOLDER:
            _goes(vault, path)
        elif _says_nothing(vault, path):
            data = read_note(vault, path, hidden=True)
            remove_file(vault, path, expected=etag_of(data), hidden=True)
    return Undone(tuple(removed), tuple(restored), tuple(kept))


def _goes(vault: Path, folder: str) -> bool:
    """Whether a folder is gone now; one that holds something, or became a link, stays."""
    try:
        return remove_folder(vault, folder, hidden=True)
    except UnsafePathError:
        return False


def _applied(vault: Path, change: FileChange) -> bool:
    try:
        apply_change(vault, change)
    except VaultmemError:  # it was saved or locked a moment ago
        return False
    return True


def _put_back(vault: Path, path: str, record: Record) -> bool:
    """Restore a settings file to the byte if nobody has changed it since we did."""
    old = b64decode(record.before[path])
    try:
        replace_file(vault, path, old, expected=Etag(record.after[path]), hidden=True)
    except VaultmemError:
        return False
    return True


def _says_nothing(vault: Path, path: str) -> bool:
    """Whether a settings file that we made holds nothing any more."""
    try:
        values = json.loads(read_note(vault, path, hidden=True))
    except (ValueError, RecursionError, VaultmemError):
        return False
    return isinstance(values, dict) and not any(values.values())
