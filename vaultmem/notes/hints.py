"""The callout in a candidate's note that names the knowledge notes which may say more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import escape_inline, unescape_inline
from vaultmem.notes import frontmatter

if TYPE_CHECKING:
    from collections.abc import Sequence

PROPERTY = "vault_ref_suggestions"
TITLE = "> [!info] Knowledge notes that may say more"

_CALLOUT = re.compile(rf"^{re.escape(TITLE)}\r?\n(?:> - .*(?:\r?\n|\Z))+", re.MULTILINE)
_LINE = re.compile(
    r"^> - (?P<link>\[\[[^\[\]\n]+\]\]|\[[^\[\]\n]+\]\([^()\s]+\))"
    r" \((?P<score>\d\.\d\d)\): (?P<reason>.*?)\r?$",
    re.MULTILINE,
)


class Hint(NamedTuple):
    """A knowledge note that was suggested.

    Attributes:
        link: as `vault_ref` takes it.
        score: 0 to 1.7, two decimals.
        reason: one line, for a person.
    """

    link: str
    score: float
    reason: str


def hints_in(body: str) -> tuple[Hint, ...]:
    """The suggestions that a candidate's note shows, in their order."""
    found = _CALLOUT.search(body)
    if found is None:
        return ()
    return tuple(
        Hint(line["link"], float(line["score"]), unescape_inline(line["reason"]))
        for line in _LINE.finditer(found[0])
    )


def with_hints(data: bytes, hints: Sequence[Hint]) -> bytes:
    """The candidate's note with these suggestions in its properties and at its end; none for none.

    A callout that is there is replaced where it stands; every other byte of the body stays.

    Raises:
        NoteUnreadableError, EditRefusedError: as `frontmatter.set_properties`.
    """
    if hints:
        links = [hint.link for hint in hints]
        data = frontmatter.set_properties(data, {PROPERTY: links})
    elif PROPERTY in frontmatter.get_properties(data):
        data = frontmatter.unset_property(data, PROPERTY)
    block = frontmatter.read(data)
    eol = block.body_eol
    lines = (f"> - {one.link} ({one.score:.2f}): {escape_inline(one.reason)}" for one in hints)
    text = "".join(f"{line}{eol}" for line in (TITLE, *lines)) if hints else ""
    found = _CALLOUT.search(block.body)
    if found is None:
        gap = "" if block.body.endswith(("\n", "\r")) else eol
        return data + f"{gap}{eol}{text}".encode() if text else data
    return _spliced(data, block, found, text)


def without_hints(data: bytes) -> bytes:
    """The note of a candidate that was decided, without the callout; a changed one stays.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    found = _CALLOUT.search(block.body)
    return data if found is None else _spliced(data, block, found, "")


def _spliced(data: bytes, block: frontmatter.Block, found: re.Match[str], text: str) -> bytes:
    """The note with `text` where the callout was; without one, the blank line before goes too."""
    start, end = (block.body_start + len(block.body[:at].encode()) for at in found.span())
    before = data[:start]
    if not text:
        for blank in (b"\r\n", b"\n"):
            if before.endswith(blank * 2):
                before = before[: -len(blank)]
                break
    return before + text.encode() + data[end:]
