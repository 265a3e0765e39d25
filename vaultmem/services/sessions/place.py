"""Sessions as one of the places where `vaultmem search` looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode, SearchHit, SearchResult
from vaultmem.services.search import search

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.services.sessions.search import SessionHit


def search_with_sessions(
    call: Call,
    engine: SearchEngine,
    sessions: Callable[[], SessionIndex],
    query: str,
    *,
    mode: Mode = Mode.HYBRID,
    sources: Collection[Source] = tuple(Source),
    limit: int = 10,
    knowledge: Sequence[str] = (),
    project: str | None = None,
    session: str | None = None,
    progress: Callable[[int], object] = int,
) -> SearchResult:
    """As `services.search.search`, in sessions too where `sources` names them; only then opened.

    The hit of a session has its id, its file, its title, and the extract as its heading. Scores
    mean the same in both indexes, so the best hits of both come first.
    """
    notes = [source for source in sources if source is not Source.SESSION]
    found: list[SearchResult] = []
    if notes:
        found.append(
            search(
                call,
                engine,
                query,
                mode=mode,
                sources=notes,
                limit=limit,
                knowledge=knowledge,
                project=project,
                session=session,
            )
        )
    if Source.SESSION in sources:
        from vaultmem.services.sessions.choosing import Wanted  # most searches are of notes only
        from vaultmem.services.sessions.search import search_sessions

        wanted = Wanted(own_project=project or "")
        talk = search_sessions(
            call,
            sessions(),
            query,
            mode=mode,
            limit=limit,
            wanted=wanted,
            session=session,
            progress=progress,
        )
        hits = tuple(map(_hit, talk.hits))
        found.append(SearchResult(hits=hits, mode=talk.mode, degraded=talk.degraded))
    return _together(found, limit)


def _together(found: Sequence[SearchResult], limit: int) -> SearchResult:
    """Several results as one; by words only where one of them is."""
    hits = sorted((hit for one in found for hit in one.hits), key=lambda hit: -hit.score)
    by_words = any(one.mode is Mode.KEYWORD for one in found)
    return SearchResult(
        hits=tuple(hits[: max(limit, 0)]),
        mode=Mode.KEYWORD if by_words or not found else found[0].mode,
        degraded=next(filter(None, (one.degraded for one in found)), None),
    )


def _hit(hit: SessionHit) -> SearchHit:
    return SearchHit(
        id=hit.session,
        path=hit.file,
        title=hit.title or hit.extract,
        source=Source.SESSION,
        score=hit.score,
        why=hit.why,
        heading=hit.beyond_title or hit.extract,
    )
