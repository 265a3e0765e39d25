"""The phrases by which a sentence orders, forbids, or prefers one thing to another."""

from __future__ import annotations

from vaultmem.core.phrases import (
    AVOID,
    CONVENTION,
    CORRECTION,
    MODERATE,
    MUST,
    NO_RULE,
    ONE,
    OVER,
    PREFER,
    SETS,
    STRONG,
    TOUCHES,
    VERB,
    Phrase,
    phrase,
)
from vaultmem.core.remarks import NOT

ORDERS: tuple[Phrase, ...] = (
    # Orders with "always" and "never", also with who shall follow them.
    phrase(
        rf"(?:(?:we|agents?|everyone) (?:{MUST} )?|you {MUST} )?(?:always|never)(?: ever| again)?"
        rf",? (?!have (?:\w+ed|\w+en|had|been)\b|change[.!]*$){VERB}",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(rf"let'?s (?:please )?(?:always|never|stop) {VERB}", STRONG, CONVENTION, lasting=True),
    phrase(
        rf"(?:you|we|agents?) (?:must(?:n't| not)|may not|shall not|are not allowed to) {VERB}",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(rf"{NOT},? (?:ever|under any circumstances),? {VERB}", STRONG, CORRECTION, lasting=True),
    # Orders not to do something.
    phrase(rf"{NOT} (?:you )?(?:dare )?use\b(?! {ONE} ?(?:yet|now|again)?$)", STRONG, AVOID),
    phrase(
        rf"{NOT} {NO_RULE}(?!{TOUCHES} (?:(?!my \w+s\b|the (?:generated|vendored?|legacy|third|"
        rf"lock|snapshot)){ONE}|any(?:thing|one)?\b(?! (?:in|under|"
        rf"outside|from)\b)"
        rf"|code\b|to\b|$)(?!.*\w[/._]))(?!\w+ (?:it|that|this|me|them|him|those|these)\b){VERB} "
        rf"\S",
        STRONG,
        CORRECTION,
    ),
    phrase(
        rf"we {NOT} (?:ever )?{NO_RULE}(?!use (?:it|that|this|them)\b)(?P<verb>[a-z-]+) (?!it\b|"
        r"that\b|this\b|anything\b)\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"we (?:no longer|don'?t|do not) \w+ \S.* any ?more\b|we no longer \w+ (?!it\b)\S",
        STRONG,
        CORRECTION,
    ),
    phrase(
        r"(?:stop|quit|no more) (?:with (?:the |all )?)?(?!being (?:able|sure)|looking\b|"
        r"searching|waiting|worrying|panicking)[a-z-]+ing\b"
        r"(?! (?:it|that|this|them|now|here)?[.!]*$)",
        STRONG,
        AVOID,
    ),
    phrase(
        r"(?:no more|enough with(?: the)?) (?!questions|ideas|time|changes|errors)"
        r"\S+",
        MODERATE,
        AVOID,
    ),
    phrase(rf"avoid (?!{ONE}[.!]*$)(?!the (?:lock|crash|bug|error)\b)\S", STRONG, AVOID),
    phrase(rf"{NOT} (?P<verb>[a-z]+) \S.* unless (?:you|i|we) \S", STRONG, CORRECTION),
    # Preferring one thing to another.
    phrase(
        r"(?:we |strongly )?(?:prefer|favou?r) (?!not\b|the (?:first|second|last|other)\b|"
        r"option|variant|version)\S",
        STRONG,
        PREFER,
    ),
    phrase(
        rf"(?:we (?:should )?|you should )?(?!(?!use\b)\w+ an? ){SETS} (?!{ONE}|\d)(?:\S+ )"
        rf"{{1,9}}?(?:{OVER}|over) \S",
        STRONG,
        PREFER,
    ),
    phrase(
        rf"(?:we (?:should )?|you should )?(?!(?!use\b)\w+ an? ){SETS} (?!{ONE}|\d)"
        rf"[^,;]{{1,100}}, ?(?:not|never) "
        rf"\S",
        STRONG,
        PREFER,
    ),
    phrase(rf"use (?!{ONE}|\d)\S.{{0,80}}\binstead\b", STRONG, PREFER),
    phrase(
        r"use (?:the|our) (?=.*(?:\w[./_]\w|_{3}))\S.{0,80}? (?:instead of|rather than) "
        r"\S",
        STRONG,
        PREFER,
    ),
    phrase(
        r"(?P<verb>[a-z]+) .{3,120}, (?:always|every time|each time|no exceptions)"
        r"[.!]*$",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(rf"(?:instead of|rather than) .{{2,80}}?,? (?:please )?{SETS} \S", STRONG, PREFER),
    phrase(
        r"(?:instead of|rather than) \w+ing\b[^,]{2,60}, (?P<verb>[a-z]+) (?!it\b)\S",
        MODERATE,
        PREFER,
    ),
    phrase(r"not \S+(?: \S+)?, (?:but |use |always )\S", MODERATE, PREFER),
    phrase(
        r"use (?:the|our) (?:\w+ ){0,2}\w+ (?:instead of|rather than) \w+ing (?!a new\b)\S|use "
        r"\S+ for "
        r"\S+(?: \S+)?, (?:and )?\S+ for \S",
        STRONG,
        PREFER,
    ),
    phrase(
        r"use (?:the|our) (?:\w+ ){0,2}\w+s (?:instead of|rather than) (?!(?:the|a|an|this|that)"
        r"\b|\d)\S",
        STRONG,
        PREFER,
    ),
    phrase(
        rf"use (?!{ONE}|an?\b).{{2,60}}? for (?:every|all|each|any) (?!(?:of )?(?:the|these|those)"
        rf"\b)\S",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        rf"(?:when|for|while) \w+ing .{{2,60}}?,? ?\b(?:use|prefer|write|call|run) (?!{ONE}|an?\b)"
        rf"\S",
        MODERATE,
        CONVENTION,
    ),
)
"""They count only where a clause begins; the first that fits decides."""
