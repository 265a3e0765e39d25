"""How much of a claim a text says, word by word, with "use npm" and "never use npm" apart.

The governed memory that vaultmem follows looked for long words anywhere in the source, also inside
other words, and passed every claim without one. Here a word counts if the source has it (in any
inflection) and says it with the same sign; a number of the claim must be in the source.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from vaultmem.core.own_words import own_words, plain, wrapped
from vaultmem.core.sentences import sentences
from vaultmem.core.words import content_stems, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUPPORTIVE = 0.35
"""The least share of a claim's telling words that a source must say; from the governed memory."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOFT = frozenset(
    map(
        stem,
        _set("always never avoid stop prefer favor favour instead rather longer please ever now"),
    )
)
"""How a rule is worded and not what it is about."""

_AUXILIARY = _set(
    "am are be can could did do does is may might must shall should was were will would"
)
_NEGATING = _set(
    "never avoid avoids avoided avoiding stop stops forbid forbids forbidden prohibit prohibits "
    "prohibited ban bans banned disallow disallowed refuse deny denied"
)
_OR = _set("or nor")
_LISTED = 2
"""An "or" this early makes a clause the end of a list: never use npm, yarn or pnpm."""
_PREFERRING = _set("prefer prefers preferred favor favour choose")

_IRREGULAR = (
    (re.compile(r"\bcan(?:'?t|not)\b"), "can not"),
    (re.compile(r"\bwon'?t\b"), "will not"),
    (re.compile(r"\b(do|does|did|is|are|was|were|must|should|could|would)n'?t\b"), r"\1 not"),
    (re.compile(r"\bno longer\b"), "never longer"),
    (re.compile(r"\bin favou?r of\b"), ", use"),
    (re.compile(r"\bbut\b"), ", but"),
)
_CLAUSE_END = re.compile(
    r"[.!?;:,()\u2014](?=\s|$)|\n|[。！？、]|\binstead\b(?!\s+of)"
    r"|\b(?:and|then|so)\b(?=\s+(?:always|never|use|prefer|do|run|keep|avoid|stop)\b)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

_SPAN = re.compile(r"(?<!`)`([^`\n]{1,60})`(?!`)")
"""A short code span is a word of the sentence that it stands in: use `bun`."""


def support_ratio(claim: str, source: str) -> float:
    """The share of the claim's telling words that the source says with the same sign, 0 to 1.

    0.0 where no word of the claim tells anything, or the source lacks one of its numbers.
    """
    claim, source = _spelled_out(claim), _spelled_out(source)
    if not set(_NUMBER.findall(claim)) <= set(_NUMBER.findall(source)):
        return 0.0
    telling = {gram for word in content_stems(claim) - SOFT for gram in _grams(word)}
    claimed = {signed for signed in _signed_words(claim) if signed[0] in telling}
    return len(claimed & _signed_words(source)) / len(claimed) if claimed else 0.0


def says_the_opposite(one: str, other: str) -> bool:
    """Whether the two have telling words in common, and none of them with the same sign."""
    sides = [_signed_words(_spelled_out(text)) for text in (one, other)]
    words_in_common = {word for word, _ in sides[0]} & {word for word, _ in sides[1]}
    telling = words_in_common & content_stems(one) - SOFT
    return bool(telling) and not any(word in telling for word, _ in sides[0] & sides[1])


def said_by_user(statement: str, messages: Iterable[str]) -> bool:
    """Whether the user's own words, in one place of one message, support the statement."""
    return bool(words_of_user(statement, messages))


def words_of_user(statement: str, messages: Iterable[str]) -> str:
    """What the user said that supports the statement best, as they wrote it; "" where nothing does.

    One place is two sentences that follow each other: over a whole session nearly every word falls
    once. A question asks and does not instruct; quoted and pasted text does not count.
    """
    best, words_said = 0.0, ""
    for message in messages:
        if wrapped(message) is not None:
            continue
        for own, said in _places(message):
            ratio = support_ratio(statement, own)
            if ratio >= SUPPORTIVE and ratio > best:
                best, words_said = ratio, said
    return words_said


def _places(message: str) -> Iterator[tuple[str, str]]:
    """Each place of a message: the user's own words in it, and the place as it was written."""
    own = own_words(_SPAN.sub(r" \1 ", plain(message)))
    spans = [span for span in sentences(own) if not own[slice(*span)].endswith("?")]
    stated = [(own[start:end], message[start:end]) for start, end in spans]
    yield from stated
    for first, second in pairwise(stated):
        yield f"{first[0]}\n{second[0]}", f"{first[1]}\n{second[1]}"


def _spelled_out(text: str) -> str:
    text = plain(text).casefold()
    for pattern, instead in _IRREGULAR:
        text = pattern.sub(instead, text)
    return text


@lru_cache(maxsize=512)
def _signed_words(text: str) -> frozenset[tuple[str, bool]]:
    """The stems of a plain text, each with whether its clause affirms it."""
    found: set[tuple[str, bool]] = set()
    negated = False
    for clause in _CLAUSE_END.split(text):
        tokens = words(clause)
        if not tokens:
            continue
        goes_on = negated and (len(tokens) == 1 or not _OR.isdisjoint(tokens[:_LISTED]))
        negated = goes_on or any(_negates(tokens, at) for at in range(len(tokens)))
        sign = not negated
        for at, token in enumerate(tokens):
            if _turns(tokens, at):
                sign = negated
            found.update((gram, sign) for gram in _grams(stem(token)))
    return frozenset(found)


def _negates(tokens: list[str], at: int) -> bool:
    """Whether the word there negates its whole clause."""
    if tokens[at] == "not":
        return at > 0 and tokens[at - 1] in _AUXILIARY
    return tokens[at] in _NEGATING


def _turns(tokens: list[str], at: int) -> bool:
    """Whether what follows has the other sign than the clause: "bun, not npm", "bun over npm"."""
    word, after = tokens[at], tokens[at + 1 : at + 2]
    if word == "not":
        return not _negates(tokens, at)
    if word == "over":
        return not _PREFERRING.isdisjoint(tokens[:at])
    return word == "without" or (word, *after) in (("instead", "of"), ("rather", "than"))


def _grams(word: str) -> Iterable[str]:
    """The word, or its pairs of characters where a script writes no blanks between words."""
    if len(word) < 3 or not _EAST_ASIAN.search(word):
        return (word,)
    return [word[at : at + 2] for at in range(len(word) - 1)]
