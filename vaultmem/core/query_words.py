"""How a word gives a prompt's class away: what must and must not stand beside it.

A word with a second, everyday meaning ("release the lock", "merge sort", "tag cloud") counts only
beside a word that settles it. Places are counted in words, articles left out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_VERSION = re.compile(r"v?\d+(?:\.\d+)+|v\d+")
_WORD = re.compile(rf"{_VERSION.pattern}|[^\W_]+")
_RAISED = ("error", "errors", "exception", "exceptions", "fehler")
_NOT_RAISED = frozenset(("terror", "terrors"))
# Numbers of errors and signals as systems print them, and words of scripts without blanks.
_PRINTED = re.compile(
    r"\be(?:addrinuse|conn\w+|exist|mfile|noent|nospc|timedout)\b|\bsig(?:segv|abrt|bus)\b"
    "|エラー|バグ|错误|报错|崩溃|오류|에러"
)
# The address of a pull or merge request on the usual hosts.
_REQUEST = re.compile(r"/(?:pulls?|merge_requests|pullrequests?|pull-requests)/\d")
_APOSTROPHES = str.maketrans("", "", "'’")

_NONE: frozenset[str] = frozenset()

_REACH = 3
"""How many words before and after a word belong to its surroundings."""

_SOON = 2
"""How many words after a word can be its object: "release held locks"."""


class Signal(NamedTuple):
    """A word in all its forms; every condition that is not empty must hold.

    Attributes:
        forms: its inflections.
        beside: one of these stands among the `_REACH` words before or after it.
        then: one of these is the next word.
        not_then: none of these is among the next `_SOON` words.
        not_next: none of these is the next word.
        not_after: none of these is the word before.
        not_beside: none of these stands among the `_REACH` words before or after it.
    """

    forms: frozenset[str]
    beside: frozenset[str] = _NONE
    then: frozenset[str] = _NONE
    not_then: frozenset[str] = _NONE
    not_next: frozenset[str] = _NONE
    not_after: frozenset[str] = _NONE
    not_beside: frozenset[str] = _NONE

    def holds(self, words: list[str], place: int) -> bool:
        """Whether the words around `place` let the word there count."""
        after = words[place + 1 : place + 1 + _REACH]
        before = words[max(place - _REACH, 0) : place]
        if self.beside and self.beside.isdisjoint(after) and self.beside.isdisjoint(before):
            return False
        if self.then and self.then.isdisjoint(after[:1]):
            return False
        return (
            self.not_then.isdisjoint(after[:_SOON])
            and self.not_next.isdisjoint(after[:1])
            and self.not_after.isdisjoint(before[-1:])
            and self.not_beside.isdisjoint(after)
            and self.not_beside.isdisjoint(before)
        )


def said(text: str) -> list[str]:
    """The words without articles and apostrophes; a version number is the word "version"."""
    found = _WORD.findall(text.casefold().translate(_APOSTROPHES))
    kept = [word for word in found if word not in _ARTICLES]
    return ["version" if _VERSION.fullmatch(word) else word for word in kept]


def gives_away(words: list[str], signals: tuple[Signal, ...]) -> bool:
    """Whether one of the words is one of the signals where it stands."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return any(
        signal.holds(words, place)
        for signal in signals
        for word in signal.forms & places.keys()
        for place in places[word]
    )


def names_request(text: str) -> bool:
    """Whether the address of a pull or merge request occurs."""
    return _REQUEST.search(text.casefold()) is not None


def names_exception(text: str, words: list[str]) -> bool:
    """Whether what programs print of their errors occurs: KeyError, ENOENT, SIGSEGV.

    Args:
        text: the prompt.
        words: what `said` found in it.
    """
    raised = (word for word in words if word.endswith(_RAISED) and word not in _RAISED)
    return not _NOT_RAISED.issuperset(raised) or _PRINTED.search(text.casefold()) is not None


def word_set(text: str) -> frozenset[str]:
    """The words of a line, for the tables."""
    return frozenset(text.split())


_ARTICLES = word_set("a all an any its my our some that the these this those your")
