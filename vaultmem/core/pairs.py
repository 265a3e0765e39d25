"""Which of many statements are near enough to be compared, without comparing each with each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.words import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NEAR = 0.4
"""The share of the shorter one's words from which two statements are compared; it is the least
that `core.likeness` asks for (`ABOUT`)."""
RAREST = 4
"""How many of its rarest words bring a statement together with others. Two that share 0.85 of their
words meet up to 26 words, two that are only near up to six; longer ones may be missed."""
CROWDED = 100
"""Statements with a word beyond which the word says nothing; only the first so many are met."""


class Pair(NamedTuple):
    """Two places in the list, the earlier one first."""

    first: int
    second: int


def near_pairs(statements: Sequence[frozenset[str]]) -> Iterator[Pair]:
    """The pairs of statements that share enough of their words, each once.

    The time is bounded by `RAREST * CROWDED` comparisons a statement, however many there are.

    Args:
        statements: the words of each, as `core.likeness.telling_stems` gives them.
    """
    having: dict[str, list[int]] = {}
    for place, stems in enumerate(statements):
        for stem in stems:
            having.setdefault(stem, []).append(place)
    met: set[Pair] = set()
    for place, stems in enumerate(statements):
        rarest = sorted(stems, key=lambda stem: (len(having[stem]), stem))[:RAREST]
        for other in sorted({one for stem in rarest for one in having[stem][:CROWDED]} - {place}):
            pair = Pair(min(place, other), max(place, other))
            if pair not in met and share(stems, statements[other]) >= NEAR:
                met.add(pair)
                yield pair
