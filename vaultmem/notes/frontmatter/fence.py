"""Where the properties block of a note begins and ends, decided on bytes.

The rules are Obsidian's, as far as they are documented: `---` and blanks in the very first line (a
byte order mark may stand before it), closed by the next line of the same form. `...` closes
nothing, `----` and an indented `---` open nothing, `+++` (TOML) is body text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.errors import EditRefusedError, NoteUnreadableError

MAX_BLOCK = 256 * 1024
"""Bytes between the fences. Obsidian documents no limit; ours keeps a bad note cheap."""

BOM = b"\xef\xbb\xbf"

_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*(\r?\n)")
_CLOSE = re.compile(rb"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_NEAR_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*[ \t]*-{3,}[ \t]*(?:\r?\n|\r|\Z)")
_NEAR_CLOSE = re.compile(rb"^(?:\.\.\.|[ \t]+-{3,}|-{4,})[ \t]*\r?$", re.MULTILINE)
_TOML = re.compile(rb"(?:\xef\xbb\xbf)?\s*\+\+\+[ \t]*(?:\r?\n|\Z)")
_PROPERTY = re.compile(
    rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*[\"']?[\w\x80-\xff][^\n\r:]{0,80}:(?:[ \t\r\n]|\Z)"
)
_CONFLICT = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?:[ \t].*)?\r?$|^={7}\r?$", re.MULTILINE)
_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
_LONE_CR = re.compile(rb"\r(?!\n)")

_CLOSE_REMEDY = "Add a line `---` after the properties."


class Parts(NamedTuple):
    """Byte offsets of a note's parts; without a block all three are where one would be put."""

    has_block: bool
    block_start: int
    block_end: int
    body_start: int
    eol: str
    """`\\n` or `\\r\\n`: the end of the opening line; of the first line where there is no block."""


def split(data: bytes) -> Parts:
    """Find the block's text (between the fences) and the body.

    Raises:
        NoteUnreadableError: the note looks like one with properties, but the block is not closed
            (VM102), does not open in the first line (VM107), is too large (VM106) or holds git
            conflict markers (VM108); or the note is not UTF-8 text (VM101).
    """
    opening = _OPEN.match(data)
    if opening is None:
        _check_start(data)
        return _without_block(data)
    start = opening.end()
    closing = _CLOSE.search(data, start)
    if closing is None:
        _check_unclosed(data, start)
        return _without_block(data)
    end = closing.start()
    if end - start > MAX_BLOCK:
        raise too_large()
    _check_lines(data, start, end)
    return Parts(
        has_block=True,
        block_start=start,
        block_end=end,
        body_start=closing.end(),
        eol=opening[1].decode("ascii"),
    )


def check_may_prepend(data: bytes) -> None:
    """Refuse to put a block on top of a note whose start could be meant as one.

    Raises:
        EditRefusedError: the first line that is not blank is a run of dashes, or `+++`.
    """
    if _TOML.match(data):
        raise EditRefusedError(
            "The note begins with a TOML block, which Obsidian does not read.",
            "Rewrite it as properties between `---` lines.",
            line=1,
            code="VM107",
        )
    if near := _NEAR_OPEN.match(data):
        raise EditRefusedError(
            "The note begins with a line of dashes that could be meant to open its properties.",
            "Make `---` the first line and close it, or put text above a horizontal rule.",
            line=_line_of(data, near.end() - 1),
            code="VM102" if _OPEN.match(data) else "VM107",
        )


def decode(data: bytes, start: int, end: int | None = None) -> str:
    """The text of `data[start:end]`.

    Raises:
        NoteUnreadableError: it is not UTF-8 (VM101), with the line of the first bad byte.
    """
    try:
        return data[start:end].decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoteUnreadableError(
            "The note is not valid UTF-8.",
            "Save it as UTF-8 in your editor.",
            line=_line_of(data, start + error.start),
            code="VM101",
        ) from None


def too_large() -> NoteUnreadableError:
    """The error for more than `MAX_BLOCK` of YAML."""
    return NoteUnreadableError(
        f"The properties are longer than {MAX_BLOCK // 1024} KiB.",
        "Move the text into the body.",
        line=1,
        code="VM106",
    )


def _line_of(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _without_block(data: bytes) -> Parts:
    if b"\0" in data:
        raise NoteUnreadableError(
            "The note holds NUL bytes, so it is not UTF-8 text.",
            "Save it as UTF-8 in your editor.",
            line=_line_of(data, data.index(b"\0")),
            code="VM101",
        )
    start = len(BOM) if data.startswith(BOM) else 0
    newline = data.find(b"\n")
    eol = "\r\n" if newline > 0 and data[newline - 1 : newline] == b"\r" else "\n"
    return Parts(has_block=False, block_start=start, block_end=start, body_start=start, eol=eol)


def _check_start(data: bytes) -> None:
    """Raise where a person meant a block that Obsidian does not see."""
    if data.startswith((b"<<<<<<<", BOM + b"<<<<<<<")):
        raise _conflict(line=1)
    near = _NEAR_OPEN.match(data)
    if near is not None and _PROPERTY.match(data, near.end()):
        raise NoteUnreadableError(
            "The properties do not begin with `---` alone in the first line.",
            "Make `---` the first line, with nothing before it and Unix or Windows line ends.",
            line=_line_of(data, near.end() - 1),
            code="VM107",
        )


def _check_unclosed(data: bytes, start: int) -> None:
    """Raise where properties follow the opening line; anything else is a horizontal rule."""
    if not _PROPERTY.match(data, start):
        return
    near = _NEAR_CLOSE.search(data, start)
    if near is None:
        raise NoteUnreadableError(
            "The properties block is not closed.", _CLOSE_REMEDY, line=1, code="VM102"
        )
    shown = near[0].decode("ascii").strip()
    raise NoteUnreadableError(
        f"The properties block is not closed; `{shown}` in line {_line_of(data, near.start())} "
        "does not close it.",
        "Write exactly `---` there, without blanks before it.",
        line=1,
        code="VM102",
    )


def _check_lines(data: bytes, start: int, end: int) -> None:
    # A plain search first: these are rare, and every note that is read comes through here.
    if any(data.find(marker, start, end) >= 0 for marker in _MARKERS) and (
        found := _CONFLICT.search(data, start, end)
    ):
        raise _conflict(_line_of(data, found.start()))
    if data.find(b"\r", start, end) >= 0 and (lone := _LONE_CR.search(data, start, end)):
        raise NoteUnreadableError(
            "The properties hold a line end of the old Macintosh kind (CR alone).",
            "Save the note with Unix or Windows line ends.",
            line=_line_of(data, lone.start()),
            code="VM103",
        )


def _conflict(line: int) -> NoteUnreadableError:
    return NoteUnreadableError(
        "The note holds git conflict markers.",
        "Resolve the conflict and remove the markers.",
        line=line,
        code="VM108",
    )
