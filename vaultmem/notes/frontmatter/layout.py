"""Which characters of a block change for one property, and what stands there afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import EditRefusedError
from vaultmem.notes.frontmatter.document import Document, Span
from vaultmem.notes.frontmatter.scalars import Scalar, Value, same
from vaultmem.notes.frontmatter.spelling import double_quoted, needs_escape, single_quoted, spell
from vaultmem.notes.frontmatter.tree import (
    BLOCK,
    FLOW,
    MAPPING,
    SCALAR,
    SEQUENCE,
    Node,
    construct,
)
from vaultmem.notes.frontmatter.wanted import Wanted, spell_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.notes.frontmatter.reading import Entry

LIST_INDENT = "  "
"""Obsidian's own blanks before the dash of a list item."""


def replace_value(document: Document, entry: Entry, value: Wanted) -> list[Span]:
    """The spans that give an existing property another value.

    Raises:
        EditRefusedError: the value has an anchor, a tag or a comment that would be lost, or the key
            is no plain `name:`.
    """
    colon = document.colon(entry)
    document.check_bare(entry)
    node = entry.value
    if node.kind == SEQUENCE and node.style == BLOCK and isinstance(value, list) and value:
        document.check_no_comment(entry, node.start, document.line_end(node.end))
        indent = node.start - document.line_start(node.start)
        return [Span(node.start, node.end, _items(document, node, value, " " * indent))]
    if isinstance(value, list) and (node.style == FLOW or document.in_flow or not value):
        return _in_place(document, entry, colon, _flow_list(document, node, value))
    if isinstance(value, list):
        return _new_list(document, entry, colon, [spell(item) for item in value])
    if value is None and not document.in_flow:
        return _from_colon(document, entry, colon, "")
    return _in_place(document, entry, colon, _spell_like(document, node, value))


def add(document: Document, new: Mapping[str, Wanted]) -> Span:
    """The span that puts new properties at the end of the block.

    Raises:
        EditRefusedError: the block is JSON, ends with `...`, or its `{}` has a comment inside.
    """
    root = document.tree.root
    if document.tree.ended:
        raise EditRefusedError(
            "The properties end with `...`, so nothing can be added after them.",
            "Remove the line `...`.",
            line=document.line(len(document.text)) - 1,
        )
    if root is None or root.style != FLOW:
        text = "".join(
            line + document.eol
            for name, value in new.items()
            for line in property_lines(name, value, document.indent)
        )
        return Span(len(document.text), len(document.text), text)
    bare = not (root.anchor or root.tag or "#" in document.text[root.start : root.end])
    if root.children or not bare:
        raise EditRefusedError(
            "The properties are written in braces, as JSON.",
            "Edit one property in Obsidian, which rewrites them as `name: value` lines.",
            line=document.line(root.start),
        )
    indent = " " * (root.start - document.line_start(root.start))
    lines = [line for name, value in new.items() for line in property_lines(name, value, indent)]
    return Span(root.start, root.end, document.eol.join(lines)[len(indent) :])


def remove(document: Document, entry: Entry) -> Span:
    """The span of a property's own lines.

    Raises:
        EditRefusedError: other properties refer to it, it holds a comment, or the block is JSON.
    """
    colon = document.colon(entry)
    if document.in_flow:
        raise document.refuse(entry, "stands in braces, as JSON", "as `name: value` lines")
    if document.has_anchor(entry):
        raise document.refuse(entry, "has an anchor (`&name`)", "without the anchor")
    end = entry.value.end
    document.check_no_comment(entry, colon, document.line_end(end))
    return Span(document.line_start(entry.key.start), document.next_line(end), "")


def append(document: Document, entry: Entry, item: Scalar) -> list[Span]:
    """The spans that give a list one item more.

    Raises:
        EditRefusedError: the value is a map or a text of several lines, or has an anchor or a tag.
    """
    colon = document.colon(entry)
    node = entry.value
    if node.anchor or node.tag:
        document.check_bare(entry)
    if node.kind == SEQUENCE and node.style == FLOW:
        text = spell(item, flow=True)
        if not node.children:
            return [Span(node.start + 1, node.start + 1, text)]
        last = node.children[-1].end
        return [Span(last, last, f", {text}")]
    if node.kind == SEQUENCE:
        indent = node.start - document.line_start(node.start)
        end = document.line_end(node.end)
        return [Span(end, end, document.eol + _dashed(spell(item), " " * indent))]
    source = document.text[node.start : node.end]
    if node.kind == MAPPING or "\n" in source:
        raise document.refuse(entry, "is no list", "as a list")
    sources = [] if construct(node) is None else [source]
    if document.in_flow:
        text = f"[{', '.join([*sources, spell(item, flow=True)])}]"
        return _in_place(document, entry, colon, text)
    return _new_list(document, entry, colon, [*sources, spell(item)])


def property_lines(name: str, value: Wanted, indent: str = "") -> list[str]:
    """The lines of a property, without line ends; lists as block lists.

    Raises:
        EditRefusedError: the value is a map, or a list with something else than scalars.
    """
    head = f"{indent}{spell_name(name)}:"
    if isinstance(value, list) and value:
        return [head, *(_dashed(spell(item), indent + LIST_INDENT) for item in value)]
    text = "[]" if isinstance(value, list) else spell(value)
    return [f"{head} {text}" if text else head]


def _in_place(document: Document, entry: Entry, colon: int, text: str) -> list[Span]:
    """Put `text` where the value is, on the key's line if the value stands below it."""
    node = entry.value
    if node.style in (BLOCK, "|", ">"):
        return _from_colon(document, entry, colon, f" {text}")
    if node.start == node.end:
        return [Span(colon, colon, f" {text}")]
    if node.style == FLOW:
        document.check_no_comment(entry, node.start, node.end)
    return [Span(node.start, node.end, text)]


def _from_colon(document: Document, entry: Entry, colon: int, text: str) -> list[Span]:
    node = entry.value
    end = document.line_end(node.end) if _is_below(document, entry, colon) else node.end
    document.check_no_comment(entry, colon, end)
    return [Span(colon, node.end, text)]


def _new_list(document: Document, entry: Entry, colon: int, items: list[str]) -> list[Span]:
    """A block list under the key instead of what stands there; a comment on the line stays."""
    indent = document.indent + LIST_INDENT
    text = "".join(document.eol + _dashed(item, indent) for item in items)
    if _is_below(document, entry, colon):
        return _from_colon(document, entry, colon, text)
    end = document.line_end(entry.value.end)
    return [*_from_colon(document, entry, colon, ""), Span(end, end, text)]


def _is_below(document: Document, entry: Entry, colon: int) -> bool:
    return "\n" in document.text[colon : entry.value.end]


def _items(document: Document, node: Node, value: list[Scalar], indent: str) -> str:
    known = _sources(document, node)
    items = [_dashed(_known(known, item), indent) for item in value]
    return document.eol.join(items)[len(indent) :]


def _flow_list(document: Document, node: Node, value: list[Scalar]) -> str:
    known = _sources(document, node) if node.style == FLOW else []
    return f"[{', '.join(_known(known, item, flow=True) for item in value)}]"


def _sources(document: Document, node: Node) -> list[tuple[Value, str]]:
    """How the items of a list are spelled now, so that those that stay keep their spelling."""
    return [
        (construct(child), document.text[child.start : child.end])
        for child in node.children
        if child.kind == SCALAR
        and not child.tag
        and "\n" not in document.text[child.start : child.end]
    ]


def _known(known: list[tuple[Value, str]], item: Scalar, *, flow: bool = False) -> str:
    for value, source in known:
        if same(value, item):
            return source
    return spell(item, flow=flow)


def _dashed(text: str, indent: str) -> str:
    return f"{indent}- {text}" if text else f"{indent}-"


def _spell_like(document: Document, node: Node, value: Scalar) -> str:
    """New text keeps the quotes of the old."""
    if isinstance(value, str) and node.style == '"':
        return double_quoted(value)
    if isinstance(value, str) and node.style == "'" and not needs_escape(value):
        return single_quoted(value)
    return spell(value, flow=document.in_flow)
