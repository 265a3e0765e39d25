"""The memories in force that some candidates could have to do with, out of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.likeness import telling_stems
from vaultmem.core.matching import named_in
from vaultmem.core.selection import is_over
from vaultmem.core.shortlist import Shortlist
from vaultmem.core.standing import IN_USE
from vaultmem.services.lookup import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call


def neighbours(call: Call, candidates: Sequence[Memory]) -> list[Memory]:
    """The standing memories that share telling words with a candidate, or that one names.

    Only the baseline's rows are compared; the notes of those that are near are then read whole.
    """
    if not candidates:
        return []
    known = [
        one
        for one in call.vault.baseline.standings()
        if one.status in IN_USE and not is_over(one, call.seconds)
    ]
    words = Shortlist()
    for one in known:
        words.add(telling_stems(one.statement))
    wanted = {
        known[place].id
        for candidate in candidates
        for place in words.nearest(telling_stems(candidate.statement))
    }
    named = {name for candidate in candidates for name in named_in(candidate)}
    wanted |= {one.id for one in known if one.id.casefold() in named}
    rows = (call.vault.baseline.memory(identifier) for identifier in sorted(wanted))
    return [load(call, row).decoded.memory for row in rows if row is not None]
