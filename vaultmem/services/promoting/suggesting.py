"""Knowledge notes that may say more than a memory, for a proposal that wants one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.promotion_words import Destination

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.knowledge_vault import KnowledgeVault
    from vaultmem.services.vault_ref import Suggestion


class Knowledge(NamedTuple):
    """Where knowledge notes are looked for: this vault's engine, and further vaults."""

    engine: SearchEngine
    others: Sequence[KnowledgeVault] = ()


def suggestions(
    call: Call, knowledge: Knowledge | None, memory: Memory, destination: Destination
) -> tuple[Suggestion, ...]:
    """The notes that may say more, the best first; none where nothing is to be linked."""
    if knowledge is None or destination is not Destination.VAULT_REF:
        return ()
    from vaultmem.services.vault_ref import suggest  # with the search, which few commands need

    return suggest(call, knowledge.engine, memory, others=knowledge.others)
