"""Write into candidates for how long they were meant; nothing is applied because of that."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.inert import inert_value
from vaultmem.core.notebook.dream import Lasts, Sorted
from vaultmem.core.notebook.dream_proposals import review_mark
from vaultmem.core.trust import PASSING, Durability
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.curating.explain_held import CHECKED
from vaultmem.services.curating.proposals import as_written, proposals_of
from vaultmem.services.notebook.dreaming.origins import VIA
from vaultmem.services.notebook.dreaming.told import tell
from vaultmem.services.write import Write, write_notes
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting


def record_durable(
    call: Call, verdicts: Mapping[str, Sorted], candidates: Mapping[str, Waiting]
) -> tuple[str, ...]:
    """Record what lasts, and remember what the model cannot tell; the ids of what lasts.

    A candidate in whose note somebody is writing is sorted again by the next dream.

    Args:
        call: the circumstances; policy acts.
        verdicts: what the model said, by the short ids; silence means that it cannot tell.
        candidates: what it was shown, likewise.
    """
    durable: list[str] = []
    for name, one in candidates.items():
        said = verdicts.get(name, Sorted(name, Lasts.UNSURE, ""))
        if said.lasts is Lasts.UNSURE:
            tell(call, one.id, review_mark(one.candidate.memory))
        elif (lasts := said.lasts.durability) and _record(call, one, lasts, said.reason):
            tell(call, one.id, review_mark(one.candidate.memory))
            durable.append(one.id)
    return tuple(durable)


def _record(call: Call, one: Waiting, lasts: Durability, reason: str) -> bool:
    try:
        changed_ns = stat_of(call.vault.path, one.path)[0]
    except OSError:
        return False
    if not call.is_quiet(changed_ns) or not as_written(call, one.id, one.data):
        return False
    sentence = f"A dream found that it lasts ({lasts.value}). {reason}".strip()
    changes: dict[str, object] = {"reasons": [*one.candidate.reasons, inert_value(sentence)]}
    if _says_nothing(call, one):
        changes["durability"] = lasts.value
    with suppress(NoteError, *CANNOT_WRITE):
        data = set_properties(one.data, changes)
        by, keys = call.actor.value, " ".join(changes)
        write_notes(call, [Write(one.path, data, one.etag, one.id, CHECKED, by, VIA, keys)])
        return True
    return False


def _says_nothing(call: Call, one: Waiting) -> bool:
    """Whether the note's word on durability cannot let anything be applied by itself.

    It never counts for more than the best evidence shows, so where no evidence is of a lasting kind
    it may stand in the note. Where some is, the note's "unknown" holds policy back, and a model's
    word must not take that away. A candidate of an older store must stay without any claim.
    """
    (proposal,) = proposals_of(call, [one])
    lasting = set(Durability) - PASSING - {Durability.UNKNOWN}
    heard = {piece.durability for piece in proposal.evidence}
    return lasting.isdisjoint(heard) and not proposal.legacy
