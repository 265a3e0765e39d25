"""Safe paths: a relative path that stays below its folder and goes through no symbolic link."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from vaultmem.core.path_key import path_key
from vaultmem.errors import UnsafePathError

if TYPE_CHECKING:
    from pathlib import Path

_DRIVE = re.compile(r"[A-Za-z]:")
_JUNCTION = 0xA0000003
"""IO_REPARSE_TAG_MOUNT_POINT (winnt.h): Windows' other kind of link to a folder."""


def resolve_inside(root: Path, relative: str, *, hidden: bool = False) -> Path:
    """The absolute path of `relative` below `root`, after checking every part of it on disk.

    The file need not be there; parts that are not there cannot be links. `root` itself may be a
    link: it is what the person named.

    Args:
        root: the vault, or another folder that we may use.
        relative: `/`-separated, in the spelling of the disk.
        hidden: allow parts that begin with a dot, such as `.obsidian`; notes never have one.

    Raises:
        UnsafePathError: if the path is absolute, empty, names `.`, `..`, a drive, a NUL or a
            backslash, cannot be spelled on this system, or goes through a symbolic link.
    """
    for part in _parts(relative):
        if part.startswith(".") and not hidden:
            raise UnsafePathError(
                f"{relative} lies in a hidden place ({part}), where notes are never kept. "
                "Name a note that Obsidian shows."
            )
    _refuse_links(os.fspath(root), relative)
    return root / relative


def is_within(folder: str, relative: str) -> bool:
    """Whether `relative` is `folder` or lies below it, on any file system.

    Both are relative to the vault. Spellings that a case-insensitive or normalising file system
    (macOS, Windows) takes for the same folder count as the same: NFC, then casefold.
    """
    inside, outer = path_key(relative), path_key(folder).rstrip("/")
    return inside == outer or inside.startswith(outer + "/")


def is_link(found: os.stat_result) -> bool:
    """Whether an `lstat` result is a symbolic link or a Windows junction."""
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION


def _parts(relative: str) -> list[str]:
    parts = relative.split("/")
    if (
        "\0" in relative
        or "\\" in relative
        or _DRIVE.match(relative)
        or any(part in ("", ".", "..") for part in parts)
    ):
        raise UnsafePathError(
            f"{relative!r} is no path inside the vault. "
            "Give it relative to the vault, with `/` and without `..`."
        )
    try:
        os.fsencode(relative)
    except UnicodeEncodeError:
        raise UnsafePathError(
            f"{relative!r} holds a character that no file name can have. Rename the file first."
        ) from None
    return parts


def _refuse_links(root: str, relative: str) -> None:
    start = 0
    while start >= 0:
        start = relative.find("/", start + 1)
        part = relative if start < 0 else relative[:start]
        try:
            found = os.lstat(f"{root}/{part}")
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise UnsafePathError(
                f"{part} cannot be checked ({error.strerror}). Check its permissions and its name."
            ) from error
        if is_link(found):
            raise UnsafePathError(
                f"{part} is a symbolic link, which is never followed. "
                "Put a real file or folder in its place."
            )
        if start >= 0 and not stat.S_ISDIR(found.st_mode):
            raise UnsafePathError(f"{part} is a file, not a folder. Choose another path.")
