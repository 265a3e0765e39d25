"""The words of a text in one common form, so that "releases" and "releasing" meet "release".

This is for comparing a phrase that a person wrote (`applies_when: writing tests`) with a prompt
or a path. It knows English endings only, by a few rules of our own; other words are compared
as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")

_VOWELS = frozenset("aeiouy")

_KEPT = ("eed", "mbed")
"""Ends of words whose "ed" is no ending: speed, feed, embed."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STOP = _set(
    "a about all an and any are as at be been being but by can could do does doing done each every "
    "for from get had has have having how i if in into is it its make making me my need needs no "
    "not of off on only or other our out over should so some such than that the their them then "
    "there these they this those to under up us use used uses using via want was we were what when "
    "where whether which while who will with within without would you your"
)
"""Words that say nothing about a context."""

_VAGUE = _set(
    "add adding case change changes changing code create creating edit editing edits file files "
    "handle handling modify modifying new project projects repo repository run running task tasks "
    "thing things touch touching update updating work working write writing"
)
"""Words of nearly every task: they count only where a phrase consists of nothing else."""


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """A lower-case word without its English ending.

    The result need not be a word; it only is the same for a word's inflections.
    """
    if len(word) < 3 or not word.isascii():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "sis", "xis")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 2 and not word.endswith(_KEPT) and _VOWELS & set(rest):
            word = rest
            break
    if word.endswith("e") and len(word) > 2:
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    # "deploy" and "deploy|ment"; "copied" has become "copi", "copy" follows it.
    if word.endswith("ment") and len(word) > 7:
        word = word[:-4]
    return word[:-1] + "i" if word.endswith("y") else word


STOP_STEMS = frozenset(map(stem, _STOP))
"""The stems of the words that say nothing about a context."""


def words(text: str) -> list[str]:
    """The words of a text in order, case folded; punctuation and underscores part words."""
    return _WORD.findall(text.casefold())


def stems(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(map(stem, words(text)))


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that say something; of all its words where none does."""
    found = words(text)
    telling = [word for word in found if word not in _STOP]
    exact = [word for word in telling if word not in _VAGUE]
    return frozenset(map(stem, exact or telling or found))


def share(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the smaller set the two have in common, 0 to 1; 0.0 if one of them is empty."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
