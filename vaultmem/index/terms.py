"""Text to search terms: split, fold accents, take code-like names apart, stem."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Stem = Callable[[str], str]

LONGEST_TERM = 64
"""Characters of a term that count; hashes and encoded data beyond that are told apart anyway."""

_LONGEST_NAME = 1_024
"""Characters of one unbroken run that are taken apart; longer ones are data, not names."""

_STOPPED = """
a an and are as at be by can for from have if in is it may not of on or that the this to us we when
will with yet you your
"""
STOP_WORDS = frozenset(_STOPPED.split())
"""English words that say nothing about a note; the list of Whoosh's StopFilter without `tbd`."""

# Scripts that put no blank between words (Thai to Khmer, kana, Han, Hangul with its particles):
# a word cannot be cut out, so runs become overlapping pairs of characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003134f"
)
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)|(?P<emoji>[{_EMOJI}])"
    rf"|(?P<word>(?:(?![{_UNSPACED}])\w)+(?:[.'’](?:(?![{_UNSPACED}])\w)+)*)"
)
_ASCII_TOKEN = re.compile(r"\w+(?:[.']\w+)*", re.ASCII)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_PLAIN = re.compile(r"[a-z]+|\d+")


def terms(text: str, stem: Stem) -> Iterator[str]:
    """The terms of `text` in order, each as often as it occurs; the same for notes and queries.

    Letters lose case and accents. A name such as `retryCount`, `max_age` or `app.config.ts` gives
    itself and its parts. A run without blanks in Chinese, Japanese, Thai and the like gives its
    characters and pairs of characters. `stem` takes a lower-case word and returns its stem.
    """
    if text.isascii():
        for match in _ASCII_TOKEN.finditer(text):
            yield from _word(match[0][:_LONGEST_NAME], stem)
        return
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        if match["run"]:
            run = match[0][: 64 * LONGEST_TERM]
            yield from run
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        elif match["emoji"]:
            yield match[0]
        else:
            yield from _word(fold(match[0][:_LONGEST_NAME]), stem)


def fold(text: str) -> str:
    """Without accents: `café` becomes `cafe`. Case stays; what has no decomposition stays."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=10_000)
def _word(word: str, stem: Stem) -> tuple[str, ...]:
    """A word's stem, or for a compound name itself and the stems of its parts.

    Notes say the same words again and again, so the most recent ones are kept.
    """
    found: list[str] = []
    word = word.replace("’", "'")
    lower = word.casefold()
    if _PLAIN.fullmatch(lower) and (word == lower or word[1:] == lower[1:] or word.isupper()):
        parts = [lower]
    else:
        lower = lower.removesuffix("'s")
        parts = [part.casefold() for part in _PART.findall(word.removesuffix("'s"))]
        whole = lower.strip("_.")
        if len(parts) != 1 and whole:
            found.append(whole[:LONGEST_TERM])
    found += [
        stem(part[:LONGEST_TERM])
        for part in parts
        if part not in STOP_WORDS and (len(part) > 1 or not part.isascii())
    ]
    return tuple(found)
