"""One write to the keyword index: what it replaces, what it adds, how it merges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whoosh.reading import SegmentReader
from whoosh.writing import CLEAR

from vaultmem.index.keyword.files import TellingTorn
from vaultmem.index.keyword.ranking import stem
from vaultmem.index.signals import unwritable
from vaultmem.index.terms import terms

if TYPE_CHECKING:
    from whoosh.codec.base import Segment
    from whoosh.reading import IndexReader
    from whoosh.writing import SegmentWriter

    from vaultmem.index.documents import Document, Source
    from vaultmem.index.keyword.index import KeywordIndex

_SMALL_SEGMENT = 64
_SMALL_SEGMENTS = 5


class Batch:
    """One write to any number of sources; nothing of a source is visible until it is committed."""

    def __init__(self, index: KeywordIndex, *, complete: bool) -> None:
        self.seen: set[str] = set()
        self._index = index
        self._complete = complete
        self._paths: set[str] = set()
        self._writers: dict[Source, SegmentWriter] = {}
        self._dropped: set[tuple[Source, int]] = set()
        self._readers: dict[Source, IndexReader] = index.readers()

    def remove(self, key_or_path: str) -> None:
        """Drop every document of that key or path."""
        self._drop("key", key_or_path)
        self._drop("path", key_or_path)

    def add(self, document: Document, *, by_path: bool) -> None:
        """Write a document in place of those with its key, and with its path if asked."""
        self.seen.add(document.key)
        self._drop("key", document.key)
        if by_path and document.path not in self._paths:
            self._paths.add(document.path)
            self._drop("path", document.path)
        words = list(terms(document.text, stem))
        try:
            self._writer(document.source).add_document(
                key=document.key,
                path=document.path,
                id=document.id,
                title=document.title,
                heading=document.heading,
                text=words or None,
            )
        except OSError as error:
            raise unwritable(error) from error

    def commit(self) -> None:
        """Publish source by source; the caller records the stamp when all are."""
        if self._complete:
            for source in self._readers:
                self._writer(source)
        self._close_readers()
        for source, writer in tuple(self._writers.items()):
            self._index.publish(source, writer, CLEAR if self._complete else merge_small)
            del self._writers[source]

    def cancel(self) -> None:
        """Leave everything as it was and give the locks back."""
        self._close_readers()
        for writer in self._writers.values():
            if not writer.is_closed:
                writer.cancel()

    def _writer(self, source: Source) -> SegmentWriter:
        if source not in self._writers:
            self._writers[source] = self._index.writer(source)
        return self._writers[source]

    def _drop(self, field: str, text: str) -> None:
        if self._complete:
            return
        for source, reader in self._readers.items():
            for number in _documents(source, reader, field, text):
                if (source, number) not in self._dropped:
                    self._dropped.add((source, number))
                    self._writer(source).delete_document(number)

    def _close_readers(self) -> None:
        for reader in self._readers.values():
            reader.close()
        self._readers = {}


def _documents(source: Source, reader: IndexReader, field: str, text: str) -> list[int]:
    with TellingTorn(source):
        return list(reader.postings(field, text).all_ids()) if (field, text) in reader else []


def merge_small(writer: SegmentWriter, segments: list[Segment]) -> list[Segment]:
    """Merge policy of a small write: fold a handful of tiny segments in, leave the rest alone."""
    small = [segment for segment in segments if segment.doc_count_all() <= _SMALL_SEGMENT]
    if len(small) < _SMALL_SEGMENTS:
        return segments
    for segment in small:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in small]
