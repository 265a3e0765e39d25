"""Takes away the proposals of memories that are out of use; nobody can decide anything there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.promotion_words import PromotionStatus
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.services.curating.proposals import as_written
from vaultmem.services.inquiring.notes import may_write
from vaultmem.services.promoting.lines import WITHDRAWN, is_out_of_use, said
from vaultmem.services.promoting.proposals import VIA, memory_id_of, proposals, tell
from vaultmem.store.files import remove_file

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.promoting.opened import Opened


def withdraw(call: Call) -> tuple[str, ...]:
    """Withdraw each proposal whose memory is out of use; the caller holds the lock.

    A signed line says so. It is no decision: where the memory comes back, the same is proposed
    anew. A note in which somebody wrote, or that cannot be taken away now, stays.

    Returns:
        The ids of the proposals.
    """
    done: list[str] = []
    for one in proposals(call):
        memory = memory_id_of(call, one)
        if is_out_of_use(call, memory) and _is_untouched(call, one):
            with suppress(NoteError, *CANNOT_WRITE):
                by = call.by_policy().actor.value
                tell(call, WITHDRAWN, one.promotion, memory, by=by, via=VIA)
                remove_file(call.vault.path, one.path, expected=one.etag)
                call.vault.baseline.drop_note(one.path)
                done.append(one.id)
    return tuple(done)


def _is_untouched(call: Call, one: Opened) -> bool:
    waits = said(call, one.id).status is PromotionStatus.PROPOSED
    return waits and as_written(call, one.id, one.data) and may_write(call, one.path)
