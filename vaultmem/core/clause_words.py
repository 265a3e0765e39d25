"""The words by which `core.clauses` reads polarity, verbs and circumstances from a statement."""

# ruff: noqa: E501  (one phrase a line, whole)

from __future__ import annotations

import re

from vaultmem.core.words import stem

QUOTED_WORDS = 3
"""Words of a quotation that may still name an action's object; a longer one is a payload."""
MUTE = "ꟾ"
"""Stands before a quoted word: a letter, so that no pattern for a whole word matches it."""

NO, YES, ALL = "⊖", "⊕", "⊛"
"""What markers are replaced by: forbids or drops, permits or demands, leaves no room."""
WITHOUT, EXCEPT, INSTEAD = "⊗", "⊘", "⊜"
"""What stands between the parts of a clause: "without", "unless", "instead of"."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ADVERB = r"(?:\s+(?:now|also|perfectly|still|totally|usually|generally|just|never|always|only|ever|strictly))?"
_BE = r"(?:(?:it|that|this)(?:'s|\s+is)|is|are|be|isn't|aren't)"
_OK = r"(?:ok|okay|fine|allowed|permitted|acceptable|alright|welcome|encouraged|recommended|required|mandatory|preferred|needed|necessary|supported)"
_BAD = r"(?:forbidden|prohibited|banned|disallowed|discouraged|deprecated|off[\s-]limits|verboten|taboo|unacceptable)"
_TO = r"(?:\s+(?:if\s+you|for\s+you\s+to|to)\b)?"

MARKERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), f" {mark} ")
    for pattern, mark in (
        # whole turns of phrase first: each may hold a shorter marker
        (r"\b(?:switch|migrat|mov|chang)(?:e|ed|ing)?\s+(?:away\s+)?from\s+([\w./@-]*\w)\s+to\s+([\w./@-]*\w)", r"use \2 instead of \1"),
        (r"^\W*(?:please\s+|we\s+)?replaced?\s+([\w./@-]*\w)\s+(?:with|by)\s+([\w./@-]*\w)", r"use \2 instead of \1"),
        (r"\b(?:keep|leave)\s+(\S+(?:\s+\S+)?)\s+out\s+of\b", rf"{NO} store \1 in"),
        (r"\bpull\s+requests?\b|\bmerge\s+requests?\b|\bprs\b|\bmrs?\b", "pr"),
        (r"\b(?:instead\s+of|rather\s+than|as\s+opposed\s+to|in\s+place\s+of)\b", INSTEAD),
        (r"\bin\s+favou?r\s+of\b", INSTEAD),
        (r"\b(?:except|unless|until|other\s+than|apart\s+from|excluding|save\s+for)\b", EXCEPT),
        (r"\bwithout\b", WITHOUT),
        (rf"\b(?:{_BE}\s+)?no\s+longer(?:\s+{_OK})?{_TO}(?!\w)", NO),
        (rf"\b{_BE}{_ADVERB}\s+not{_ADVERB}\s+{_OK}\b{_TO}", NO),
        (rf"\b(?:isn't|aren't|never|not){_ADVERB}\s+{_OK}\b{_TO}", NO),
        (rf"\b(?:{_BE}\s+)?(?:now\s+|strictly\s+)?{_BAD}\b", NO),
        (rf"\b{_BE}{_ADVERB}\s+{_OK}\b{_TO}(?:\s+now\b)?", YES),
        (r"\b(?:no\s+need\s+to|(?:don't|do\s+not)\s+(?:need|have|bother)(?:\s+to)?|needn't|need\s+not)\b", NO),
        (r"\b(?:do|does|did|must|should|shall|may|can|could|need|will|would)(?:n't|\s+not|nt)\b(?:\s+(?:ever|be))?", NO),
        (r"\b(?:cannot|can't|won't|shan't)\b", NO),
        (r"\b(?:never\s+ever|never)\b", NO),
        (r"\b(?:refrain(?:s|ing)?\s+from|avoid(?:s|ing|ed)?|stop(?:s|ped|ping)?|quit|cease|forbids?|bans?|prohibits?|disallows?)\b(?=\s)", NO),
        (r"\b(?:skip|omit|bypass)(?:s|ping|ping|ting|ing)?\b", f"{NO} run"),
        (r"\b(?:disabl(?:e|es|ing)|turn(?:ing)?\s+off|switch(?:ing)?\s+off)\b", f"{NO} enable"),
        (r"\b(?:exclud(?:e|es|ing))\b", f"{NO} include"),
        (r"\b(?:turn|switch)(?:ing)?\s+on\b", "enable"),
        (r"\bnot\s+only\b", ""),
        (r"\b(?:always|must|only|every\s+time|without\s+exception|at\s+all\s+times)\b", f"{YES} {ALL}"),
        (r"\b(?:feel\s+free\s+to|make\s+sure(?:\s+(?:to|that|you))*|be\s+sure\s+to|ensure(?:\s+that)?|remember\s+to|"
         r"(?:have|need)\s+to|(?:are|is|am)\s+(?:allowed|free|welcome|supposed)\s+to|allowed\s+to)\b", YES),
        (r"\b(?:you|we|agents?|i|they)\s+(?:can|may|could|should|shall)\b|\b(?:should|shall|may|can)\b|\bplease\b", YES),
        (r"\b(?:allow|permit)s?\b", YES),
    )
)  # fmt: skip
"""Patterns of whole phrases and what replaces them, in the order of their application."""

VERB_WORDS = _set(
    "use run prefer choose favor favour employ adopt pick rely stick call invoke execute do add "
    "amend apply approve archive ask assume attach auto-merge backport batch branch break build "
    "bump bundle cache catch change check checkout cherry-pick clean clear clone close code "
    "comment commit compile configure confirm connect consider copy cover create debug declare "
    "define delete deploy describe design disable document download draft drop edit enable "
    "encode ensure escape explain export expose extend extract fail fetch filter fix follow "
    "force format generate give group guard handle hardcode hide hold hotfix ignore implement "
    "import include inject inline install invent keep launch lint list load lock log make "
    "measure mention merge migrate minimize mix mock modify monitor move name nest note notify "
    "omit open optimize order override overwrite pass paste patch pin place plan post prefix "
    "print profile propose publish pull push put quote raise read rebase record refactor "
    "release reload remove rename reply report request require reset resolve respond restart "
    "restore retry return reuse revert review rewrite rotate sanitize save say schedule send "
    "serve set share ship show sign simplify sleep sort split squash stage start stash stop "
    "store stub style submit suggest summarize support suppress sync tag target tell test throw "
    "touch track translate trust truncate try type update upgrade upload validate verify "
    "version wait warn watch wrap write"
)
VERBS = frozenset(map(stem, VERB_WORDS))
WEAK_WORDS = _set(
    "use run prefer choose favor favour employ adopt pick rely stick call invoke execute do"
)
WEAK = frozenset(map(stem, WEAK_WORDS))
"""Verbs that say no more than that something is used; their object is what is compared."""
HEDGED = frozenset(map(stem, _set("prefer choose favor favour pick")))
"""Verbs that prefer and do not forbid the rest."""

SYNONYM = {
    stem(word): stem(group.split()[0])
    for group in (
        "delete remove drop erase",
        "edit modify change update touch alter",
        "add write create insert put introduce",
        "store save keep",
        "repo repository",
        "check verify validate",
        "dependency package library",
        "doc documentation docs",
        "config configuration",
        "db database",
        "env environment",
        "prod production",
        "ts typescript",
        "js javascript",
        "ask confirm",
        "approval approve approved",
        "direct directly",
    )
    for word in group.split()
}

STOP = _set(
    "a about actually again all also an and any anymore anyway are as at back be been being "
    "both but by code codebase days direct directly do does done each either else even ever "
    "every everywhere first for from further get got had has have here how i if in instead into "
    "is it it's its just let like me more most my new now of off often on once one onto or our "
    "out over own people per please project quite really right same simply since so some still "
    "straight such than that that's the their them then there these they this those through "
    "time times to today too under up us via was we well were what when where whether which "
    "while who will with would yet you your s t default's team everyone anyone "
    "somebody agent agents before after during that which means sometimes usually generally "
    "hand manually"
)

CONDITIONS = _set(
    "in on for when if before after while during with at under outside inside within where as "
    "by from since once whenever"
)
"""Words with which a circumstance begins."""
SUBJECTS = _set(
    "we you i they agents agent everyone people this our the project repo codebase team "
    "repository it all then also just so and but instead please first finally otherwise that "
    "developers contributors claude pi"
)
"""Words that may stand before the verb of a plain statement or an order."""
DETERMINERS = _set("the a an that our these those its")
PRONOUNS = frozenset(("them", "it", "those", "these"))
QUESTIONS = frozenset(("which", "what", "how", "why", "where", "who", "when", "whether"))
JOINTS = frozenset(("and", "or", "then", "but", "nor"))
