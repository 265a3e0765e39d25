"""What differs on disk from the baseline: the first step of every sync, cheap when nothing does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.state import NoteState
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError, UnsafePathError
from vaultmem.store.etag import etag_of
from vaultmem.store.walk import NO_FILE, stat_of, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow
    from vaultmem.store.vault import OpenVault
    from vaultmem.store.walk import Stat


class Fresh(NamedTuple):
    """A note that is new, or has other bytes than the baseline knows."""

    path: str
    stat: Stat
    data: bytes | None
    """None if it may not or cannot be opened."""
    problem: str = ""

    @property
    def etag(self) -> str:
        """Its version; empty if it could not be opened."""
        return etag_of(self.data) if self.data is not None else ""


def fresh_now(vault: OpenVault, path: str, data: bytes) -> Fresh:
    """A note that was just read or written, with what the disk says of it now.

    Raises:
        OSError: if it is gone.
    """
    return Fresh(path, stat_of(vault.path, path), data)


class Observation(NamedTuple):
    """The difference between the vault and the baseline."""

    fresh: list[Fresh]
    touched: list[tuple[str, Stat]]
    """Notes with a new stat and the bytes of before."""
    vanished: list[str]
    held: list[str]
    """Of the vanished, those whose memories stay in force until the person decides."""
    links: list[str]
    unreadable: list[str]
    total: int
    """All notes that lie in the vault."""
    leftovers: list[str]

    @property
    def clean(self) -> bool:
        """Whether a sync has nothing to decide."""
        return not self.fresh and len(self.held) == len(self.vanished)


def age_seconds(call: Call, stat: Stat) -> float:
    """Seconds since a file was changed in any way; anybody may set its time of change by hand."""
    mtime_ns, _, _, ctime_ns = stat
    return (call.nanoseconds - max(mtime_ns, ctime_ns)) / 1_000_000_000


def observe(vault: OpenVault) -> Observation:
    """Walk the vault and read what may have changed; nothing is written.

    A note that cannot be listed, or in whose place or folder's place a link stands, is not called
    vanished: it may be there.
    """
    found = walk(vault.path)
    known = vault.baseline.stats()
    suspects = {path for path, stat in found.notes.items() if known.get(path) != stat}
    waiting = vault.baseline.waiting()
    suspects |= (vault.baseline.racy() | waiting) & found.notes.keys()
    fresh, touched = _look(vault, found.notes, sorted(suspects), waiting) if suspects else ([], [])
    unseen = {*found.unreadable, *found.links} - {""}
    hidden = tuple(f"{folder}/" for folder in unseen)
    vanished = sorted(
        path
        for path in known.keys() - found.notes.keys()
        if path not in unseen and not path.startswith(hidden or ("\0",))
    )
    if "" in found.unreadable:
        vanished = []
    return Observation(
        fresh=fresh,
        touched=touched,
        vanished=vanished,
        held=[path for path in vanished if known[path] == NO_FILE and _is_held(vault, path)],
        links=found.links,
        unreadable=found.unreadable,
        total=len(found.notes),
        leftovers=found.leftovers,
    )


def _is_held(vault: OpenVault, path: str) -> bool:
    row = vault.baseline.note(path)
    return row is not None and row.state == NoteState.EXTERNAL


def look_again(vault: OpenVault, row: NoteRow) -> Fresh | None:
    """A note as it is now, although it did not change; None if it cannot be read."""
    from vaultmem.store.files import read_note  # as below

    try:
        return Fresh(row.path, row.stat, read_note(vault.path, row.path))
    except (NoteNotFoundError, NoteUnreadableError, UnsafePathError):
        return None


def _look(
    vault: OpenVault, notes: Mapping[str, Stat], suspects: list[str], waiting: set[str]
) -> tuple[list[Fresh], list[tuple[str, Stat]]]:
    """Read the notes that may have changed: those with other bytes, and those only touched."""
    from vaultmem.store.files import read_note  # not where nothing has changed

    fresh: list[Fresh] = []
    touched: list[tuple[str, Stat]] = []
    for path in suspects:
        stat = notes[path]
        row = vault.baseline.note(path)
        try:
            data = read_note(vault.path, path)
        except NoteNotFoundError:
            continue  # it went away after the walk; the next sync says so
        except (NoteUnreadableError, UnsafePathError) as error:
            if row is None or row.stat != stat or row.etag:
                fresh.append(Fresh(path, stat, None, str(error)))
            continue
        if row is not None and row.etag == etag_of(data) and path not in waiting:
            touched.append((path, stat))
        else:
            fresh.append(Fresh(path, stat, data))
    return fresh, touched
