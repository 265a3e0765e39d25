"""What a sync does with the notes of inquiries: only what a person wrote decides anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.inquiry import WAITING, InquiryStatus
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.place import Kind
from vaultmem.notes.inquiry import decode_inquiry
from vaultmem.services.inquiring.notes import understood
from vaultmem.services.syncing import hold
from vaultmem.services.syncing.attribution import (
    Origin,
    is_said_external,
    origin_of_bytes,
    origin_of_loss,
    said_mac,
)
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.syncing.turns import is_left_over
from vaultmem.services.write import content_mac, entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.finding import Finding
    from vaultmem.core.inquiry import Inquiry
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading


def follow_inquiries(call: Call, readings: Iterable[Reading]) -> int:
    """Record what the notes say now, and who says so; how many the person decided.

    Args:
        call: the circumstances.
        readings: inquiries whose notes are new or changed.
    """
    return sum(_follow(call, reading) for reading in readings)


def lost_inquiry(call: Call, identifier: str) -> None:
    """The note of an inquiry is gone: where a person took it away, the question is withdrawn."""
    if origin_of_loss(call, identifier) is Origin.PERSON:
        values = {"by": "person", "via": "sync"}
        line = entry(call, InquiryStatus.WITHDRAWN.value, identifier, values)
        call.vault.append(LedgerKind.ACTIVITY, [line])


def _follow(call: Call, reading: Reading) -> bool:
    data = reading.fresh.data
    if data is None or not reading.id:  # unreadable, which is told already, or a note of their own
        put_reading(call, reading)
        return False
    decoded = decode_inquiry(data, path=reading.path)
    inquiry = understood(call, decoded.inquiry)
    origin = origin_of_bytes(call, reading.id, reading.fresh)
    found = list(decoded.findings)
    left = is_left_over(call, reading, reading.id, _word(call, inquiry), origin=origin)
    if origin is Origin.EXTERNAL:
        hold.announce(call, reading, reading.id)
    if origin is Origin.EXTERNAL or (left and is_said_external(call, reading.id, data)):
        found.append(finding("VM841", path=reading.path))
    elif decoded.usable:
        found += _answer(call, inquiry, reading.path)
    put_reading(call, reading, *found)
    theirs = origin is Origin.PERSON and decoded.usable and not left
    return theirs and _record(call, inquiry, data)


def _word(call: Call, inquiry: Inquiry) -> str:
    """What is decided anew, and a keyed hash of the answer; "" for nothing, or what is signed."""
    if inquiry.status in WAITING or _signed(call, inquiry) == inquiry.status:
        return ""
    return f"{inquiry.status.value} {said_mac(call, inquiry.answer or '')}"


def _answer(call: Call, inquiry: Inquiry, path: str) -> list[Finding]:
    """What is wrong with the link to the memory that answers a question."""
    if inquiry.answer is None:
        return []
    names = [name_key(title_of(target)) for target in link_targets([inquiry.answer])]
    if not names:
        return [finding("VM842", _NO_LINK, path=path)]
    if any(call.vault.baseline.stems(name) for name in names):
        return []
    return [finding("VM842", path=path)]


_NO_LINK = "`answer` is no link, and no single memory is called so."


def _record(call: Call, inquiry: Inquiry, data: bytes) -> bool:
    """Sign what the person decided in the note, once; whether that is new.

    Nothing where the note was copied: the other one may say otherwise.
    """
    rows = call.vault.baseline.notes_with_id(inquiry.id)
    copied = sum(row.kind == Kind.INQUIRY for row in rows) > 1
    if inquiry.status in WAITING or copied:
        return False
    act = inquiry.status.value
    if _signed(call, inquiry) == act:
        return False
    values = {"by": "person", "via": "sync", "after": content_mac(call, data)}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, inquiry.id, values)])
    return True


def _signed(call: Call, inquiry: Inquiry) -> str:
    """The newest status of which a signed line tells; "" for none."""
    lines = call.vault.baseline.ledger.signed(inquiry.id, LedgerKind.ACTIVITY)
    return next((one.act for one in reversed(lines) if one.act in _ACTS), "")


_ACTS = frozenset(status.value for status in InquiryStatus)
