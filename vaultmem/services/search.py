"""Search: the person everywhere, the agent in the memory root and the folders it was given."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from vaultmem.errors import ModelError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode, SearchResult
from vaultmem.services.call import Actor
from vaultmem.services.indexing import refresh
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

PLACES = {
    "memory": (Source.MEMORY,),
    "vault": (Source.VAULT,),
    "log": (Source.LOG,),
    "all": (Source.MEMORY, Source.VAULT, Source.LOG),
}
"""What `--in` may name, with the sources it means."""

PATIENCE_SECONDS = 2.0
"""How long a search embeds new texts, memories first, before it answers."""
_BATCH = 32


def search(
    call: Call,
    engine: SearchEngine,
    query: str,
    *,
    mode: Mode = Mode.HYBRID,
    sources: Collection[Source] = PLACES["memory"],
    limit: int = 10,
    knowledge: Sequence[str] = (),
) -> SearchResult:
    """Find notes.

    Args:
        call: the circumstances; an agent sees the memory root and `knowledge` only.
        engine: the search engine of the vault.
        query: words, in no query language.
        mode: keyword, semantic or hybrid.
        sources: where to look.
        limit: how many notes at most.
        knowledge: folders of the vault that the user config opens to the agent, "" for all of it.
    """
    ensure_current(call)
    trouble = refresh(call, engine)
    if mode is not Mode.KEYWORD:
        embed_for_a_moment(engine)
    within = (call.vault.root, *knowledge) if call.actor is Actor.AGENT else ()
    found = engine.search(query, mode=mode, sources=sources, within=within, limit=limit)
    if trouble is None or found.degraded is not None:
        return found
    return SearchResult(hits=found.hits, mode=found.mode, degraded=trouble)


def embed_for_a_moment(engine: SearchEngine) -> None:
    """A note that was just written should be found by its meaning at once."""
    started = monotonic()
    try:
        while engine.waiting and monotonic() - started < PATIENCE_SECONDS:
            if not engine.embed(_BATCH):
                return  # another process embeds
    except ModelError:
        return  # the search itself says that the model is missing
