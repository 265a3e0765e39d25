"""Cards for tests of the notebook's state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.notebook.card import Card
from vaultmem.core.notebook.stem import card_stem

if TYPE_CHECKING:
    from typing import Any

DEVICE = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W5"
NOW = 1_764_500_000.25


def card(session: str = "s1", **changes: Any) -> Card:
    """A card of a session that ended a day ago; `changes` are fields of it."""
    made = Card(
        session=session,
        device=DEVICE,
        project="host/me/app",
        cwd="/home/mel/app",
        branch="main",
        file=f"/home/mel/.pi/{session}.jsonl",
        watermark=NOW - 86_400,
        slug="fix_build",
        stem="",
        summary="The build was fixed.",
        card="Task: fix the build.\n- success: the user said so",
        made=NOW - 3600,
    )
    made = replace(made, **changes)
    return replace(made, stem=changes.get("stem") or card_stem(session, made.watermark, made.slug))
