"""Put the companion plugin into a vault's Obsidian, take it out again, and tell how it stands."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.visible import visible_line
from vaultmem.errors import NoteNotFoundError
from vaultmem.resources import resource
from vaultmem.services.inner_vault import refuse_inner
from vaultmem.store.etag import etag_of
from vaultmem.store.files import create_file, read_note, remove_file, replace_file
from vaultmem.store.folders import remove_folder
from vaultmem.store.leftovers import clean_temporaries
from vaultmem.store.obsidian import FOLDER as OBSIDIAN
from vaultmem.store.obsidian import OUR_PLUGIN as FOLDER
from vaultmem.store.obsidian import PLUGIN, PLUGINS, turned_on_plugins
from vaultmem.store.paths import resolve_inside
from vaultmem.store.private import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag

INSTALL, UNINSTALL = "obsidian install", "obsidian uninstall"

SHIPPED = ("manifest.json", "main.js", "styles.css")
"""What Obsidian loads of a plugin (facts/obsidian.md 3.3)."""

MAX_VERSION = 40
"""Characters that are shown of a manifest's version; Obsidian's rules allow `x.y.z`."""

_FOLDERS = (OBSIDIAN, PLUGINS, FOLDER)
_RECORD = "obsidian-plugin.json"


class InstallPlan(NamedTuple):
    """What an installation would write, paths relative to the vault.

    Attributes:
        write: every file that is not there as this version ships it, with the version that is
            there, None for none.
        replaced: those of them that are there and were not written here, or changed since.
    """

    write: Mapping[str, Etag | None]
    replaced: tuple[str, ...]


class Removed(NamedTuple):
    """What an uninstallation took away, and what it left because it is not ours any more."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]


class PluginStatus(NamedTuple):
    """How the plugin stands in a vault.

    Attributes:
        version: that of the `manifest.json` there, "" where there is none.
        missing: files that are not there, relative to the vault.
        other: files that are there and are not those of this version.
        turned_on: whether Obsidian's settings name it among those that run.
    """

    version: str
    missing: tuple[str, ...]
    other: tuple[str, ...]
    turned_on: bool

    @property
    def complete(self) -> bool:
        """Whether every file is there as this version ships it."""
        return not self.missing and not self.other

    @property
    def ok(self) -> bool:
        """Whether Obsidian runs the plugin of this version."""
        return self.complete and self.turned_on


class _Record(NamedTuple):
    """What was made here: for each file the versions that we wrote, and the folders, outer first.

    A version is added before it is written, so that a stop in between leaves nothing unknown.
    """

    files: dict[str, list[str]]
    folders: list[str]


def plan_install(call: Call) -> InstallPlan:
    """Say what `install_plugin` would do.

    Raises:
        AgentRefusedError: if an agent calls.
        RootNotOursError: if Obsidian shows the vault as part of a larger one.
        UnsafePathError: if a link stands in the way.
        NoteUnreadableError: if a file there cannot be read.
        FileNotFoundError: if this installation of ours lacks the plugin.
    """
    call.person_only(INSTALL)
    refuse_inner(call.vault.path, call.vault.root)
    vault, record = call.vault.path, _recorded(call)
    found = {path: (data, _read(vault, path)) for path, data in _shipped().items()}
    write = {
        path: None if there is None else etag_of(there)
        for path, (wanted, there) in found.items()
        if there != wanted
    }
    replaced = [
        path
        for path, etag in write.items()
        if etag is not None and not _is_ours(record, path, etag)
    ]
    return InstallPlan(write, tuple(replaced))


def install_plugin(call: Call, plan: InstallPlan) -> tuple[str, ...]:
    """Write what the plan says; the paths that were written, relative to the vault.

    Nothing is turned on: which plugins run is the person's choice, in Obsidian.

    Raises:
        AgentRefusedError: if an agent calls.
        BusyError: if another writer holds the lock for long.
        NoteChangedError, NoteNotFoundError, NameTakenError: if somebody wrote there since the
            plan was made.
        UnsafePathError, ReadOnlyError, DiskFailedError: if something cannot be written.
    """
    call.person_only(INSTALL)
    with call.vault.lock():
        _install(call, plan)
    return tuple(plan.write)


def _install(call: Call, plan: InstallPlan) -> None:
    vault, shipped, record = call.vault.path, _shipped(), _recorded(call)
    made = [folder for folder in _FOLDERS if not (vault / folder).exists()]
    record.folders.extend(one for one in made if one not in record.folders)
    for path in plan.write:
        record.files.setdefault(path, []).append(etag_of(shipped[path]))
    if plan.write:
        _remember(call, record)
    for path, etag in plan.write.items():
        if etag is None:
            create_file(vault, path, shipped[path], hidden=True)
        else:
            replace_file(vault, path, shipped[path], expected=etag, hidden=True)


def uninstall_plugin(call: Call) -> Removed:
    """Take away exactly what was written here and nobody changed since.

    The record stays as long as something of it does, so that a later call can take that away.

    Raises:
        AgentRefusedError: if an agent calls.
        BusyError: if another writer holds the lock for long.
        UnsafePathError, ReadOnlyError, DiskFailedError: if something cannot be removed.
    """
    call.person_only(UNINSTALL)
    with call.vault.lock():
        return _uninstall(call)


def _uninstall(call: Call) -> Removed:
    vault, record = call.vault.path, _recorded(call)
    removed, kept = [], []
    if record.files:  # what a killed installation left; the lock is held, so nobody writes there
        clean_temporaries(resolve_inside(vault, FOLDER, hidden=True), 0, math.inf)
    for path, etag in _there(vault, record):
        if _is_ours(record, path, etag):
            remove_file(vault, path, expected=etag, hidden=True)
            removed.append(path)
        else:
            kept.append(path)
    for folder in reversed(record.folders):
        was_there = (vault / folder).exists()
        if not remove_folder(vault, folder, hidden=True):
            kept.append(f"{folder}/")
            break  # so the folders around it stay as well
        if was_there:
            removed.append(f"{folder}/")
    if not kept:
        (call.vault.state.folder / _RECORD).unlink(missing_ok=True)
    return Removed(tuple(removed), tuple(kept))


def planned_uninstall(call: Call) -> tuple[str, ...]:
    """The files that `uninstall_plugin` would remove now.

    Raises:
        AgentRefusedError: if an agent calls.
        UnsafePathError, NoteUnreadableError: if one cannot be read.
    """
    call.person_only(UNINSTALL)
    record = _recorded(call)
    found = _there(call.vault.path, record)
    return tuple(path for path, etag in found if _is_ours(record, path, etag))


def plugin_status(vault: Path) -> PluginStatus:
    """Look, and change nothing.

    Raises:
        UnsafePathError, NoteUnreadableError: if a file there cannot be read.
    """
    found = {path: (data, _read(vault, path)) for path, data in _shipped().items()}
    return PluginStatus(
        version=_version(found[f"{FOLDER}/manifest.json"][1]),
        missing=tuple(path for path, (_, there) in found.items() if there is None),
        other=tuple(path for path, (want, there) in found.items() if there not in (None, want)),
        turned_on=PLUGIN in turned_on_plugins(vault),
    )


def _shipped() -> dict[str, bytes]:
    """Every file of the plugin by its path in the vault."""
    folder = resource("templates") / "obsidian-plugin"
    return {f"{FOLDER}/{name}": (folder / name).read_bytes() for name in SHIPPED}


def _read(vault: Path, path: str) -> bytes | None:
    try:
        return read_note(vault, path, hidden=True)
    except NoteNotFoundError:
        return None


def _there(vault: Path, record: _Record) -> Iterator[tuple[str, Etag]]:
    """The files that were ever written here and are there now, with their versions."""
    for path in record.files:
        if (data := _read(vault, path)) is not None:
            yield path, etag_of(data)


def _is_ours(record: _Record, path: str, there: Etag) -> bool:
    return there in record.files.get(path, ())


def _version(manifest: bytes | None) -> str:
    try:
        values: object = json.loads(manifest or b"{}")
    except (ValueError, RecursionError):
        return ""
    version = values.get("version") if isinstance(values, dict) else None
    return visible_line(version, MAX_VERSION) if isinstance(version, str) else ""


def _recorded(call: Call) -> _Record:
    """What was made on this machine; a record that is damaged says nothing, so nothing is ours."""
    try:
        values: object = json.loads(read_private(call.vault.state.folder / _RECORD) or b"{}")
    except ValueError:
        values = {}
    match values:
        case {"files": dict() as files, "folders": list() as folders}:
            return _Record(_versions(files), [one for one in folders if one in _FOLDERS])
    return _Record({}, [])


def _versions(files: Mapping[object, object]) -> dict[str, list[str]]:
    ours = {f"{FOLDER}/{name}" for name in SHIPPED}
    return {
        path: [one for one in etags if isinstance(one, str)]
        for path, etags in files.items()
        if isinstance(path, str) and path in ours and isinstance(etags, list)
    }


def _remember(call: Call, record: _Record) -> None:
    data = json.dumps(record._asdict(), indent=1).encode() + b"\n"
    write_private(call.vault.state.folder / _RECORD, data)
