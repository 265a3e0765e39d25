"""Where the person agreed to send sessions to: a small file of this machine's state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.private import read_private, write_private

if TYPE_CHECKING:
    from pathlib import Path

FILE = "notebook-destinations"
"""In the state folder of a vault: one destination a line."""


def agreed_destinations(state: Path) -> frozenset[str]:
    """The destinations to which the person said yes on this machine, for this vault.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if the file cannot be read.
    """
    data = read_private(state / FILE) or b""
    return frozenset(filter(None, data.decode("utf-8", "replace").splitlines()))


def agree_destination(state: Path, destination: str) -> None:
    """Remember that the person said yes to one; what is remembered already stays.

    Args:
        state: the vault's state folder.
        destination: `Model.destination`, one line.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if it cannot be kept.
    """
    known = agreed_destinations(state) | {" ".join(destination.split())}
    write_private(state / FILE, "".join(f"{one}\n" for one in sorted(known)).encode())


def forget_destinations(state: Path) -> tuple[str, ...]:
    """Take back every yes; the destinations that it was said to, sorted.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if it cannot be read or written.
    """
    known = tuple(sorted(agreed_destinations(state)))
    if known:
        write_private(state / FILE, b"")
    return known


def is_agreed(state: Path, destination: str) -> bool:
    """Whether the person said yes to this destination.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if the file cannot be read.
    """
    return " ".join(destination.split()) in agreed_destinations(state)
