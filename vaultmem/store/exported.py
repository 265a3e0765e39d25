"""Writes an export into a folder that the person named, never over what somebody else wrote.

A list beside the files says which of them an export wrote, and in which version. A file that is not
on it, or has changed since, is a stranger's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import UnsafePathError
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.disk import DISK
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.failures import write_errors
from vaultmem.store.files import create_file, read_note, remove_file, replace_file
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

MANIFEST = ".vaultmem-export.json"
_MAX = 256 * 1024 * 1024


class Exported(NamedTuple):
    """What an export did to its folder; paths below it."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def strangers(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The files of an export that are there and that no export wrote as they are.

    Raises:
        UnsafePathError: if one of them is a link or lies behind one, or no file.
    """
    ours = _manifest(folder)
    found = {name: _etag(folder, name) for name in files}
    return tuple(
        name
        for name, data in files.items()
        if found[name] not in (None, etag_of(data), *ours.get(name, ()))
    )


def write_export(
    folder: Path, files: Mapping[str, bytes], *, makes: Callable[[str], bool]
) -> Exported:
    """Write the files; remove what an earlier export wrote, nobody changed and this has not.

    Killed at any moment, each file is the old or the new one, and the next export goes on.

    Args:
        folder: made where it is not there.
        files: by path below it.
        makes: whether a path is one that an export of this kind may have.

    Raises:
        UnsafePathError: if a file is a link or lies behind one.
        NoteError, ReadOnlyError, DiskFailedError: if one cannot be written.
    """
    _make(folder)
    ours = _manifest(folder)
    there = {name: _etag(folder, name) for name in {**files, MANIFEST: b""}}
    new = {name: (etag_of(data),) for name, data in files.items()}
    gone = {name: _etag(folder, name) for name in sorted(ours.keys() - files.keys()) if makes(name)}
    # Killed while it writes, each file is one of the two versions, and neither is a stranger's.
    both = {name: (*ours.get(name, ()), *new.get(name, ())) for name in {**ours, **new}}
    listed = _put(folder, MANIFEST, _told(both), there[MANIFEST])
    for name, data in files.items():
        _put(folder, name, data, there[name])
    removed = {name: etag for name, etag in gone.items() if etag and etag in ours[name]}
    for name, etag in removed.items():
        remove_file(folder, name, expected=etag, hidden=True)
    _put(folder, MANIFEST, _told(new), listed)
    same = tuple(name for name in files if there[name] in new[name])
    return Exported(tuple(name for name in files if name not in same), same, tuple(removed))


def _make(folder: Path) -> None:
    if not folder.is_dir():
        if not folder.parent.is_dir():
            _make(folder.parent)
        with write_errors(str(folder)):
            DISK.make_folder(folder, 0o700)
            DISK.sync_folder(folder.parent)


def _put(folder: Path, name: str, data: bytes, before: Etag | None) -> Etag:
    if before is None:
        return create_file(folder, name, data, hidden=True)
    return replace_file(folder, name, data, expected=before, hidden=True)


def _etag(folder: Path, name: str) -> Etag | None:
    """The version of a file; None where there is none."""
    path = resolve_inside(folder, name, hidden=True)
    if not path.exists():
        return None
    if not path.is_file():
        raise UnsafePathError(f"{path} is no file. Choose another folder with `--to`.")
    return etag_of(read_note(folder, name, hidden=True))


def _manifest(folder: Path) -> dict[str, tuple[Etag, ...]]:
    """The versions that exports wrote of each file; nothing where none says so."""
    data = read_inside(folder, MANIFEST, limit=_MAX) if folder.is_dir() else Unread("is not there")
    if isinstance(data, Unread):
        return {}
    try:
        files = json.loads(data)["files"]
        return {str(name): tuple(Etag(str(one)) for one in etags) for name, etags in files.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _told(files: Mapping[str, tuple[Etag, ...]]) -> bytes:
    told = {"v": 1, "files": {name: list(files[name]) for name in sorted(files)}}
    return (json.dumps(told, indent=1) + "\n").encode()
