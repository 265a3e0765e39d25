"""How words rank documents: absolute BM25 coverage under a budget of postings."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from whoosh.lang.porter2 import stem as porter2

from vaultmem.index.documents import Within
from vaultmem.index.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from whoosh.reading import IndexReader

    from vaultmem.index.documents import Source

B, K1 = 0.3, 1.2
"""BM25: little length normalisation suits short notes (docs/adr/0011)."""

MOST_POSTINGS = 3_000
"""Postings that one query reads in one source, rarest terms first: a prompt of 120 words then
costs as little as one of five, and finds more (docs/adr/0012)."""

LONGEST_QUERY = 4_000
"""Characters of a query that are looked at."""

stem = lru_cache(maxsize=50_000)(porter2)


class KeywordHit(NamedTuple):
    """A document that shares words with the query.

    Attributes:
        coverage: its BM25 score over that of an ideal document for the query, in [0, 1].
        terms: the words of the query that it shares, in the query's order; of a name that it
            shares in part, the parts.
    """

    key: str
    id: str | None
    path: str
    title: str
    source: Source
    heading: str
    coverage: float
    terms: tuple[str, ...]


def query_terms(text: str) -> dict[str, str]:
    """The distinct terms of a query, in order, each with the word that it was first seen in."""
    words: dict[str, str] = {}
    for word in text[:LONGEST_QUERY].split():
        for term in terms(word, stem):
            words.setdefault(term, word)
    return words


def _told(query: Mapping[str, str], held: AbstractSet[str]) -> tuple[str, ...]:
    """The words of a query that a document shares; of a name it shares in part, only that part.

    Args:
        query: terms with their words, as `query_terms` says.
        held: terms that the document has.
    """
    partly = {word for term, word in query.items() if term not in held}
    words = (
        term if word in partly and word.isascii() else word
        for term, word in query.items()
        if term in held
    )
    return tuple(dict.fromkeys(words))


def _idf(documents: int, frequency: int) -> float:
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


class Snapshot:
    """One state of one source's index, open for reading."""

    def __init__(self, reader: IndexReader, source: Source) -> None:
        self._reader = reader
        self._source = source
        self._leaves: list[tuple[IndexReader, int]] = reader.leaf_readers()
        self._average = reader.field_length("text") / (reader.doc_count_all() or 1) or 1
        self._norms: dict[int, float] = {}

    @property
    def documents(self) -> int:
        """How many documents can be found."""
        return int(self._reader.doc_count())

    @property
    def segments(self) -> int:
        """How many files a query has to look into."""
        return len(self._leaves)

    @property
    def keys(self) -> frozenset[str]:
        """The key of every document that can be found; reads them all."""
        stored = map(self._reader.stored_fields, self._reader.all_doc_ids())
        return frozenset(str(fields["key"]) for fields in stored)

    def close(self) -> None:
        """Close the files."""
        self._reader.close()

    def hits(
        self, query: dict[str, str], within: tuple[str, ...], limit: int
    ) -> Iterator[KeywordHit]:
        """The best documents, lazily: stored fields are read as far as needed."""
        documents = self._reader.doc_count_all()
        frequency = {term: self._reader.doc_frequency("text", term) for term in query}
        idf = {term: _idf(documents, count) for term, count in frequency.items()}
        ideal = (K1 + 1) * sum(idf.values())
        read = {term: bit for bit, term in enumerate(_affordable(frequency))}
        places = Within(within)
        scores: dict[int, float] = {}
        shared: dict[int, int] = {}
        for term, bit in read.items():
            full = idf[term] * (K1 + 1)
            for number, count, norm in self._postings(term):
                scores[number] = scores.get(number, 0.0) + full * count / (count + norm)
                shared[number] = shared.get(number, 0) | 1 << bit
        for number in sorted(scores, key=lambda number: (-scores[number], number)):
            if limit <= 0:
                return
            stored = self._reader.stored_fields(number)
            if not within or stored["path"] in places:
                limit -= 1
                held = {term for term in read if shared[number] >> read[term] & 1}
                yield KeywordHit(
                    key=stored["key"],
                    id=stored.get("id"),
                    path=stored["path"],
                    title=stored["title"],
                    source=self._source,
                    heading=stored["heading"],
                    coverage=min(1.0, scores[number] / ideal),
                    terms=_told(query, held),
                )

    def _postings(self, term: str) -> Iterator[tuple[int, float, float]]:
        """Documents with the term: number, occurrences, and the part of BM25 that length decides.

        Segment by segment and without Whoosh's own scorer, whose layers cost three times as much
        as the arithmetic; lengths are kept for as long as the state is.
        """
        norms, floor, slope = self._norms, K1 * (1 - B), K1 * B / self._average
        for leaf, offset in self._leaves:
            if ("text", term) in leaf:
                matcher = leaf.postings("text", term)
                while matcher.is_active():
                    local = matcher.id()
                    number = local + offset
                    norm = norms.get(number)
                    if norm is None:
                        length = leaf.doc_field_length(local, "text", 1)
                        norm = norms[number] = floor + slope * length
                    yield number, matcher.weight(), norm
                    matcher.next()


def _affordable(frequency: dict[str, int]) -> Iterator[str]:
    """Known terms, rarest first, while their postings together stay within the budget."""
    spent = 0
    for term in sorted(filter(frequency.__getitem__, frequency), key=frequency.__getitem__):
        spent += frequency[term]
        if spent > MOST_POSTINGS and spent > frequency[term]:
            return
        yield term
