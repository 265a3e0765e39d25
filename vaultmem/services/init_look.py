"""What a vault holds already when it is set up: memories that want to act, broken notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.selection import is_unreviewed
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from vaultmem.services.call import Call

UNREADABLE = frozenset(
    ("VM101", "VM102", "VM103", "VM104", "VM105", "VM106", "VM107", "VM108", "VM109", "VM111")
)
"""Findings after which a note, or its properties, cannot be read."""


class There(NamedTuple):
    """How many memories and notes there are of each kind.

    Attributes:
        memories: in force.
        unreviewed: those of them that want to act and only inform.
        unreadable: notes that cannot be read, the person's own among them.
    """

    memories: int
    unreviewed: int
    unreadable: int


def look(call: Call) -> There:
    """Read every note once; a note without an id gets none yet.

    Raises:
        As `services.sync.sync`.
    """
    findings = sync(call, typed=False).findings
    standings = call.vault.baseline.standings()
    return There(
        memories=len(standings),
        unreviewed=sum(map(is_unreviewed, standings)),
        unreadable=len({one.path for one in findings if one.code in UNREADABLE}),
    )
