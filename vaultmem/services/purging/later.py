"""The evidence that was recorded for a memory after its note: only ledger lines name it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.evidence import EvidenceId
from vaultmem.core.ids import is_id
from vaultmem.core.ledger import LedgerKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow


def said_later(call: Call, identifier: str) -> frozenset[EvidenceId]:
    """The pieces that reinforcement lines name for a memory, and for no other one.

    A line that nobody signed neither condemns nor keeps a piece.
    """
    mine: set[EvidenceId] = set()
    others: set[EvidenceId] = set()
    rows = call.vault.baseline.ledger.of_kind(LedgerKind.REINFORCEMENT)
    for row in filter(call.vault.vouches, rows):
        (mine if row.note == identifier else others).update(_named(row))
    return frozenset(mine - others)


def _named(row: LedgerRow) -> Iterator[EvidenceId]:
    pieces = str(json.loads(row.data).get("pieces", "")) if '"pieces"' in row.data else ""
    return (EvidenceId(one) for one in pieces.split() if is_id(one, "ev"))
