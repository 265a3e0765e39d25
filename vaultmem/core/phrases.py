"""What a phrase of a rule is, and the groups of words that the phrases are made of."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.core.model import RuleType

STRONG, HERE, MODERATE, WEAK = 0.90, 0.82, 0.72, 0.60
"""Confidence: a plain rule, the same about "here", a wish, a complaint (governed-memory §9.1)."""
KEPT_FROM = 0.65
"""Below this nothing is captured (governed-memory §9.1)."""

AVOID, PREFER = RuleType.AVOID_PATTERN, RuleType.PREFER_PATTERN
CONVENTION, WORKFLOW, CORRECTION = RuleType.CONVENTION, RuleType.WORKFLOW, RuleType.CORRECTION

VERB = (
    r"(?:just |ever |only |please |first |\w+ly )*(?P<verb>[a-z][a-z-]*)\b"
    r"(?! (?:is|are|was|were)\b)"
)
"""A verb, with the words that may stand between it and "always"."""
MUST = r"(?:should|must|shall|need to|have to|ought to|are to)"
NOUN_GROUP = r"(?:[\w/.-]+ ){0,5}[\w/.-]+"
ALL = r"(?:all|every|each|any|both)"
_SAYS = (
    r"(?:says?|said|told|thinks?|thought|wants?|claims?|recommends?|suggests?|mentions?|states?|"
    r"that|"
    r"and)\b"
)
SUBJECT = (
    r"(?!(?:it|this|that|he|she|they|there|i|we|you|users?|add|append|create|write|make|fix|"
    r"generate|"
    rf"list|find|show|check|explain|update|implement|here|what|which)\b)(?:(?!{_SAYS})"
    rf"[\w/.-]+ ){{0,5}}(?!{_SAYS})[\w/.-]+"
)
"""What a rule is about: not a pronoun, and not the beginning of a task."""
SCREEN = (
    r"(?:rows?|buttons?|pages?|icons?|columns?|cards?|items?|users?(?= (?:should|must|needs?|ha|"
    r"get|goes))|screens?|images?|links?|cells?|"
    r"headers?|footers?|sidebars?|navbars?|layouts?|forms?|login|logos?|fonts?|colou?rs?|popups?|"
    r"tooltips?|checkbox(?:es)?|dropdowns?|charts?|spinners?|banners?|toasts?|response|content|"
    r"modals?|menus?|sections?|slides?|tabs?|dialogs?|lines?)\b"
)
"""What stands on a screen; "every row should have an icon" describes a task."""
WHOLE = (
    r"(?:project|repo|repository|codebase|code ?base|monorepo|team|company|org|organi[sz]ation|"
    r"workspace|package|library|shop)"
)
"""What a convention holds in."""
SETS = (
    r"(?:use|call|write|run|put|import|name|return|throw|raise|log|store|pick|choose|go with|"
    r"install|format|deploy|test|build|say|read|pass|catch|inject|extend|export|reach for|commit|"
    r"keep|render|model|type|declare|document|mock|stub|wrap|format|indent|branch from|merge|"
    r"rebase|squash)"
)
"""Verbs that choose one thing over another."""
OVER = r"(?:instead of|rather than|in place of|and not|but not|, ?not|\bnot(?= \S+(?:$|[ .!,])))"
ONE = r"(?:the|this|that|it|those|these|them|my|your|his|her|their|another|one)\b"
"""What points at a single thing."""
NO_RULE = (
    r"(?!(?:worry|think|know|understand|see|care|mind|get|believe|feel|remember|forget|have|need|"
    r"want|like|agree|panic|wait|hesitate|say|expect|suppose|recall|hold|be (?:sorry|afraid|shy|"
    r"silly)|"
    r"you|we|they|i|start|stop|go|give up|even|actually|really|lose|rush|look|talk|work|"
    r"bother(?! with))\b)"
)
""""Don't worry" and the like set no rule."""
TOUCHES = (
    r"(?:run|change|delete|remove|touch|modify|merge|push|open|close|restart|start|rename|move|"
    r"revert|implement|commit|deploy|install|create|write|edit|add|update|fix|refactor|make|do|"
    r"include|reset|drop|print|show|read|check|break|skip|rebase|squash|release|publish|build)"
)
"""What is done to a single thing: "don't run the migration" is about now."""


class Phrase(NamedTuple):
    """One way to say a rule.

    Attributes:
        pattern: a group named `verb` must hold a verb in its base form.
        confidence: one of the constants above.
        rule: what kind of rule it makes, unless the words of `RULES` say it better.
        lasting: whether it says by itself that it holds from now on.
    """

    pattern: re.Pattern[str]
    confidence: float
    rule: RuleType
    lasting: bool = False


def phrase(pattern: str, confidence: float, rule: RuleType, *, lasting: bool = False) -> Phrase:
    """A phrase from the text of its pattern."""
    return Phrase(re.compile(pattern), confidence, rule, lasting)
