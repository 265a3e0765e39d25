"""The proposal of a knowledge note that a patch makes; few patches do, and only they import it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.promotion import Promoted
from vaultmem.core.promotion_words import Destination
from vaultmem.notes.promotion import encode_promotion
from vaultmem.services.promoting.build import build
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.promoting.lines import PROPOSED
from vaultmem.services.promoting.proposals import place_of_proposal, tell
from vaultmem.services.write import Write

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call
    from vaultmem.services.patching.case import Case


def promotion_place(call: Call, memory: Memory) -> str:
    """Where the note will lie."""
    return place_of_proposal(call, Destination.VAULT_REF, memory)


def promotion_write(call: Call, case: Case, path: str, *, by: str, via: str) -> Write:
    """The note that proposes a knowledge note for a memory, with its statement and evidence."""
    promotion = _promotion_of(call, case)
    return Write(path, encode_promotion(promotion), None, promotion.id, "created", by, via)


def tell_promotion(call: Call, case: Case, memory: Memory, *, by: str, via: str) -> None:
    """Sign that it was proposed, once its note is written."""
    tell(call, PROPOSED, _promotion_of(call, case), memory.id, by=by, via=via)


def _promotion_of(call: Call, case: Case) -> Promotion:
    """The proposal that an operation makes, whatever speaks against it; the checks tell that."""
    memory, operation = case.memory, case.operation
    if memory is None or case.target is None:
        raise ValueError(operation.id)
    form = Promoted(Destination.VAULT_REF, operation.reason)
    heard = heard_of(call, [memory])[memory.id]
    return build(call, memory, case.target.row.path, form, heard)
