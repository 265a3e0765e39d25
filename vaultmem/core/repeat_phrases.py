"""The phrases by which a sentence says what is done each time, or repeats what was said."""

from __future__ import annotations

from vaultmem.core.phrases import (
    CONVENTION,
    CORRECTION,
    HERE,
    MODERATE,
    ONE,
    SETS,
    STRONG,
    WEAK,
    WORKFLOW,
    Phrase,
    phrase,
)
from vaultmem.core.remarks import NOT

REPEATS: tuple[Phrase, ...] = (
    # What to do each time.
    phrase(
        r"(?:(?:whenever|every time|each time|any ?time)\b.{2,80}?,|(?:before|after|on|with|for|"
        r"in) (?:every|"
        r"each|any|all)\b(?:(?! i | we | you | it )[^,]){2,80}?,?) (?:please |always |also |you "
        r"(?:must|should|need to|have to) )*"
        rf"(?={SETS}\b|(?:run|update|add|check|ask|make|create|bump|regenerate|rebuild|rerun|"
        rf"verify|tell|show|"
        r"write|start|open|push|commit|format|lint|tag|link|explain|restart|sync|pull|fetch|do|"
        r"include|clear|invalidate|re-?run)\b)",
        HERE,
        WORKFLOW,
        lasting=True,
    ),
    phrase(
        r"(?:please )?(?:run|update|add|check|ask|bump|regenerate|rebuild|verify|format|lint|"
        r"write|"
        r"use|include|create|pull|explain|rerun) .{2,80} (?:whenever|every time|each time|any "
        r"?time|"
        r"(?:before|after) (?:every|each|any)) \S",
        HERE,
        WORKFLOW,
    ),
    phrase(
        r"(?:(?:make|be) sure|ensure)(?: (?:to|that|you|we))* (?:always|never) \w",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(
        r"(?:(?:make|be) sure|ensure)(?: (?:to|that|you|we|it))*(?=.*\b(?:every|each|all|any|"
        r"whenever|"
        r"(?:before|after|when) (?:committing|pushing|merging|deploying|releasing|you \w+))\b) "
        r"(?!all "
        r"(?:the )?tests)\w",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"(?:(?:make|be) sure|ensure) (?:that |to |we |you )*(?:use|write|add|include|check|"
        r"validate) "
        rf"(?!{ONE}|a\b|an\b)\S",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"at all times\b,? \w+|under no circumstances\b,? \w+|in no case\b "
        r"\w+",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    # What was said before, and what went wrong.
    phrase(
        r"(?:you )?(?:should|shouldn't|should not)(?: have|'ve) \w+ \S.*(?:instead|rather|not)"
        r"\b",
        MODERATE,
        CORRECTION,
    ),
    phrase(
        r"i(?:'ve)? (?:already )?(?:told|asked) you (?:\w+ )?(?:to|not to|that we|we) "
        r"\w+",
        STRONG,
        CORRECTION,
        lasting=True,
    ),
    phrase(
        r"i(?:'d| would)? (?:really )?(?:want|need|expect|like|love) you to (?:always|never|"
        r"stop|not|only|avoid)\b",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(
        rf"i {NOT} want (?:you to (?!do|be|think|change)|to (?:ever )?(?:see|have) |(?:any |"
        rf"more )?"
        r"(?!it|this|that|to|you|anything|any|them|another|the|a|an\b)\w+s?\b.*\b(?:in|on|for|"
        r"anywhere|unless|without)\b)",
        MODERATE,
        CORRECTION,
    ),
    phrase(
        r"that'?s not (?:the|our|how we) |that'?s wrong|that is wrong|this is "
        r"wrong",
        WEAK,
        CORRECTION,
    ),
    phrase(
        r"(?:you|we|agents?) (?:must|need to|have to|should) (?P<verb>[a-z]+) .{2,80} "
        r"(?:before|after|on|for|in|with) (?:each|every|any) \S",
        HERE,
        WORKFLOW,
    ),
)
"""They count only where a clause begins; the first that fits decides."""
