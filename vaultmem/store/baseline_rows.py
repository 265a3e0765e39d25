"""The rows of the baseline's tables, as named tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.store.walk import Stat

IMPORT = "import"
"""The word of `meta` that holds what is left of an import; "" while nothing is."""


class NoteRow(NamedTuple):
    """What the baseline holds of one file."""

    path: str
    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int
    recorded_ns: int
    etag: str
    kind: str
    id: str
    state: str
    stem: str
    findings: str
    """The findings about its present bytes as JSON, empty if there are none."""

    @property
    def stat(self) -> Stat:
        """The part that a walk can compare."""
        return (self.mtime_ns, self.size, self.inode, self.ctime_ns)


class MemoryRow(NamedTuple):
    """The last good version of one memory, apart from what the report needs."""

    id: str
    path: str
    state: str
    since: float
    etag: str
    evidence_base: float
    statement_key: str
    force_mac: str
    """Keyed hash of what its force rests on; a signed force line must carry the same."""


class LedgerRow(NamedTuple):
    """One line of a ledger, as read from the vault."""

    line: str
    kind: str
    device: str
    at: str
    act: str
    note: str
    data: str
    after: str
    signed: int
    file: str


class Pending(NamedTuple):
    """An unexplained change in a vault that other devices write, until ten quiet minutes passed."""

    id: str
    act: str
    keys: str
    after: str
    at: float
    """Seconds since the epoch, local naive time, as in `Standing`."""
