"""Writes an export into a folder that the person named, never over what somebody else wrote.

A list beside the files says which export wrote each of them, and in which version: several may go
into one folder. A file that is not on it, was written by another export, or has changed since, is a
stranger's.
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
from vaultmem.store.leftovers import LEFTOVER_SECONDS, clean_temporaries
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


class _Listed(NamedTuple):
    """A file of the list: which export wrote it, and the versions that it wrote."""

    by: str
    versions: tuple[Etag, ...]


class ExportPlan(NamedTuple):
    """An export that is to be written, and what its folder held when that was planned.

    Attributes:
        folder: where it goes.
        files: by path below it.
        by: what the export is called, which says its kind and its vault.
        there: the versions of those files and of the list; None where there is none.
        listed: what the list says.
    """

    folder: Path
    files: Mapping[str, bytes]
    by: str
    there: Mapping[str, Etag | None]
    listed: Mapping[str, _Listed]

    @property
    def strangers(self) -> tuple[str, ...]:
        """The files that are there and that this export did not write as they are."""
        ours = _own(self.listed, self.by)
        return tuple(
            name
            for name, data in self.files.items()
            if self.there[name] not in (None, etag_of(data), *ours.get(name, ()))
        )


def plan_export(folder: Path, files: Mapping[str, bytes], *, by: str, now: float) -> ExportPlan:
    """Look what is where the files would go.

    Args:
        folder: where they go; it need not be there.
        files: by path below it.
        by: what the export is called, which says its kind and its vault.
        now: seconds since the epoch. What a killed export left beside the files is removed where it
            is older than a minute, and what somebody had saved there is put back.

    Raises:
        UnsafePathError: if a file is a link or lies behind one, or no file.
        NoteError, ReadOnlyError, DiskFailedError: if one cannot be read, or a leftover not removed.
    """
    places = {resolve_inside(folder, name, hidden=True).parent for name in (*files, MANIFEST)}
    for place in places:
        clean_temporaries(place, LEFTOVER_SECONDS, now, below=False)
    there = {name: _etag(folder, name) for name in (*files, MANIFEST)}
    return ExportPlan(folder, files, by, there, _manifest(folder))


def write_export(plan: ExportPlan, *, makes: Callable[[str], bool]) -> Exported:
    """Write the files; remove what it wrote before, nobody changed and it does not have now.

    Files of another export stay, and stay on the list. Killed at any moment, each file is the old
    or the new one, and the next export goes on. What was saved since the plan stays.

    Args:
        plan: what is written; its folder is made where it is not there.
        makes: whether a path is one that an export of this kind may have.

    Raises:
        UnsafePathError: if a file is a link or lies behind one.
        NoteChangedError, NameTakenError: if somebody saved one since the plan; those before it are
            written.
        NoteError, ReadOnlyError, DiskFailedError: if one cannot be written.
    """
    folder, files, by, there = plan.folder, plan.files, plan.by, plan.there
    _make(folder)
    ours = _own(plan.listed, by)
    new = {name: (etag_of(data),) for name, data in files.items()}
    gone = {name: _etag(folder, name) for name in sorted(ours.keys() - files.keys()) if makes(name)}
    own = ours.keys() | new.keys()
    others = {name: one for name, one in plan.listed.items() if name not in own}
    # Killed while it writes, each file is one of the two versions, and neither is a stranger's.
    both = {name: (*ours.get(name, ()), *new.get(name, ())) for name in own}
    before = _put(folder, MANIFEST, _told(others, both, by), there[MANIFEST])
    for name, data in files.items():
        _put(folder, name, data, there[name])
    removed = {name: etag for name, etag in gone.items() if etag and etag in ours[name]}
    for name, etag in removed.items():
        remove_file(folder, name, expected=etag, hidden=True)
    _put(folder, MANIFEST, _told(others, new, by), before)
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


def _manifest(folder: Path) -> dict[str, _Listed]:
    """The files that exports wrote; nothing where no list can be understood."""
    data = read_inside(folder, MANIFEST, limit=_MAX) if folder.is_dir() else Unread("is not there")
    if isinstance(data, Unread):
        return {}
    try:
        files = json.loads(data)["files"]
        return {
            str(name): _Listed(
                str(one["by"]), tuple(Etag(str(version)) for version in one["versions"])
            )
            for name, one in files.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _own(listed: Mapping[str, _Listed], by: str) -> dict[str, tuple[Etag, ...]]:
    """The versions of those files that one export wrote."""
    return {name: one.versions for name, one in listed.items() if one.by == by}


def _told(others: Mapping[str, _Listed], own: Mapping[str, tuple[Etag, ...]], by: str) -> bytes:
    files = {**others, **{name: _Listed(by, versions) for name, versions in own.items()}}
    told = {
        name: {"by": files[name].by, "versions": list(files[name].versions)}
        for name in sorted(files)
    }
    return (json.dumps({"v": 1, "files": told}, indent=1) + "\n").encode()
