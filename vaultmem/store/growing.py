"""Versions of files that only grow: each look reads what was added since the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.etag import Etag
from vaultmem.store.walk import NO_FILE, stat_of

if TYPE_CHECKING:
    from hashlib import _Hash
    from pathlib import Path

    from vaultmem.store.walk import Stat


class Version(NamedTuple):
    """A file as it is now: its stat and the hash of all its bytes."""

    stat: Stat
    etag: Etag


class _Known(NamedTuple):
    stat: Stat
    read: _Hash
    """Of the first `stat` size bytes."""

    @property
    def size(self) -> int:
        return self.stat[1]


class GrowingFiles:
    """What was read of files to which this process appends; a ledger of a year has megabytes."""

    def __init__(self) -> None:
        """Begin with nothing read."""
        self._known: dict[str, _Known] = {}

    def version(self, vault: Path, relative: str, *, before: Stat | None) -> Version:
        """The version of a file to which something was just added.

        Args:
            vault: the vault.
            relative: the file.
            before: its stat before that, as a caller saw it that holds the lock; None for a file
                that was not there.

        Raises:
            OSError: if the file cannot be read.
        """
        from hashlib import sha256  # as in `etag_of`

        stat = stat_of(vault, relative)
        known = self._known.get(relative)
        same_file = known is not None and known.stat == before and known.stat[2] == stat[2]
        if known is None or not same_file or known.size > stat[1]:
            known = _Known(NO_FILE, sha256())
        read = known.read.copy()
        with (vault / relative).open("rb") as file:
            file.seek(known.size)
            read.update(file.read(stat[1] - known.size))
        self._known[relative] = _Known(stat, read)
        return Version(stat, Etag(read.hexdigest()))
