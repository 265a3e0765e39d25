"""One ranking out of words and meaning, with the reason for every hit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.index.documents import Source
    from vaultmem.index.keyword import KeywordHit
    from vaultmem.index.vectors import VectorHit

COVERAGE_WEIGHT = 0.45
"""Score = cosine + this times coverage. Chosen on five sets (dialogue turns, nl2bash with and
without the command, Cranfield, developer memories), where 0.45 to 0.7 are nearly equal; 1.5 loses
to the cosine alone on three. `tests/benchmarks/retrieval.py` measures it (docs/adr/0011)."""

CANDIDATES = 100
"""Hits of each half that are considered; the same evaluation."""

_WORDS_SHOWN = 6


class Mode(StrEnum):
    """How to search."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One answer.

    Attributes:
        id: the note's id, where it has one of ours.
        path: relative to the vault.
        score: comparable within one mode: coverage in [0, 1], cosine in [-1, 1], or their sum.
        why: one short line for a person: which words matched, how near the meaning is.
        heading: the heading of the chunk, empty for a whole note.
        key: the document, for callers that gave it.
        cosine: nearness of meaning, None where it is not known; what thresholds apply to.
        coverage: how much of the query's weight its words have, 0 to 1; 0 where they were not
            looked for or it shares none.
        mark: why a memory must not be taken for what holds, such as `contested` or `expired`; ""
            for all others. The index does not know it, the search service sets it.
        project: the project of a memory that belongs to another one than that in which it was
            asked; "" for all others. Set likewise.
    """

    id: str | None
    path: str
    title: str
    source: Source
    score: float
    why: str
    heading: str = ""
    key: str = ""
    cosine: float | None = None
    coverage: float = 0.0
    mark: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a search found, and how it really searched.

    Attributes:
        mode: the mode that was used, which is keyword where meaning was not available.
        degraded: a sentence that says what was missing and what to do, or None.
    """

    hits: tuple[SearchHit, ...]
    mode: Mode
    degraded: str | None = None


def fuse(
    words: Iterable[KeywordHit],
    meaning: Iterable[VectorHit],
    cosines: Mapping[str, float],
    *,
    floor: float = -1.0,
) -> list[SearchHit]:
    """The union of both lists, best first.

    Args:
        words: the best documents by coverage.
        meaning: the best documents by cosine.
        cosines: of the documents in `words`, where known; an unknown one counts as 0.
        floor: the least cosine of a hit that shares no word with the query.
    """
    by_words = {hit.key: hit for hit in words}
    by_meaning = {hit.key: hit for hit in meaning if hit.cosine >= floor or hit.key in by_words}
    hits: list[SearchHit] = []
    for key in by_meaning | by_words:
        word, near = by_words.get(key), by_meaning.get(key)
        cosine = near.cosine if near else cosines.get(key)
        if shown := word or near:
            score = (cosine or 0.0) + COVERAGE_WEIGHT * (word.coverage if word else 0.0)
            hits.append(_hit(shown, score, word, cosine))
    return _ranked(hits)


def from_words(words: Iterable[KeywordHit]) -> list[SearchHit]:
    """Hits by words alone; the score is the coverage."""
    return _ranked([_hit(hit, hit.coverage, hit, None) for hit in words])


def from_meaning(meaning: Iterable[VectorHit], *, floor: float = -1.0) -> list[SearchHit]:
    """Hits by meaning alone, from a cosine of `floor` on; the score is the cosine."""
    return _ranked(
        [_hit(hit, hit.cosine, None, hit.cosine) for hit in meaning if hit.cosine >= floor]
    )


def one_per_note(hits: Iterable[SearchHit]) -> list[SearchHit]:
    """The best hit of each note, in the order given."""
    best: dict[str, SearchHit] = {}
    for hit in hits:
        best.setdefault(hit.path, hit)
    return list(best.values())


def _ranked(hits: list[SearchHit]) -> list[SearchHit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.key))


def _hit(
    found: KeywordHit | VectorHit, score: float, word: KeywordHit | None, cosine: float | None
) -> SearchHit:
    return SearchHit(
        id=found.id,
        path=found.path,
        title=found.title,
        source=found.source,
        score=score,
        why=_why(word.terms if word else (), cosine),
        heading=found.heading,
        key=found.key,
        cosine=cosine,
        coverage=word.coverage if word else 0.0,
    )


def _why(terms: tuple[str, ...], cosine: float | None) -> str:
    """For example `words: retry, idempotency; meaning 0.71`."""
    reasons: list[str] = []
    if terms:
        more = f" and {len(terms) - _WORDS_SHOWN} more" if len(terms) > _WORDS_SHOWN else ""
        reasons.append(f"words: {', '.join(terms[:_WORDS_SHOWN])}{more}")
    if cosine is not None:
        reasons.append(f"meaning {cosine:.2f}")
    return "; ".join(reasons)
