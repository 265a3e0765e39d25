"""Erase a memory from this machine's baseline so that none of its bytes is left in the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.operation import Deletion
from vaultmem.errors import BusyError
from vaultmem.store.baseline_rows import DELETIONS, FEED_PATHS, WORDING_ROWS
from vaultmem.store.disk import DISK, read_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vaultmem.store.baseline import Baseline


class Intent(NamedTuple):
    """A deletion that was begun: what a sync needs to finish it, and nothing that was said."""

    id: str
    mode: Deletion
    everywhere: bool = True
    """Cut the machine's notes of all devices; else of this one, because another device does it."""
    also: tuple[str, ...] = ()
    """Notes of the person's, relative to the vault, that they named."""


def intents(baseline: Baseline) -> tuple[Intent, ...]:
    """The deletions that were begun and are not finished, oldest first."""
    return baseline.parsed_meta(DELETIONS, _intents) or ()


def begin(baseline: Baseline, intent: Intent) -> None:
    """Record that a deletion begins; a later one of the same memory takes its place."""
    _put(baseline, [*(one for one in intents(baseline) if one.id != intent.id), intent])


def end(baseline: Baseline, identifier: str) -> None:
    """Record that the deletion of a memory is finished."""
    _put(baseline, [one for one in intents(baseline) if one.id != identifier])


def erase_memory(
    baseline: Baseline,
    identifier: str,
    paths: Iterable[str],
    named: Callable[[str], bool],
    says: Callable[[str], bool],
) -> None:
    """Drop every row of a memory and of the files that were its notes, their names included.

    The feed's number stays what it is, so that no index has to be fed anew; whoever calls has
    brought the indexes up to it.

    Args:
        baseline: what this machine knows.
        identifier: the memory.
        paths: where notes of it lie or lay.
        named: whether a path tells what it said; such paths are dropped from the feed, and so are
            those where no note is any more.
        says: whether a text says what it said; of other memories such earlier wordings go, too.
    """
    sql = baseline.connection
    with baseline.transaction():
        baseline.forget(identifier)
        sql.execute("DELETE FROM wordings WHERE id = ?", (identifier,))
        told = [row for row in WORDING_ROWS.rows(sql) if says(row[1])]
        sql.executemany("DELETE FROM wordings WHERE id = ? AND text = ?", told)
        sql.execute("DELETE FROM pending WHERE id = ?", (identifier,))
        sql.execute("DELETE FROM meta WHERE key = ?", (f"placed {identifier}",))
        for path in paths:
            baseline.drop_note(path)
        baseline.touch("")
        sql.execute("DELETE FROM changes WHERE path <> '' AND path NOT IN (SELECT path FROM notes)")
        telling = [(path,) for path in FEED_PATHS.rows(sql) if named(path)]
        sql.executemany("DELETE FROM changes WHERE path = ?", telling)


def scrub(baseline: Baseline) -> None:
    """Rewrite the file without what was deleted, and empty its write-ahead log.

    Raises:
        BusyError: if another process reads an older state; the log still holds it then.
    """
    sql = baseline.connection
    sql.execute("PRAGMA temp_store = MEMORY")  # a copy in the system's temporary folder would stay
    sql.execute("VACUUM")
    busy, _, _ = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise BusyError(
            "Another vaultmem is still reading what was known before. "
            "End it, then run `vaultmem sync`."
        )


def remove_set_aside(folder: Path) -> tuple[str, ...]:
    """Remove the damaged databases that were set aside in a state folder; returns their paths."""
    found = sorted(path for path in folder.glob("*.broken") if not path.is_dir())
    for path in found:
        DISK.unlink(path)
    return tuple(map(str, found))


def remove_leftover(vault: Path, relative: str, holds: Callable[[str, bytes], bool]) -> bool:
    """Remove what a killed write left in the vault, if `holds` says so; whether it did.

    Args:
        vault: the vault's folder; the caller holds its lock, so no write is under way.
        relative: a temporary of ours, as `store.walk` lists it.
        holds: asked with the name of the note that was written and with the bytes.
    """
    path = vault / relative
    try:
        data = read_regular(path)
    except OSError:
        return False
    name = path.name.removeprefix(".").partition(".vm")[0]
    if not holds(name, data):
        return False
    DISK.unlink(path)
    return True


def _intents(text: str) -> tuple[Intent, ...]:
    return tuple(
        Intent(identifier, Deletion(mode), everywhere, tuple(also))
        for identifier, mode, everywhere, also in json.loads(text)
    )


def _put(baseline: Baseline, found: list[Intent]) -> None:
    baseline.set_meta(DELETIONS, json.dumps(found) if found else "")
