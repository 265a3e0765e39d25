"""Where a text comes from on its way to a memory, and how far its source is trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Evidence, SourceKind, new_evidence
from vaultmem.core.model import Scope
from vaultmem.core.support import words_of_user
from vaultmem.core.trust import OWN_SENTENCE, Durability, TrustClass, lower_of, trust_of_tool_call
from vaultmem.services.call import Actor
from vaultmem.services.capturing.secret_scan import redact

if TYPE_CHECKING:
    from vaultmem.services.call import Call


class Channel(StrEnum):
    """By which way a text reaches us; what it can be trusted with depends on it."""

    TYPED = "add"
    """`vaultmem add`, by a person or by an agent's shell."""
    TOOL = "tool"
    MESSAGE = "message"
    """A user's message, handed over by the agent's extension and not by the model."""
    EXTRACTION = "extraction"
    IMPORT = "import"
    NOTE = "note"
    """A note that somebody put into the inbox."""


AGENT_CONFIDENCE = 0.70
"""Confidence of what a tool writes (DESIGN §5)."""

_TRUSTED = frozenset((Channel.MESSAGE, Channel.NOTE))
"""Channels whose caller saw that the words are the person's."""
_HEARD = frozenset((Channel.TOOL, Channel.EXTRACTION))
"""Channels by which a model speaks and the caller has the user's messages beside it."""
_ASKED = frozenset((Channel.TYPED, Channel.TOOL))
"""Channels at whose other end somebody can ask the user about a contradiction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a text was said.

    Attributes:
        channel: by which way it came.
        session: the agent's session, None outside of any.
        ref: the place in it: a message, a path.
        user_messages: of a tool's call, every message that the user wrote in this session, from the
            agent's extension; of extraction those that hold the quote, from the session file; never
            from the model.
        trust: what the caller knows of the source; a tool's, extraction's and import's can only
            take trust away.
        project: the project in which it was said.
        excerpt: the words themselves, where the text is not.
    """

    channel: Channel
    session: str | None = None
    ref: str = ""
    user_messages: tuple[str, ...] = ()
    trust: TrustClass | None = None
    project: str | None = None
    excerpt: str = ""


TYPED = Source(channel=Channel.TYPED)
"""A command line without a session."""


def is_typed_by_person(call: Call, source: Source) -> bool:
    """Whether the person typed the command: their word needs no evidence beside the note."""
    return call.actor is Actor.PERSON and source.channel is Channel.TYPED


def can_ask(source: Source) -> bool:
    """Whether somebody is there who can ask the user which of two statements holds."""
    return source.channel in _ASKED


def trust_of(call: Call, source: Source, statement: str) -> TrustClass:
    """The class of a source; computed, and no better than its channel allows."""
    if is_typed_by_person(call, source):
        return TrustClass.DIRECT_USER_INSTRUCTION
    if source.channel in _TRUSTED:
        return source.trust or TrustClass.DIRECT_USER_INSTRUCTION
    computed = TrustClass.AGENT_INFERENCE
    if source.channel in _HEARD:
        computed = trust_of_tool_call(statement, source.user_messages)
    return lower_of(source.trust or computed, computed)


def without_secrets(source: Source) -> Source:
    """The source as it may be written down; what is refused is the statement, not its place."""
    return replace(
        source,
        session=source.session and redact(source.session),
        ref=redact(source.ref),
        project=source.project and redact(source.project),
    )


def durability_of(scope: Scope) -> Durability:
    """For how long a text was meant, where only its scope says."""
    bounded = {
        Scope.PROJECT: Durability.PROJECT,
        Scope.TASK: Durability.TASK,
        Scope.SESSION: Durability.SESSION,
    }
    return bounded.get(scope, Durability.LONG_TERM)


def whose(call: Call, trust: TrustClass) -> Actor:
    """Whose word a piece of that class is, for reinforcement."""
    return Actor.PERSON if trust in OWN_SENTENCE else call.actor


def evidence_of(
    call: Call, source: Source, statement: str, *, trust: TrustClass, durability: Durability
) -> Evidence:
    """The piece that a text is evidence by: the user's own words where there are any.

    Secrets in the words around it are redacted; the statement itself was refused if it had one.
    """
    said = words_of_user(statement, source.user_messages) if trust in OWN_SENTENCE else ""
    imported = source.channel is Channel.IMPORT
    return new_evidence(
        source_kind=SourceKind.FILE if imported else SourceKind.CONVERSATION,
        trust=trust,
        excerpt=redact(said or source.excerpt or statement),
        project=source.project,
        session=source.session,
        source_ref=source.ref,
        durability=durability,
        created=call.local,
    )
