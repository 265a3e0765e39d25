"""The folder in which a worker rewrites the notebook, and what the last rewrite was given.

Both lie in the state folder, private: a copy is made anew for each rewrite and removed after it,
and one that a killed process left is removed before the next.
"""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.validation import HANDBOOK, MOST_SKILL_BYTES, SKILLS, SUMMARY
from vaultmem.errors import ReadOnlyError
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.notebook_record import FOLDER
from vaultmem.store.private import create_private, private_folder, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_COPIES = "copies"
_INPUTS = "inputs.json"


class Consumed(NamedTuple):
    """What the last rewrite that succeeded was given, and which version came of it."""

    files: Mapping[str, bytes]
    """The inputs by their paths in the worker's folder."""
    commit: str | None


NOTHING_CONSUMED = Consumed({}, None)


def fresh_copy(state: Path, files: Mapping[str, bytes]) -> Path:
    """A new folder, 0700, that holds exactly these files; every other copy is removed.

    Raises:
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be made.
    """
    remove_copies(state)
    folder = _ours(state) / _COPIES / os.urandom(8).hex()
    private_folder(folder)
    for path, data in files.items():
        place = folder / path
        private_folder(place.parent)
        create_private(place, data)
    return folder


def remove_copies(state: Path) -> None:
    """Remove every copy; a link in their place is removed and not followed.

    Raises:
        ReadOnlyError: if that cannot be done.
    """
    import shutil  # a few ms, and most that look at the notebook remove nothing

    place = _ours(state) / _COPIES
    try:
        if place.is_symlink():
            DISK.unlink(place)
        elif place.exists():
            shutil.rmtree(place)
    except OSError as error:
        raise ReadOnlyError(
            f"{place} cannot be removed ({error.strerror}). "
            "Remove it by hand, then run the command again."
        ) from error


def remove_copy(folder: Path) -> None:
    """Remove one copy, whatever a worker made of it; no link in it is followed."""
    import shutil  # as above

    shutil.rmtree(folder, ignore_errors=True)


def copied_notebook(folder: Path) -> dict[str, bytes]:
    """The notebook's files in a copy by their paths; links are not followed."""
    from vaultmem.store.desk import walk_desk  # only after a worker's work

    paths = [
        path
        for path, status in walk_desk(folder)
        if stat.S_ISREG(status.st_mode)
        and (path in (HANDBOOK, SUMMARY) or path.split("/")[0] == SKILLS)
    ]
    found = {
        path: read_bounded(folder / path, limit=MOST_SKILL_BYTES, follow=False) for path in paths
    }
    return {path: data for path, data in found.items() if not isinstance(data, Unread)}


def read_consumed(state: Path) -> Consumed:
    """What the last rewrite was given; nothing where that is not known (any more)."""
    data = read_private(state / FOLDER / _INPUTS)
    try:
        raw = json.loads(data or b"{}")
        files = {str(path): str(text).encode() for path, text in raw["files"].items()}
        commit = raw["commit"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return NOTHING_CONSUMED
    return Consumed(files, str(commit) if commit else None)


def write_consumed(state: Path, consumed: Consumed) -> None:
    """Remember what a rewrite was given.

    Raises:
        ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    files = {path: data.decode(errors="replace") for path, data in consumed.files.items()}
    text = json.dumps({"commit": consumed.commit, "files": files}, ensure_ascii=True)
    write_private(_ours(state) / _INPUTS, text.encode())


def forget_consumed(state: Path) -> None:
    """Remove what was remembered, for instance for a purge; the next rewrite sees all as new."""
    DISK.unlink(state / FOLDER / _INPUTS)


def _ours(state: Path) -> Path:
    """Our folder in the state folder; a link in its place gives way to a real one."""
    folder = state / FOLDER
    if folder.is_symlink():
        DISK.unlink(folder)
    private_folder(folder)
    return folder
