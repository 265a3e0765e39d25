"""What happened with each memory, as the reinforcement ledgers of all devices tell it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.maintenance import Happened
from vaultmem.services.outcomes import outcome_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call


def happened(call: Call) -> Mapping[str, tuple[Happened, ...]]:
    """The outcomes of every memory that has any, by its id; unsigned lines count for nothing."""
    found: dict[str, list[Happened]] = defaultdict(list)
    for row in call.vault.baseline.ledger.of_kind(LedgerKind.REINFORCEMENT):
        outcome = outcome_in(row) if row.signed else None
        if outcome is not None:
            found[row.note].append(Happened(row.number("local"), outcome))
    return {identifier: tuple(each) for identifier, each in found.items()}
