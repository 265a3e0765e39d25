"""Walk a vault: every Markdown note with its stat, never through a link or into a dot folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.temporaries import is_temporary

if TYPE_CHECKING:
    from pathlib import Path

Stat = tuple[int, int, int, int]
"""mtime_ns, size, inode, ctime_ns: what tells a changed file without reading it."""

NO_FILE: Stat = (0, 0, 0, 0)
"""The stat of what lies nowhere: no file that is there equals it."""


class Walk(NamedTuple):
    """What lies in a vault. Paths are relative to it, with `/`, in the spelling of the disk."""

    notes: dict[str, Stat]
    links: list[str]
    """Symbolic links to notes or folders; reported, never followed."""
    unreadable: list[str]
    """Folders that cannot be listed and names that are not valid Unicode."""
    leftovers: list[str]
    """Temporary files of ours; a write under way, or one that was cut short."""


def walk(vault: Path) -> Walk:
    """List the notes of the vault at `vault`; a folder that cannot be read is reported."""
    notes: dict[str, Stat] = {}
    links: list[str] = []
    unreadable: list[str] = []
    leftovers: list[str] = []
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            entries = os.scandir(f"{vault}/{folder}")
        except OSError:
            unreadable.append(_spelled(folder.rstrip("/")))
            continue
        with entries:
            for entry in entries:
                name = entry.name
                relative = folder + name
                if name[0] == ".":
                    if is_temporary(name):
                        leftovers.append(relative)
                    continue
                if entry.is_symlink():
                    links.append(_spelled(relative))
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(relative + "/")
                elif name.endswith((".md", ".MD", ".Md")):
                    try:  # no call of ours for each of ten thousand notes
                        found = entry.stat(follow_symlinks=False)
                        relative.isascii() or relative.encode()
                    except FileNotFoundError:
                        continue  # gone between listing and asking: the next walk agrees
                    except (OSError, UnicodeEncodeError):
                        unreadable.append(_spelled(relative))
                        continue
                    notes[relative] = (
                        found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns,
                    )  # fmt: skip
    return Walk(notes, sorted(links), sorted(unreadable), sorted(leftovers))


def _spelled(relative: str) -> str:
    """A path that can be shown and stored, also where its bytes are no valid UTF-8."""
    return relative.encode(errors="replace").decode()


def stat_of(vault: Path, relative: str) -> Stat:
    """The stat of one note, in the form that `walk` gives.

    Raises:
        OSError: if the note is gone or cannot be reached.
    """
    return stat_row(os.lstat(f"{vault}/{relative}"))


def stat_row(found: os.stat_result) -> Stat:
    """What of a stat tells a changed file."""
    return (found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns)
