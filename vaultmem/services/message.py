"""Capture what a user's message says of how to work: corrections and preferences, with evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.chat_words import rule_text
from vaultmem.core.detection import detect
from vaultmem.core.finding import finding
from vaultmem.core.model import CATEGORY_OF_RULE, Category, Scope
from vaultmem.core.rule_sentence import Kind
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.capture import Captured, Wish, add
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.capturing.source import Channel, Source
from vaultmem.services.outcomes import link_correction

if TYPE_CHECKING:
    from vaultmem.core.detection import Signal
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

_SCOPE = {
    Durability.TEMPORARY: Scope.TASK,
    Durability.SESSION: Scope.SESSION,
    Durability.TASK: Scope.TASK,
    Durability.PROJECT: Scope.PROJECT,
    Durability.REPOSITORY: Scope.PROJECT,
    Durability.USER_GLOBAL: Scope.GLOBAL,
    Durability.LONG_TERM: Scope.GLOBAL,
    Durability.UNKNOWN: Scope.GLOBAL,
}
"""Where a sentence holds that was meant for so long; outside of a project everywhere."""
_CATEGORY = {Kind.PREFERENCE: Category.PREFERENCE}
"""Of a sentence that names no rule."""


class Heard(NamedTuple):
    """One sentence of a message, and what became of it; None where it says nothing to remember."""

    signal: Signal
    done: Captured | None


def capture_message(
    call: Call,
    engine: SearchEngine,
    text: str,
    *,
    session: str,
    message_id: str = "",
    project: str | None = None,
) -> tuple[Heard, ...]:
    """Turn what a user wrote to their agent into candidates with evidence.

    The caller vouches that the user wrote it: the agent's extension, or the person at a terminal.
    One statement that is said ten times in a session is one candidate with one piece of evidence;
    another session adds a piece. What vaultmem told the agent is never learned from.

    Args:
        call: the circumstances; whoever calls, policy acts.
        engine: the search engine of the vault.
        text: the message.
        session: the agent's session.
        message_id: the message in it.
        project: the project's identity; without one the sentence holds everywhere.

    Raises:
        BusyError, NoteError, ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    call = call.by_policy()
    source = Source(
        channel=Channel.MESSAGE, session=session, ref=message_id, project=project or None
    )
    signals = detect(text)
    if signals[0].captured and was_shown(call, text):
        told = Captured(outcome="refused", findings=(finding("VM625"),))
        return tuple(Heard(signal, told) for signal in signals)
    return tuple(
        Heard(signal, _hear(call, engine, signal, source) if signal.captured else None)
        for signal in signals
    )


def _hear(call: Call, engine: SearchEngine, signal: Signal, source: Source) -> Captured | None:
    """Capture a sentence; what corrects a memory that the session was told counts against it."""
    done = _capture(call, engine, signal, source)
    if signal.kind is Kind.CORRECTION:
        text = rule_text(signal.text)
        link_correction(call, text, session=source.session or "", project=source.project)
    return done


def _capture(
    call: Call,
    engine: SearchEngine,
    signal: Signal,
    source: Source,
) -> Captured | None:
    corrects = signal.kind is Kind.CORRECTION
    trust = TrustClass.USER_CORRECTION if corrects else TrustClass.DIRECT_USER_INSTRUCTION
    wish = wish_of(signal, source.project)
    try:
        return add(call, engine, wish, source=replace(source, trust=trust))
    except CaptureRefusedError:
        return None  # nothing of the sentence can be seen in a note


def wish_of(signal: Signal, project: str | None) -> Wish:
    """What a captured sentence asks to be remembered."""
    scope = _SCOPE[signal.durability]
    if scope is Scope.PROJECT and not project:
        scope = Scope.GLOBAL
    category = _CATEGORY.get(signal.kind, Category.LESSON)
    return Wish(
        text=rule_text(signal.text),
        category=category if signal.rule is None else CATEGORY_OF_RULE[signal.rule],
        scope=scope,
        project=project,
        rule=signal.rule,
        durability=signal.durability,
        confidence=signal.confidence,
    )
