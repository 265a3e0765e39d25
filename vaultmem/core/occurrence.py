"""Where a text stands in others, however it is spelled there: escaped, emphasised, in JSON.

Texts are compared as words: no case, no punctuation, one character of a script without blanks a
word. So the statement of a note is found in a log line, in a JSON string and in a file name.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TELLING = 3
"""A text of fewer words is part of many others, so it is found only as a line of its own."""

_BEGINNING = 4
"""Words of a text that a file name which is cut short still holds."""

Words = tuple[str, ...]

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+")
_JSON = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_SPACE = re.compile(r"\\[nrtbf]")
"""White space as JSON and YAML spell it."""
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_MARKS = re.compile(r"^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[.\](?=\s)|#{1,6}(?=\s))+")
_BEHIND = re.compile(r"(?:\s(?:\^[\w-]+|#[\w/-]+))+\s*$")
_FRONT = re.compile(r"^(?:(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?|#[\w/-]+)\s+)+")
"""The date, the time and the tags with which an entry of a log begins."""


class Line(NamedTuple):
    """A line that an occurrence touches: its number from 1, and whether it holds nothing else."""

    number: int
    only: bool


class Wanted(NamedTuple):
    """Texts to be looked for, made ready by `wanted`."""

    phrases: tuple[Words, ...]
    """The words of each text; none is empty."""
    probes: tuple[str, ...]
    """The longest word of each phrase."""
    apart: frozenset[Words] = frozenset()
    """Phrases that are found only where they are all that a line says."""


def wanted(texts: Iterable[str], earlier: Iterable[str] = ()) -> Wanted:
    """Make texts ready to be looked for; those without a word are left out.

    Args:
        texts: what is to be found.
        earlier: texts that were replaced since. One with which another one begins may have been
            half written when it was seen ("Never use the"), so it is found only as an entry.
    """
    now = dict.fromkeys(words for text in texts if (words := words_of(text)))
    phrases = now | dict.fromkeys(words for text in earlier if (words := words_of(text)))
    apart = (words for words in phrases.keys() - now.keys() if _begins_another(words, phrases))
    return Wanted(tuple(phrases), tuple(max(words, key=len) for words in phrases), frozenset(apart))


def words_of(text: str) -> Words:
    """The words by which texts are compared."""
    return tuple(_WORD.findall(_plain(text)))


def lines_with(sought: Wanted, data: bytes) -> tuple[Line, ...]:
    """The lines of a file that hold one of the texts, or a part of one that runs over several.

    A text of fewer than `TELLING` words is found only where it is all of a line.
    """
    text = _decoded(data)
    if not _may_hold(sought, text):
        return ()
    lines = text.split("\n")
    bare = [_bare(line) for line in lines]
    whole = {number for number, words in enumerate(bare, 1) if words in sought.phrases}
    words = [(word, number) for number, line in enumerate(lines, 1) for word in words_of(line)]
    anywhere = (phrase for phrase in sought.phrases if phrase not in sought.apart)
    touched = {at for phrase in anywhere for at in _touched(phrase, words)}
    if sought.apart:
        entries = enumerate(map(_entry, lines), 1)
        touched |= {number for number, text in entries if words_of(text) in sought.apart}
    return tuple(Line(number, number in whole) for number in sorted(touched | whole))


def names(sought: Wanted, name: str) -> bool:
    """Whether a file name holds one of the texts, or its first words, since names are cut short.

    Another text that begins alike is named as well, so a name alone is no reason to remove a file.
    """
    words = words_of(name)
    return any(
        words == phrase
        or (
            len(phrase) >= TELLING
            and phrase not in sought.apart
            and _holds(words, phrase[:_BEGINNING])
        )
        for phrase in sought.phrases
    )


def passages(data: bytes) -> Iterator[str]:
    """Whatever in a note may be a statement: each line, each entry of a log, each paragraph.

    They come without list marks, boxes, quotes, headings, block ids and tags.
    """
    paragraph: list[str] = []
    for line in (*_decoded(data).split("\n"), ""):
        text = _unmarked(line).strip()
        if text:
            paragraph.append(text)
            yield from dict.fromkeys((text, _entry(line)))
        elif len(paragraph) > 1:
            yield " ".join(paragraph)
        paragraph = paragraph if text else []


def without_lines(data: bytes, numbers: Iterable[int]) -> bytes:
    """The file without these lines, counted from 1; every other byte stays."""
    gone = frozenset(numbers)
    kept = (line for number, line in enumerate(_LINE.findall(data), 1) if number not in gone)
    return b"".join(kept)


def _plain(text: str) -> str:
    if "\\" in text:
        text = _SPACE.sub(" ", _JSON.sub(_from_json, text))
    return unicodedata.normalize("NFKC", text).casefold()


def _from_json(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("\\u", "")).decode("utf-16-be", "replace")


def _decoded(data: bytes) -> str:
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return data.decode("utf-16" if wide else "utf-8", "replace")


def _may_hold(sought: Wanted, text: str) -> bool:
    """A quick look, since most files hold none of it."""
    simple = text.isascii() and "\\u" not in text
    folded = text.casefold() if simple else _plain(text)
    return any(probe in folded for probe in sought.probes)


def _touched(phrase: Words, words: list[tuple[str, int]]) -> Iterator[int]:
    """The lines in which an occurrence of the phrase has a word."""
    if len(phrase) < TELLING:
        return
    for start, (word, _) in enumerate(words):
        if word == phrase[0]:
            part = words[start : start + len(phrase)]
            if tuple(one for one, _ in part) == phrase:
                yield from (number for _, number in part)


def _holds(words: Words, phrase: Words) -> bool:
    starts = range(len(words) - len(phrase) + 1)
    return any(words[start : start + len(phrase)] == phrase for start in starts)


def _bare(line: str) -> Words:
    """The words of a line without its list mark, box, quote, heading, block id and tags."""
    return words_of(_unmarked(line))


def _unmarked(line: str) -> str:
    return _BEHIND.sub("", _MARKS.sub("", line))


def _entry(line: str) -> str:
    """What a line says behind the date, the time and the tags that a log puts before it."""
    return _FRONT.sub("", _unmarked(line)).strip()


def _begins_another(words: Words, phrases: Iterable[Words]) -> bool:
    return any(len(one) > len(words) and one[: len(words)] == words for one in phrases)
