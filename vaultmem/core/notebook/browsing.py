"""The files of a notebook as an agent browses them: paths, shallow lists, lines.

The files are given as names and texts; where they come from is not known here. Numbers, orders and
errors are those of facts/notebook.md, sections 8 and 9.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.budget import QUARTERS, fitting, quarters
from vaultmem.core.wording import count
from vaultmem.errors import BrowseError, NoteNotFoundError, UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

T = TypeVar("T")

MOST_LISTED = 2_000
"""Entries of one page of a list."""
MOST_READ_TOKENS = 20_000
"""Tokens of one page of a file."""

_NOT_INSIDE = (
    "A path of the notebook is relative to it and never leads upwards. "
    "Use one that memory_list with `what` notebook names."
)
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")
_CURSOR = re.compile(r"[0-9]{1,9}")


class Entry(NamedTuple):
    """One name in a folder of the notebook.

    Attributes:
        path: from the notebook's root.
        is_folder: whether there are files below it.
    """

    path: str
    is_folder: bool


class Listed(NamedTuple):
    """A page of a folder, by name; `cursor` names the next page, None where this is the last."""

    entries: tuple[Entry, ...]
    cursor: str | None


class Lines(NamedTuple):
    """Some lines of a file.

    Attributes:
        path: from the notebook's root.
        start: the number of the first line, from 1.
        text: the lines with their line feeds.
        next: the number of the line to go on with; None at the end of the file.
    """

    path: str
    start: int
    text: str
    next: int | None

    @property
    def truncated(self) -> bool:
        """Whether the file goes on."""
        return self.next is not None

    @property
    def end(self) -> int:
        """The number of the last line that is shown, wholly or in part."""
        return self.start + max(len(split_lines(self.text)), 1) - 1


def safe_path(path: str) -> str:
    """The path of a file or folder of the notebook in its one form; "" for the root.

    Raises:
        UnsafePathError: if it is absolute, names a drive or leads upwards.
        NoteNotFoundError: if a part of it is hidden.
    """
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".")]
    if _ABSOLUTE.match(path) or "\0" in path or ".." in parts:
        raise UnsafePathError(_NOT_INSIDE)
    if any(part.startswith(".") for part in parts):
        raise nothing_there()
    return "/".join(parts)


def nothing_there() -> NoteNotFoundError:
    """What is said of a path at which the notebook has nothing."""
    return NoteNotFoundError(
        "The notebook has nothing at that path.",
        "List what it has with memory_list and `what` notebook.",
    )


def list_folder(
    paths: Collection[str], folder: str, *, cursor: str | None = None, most: int = MOST_LISTED
) -> Listed:
    """The names in a folder, without what lies deeper; nothing where there is no such folder.

    Args:
        paths: every file of the notebook.
        folder: as the agent wrote it; "" for the root, and a file lists itself.
        cursor: where to go on, as the page before named it.
        most: entries of the page.

    Raises:
        UnsafePathError, NoteNotFoundError: as `safe_path`.
        BrowseError: if the cursor is none, or lies behind the end.
    """
    path = safe_path(folder)
    lead = f"{path}/" if path else ""
    below: dict[str, bool] = {path: False} if path in paths else {}
    for one in paths:
        name, slash, _ = one.removeprefix(lead).partition("/")
        if one.startswith(lead) and not name.startswith("."):
            below[lead + name] = bool(slash)
    found = [Entry(one, below[one]) for one in sorted(below)]
    return Listed(*page(found, cursor, most))


def page(every: Sequence[T], cursor: str | None, most: int) -> tuple[tuple[T, ...], str | None]:
    """A page of a list, and the cursor of the next one: the number of items before it.

    Raises:
        BrowseError: if the cursor is none, or lies behind the end.
    """
    if cursor is not None and not _CURSOR.fullmatch(cursor):
        raise BrowseError("`cursor` is none of ours. Take the one that an answer before named.")
    start = int(cursor or 0)
    if start > len(every):
        raise BrowseError("`cursor` lies behind the end. Begin again without it.")
    end = start + most
    return tuple(every[start:end]), str(end) if end < len(every) else None


def split_lines(text: str) -> list[str]:
    """The lines of a text with their line feeds; only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def read_lines(
    path: str,
    text: str,
    *,
    offset: int = 1,
    most_lines: int | None = None,
    most_tokens: int = MOST_READ_TOKENS,
) -> Lines:
    """Some lines of a file: as many as `most_lines` and `most_tokens` allow, one at least.

    A line that alone is too long is cut; what is left of it is not shown.

    Args:
        path: of the file.
        text: all of it.
        offset: the number of the first line, from 1.
        most_lines: None for all.
        most_tokens: as `core.budget` counts them.

    Raises:
        BrowseError: if a number is below 1, or there is no such line.
    """
    if offset < 1:
        raise BrowseError("`line_offset` counts lines from 1. Give 1 for the first.")
    if most_tokens < 1 or (most_lines is not None and most_lines < 1):
        raise BrowseError("`max_lines` and `max_tokens` are 1 at least. Give more.")
    every = split_lines(text)
    if offset > max(len(every), 1):
        raise BrowseError(
            f"The file has {count(len(every), 'line')}. Give a smaller `line_offset`."
        )
    asked = every[offset - 1 :][:most_lines]
    shown = _fitting(asked, most_tokens * QUARTERS)
    after = offset + len(shown)
    return Lines(path, offset, "".join(shown), after if after <= len(every) else None)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The lines that fit into so many quarters of a token; the first is cut if it must be."""
    shown: list[str] = []
    for line in lines:
        room -= quarters(line)
        if room < 0:
            break
        shown.append(line)
    return shown or [line[: fitting(line, room + quarters(line))] for line in lines[:1]]
