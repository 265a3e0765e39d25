"""The rule or preference in one sentence, and what speaks against capturing it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import detection_patterns as patterns
from vaultmem.core import phrases, remarks
from vaultmem.core.imperative import COMMON_ORDERS, can_be_order
from vaultmem.core.model import RuleType
from vaultmem.core.preference_patterns import PREFERENCES
from vaultmem.core.work_words import about_private_life, about_work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.remarks import Objection

SHORTEST = 8
"""Characters below which a sentence says no rule; "I prefer uv" has eleven."""


class Kind(StrEnum):
    """What a sentence is: it puts the agent right, it tells about the person, or neither."""

    CORRECTION = "correction"
    PREFERENCE = "preference"
    NONE = "none"


class Found(NamedTuple):
    """A phrase in a sentence."""

    kind: Kind
    rule: RuleType
    confidence: float
    at: int
    strong: bool
    private: bool = False
    objection: Objection | None = None


_CLAUSE = re.compile(
    r"[,;:(]+\s*|\s[-–—]+\s+|\b(?:and|but|so|then|because|cause|since|as)\s+"
    r"|\b(?:says?|said|thinks?|complains?|recommends?|suggests?|mentions?|claims?|writes?|"
    r"told (?:me|us))(?: that| to)?\s+"
)
_CONDITION = re.compile(
    r"(?:in|on|for|when|whenever|with|inside|under|after|before|if|during|at|while|as|once|unless)"
    r"\b"
)
_LATE_ORDER = re.compile(
    r"\b(?P<before>\w+) (?=(?:always|never|do not|don'?t|we (?:always|never)|you (?:should|must)) )"
)
_SUBJECTS = frozenset(
    [
        "i",
        "it",
        "he",
        "she",
        "they",
        "that",
        "which",
        "who",
        "there",
        "users",
        "user",
        "people",
        "nobody",
        "this",
        "we",
        "you",
        "to",
        "and",
        "or",
        "not",
        "where",
        "as",
        "would",
        "will",
        "should",
        "must",
        "can",
        "could",
        "may",
        "do",
        "does",
        "did",
    ]
)
_LEAD = re.compile(
    r"(?:(?:maybe|perhaps|i (?:think|guess|believe)(?: that)?|ok(?:ay)?|yes|yeah|yep|no|nope|nah|"
    r"hey|hi|hello|also|and|but|so|or|please|pls|plz|"
    r"then|btw|"
    r"by the way|kindly|(?:friendly |gentle )?reminder|heads up|(?:just )?so you know|for the "
    r"record|"
    r"to be clear|quick (?:note|one)|small thing|for real|honestly|well|hm+|ugh|argh|sorry|"
    r"actually|again|wrong(?: again)?|one (?:more )?thing|oh|"
    r"remember(?: that| to| this(?=:))?|(?:do not|don'?t) forget(?: that|(?=:))|"
    r"note(?: that)?|reminder|rules?|important|nb|ps|p\.s\.|fyi|listen|look|"
    r"seriously|thanks|thank you|great|good|nice|cool|@\w+|as (?:i|we) (?:said|mentioned)"
    r"(?: before| earlier| already| yesterday)?|like i said|i (?:already |just )?(?:said|told you)"
    r"(?: already| that| before| you| again)?|how many times [^:,]*|that'?s (?:wrong|not right|"
    r"fine)|"
    r"keep in mind(?: that)?|bear in mind(?: that)?|first(?:ly)?|second(?:ly)?|last(?:ly)?|"
    r"finally|just|instead|in addition|" + patterns.DURABLE.pattern + r")[\s,:.!–—-]+)+"
)
_ORDER = re.compile(
    r"(?P<all>every |each |all )?(?:(?:you|we) )?(?:(?:should|must|will) )?(?P<verb>[a-z-]+)\b"
)
_INSISTS = re.compile(
    r"\bi(?:'ve)? (?:already )?(?:said|told you)\b|\bhow many times\b"
    r"|(?<!you )\bremember(?! to| that (?:time|day|one|bug|thing)\b)\b"
)
_ASKED = re.compile(
    r"(?<!i )(?<!you )\b(?:remember|forget|(?:keep|bear) in mind)"
    r"(?P<said> that| this|(?=[:,]))?[\s:,]+$"
)
"""Who says "remember that …" wants it remembered, whatever it says."""
_NO_FACT = (
    r"(?!(?:i|i'?[md]|i've|he|she|you|that|to|it|this|how|why|what|which|who|if|time|day|thing|one|"
    r"bug|issue|error|from|for (?:later|now|me))\b)(?!when (?:we|i|you|it)\b)"
)
_VERB = (
    r"(?:is|are|isn'?t|aren'?t|was|were|has|have|had|does|do|doesn'?t|don'?t|can|can'?t|cannot|"
    r"must|mustn'?t|should|shouldn'?t|will|won'?t|may|might|needs?)\b"
)
_TELLS = re.compile(rf"{_NO_FACT}(?:[\w./@'-]+ ){{1,6}}?{_VERB} \S")
"""A statement, told by a verb that cannot be a noun: "the API is on port 8089"."""
_TELLS_THAT = re.compile(
    rf"{_NO_FACT}(?:[\w./@'-]+ ){{1,6}}?"
    r"(?:" + _VERB + r"|(?<!\bthe )(?<!\ba )(?!this\b|its\b|as\b|us\b)"
    r"\w{2,}(?:s|ed)\b|(?<=s )(?!(?:from|of|in|on|at|for|with|by|we|i|that|to|and|or)\b)[a-z]+\b) "
    r"\S"
)
"""The same after "that" or a colon, with any verb: "the deploy runs on Fridays"."""


def examine(said: str, cased: str, *, denied: bool, in_task: bool) -> Found | None:
    """The phrase that decides about one sentence, with what speaks against it.

    Args:
        said: the sentence in lower case, quotes and code masked.
        cased: the same in its own case.
        denied: whether the sentence before it was a "no".
        in_task: whether a sentence before it gave a task, of which this may be a condition.
    """
    if len(said) < SHORTEST:
        return None
    lead = _lead(said)
    denied = denied or patterns.DENIAL.match(said) is not None
    found = _preference(said, cased, lead) or _correction(said, lead, denied=denied)
    if found is None:
        return None
    against = remarks.objection(said, found.at, strong=found.strong)
    if against is None and in_task and not found.strong and found.kind is Kind.CORRECTION:
        against = remarks.CASE
    if against is None and (found.private or about_private_life(cased)):
        against = remarks.PERSONAL
    return found._replace(objection=against)


def _lead(said: str) -> int:
    found = _LEAD.match(said)
    return max(found.end() if found else 0, remarks.polite_order(said))


def _starts(said: str, lead: int) -> Iterator[int]:
    """Where clauses begin, without their lead-in words."""
    yield lead
    if lead:
        yield 0
    for mark in _CLAUSE.finditer(said):
        at = mark.end()
        if more := _LEAD.match(said, at):
            yield more.end()
        yield at
    for late in _LATE_ORDER.finditer(said):
        clause = max((mark.end() for mark in _CLAUSE.finditer(said, 0, late.start())), default=lead)
        if late["before"] not in _SUBJECTS and _CONDITION.match(said, max(clause, 0)):
            yield late.end()


def _correction(said: str, lead: int, *, denied: bool) -> Found | None:
    durable = patterns.DURABLE.search(said) is not None
    insists = _INSISTS.search(said) is not None
    best: Found | None = None
    for at in _starts(said, lead):
        for phrase in patterns.START:
            match = phrase.pattern.match(said, at)
            if match is None or not _is_order(match):
                continue
            confidence = phrase.confidence
            if (durable or insists) and confidence > phrases.WEAK:
                confidence = phrases.STRONG
            strong = phrase.lasting or durable or insists
            found = Found(Kind.CORRECTION, _rule(said, phrase), confidence, at, strong)
            if best is None or found.confidence > best.confidence:
                best = found
            break
    if best is not None and best.confidence > phrases.WEAK:
        return best
    if _is_asked_for(said, lead):
        return Found(Kind.CORRECTION, RuleType.CONVENTION, phrases.STRONG, lead, strong=True)
    return _by_context(said, lead, denied=denied, durable=durable, insists=insists) or best


def _by_context(
    said: str, lead: int, *, denied: bool, durable: bool, insists: bool
) -> Found | None:
    """A sentence that is a rule only by what stands around it: "from now on", "no, …"."""
    for at in _starts(said, lead) if durable or insists else ():
        order = _ORDER.match(said, at)
        if durable and order and (order["verb"] in COMMON_ORDERS or order["all"]):
            return Found(Kind.CORRECTION, RuleType.CONVENTION, phrases.STRONG, at, strong=True)
        if insists and patterns.FORBIDS.match(said, at):
            return Found(Kind.CORRECTION, RuleType.CORRECTION, phrases.STRONG, at, strong=True)
    order = _ORDER.match(said, lead)
    if denied and patterns.CORRECTED.match(said, lead):
        return Found(Kind.CORRECTION, RuleType.CORRECTION, phrases.HERE, lead, strong=False)
    if (denied or insists) and patterns.INSISTED.match(said, lead):
        return Found(Kind.CORRECTION, RuleType.CORRECTION, phrases.MODERATE, lead, strong=False)
    if insists and order is not None and order["verb"] in COMMON_ORDERS | {"not", "no"}:
        return Found(Kind.CORRECTION, RuleType.CORRECTION, phrases.MODERATE, lead, strong=False)
    return None


def _is_asked_for(said: str, lead: int) -> bool:
    """Whether a statement follows "remember that"."""
    asked = _ASKED.search(said, 0, lead)
    if asked is None:
        return False
    tells = _TELLS if asked["said"] is None else _TELLS_THAT
    return tells.match(said, lead) is not None


def _preference(said: str, cased: str, lead: int) -> Found | None:
    for at in _starts(said, lead):
        for one in PREFERENCES:
            if one.pattern.match(said, at):
                rule = RuleType.PREFERENCE
                found = Found(Kind.PREFERENCE, rule, one.confidence, at, strong=False)
                return found._replace(private=one.needs_work and not about_work(cased))
    return None


def _is_order(match: re.Match[str]) -> bool:
    verb = match.groupdict().get("verb")
    return verb is None or can_be_order(verb)


def _rule(said: str, phrase: phrases.Phrase) -> RuleType:
    if phrase.rule is RuleType.CONVENTION and not phrase.lasting:
        # "This project uses Bun, not npm" and "we use X instead of Y" tell how it is done here.
        return RuleType.AVOID_PATTERN if patterns.RULES[0][0].search(said) else phrase.rule
    return next((rule for pattern, rule in patterns.RULES if pattern.search(said)), phrase.rule)


def quoted_rule(spoken: str, said: str) -> Found | None:
    """A phrase that is found only where quotes and code are read as the person's words."""
    if "___" not in said:
        return None
    opened = spoken.casefold()
    inner = re.sub(r"[\"'`«»]+", " ", opened)
    for at in (match.start() for match in re.finditer(r"(?<=\s)\S", inner)):
        for phrase in patterns.START[:2]:
            match = phrase.pattern.match(inner, at)
            if match is not None and _is_order(match):
                return Found(
                    Kind.CORRECTION, phrase.rule, phrase.confidence, at, strong=False,
                    objection=remarks.QUOTED,
                )  # fmt: skip
    return None
