"""Fill in where memories came from, as far as recorded evidence knows it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Polarity, is_intact
from vaultmem.core.notebook.dream_proposals import may_touch, origin
from vaultmem.core.patch_rules import Applier
from vaultmem.services import evidence
from vaultmem.services.apply import apply_all
from vaultmem.services.diagnosing.examined import load_live
from vaultmem.services.notebook.dreaming.told import tell, was_told
from vaultmem.services.promoting.proposing import is_sure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.notebook.dream_proposals import DreamProposal
    from vaultmem.services.call import Call

VIA = "dream"
MOST = 20
"""Memories of one dream: each is told to the person once it was applied; our own."""


def origins(call: Call) -> tuple[DreamProposal, ...]:
    """The sessions of memories that name none, by the first recorded piece that they cite."""
    live, _ = load_live(call)
    found = [
        one.decoded.memory
        for one in live
        if one.decoded.memory.source_session is None and may_touch(one.decoded.memory)
    ]
    cited = {one.id: evidence.cited(one.evidence) for one in found}
    wanted = [piece for ids in cited.values() for piece in ids]
    pieces = {one.id: one for one in evidence.find(call, wanted)}
    recorded = evidence.checks(call).recorded
    made = []
    for memory in found:
        heard = [
            piece
            for piece in map(pieces.get, cited[memory.id])
            if piece is not None
            and piece.session
            and piece.polarity is Polarity.SUPPORTS
            and is_intact(piece)
            and recorded(piece.id)
        ]
        if heard:
            first = min(heard, key=lambda piece: (piece.created or datetime.max, piece.id))
            made.append(origin(memory, str(first.session)))
    new = (one for one in made if not was_told(call, one.about[0], one.mark))
    return tuple(new)[:MOST]


def apply_origins(call: Call, proposals: Sequence[DreamProposal]) -> int:
    """Let policy fill in those that it may by the settings; how many it did.

    A note that somebody is writing in is left for the next dream.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `services.apply.apply`.
    """
    sure = [one for one in proposals if (memory := one.steps[0][1]) and is_sure(call, memory)]
    if not sure:
        return 0
    done = apply_all(call, [one.steps[0] for one in sure], applier=Applier.POLICY, via=VIA)
    applied = {one.memory for one in done.applied}
    for one in sure:
        if one.about[0] in applied:
            tell(call, one.about[0], one.mark)
    return len(applied)
