"""The phrases by which a person tells about themselves or how they want to be talked to."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.core.remarks import NOT

STATED, WISHED = 0.80, 0.70
"""Confidence of a preference said outright, and of one that follows from a wish."""


class Preference(NamedTuple):
    """One way to tell a preference.

    Attributes:
        pattern: matches where a clause begins.
        confidence: one of the constants above.
        needs_work: whether the sentence must be about code, because everyday life sounds alike.
    """

    pattern: re.Pattern[str]
    confidence: float
    needs_work: bool = False


_THIS = r"(?:this|that|it|the|those|these|them|your|how|what|where|who)\b"
_LANGUAGE = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|ukrainian|czech|"
    r"turkish|arabic|hebrew|hindi|japanese|chinese|korean|swedish|norwegian|danish|finnish|greek|"
    r"hungarian|romanian|vietnamese|indonesian|british english|american english|plain \w+)"
)
_TALK = r"(?:answers?|replies|reply|responses?|explanations?|summar(?:y|ies)|messages|output|chat)"
_SHORT = (
    r"(?:brief|concise|terse|direct|short|shorter|verbose|to the point|blunt|succinct|informal|"
    r"formal|"
    r"critical|honest|specific|explicit|careful|thorough|detailed)"
)

PREFERENCES: tuple[Preference, ...] = (
    Preference(
        re.compile(
            rf"i (?:really |strongly |much |generally |usually |always )?prefer "
            rf"(?!not\b|option|variant|version \d|number )(?!{_THIS}(?! \S+ (?:over|to)))\S"
        ),
        STATED,
    ),
    Preference(
        re.compile(
            r"i(?:'d| would) (?:much )?(?:prefer|rather)\b.*\b(?:over|instead of|"
            r"than|in general|always|generally)\b"
        ),
        STATED,
    ),
    Preference(
        re.compile(
            r"i(?:'d| would)? (?:much )?(?:prefer|rather)(?: that)? you (?:didn't|"
            r"don't|not|always|never)\b"
        ),
        WISHED,
    ),
    Preference(
        re.compile(
            rf"i (?:always|never|usually|generally|normally|typically|mostly|only) "
            rf"(?!forget|forgot|remember|wonder|mix|confuse|struggle|mess|hear|heard|notice|feel|"
            rf"hope|assume|hate|love|enjoy|think|find|miss|lose|read that|get|see|know|thought|"
            rf"knew|had|have|end up|saw|run into|wanted|"
            r"liked|"
            rf"understood|seen)(?!\w+ed\b)[a-z]+ (?!{_THIS}\s*$)\S"
        ),
        STATED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            rf"i {NOT} (?:ever )?(?:use|write|commit|like|do|care for|work with) "
            rf"(?!{_THIS}(?! when))\S"
        ),
        WISHED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            r"i (?:really )?(?:like|love|want|appreciate|enjoy) (?:it when "
            r"(?=.*\byou\b)|(?:my|to keep|to have|to see|to write|short|small|long|clean|explicit|"
            r"simple|plain|verbose|detailed)\b)"
        ),
        WISHED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            rf"i (?:really )?(?:like|love) (?!{_THIS}|to\b|my\b|your\b)\S+ "
            rf"\S"
        ),
        WISHED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            rf"i (?:really )?(?:hate|dislike|despise|can't stand|cannot stand|"
            rf"detest) (?:it when you|when you|(?!{_THIS})\S)"
        ),
        WISHED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            r"my (?:\w+ )?(?:timezone|time zone|language|role|stack|editor|ide|"
            r"shell|os|name|pronouns|locale|job|title|favou?rite \w+|handle|username|\w+ handle|"
            r"preferred (?:\w+ ){0,3}\w+|default \w+|terminal|setup|machine|keyboard layout)"
            r"(?: is| are|'s|:) (?!not\b|slow|broken|wrong|too\b|very\b|acting|down|dead|missing|"
            r"in\b|on fire)"
            r"\S"
        ),
        STATED,
    ),
    Preference(re.compile(r"(?:please |just |always )*call me \w+[.!]*$"), STATED),
    Preference(
        re.compile(
            r"i(?:'m| am) (?:an? |the )(?:\w+[ -]){0,4}(?:engineer|developer|dev|"
            r"programmer|sre|designer|scientist|analyst|architect|researcher|student|admin|"
            r"sysadmin|"
            r"manager|lead|maintainer|beginner|novice|freelancer|consultant|cto|pm)\b"
        ),
        STATED,
    ),
    Preference(
        re.compile(
            r"i(?:'m| am) (?:new to|based in|colou?r ?blind|dyslexic|on (?:linux|"
            r"mac|macos|windows|arch|ubuntu|nixos|fedora|debian|wsl)\b)"
        ),
        STATED,
    ),
    Preference(
        re.compile(
            r"i work (?:(?:mostly|mainly|primarily|usually|only|exclusively) )"
            r"?(?:(?:in|with|on) (?!the\b|a\b|an\b|this\b|that\b|it\b|my\b|your\b)|(?:in|on) the "
            r"(?:\w+ ){1,2}(?:team|department|group)\b|as an? |at |on (?:windows|linux|mac|a "
            r"mac|macos)\b)\S*"
        ),
        STATED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            rf"i (?:mostly |mainly |only )?use (?!{_THIS}|a\b|an\b|my\b|to\b)"
            rf"\S"
        ),
        WISHED,
        needs_work=True,
    ),
    Preference(
        re.compile(
            rf"(?:always )?(?:answer|reply|respond|speak|talk|write|explain)(?: \w+)"
            rf"{{0,3}} in {_LANGUAGE}\b"
        ),
        STATED,
    ),
    Preference(re.compile(rf"(?:please )?keep (?:your |the |all )?(?:\w+ )?{_TALK} \S"), STATED),
    Preference(
        re.compile(
            rf"(?:please |always )*be (?:more |less |a bit |very |as )*(?:more |"
            rf"less )?{_SHORT}\b(?! (?:with|about) (?:this|that|it)\b)"
        ),
        WISHED,
    ),
    Preference(
        re.compile(
            rf"i(?:'d| would) (?:like|prefer|want) (?:your |the |all )?{_TALK} (?!for\b|"
            rf"of\b|about\b)\S"
        ),
        WISHED,
    ),
    Preference(
        re.compile(
            r"i prefer (?:that|if|when|it when) (?:you|we|commits|tests|prs|files)"
            r"\b"
        ),
        STATED,
    ),
    Preference(
        re.compile(
            rf"(?:i want|i'd like|give me|please give) (?:\w+ )?(?:short|brief|"
            rf"concise|longer|detailed|terse)\w* {_TALK}\b(?! (?:of|for|about|on) )"
        ),
        WISHED,
    ),
    Preference(
        re.compile(
            r"(?:no|skip the|less|drop the|without the|spare me the) (?:fluff|"
            r"preamble|small talk|flattery|filler|pleasantries|emojis?|apologies|disclaimers|"
            r"recaps?|"
            r"summaries)\b"
        ),
        WISHED,
    ),
)
"""The first that fits decides. What a preference is worth is left to a person (DESIGN §5)."""
