"""The names of the dot-files that a write under way needs beside the file that it writes.

Obsidian and its sync ignore names that begin with a dot. Two kinds stand beside the file that is
written, for milliseconds:

* `.Name.md.vm0123456789ab.tmp`: the new version, before it takes the name;
* `.Name.md.vm0123456789ab-NEW-OLD.tmp`: the file that was there, after it lost the name, with the
  first twelve digits of the new and of the expected old version. If its bytes are neither, somebody
  saved in between, and this is the only copy.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.store.etag import Etag

_NAME = re.compile(r"\.(.+)\.vm[0-9a-f]{12}(?:-([0-9a-f]{12})-([0-9a-f]{12}))?\.tmp", re.DOTALL)
_ROOM = 90
"""Bytes of the file's own name that are kept, so that the whole stays below eCryptfs's 143."""


def temporary_beside(path: Path) -> Path:
    """A new name for the next version of the file at `path`, in the same folder."""
    return path.with_name(f".{_shortened(path.name)}.vm{os.urandom(6).hex()}.tmp")


def kept_beside(temporary: Path, *, new: Etag, old: Etag) -> Path:
    """The name under which the replaced file is kept until it was compared."""
    return temporary.with_name(f"{temporary.name.removesuffix('.tmp')}-{new[:12]}-{old[:12]}.tmp")


class Kept(NamedTuple):
    """What the name of a replaced file says: its former name, and two beginnings of etags."""

    name: str
    new: str
    old: str


REMOVAL = "0" * 64
"""Stands for the new version where the file is to be removed."""


def kept_name(name: str) -> Kept | None:
    """Read a base name made by `kept_beside`; the former name may have lost its end."""
    match = _NAME.fullmatch(name)
    if match is None or match[2] is None:
        return None
    return Kept(match[1], match[2], match[3])


def is_temporary(name: str) -> bool:
    """Whether a base name is that of a write under way, ours and nobody else's."""
    return _NAME.fullmatch(name) is not None


def _shortened(name: str) -> str:
    raw = os.fsencode(name)
    if len(raw) <= _ROOM:
        return name
    return raw[:_ROOM].decode(errors="ignore")
