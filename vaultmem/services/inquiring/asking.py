"""How a question is asked once: a note of its own, or one mark more in the note that it has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import clean
from vaultmem.core.inquiry import WAITING, InquiryStatus, seen_again
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import INQUIRIES
from vaultmem.errors import CaptureRefusedError
from vaultmem.notes.inquiry import encode_inquiry
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.curating.put_candidate import touched
from vaultmem.services.inquiring.notes import answer_link, may_write, set_in_note
from vaultmem.services.syncing.attribution import other_devices
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.core.inquiry import Inquiry
    from vaultmem.services.call import Call
    from vaultmem.services.inquiring.notes import Kept

SEEN = "seen"
"""The act of a ledger line by which a question came up once more."""
DECIDED = frozenset((InquiryStatus.ANSWERED.value, InquiryStatus.WITHDRAWN.value))
"""Acts after which a question is not asked again, also where its note is gone."""


class Asked(NamedTuple):
    """What became of a question.

    Attributes:
        outcome: asked (there is a new note), seen (it was open before and was counted), known (it
            is open, and nothing new was to be said), answered or withdrawn (somebody decided),
            stale (it did not come up for long).
        id: the inquiry.
        path: its note; "" where the note is gone.
        question: as it is asked.
        answer: the wikilink of the memory that answers it, "" for none.
        already: somebody had decided before, and nothing was written now.
    """

    outcome: str
    id: str
    path: str
    question: str
    answer: str = ""
    already: bool = False


def ask_once(
    call: Call,
    asked: Inquiry,
    memories: Sequence[str],
    known: Mapping[str, Kept],
    *,
    via: str,
) -> Asked:
    """Ask it, or count that it came up again; the caller holds the lock.

    Args:
        call: the circumstances; `call.actor` asks.
        asked: what is asked.
        memories: ids of the memories that it is about.
        known: every inquiry by its id.
        via: the verb, for the ledger.

    Raises:
        CaptureRefusedError: if nothing of the question can be seen, or it holds a secret.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    if not asked.question:
        raise CaptureRefusedError("The question holds nothing that can be seen. Give it words.")
    if refusal := refuse_fields(asked.question, asked.context):
        raise CaptureRefusedError(refusal.text)
    if asked.id in known:
        return _again(call, known[asked.id], asked, via=via)
    if act := _decided(call, asked.id):
        return Asked(act, asked.id, "", asked.question, already=True)
    return _put(call, asked, memories, via=via)


def decide(call: Call, kept: Kept, status: InquiryStatus, memory: str, *, via: str) -> Asked:
    """Set the status of an inquiry, and the memory that answers it.

    Args:
        call: the circumstances; `call.actor` decides.
        kept: the version that was read.
        status: the new one.
        memory: the path of the memory's note; "" for none.
        via: the verb, for the ledger.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    changes: dict[str, object] = {"status": status.value}
    answer = answer_link(memory) if memory else ""
    if answer:
        changes["answer"] = answer
    set_in_note(call, kept, changes, status.value, via=via)
    return Asked(status.value, kept.id, kept.path, kept.inquiry.question, answer)


def decided_before(kept: Kept) -> Asked:
    """What is said where a decision was made before, and nothing is written."""
    one = kept.inquiry
    return Asked(one.status.value, one.id, kept.path, one.question, one.answer or "", already=True)


def shortened(text: str, limit: int) -> str:
    """The text as one visible line of at most so many characters."""
    seen = clean(text).text
    return seen if len(seen) <= limit else f"{clean(seen[: limit - 2]).text.rstrip()} …"


def _put(call: Call, asked: Inquiry, memories: Sequence[str], *, via: str) -> Asked:
    about = touched(call, memories)
    asked = replace(asked, matched=tuple(one.link for one in about))
    apart = call.vault.device if other_devices(call) else ""
    path = call.vault.free_path(INQUIRIES, asked.question, asked.id, apart=apart)
    data = encode_inquiry(asked, about)
    by = call.actor.value
    write_notes(call, [Write(path, data, None, asked.id, "created", by, via)])
    return Asked("asked", asked.id, path, asked.question)


def _again(call: Call, kept: Kept, asked: Inquiry, *, via: str) -> Asked:
    """Count that a known question came up in another session, or after it was given up."""
    old = kept.inquiry
    told = Asked("known", old.id, kept.path, old.question)
    if old.status not in WAITING:
        return decided_before(kept)
    new = seen_again(old, "".join(asked.sessions[:1]), call.local)
    if (new.sessions, new.status) == (old.sessions, old.status) or not may_write(call, kept.path):
        return told
    changes: dict[str, object] = {
        "status": new.status.value,
        "last_seen": call.local,
        "sessions": list(new.sessions) or None,
    }
    set_in_note(call, kept, changes, SEEN, via=via)
    return told._replace(outcome=SEEN)


def _decided(call: Call, identifier: str) -> str:
    """How a question was decided whose note is gone; "" where nobody did."""
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return next((one.act for one in reversed(lines) if one.act in DECIDED), "")
