"""What the person switched off on this machine: a small private file in the state folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.private import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "switches.json"


class Switch(NamedTuple):
    """One thing that is off.

    Attributes:
        what: `write` or `read`.
        where: `all`, `project` or `session`.
        name: the project's identity or the session's id; empty for `all`.
    """

    what: str
    where: str
    name: str


DAMAGED = frozenset((Switch("read", "all", ""), Switch("write", "all", "")))


def read_switches(folder: Path) -> frozenset[Switch]:
    """What is off; a file that cannot be understood switches all off, since something was.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `read_private`.
    """
    data = read_private(folder / NAME)
    if data is None:
        return frozenset()
    import json  # nothing is off nearly always

    try:
        rows = json.loads(data)
        return frozenset(Switch(*map(str, row)) for row in rows)
    except (ValueError, TypeError, RecursionError):
        return DAMAGED


def write_switches(folder: Path, off: Iterable[Switch]) -> None:
    """Keep what is off.

    Raises:
        ReadOnlyError, DiskFailedError: as `write_private`.
    """
    import json  # as above

    write_private(folder / NAME, json.dumps(sorted(off)).encode() + b"\n")
