"""What in a person's message is a correction or a preference worth remembering, and why not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import detection_patterns as patterns
from vaultmem.core import phrases, remarks
from vaultmem.core.grant import grant_phrase
from vaultmem.core.own_words import own_words, plain, wrapped
from vaultmem.core.remarks import Objection
from vaultmem.core.rule_sentence import Found, Kind, examine, quoted_rule
from vaultmem.core.secrets import find_secrets, redact_found
from vaultmem.core.sentences import sentences
from vaultmem.core.task_scope import task_scope
from vaultmem.core.trivial import is_trivial
from vaultmem.core.trust import Durability

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.model import RuleType
    from vaultmem.core.secrets import Secret

STATEMENT_LENGTH = 300
"""Characters of a statement at most (governed-memory §9.1)."""
SIGNALS_A_MESSAGE = 3
"""From topic-memory §9; more rules than that in one message are a document."""
SENTENCE_LENGTH = 600
"""Characters of a sentence that are looked at; a rule stands in the beginning of a longer one."""
READ_AT_MOST = 20_000
"""Characters of a message that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """What capture would do with one sentence of a message.

    Attributes:
        text: the sentence in the person's words, at most 300 characters, secrets redacted.
        kind: `none` unless it is captured.
        rule: how the memory would want to be followed.
        confidence: 0 to 1; 0 where no phrase was found.
        durability: for how long it was meant; unknown for a preference.
        refused_by: secrets, grant, task, question, quoted, personal, trivial, subagent or None.
        reason: one sentence, with the next step where it is refused.
    """

    text: str
    kind: Kind
    rule: RuleType | None
    confidence: float
    durability: Durability
    refused_by: str | None
    reason: str

    @property
    def captured(self) -> bool:
        """Whether it becomes a candidate."""
        return self.kind is not Kind.NONE


_NOTHING = Objection("trivial", "It says too little; nothing is to be remembered.")
_COMMAND = Objection("trivial", "It is a command of the agent; nothing is to be remembered.")
_WRAPPED = {
    "trivial": _COMMAND,
    "task": Objection("task", "It is a task; say a lasting rule in a message of its own."),
    "subagent": Objection(
        "subagent", "It was written for a sub-agent; only the person's own words are remembered."
    ),
    "quoted": remarks.QUOTED,
}
_BOUNDED = Objection("task", remarks.CASE.reason)
_BOUNDS = (Durability.SESSION, Durability.TASK)
_GRANT = Objection("grant", "It permits something once; say `always` if it is to last.")
_SECRET = Objection("secrets", "It holds a secret; say the rule again without it.")
_REASONS = {
    Kind.CORRECTION: "It says how to work.",
    Kind.PREFERENCE: "It says what the person prefers; it waits in the inbox.",
    Kind.NONE: "It says no rule and no preference.",
}
_HERE = re.compile(r"\bhere\b")
_LASTS = re.compile(rf"\b(?:always|never)\b|{patterns.DURABLE.pattern}")
"""Words with which "here" is the project: who says "never use npm here" does not mean one task.

The governed memory that vaultmem follows (§9.1) makes of each "here" a task of 0.82, so that such a
sentence would never be applied; without these words we do as well (its rows 1, 7 and 15).
"""
_TOO_WEAK = "It says that something is wrong, not what to do; say what to do instead."

_NARROWER: tuple[tuple[re.Pattern[str], Durability], ...] = (
    (re.compile(r"\b(?:this|the current|the rest of the) session\b"), Durability.SESSION),
    (re.compile(r"\b(?:this|the current) task\b"), Durability.TASK),
    (
        re.compile(
            r"\b(?:in|across|for) (?:all|any|every|each)(?: of)?(?: my| the)? (?:projects?|repos?|"
            r"repositor(?:y|ies)|codebases?)\b|\beverywhere i work\b|\bglobally\b"
        ),
        Durability.USER_GLOBAL,
    ),
)


class _Message(NamedTuple):
    """A message with what is secret in it."""

    text: str
    secrets: tuple[Secret, ...]

    def shown(self, start: int = 0, end: int | None = None) -> str:
        """A part on one line, secrets redacted, cut at a word."""
        end = len(self.text) if end is None else end
        inside = tuple(
            one._replace(start=max(one.start, start) - start, end=min(one.end, end) - start)
            for one in self.secrets
            if one.start < end and start < one.end
        )
        line = " ".join(redact_found(self.text[start:end], inside).split())
        if len(line) <= STATEMENT_LENGTH:
            return line
        cut = line[: STATEMENT_LENGTH + 1].rsplit(" ", 1)[0]
        return cut[:STATEMENT_LENGTH].rstrip(",;:")

    def guarded(self, start: int = 0, end: int | None = None) -> Objection | None:
        """Which guard of the write path refuses a part."""
        end = len(self.text) if end is None else end
        if any(one.start < end and start < one.end for one in self.secrets):
            return _SECRET
        sentence = self.text[start:end]
        if grant_phrase(sentence) is not None:
            return _GRANT
        return _BOUNDED if task_scope(sentence) is not None else None


def detect(message: str) -> tuple[Signal, ...]:
    """What capture would do with a message that a person wrote to an agent.

    Returns:
        At least one signal, the strongest first. Either all of them are captured, at most three
        and no two with the same text, or there is one that is not, which says why.
    """
    text = message[:READ_AT_MOST]
    read = _Message(text, find_secrets(text))
    spoken = plain(text)
    if (refusal := _refused_whole(spoken)) is not None:
        return (_none(read, refusal),)
    masked = own_words(spoken)
    found = list(_signals(read, spoken, masked))
    kept = _without_doubles(signal for signal in found if signal.captured)
    if kept:
        kept.sort(key=lambda signal: -signal.confidence)
        return tuple(kept[:SIGNALS_A_MESSAGE])
    found.sort(key=lambda signal: (signal.refused_by is None, -signal.confidence))
    return (found[0],) if found else (_none(read, _why_nothing(read, masked)),)


def _refused_whole(spoken: str) -> Objection | None:
    if (refusal := wrapped(spoken)) is not None:
        return _WRAPPED[refusal]
    return _NOTHING if is_trivial(spoken) else None


def _why_nothing(read: _Message, masked: str) -> Objection | None:
    """Why nothing is captured where no phrase was found."""
    if not masked.strip():
        return remarks.QUOTED
    for_now = remarks.TEMPORARY if remarks.is_temporary(masked.lower()) else None
    if (against := read.guarded()) is not None:
        return for_now or against if against is _BOUNDED else against
    spans = sentences(masked)
    if spans and all(remarks.is_question(masked[start:end].lower()) for start, end in spans):
        return remarks.QUESTION
    return for_now


def _signals(read: _Message, spoken: str, masked: str) -> Iterator[Signal]:
    denied = in_task = False
    for start, end in sentences(masked):
        # A character whose lower case is two keeps its place, so that offsets stay true.
        cased = masked[start : min(end, start + SENTENCE_LENGTH)]
        said = "".join(one if len(one.lower()) > 1 else one.lower() for one in cased)
        found = examine(said, cased, denied=denied, in_task=in_task) or quoted_rule(
            spoken[start:end], said
        )
        denied = patterns.DENIAL.match(said) is not None
        in_task = in_task or remarks.is_chore(said)
        if found is not None:
            yield _signal(read, start, end, said, found)


def _signal(read: _Message, start: int, end: int, said: str, found: Found) -> Signal:
    # "Fine for now, but in the future …": what holds for now stands before the rule.
    rule_start = start + found.at if patterns.DURABLE.search(said) else start
    durability = _durability(said, found)
    against = found.objection or read.guarded(rule_start, end)
    if against is _BOUNDED and found.strong and durability in _BOUNDS:
        against = None  # it is kept with that bound, and ends with it
    confidence = found.confidence
    if confidence == phrases.STRONG and _is_narrowed(said):
        confidence = phrases.HERE
    kept = against is None and confidence >= phrases.KEPT_FROM
    kind = found.kind if kept else Kind.NONE
    return Signal(
        text=read.shown(start, end),
        kind=kind,
        rule=found.rule,
        confidence=confidence,
        durability=durability,
        refused_by=against.refused_by if against else None,
        reason=against.reason if against else (_REASONS[kind] if kept else _TOO_WEAK),
    )


def _durability(said: str, found: Found) -> Durability:
    if found.kind is Kind.PREFERENCE:
        return Durability.UNKNOWN
    if remarks.is_temporary(said[found.at :] if found.strong else said):
        return Durability.TEMPORARY
    bound = next((word for pattern, word in _NARROWER if pattern.search(said)), None)
    if bound is None and _is_narrowed(said):
        return Durability.TASK
    return bound or Durability.PROJECT


def _is_narrowed(said: str) -> bool:
    """Whether "here" binds it to the work at hand."""
    return _HERE.search(said) is not None and _LASTS.search(said) is None


def _none(read: _Message, against: Objection | None) -> Signal:
    return Signal(
        text=read.shown(),
        kind=Kind.NONE,
        rule=None,
        confidence=0.0,
        durability=(Durability.TEMPORARY if against is remarks.TEMPORARY else Durability.UNKNOWN),
        refused_by=against.refused_by if against else None,
        reason=against.reason if against else _REASONS[Kind.NONE],
    )


def _without_doubles(signals: Iterable[Signal]) -> list[Signal]:
    kept: dict[str, Signal] = {}
    for signal in signals:
        kept.setdefault(signal.text.casefold().rstrip(".!"), signal)
    return list(kept.values())
