"""Feeds the index of sessions from the catalog: what changed since the state that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.session_record import PieceKind
from vaultmem.core.session_text import whole_names
from vaultmem.index.documents import Document, Source, note_documents
from vaultmem.index.engine import Feed
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.services.call import Call
    from vaultmem.store.sessions.catalog import Catalog
    from vaultmem.store.sessions.rows import PieceRow, SessionRow


def feed(call: Call, catalog: Catalog, stamp: str | None) -> Feed:
    """What has changed since the state that `stamp` names; everything for an unknown one.

    Raises:
        BusyError, ReadOnlyError, SearchError: as methods of `Catalog`.
    """
    now = catalog.stamp
    if stamp == now:  # the usual case, which needs to know nothing more
        return Feed((), (), now)
    texts = Texts(catalog, Silence(call))
    uid, _, seq = now.partition(":")
    known, _, held = (stamp or "").partition(":")
    if known != uid or not held.isdigit() or int(held) > int(seq):
        return Feed(_documents(texts, catalog.pieces()), (), now, complete=True)
    changes = catalog.changes_since(int(held))
    gone = [*changes.gone, *(one.path for one in changes.pieces)]
    return Feed(_documents(texts, changes.pieces), gone, now)


def _documents(texts: Texts, pieces: Iterable[PieceRow]) -> Iterator[Document]:
    for one in pieces:
        row = texts.row(one.session)
        if row is not None:
            yield from _of_piece(texts, row, one)


def _of_piece(texts: Texts, row: SessionRow, one: PieceRow) -> Iterator[Document]:
    if one.piece.kind is PieceKind.HEAD:
        yield _head(row, one.path)
        return
    text = texts.of(one)
    if text is None:
        return
    said = "\n".join(filter(None, text))
    if one.piece.kind.is_summary:
        yield from note_documents(
            source=Source.SESSION,
            path=one.path,
            title="",
            body=said,
            id=row.id,
            tags=whole_names(said),
        )
    else:
        yield _words(row, one.path, said)


def _head(row: SessionRow, path: str) -> Document:
    record = row.record
    body = "\n".join(
        (row.project, *record.files, *(decision.text for decision in record.decisions))
    )
    return _words(row, path, body, title=record.title)


def _words(row: SessionRow, path: str, body: str, *, title: str = "") -> Document:
    """A text that is found by its words only: months of talk are too much to embed."""
    return Document(
        key=path,
        source=Source.SESSION,
        path=path,
        title=title,
        body=body,
        id=row.id,
        tags=whole_names(body),
        by_meaning=False,
    )
