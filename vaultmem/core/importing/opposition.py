"""Which of many statements contradicts a new one, without comparing it with each of them.

Two clauses contradict each other only where the words of one are among the words of the other
(`core.contradiction.same_action`). So a clause is looked up by one word of its own, for those that
say more, and by each of its words as the first one of those that say less.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from vaultmem.core.clauses import clauses_of
from vaultmem.core.contradiction import Contradiction, contradicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.clauses import Clause

T = TypeVar("T")


class Opposed(NamedTuple, Generic[T]):
    """What a new statement contradicts, and in which words."""

    known: T
    found: Contradiction


class Opposition(Generic[T]):
    """Statements that are in force, each with what the caller knows of it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: list[tuple[str, T]] = []
        self._first: dict[str, list[int]] = defaultdict(list)
        self._any: dict[str, list[int]] = defaultdict(list)

    def add(self, statement: str, known: T) -> None:
        """Take one more statement in."""
        clauses = clauses_of(statement)
        if not clauses:
            return
        place = len(self._known)
        self._known.append((statement, known))
        for clause in clauses:
            self._first[min(clause.bag, default="")].append(place)
            for word in clause.bag:
                self._any[word].append(place)

    def against(self, statement: str) -> Iterator[Opposed[T]]:
        """Those that contradict a new statement, in the order in which they were taken in."""
        places: set[int] = set()
        for clause in clauses_of(statement):
            places.update(self._near(clause))
        for place in sorted(places):
            text, known = self._known[place]
            if (found := contradicts(statement, text)) is not None:
                yield Opposed(known, found)

    def _near(self, clause: Clause) -> Iterator[int]:
        for word in ("", *clause.bag):
            yield from self._first.get(word, ())
        rarest = min(clause.bag, key=lambda word: len(self._any.get(word, ())), default="")
        yield from self._any.get(rarest, ())
