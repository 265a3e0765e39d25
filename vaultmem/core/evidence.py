"""Evidence: a bounded excerpt that speaks for or against a statement, named by what it says.

An evidence id is `ev_` and the first 128 bits of a SHA-256, spelled like a ULID, over every field
that a decision rests on: whose it is, where it was said, the words, and their trust, polarity and
durability. So a change to any of them is a change of the id, and one signed ledger line that names
the id vouches for all of it. The date is no part: the same words in the same place are one piece.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

from vaultmem.core.ids import hashed_id
from vaultmem.core.inert import clean, inside_fence
from vaultmem.core.trust import Durability, TrustClass, best_of, lower_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

EvidenceId = NewType("EvidenceId", str)
"""`ev_` and 26 characters; a content address, no moment."""

MAX_EXCERPT = 1000
MAX_SUMMARY = 300
"""Characters; from the governed memory."""


class SourceKind(StrEnum):
    """Where an excerpt was taken from."""

    CONVERSATION = "conversation"
    TOOL_RESULT = "tool_result"
    FILE = "file"
    PATCH = "patch"
    TEST_RESULT = "test_result"
    GENERATED_CONTENT = "generated_content"
    EXTERNAL_DOCUMENT = "external_document"
    CODEBASE_ANALYSIS = "codebase_analysis"


CEILING: dict[SourceKind, TrustClass] = {
    SourceKind.CONVERSATION: TrustClass.DIRECT_USER_INSTRUCTION,
    SourceKind.TOOL_RESULT: TrustClass.PASSING_TOOL_OR_TEST_OUTCOME,
    SourceKind.FILE: TrustClass.EXISTING_PROJECT_CONVENTION,
    SourceKind.PATCH: TrustClass.ACCEPTED_CODE_REVIEW_OUTCOME,
    SourceKind.TEST_RESULT: TrustClass.PASSING_TOOL_OR_TEST_OUTCOME,
    SourceKind.GENERATED_CONTENT: TrustClass.GENERATED_CONTENT,
    SourceKind.EXTERNAL_DOCUMENT: TrustClass.THIRD_PARTY_DOCUMENTATION,
    SourceKind.CODEBASE_ANALYSIS: TrustClass.PASSING_TOOL_OR_TEST_OUTCOME,
}
"""The most that a source of that kind can be trusted; only a conversation holds a user's word."""


class Polarity(StrEnum):
    """What the excerpt does to the statement."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    QUALIFIES = "qualifies"


class Redaction(StrEnum):
    """Whether the words are still there."""

    NONE = "none"
    REDACTED = "redacted"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One excerpt; made by `new_evidence`, or read from a note and then to be checked.

    Attributes:
        id: the content address.
        source_kind: where it was taken from.
        trust: the class that it was recorded with.
        project: the project's identity, None outside of any.
        session: the agent's session, None outside of any.
        source_ref: the place in the source: a message, a path, a command.
        excerpt: the words themselves, at most `MAX_EXCERPT` characters.
        summary: what they say, one line of at most `MAX_SUMMARY` characters; counts only where
            there is no excerpt, because somebody else wrote it.
        excerpt_hash: SHA-256 of the excerpt, 32 hex digits; None where there is no excerpt.
        polarity, durability, redaction: as their types say.
        created: local; when it was recorded.
    """

    id: EvidenceId
    source_kind: SourceKind
    trust: TrustClass
    project: str | None = None
    session: str | None = None
    source_ref: str = ""
    excerpt: str = ""
    summary: str = ""
    excerpt_hash: str | None = None
    polarity: Polarity = Polarity.SUPPORTS
    durability: Durability = Durability.UNKNOWN
    redaction: Redaction = Redaction.NONE
    created: datetime | None = None

    @property
    def text(self) -> str:
        """The words that count."""
        return self.excerpt or self.summary

    @property
    def worth(self) -> TrustClass:
        """The class that it has: the recorded one, but no more than its kind of source allows."""
        return lower_of(self.trust, CEILING[self.source_kind])


def new_evidence(
    *,
    source_kind: SourceKind,
    trust: TrustClass,
    excerpt: str = "",
    summary: str = "",
    project: str | None = None,
    session: str | None = None,
    source_ref: str = "",
    polarity: Polarity = Polarity.SUPPORTS,
    durability: Durability = Durability.UNKNOWN,
    created: datetime | None = None,
) -> Evidence:
    """Make a piece of evidence; its words are cut to size and kept as a fenced block keeps them.

    The caller has redacted secrets (`core.secrets`): what is given here is stored.

    Raises:
        ValueError: if neither excerpt nor summary holds a visible word.
    """
    # Stripped last: a control character that is taken out may have stood before a blank.
    kept = inside_fence(excerpt).strip()[:MAX_EXCERPT].rstrip()
    told = _summary(summary)
    if not (kept or told):
        raise ValueError("evidence needs an excerpt or a summary")
    made = Evidence(
        id=EvidenceId(""),
        source_kind=source_kind,
        trust=trust,
        project=project or None,
        session=session or None,
        source_ref=" ".join(source_ref.split()),
        excerpt=kept,
        summary=told,
        excerpt_hash=_hash(kept) if kept else None,
        polarity=polarity,
        durability=durability,
        created=created and created.replace(tzinfo=None, microsecond=0),
    )
    return replace(made, id=address(made))


def address(evidence: Evidence) -> EvidenceId:
    """The id that the content of a piece of evidence has; white space in its words is one blank."""
    fields = (
        evidence.project or "",
        evidence.session or "no-thread",
        evidence.source_kind,
        evidence.source_ref,
        " ".join(evidence.text.split()),
        evidence.trust,
        evidence.polarity,
        evidence.durability,
    )
    # A length before each field, so that no two pieces spell the same message.
    return EvidenceId(hashed_id("ev", "".join(f"{len(field)}:{field}\n" for field in fields)))


def is_intact(evidence: Evidence) -> bool:
    """Whether the content is still what its id and its excerpt's hash say."""
    expected = _hash(evidence.excerpt) if evidence.excerpt else None
    same = evidence.excerpt_hash is None or evidence.excerpt_hash == expected
    return same and evidence.id == address(evidence)


def computed_trust(evidence: Iterable[Evidence]) -> TrustClass:
    """The best class among pieces that support a statement; of none, an agent's inference."""
    return best_of(piece.worth for piece in evidence)


def _summary(text: str) -> str:
    return clean(clean(text).text[:MAX_SUMMARY]).text


def _hash(text: str) -> str:
    """32 hex digits over the words; the white space between them does not count."""
    words = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).hexdigest()[:32]
