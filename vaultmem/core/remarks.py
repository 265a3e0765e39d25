"""What speaks against remembering a sentence: questions, reports, thoughts aloud, single cases."""

from __future__ import annotations

import re
from typing import NamedTuple

NOT = r"(?:do not|don'?t|dont)"


class Objection(NamedTuple):
    """Why a sentence is not captured."""

    refused_by: str
    reason: str


QUESTION = Objection("question", "This asks; say it as a statement to have it remembered.")
THOUGHT = Objection("question", "This thinks aloud; say it as a decision to have it remembered.")
QUOTED = Objection(
    "quoted", "These are somebody else's words; say it in your own to have it remembered."
)
CASE = Objection(
    "task", "This is about the work at hand; say `always` or `from now on` to have it remembered."
)
TEMPORARY = Objection("task", "This holds for now only; say `from now on` to have it remembered.")
PERSONAL = Objection(
    "personal", "This is no rule of work; use `vaultmem add` if it is to be remembered."
)
STORY = Objection(
    "personal", "This tells what happens and sets no rule; say what to do to have it remembered."
)

_TAG = re.compile(r",?\s*(?:ok(?:ay)?|please|pls|got it|understood|clear|alright|deal|thanks)\?+$")
_ASKS = re.compile(
    r"(?:(?:and|but|so|hm+|ok(?:ay)?|hey|wait|also|well|oh|then|btw|just curious)[,:]?\s+)*"
    r"(?:when (?:should|do|does|did|is|are|can|would|will)|why|what(?:'s)?|who|whose|where|which|"
    r"how|is|are|am|was|were|does|did|has|"
    r"do (?:i|you|we|they|people|users|the|these|those|any|all|your|our|my)\b|should|would|could|"
    r"can|will|shall|may|might|isn't|aren't|doesn't|didn't|won't|"
    r"wouldn't|shouldn't|couldn't|can't|don't (?:you|we|i|they)|any (?:idea|reason|chance))\b"
)
_POLITE = re.compile(
    r"(?:(?:hey|hi|and|so|also|ok|from now on|going forward|in (?:the )?future),? )*"
    r"(?:can|could|would|will) (?:you|we)(?P<please> (?:please|pls|kindly))?(?: just| also| now)* "
    r"(?P<order>(?:always|never|stop|not|avoid|from now on|in (?:the )?future|going forward)\b.*)"
)
_LASTS = re.compile(r"(?:stop|not|never|from now on|in|going)\b|.*\b(?:from now on|in future)\b")
"""What makes "could you …" a wish without "please": "could you always …" may also ask."""

_REPORT = re.compile(
    r"(?:(?P<who>\w+)(?: (?:already|just|also|always|clearly))? )?"
    r"\b(?:says?|said|claims?|claimed|complains?|complained|recommends?|recommended|suggests?|"
    r"suggested|mentions?|mentioned|states?|stated|thinks?|thought|insists?|insisted|reads|warns?|"
    r"warned|told (?:me|us)|wants us|tells (?:me|us))\b"
)
_SOURCE = re.compile(r"\b(?:according to|as per)\b")
_SPEAKERS = frozenset({"i", "i've", "we", "we've", "you", "as", "never", "to", "that", ""})
_ABOUT = re.compile(
    r"(?:(?:the |this |that |our |my )(?:specs?|specification|requirements?|story|docs?|title|"
    r"prompt|"
    r"documentation|readme|output|comments?|messages?|e-?mails?|issue|bug|acceptance criteria|"
    r"linter|"
    r"article|book|tweet|description|quote|test case|assertion|errors?|logs?|warnings?)|here(?:'s|"
    r" is| are)\b.{0,60}\b(?:printed|prints|says|said|wrote|got|gave|returned|output|log|error|"
    r"message|readme|docs)|error|"
    r"warning)"
    r"(?: \w+){0,3}:"
)
_ALOUD = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|i(?:'m| was| am)? (?:think|guess|wonder(?:ing)?|suppose|"
    r"assume|believe)|not sure|what if|how about|what about|why not|might want|we could|you could|"
    r"one could|could also|would (?:it )?be (?:better|nice|good|great|cool)|would make sense|"
    r"if we were|seems? (?:like|logical|that)|looks like|thinking (?:of|about))\b"
)

_FOR_NOW = re.compile(
    r"\b(?:for now|for the moment|at the moment|for the time being|temporarily|right now|just now|"
    r"this time|this once|just once|for once|once only|until (?!it is|you have asked)|till|yet|"
    r"today|tonight|tomorrow|this (?:week|morning|afternoon|evening|sprint)|for a (?:moment|bit|"
    r"while|second|sec)|currently|still need)\b(?! exists?)"
)
_SINGLE = re.compile(
    r"\b(?:for|in|on|to|of|with|from|during|as part of) (?:this|that|these|those) "
    r"(?!(?:\w+ )?(?:projects?|repos?|repository|codebase|monorepo|team|company|org|workspace|"
    r"package|app|service|"
    r"session|task|language|reason|vault|environment|machine|laptop|computer|server|host|device|"
    r"box|cluster|system|site|house|folder|directory|suite)\b)[a-z]+"
    r"|\b(?:just|only) (?:tell|read|show|look|plan|explain|answer|give|list)\b"
    r"|\b(?:what|how) you would\b|\bthe (?:last|previous|second|first|other|third) "
    r"(?:one|file|approach|option|change|commit|line|version|branch|attempt|idea)\b"
    r"|\b(?:instead of|rather than) (?:this|that|these|those|the (?!\w+ (?:library|module|one)\b|"
    r"std|standard|"
    r"built-?in|default|global|system|raw|native|plain|legacy|old|deprecated)[a-z]+\b(?! \w+ing\b))"
    r"|\bi only (?:asked|want|wanted|need)\b"
)
_AT_HAND = re.compile(
    r"\b(?:it|that|this) again\b|,? (?:so )?(?:please )?(?:remove|delete|fix|extract|upgrade|"
    r"change|revert|update) (?:it|that|this|"
    r"them)\b"
)
_TROUBLE = re.compile(
    r",? (?:but|and|yet|though|although|however|while),? (?:right now|currently|now|it|it's|they|"
    r"nobody|no one|this|that|somehow|for some reason|i get|i see|instead (?:it|i|they))\b"
    r"|\bbut \w+s (?:at|with|in|to|on|the|a|an)\b"
    r"|\b(?:is|are|was) (?:hidden|broken|missing|failing|wrong|slow|null|empty)\b"
    r"|\bfind out\b|\bfor some reason\b|\bwhere do i\b|\bthat's the (?:bug|problem|issue)\b"
)
_CHORES = re.compile(
    r"(?:(?:please|pls|now|ok|then|and|first|can you|could you)[,:]? )*"
    r"(?:add|append|build|change|check|clean|commit (?!messages?)|convert|create|debug|delete|"
    r"deploy|draft|edit|"
    r"explain|export|extract|find|fix|generate|give|grep|help|implement|install|investigate|list|"
    r"look|make (?!sure)|merge|migrate|modify|move|open|parse|port|print|push|read|refactor|rename|"
    r"remove|revert|review|rewrite|search|see|setup|set up|show|summari[sz]e|tell me|translate|"
    r"try|update|upgrade|write)\b"
)


def is_question(said: str) -> bool:
    """Whether a sentence asks, with or without its mark; `said` is lower case."""
    if _TAG.search(said):
        return False
    if polite_order(said):
        return False
    return said.endswith("?") or _ASKS.match(said) is not None


def polite_order(said: str) -> int:
    """Where the order begins in "could you please stop …"; 0 where the sentence is none."""
    found = _POLITE.match(said)
    if found is None or not (found["please"] or _LASTS.match(found["order"])):
        return 0
    return found.start("order")


def is_chore(said: str) -> bool:
    """Whether a sentence begins as a task: "Implement the login page."."""
    return _CHORES.match(said) is not None


def objection(said: str, at: int, *, strong: bool) -> Objection | None:
    """What speaks against a sentence in which something to remember begins at `at`.

    Args:
        said: the sentence, lower case, quotes and code masked.
        at: where the phrase was found.
        strong: whether the phrase has "always", "never" or a word that says it lasts; then only
            what is clearly not a rule is objected to.
    """
    before = said[:at]
    if is_question(said):
        return QUESTION
    if _reported(said, before):
        return QUOTED
    if _ALOUD.search(before + said[at : at + 12]):
        return THOUGHT
    return _single(said, at, strong=strong)


def _single(said: str, at: int, *, strong: bool) -> Objection | None:
    """Whether it is about a single case."""
    if is_temporary(said[at:] if strong else said):
        return TEMPORARY
    if _SINGLE.search(said) or _chore(said, at) or (_AT_HAND.search(said) and not strong):
        return CASE
    return STORY if _TROUBLE.search(said) and not strong else None


def is_temporary(said: str) -> bool:
    """Whether a sentence says that it holds for now only."""
    return _FOR_NOW.search(said) is not None


def _reported(said: str, before: str) -> bool:
    if _ABOUT.match(said) or _SOURCE.search(said):
        return True
    found = _REPORT.search(before)
    return found is not None and (found["who"] or "") not in _SPEAKERS


def _chore(said: str, at: int) -> bool:
    """Whether the phrase is only a condition of a task: "make it sticky and don't use scripts"."""
    part = said.rfind(";", 0, at) + 1
    return at > part and is_chore(said[part:].lstrip())
