"""Cards of other devices that came with a sync: they begin a rewrite as this device's own do.

A sync notes down which session notes are new or changed, and looks at them at its end: one whose
card goes further than the last rewrite knew of it is new input, which no cooldown and no earlier
failure holds up.
"""

from __future__ import annotations

from contextlib import closing, suppress
from datetime import UTC
from typing import TYPE_CHECKING

from vaultmem.errors import CANNOT_WRITE, BusyError, NoteError, UnsafePathError, VaultError
from vaultmem.notes.session import decode_session
from vaultmem.services.notebook.session_notes import ARRIVED, is_external
from vaultmem.store.files import read_note
from vaultmem.store.notebook.catalog import NotebookCatalog

if TYPE_CHECKING:
    from vaultmem.core.notebook.card import Card
    from vaultmem.services.call import Call


def take_in_arrived(call: Call) -> None:
    """Let the next rewrite begin with what came; where it cannot be told now, a later sync does.

    The caller holds the lock and no transaction.
    """
    baseline = call.vault.baseline
    paths = [path for path in baseline.meta(ARRIVED).split("\n") if path]
    if not paths:
        return
    cards = [card for path in paths if (card := _card(call, path)) is not None]
    try:
        _tell(call, cards)
    except (*CANNOT_WRITE, BusyError, VaultError):
        return
    baseline.set_meta(ARRIVED, "")


def _card(call: Call, path: str) -> Card | None:
    """The card of a note, where it can be read and its project is on here.

    What this device writes itself does not come with a sync.
    """
    row = call.vault.baseline.note(path)
    with suppress(NoteError, UnsafePathError):
        data = read_note(call.vault.path, path)
        card = decode_session(data, call.now.tzinfo or UTC, path=path).card
        if (
            card is not None
            and row is not None
            and card.project.casefold() in call.vault.notebook
            and not is_external(call, row.id, data)
        ):
            return card
    return None


def _tell(call: Call, cards: list[Card]) -> None:
    with closing(NotebookCatalog(call.vault.state.folder)) as catalog:
        known = catalog.cards.selected() if cards else {}
        if any(known.get(card.session, 0.0) < card.watermark for card in cards):
            catalog.jobs.mark_dirty(call.now.timestamp())
