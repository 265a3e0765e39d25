"""Reindex: forget the search index and build it from the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import ModelError
from vaultmem.services.indexing import refresh
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.knowledge_vault import KnowledgeVault


class Reindexed(NamedTuple):
    """How much was indexed; `degraded` says what was not possible, or is None."""

    notes: int
    embedded: int
    degraded: str | None


def reindex(
    call: Call,
    engine: SearchEngine,
    *,
    others: Sequence[KnowledgeVault] = (),
    vectors: bool = True,
    progress: Callable[[int], object] = int,
) -> Reindexed:
    """Build both indexes anew, also those of the other vaults; a missing model leaves the words."""
    ensure_current(call)
    engine.wipe()
    troubles = [refresh(call, engine)]
    for one in others:
        one.engine.wipe()
        troubles.append(one.refresh())
    embedded = 0
    for index in (engine, *(one.engine for one in others)):
        if vectors and not any(troubles):
            try:
                embedded += index.embed(progress=progress)
            except ModelError as error:
                troubles.append(str(error))
        index.optimise()
    trouble = next(filter(None, troubles), None)
    return Reindexed(len(call.vault.baseline.stats()), embedded, trouble)
