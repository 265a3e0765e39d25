"""What waits for a person beside the candidates, and the command that lists each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.output import count

if TYPE_CHECKING:
    from vaultmem.services.waiting import WhatWaits


def elsewhere(waits: WhatWaits, *, patches: bool = True) -> str:
    """One sentence; "" where nothing else waits.

    Args:
        waits: everything.
        patches: tell the patches, too.
    """
    parts = [
        f"{count(len(ids), noun, plural)} (`vaultmem {verb}`)"
        for ids, noun, plural, verb in (
            (waits.patches if patches else (), "patch", "patches", "patch list"),
            (waits.promotions, "promotion", "", "promote list"),
            (waits.questions, "question", "", "maintain inquiries"),
        )
        if ids
    ]
    return f"For you to decide as well: {', '.join(parts)}." if parts else ""
