"""Reading a note: its properties, by the fast path where that is certain, and its body."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.frontmatter import fence
from vaultmem.notes.frontmatter.flat import read_flat
from vaultmem.notes.frontmatter.tree import (
    MAPPING,
    SCALAR,
    Node,
    Tree,
    construct,
    key_name,
    pairs,
    unreadable,
)

if TYPE_CHECKING:
    from vaultmem.notes.frontmatter.scalars import Value

FIRST_LINE = 2
"""The line of the note that the block's text begins in."""


class Block(NamedTuple):
    """A note, taken apart. Without a block `properties` is empty and the body is the whole text."""

    properties: dict[str, Value]
    body: str
    """The text after the closing fence, line ends as they are, without a byte order mark."""
    body_line: int
    """The line of the note that the body begins in, from 1."""
    body_start: int
    """The byte of the note that the body begins at."""
    eol: str
    """`\\n` or `\\r\\n`: what a new line in the block would end with."""

    @property
    def body_eol(self) -> str:
        """What a new line in the body would end with: as its last one does."""
        ends = re.findall(r"\r\n|\n", self.body)
        return ends[-1] if ends else self.eol


class Entry(NamedTuple):
    """One property, with its places in the block's text."""

    name: str
    key: Node
    value: Node


def get_properties(data: bytes) -> dict[str, Value]:
    """The properties of a note, `{}` where it has none.

    Raises:
        NoteUnreadableError: with `line` and the finding `code` VM101 to VM108.
    """
    return read(data).properties


def read(data: bytes) -> Block:
    """The properties and the body of a note.

    Raises:
        NoteUnreadableError: with `line` and the finding `code` VM101 to VM108.
    """
    parts = fence.split(data)
    text = fence.decode(data, parts.block_start, parts.block_end)
    body = fence.decode(data, parts.body_start)
    line = data.count(b"\n", 0, parts.body_start) + 1
    return Block(properties_of(text), body, line, parts.body_start, parts.eol)


def with_body(data: bytes, block: Block, body: str) -> bytes:
    """The note with another body; below a last fence that has no line end, it begins a new line.

    Args:
        data: the note.
        block: what `read` made of it.
        body: the text after the closing fence.
    """
    head = data[: block.body_start]
    joined = bool(body and head.removeprefix(fence.BOM)) and not head.endswith((b"\n", b"\r"))
    return head + f"{block.eol if joined else ''}{body}".encode()


def read_or_plain(data: bytes) -> Block:
    """As `read`; a note whose block cannot be read is plain text, with no properties."""
    try:
        return read(data)
    except NoteUnreadableError:
        return Block({}, data.decode("utf-8", "replace"), 1, 0, "\n")


def parse_yaml(text: str) -> Value:
    """The value of a YAML text outside frontmatter: settings, the operation of a patch.

    Raises:
        NoteUnreadableError: as for a block, with lines counted from the text's first.
    """
    if len(text) > fence.MAX_BLOCK:
        raise fence.too_large()
    flat = read_flat(text)
    if flat:
        return flat
    root = _compose(text, 1).root
    return None if root is None else construct(root)


def properties_of(text: str) -> dict[str, Value]:
    """The properties in a block's text.

    Raises:
        NoteUnreadableError: as `read_tree`.
    """
    flat = read_flat(text)
    if flat is not None:
        return flat
    _, entries = read_tree(text)
    return {entry.name: construct(entry.value) for entry in entries}


def read_tree(text: str) -> tuple[Tree, tuple[Entry, ...]]:
    """A block's text as a tree with its properties in order; both empty for a blank block.

    Raises:
        NoteUnreadableError: as `compose`; no mapping (VM107), names that differ in case (VM105).
    """
    tree = _compose(text, FIRST_LINE)
    root = tree.root
    if root is None or (root.kind == SCALAR and not root.text and not root.style):
        return tree._replace(root=None), ()
    if root.kind != MAPPING:
        line = text.count("\n", 0, root.start) + FIRST_LINE
        raise unreadable(
            "The properties are not a list of `name: value` lines.",
            line,
            "VM107",
            "Write each property as `name: value`, with a blank after the colon.",
        )
    entries = tuple(Entry(key_name(key), key, value) for key, value in pairs(root))
    _check_case(entries, text)
    return tree, entries


def folded(name: str) -> str:
    """What two property names have in common that Obsidian takes for one."""
    return unicodedata.normalize("NFC", name).casefold()


def _compose(text: str, first_line: int) -> Tree:
    from vaultmem.notes.frontmatter.compose import compose

    return compose(text, first_line=first_line)


def _check_case(entries: tuple[Entry, ...], text: str) -> None:
    seen: dict[str, str] = {}
    for entry in entries:
        first = seen.setdefault(folded(entry.name), entry.name)
        if first != entry.name:
            raise unreadable(
                f"The properties `{first}` and `{entry.name}` differ only in case.",
                text.count("\n", 0, entry.key.start) + FIRST_LINE,
                "VM105",
                "Keep one of the two names.",
            )
