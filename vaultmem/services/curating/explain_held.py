"""Say in the notes of candidates that wait why they wait, where that has changed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.drafting import HOLD
from vaultmem.core.ids import with_prefix
from vaultmem.core.inert import inert_value
from vaultmem.core.matching import IN_DOUBT, OPPOSITE, REASONS
from vaultmem.core.naming import title_of
from vaultmem.core.verification import NEXT_STEP
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.call import Actor
from vaultmem.services.curating.proposals import as_written
from vaultmem.services.write import Write, write_notes
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.drafting import Held
    from vaultmem.core.ids import MemoryId
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting

_GENERAL = frozenset(
    map(inert_value, (*HOLD.values(), *NEXT_STEP.values(), *REASONS.values(), IN_DOUBT))
)
"""What the checks say of any candidate; they say it anew each time."""

CHECKED = "checked"
"""The act of the ledger line: the checks' words were renewed, nothing that was proposed."""


def explain_held(call: Call, held: Iterable[Held], candidates: Mapping[str, Waiting]) -> None:
    """Renew `verification`, `reasons` and `matched` of candidates that wait.

    What the checks said is renewed. A reason of the candidate's own, such as an import or a dream
    gave it, stays and goes first: no check knows it.

    A note that somebody changed is left alone, because our signature under it would vouch for what
    they wrote; so is one that changed within two minutes, unless a person typed the command. A note
    that cannot be written now is explained the next time.
    """
    for one in held:
        waiting = candidates[one.candidate]
        changes = _changes(call, one, waiting)
        if changes and _may_write(call, waiting):
            with suppress(NoteError, *CANNOT_WRITE):
                data = set_properties(waiting.data, changes)
                by, keys = call.actor.value, " ".join(changes)
                write = Write(
                    waiting.path, data, waiting.etag, waiting.id, CHECKED, by, "curate", keys
                )
                write_notes(call, [write])


def _may_write(call: Call, one: Waiting) -> bool:
    if not as_written(call, one.id, one.data):
        return False
    if call.actor is Actor.PERSON:
        return True
    try:
        changed_ns = stat_of(call.vault.path, one.path)[0]
    except OSError:
        return False
    return call.is_quiet(changed_ns)


def _changes(call: Call, held: Held, one: Waiting) -> dict[str, object]:
    """The properties that say something else now."""
    was = one.candidate
    stated = tuple(map(inert_value, was.reasons))
    own = tuple(filter(_is_its_own, stated))
    reasons = tuple(dict.fromkeys((*own, *map(inert_value, held.sentences))))
    # A reason of its own may be about the memory that the note names.
    kept = was.matched if own and not held.memories else ()
    links = kept or tuple(_link(call, identifier) for identifier in held.memories)
    changes: dict[str, object] = {}
    if held.outcome is not None and was.verification != held.outcome:
        changes["verification"] = str(held.outcome)
    if stated != reasons:
        changes["reasons"] = list(reasons)
    if was.matched != links:
        changes["matched"] = list(links) or None
    return changes


def _is_its_own(reason: str) -> bool:
    """Whether no check says this of a candidate."""
    return reason not in _GENERAL and not reason.startswith(OPPOSITE)


def _link(call: Call, identifier: MemoryId) -> str:
    """The note of a memory, or of the candidate that would make it."""
    row = call.vault.baseline.memory(identifier)
    if row is not None:
        return f"[[{title_of(row.path)}]]"
    others = call.vault.baseline.notes_with_id(with_prefix(identifier, "cand"))
    return f"[[{title_of(others[0].path)}]]" if others else identifier
