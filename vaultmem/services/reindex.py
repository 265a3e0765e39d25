"""Reindex: forget the search index and build it from the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import ModelError
from vaultmem.services.indexing import refresh
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call


class Reindexed(NamedTuple):
    """How much was indexed; `degraded` says what was not possible, or is None."""

    notes: int
    embedded: int
    degraded: str | None


def reindex(
    call: Call,
    engine: SearchEngine,
    *,
    vectors: bool = True,
    progress: Callable[[int], object] = int,
) -> Reindexed:
    """Build both indexes anew; a missing model leaves the words."""
    ensure_current(call)
    engine.wipe()
    trouble = refresh(call, engine)
    embedded = 0
    if vectors and trouble is None:
        try:
            embedded = engine.embed(progress=progress)
        except ModelError as error:
            trouble = str(error)
    engine.optimise()
    return Reindexed(len(call.vault.baseline.stats()), embedded, trouble)
