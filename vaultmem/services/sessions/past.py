"""The section `past_sessions`: what earlier sessions of the project say about a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import tokens
from vaultmem.core.governance_keys import SCOPED
from vaultmem.core.injection import InjectedSection
from vaultmem.core.session_past import (
    MOST_PAST,
    PAST_SESSIONS,
    PAST_TOKENS,
    fitting,
    is_near,
    past_line,
    past_text,
)
from vaultmem.core.session_record import PieceKind
from vaultmem.core.session_text import (
    best_place,
    extract,
    one_line,
    shared_stems,
    telling_words,
    whole_names,
)
from vaultmem.core.trivial import is_trivial
from vaultmem.core.vault_ref import is_latin
from vaultmem.core.words import stem
from vaultmem.errors import BusyError, ReadOnlyError, SearchError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.recalling import ASKED
from vaultmem.services.sessions.choosing import day_of
from vaultmem.services.sessions.search import LOOKED_AT, one_per_session, pieces_of
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.sessions.texts import Texts
from vaultmem.services.switch import READ, switched_off
from vaultmem.store.sessions.rows import project_folder
from vaultmem.store.sessions.told import Told, keep_told, read_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.services.sessions.search import FoundPiece
    from vaultmem.services.sessions.texts import PieceText
    from vaultmem.store.sessions.rows import PieceRow

EMPTY = InjectedSection(PAST_SESSIONS, "", 0, PAST_TOKENS, ())
_READ_AT_MOST = 12
"""Pieces whose text is read for one prompt."""


def past_sessions(
    call: Call,
    sessions: SessionIndex,
    *,
    prompt: str,
    project: str,
    session: str,
    wait: bool = False,
) -> InjectedSection:
    """What earlier sessions of the project say about a prompt, at most three of them.

    Only what users said and what was summarised is told. Within a session a line keeps its place
    until there is no room for it; after a trivial prompt the section stays as it was. Where the
    catalog cannot be read, nothing is told.

    Args:
        call: the circumstances.
        sessions: the index.
        prompt: what the user asks.
        project: the project's identity; sessions of others are never told.
        session: the agent's session, which is not told of itself; "" outside of any.
        wait: whether to bring the index up to the session files first, and to wait for the model.
            Otherwise what is not there is left out this time.
    """
    off = switched_off(call, READ, project=project, session=session or None)
    if off or call.governance.injection_mode != SCOPED or not project:
        return EMPTY
    if wait:
        sync_sessions(call, sessions)
    if not sessions.catalog.exists:
        return EMPTY
    try:
        return _Section(call, sessions, project, session).made(prompt, wait=wait)
    except (BusyError, ReadOnlyError, SearchError):
        return EMPTY


class _Line(NamedTuple):
    told: Told
    session: str
    text: str
    extract: str
    is_summary: bool


class _Section:
    """One section for one prompt."""

    def __init__(self, call: Call, sessions: SessionIndex, project: str, session: str) -> None:
        self._call = call
        self._sessions = sessions
        self._catalog = sessions.catalog
        self._project = project
        self._session = session
        self._texts = Texts(sessions.catalog, Silence(call))

    def made(self, prompt: str, *, wait: bool) -> InjectedSection:
        earlier = read_told(self._catalog, self._session) if self._session else ()
        lines = list(self._lines(earlier))
        if not is_trivial(prompt):
            lines += self._new(prompt[:ASKED], lines, wait=wait)
        kept = lines[len(lines) - fitting([line.text for line in lines]) :]
        now = tuple(line.told for line in kept)
        if self._session and now != earlier:
            keep_told(self._catalog, self._session, now, self._call.seconds)
        if self._call.agent is not None or self._session:
            remember_shown(self._call, (line.extract for line in kept if line.is_summary))
        text = past_text(line.text for line in kept)
        ids = tuple(line.session for line in kept)
        return InjectedSection(PAST_SESSIONS, text, tokens(text), PAST_TOKENS, ids)

    def _lines(self, told: Iterable[Told]) -> Iterator[_Line]:
        """The lines that the section has, without those whose piece is not there any more."""
        for one in told:
            piece = self._catalog.piece(one.path)
            text = None if piece is None else self._texts.of(piece)
            if piece is not None and text is not None and piece.piece.entry == one.entry:
                line = self._line(piece, text, one.at)
                if line is not None:
                    yield line

    def _new(self, prompt: str, earlier: Sequence[_Line], *, wait: bool) -> list[_Line]:
        """What the prompt calls to mind beside the lines that are there."""
        asked = telling_words(prompt)
        stems = frozenset(map(stem, asked))
        known = {line.session for line in earlier}
        said = {line.extract for line in earlier}
        new: list[_Line] = []
        for found in self._near(prompt, asked, wait=wait)[:_READ_AT_MOST]:
            line = self._if_near(found, stems)
            if line is not None and line.session not in known and line.extract not in said:
                said.add(line.extract)
                new.append(line)
        return new[:MOST_PAST]

    def _if_near(self, found: FoundPiece, asked: frozenset[str]) -> _Line | None:
        text = self._texts.of(found.row)
        if text is None:
            return None
        hit, floor = found.hit, self._sessions.engine.thresholds.contextual
        shared = shared_stems(asked, f"{text.said}\n{text.answer}")
        if not is_near(len(shared), len(asked), hit.coverage, hit.cosine, floor):
            return None
        return self._line(found.row, text, best_place(one_line(text.said), asked))

    def _near(self, prompt: str, asked: tuple[str, ...], *, wait: bool) -> list[FoundPiece]:
        """The best piece of each session that could be near, the nearest first."""
        if not asked:
            return []
        found = self._sessions.engine.search(
            " ".join((*asked, *whole_names(prompt))),
            mode=Mode.HYBRID if is_latin(prompt) else Mode.KEYWORD,
            sources=(Source.SESSION,),
            within=(project_folder(self._project),),
            limit=LOOKED_AT,
            wait_for_model=wait,
            every_chunk=True,
        )
        own = self._catalog.family(self._session) if self._session else frozenset()
        pieces = (
            one
            for one in pieces_of(self._catalog, found.hits)
            if one.row.session not in own and one.row.piece.kind is not PieceKind.HEAD
        )
        return sorted(
            one_per_session(pieces), key=lambda one: (-round(one.hit.score, 3), -one.row.piece.at)
        )

    def _line(self, row: PieceRow, text: PieceText, at: int) -> _Line | None:
        """The line of a piece, where the user or a summary says something in it."""
        session = self._texts.row(row.session)
        if session is None or not text.said:
            return None
        day = day_of(self._call, row.piece.at or session.record.started).isoformat()
        told = extract(one_line(text.said), at)
        return _Line(
            Told(row.path, row.piece.entry, at),
            session.id,
            past_line(day, session.id, told),
            told,
            row.piece.kind.is_summary,
        )
