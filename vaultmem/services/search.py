"""Search: the person everywhere, the agent in the memory root and the folders it was given."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId
from vaultmem.core.selection import caution, other_project
from vaultmem.errors import ModelError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode, SearchResult
from vaultmem.index.signals import IndexLockedError
from vaultmem.services.call import Actor
from vaultmem.services.indexing import SEARCHED, refresh
from vaultmem.services.switch import READ, switched_off
from vaultmem.services.syncing.observe import observe

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from vaultmem.index.engine import SearchEngine
    from vaultmem.index.hybrid import SearchHit
    from vaultmem.services.call import Call

PLACES = {
    "memory": (Source.MEMORY,),
    "vault": (Source.VAULT,),
    "log": (Source.LOG,),
    "sessions": (Source.SESSION,),
    "all": tuple(Source),
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
    project: str | None = None,
    session: str | None = None,
    at_once: bool = False,
) -> SearchResult:
    """Find notes; `services.sessions.place` finds sessions as well.

    Args:
        call: the circumstances; an agent sees the memory root and `knowledge` only.
        engine: the search engine of the vault.
        query: words, in no query language.
        mode: keyword, semantic or hybrid.
        sources: where to look.
        limit: how many notes at most.
        knowledge: folders of the vault that the user config opens to the agent, "" for all of it.
        project: the project in which it is asked; recalling may be switched off there, and a memory
            of another one names its own.
        session: the agent's session that is told, None outside of any.
        at_once: embed nothing and wait for no model, where somebody else does it in the background;
            words answer until then.
    """
    if off := switched_off(call, READ, project=project, session=session):
        return SearchResult(hits=(), mode=mode, degraded=off.sentence)
    _look(call)
    trouble = refresh(call, engine)
    if mode is not Mode.KEYWORD and not at_once:
        embed_for_a_moment(engine)
    within = (call.vault.root, *knowledge) if call.actor is Actor.AGENT else ()
    found = engine.search(
        query,
        mode=mode,
        sources=sources,
        within=within,
        limit=limit,
        wait_for_model=not at_once,
    )
    hits = tuple(_as_they_stand(call, found.hits, project or ""))
    if call.agent is not None or session is not None:
        from vaultmem.services.capturing.shown import remember_shown  # a person is not counted

        remember_shown(call, (hit.title for hit in hits))
    if session:
        _count(call, session, hits)
    return SearchResult(hits=hits, mode=found.mode, degraded=found.degraded or trouble)


def _look(call: Call) -> None:
    """Sync if anything changed or was left unfinished; only then are the writers imported."""
    seen, baseline = observe(call.vault), call.vault.baseline
    if not seen.clean or baseline.has_pending() or baseline.has_unfinished():
        from vaultmem.services.sync import catch_up  # as above

        catch_up(call, seen)


def _count(call: Call, session: str, hits: Iterable[SearchHit]) -> None:
    from vaultmem.services.telemetry import looked_up  # most searches are in no session

    found = (MemoryId(hit.id) for hit in hits if hit.source is Source.MEMORY and hit.id)
    looked_up(call, found, session=session)


def _as_they_stand(call: Call, hits: Iterable[SearchHit], here: str) -> Iterator[SearchHit]:
    """The hits without what is out of force, whatever the index still holds; doubts are marked.

    A memory of another project is no answer that is wrong, so it keeps its place and is named.
    """
    baseline = call.vault.baseline
    for hit in hits:
        if hit.source is not Source.MEMORY:
            yield hit
            continue
        standing = baseline.live_standing(hit.id or "")
        if standing is not None and standing.status in SEARCHED:
            doubt, place = caution(standing, call.seconds), other_project(standing.project, here)
            yield replace(hit, mark=doubt, project=place)


def embed_for_a_moment(engine: SearchEngine) -> None:
    """A note that was just written should be found by its meaning at once."""
    started = monotonic()
    try:
        while engine.waiting and monotonic() - started < PATIENCE_SECONDS:
            if not engine.embed(_BATCH):
                return  # another process embeds
    except (ModelError, IndexLockedError):
        return  # the search itself says that the model is missing, or the cache cannot be written
