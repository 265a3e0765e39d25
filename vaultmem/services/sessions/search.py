"""Search in the agent's earlier sessions: by words everywhere, by meaning in the summaries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_record import PieceKind
from vaultmem.core.session_text import (
    best_place,
    extract,
    one_line,
    telling_words,
    whole_names,
    without_filler,
)
from vaultmem.core.words import stem, words
from vaultmem.errors import BusyError, ReadOnlyError, SearchError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.search import embed_for_a_moment
from vaultmem.services.sessions.choosing import EVERY, Wanted, chosen, day_of
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.sessions.texts import Texts
from vaultmem.services.switch import READ, switched_off

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from vaultmem.index.hybrid import SearchHit
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.sessions.catalog import Catalog
    from vaultmem.store.sessions.rows import PieceRow, SessionRow

LOOKED_AT = 100
"""Pieces that are looked at: many of them can be of one session."""
ENOUGH = 0.5
"""The share of the best piece's score from which another piece may tell of a session."""


class SessionHit(NamedTuple):
    """A session that answers a query.

    Attributes:
        session: its id.
        project: the project's identity.
        day: on which the piece was said, by the person's clock.
        title: of the session.
        kind: of the piece that was found.
        entry: the entry that the piece begins with, "" for the session itself.
        extract: what it says around the words of the query, one inert line without secrets.
        score: as `index.hybrid.SearchHit.score`.
        why: which words matched, how near the meaning is.
        file: the session's file.
        archived: whether it was archived.
    """

    session: str
    project: str
    day: date
    title: str
    kind: PieceKind
    entry: str
    extract: str
    score: float
    why: str
    file: str
    archived: bool

    @property
    def beyond_title(self) -> str:
        """What the extract says beside the title, with which a session without a name begins."""
        begins = self.title.rstrip("….").rstrip()
        if begins and self.extract.startswith(begins):
            return self.extract[len(begins) :].lstrip("….").strip()
        return self.extract


class SessionsFound(NamedTuple):
    """What a search in sessions found; `mode` and `degraded` as in `SearchResult`."""

    hits: tuple[SessionHit, ...]
    mode: Mode
    degraded: str | None = None


def search_sessions(
    call: Call,
    sessions: SessionIndex,
    query: str,
    *,
    mode: Mode = Mode.HYBRID,
    limit: int = 8,
    wanted: Wanted = EVERY,
    session: str | None = None,
    progress: Callable[[int], object] = int,
) -> SessionsFound:
    """Find sessions, the best first, each once.

    Args:
        call: the circumstances; an agent finds sessions of `wanted.own_project` only.
        sessions: the index, which is brought up to the files first.
        query: words, in no query language.
        mode: keyword, semantic or hybrid.
        limit: how many sessions at most.
        wanted: which ones.
        session: the agent's session that is told, None outside of any.
        progress: as for `sync_sessions`.
    """
    if off := switched_off(call, READ, project=wanted.own_project, session=session):
        return SessionsFound((), mode, off.sentence)
    synced = sync_sessions(call, sessions, progress=progress)
    if mode is not Mode.KEYWORD:
        embed_for_a_moment(sessions.engine)
    try:
        found = _search(call, sessions, query, mode=mode, limit=limit, wanted=wanted)
    except (BusyError, ReadOnlyError, SearchError) as error:
        return SessionsFound((), mode, str(error))
    if call.agent is not None or session is not None:
        remember_shown(call, (hit.extract for hit in found.hits if hit.kind.is_summary))
    return found._replace(degraded=found.degraded or synced.trouble)


def _search(
    call: Call, sessions: SessionIndex, query: str, *, mode: Mode, limit: int, wanted: Wanted
) -> SessionsFound:
    rows = {row.number: row for row in chosen(call, sessions.catalog.rows(), wanted)}
    if not rows:
        return SessionsFound((), mode)
    asked_for = query if mode is Mode.SEMANTIC else without_filler(query)
    found = sessions.engine.search(
        " ".join((asked_for, *whole_names(query))),
        mode=mode,
        sources=(Source.SESSION,),
        within=tuple(row.folder for row in rows.values()),
        limit=max(LOOKED_AT, limit),
        every_chunk=True,
    )
    texts = Texts(sessions.catalog, Silence(call))
    asked = frozenset(map(stem, telling_words(query) or words(query)))
    hits: list[SessionHit] = []
    for best in one_per_session(pieces_of(sessions.catalog, found.hits)):
        if len(hits) < limit and (hit := _hit(call, rows[best.row.session], best, texts, asked)):
            hits.append(hit)
    return SessionsFound(tuple(hits), found.mode, found.degraded)


class FoundPiece(NamedTuple):
    """A piece that a search found."""

    hit: SearchHit
    row: PieceRow


def pieces_of(catalog: Catalog, hits: Iterable[SearchHit]) -> list[FoundPiece]:
    """The pieces of hits, in their order; each once, by its best part.

    Raises:
        BusyError, ReadOnlyError, SearchError: as methods of `Catalog`.
    """
    best: dict[str, SearchHit] = {}
    for hit in hits:
        best.setdefault(hit.path, hit)
    found = ((hit, catalog.piece(path)) for path, hit in best.items())
    return [FoundPiece(hit, row) for hit, row in found if row is not None]


def one_per_session(pieces: Iterable[FoundPiece]) -> list[FoundPiece]:
    """Each session once, with the score of its best piece, told by its most telling one."""
    by_session: dict[int, list[FoundPiece]] = {}
    for one in pieces:
        by_session.setdefault(one.row.session, []).append(one)
    return [_most_telling(found) for found in by_session.values()]


def _most_telling(found: Sequence[FoundPiece]) -> FoundPiece:
    """A summary before a turn, and a turn before the session's title, unless much worse."""
    best = found[0].hit.score
    good = [one for one in found if one.hit.score >= ENOUGH * best]
    summary = (one for one in good if one.row.piece.kind.is_summary)
    turn = (one for one in good if one.row.piece.kind is not PieceKind.HEAD)
    told = next(summary, None) or next(turn, None) or found[0]
    return told._replace(hit=replace(told.hit, score=best))


def _hit(
    call: Call, row: SessionRow, found: FoundPiece, texts: Texts, asked: frozenset[str]
) -> SessionHit | None:
    """The hit as it is told; None where its file says something else now."""
    piece, record = found.row.piece, row.record
    if piece.kind is PieceKind.HEAD:
        told = record.first
    else:
        text = texts.of(found.row)
        if text is None:
            return None
        line = one_line("\n".join(filter(None, text)))
        told = extract(line, best_place(line, asked))
    return SessionHit(
        session=record.id,
        project=row.project,
        day=day_of(call, piece.at or record.started),
        title=record.title,
        kind=piece.kind,
        entry=piece.entry,
        extract=told,
        score=found.hit.score,
        why=found.hit.why,
        file=row.file,
        archived=row.archived,
    )
