"""A Markdown note of a source, taken apart: properties, headings, items of lists, paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.errors import NoteError
from vaultmem.notes import frontmatter
from vaultmem.notes.comments import mask_comments
from vaultmem.notes.markdown import block_parser
from vaultmem.notes.schema import NoteType
from vaultmem.store.json_record import Record, RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from vaultmem.store.importers.source import Source

MAX_NOTE = 1024 * 1024
"""Bytes of a note that is taken apart; above that it is a log or a book."""
CHECKBOX = re.compile(r"\[.\]\s")
"""How the text of an item begins that is a task."""


class Kind(Enum):
    """What a part of a note is."""

    HEADING = auto()
    ITEM = auto()
    PARAGRAPH = auto()


class Part(NamedTuple):
    """A heading, the first paragraph of a list's item, or another paragraph; one line of text."""

    kind: Kind
    text: str
    line: int
    level: int
    """Of a heading 1 to 6; of the rest how many lists it stands in."""


class Note(NamedTuple):
    """A note with its place below the source."""

    path: str
    properties: Record
    parts: tuple[Part, ...]
    passed: Mapping[str, int]
    """What of it is no part, each kind by a plural noun: quotes, tables, code, HTML, comments."""

    def where(self, part: Part) -> str:
        """The file and line of a part."""
        return f"{self.path}:{part.line}"

    @property
    def is_ours(self) -> bool:
        """Whether it is a note that vaultmem made."""
        named = text_of(self.properties, "type")
        return named in tuple(NoteType) and is_id(text_of(self.properties, "id"))


def open_note(source: Source, path: str) -> Note | None:
    """A note of the source; None where it was quarantined."""
    data = source.data(path)
    if data is None:
        return None
    if len(data) > MAX_NOTE:
        source.quarantine(path, f"The note is larger than {MAX_NOTE // 1024} KiB.")
        return None
    try:
        block = frontmatter.read(data)
    except NoteError as error:
        source.quarantine(path, str(error))
        return None
    passed: Counter[str] = Counter()
    parts = tuple(_parts(block.body, block.body_line, passed))
    return Note(path, Record(dict(block.properties)), parts, passed)


def text_of(properties: Record, name: str) -> str:
    """A property that is a text; "" for any other."""
    try:
        return properties.text(name).strip()
    except RecordError:
        return ""


def texts_of(properties: Record, name: str) -> tuple[str, ...]:
    """A property that is a list of texts, or a text with commas; nothing for any other."""
    try:
        found = properties.texts(name)
    except RecordError:
        return ()
    return tuple(filter(None, (part.strip() for one in found for part in one.split(","))))


def moment_of(properties: Record, *names: str) -> datetime | None:
    """The first of some properties that is a date or a moment."""
    for name in names:
        try:
            found = properties.moment(name)
        except RecordError:
            continue
        if found is not None:
            return found
    return None


def _parts(body: str, first_line: int, passed: Counter[str]) -> Iterator[Part]:
    """The parts in their order; code, quotes, tables and comments are none, and are counted."""
    masked = mask_comments(body)
    passed["comments"] += len(masked.comments)
    lists = quotes = 0
    item, before, heading = False, "", ""
    for token in block_parser().parse(masked.text):
        if token.type in _PASSED and not quotes:
            passed[_PASSED[token.type]] += 1
        quotes += token.nesting * token.type.startswith("blockquote")
        lists += token.nesting * token.type.startswith(("bullet_list", "ordered_list"))
        if token.type.startswith("list_item"):
            item = token.nesting > 0
        elif token.type == "inline" and token.map and not quotes and before in _HOLDERS:
            if text := " ".join(token.content.replace(masked.filler, "").split()):
                kind = _HOLDERS[before] if not item else Kind.ITEM
                level = lists if kind is not Kind.HEADING else int(heading[1:])
                yield Part(kind, text, first_line + token.map[0], level)
            item = False
        before, heading = token.type, token.tag


_HOLDERS = {"heading_open": Kind.HEADING, "paragraph_open": Kind.PARAGRAPH}
_PASSED = {
    "blockquote_open": "quotes",
    "table_open": "tables",
    "fence": "blocks of code",
    "code_block": "blocks of code",
    "html_block": "blocks of HTML",
}
"""How a block is counted that is no part; what stands in a quote is counted with it."""
