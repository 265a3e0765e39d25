"""What killed processes left beside notes: remove it, and put back what an editor had saved."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.store.disk import DISK, read_regular
from vaultmem.store.etag import etag_of
from vaultmem.store.failures import write_errors
from vaultmem.store.swap import take_new_name
from vaultmem.store.temporaries import REMOVAL, Kept, is_temporary, kept_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEFTOVER_SECONDS = 60.0
"""A temporary file of ours that is older belongs to no write under way."""


class Cleaned(NamedTuple):
    """What `clean_temporaries` did; paths are relative to the folder that it was given."""

    removed: tuple[str, ...]
    findings: tuple[Finding, ...]
    """One for each version of a note that was put back (VM411) or could not be (VM412)."""


def clean_temporaries(
    root: Path, older_than_seconds: float, now: float, *, below: bool = True
) -> Cleaned:
    """Remove what killed processes left below `root`, and put back what an editor had saved.

    Dot folders other than `.obsidian` are not entered, links are not followed.

    Args:
        root: the vault.
        older_than_seconds: a younger file may belong to a write under way; 60 is ample.
        now: seconds since the epoch, to compare with the files' times.
        below: whether to look into folders, too.

    Raises:
        ReadOnlyError, DiskFailedError: if a leftover cannot be removed or put back.
    """
    removed: list[str] = []
    findings: list[Finding] = []
    for relative in _leftovers(os.fspath(root), now - older_than_seconds, below=below):
        path = root / relative
        kept = kept_name(path.name)
        with write_errors(relative):
            if kept is None or _version(path) in (kept.new, kept.old):
                DISK.unlink(path)
                removed.append(relative)
            else:
                findings.append(_put_back(root, relative, kept))
    return Cleaned(tuple(removed), tuple(findings))


def _put_back(root: Path, relative: str, kept: Kept) -> Finding:
    """Finish what the killed write would have done: the editor's version wins over ours."""
    leftover = root / relative
    target = leftover.with_name(kept.name)
    there = _version(target)
    if there == kept.new:
        DISK.replace(leftover, target)
    elif there is None and REMOVAL.startswith(kept.new):
        take_new_name(leftover, target)
    else:
        return finding("VM412", path=relative)
    return finding("VM411", path=target.relative_to(root).as_posix())


def _version(path: Path) -> str | None:
    try:
        return etag_of(read_regular(path))[:12]
    except OSError:
        return None


def _leftovers(root: str, before: float, *, below: bool) -> Iterator[str]:
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(f"{root}/{folder}") as found:
                entries = list(found)
        except OSError:
            continue
        for entry in entries:
            relative = folder + entry.name
            if entry.is_dir(follow_symlinks=False):
                if below and (not entry.name.startswith(".") or entry.name == ".obsidian"):
                    pending.append(relative + "/")
            elif is_temporary(entry.name) and _is_older(entry, before):
                yield relative


def _is_older(entry: os.DirEntry[str], before: float) -> bool:
    try:
        return entry.stat(follow_symlinks=False).st_ctime < before
    except FileNotFoundError:  # its writer is done
        return False
