"""Finds the statement of a note: the first plain paragraph of its body.

The usual body begins with it, which a regular expression sees; any other goes to markdown-it. A
property test holds the two equal.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import unescape_inline
from vaultmem.core.inline import TAG_CHARACTER, visible_part
from vaultmem.notes.comments import mask_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SEARCHED = 256 * 1024
"""Characters of a body that are searched for its statement."""

_LINE_END = r"(?>\r\n|[\r\n])"
# A line that can only be text of a paragraph: words, quotes, code, emphasis or an escape first.
_TEXT_LINE = (
    r"""(?:[^\W\d_]|\d++(?![.)])|["'(“‘„«¿¡]|`{1,2}(?!`)|\\[!-/:-@\[-`{-~]"""
    r"""|\*{1,3}(?=\w)|_{1,3}(?=[^\W_]))[^\r\n]*"""
)
_USUAL = re.compile(
    rf"(?:[ \t]*{_LINE_END})*+({_TEXT_LINE}(?:{_LINE_END}{_TEXT_LINE})*+)"
    rf"(?={_LINE_END}[ \t]*(?:{_LINE_END}|\Z)|\Z)"
)
_UNUSUAL = re.compile(r"%%|<|::|\$\$|\[\^")

_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")
_NO_TEXT = re.compile(
    rf"""\s*(?:
      (?:!\[\[[^\[\]]*\]\]\s*|!\[[^\[\]]*\]\([^()]*\)\s*)+      # embeds
    | [\w*_~][\w*_~/\x20-]{{0,60}}::(?:\s.*)?                   # an inline field
    | (?:[\[(][^\[\]():]{{1,60}}::[^\[\]()]*[\])]\s*)+            # inline fields in brackets
    | (?:(?!\#decision\b)\#(?!\d+(?:\s|$)){TAG_CHARACTER}+\s*)+   # tags
    | \[\^[^\]]+\]:.*                                           # a footnote
    | \^[A-Za-z0-9-]+\s*                                        # a block id
    )?""",
    re.VERBOSE,
)
_BLOCK_ID = re.compile(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*\Z")
_HARD_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=[\r\n])")


class Statement(NamedTuple):
    """A statement and where it is written.

    `start` and `end` are half-open character offsets into the body, comments at its ends and the
    block id left out; `line` counts from 1 at the body's first. `hidden` holds what was written
    inside it and is not seen in reading view.
    """

    text: str
    start: int
    end: int
    line: int
    hidden: tuple[str, ...] = ()


def find_statement(body: str) -> Statement | None:
    """The first plain paragraph, as one line of text without escapes.

    Headings, rules, lists, quotes, callouts, tables, code, HTML blocks and formulas are no plain
    paragraphs. Lines that hold only embeds, inline fields, tags, a footnote or a block id are
    passed over, and so are comments. None where nothing else is left.
    """
    usual = _USUAL.match(body)
    if usual is not None and usual.end() <= MAX_SEARCHED and not _UNUSUAL.search(usual[1]):
        return _read(body, usual.start(1), usual.end(1), "")
    return find_by_parsing(body)


def find_by_parsing(body: str) -> Statement | None:
    """The same answer by way of markdown-it, for any body."""
    body = body[:MAX_SEARCHED]
    masked = mask_comments(body)
    lines = [found.span() for found in _LINE.finditer(masked.text) if found.end() > found.start()]
    for first, last in _paragraphs(masked.text):
        for start, end in _runs(masked.text, masked.filler, lines[first:last]):
            found = _read(masked.text, start, end, masked.filler)
            if found is not None:
                hidden = (body[a:b] for a, b in masked.comments if start < b and a < end)
                return found._replace(hidden=(*hidden, *found.hidden))
    return None


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The line ranges of the top-level paragraphs."""
    from vaultmem.notes.markdown import block_parser  # markdown-it is slow to import

    for token in block_parser().parse(text):
        if token.type == "paragraph_open" and token.level == 0 and token.map:
            yield token.map[0], token.map[1]


def _runs(text: str, filler: str, lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The runs of lines of one paragraph that hold text; none in a formula."""
    if text[slice(*lines[0])].lstrip().startswith("$$"):
        return
    start: int | None = None
    for begin, end in lines:
        plain = text[begin:end].replace(filler, "").rstrip("\r\n")
        if _NO_TEXT.fullmatch(plain) is None:
            start = begin if start is None else start
        elif start is not None:
            yield start, begin
            start = None
    if start is not None:
        yield start, lines[-1][1]


def _read(text: str, start: int, end: int, filler: str) -> Statement | None:
    start, end = _trimmed(text, start, end, filler)
    source = text[start:end].replace(filler, "") if filler else text[start:end]
    if "\n" in source or "\r" in source:
        source = _HARD_BREAK.sub(r"\1", source)
    seen = visible_part(" ".join(source.split()), source=True)
    words = unescape_inline(" ".join(seen.text.split()))
    if not words:
        return None
    line = len(re.findall(_LINE_END, text[:start])) + 1
    return Statement(words, start, end, line, seen.removed)


def _trimmed(text: str, start: int, end: int, filler: str) -> tuple[int, int]:
    """The run without blanks and comments at its ends and without its block id."""
    edge = " \t\r\n" + filler
    piece = text[start:end]
    end -= len(piece) - len(piece.rstrip(edge))
    if (block_id := _BLOCK_ID.search(text, start, end)) is not None:
        end = block_id.start()
        end -= len(text[start:end]) - len(text[start:end].rstrip(edge))
    start += len(text[start:end]) - len(text[start:end].lstrip(edge))
    return start, end
