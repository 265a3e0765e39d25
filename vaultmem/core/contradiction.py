"""Whether a new text permits what a memory forbids, or forbids what it permits."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.core.clauses import Clause, clauses_of


class Contradiction(NamedTuple):
    """Two clauses of opposite polarity about the same action, and the stems that they share."""

    new: str
    existing: str
    shared: tuple[str, ...]


def contradicts(new: str, existing: str) -> Contradiction | None:
    """The first pair of clauses in which the two texts contradict each other, or None.

    A conflict is opposite permission of the same action: the verb and what it acts on agree, and
    the circumstances of one include those of the other. A narrower clause is an exception, no
    conflict, unless the wider one says "always" or forbids. Quoted text has no polarity. Symmetric
    but for the order of the two clauses.
    """
    for one in clauses_of(new):
        for other in clauses_of(existing):
            if one.permits != other.permits and same_action(one, other):
                return Contradiction(one.text, other.text, tuple(sorted(one.bag & other.bag)))
    return None


def same_action(one: Clause, other: Clause) -> bool:
    """Whether two clauses of opposite polarity are about one action in one circumstance."""
    if one.bag == other.bag:
        return not (_spared(one, other) or _spared(other, one))
    if one.bag < other.bag:
        return _covers(one, other)
    if other.bag < one.bag:
        return _covers(other, one)
    return False


def _covers(wide: Clause, narrow: Clause) -> bool:
    """Whether the wide clause leaves no room for the narrow one."""
    return (
        wide.universal
        and (not wide.permits or len(wide.bag - {wide.verb}) > 0)
        and (wide.verb == narrow.verb or not wide.verb or not narrow.verb)
        and not _spared(wide, narrow)
    )


def _spared(wide: Clause, narrow: Clause) -> bool:
    """Whether the narrow clause speaks of what the wide one excepts."""
    return any(except_for <= narrow.bag - narrow.late for except_for in wide.exceptions)
