"""What the diagnostics ask of the memories together: each check is a function in `CHECKS`.

A finding names memories by their whole ids and never by what they say, so that it may be saved.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.likeness import Known, MatchKind, known, relation
from vaultmem.core.model import Status
from vaultmem.core.normal import statement_key
from vaultmem.core.pairs import near_pairs
from vaultmem.core.selection import caution, is_hard_rule, is_over
from vaultmem.core.standing import IN_USE
from vaultmem.services.diagnosing.succession import deleted_at, linked_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.diagnosing.examined import Examined
    from vaultmem.services.lookup import FoundMemory

MOST_PAIRS = 20_000
"""Near pairs that one diagnosis compares word by word: a few seconds."""

_OUT_OF_USE = (Status.DEPRECATED, Status.DELETED)
_OPPOSED = (MatchKind.CONFLICT, MatchKind.SUPERSEDES)


def check_succession(call: Call, seen: Examined) -> Iterator[Finding]:
    """What replaced a memory and what was replaced name each other, and only one is in force."""
    by_id = {one.row.id: one for one in seen.memories}
    older = {one.row.id: linked_ids(call, one.decoded.memory.supersedes) for one in seen.memories}
    newer = {
        one.row.id: linked_ids(call, one.decoded.memory.superseded_by) for one in seen.memories
    }
    for one in seen.memories:
        memory, identifier = one.decoded.memory, one.row.id
        for other in () if memory.status in _OUT_OF_USE else older[identifier]:  # taken back
            if other in by_id and identifier not in newer[other]:
                text = f"{identifier} names {other} as replaced, and {other} does not say so."
                yield finding("VM701", text, path=by_id[other].row.path)
        for other in newer[identifier]:
            if other in by_id and identifier not in older[other]:
                text = f"{identifier} names {other} as its successor, and {other} does not say so."
                yield finding("VM701", text, path=by_id[other].row.path)
        if memory.status is Status.SUPERSEDED and not by_id.keys() & newer[identifier]:
            text = f"{identifier} is superseded, and no successor is there."
            yield finding("VM702", text, path=one.row.path)
        elif memory.status is Status.SUPERSEDED and _comes_back(identifier, newer):
            text = f"{identifier} is superseded, and its successors lead back to itself."
            yield finding("VM702", text, path=one.row.path)
        if memory.status in IN_USE and newer[identifier]:
            text = f"{identifier} was replaced by {newer[identifier][0]} and is still in force."
            yield finding("VM703", text, path=one.row.path)


def _comes_back(identifier: str, newer: Mapping[str, Sequence[str]]) -> bool:
    """Whether who follows the successors of a memory meets it again."""
    seen: set[str] = set()
    left = [*newer[identifier]]
    while left:
        one = left.pop()
        if one == identifier:
            return True
        if one not in seen:
            seen.add(one)
            left += newer.get(one, ())
    return False


def check_tombstones(call: Call, seen: Examined) -> Iterator[Finding]:
    """What was deleted is not in force."""
    for one in seen.memories:
        if one.decoded.memory.status in IN_USE and deleted_at(call, one.row.id):
            yield finding(
                "VM751",
                f"{one.row.id} was deleted, and it is in force.",
                path=one.row.path,
                remedy=f"Run `vaultmem ratify {one.row.id}` if it should be remembered after all; "
                "else delete the note.",
            )


def check_force(call: Call, seen: Examined) -> Iterator[Finding]:
    """Contested memories that would be hard rules: worth a decision."""
    del call
    for one in seen.memories:
        settled = one.standing._replace(status=Status.ACTIVE.value, force=1)
        if one.decoded.memory.status is Status.CONTESTED and is_hard_rule(settled):
            text = f"{one.row.id} is contested and has the form of a hard rule."
            yield finding("VM753", text, path=one.row.path)


def check_time(call: Call, seen: Examined) -> Iterator[Finding]:
    """Memories whose time is over while their status says otherwise."""
    for one in seen.memories:
        if caution(one.standing, call.seconds) in ("expired", "no_longer_valid"):
            text = f"The time of {one.row.id} is over, and its status is still active."
            yield finding("VM754", text, path=one.row.path)


def check_likeness(call: Call, seen: Examined) -> Iterator[Finding]:
    """Active memories that mean the same, or that contradict each other, in the same place."""
    active = [
        one
        for one in seen.memories
        if one.decoded.memory.status is Status.ACTIVE and not is_over(one.standing, call.seconds)
    ]
    ready = [known(one.decoded.memory) for one in active]
    pairs = near_pairs([one.stems for one in ready])
    for first, second in islice(pairs, MOST_PAIRS):
        code = _likeness(ready[first], ready[second])
        if code:
            yield _of_pair(code, active[first], active[second])
    if next(pairs, None) is not None:
        yield finding("VM733", f"More than {MOST_PAIRS} pairs of memories are alike.")


def _likeness(one: Known, other: Known) -> str:
    """The code of what two memories are to each other, "" where they may stand side by side."""
    if one.scope != other.scope:
        return ""  # in a narrower place it is an exception
    kinds = {relation(one, other), relation(other, one)}
    if not kinds.isdisjoint(_OPPOSED):
        return "VM732"
    same_words = statement_key(one.statement) == statement_key(other.statement)
    alike = MatchKind.DUPLICATE in kinds and one.memory.category is other.memory.category
    return "VM731" if alike and not same_words else ""  # the same words are VM331


def _of_pair(code: str, one: FoundMemory, other: FoundMemory) -> Finding:
    older, newer = sorted((one, other), key=lambda memory: (memory.standing.created, memory.row.id))
    says = "contradicts" if code == "VM732" else "means the same as"
    return finding(code, f"{newer.row.id} {says} {older.row.id}.", path=newer.row.path)


CHECKS = (
    check_succession,
    check_tombstones,
    check_force,
    check_time,
    check_likeness,
)
