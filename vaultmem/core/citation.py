"""The block in which a reply names what it used of the memory, and the reply without it.

The form is the notebook's (its section 7) under a tag of our own, with the short ids that a line of
the report ends with:

    <vaultmem-citation>
    s8t9v0w1
    k2m3n4p5
    </vaultmem-citation>

A line may also name a place in the notebook or a session whose card was used, by its id or by the
stem of the card's file:

    MEMORY.md:12-15|note=[how tests are run here]
    2025-02-11T15-35-19-jqmb-green_tests

Lines that hold anything else name nothing. What stands in code or in a quotation is spoken about
and is no citation.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.ids import SHORT_LENGTH, short_id
from vaultmem.core.inline import code_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.ids import MemoryId

T = TypeVar("T")

TAG = "vaultmem-citation"
INSTRUCTION = (
    f"If a note helped, end your reply with <{TAG}>, the ids of those that did, one a line, "
    f"</{TAG}>; the user does not see it."
)
"""How a model is told to cite."""
NOTEBOOK_INSTRUCTION = (
    f"If the notebook helped, add lines such as `MEMORY.md:12-15|note=[why]` to the <{TAG}> at the "
    "end of your reply."
)
"""How a model is told to cite the notebook."""

MAX_IDS = 100
"""Ids that one reply can name; a full report has some forty lines. Places and sessions likewise."""

_MARK = re.compile(rf"<(/?)\s{{0,8}}{TAG}\s{{0,8}}>", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,})")
_QUOTE = re.compile(r" {0,3}>")
_CROCKFORD = "[0-9a-hjkmnp-tv-z]"
_ID = re.compile(rf"(?:mem_)?[0-7]{_CROCKFORD}{{25}}|{_CROCKFORD}{{{SHORT_LENGTH}}}", re.IGNORECASE)
_BEGUN = re.compile(rf"(?:mem_)?{_CROCKFORD}{{1,25}}|m|me|mem", re.IGNORECASE)
_CUT = re.compile(r"</?[a-z-]{0,20}\Z", re.IGNORECASE)
"""The beginning of a tag at the end of a reply."""
_BETWEEN = re.compile(r"[\s,;]+")
_AROUND = "[]()`*\"'•^#.-"
_PART = re.compile(r"</?\w{1,40}>")
"""A tag that a block may have of its own around a group of lines."""
_PLACE = re.compile(r"(.{1,1000}):(\d{1,9})-(\d{1,9})\|note=\[(.{0,1000})\]")
_PLACE_BEGUN = re.compile(r"[^\s:|]{1,200}:\d{1,9}(?:-\d{0,9}(?:\|.{0,1000})?)?")
_SESSION = re.compile(
    r"(?:rollout_summaries/)?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-z]{4}(?:-[0-9a-z_]{1,60})?)"
    r"(?:\.md)?|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
    re.IGNORECASE,
)
_SESSION_BEGUN = re.compile(r"\d{4}-\d[\dT-]{0,14}(?:-\w{0,64})?|[0-9a-f]{8}-[0-9a-f-]{0,27}", re.I)


class CitedPlace(NamedTuple):
    """Lines of a file of the notebook that a reply used.

    Attributes:
        path: as the reply has it; whether there is such a file is not known here.
        start, end: numbers of the first and the last line, from 1; `start` is not the larger.
        note: what they were used for.
    """

    path: str
    start: int
    end: int
    note: str


class Cited(NamedTuple):
    """What a reply says beside and in its citation.

    Attributes:
        ids: short ids as `core.ids.short_id` spells them, each once, at most `MAX_IDS`.
        text: the reply without the block; the same object where there is none.
        places: lines of the notebook, each once, at most `MAX_IDS`.
        sessions: ids of sessions and stems of cards as the reply has them, likewise.
    """

    ids: tuple[str, ...]
    text: str
    places: tuple[CitedPlace, ...] = ()
    sessions: tuple[str, ...] = ()


class _Block(NamedTuple):
    """Half-open offsets of a block with its tags."""

    start: int
    end: int


def parse(text: str) -> Cited:
    """Read and take out every citation of a reply; never raises.

    A block within a block belongs to the outer one. One that is not closed reaches to the end, if
    nothing but what a block may hold follows; else its tag is left where it is, so that no words
    are lost.
    """
    blocks = _blocks(text)
    if not blocks:
        return Cited((), text)
    lines = [line for block in blocks for line in _lines(text[block.start : block.end])]
    return Cited(
        _first(one for line in lines for one in _ids(line)),
        _without(text, blocks),
        _first(place for line in lines if (place := _place(line))),
        _first(one for line in lines for one in _sessions(line)),
    )


def resolve(cited: Iterable[str], known: Iterable[MemoryId]) -> tuple[MemoryId, ...]:
    """The memories among `known` that short ids name; an end that two of them share names none."""
    by_end: dict[str, MemoryId | None] = {}
    for identifier in dict.fromkeys(known):
        end = short_id(identifier)
        by_end[end] = None if end in by_end else identifier
    found = (by_end.get(end) for end in dict.fromkeys(cited))
    return tuple(one for one in found if one is not None)


def _blocks(text: str) -> list[_Block]:
    """The outermost blocks, from left to right."""
    found: list[_Block] = []
    start, depth = 0, 0
    for mark in _marks(text):
        if not mark[1]:
            start = mark.start() if depth == 0 else start
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                found.append(_Block(start, mark.end()))
    if depth and _holds_no_words(text[start:]):
        found.append(_Block(start, len(text)))
    return found


def _marks(text: str) -> Iterator[re.Match[str]]:
    """The tags that are neither in code nor in a quotation."""
    if TAG not in text.casefold():
        return
    place, fence = 0, ""
    for line in text.splitlines(keepends=True):
        start, place = place, place + len(line)
        found = _FENCE.match(line)
        if fence:
            closes = found and found[1].startswith(fence) and not line[found.end() :].strip()
            fence = "" if closes else fence
        elif found:
            fence = found[1]
        elif not _QUOTE.match(line):
            yield from _outside_code(line, start, _MARK.finditer(text, start, place))


def _outside_code(line: str, start: int, marks: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Those of a line's tags that no code span holds; `start` is the line's place in the text."""
    spans = iter(code_spans(line, source=True))
    span = next(spans, None)
    for mark in marks:
        place = mark.start() - start
        while span is not None and span.end <= place:
            span = next(spans, None)
        if span is None or place < span.start:
            yield mark


def _first(found: Iterable[T]) -> tuple[T, ...]:
    """Each once, as many as count."""
    return tuple(islice(dict.fromkeys(found), MAX_IDS))


def _ids(line: str) -> Iterator[str]:
    """The short ids of a line that holds nothing else."""
    named = _named(line)
    if all(map(_ID.fullmatch, named)):
        yield from map(short_id, named)


def _sessions(line: str) -> Iterator[str]:
    """The stems and ids of sessions of a line that holds nothing else."""
    found = [_SESSION.fullmatch(one) for one in _named(line)]
    if all(found):
        yield from (one[1] or one[2].lower() for one in found if one)


def _place(line: str) -> CitedPlace | None:
    """The place that a line names."""
    found = _PLACE.fullmatch(line.strip())
    if found is None:
        return None
    place = CitedPlace(found[1].strip(), int(found[2]), int(found[3]), found[4].strip())
    return place if place.path and 1 <= place.start <= place.end else None


def _holds_no_words(block: str) -> bool:
    """Whether a block that is not closed holds only what one may; its end may be cut off."""
    *lines, last = _lines(block) or [""]
    return all(map(_is_of_a_block, lines)) and (_is_of_a_block(last) or _is_begun(last.strip()))


def _is_of_a_block(line: str) -> bool:
    line = line.strip()
    if _PART.fullmatch(line) or _PLACE.fullmatch(line):
        return True
    return all(_ID.fullmatch(one) or _SESSION.fullmatch(one) for one in _named(line))


def _is_begun(line: str) -> bool:
    """Whether a line is the beginning of one that a block may hold."""
    last = _BETWEEN.split(line)[-1]
    begun = _BEGUN.fullmatch(last) or _SESSION_BEGUN.fullmatch(last)
    whole = bool(begun) and _is_of_a_block(line.removesuffix(last))
    return whole or bool(_PLACE_BEGUN.fullmatch(line))


def _lines(block: str) -> list[str]:
    """The lines of a block, each tag of it the end of one."""
    return _MARK.sub("\n", _CUT.sub("", block)).splitlines()


def _named(line: str) -> list[str]:
    """The words of a line, without the marks around an id."""
    parts = (part.strip(_AROUND) for part in _BETWEEN.split(line))
    return [part for part in parts if part]


def _without(text: str, blocks: Iterable[_Block]) -> str:
    """The text around the blocks; two sides of one are never joined to a new word."""
    kept: list[str] = []
    place = 0
    for block in blocks:
        kept.append(text[place : block.start].rstrip())
        place = block.end
    rest = text[place:]
    kept.append(rest.lstrip("\r\n") if rest.strip() else "")
    return "\n".join(part for part in kept if part)
