"""What stops a text on its way to a memory: the guards, then the memories that it contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.contradiction import contradicts
from vaultmem.core.finding import Finding, finding
from vaultmem.core.guards import (
    TextRefusal,
    first_refusal,
    refuse_contradiction,
    refuse_secret,
)
from vaultmem.core.ids import short_id
from vaultmem.core.inert import clean
from vaultmem.core.selection import is_over
from vaultmem.index.hybrid import Mode
from vaultmem.services.capturing.secret_scan import refuse_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.contradiction import Contradiction
    from vaultmem.core.model import Memory
    from vaultmem.core.standing import Standing
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

CANDIDATES = 40
"""Memories that share the most words with a text; only such can contradict it."""


class Conflict(NamedTuple):
    """A memory in force that says the opposite of a new statement about the same action."""

    known: Standing
    found: Contradiction

    def refusal(self, *, overridden: bool) -> TextRefusal | None:
        """Why the new statement is not remembered; None where the user overrode an unpinned one."""
        return refuse_contradiction(
            self.found,
            identifier=short_id(self.known.id),
            pinned=bool(self.known.pinned),
            overridden=overridden,
        )


def refused(memory: Memory, raw: str, *others: str) -> Finding | None:
    """What the guards say of a memory, or None; a secret is looked for in every field.

    Args:
        memory: what would be remembered.
        raw: the text as it came; hidden characters in it could hide a secret from its clean form.
        others: what would be written beside it, such as where it was said.
    """
    if refusal := refuse_fields(raw, *texts_of(memory), *others):
        return as_finding(refusal)
    for text in dict.fromkeys((memory.statement, raw)):
        if refusal := first_refusal(text, scope=memory.scope):
            return as_finding(refusal)
    return None


def texts_of(memory: Memory) -> tuple[str, ...]:
    """Every text of a memory in which a secret could stand."""
    single = (
        memory.statement,
        memory.project,
        memory.change_condition,
        memory.vault_ref,
        memory.trigger,
        memory.action,
        memory.verifier,
    )
    many = (
        memory.tags,
        memory.domains,
        memory.applies_when,
        memory.not_when,
        memory.exceptions,
        memory.informs,
    )
    return tuple(dict.fromkeys([*filter(None, single), *(text for row in many for text in row)]))


def as_finding(refusal: TextRefusal) -> Finding:
    """A refusal as what `add` answers."""
    return finding(refusal.code, refusal.sentence, remedy=refusal.remedy)


def nearby(call: Call, engine: SearchEngine, statement: str) -> list[Standing]:
    """The memories in force that share the most words with a text; the engine is up to date."""
    found = engine.search(statement, mode=Mode.KEYWORD, limit=CANDIDATES)
    known = (call.vault.baseline.standing(hit.id) for hit in found.hits if hit.id)
    return [one for one in known if one is not None and not is_over(one, call.seconds)]


def conflict_among(known: Iterable[Standing], memory: Memory) -> Conflict | None:
    """The one of these memories that a new one contradicts; a pinned one before any other."""
    conflicts = list(_conflicts(known, memory))
    return min(conflicts, key=lambda one: (not one.known.pinned, one.known.id), default=None)


def held_back(call: Call, memory: Memory, *, new: bool) -> Finding | None:
    """Why a note that the person wrote is not in force until they decide; None if it is.

    A secret holds back every version. A new note is also held by a pinned memory that it
    contradicts; an edit is the person's word about that memory, and stands.
    """
    for text in texts_of(memory):
        if refusal := refuse_secret(text) or refuse_secret(clean(text).text):
            return as_finding(refusal)
    if not new:
        return None
    known = call.vault.baseline.standings()
    pinned = (one for one in known if one.pinned and not is_over(one, call.seconds))
    against = next(iter(_conflicts(pinned, memory)), None)
    refusal = against.refusal(overridden=False) if against is not None else None
    return as_finding(refusal) if refusal is not None else None


def _conflicts(known: Iterable[Standing], memory: Memory) -> Iterable[Conflict]:
    for one in known:
        if one.status != "active" or one.project not in ("", memory.project or ""):
            continue
        found = contradicts(memory.statement, one.statement)
        if found is not None:
            yield Conflict(one, found)
