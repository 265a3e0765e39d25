"""Which skipped comment a new one repeats: the same file, the same words, about the same line."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.duplicate import same_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.reviewing.comment import ReviewComment, StoredComment

ALIKE = 0.6
"""The share of all their words that two comments must have in common; as the old tool's search for
a dismissed comment has it (topic-memory.md, section 17)."""
NEAR_LINES = 50
"""How far the line of a comment in other words may have moved. What says the same word for word is
the same wherever its code went: a few commits move a function by any number of lines."""

_PLACES = re.compile(r"\b(?:on |at |in )?(?:lines?|L)\s*#?\d+(?:\s*(?:-|–|to)\s*L?\d+)?", re.I)
"""`line 12`, `L12-L20`: what a comment says of its place moves with it."""
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(
    r"`[^`]+`|\b(?:\w+(?:[./:]+\w+)+|\w*[^\W_]_\w+|\w*[a-z][A-Z]\w*|\w*\d\w*|[A-Z]{2,}\b)"
)
"""What is written like code, and numbers: two comments about two of them are two comments."""
_AGAINST = frozenset(("not", "no", "never", "nothing", "none", "without", "cannot", "nor"))
_NOT = re.compile(r"\b(?:[a-z]+n['’]t)\b", re.I)


class Likeness(StrEnum):
    """How near a comment is to one that was skipped."""

    SAME = "same"
    ALIKE = "alike"


class Match(NamedTuple):
    """The skipped comment that a new one repeats.

    Attributes:
        drift: lines from the old place to the new one, down positive; None where one has no line.
    """

    skipped: StoredComment
    likeness: Likeness
    drift: int | None


class _Ranked(NamedTuple):
    """A match, and what tells it from others."""

    match: Match
    share: float

    @property
    def key(self) -> tuple[bool, float, int, int]:
        """The best is the greatest: same words, more words in common, nearer, newer."""
        same = self.match.likeness is Likeness.SAME
        return same, self.share, -abs(self.match.drift or 0), self.match.skipped.id


def match(new: ReviewComment, skipped: Iterable[StoredComment]) -> Match | None:
    """The one that it repeats best; None for a comment that is new.

    A comment in other words is one only where no number, negation or name keeps the two apart: to
    say a thing twice costs less than to pass over what nobody has decided. `core.duplicate` is too
    strict for that, since reviewers never word a finding alike twice.

    Args:
        new: what a reviewer found now.
        skipped: the comments of the same pull request that were skipped.
    """
    ranked = [one for old in skipped if (one := _ranked(new, old)) is not None]
    return max(ranked, key=lambda one: one.key).match if ranked else None


def _ranked(new: ReviewComment, old: StoredComment) -> _Ranked | None:
    if place(new.path) != place(old.comment.path):
        return None
    one, other = _said(new.body), _said(old.comment.body)
    drift = None
    if new.line is not None and old.comment.line is not None:
        drift = new.line - old.comment.line
    if same_text(one, other):
        return _Ranked(Match(old, Likeness.SAME, drift), 1.0) if one else None
    words, known = _WORD.findall(one.casefold()), _WORD.findall(other.casefold())
    share = _share(words, known)
    if share < ALIKE or abs(drift or 0) > NEAR_LINES:
        return None
    if _names(one) != _names(other) or _denies(one, words) != _denies(other, known):
        return None
    return _Ranked(Match(old, Likeness.ALIKE, drift), share)


def place(path: str) -> str:
    """The form in which two spellings of a file's path are one: slashes, and no `./` in front."""
    return path.replace("\\", "/").removeprefix("./")


def _said(body: str) -> str:
    """The words of a comment in one line, without its place."""
    return " ".join(_PLACES.sub(" ", body).split()).lstrip(":,;.- ")


def _names(text: str) -> frozenset[str]:
    return frozenset(found.strip("`").removesuffix("()") for found in _NAME.findall(text))


def _denies(text: str, words: Sequence[str]) -> bool:
    return not _AGAINST.isdisjoint(words) or _NOT.search(text) is not None


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    both, every = {*one} & {*other}, {*one} | {*other}
    return len(both) / len(every) if every else 0.0
