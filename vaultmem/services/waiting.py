"""What waits for the person's decision: candidates, patches, promotions, open questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.core.inquiry import InquiryStatus
from vaultmem.core.place import Kind
from vaultmem.core.wording import count
from vaultmem.services.inquiring.notes import by_id
from vaultmem.services.promoting.lines import DECIDED, is_out_of_use, said

if TYPE_CHECKING:
    from vaultmem.services.call import Call


class WhatWaits(NamedTuple):
    """The ids of everything that waits, each kind sorted."""

    candidates: tuple[str, ...]
    patches: tuple[str, ...]
    promotions: tuple[str, ...]
    questions: tuple[str, ...]

    def elsewhere(self, *, patches: bool = True) -> str:
        """What waits beside the candidates, with the command that lists it; "" for nothing.

        Args:
            patches: tell the patches, too.
        """
        parts = [
            f"{count(len(ids), noun, plural)} (`vaultmem {verb}`)"
            for ids, noun, plural, verb in (
                (self.patches if patches else (), "patch", "patches", "patch list"),
                (self.promotions, "promotion", "", "promote list"),
                (self.questions, "question", "", "maintain inquiries"),
            )
            if ids
        ]
        return f"For you to decide as well: {', '.join(parts)}." if parts else ""

    @property
    def no_candidate(self) -> str:
        """What is said where no candidate waits."""
        rest = self.elsewhere()
        return f"No candidate waits. {rest}" if rest else "Nothing waits for you."


def what_waits(call: Call) -> WhatWaits:
    """Look at the baseline, which must be up to date; only open questions are read from notes."""
    asked = by_id(call)
    return WhatWaits(
        candidates=_ids(call, Kind.CANDIDATE, "cand"),
        patches=_ids(call, Kind.PATCH, "patch"),
        promotions=open_promotions(call),
        questions=tuple(
            sorted(name for name, one in asked.items() if one.inquiry.status is InquiryStatus.OPEN)
        ),
    )


def open_promotions(call: Call) -> tuple[str, ...]:
    """The ids of the proposed promotions that wait, sorted; from the baseline alone."""
    ids = _ids(call, Kind.PROMOTION, "prom")
    return tuple(one for one in ids if _is_open(call, one))


def _is_open(call: Call, promotion: str) -> bool:
    one = said(call, promotion)
    return one.status not in DECIDED and not is_out_of_use(call, one.memory)


def _ids(call: Call, kind: Kind, prefix: str) -> tuple[str, ...]:
    rows = call.vault.baseline.notes(kind=kind.value)
    return tuple(sorted({row.id for row in rows if row.id and is_id(row.id, prefix)}))
