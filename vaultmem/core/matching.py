"""What a candidate is to the memories that stand: new, the same, more of it, or against it.

The kinds are those of the governed memory that vaultmem follows. There, one shared tag made two
statements the same topic, and one tag and a "don't" replaced a memory. Here the words decide
(`core.likeness`): a key only tells how much likeness is enough, and `core.duplicate` has a veto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import in_project
from vaultmem.core.duplicate import same_text
from vaultmem.core.ids import short_id
from vaultmem.core.likeness import Known, MatchKind, known, relation
from vaultmem.core.model import Layer, Scope, Status
from vaultmem.core.standing import IN_USE
from vaultmem.core.topic import SUPERSEDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory

REVIEWED = frozenset((MatchKind.CONFLICT, MatchKind.SUPERSEDES, MatchKind.AMBIGUOUS))
"""The kinds that a person decides."""

REASONS: dict[MatchKind, str] = {
    MatchKind.NEW: "Nothing that is known says this.",
    MatchKind.DUPLICATE: "It says the same; once approved, its evidence counts there.",
    MatchKind.STRENGTHENS: "It supports what is known; compare the wording if it says more.",
    MatchKind.UPDATES: "It says more or something newer; compare the two wordings.",
    MatchKind.CONFLICT: "It says the opposite; keep one of the two, or add an exception.",
    MatchKind.SUPERSEDES: "It says that it replaces this; approve it if that is so.",
    MatchKind.AMBIGUOUS: "It fits several memories; say which one it is about, or merge them.",
}
"""What a match means and what to do next."""

IN_DOUBT = "It says what is contested; approve it to settle the doubt, or reject it."
"""The same where it is a duplicate of a contested memory."""

OPPOSITE = "It says the opposite of "
"""How the reason begins that names memories of another place."""

_PRECEDENCE = (
    MatchKind.SUPERSEDES,
    MatchKind.CONFLICT,
    MatchKind.DUPLICATE,
    MatchKind.UPDATES,
    MatchKind.STRENGTHENS,
)


class Match(NamedTuple):
    """What a candidate is, to which memories, and why in one sentence."""

    kind: MatchKind
    memories: tuple[MemoryId, ...]
    reason: str


def match(candidate: Memory, others: Iterable[Known]) -> Match:
    """What a candidate is to the memories that stand.

    An explicit "supersedes mem_…", as a tag or in the words, counts only for a memory that is there
    and holds in the same place. What a global memory and one of a narrower place say against each
    other is a conflict only where nothing of the same place fits: neither replaces the other.

    Args:
        candidate: the proposed memory.
        others: what is known; only active and contested memories count.
    """
    new = known(candidate)
    named = named_in(candidate)
    found: dict[MatchKind, list[MemoryId]] = {}
    elsewhere: list[MemoryId] = []
    doubtful: set[MemoryId] = set()
    for one in others:
        if one.memory.status not in IN_USE:
            continue
        if one.memory.status is Status.CONTESTED:
            doubtful.add(one.memory.id)
        if _opposes_elsewhere(new, one):
            elsewhere.append(one.memory.id)
        else:
            found.setdefault(_kind(new, one, named), []).append(one.memory.id)
    kind = next((one for one in _PRECEDENCE if one in found), MatchKind.NEW)
    if kind is MatchKind.NEW and elsewhere:
        return Match(MatchKind.CONFLICT, tuple(elsewhere), _elsewhere_reason(candidate, elsewhere))
    memories = tuple(found[kind]) if kind is not MatchKind.NEW else ()
    if len(memories) > 1 and kind is not MatchKind.CONFLICT:
        kind = MatchKind.AMBIGUOUS
    if kind is MatchKind.DUPLICATE and memories[0] in doubtful:
        return Match(kind, memories, IN_DOUBT)
    return Match(kind, memories, REASONS[kind])


def named_in(candidate: Memory) -> frozenset[str]:
    """The ids that a candidate says it supersedes, case folded."""
    texts = (*candidate.tags, candidate.statement)
    return frozenset(name.casefold() for text in texts for name in SUPERSEDES.findall(text))


def _kind(new: Known, old: Known, named: frozenset[str]) -> MatchKind:
    if new.scope == old.scope:
        explicit = old.memory.id.casefold() in named
        kind = MatchKind.SUPERSEDES if explicit else relation(new, old)
        return kind if kind in REVIEWED or not _rises(new, old) else MatchKind.NEW
    # A global memory holds everywhere, so also in a narrower place.
    covered = old.memory.scope is Scope.GLOBAL and same_text(new.statement, old.statement)
    return MatchKind.DUPLICATE if covered else MatchKind.NEW


def _rises(new: Known, old: Known) -> bool:
    """Whether an identity memory comes to stand beside a playbook one (docs/adr/0054).

    What says the same is then no repetition and no update: a person ratifies it as its own memory.
    """
    return new.memory.layer is Layer.IDENTITY and old.memory.layer is not Layer.IDENTITY


def _opposes_elsewhere(new: Known, old: Known) -> bool:
    """Whether a global memory and one of a narrower place contradict each other."""
    scopes = {new.memory.scope, old.memory.scope}
    if len(scopes) == 1 or Scope.GLOBAL not in scopes:
        return False
    wide, narrow = (new, old) if new.memory.scope is Scope.GLOBAL else (old, new)
    if in_project(narrow.memory.project or "") in wide.memory.exceptions:
        return False
    return relation(new, old) in (MatchKind.CONFLICT, MatchKind.SUPERSEDES)


def _elsewhere_reason(candidate: Memory, against: Sequence[MemoryId]) -> str:
    names = ", ".join(map(short_id, against))
    if candidate.scope is Scope.GLOBAL:
        return (
            f"{OPPOSITE}{names}, which holds in one place; approve it if it holds "
            "everywhere else, and edit that memory first if it is over."
        )
    return (
        f"{OPPOSITE}the global memory {names}; approve it if it holds here instead "
        "(elsewhere the global one goes on), or edit the global one if it is over."
    )
