"""What vaultmem itself told an agent, so that nothing is ever learned from its own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.sentences import sentences
from vaultmem.core.visible import visible_characters
from vaultmem.store.shown import add_shown, read_shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.services.call import Call

MAX_TEXT = 20_000
"""Characters of one text that are looked at, as of a message."""
_MARKS = 2
"""A line has at most these behind its statement: `[s8t9v0w1 said 12d] (project: host/owner/x)`."""
_MARK_AT_MOST = 200
"""Characters of one; a project of a host has up to 150."""
_LEAD = re.compile(r".{0,80}:\s+")
"""How a reply introduces what it repeats: `As the memory says: …`."""
_WORD = re.compile(r"[^\W_]+")


def remember_shown(call: Call, texts: Iterable[str]) -> None:
    """Keep keyed hashes of what an agent is about to see, a sentence each; no word is kept.

    A whole line and each of its sentences count, without the marks that we put behind it.
    Nothing waits for the disk; where the cache cannot be written, nothing is kept.
    """
    add_shown(call.vault.state.cache, [*dict.fromkeys(_hashes(call, texts))])


def was_shown(call: Call, text: str) -> bool:
    """Whether a text repeats what an agent was shown: as a whole, or each of its sentences.

    Case, punctuation, a bullet, the marks behind a line of the report or of a tool, and an
    introduction do not count.
    """
    known = frozenset(read_shown(call.vault.state.cache))
    if not known:
        return False
    text = text[:MAX_TEXT]
    if _is_known(call, text, known):
        return True
    spans = (text[start:end] for start, end in sentences(text))
    parts = [part for part in spans if _words(_unmarked(part))]
    return bool(parts) and all(_is_known(call, part, known) for part in parts)


def _is_known(call: Call, text: str, known: frozenset[str]) -> bool:
    bare = _unmarked(text)
    forms = (text, bare, _LEAD.sub("", bare, count=1))
    said = dict.fromkeys(filter(None, map(_words, forms)))
    return any(_hash(call, words) in known for words in said)


def _hashes(call: Call, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        whole = _unmarked(text[:MAX_TEXT])
        parts = (whole, *(whole[start:end] for start, end in sentences(whole)))
        for part in dict.fromkeys(parts):
            if words := _words(part):
                yield _hash(call, words)


def _unmarked(text: str) -> str:
    """A line without the brackets at its end, in which no others are."""
    for _ in range(_MARKS):
        bare = text.rstrip()
        start = max(bare.rfind("["), bare.rfind("("))
        inner = bare[start + 1 : -1]
        ends = bare.endswith(("]", ")"))
        if not ends or start < 0 or len(inner) > _MARK_AT_MOST or "]" in inner or ")" in inner:
            break
        text = bare[:start].rstrip()
    return text


def _words(text: str) -> str:
    """The words of a text in one form, so that spelling and marks do not count."""
    return " ".join(_WORD.findall(visible_characters(text).casefold()))


def _hash(call: Call, words: str) -> str:
    """A hash that nobody without this vault's key can guess a sentence for."""
    return call.vault.keyed_hash("shown", words.encode("utf-8", "surrogatepass"))
