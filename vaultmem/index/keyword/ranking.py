"""How words rank documents: absolute BM25 coverage under a budget of postings."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from whoosh.lang.porter2 import stem as porter2
from whoosh.scoring import BM25F

from vaultmem.index.documents import is_within
from vaultmem.index.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from whoosh.searching import Searcher

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
        terms: the words of the query that it shares, in the query's order.
    """

    key: str
    id: str | None
    path: str
    title: str
    source: Source
    heading: str
    coverage: float
    terms: tuple[str, ...]


class AbsoluteBM25F(BM25F):  # type: ignore[misc]  # Whoosh has no types
    """BM25F with an idf that goes to 0 for words in every document, so that scores add up."""

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Called by Whoosh with the searcher of one segment; counts over all of them."""
        parent = searcher.get_parent()
        return _idf(parent.doc_count_all(), parent.doc_frequency(fieldname, text))


def query_terms(text: str) -> dict[str, str]:
    """The distinct terms of a query, in order, each with the word that it was first seen in."""
    words: dict[str, str] = {}
    for word in text[:LONGEST_QUERY].split():
        for term in terms(word, stem):
            words.setdefault(term, word)
    return words


def _idf(documents: int, frequency: int) -> float:
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def hits(
    searcher: Searcher, source: Source, query: dict[str, str], within: tuple[str, ...], limit: int
) -> Iterator[KeywordHit]:
    """The best documents of one source, lazily: stored fields are read as far as needed."""
    documents = searcher.doc_count_all()
    frequency = {term: searcher.doc_frequency("text", term) for term in query}
    ideal = (K1 + 1) * sum(_idf(documents, count) for count in frequency.values())
    read = list(_affordable(frequency))
    scores: dict[int, float] = {}
    shared: dict[int, int] = {}
    for bit, term in enumerate(read):
        matcher = searcher.postings("text", term)
        while matcher.is_active():
            number = matcher.id()
            scores[number] = scores.get(number, 0.0) + matcher.score()
            shared[number] = shared.get(number, 0) | 1 << bit
            matcher.next()
    for number in sorted(scores, key=lambda number: (-scores[number], number)):
        if limit <= 0:
            return
        stored = searcher.stored_fields(number)
        if not within or is_within(stored["path"], within):
            limit -= 1
            yield KeywordHit(
                key=stored["key"],
                id=stored.get("id"),
                path=stored["path"],
                title=stored["title"],
                source=source,
                heading=stored["heading"],
                coverage=min(1.0, scores[number] / ideal),
                terms=tuple(
                    dict.fromkeys(
                        word
                        for term, word in query.items()
                        if term in read and shared[number] >> read.index(term) & 1
                    )
                ),
            )


def _affordable(frequency: dict[str, int]) -> Iterator[str]:
    """Known terms, rarest first, while their postings together stay within the budget."""
    spent = 0
    for term in sorted(filter(frequency.__getitem__, frequency), key=frequency.__getitem__):
        spent += frequency[term]
        if spent > MOST_POSTINGS and spent > frequency[term]:
            return
        yield term
