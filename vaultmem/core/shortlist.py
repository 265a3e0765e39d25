"""Which of many statements could have to do with one: those that share its rarer words.

Comparing two statements closely takes longer than a thousand look-ups, and nearly all pairs have
nothing in common that tells anything; so only the nearest are compared.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

NEAREST = 40
"""How many statements are compared closely with one; as many as a contradiction is sought in."""


class Shortlist:
    """Statements by their telling words (`core.likeness.telling_stems`)."""

    def __init__(self) -> None:
        """Begin with none."""
        self._count = 0
        self._places: dict[str, list[int]] = defaultdict(list)

    def add(self, stems: AbstractSet[str]) -> int:
        """Take a statement in; its place counts from 0."""
        for stem in stems:
            self._places[stem].append(self._count)
        self._count += 1
        return self._count - 1

    def nearest(self, stems: AbstractSet[str]) -> list[int]:
        """The places, in their order, of at most `NEAREST` statements that share a word.

        A word counts the more the fewer statements have it; of equal ones the older come first.
        """
        weights: dict[int, float] = defaultdict(float)
        for stem in sorted(stems):
            places = self._places.get(stem, ())
            for place in places:
                weights[place] += 1 / len(places)
        return sorted(nsmallest(NEAREST, weights, key=lambda place: (-weights[place], place)))
