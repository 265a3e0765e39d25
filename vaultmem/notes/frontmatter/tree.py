"""A parsed block as a tree of nodes that know their places, and the values that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.frontmatter.scalars import Value, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

SCALAR: Final = "scalar"
ALIAS: Final = "alias"
SEQUENCE: Final = "sequence"
MAPPING: Final = "mapping"
FLOW: Final = "flow"
BLOCK: Final = "block"

_REMEDY = "Correct the line; Obsidian's source mode shows it."
_CORE_TAGS: dict[str, type] = {
    "tag:yaml.org,2002:null": type(None),
    "tag:yaml.org,2002:bool": bool,
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
}


class Node(NamedTuple):
    """A part of the tree; `start` and `end` are character offsets, the end after its last content.

    A mapping's children are key, value, key, value; an alias has its anchor's node as the only
    child if that is a scalar.
    """

    kind: str
    text: str
    style: str
    tag: str
    anchor: str
    children: tuple[Node, ...]
    start: int
    end: int

    def meaning(self) -> tuple[object, ...]:
        """All but the places: equal before and after an edit that did not touch this node."""
        inner = tuple(child.meaning() for child in self.children)
        return (self.kind, self.text, self.style, self.tag, self.anchor, inner)


class Tree(NamedTuple):
    """A parsed text: its root, if it has one, and whether `...` ends the document."""

    root: Node | None
    ended: bool


def construct(node: Node) -> Value:
    """The value of a node: 1.2 core schema, aliases of scalars followed, others kept as text."""
    if node.kind == SCALAR:
        return _scalar(node)
    if node.kind == ALIAS:
        return construct(node.children[0]) if node.children else f"*{node.text}"
    if node.kind == SEQUENCE:
        return [construct(child) for child in node.children]
    return {key_name(key): construct(value) for key, value in pairs(node)}


def pairs(mapping: Node) -> Iterator[tuple[Node, Node]]:
    """The keys of a mapping with their values."""
    return zip(mapping.children[::2], mapping.children[1::2], strict=True)


def key_name(key: Node) -> str:
    """The name that Obsidian gives a key: text as it is, anything else as JavaScript prints it."""
    value = construct(key) if key.kind in (SCALAR, ALIAS) else _flow_text(key)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def unreadable(
    problem: str, line: int | None, code: str, remedy: str = _REMEDY
) -> NoteUnreadableError:
    """The error for a block that is no properties block."""
    return NoteUnreadableError(problem, remedy, line=line, code=code)


def _scalar(node: Node) -> Value:
    text = _join_surrogates(node.text)
    if not node.tag:
        return text if node.style else resolve(text)
    value = resolve(text)
    return value if type(value) is _CORE_TAGS.get(node.tag) else text


def _join_surrogates(text: str) -> str:
    """JSON spells an emoji as two escapes; ruamel leaves them as two halves."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _flow_text(node: Node) -> str:
    """A key that is a list or map, as Obsidian prints it: `{{date}}` has the key `{ date }`."""
    if node.kind == SEQUENCE:
        inner = ", ".join(_flow_text(child) for child in node.children)
        return f"[ {inner} ]" if inner else "[]"
    if node.kind == MAPPING:
        inner = ", ".join(_pair_text(key, value) for key, value in pairs(node))
        return f"{{ {inner} }}" if inner else "{}"
    return f"*{node.text}" if node.kind == ALIAS else node.text


def _pair_text(key: Node, value: Node) -> str:
    name = _flow_text(key)
    if key.kind in (SEQUENCE, MAPPING):
        name = f"? {name}"
    if value.kind == SCALAR and not value.text and not value.style:
        return name
    return f"{name}: {_flow_text(value)}"
