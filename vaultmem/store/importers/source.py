"""Read the files of another tool's store: bounded, once, and never through a link."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.conflict import is_conflict_copy
from vaultmem.core.importing.item import Quarantined
from vaultmem.errors import ImportSourceError, UnsafePathError
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.disk import DISK
from vaultmem.store.failures import write_errors
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

MAX_FILE = 256 * 1024 * 1024
"""Bytes of one file; ten thousand records with their evidence have about 20 MB."""
MAX_LINE = 1_000_000
"""Characters of one line; a record has some thousands."""
MAX_FILES = 20_000
"""Files of one folder and of those below it; a source has some hundreds."""

LINKS = "links, which are not followed"
COPIES = "conflict copies of a sync program"


class Line(NamedTuple):
    """One line of a file that is not blank."""

    where: str
    """`file:12`."""
    text: str


class Source:
    """A folder to import from, and what of it could not be read."""

    __slots__ = ("passed", "quarantined", "root")

    def __init__(self, root: Path) -> None:
        """Open the folder; its own path may go through links, for the person named it.

        Raises:
            ImportSourceError: if it is no folder.
        """
        self.root = root
        self.quarantined: list[Quarantined] = []
        self.passed: Counter[str] = Counter()
        """How many links, to folders and to files, and conflict copies `files` passed over."""
        if root.is_file():
            raise ImportSourceError(
                f"{root} is a file, and what is imported is a folder. Name the one that it lies in."
            )
        if not root.is_dir():
            raise ImportSourceError(f"{root} is no folder. Name the folder to import from.")

    def has(self, relative: str) -> bool:
        """Whether a file or folder is there; a link is not."""
        path = self.root / relative
        return os.path.exists(path) and not path.is_symlink()  # noqa: PTH110  (this never raises)

    def files(self, folder: str, endings: Iterable[str]) -> list[str]:
        """The files with such an ending (".md") in a folder and in those below it, sorted.

        Links and conflict copies are counted and passed over, names that begin with a dot are not
        even counted.
        """
        if folder and not self._is_inside(folder):
            self.quarantine(folder, "It is a link or lies behind one, which is not followed.")
            return []
        wanted = tuple(endings)
        found: list[str] = []
        pending = [folder]
        while pending and len(found) < MAX_FILES:
            below = pending.pop()
            try:
                entries = list(os.scandir(self.root / below))
            except OSError:
                if below != folder or self.has(folder):
                    self.quarantine(below or ".", "The folder cannot be listed.")
                continue
            for entry in entries:
                relative = f"{below}/{entry.name}" if below else entry.name
                if self._passes_over(entry, wanted):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(relative)
                elif entry.name.lower().endswith(wanted):
                    found.append(relative)
        if pending:
            self.quarantine(folder or ".", f"It has more than {MAX_FILES} files; the rest waits.")
        return sorted(found)

    def _passes_over(self, entry: os.DirEntry[str], wanted: tuple[str, ...]) -> bool:
        """Whether an entry is nobody's note; a link and a conflict copy is counted."""
        named = entry.name.lower().endswith(wanted)
        if entry.name.startswith("."):
            return True
        if entry.is_symlink():
            self.passed[LINKS] += named or os.path.isdir(entry.path)  # noqa: PTH112  (never raises)
            return True
        if named and is_conflict_copy(entry.name) and entry.is_file(follow_symlinks=False):
            self.passed[COPIES] += 1
            return True
        return False

    def _is_inside(self, relative: str) -> bool:
        try:
            resolve_inside(self.root, relative, hidden=True)
        except UnsafePathError:
            return False
        return True

    def data(self, relative: str) -> bytes | None:
        """The bytes of a file; None where there is none, or it was quarantined."""
        read = read_inside(self.root, relative, limit=MAX_FILE)
        if not isinstance(read, Unread):
            return read
        if not read.missing:
            self.quarantine(relative, f"The file {read.why}.")
        return None

    def text(self, relative: str) -> str | None:
        """The text of a file, without a byte order mark; None as `data`, or if it is no UTF-8."""
        data = self.data(relative)
        if data is None:
            return None
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.quarantine(relative, "The file is not UTF-8.")
            return None

    def lines(self, relative: str) -> Iterator[Line]:
        """The lines of a file that are not blank; one that is no UTF-8 or too long is quarantined.

        Only a line feed ends a line: other separators may stand in a JSON string.
        """
        data = self.data(relative)
        if data is None:
            return
        for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            where = f"{relative}:{number}"
            if len(raw) > MAX_LINE:
                self.quarantine(where, "The line is too long to be a record.")
                continue
            try:
                text = raw.decode().rstrip("\r")
            except UnicodeDecodeError:
                self.quarantine(where, "The line is not UTF-8.")
                continue
            if text.strip():
                yield Line(where, text)

    def quarantine(self, where: str, reason: str) -> None:
        """Note what could not be read; the reason holds nothing of its text."""
        self.quarantined.append(Quarantined(where, reason))


def no_store(source: Source, what: str, signs: Sequence[str], remedy: str) -> ImportSourceError:
    """What to raise for a folder in which none of the signs of a store is.

    Args:
        source: the folder.
        what: what it is not: "notebook".
        signs: files and folders that were looked for; the first three are named.
        remedy: a sentence on which folder to name.
    """
    looked = ", ".join(signs[:3])
    return ImportSourceError(f"{source.root} is no {what}: none of {looked} is there. {remedy}")


def remove_files(folder: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Remove files of a source that was imported; those that are gone already are no error.

    Raises:
        UnsafePathError: if a name leads out of the folder or through a link.
        ReadOnlyError, DiskFailedError: if one cannot be removed.
    """
    removed: list[str] = []
    for name in names:
        path = resolve_inside(folder, name, hidden=True)
        if path.is_file():
            with write_errors(name):
                DISK.unlink(path)
            removed.append(name)
    return tuple(removed)
