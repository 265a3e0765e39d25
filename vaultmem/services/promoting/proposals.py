"""The notes of proposed promotions: found, written, and put away when they are decided."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import is_end_of
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import PROMOTIONS, Kind
from vaultmem.core.promotion_words import Destination, PromotionStatus, promotion_id
from vaultmem.errors import NoteError, NoteNotFoundError, UnsafePathError
from vaultmem.notes.frontmatter import set_properties
from vaultmem.notes.promotion import decode_promotion, encode_promotion
from vaultmem.services.call import Actor
from vaultmem.services.decided import version_of
from vaultmem.services.lookup import find_memory, the_only, those_called
from vaultmem.services.promoting.lines import (
    PROPOSED,
    REOPENED,
    WITHDRAWN,
    all_said,
    is_decided,
    lines_of,
    said,
)
from vaultmem.services.promoting.opened import Opened
from vaultmem.services.promoting.trust import keep_content
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, other_devices
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from vaultmem.core.ledger import Scalar
    from vaultmem.core.model import Memory
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call

VIA = "promote"
"""The verb that ledger lines name."""

TITLES: dict[Destination, str] = {
    Destination.MEMORY: "Keep",
    Destination.ENFORCEMENT: "Enforce",
    Destination.SKILL: "Make a skill of",
    Destination.PROJECT_RULE: "Make a project rule of",
    Destination.VAULT_REF: "Promote",
    Destination.DISCARD: "Discard",
}
"""How the names of the notes begin."""


def proposals(call: Call) -> list[Opened]:
    """Every proposal that has a note and can be read, by id; the others are findings of a sync.

    The baseline must be up to date.
    """
    rows = call.vault.baseline.notes(kind=Kind.PROMOTION.value)
    found = (read_proposal(call, row.path) for row in rows)
    known = [one for one in found if one is not None and one.decoded.usable]
    return sorted(known, key=lambda one: (one.id, one.path))


def read_proposal(call: Call, path: str) -> Opened | None:
    """The proposal whose note lies at `path`; None if it cannot be read."""
    try:
        data = read_note(call.vault.path, path)
        decoded = decode_promotion(data, path=path)
    except (NoteError, UnsafePathError):
        return None
    return Opened(path, decoded, etag_of(data), data)


def find_proposal(call: Call, name: str) -> Opened:
    """The proposal that `name` means: its id, the end of it, its path, or its title.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it.
    """
    found = those_called(name, proposals(call))
    if not found:
        _refuse_decided(call, name)
    return the_only(found, name, kind="promotion", listing="`vaultmem promote list`")


def is_closed(call: Call, identifier: str) -> bool:
    """Whether the same must not be proposed again: it waits, was decided, or the person deleted it.

    A note that an agent took away is no decision of the person's, and neither is a proposal that
    was withdrawn.
    """
    if call.vault.baseline.notes_with_id(identifier):
        return True
    if is_decided(call, identifier):
        return True
    lines = lines_of(call, identifier)
    told = [row.act for row in lines if row.act in (PROPOSED, WITHDRAWN, EXTERNAL_ACT)]
    return bool(told) and told[-1] == PROPOSED


def may_reopen(call: Call, identifier: str) -> bool:
    """Whether a person asks, who rejected the same or deleted its note, and may think again."""
    waits = bool(call.vault.baseline.notes_with_id(identifier))
    accepted = said(call, identifier).status is PromotionStatus.ACCEPTED
    return call.actor is Actor.PERSON and not waits and not accepted


def reopen(call: Call, identifier: str) -> None:
    """Sign that the person thinks again about what they turned down; nothing where they did not."""
    if is_closed(call, identifier) and may_reopen(call, identifier):
        values = {"by": call.actor.value, "via": VIA}
        call.vault.append(LedgerKind.ACTIVITY, [entry(call, REOPENED, identifier, values)])


def memory_id_of(call: Call, opened: Opened) -> str:
    """The id of the memory that a proposal is about: as a line says it, else as its note links it.

    "" where neither does.
    """
    if (known := said(call, opened.id).memory) or not opened.promotion.memory:
        return known
    with suppress(NoteError):
        return find_memory(call, opened.promotion.memory).row.id
    return ""


def write_proposal(call: Call, promotion: Promotion, memory: Memory) -> str:
    """Write a proposal's note, then say in the ledger what it is about; returns its path.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    by = call.actor.value
    with call.vault.lock():
        path = place_of_proposal(call, promotion.destination, memory)
        data = encode_promotion(promotion)
        keep_content(call, decode_promotion(data, path=path).promotion, data, since=0)
        write_notes(call, [Write(path, data, None, promotion.id, "created", by, VIA)])
        tell(call, PROPOSED, promotion, memory.id, by=by, via=VIA)
    return path


def place_of_proposal(call: Call, destination: Destination, memory: Memory) -> str:
    """Where the note of a proposal lies, or would."""
    identifier = promotion_id(destination, memory.id)
    for row in call.vault.baseline.notes_with_id(identifier):
        return row.path
    title = f"{TITLES[destination]} {memory.statement}"
    apart = call.vault.device if other_devices(call) else ""
    return call.vault.free_path(PROMOTIONS, title, identifier, apart=apart)


def tell(
    call: Call,
    act: str,
    promotion: Promotion,
    memory: str,
    *,
    by: str,
    via: str,
    decided: bytes | None = None,
) -> None:
    """Sign what happened with a proposal; `decided` is the note in which a person decided."""
    values: dict[str, Scalar] = {
        "by": by,
        "via": via,
        "memory": memory,
        "destination": promotion.destination.value,
        "sessions": promotion.evidence_count,
        **version_of(call, decided),
    }
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, promotion.id, values)])


def close(
    call: Call, opened: Opened, memory: str, status: PromotionStatus, *, via: str, keep: bool
) -> None:
    """Say how it was decided; the caller holds the lock, and a person decided.

    Args:
        call: the circumstances.
        opened: the note, as it was read.
        memory: the id of the memory that it is about, "" if nobody knows.
        status: accepted or rejected.
        via: the verb.
        keep: leave the note, which says so, for its text; else it is taken away.

    Raises:
        NoteChangedError: if it was edited since it was read.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    by, data = "person", opened.data
    tell(call, status.value, opened.promotion, memory, by=by, via=via, decided=data)
    put_away(call, opened, status, via=via, keep=keep)


def put_away(call: Call, opened: Opened, status: PromotionStatus, *, via: str, keep: bool) -> None:
    """Take the note of a decided proposal away, or let it say how it was decided.

    Raises:
        As `close`.
    """
    if keep:
        data = set_properties(opened.data, {"status": status.value, "decision": None})
        write = Write(opened.path, data, opened.etag, opened.id, "edited", "person", via, "status")
        write_notes(call, [write])
        return
    remove_file(call.vault.path, opened.path, expected=opened.etag)
    call.vault.baseline.drop_note(opened.path)


def _refuse_decided(call: Call, name: str) -> None:
    """Say so where the name is that of a proposal which was decided.

    Raises:
        NoteNotFoundError: if it is.
    """
    for identifier, one in reversed(all_said(call).items()):
        if one.status is not None and is_end_of(name.strip(), identifier):
            raise NoteNotFoundError(
                f"{identifier} was {_word(call, identifier, one.status)}, and waits no more.",
                "List all with `vaultmem promote list --all`.",
            )


def _word(call: Call, identifier: str, status: PromotionStatus) -> str:
    gone = status is PromotionStatus.PROPOSED and not call.vault.baseline.notes_with_id(identifier)
    return "deleted" if gone else status.value
