"""A note opened for editing: its block's text, its properties in order, and the spans they own."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.errors import EditRefusedError
from vaultmem.notes.frontmatter import fence
from vaultmem.notes.frontmatter.reading import FIRST_LINE, Entry, folded, read_tree
from vaultmem.notes.frontmatter.tree import ALIAS, FLOW, SCALAR, Node, Tree

_COLON = re.compile(r"[ \t]*:")


class Span(NamedTuple):
    """A replacement of characters of the block's text."""

    start: int
    end: int
    text: str


class Document(NamedTuple):
    """A note and what an edit of it needs; all offsets count characters of `text`.

    `text` is empty or ends with a line break, because the closing fence begins a line.
    """

    data: bytes
    parts: fence.Parts
    text: str
    tree: Tree
    entries: tuple[Entry, ...]

    @property
    def eol(self) -> str:
        """What a new line ends with."""
        return self.parts.eol

    @property
    def in_flow(self) -> bool:
        """Whether the block is one `{...}` with something in it."""
        return bool(self.entries) and self.tree.root is not None and self.tree.root.style == FLOW

    @property
    def indent(self) -> str:
        """The blanks before each property: almost always none."""
        if not self.entries or self.in_flow:
            return ""
        line = self.text[self.line_start(self.entries[0].key.start) :]
        return line[: len(line) - len(line.lstrip(" "))]

    def find(self, name: str) -> Entry | None:
        """The property of that name.

        Raises:
            EditRefusedError: there is one whose name differs in case only.
        """
        for entry in self.entries:
            if entry.name == name:
                return entry
            if folded(entry.name) == folded(name):
                raise EditRefusedError(
                    f"The note has the property `{entry.name}`, which Obsidian takes for `{name}`.",
                    f"Use the name `{entry.name}`.",
                    line=self.line(entry.key.start),
                    code="VM105",
                )
        return None

    def line(self, offset: int) -> int:
        """The line of the note at an offset, from 1."""
        return self.text.count("\n", 0, offset) + FIRST_LINE

    def line_start(self, offset: int) -> int:
        """The first character of the line at an offset."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The end of the line at an offset, before its line break."""
        end = self.text.index("\n", offset)
        return end - 1 if self.text[end - 1 : end] == "\r" else end

    def next_line(self, offset: int) -> int:
        """The first character of the line after the one at an offset."""
        return self.text.index("\n", offset) + 1

    def colon(self, entry: Entry) -> int:
        """The character after the key's colon.

        Raises:
            EditRefusedError: the key is an explicit `? key`, an alias, has an anchor or tag, or
                stands in braces without a colon.
        """
        before = self.text[self.line_start(entry.key.start) : entry.key.start]
        colon = _COLON.match(self.text, entry.key.end)
        plain_start = self.in_flow or before == self.indent
        simple = entry.key.kind == SCALAR and not entry.key.anchor and not entry.key.tag
        if not (plain_start and simple and colon) or before.strip().endswith("?"):
            raise self.refuse(
                entry, "is written in a form that cannot be changed safely", "as `name: value`"
            )
        return colon.end()

    def refuse(self, entry: Entry, problem: str, rewrite: str) -> EditRefusedError:
        """The error for a property that only its author can change."""
        return EditRefusedError(
            f"The property `{entry.name}` {problem}.",
            f"Rewrite it by hand {rewrite} first.",
            line=self.line(entry.key.start),
        )

    def has_anchor(self, entry: Entry) -> bool:
        """Whether the value or a part of it has a name that others may refer to."""
        return _has_anchor(entry.value)

    def check_bare(self, entry: Entry) -> None:
        """Refuse a value that other properties refer to, or that says how it is to be read.

        Raises:
            EditRefusedError: an anchor in the value, or a tag on it.
        """
        if self.has_anchor(entry):
            raise self.refuse(entry, "has an anchor (`&name`)", "without the anchor")
        if entry.value.tag:
            raise self.refuse(entry, f"has the tag `{entry.value.tag}`", "without the tag")

    def check_no_comment(self, entry: Entry, start: int, end: int) -> None:
        """Refuse to replace text that holds a comment.

        Raises:
            EditRefusedError: between the texts of the value in `start` to `end` is a `#`.
        """
        rest = list(self.text[start:end])
        for leaf in _leaves(entry.value):
            # The first line of a block scalar may carry a comment after its `|`.
            first = self.line_end(leaf.start) if leaf.style in ("|", ">") else leaf.start
            low, high = max(first - start, 0), max(min(leaf.end, end) - start, 0)
            rest[low:high] = "x" * (high - low)
        if "#" in "".join(rest):
            raise self.refuse(entry, "has a comment inside its value", "without the comment")


def open_document(data: bytes) -> Document:
    """Parse a note for editing.

    Raises:
        NoteUnreadableError: as `reading.read`.
        EditRefusedError: it has no block, and its start could be meant as one.
    """
    parts = fence.split(data)
    text = fence.decode(data, parts.block_start, parts.block_end)
    fence.decode(data, parts.body_start)
    if not parts.has_block:
        fence.check_may_prepend(data)
    tree, entries = read_tree(text)
    return Document(data, parts, text, tree, entries)


def _leaves(node: Node) -> list[Node]:
    if node.kind in (SCALAR, ALIAS):
        return [node]
    return [leaf for child in node.children for leaf in _leaves(child)]


def _has_anchor(node: Node) -> bool:
    inner = () if node.kind == ALIAS else node.children
    return bool(node.anchor) or any(map(_has_anchor, inner))
