"""What the machine asks about candidates, and closes when no answer is needed any more."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import with_prefix
from vaultmem.core.inquiry import (
    WAITING,
    Inquiry,
    InquiryStatus,
    Priority,
    inquiry_id,
    is_stale,
)
from vaultmem.core.state import MemoryState
from vaultmem.errors import CANNOT_WRITE, CaptureRefusedError, NoteError
from vaultmem.services.inquiring.asking import ask_once, decide, shortened
from vaultmem.services.inquiring.notes import by_id, inquiries, may_write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.curation import Question
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.services.inquiring.asking import Asked

LABEL = 160
"""Characters of a candidate's statement in the question about it."""
MOST_OPEN = 20
"""Open questions beside which a curation asks no new one; nobody answers more than that."""


def ask_about_candidates(
    call: Call, questions: Iterable[Question], candidates: Mapping[str, Memory]
) -> tuple[Asked, ...]:
    """Ask what a curation could not decide; the next one asks what cannot be asked now.

    That is what cannot be written, and whatever is new while `MOST_OPEN` questions are open.

    Args:
        call: the circumstances.
        questions: as `core.curation.curate` gives them.
        candidates: what each candidate would become, by its id.
    """
    listed = tuple(questions)
    if not listed:
        return ()
    asked: list[Asked] = []
    with call.vault.lock():
        known = by_id(call)
        room = MOST_OPEN - sum(one.inquiry.status is InquiryStatus.OPEN for one in known.values())
        for one in listed:
            made = _about(call, one, candidates[one.candidate])
            if made.id not in known and room <= 0:
                continue
            with suppress(CaptureRefusedError, NoteError, *CANNOT_WRITE):
                done = ask_once(call, made, one.memories, known, via="curate")
                asked.append(done)
                room -= done.outcome == "asked"
    return tuple(asked)


def settle_inquiries(call: Call) -> tuple[Asked, ...]:
    """Close what needs no answer any more: its candidate was decided, or it never came up again.

    The question about a candidate is answered by the memory that it became, and withdrawn where it
    became none. A note that a person edits now, or that cannot be written, waits for the next time.

    Args:
        call: the circumstances; the baseline is up to date.
    """
    settled: list[Asked] = []
    with call.vault.lock():
        for kept in inquiries(call):
            status, path = _fate(call, kept.inquiry)
            if status is kept.inquiry.status or not may_write(call, kept.path):
                continue
            with suppress(NoteError, *CANNOT_WRITE):
                settled.append(decide(call, kept, status, path, via="maintain"))
    return tuple(settled)


def _about(call: Call, question: Question, new: Memory) -> Inquiry:
    """What a curation asks about a candidate."""
    text = f"{shortened(new.statement, LABEL)} — {question.text}"
    return Inquiry(
        id=inquiry_id(text, new.project),
        question=text,
        priority=Priority(question.priority.value),
        project=new.project,
        tags=new.tags,
        candidate=question.candidate,
        sessions=(new.source_session,) if new.source_session else (),
        created=call.local,
        last_seen=call.local,
        device=call.vault.device,
    )


def _fate(call: Call, inquiry: Inquiry) -> tuple[InquiryStatus, str]:
    """The status that an inquiry should have now, and the note of the memory that answers it."""
    baseline = call.vault.baseline
    if inquiry.status not in WAITING:
        return inquiry.status, ""
    if inquiry.candidate and not baseline.notes_with_id(inquiry.candidate):
        memory = baseline.memory(with_prefix(inquiry.candidate, "mem"))
        if memory is not None and memory.state == MemoryState.LIVE:
            return InquiryStatus.ANSWERED, memory.path
        return InquiryStatus.WITHDRAWN, ""
    return (InquiryStatus.STALE if is_stale(inquiry, call.local) else inquiry.status), ""
