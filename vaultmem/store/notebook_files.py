"""The files of the notebook as they lie in the vault, never through a link or in a hidden place."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.validation import HANDBOOK, SKILLS, SUMMARY, is_notebook_path
from vaultmem.core.place import inside
from vaultmem.store.walk import stat_row

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.store.walk import Stat


class Scanned(NamedTuple):
    """What lies in the places of the notebook; paths are relative to the memory root.

    Attributes:
        files: each with its stat.
        hidden: links, and folders and names that cannot be read; what lies there is not known.
    """

    files: dict[str, Stat]
    hidden: tuple[str, ...]

    def is_unknown(self, path: str) -> bool:
        """Whether nobody can tell if that file is there."""
        return any(path == place or inside(path, place) for place in self.hidden)


def scan(root: Path) -> Scanned:
    """The notebook's files below the memory root `root`."""
    files: dict[str, Stat] = {}
    hidden: list[str] = []
    pending = [HANDBOOK, SUMMARY, SKILLS]
    while pending:
        path = pending.pop()
        place = root / path
        try:
            path.encode()
            found = place.lstat()
            if stat.S_ISLNK(found.st_mode):
                hidden.append(path)
            elif stat.S_ISDIR(found.st_mode):
                names = [one.name for one in place.iterdir()]
                pending += [f"{path}/{name}" for name in names if not name.startswith(".")]
            elif is_notebook_path(path):
                files[path] = stat_row(found)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, UnicodeEncodeError):
            hidden.append(path)
    return Scanned(dict(sorted(files.items())), tuple(sorted(hidden)))
