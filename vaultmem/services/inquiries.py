"""Inquiries: questions that only the person can answer, each asked once and told until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.inquiry import (
    MAX_CONTEXT,
    MAX_QUESTION,
    Inquiry,
    InquiryStatus,
    Priority,
    inquiry_id,
)
from vaultmem.errors import PatchRefusedError
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.inquiring.asking import (
    Asked,
    ask_once,
    decide,
    decided_before,
    shortened,
)
from vaultmem.services.inquiring.notes import Kept, answer_link, by_id, inquiries
from vaultmem.services.lookup import find_memory, the_only, those_called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call

__all__ = [
    "Asked",
    "Kept",
    "answer",
    "ask",
    "find_inquiry",
    "inquiries",
    "listed",
    "withdraw",
]


def listed(call: Call) -> list[Kept]:
    """Every inquiry, for somebody who reads them; what an agent is shown is never learned from."""
    found = inquiries(call)
    if call.agent is not None:
        remember_shown(call, (one.inquiry.question for one in found))
    return found


def find_inquiry(call: Call, name: str) -> Kept:
    """The inquiry that `name` means: its id, the end of it, its path, or its title.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it.
    """
    found = those_called(name, inquiries(call))
    return the_only(found, name, kind="inquiry", listing="`vaultmem maintain inquiries`")


def ask(
    call: Call,
    question: str,
    *,
    context: str = "",
    tags: Sequence[str] = (),
    project: str = "",
    session: str = "",
    memories: Sequence[str] = (),
    candidate: str | None = None,
    priority: Priority = Priority.MEDIUM,
    via: str = "inquiry",
) -> Asked:
    """Ask the person something; the same question in the same project is one inquiry.

    Args:
        call: the circumstances; `call.actor` asks.
        question: cut to `MAX_QUESTION` characters.
        context: why it came up.
        tags: under `memory/`.
        project: the project's identity, "" where it holds everywhere.
        session: the agent's session, "" outside of any.
        memories: ids of the memories that it is about.
        candidate: the candidate that waits for the answer.
        priority: how much an answer matters.
        via: the verb, for the ledger.

    Raises:
        CaptureRefusedError: if nothing of the question can be seen, or it holds a secret.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    text = shortened(question, MAX_QUESTION)
    asked = Inquiry(
        id=inquiry_id(text, project or None),
        question=text,
        context=shortened(context, MAX_CONTEXT),
        priority=priority,
        project=project or None,
        tags=tuple(tags),
        candidate=candidate,
        sessions=(session,) if session else (),
        created=call.local,
        last_seen=call.local,
        device=call.vault.device,
    )
    with call.vault.lock():
        return ask_once(call, asked, memories, by_id(call), via=via)


def answer(call: Call, name: str, memory: str) -> Asked:
    """Answer an inquiry with a memory; a person does.

    Args:
        call: the circumstances; the baseline is up to date.
        name: as `find_inquiry` takes it.
        memory: as `find_memory` takes it.

    Raises:
        AgentRefusedError: if an agent calls.
        PatchRefusedError: if another memory answered it.
        NoteNotFoundError, AmbiguousIdError: if the inquiry or the memory is not there.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only("maintain answer")
    with call.vault.lock():
        kept, found = find_inquiry(call, name), find_memory(call, memory)
        if kept.inquiry.status is InquiryStatus.ANSWERED:
            if kept.inquiry.answer == answer_link(found.row.path):
                return decided_before(kept)
            raise _is_answered(kept)
        return decide(call, kept, InquiryStatus.ANSWERED, found.row.path, via="inquiry")


def withdraw(call: Call, name: str) -> Asked:
    """Take an inquiry back, so that the question is not asked again; a person does.

    Raises:
        AgentRefusedError: if an agent calls.
        PatchRefusedError: if it was answered.
        NoteNotFoundError, AmbiguousIdError: as `find_inquiry`.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only("maintain withdraw")
    with call.vault.lock():
        kept = find_inquiry(call, name)
        if kept.inquiry.status is InquiryStatus.ANSWERED:
            raise _is_answered(kept)
        if kept.inquiry.status is InquiryStatus.WITHDRAWN:
            return decided_before(kept)
        return decide(call, kept, InquiryStatus.WITHDRAWN, "", via="inquiry")


def _is_answered(kept: Kept) -> PatchRefusedError:
    return PatchRefusedError(
        f"{kept.path} is answered already, by {kept.inquiry.answer or 'a memory'}. Clear `answer` "
        "and `status` in the note to reopen it."
    )
