"""The notes of sessions: written and deleted by the device that owns them, read from all devices.

The catalog of a device says which of its notes are due; what a crash or an open editor keeps from
being done is due until the next look.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.ids import hashed_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.naming import name_key
from vaultmem.core.notebook.card import with_tilde
from vaultmem.core.notebook.settings import DAY_SECONDS
from vaultmem.core.place import SESSIONS, Kind
from vaultmem.errors import (
    CANNOT_WRITE,
    NoteChangedError,
    NoteError,
    NoteNotFoundError,
    UnsafePathError,
)
from vaultmem.notes.codec import finding_of
from vaultmem.notes.session import decode_session, encode_session, update_session
from vaultmem.services.call import Actor
from vaultmem.services.notebook.session_notes import is_external
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, lines_of_bytes, other_devices
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.card import Card
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow
    from vaultmem.store.notebook.catalog import NotebookCatalog

VIA = "notebook"
"""The verb of the ledger lines."""
_AGAIN_SECONDS = DAY_SECONDS
"""How often a note is written again only because its card was used, at most."""


class CardNotes(NamedTuple):
    """Every card that can be read, and what is wrong with the others."""

    cards: tuple[Card, ...]
    findings: tuple[Finding, ...]


class _Own(NamedTuple):
    """A note of this device as it is on disk."""

    row: NoteRow
    data: bytes


def cards_of_all_devices(call: Call) -> tuple[Card, ...]:
    """The cards of all devices by session; of a session that two tell of, the newest one.

    They are as their notes tell them: `NotebookCatalog.cards.with_uses` adds what this machine
    counted since. The baseline must be up to date.
    """
    newest: dict[str, Card] = {}
    for card in read_cards(call).cards:
        known = newest.get(card.session)
        if known is None or _rank(call, known) < _rank(call, card):
            newest[card.session] = card
    return tuple(newest[session] for session in sorted(newest))


def read_cards(call: Call) -> CardNotes:
    """Read every session note of the vault; one that is broken is a finding.

    What an agent or another program wrote there is not read. The baseline must be up to date.
    """
    cards: list[Card] = []
    findings: list[Finding] = []
    for row in call.vault.baseline.notes(kind=Kind.SESSION.value):
        try:
            data = read_note(call.vault.path, row.path)
            decoded = decode_session(data, _zone(call), path=row.path)
        except NoteError as error:
            findings.append(finding_of(error, row.path))
            continue
        except UnsafePathError as error:
            findings.append(finding("VM951", str(error), path=row.path))
            continue
        findings += decoded.findings
        if decoded.card is not None and not is_external(call, row.id, data):
            cards.append(decoded.card)
    return CardNotes(tuple(cards), tuple(findings))


def settle_notes(call: Call, catalog: NotebookCatalog) -> tuple[Finding, ...]:
    """Bring the notes of this device's cards up to its catalog, and a new catalog up to the notes.

    To be called before sessions are looked at and after cards changed; the baseline must be up to
    date. What cannot be written now is a finding, and is written by a later call.

    Raises:
        BusyError: if another process writes to the vault or to the catalog for long.
        ReadOnlyError, DiskFailedError, VaultError: as `NotebookCatalog`.
    """
    now = call.now.timestamp()
    findings = list(_restored(call, catalog, now))
    for session in catalog.cards.dropped():
        with _telling(findings):
            if drop_card(call, session):
                catalog.cards.forgotten(session)
    for card in catalog.cards.unwritten(now - _AGAIN_SECONDS):
        with _telling(findings):
            if write_card(call, card):
                catalog.cards.written(card, now)
    return tuple(findings)


def write_card(call: Call, card: Card) -> bool:
    """Write the note of a card of this device, or bring it up to a new version.

    False where somebody changed the note within two minutes; then it is left alone.

    Raises:
        ValueError: the card is another device's, or its session's id could not stand in a name.
        NoteError, UnsafePathError: if its note is broken, or was changed meanwhile.
        ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    if card.device != call.vault.device:
        raise ValueError(f"the card of {card.session} is {card.device}'s")
    identifier, zone = _identifier(call, card.session), _zone(call)
    by = call.actor.value
    card = replace(card, cwd=with_tilde(card.cwd, os.path.expanduser("~")))  # noqa: PTH111  (text)
    with call.vault.lock():
        for row, data in _own(call, card.session):
            if not _may_write(call, row, data):
                return False
            new = update_session(data, card, zone, path=row.path)
            if new != data:
                write = Write(row.path, new, etag_of(data), identifier, "edited", by, VIA)
                write_notes(call, [write])
            return True
        path = _free_path(call, card, identifier)
        data = encode_session(card, identifier, zone)
        write_notes(call, [Write(path, data, None, identifier, "created", by, VIA)])
    return True


def drop_card(call: Call, session: str) -> bool:
    """Delete the note of a card of this device, with a ledger line.

    False where somebody changed the note within two minutes; then it is left alone.

    Raises:
        NoteError, UnsafePathError: if the note cannot be read, or was changed meanwhile.
        ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    identifier = _identifier(call, session)
    with call.vault.lock():
        for row, data in _own(call, session):
            if not _may_write(call, row, data):
                return False
            line = entry(call, "removed", identifier, {"by": call.actor.value, "via": VIA})
            call.vault.append(LedgerKind.ACTIVITY, [line])
            remove_file(call.vault.path, row.path, expected=etag_of(data))
            call.vault.baseline.drop_note(row.path)
    return True


def _restored(call: Call, catalog: NotebookCatalog, now: float) -> tuple[Finding, ...]:
    """Read this device's cards back where the catalog was begun anew."""
    if catalog.restored:
        return ()
    cards = [card for card in read_cards(call).cards if card.device == call.vault.device]
    catalog.restore(cards, now)
    if catalog.set_aside is None:
        return ()
    kept = f"What this machine knew of the notebook was damaged; it is kept as {catalog.set_aside}."
    return (finding("VM952", kept),)


@contextmanager
def _telling(findings: list[Finding]) -> Iterator[None]:
    """Make a finding of what keeps one note from being written now."""
    try:
        yield
    except NoteChangedError:
        return  # an editor was faster; it is due still
    except (NoteError, UnsafePathError, ValueError, *CANNOT_WRITE) as error:
        path = error.path if isinstance(error, NoteError) else None
        findings.append(finding("VM953", str(error), path=path))


def _own(call: Call, session: str) -> list[_Own]:
    """This device's notes of a session: none, one, or copies of it."""
    found = []
    for row in call.vault.baseline.notes_with_id(_identifier(call, session)):
        if row.kind == Kind.SESSION:
            with suppress(NoteNotFoundError):  # deleted since the last look
                found.append(_Own(row, read_note(call.vault.path, row.path)))
    return found


def _identifier(call: Call, session: str) -> str:
    """The id of this device's note of a session, the same at every write."""
    return hashed_id("sess", f"{call.vault.device}\n{session}")


def _zone(call: Call) -> tzinfo:
    return call.now.tzinfo or UTC


def _may_write(call: Call, row: NoteRow, data: bytes) -> bool:
    """Whether nobody can be editing the note: it is quiet, or as this device wrote it."""
    if call.actor is Actor.PERSON or call.is_quiet(row.mtime_ns):
        return True
    lines = lines_of_bytes(call, row.id, data)
    return any(line.device == call.vault.device and line.act != EXTERNAL_ACT for line in lines)


def _free_path(call: Call, card: Card, identifier: str) -> str:
    """Where a new note goes: named after the card, and its device where there are others."""
    folder = f"{call.vault.root}/{SESSIONS}/{card.stem[:4]}/{card.stem[5:7]}"
    apart = f"{card.stem} ({call.vault.device[-4:].lower()})"
    for name in (apart,) if other_devices(call) else (card.stem, apart):
        path = f"{folder}/{name}.md"
        if not call.vault.baseline.stems(name_key(name)) and not (call.vault.path / path).exists():
            return path
    return f"{folder}/{identifier}.md"


def _rank(call: Call, card: Card) -> tuple[float, bool, str]:
    return card.watermark, card.device == call.vault.device, card.device
