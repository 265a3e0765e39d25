"""What came after a memory: the one that replaced it, or the tombstone that ended it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.place import Kind
from vaultmem.core.standing import local_moment
from vaultmem.core.validity import Successor
from vaultmem.services.tombstones import standing_tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow


def linked_ids(call: Call, links: Iterable[str]) -> tuple[str, ...]:
    """The ids of the memories that links name; a link that names none is left out."""
    baseline = call.vault.baseline
    found: dict[str, None] = {}
    for target in link_targets(links):
        for path in baseline.stems(name_key(title_of(target))):
            row = baseline.note(path)
            if row is not None and row.kind == Kind.MEMORY and row.id:
                found[row.id] = None
    return tuple(found)


def successor_of(call: Call, memory: Memory) -> Successor | None:
    """The newest of the memories that replaced this one; None if none is there."""
    moments = {
        identifier: standing.created
        for identifier in linked_ids(call, memory.superseded_by)
        if (standing := call.vault.baseline.standing(identifier)) is not None
    }
    if not moments:
        return None
    newest = max(moments, key=lambda identifier: (moments[identifier], identifier))
    since = moments[newest]
    return Successor(newest, local_moment(since) if since else None)


def deleted_at(call: Call, identifier: str) -> datetime | None:
    """When the tombstone of a memory was made, in the person's clock time; None without one.

    A tombstone that is not signed proves nothing.
    """
    stone = standing_tombstone(call, identifier)
    return None if stone is None else moment_of(call, stone)


def moment_of(call: Call, row: LedgerRow) -> datetime:
    """The moment of a ledger's line in the person's clock time."""
    at = datetime.fromisoformat(row.at)
    return at.astimezone(call.now.tzinfo).replace(tzinfo=None, microsecond=0)
