"""Make and remove folders of the vault, durably and never through a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import NameTakenError, ReadOnlyError
from vaultmem.store.disk import DISK
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from pathlib import Path


def missing_folders(root: Path, relative: str) -> list[str]:
    """What `make_folder` would make: a folder below `root` and those above it, outer first.

    Raises:
        UnsafePathError: if the path leaves `root` or goes through a link.
    """
    parts = relative.split("/")
    places = ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]
    return [place for place in places if not resolve_inside(root, place).is_dir()]


def make_folder(root: Path, relative: str) -> list[str]:
    """Make a folder below `root`, with those above it; the paths that were not there, outer first.

    Raises:
        UnsafePathError: if the path leaves `root` or goes through a link.
        NameTakenError: if a file has the name.
        ReadOnlyError: if it cannot be made.
    """
    made = missing_folders(root, relative)
    for place in made:
        path = root / place
        try:
            DISK.make_folder(path)
            DISK.sync_folder(path.parent)
        except FileExistsError:
            raise NameTakenError(
                "A file has the name of a folder that is needed.", "Rename it.", path=place
            ) from None
        except OSError as error:
            raise ReadOnlyError(
                f"The folder {path} cannot be made ({error.strerror}). Check its permissions."
            ) from error
    return made


def remove_folder(root: Path, relative: str, *, hidden: bool = False) -> bool:
    """Remove a folder below `root` if nothing is in it; returns whether it is gone.

    Raises:
        UnsafePathError: if the path leaves `root` or goes through a link.
    """
    path = resolve_inside(root, relative, hidden=hidden)
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
