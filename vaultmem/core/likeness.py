"""How one statement relates to one other in the same place: a table of rules, the first answers."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.contradiction import contradicts
from vaultmem.core.duplicate import Difference, difference, same_text
from vaultmem.core.model import Category
from vaultmem.core.support import SOFT, says_the_opposite
from vaultmem.core.topic import key_of, scope_of
from vaultmem.core.words import content_stems, share, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.model import Memory


class MatchKind(StrEnum):
    """What a candidate is to what is known."""

    NEW = "new"
    DUPLICATE = "duplicate"
    STRENGTHENS = "strengthens"
    UPDATES = "updates"
    CONFLICT = "conflict"
    SUPERSEDES = "supersedes"
    AMBIGUOUS = "ambiguous"


SAME = 0.85
"""The share of all their words that two statements of one meaning have in common; from the
governed memory."""
ALIKE = 0.6
"""The same where one says more or less than the other; our own."""
ABOUT = 0.4
"""The share of the shorter one's words where both have one key; our own."""
_TELLING = 3
"""Fewer words than this are contained in nearly anything."""

_REPLACES = re.compile(
    r"\b(?:no longer|any ?more|from now on|replace[sd]?|deprecated|obsolete|switch(?:ed)? to)\b",
    re.IGNORECASE,
)
_UPDATE = re.compile(
    r"^\W*(?:please\s+)?(?:update|change|revise|adjust|extend|include|add)\b|\bnow\b", re.IGNORECASE
)
_CONDITIONS = frozenset(
    ("if", "only", "when", "unless", "except", "until", "before", "after", "while", "during")
)
_NAME = re.compile(r"`[^`]+`|(?<=\s)(?:[A-Z]\w*|\w+[_/@.:-]\w+|\w*\d\w*)")
"""A capital inside a sentence, or what is written like code."""


class Known(NamedTuple):
    """A memory with what matching compares, computed once."""

    memory: Memory
    scope: tuple[str, ...]
    key: str
    stems: frozenset[str]

    @property
    def statement(self) -> str:
        """What it says."""
        return self.memory.statement


class _Pair(NamedTuple):
    """A new statement and one that stands; how much they share, and what keeps them apart."""

    new: Known
    old: Known
    common: float
    apart: Difference | None


def known(memory: Memory) -> Known:
    """A memory made ready to be compared."""
    return Known(memory, scope_of(memory), key_of(memory), telling_stems(memory.statement))


def telling_stems(statement: str) -> frozenset[str]:
    """The stems of what a statement is about, without how it is worded."""
    stems = content_stems(statement)
    return stems - SOFT or stems


def relation(new: Known, old: Known) -> MatchKind:
    """What a new statement is to one that stands in the same place; `NEW` if nothing."""
    if same_text(new.statement, old.statement):
        return MatchKind.DUPLICATE
    if new.stems.isdisjoint(old.stems):
        return MatchKind.NEW
    common = len(new.stems & old.stems) / len(new.stems | old.stems)
    pair = _Pair(new, old, common, difference(new.statement, old.statement))
    return next((kind for kind, holds in RULES if holds(pair)), MatchKind.NEW)


def _replaces(pair: _Pair) -> bool:
    return _REPLACES.search(pair.new.statement) is not None and _opposes(pair)


def _opposes(pair: _Pair) -> bool:
    new, old = pair.new.statement, pair.old.statement
    close = pair.common >= ALIKE or _about_one(pair)
    return (close and says_the_opposite(new, old)) or contradicts(new, old) is not None


def _says_the_same(pair: _Pair) -> bool:
    return pair.common >= SAME and pair.apart is None and not _narrows(pair)


def _new_number(pair: _Pair) -> bool:
    """Two numbers of one rule are an old and a new one; two releases made are two facts."""
    if pair.apart not in (Difference.NUMBER, Difference.VERSION):
        return False
    if Category.DONE in (pair.new.memory.category, pair.old.memory.category):
        return False
    one, other = (
        {word for word in side.stems if not any(map(str.isdigit, word))}
        for side in (pair.new, pair.old)
    )
    return bool(one) and len(one & other) / len(one | other) >= SAME


def _kept_apart(pair: _Pair) -> bool:
    return pair.apart not in (None, Difference.IDENTIFIER)


def _asks_for_update(pair: _Pair) -> bool:
    close = pair.common >= ALIKE or _about_one(pair)
    return close and _UPDATE.search(pair.new.statement) is not None


def _about_one(pair: _Pair) -> bool:
    """Whether they share a key and enough words; a shared tag alone says nothing."""
    return pair.new.key == pair.old.key and share(pair.new.stems, pair.old.stems) >= ABOUT


def _too_far(pair: _Pair) -> bool:
    shorter = min(len(pair.new.stems), len(pair.old.stems))
    return shorter < _TELLING or pair.common < ALIKE


def _says_less(pair: _Pair) -> bool:
    return pair.new.stems <= pair.old.stems and not _narrows(pair)


def _says_little_more(pair: _Pair) -> bool:
    """Whether all that it adds are plain words on the same thing, no name and no condition."""
    return _says_more(pair) and pair.new.key == pair.old.key and not _narrows(pair)


def _narrows(pair: _Pair) -> bool:
    """Whether it names a condition, or something with a name, that the other does not."""
    new, old = pair.new.statement, pair.old.statement
    conditions = set(words(new)) - set(words(old))
    return not _CONDITIONS.isdisjoint(conditions) or not set(_NAME.findall(new)) <= set(
        _NAME.findall(old)
    )


def _says_more(pair: _Pair) -> bool:
    return pair.old.stems <= pair.new.stems


RULES: tuple[tuple[MatchKind, Callable[[_Pair], bool]], ...] = (
    (MatchKind.SUPERSEDES, _replaces),
    (MatchKind.CONFLICT, _opposes),
    (MatchKind.DUPLICATE, _says_the_same),
    (MatchKind.UPDATES, _new_number),
    (MatchKind.NEW, _kept_apart),
    (MatchKind.UPDATES, _asks_for_update),
    (MatchKind.NEW, _too_far),
    (MatchKind.STRENGTHENS, _says_less),
    (MatchKind.STRENGTHENS, _says_little_more),
    (MatchKind.UPDATES, _says_more),
)
"""In this order; the first that holds answers, and `NEW` where none does."""
