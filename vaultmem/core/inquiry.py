"""An inquiry: a question that only the person can answer, asked once however often it comes up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.ids import hashed_id

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_QUESTION = 300
MAX_CONTEXT = 1000
"""Characters of a question and of what is told beside it; longer ones are cut."""
MAX_SESSIONS = 20
"""How many sessions an inquiry names, the latest; more say nothing that these do not."""
SHOWN = 3
"""The most inquiries that are told at a time; from the governed memory, section 10."""
STALE_AFTER = timedelta(days=90)
"""An open question that did not come up for so long is asked no more. Our own: the governed memory
knows the status and never sets it (section 23)."""
TAG_WEIGHT = 2
"""How much a tag counts that fits a prompt, a word of the question being 1; section 10."""


class InquiryStatus(StrEnum):
    """Where an inquiry is in its life."""

    OPEN = "open"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    STALE = "stale"
    """Nobody answered, and it does not come up any more; it is open again when it does."""


class Priority(StrEnum):
    """How much an answer matters; a low one is never told by itself."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for low, 2 for high."""
        return list(Priority).index(self)


WAITING = frozenset((InquiryStatus.OPEN, InquiryStatus.STALE))
"""Statuses in which nobody has decided anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """One question, as its note says it.

    Attributes:
        id: `inq_<ulid>`, made of question and project (`inquiry_id`).
        question: one line.
        context: why it came up; "" where nobody said.
        status, priority: as their types say.
        project: where it came up; None where it holds everywhere.
        tags: under `memory/`, as those of a memory.
        matched: quoted wikilinks to the memories that it is about.
        candidate: the candidate that waits for the answer; None where none does.
        sessions: in which it came up, the oldest first.
        created, last_seen: when it came up first and last, local to the person.
        answer: the quoted wikilink of the memory that answers it.
        device: the machine that asked first.
    """

    id: str
    question: str
    context: str = ""
    status: InquiryStatus = InquiryStatus.OPEN
    priority: Priority = Priority.MEDIUM
    project: str | None = None
    tags: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    candidate: str | None = None
    sessions: tuple[str, ...] = ()
    created: datetime | None = None
    last_seen: datetime | None = None
    answer: str | None = None
    device: str | None = None


def inquiry_key(question: str) -> str:
    """What two spellings of one question have in common: case, white space, `?`, `!` and `.` go."""
    return " ".join(question.casefold().split()).rstrip("?!. ")


def inquiry_id(question: str, project: str | None) -> str:
    """The id of a question in a project: the same on every device, so that it is asked once.

    The message is key and project, each with its length before it.
    """
    fields = (inquiry_key(question), (project or "").casefold())
    return hashed_id("inq", "".join(f"{len(field)}:{field}\n" for field in fields))


def seen_again(inquiry: Inquiry, session: str, now: datetime) -> Inquiry:
    """The inquiry after its question came up once more; what was decided stays decided.

    Args:
        inquiry: as it stands.
        session: the agent's session; "" outside of any.
        now: local to the person.
    """
    if inquiry.status not in WAITING:
        return inquiry
    sessions = inquiry.sessions
    if session and session not in sessions:
        sessions = (*sessions, session)[-MAX_SESSIONS:]
    return replace(inquiry, status=InquiryStatus.OPEN, sessions=sessions, last_seen=now)


def is_stale(inquiry: Inquiry, now: datetime) -> bool:
    """Whether an open question did not come up for so long that it is asked no more."""
    seen = inquiry.last_seen or inquiry.created
    return inquiry.status is InquiryStatus.OPEN and seen is not None and now - seen >= STALE_AFTER


def relevance(inquiry: Inquiry, prompt: str) -> int:
    """How much a question has to do with a prompt: twice the tags that fit, and the words."""
    # Imported here: whoever only reads notes needs no words.
    from vaultmem.core.words import content_stems, stems

    said = stems(prompt)
    tags = (stems(tag.removeprefix("memory/")) for tag in inquiry.tags)
    fitting = sum(bool(words) and words <= said for words in tags)
    return TAG_WEIGHT * fitting + len(content_stems(inquiry.question) & said)


def to_tell(
    inquiries: Iterable[Inquiry], *, project: str, prompt: str, now: datetime
) -> tuple[Inquiry, ...]:
    """The open questions that are told, at most `SHOWN`, the most important and nearest first.

    Without a prompt all of the project's are near. What was answered or withdrawn is never told.

    Args:
        inquiries: any, in any order; the result does not depend on it.
        project: the project's identity, "" outside of any.
        prompt: what the user asked, "" where there is no prompt.
        now: local to the person.
    """
    here = [
        (-one.priority.rank, -relevance(one, prompt), one.id, one)
        for one in inquiries
        if one.status is InquiryStatus.OPEN
        and one.priority is not Priority.LOW
        and not is_stale(one, now)
        and (one.project is None or one.project.casefold() == project.casefold())
    ]
    near = [entry for entry in here if entry[1] < 0 or not prompt.strip()]
    return tuple(one for *_, one in sorted(near)[:SHOWN])
