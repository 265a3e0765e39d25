"""The fenced file operations of the notebook's worker, on a copy that only it works on.

Path rules of facts/notebook.md §9: relative only, no `..`, no drive; a hidden part is not there; a
symbolic link anywhere is refused. What the worker may write is named by patterns. The check
afterwards (`Desk.strays`) looks at the folder itself and does not trust any of this.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.path_key import path_key
from vaultmem.core.wording import count
from vaultmem.errors import DeskRefusedError, UnsafePathError
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.etag import etag_of
from vaultmem.store.paths import is_link, resolve_inside
from vaultmem.store.private import private_folder, write_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOST_FILE = 1 << 20
"""Bytes of one file that is written."""
MOST_READ = 8 << 20
"""Bytes of one file that is read; the diff alone may have 4 MiB (facts/notebook.md §2)."""
MOST_FILES = 60
MOST_WRITTEN = 16 << 20
"""Files and bytes of all that may be written together: some 50 skills, each a note of the vault."""
MOST_LISTED = 2_000
"""Entries of one listing (facts/notebook.md §2)."""
MOST_TOLD = 80_000
"""Characters of one answer: 20,000 tokens (facts/notebook.md §2)."""
MOST_PATH = 240
_DRIVE = re.compile(r"[A-Za-z]:")


class Part(NamedTuple):
    """Lines of a file.

    Attributes:
        text: the lines, with their ends.
        first: the number of the first, from 1.
        last: the number of the last; `first - 1` of an empty file.
        total: how many the file has.
        cut: whether `last` alone is too long for one answer, so that its end is left out.
    """

    text: str
    first: int
    last: int
    total: int
    cut: bool = False


class Stray(NamedTuple):
    """Something in the folder that the tools would not have put there."""

    path: str
    why: str


class Desk:
    """A folder with what the worker reads, and the few files that it may write.

    Attributes:
        folder: the copy.
        writable: patterns of files: parts may be `*` for any one name, and the last may be `**`
            for one or more below; all others can only be read.
        protected: patterns of files that are read only although `writable` names them.
    """

    def __init__(
        self, folder: Path, writable: Sequence[str], *, protected: Sequence[str] = ()
    ) -> None:
        """Take the folder as it is now: what may not be written must stay like this.

        Raises:
            DiskFailedError, ReadOnlyError: if it cannot be read.
        """
        self.folder = folder
        self.writable = tuple(writable)
        self.protected = tuple(protected)
        self._guarded = tuple(map(path_key, protected))  # on a disk that folds case, too
        self._before: dict[str, str] = {}
        self._sizes: dict[str, int] = {}  # of what may be written, so that no write walks all
        for path, found in walk_desk(folder):
            if not stat.S_ISREG(found.st_mode):
                continue
            if self.may_write(path):
                self._sizes[path] = found.st_size
            else:
                self._before[path] = _digest(folder / path, found)

    def may_write(self, path: str) -> bool:
        """Whether a file with that path may be written."""
        return _matches(path, self.writable) and not _matches(path_key(path), self._guarded)

    def list(self, path: str = "", *, skip: int = 0) -> tuple[tuple[str, ...], bool]:
        """The names in a folder, sorted, those of folders with `/`; links and hidden ones are not.

        Args:
            path: the folder; "" or "." for the desk itself. One that is not there is empty.
            skip: entries that were told before.

        Returns the names, and whether there are more.

        Raises:
            DeskRefusedError: if the path is not allowed or is a file.
        """
        root = path in ("", ".", "./")
        place = self.folder if root else self._inside(path.removesuffix("/") or path)
        try:
            entries = sorted(os.scandir(place), key=lambda one: one.name)
        except FileNotFoundError:
            entries = []
        except NotADirectoryError:
            raise DeskRefusedError(f"{path} is a file. Use notebook_read.") from None
        names = [
            f"{one.name}/" if one.is_dir() else one.name
            for one in entries
            if not one.name.startswith(".") and not one.is_symlink()
        ]
        left = names[max(skip, 0) :]
        return tuple(left[:MOST_LISTED]), len(left) > MOST_LISTED

    def read(self, path: str, *, first: int = 1, most: int | None = None) -> Part:
        """Lines of a file, as many as fit into one answer.

        Args:
            path: the file.
            first: the line to begin with, from 1.
            most: lines at most.

        Raises:
            DeskRefusedError: if the path is not allowed, is no text file, or has fewer lines.
        """
        lines = self._text(path).splitlines(keepends=True)
        if first < 1 or (most is not None and most < 1):
            raise DeskRefusedError("first_line and most_lines count from 1. Give 1 or more.")
        if first > max(len(lines), 1):
            told = count(len(lines), "line")
            raise DeskRefusedError(f"{path} has {told}. Give a smaller first_line.")
        end = len(lines) if most is None else min(len(lines), first - 1 + most)
        taken, size = first - 1, 0
        while taken < end and size + len(lines[taken]) <= MOST_TOLD:
            size += len(lines[taken])
            taken += 1
        if taken == first - 1 < end:  # one line alone is too long
            return Part(lines[taken][:MOST_TOLD], first, first, len(lines), cut=True)
        return Part("".join(lines[first - 1 : taken]), first, taken, len(lines))

    def write(self, path: str, text: str) -> None:
        """Make a file or replace it whole.

        Raises:
            DeskRefusedError: if the path is not allowed or read only, or it would be too much.
            DiskFailedError, ReadOnlyError: if the disk does not take it.
        """
        place = self._target(path)
        data = _encoded(text)
        if len(data) > MOST_FILE:
            raise DeskRefusedError(
                f"A file may have {MOST_FILE} bytes, this has {len(data)}. Write less."
            )
        others = [size for other, size in self._sizes.items() if other != path]
        if len(others) >= MOST_FILES:
            raise DeskRefusedError(
                f"The notebook may have {MOST_FILES} files. Remove one that nobody needs, or write "
                "into one that is there."
            )
        if sum(others) + len(data) > MOST_WRITTEN:
            raise DeskRefusedError("There is too much in the notebook already. Remove something.")
        if place.is_dir():
            raise DeskRefusedError(f"{path} is a folder. Name a file.")
        os.scandir(self.folder).close()  # fails where the copy is none any more
        private_folder(place.parent)
        write_private(place, data)
        self._sizes[path] = len(data)

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a passage that stands in the file exactly once.

        Raises:
            DeskRefusedError: as `write`; and if the passage is not there, or more than once.
            DiskFailedError, ReadOnlyError: as `write`.
        """
        self._target(path)
        text = self._text(path)
        times = text.count(old) if old else 0
        if times != 1:
            found = f"stands {times} times in" if times else "is not in"
            raise DeskRefusedError(
                f"The old text {found} {path}. Give a passage that stands there exactly once."
            )
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        """Remove a file, and the folders above that are empty then.

        Raises:
            DeskRefusedError: if the path is not allowed, read only, a folder, or not there.
        """
        place = self._target(path)
        if place.is_dir():
            raise DeskRefusedError(f"{path} is a folder. Remove its files.")
        if not os.path.lexists(place):
            raise _missing(path)
        DISK.unlink(place)
        self._sizes.pop(path, None)
        folder = place.parent
        while folder != self.folder and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def strays(self) -> tuple[Stray, ...]:
        """What is in the folder and may not be: links, hidden or strange files, changed inputs.

        Nothing is followed. An empty result says that only files were written that may be.
        """
        found: list[Stray] = []
        seen: set[str] = set()
        written: list[int] = []
        for path, status in walk_desk(self.folder):
            seen.add(path)
            if why := self._why_stray(path, status):
                found.append(Stray(path, why))
            elif stat.S_ISREG(status.st_mode) and self.may_write(path):
                written.append(status.st_size)
        if len(written) > MOST_FILES:
            found.append(Stray(".", f"holds more than {MOST_FILES} files that may be written"))
        if sum(written) > MOST_WRITTEN:
            found.append(Stray(".", "is too much altogether"))
        found += [Stray(path, "was removed") for path in self._before if path not in seen]
        return tuple(sorted(found))

    def _why_stray(self, path: str, found: os.stat_result) -> str:
        """The end of a sentence that begins with the path, "" where all is well."""
        if strange := _strange(path, found):
            return strange
        if stat.S_ISDIR(found.st_mode):
            return ""
        if self.may_write(path):
            return "is too large" if found.st_size > MOST_FILE else ""
        if path not in self._before:
            return "is none of the files that may be written"
        same = self._before[path] == _digest(self.folder / path, found)
        return "" if same else "may only be read and was changed"

    def _target(self, path: str) -> Path:
        place = self._inside(path)
        if not self.may_write(path):
            names = ", ".join(self.writable)
            raise DeskRefusedError(f"{path} can only be read. You may write {names}.")
        return place

    def _text(self, path: str) -> str:
        place = self._inside(path)
        if place.is_dir():
            raise DeskRefusedError(f"{path} is a folder. Use notebook_list.")
        data = read_bounded(place, limit=MOST_READ, follow=False)
        if isinstance(data, Unread):
            raise _missing(path) if data.missing else DeskRefusedError(f"{path} {data.why}.")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise DeskRefusedError(f"{path} is no UTF-8 text. Read another file.") from None

    def _inside(self, path: str) -> Path:
        """The place of a path, after every part of it was looked at."""
        parts = path.split("/")
        if (
            path.startswith("/")
            or "\\" in path
            or _DRIVE.match(path)
            or len(path) > MOST_PATH
            or any(part in ("", "..", ".") or not part.isprintable() for part in parts)
        ):
            raise DeskRefusedError(
                f"{path[:MOST_PATH]!r} is no path here. Give one relative to the notebook, "
                "with `/` and without `..`."
            )
        if any(part.startswith(".") for part in parts):
            raise _missing(path)
        try:
            return resolve_inside(self.folder, path)
        except UnsafePathError as error:
            raise DeskRefusedError(str(error)) from error


def _strange(path: str, found: os.stat_result) -> str:
    """What no file or folder of a desk is, whatever its path."""
    if is_link(found):
        return "is a symbolic link"
    if path.rpartition("/")[2].startswith("."):
        return "is hidden"
    if stat.S_ISDIR(found.st_mode):
        return ""
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    return "has a second name elsewhere" if found.st_nlink > 1 else ""


def _missing(path: str) -> DeskRefusedError:
    return DeskRefusedError(f"{path} is not found. See notebook_list.")


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise DeskRefusedError("The text holds half a character. Write it anew.") from None


def _matches(path: str, patterns: Sequence[str]) -> bool:
    parts = path.split("/")
    return any(_fits(parts, one.split("/")) for one in patterns)


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if pattern[-1] == "**":
        head = pattern[:-1]
        return len(parts) > len(head) and _fits(parts[: len(head)], head) if head else True
    return len(parts) == len(pattern) and all(
        wanted in ("*", part) for part, wanted in zip(parts, pattern, strict=True)
    )


def walk_desk(folder: Path, below: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Everything below a folder with its `lstat`; no link is followed."""
    with os.scandir(folder / below) as entries:
        found = sorted(entries, key=lambda one: one.name)
    for one in found:
        path = f"{below}/{one.name}" if below else one.name
        status = one.stat(follow_symlinks=False)
        yield path, status
        if stat.S_ISDIR(status.st_mode) and not is_link(status):
            yield from walk_desk(folder, path)


def _digest(path: Path, found: os.stat_result) -> str:
    """What the file holds, in short; one too large to read is told by its size."""
    data = read_bounded(path, limit=MOST_READ, follow=False)
    if isinstance(data, Unread):
        return f"{found.st_size} {data.why}"
    return etag_of(data)
