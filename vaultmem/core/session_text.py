"""Words of a session as they are searched for and shown: names kept whole, and short extracts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.visible import visible_line
from vaultmem.core.words import STOP_STEMS, stem, words

if TYPE_CHECKING:
    from collections.abc import Collection

BEFORE, AFTER = 80, 120
"""Characters of an extract before and after the word that was looked for; topic-memory.md,
section 13."""

MOST_NAMES = 100
"""Names with a slash or a dash of one text that are kept whole."""

_NAME = re.compile(r"(?<![\w./-])[\w.]{1,60}(?:[/-][\w.]{1,60}){1,12}")
_WORD = re.compile(r"[^\W_]+")
_NEAR = 40
"""Words that were asked for which are looked at behind each of them."""
_COURTESIES = """
again also anyone anything bit could did discuss discussed find go going good happen happened hello
help hey hi just know let like lets look looking maybe mention mentioned much need now okay ok one
please problem really remember said say see session sessions show still sure talk talked tell thank
thanks think today told try trying way well why yes
"""
_COURTESY = frozenset(map(stem, _COURTESIES.split()))
"""Stems of what every request has beside the stop words."""


def whole_names(text: str) -> tuple[str, ...]:
    """Paths and dashed names of a text, spelled as one word: `pi/memory` becomes `pi_memory`.

    The index takes names apart at `/` and `-`; with this word beside its parts, a text with the
    whole name is found before one that has the parts somewhere.
    """
    found = (match[0].rstrip(".") for match in _NAME.finditer(text))
    named = (re.sub(r"[/-]", "_", name).casefold() for name in found)
    return tuple(dict.fromkeys(named))[:MOST_NAMES]


def telling_words(text: str) -> tuple[str, ...]:
    """The words of a prompt that say what it is about, each once, in their order."""
    kept = (word for word in words(text) if len(word) > 1)
    return tuple(dict.fromkeys(word for word in kept if stem(word) not in STOP_STEMS | _COURTESY))


def without_filler(query: str) -> str:
    """A query without the words that every request has; as it is where it has no others.

    `what did I say about pnpm` asks for `pnpm`: few sessions say that, and all say the others.
    """
    kept = [word for word in query.split() if telling_words(word) or not word.isascii()]
    return " ".join(kept) or query


def shared_stems(asked: Collection[str], text: str) -> frozenset[str]:
    """The stems among `asked` that a text has."""
    return frozenset(map(stem, words(text))) & frozenset(asked)


def best_place(line: str, asked: Collection[str]) -> int:
    """Where the first word stands behind which most different stems of `asked` follow; 0 for none.

    Args:
        line: a text as `one_line` gives it.
        asked: stems.
    """
    found = [
        (match.start(), one)
        for match in _WORD.finditer(line)
        if (one := stem(match[0].casefold())) in asked
    ]
    best, place = 0, 0
    for number, (start, _) in enumerate(found):
        near = {one for at, one in found[number : number + _NEAR] if at < start + AFTER}
        if len(near) > best:
            best, place = len(near), start
    return place


def one_line(text: str) -> str:
    """A text as one visible line, without what would open a code span or a formula."""
    return visible_line(text.replace("`", "").replace("$", ""))


def extract(line: str, at: int) -> str:
    """The part of a line around a place, with `...` where it was cut; at blanks where it can be."""
    start, end = max(0, at - BEFORE), min(len(line), at + AFTER)
    if start:
        start = line.find(" ", start, at) + 1 or start
    if end < len(line):
        blank = line.rfind(" ", at + 1, end)
        end = blank if blank > 0 else end
    before, after = "..." if start else "", "..." if end < len(line) else ""
    return f"{before}{line[start:end].strip()}{after}"
