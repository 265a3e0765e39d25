"""Change values in the text of `config.yaml`; every other line, and every comment, stays.

A round trip through ruamel would tie a comment to the entry above it and lose it with that entry.
So ruamel only says where each value stands, and the change is made to the text itself. The caller
parses the result again and compares it with what it meant.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruamel.yaml.nodes import Node

    from vaultmem.notes.frontmatter import Value

_COMMENT = re.compile(r"[\r\n][^\r\n]*(?<=[ \t\r\n])#|(?<=[ \t])#[^\r\n]*[\r\n]")
"""A comment between the lines of a value; text that looks like one is not worth the risk."""
_BREAK = re.compile(r"\r\n|\r|\n")
_PLAIN = re.compile(r"[A-Za-z/~][\w/~.@+-]*")
_UNSPOKEN = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON writes as it is and YAML does not, or takes for a line end."""
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"))
_STEP = "  "

_MAPPING: Final = "mapping"
_SEQUENCE: Final = "sequence"
_OTHER: Final = "scalar, or in brackets"


class _Place(NamedTuple):
    """Where a value stands, in characters; the parts of a mapping are key, value, key, value."""

    kind: str
    text: str
    start: int
    end: int
    column: int
    parts: tuple[_Place, ...] = ()

    @property
    def pairs(self) -> Iterator[tuple[_Place, _Place]]:
        """The keys of a mapping with their values."""
        return zip(self.parts[::2], self.parts[1::2], strict=True)


class _CommentLostError(Exception):
    """A comment stands inside of what would be replaced."""


class _Edit(NamedTuple):
    """Put `text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def changed_text(text: str, old: dict[str, Value], new: dict[str, Value]) -> str | None:
    """`text`, whose values are `old`, with the values of `new`; None where that cannot be done.

    Each line of `text`, which has no byte order mark, keeps its own end; a new one gets that of the
    first.
    """
    from ruamel.yaml import YAML  # slow to import, needed only for edits
    from ruamel.yaml.error import YAMLError

    try:
        composed = YAML(typ="safe", pure=True).compose(text)
        root = None if composed is None else _place(composed, {})
    except (YAMLError, ValueError, RecursionError):
        return None
    added = _lines(_mapping_lines({key: new[key] for key in new if key not in old}), "")
    if root is not None and root.kind == _OTHER and root.start == root.end:
        root = None  # `---` and comments
    if root is not None and root.kind != _MAPPING:
        return None
    try:
        kept = [] if root is None else [*_in_mapping(text, root, old, new)]
    except _CommentLostError:
        return None
    edits = [*kept, _Edit(len(text), len(text), added)]
    first = _BREAK.search(text)
    for edit in sorted(edits, reverse=True):
        before, put = text[: edit.start], edit.text
        if put and edit.start == edit.end and put.endswith("\n"):
            put = put if _ends_a_line(before) else f"\n{put}"
        if first is not None:
            put = put.replace("\n", first[0])
        text = before + put + text[edit.end :]
    return text


def _in_mapping(
    text: str, node: _Place, old: dict[str, Value], new: dict[str, Value]
) -> Iterator[_Edit]:
    """Edits of the keys that are there; new ones are added by whoever knows where they belong."""
    for key, written in node.pairs:
        name = key.text
        value = written if written.end > written.start else _after_colon(text, key, written)
        if name not in new:
            yield from _cut(text, key.start, _end(text, value, key.end), value)
        elif old.get(name) != new[name]:
            yield from _in_value(text, value, old.get(name), new[name], key.column)


def _in_value(text: str, node: _Place, old: Value, new: Value, column: int) -> Iterator[_Edit]:
    if isinstance(old, list) and isinstance(new, list) and node.kind == _SEQUENCE:
        yield from _in_sequence(text, node, old, new)
        return
    start, end = node.start, _end(text, node, node.start)
    if _COMMENT.search(text, start, end):
        raise _CommentLostError
    if isinstance(new, list):
        line_end = _line_end(text, end)
        items = _lines([line for item in new for line in _item_lines(item)], " " * column + _STEP)
        comment = text[end:line_end]
        head = text[:start].rstrip(" ")
        yield _Edit(len(head), line_end, f"{comment}\n{items}".removesuffix("\n"))
        return
    space = "" if start > 0 and text[start - 1] in " \t" else " "
    yield _Edit(start, end, space + _spell(new))


def _in_sequence(text: str, node: _Place, old: list[Value], new: list[Value]) -> Iterator[_Edit]:
    """Edits of the items that are others now; the rest keep their lines and their comments."""
    from difflib import SequenceMatcher

    indent = " " * node.column
    were, are = ([repr(item) for item in items] for items in (old, new))
    matched = SequenceMatcher(None, were, are, autojunk=False)
    for _, first, last, begin, end in matched.get_opcodes():
        items, values = node.parts[first:last], new[begin:end]
        for item, before, after in zip(items, old[first:last], values, strict=False):
            if before != after:
                yield from _in_item(text, item, before, after, indent)
        for item in items[len(values) :]:
            dash = _dash(text, item, node.column)
            yield from _cut(text, dash, _end(text, item, item.start), item)
        added = [line for value in values[len(items) :] for line in _item_lines(value)]
        if added:
            place = node.parts[last - 1] if last else None
            at = node.start if place is None else _next_line(text, _end(text, place, place.start))
            yield _Edit(at, at, _lines(added, indent))


def _dash(text: str, item: _Place, column: int) -> int:
    """Where the dash of an item stands, which may be lines above what it holds."""
    at = item.start
    while at > 0:
        begins = max(text.rfind(mark, 0, at) for mark in "\r\n") + 1
        dash = begins + column
        if dash < item.start and text[dash] == "-" and not text[begins:dash].strip(" "):
            return dash
        at = begins - 1
    return item.start


def _in_item(text: str, node: _Place, old: Value, new: Value, indent: str) -> Iterator[_Edit]:
    end = _end(text, node, node.start)
    if isinstance(old, dict) and isinstance(new, dict) and node.kind == _MAPPING:
        yield from _in_mapping(text, node, old, new)
        added = {key: value for key, value in new.items() if key not in old}
        at = _next_line(text, end)
        if added:
            yield _Edit(at, at, _lines(_mapping_lines(added), " " * node.column))
        return
    written = "\n".join(f"{indent}{line}" for line in _item_lines(new))
    yield _Edit(node.start, end, written.removeprefix(f"{indent}- "))


def _after_colon(text: str, key: _Place, empty: _Place) -> _Place:
    """The place of an empty value, which ruamel gives as that of the next word."""
    at = text.index(":", key.end) + 1
    return empty._replace(start=at, end=at)


def _cut(text: str, start: int, end: int, value: _Place) -> Iterator[_Edit]:
    """Take out the lines from `start` to `end`, of a key or an item, but not its comments."""
    first = max(text.rfind(mark, 0, start) for mark in "\r\n") + 1
    last = _next_line(text, end)
    words = [place for place in _leaves(value) if _BREAK.search(text, place.start, place.end)]
    while first < last:
        following = _next_line(text, first)
        said = any(place.start < first < place.end for place in words)
        if said or not text[first:following].lstrip().startswith("#"):
            yield _Edit(first, following, "")
        first = following


def _leaves(place: _Place) -> Iterator[_Place]:
    """The scalars of a value, and what stands in brackets."""
    if not place.parts:
        yield place
    for part in place.parts:
        yield from _leaves(part)


def _end(text: str, place: _Place, otherwise: int) -> int:
    """Where the last character of a value stands, without the comments and blanks after it."""
    if not place.parts:
        return otherwise if place.end <= place.start else len(text[: place.end].rstrip(" \r\n"))
    last = place.parts[-1]
    before = place.parts[-2] if place.kind == _MAPPING else last
    return _end(text, last, _line_end(text, before.end))


def _place(node: Node, seen: dict[int, _Place]) -> _Place:
    """Our own form of a node; `seen` keeps aliases from being walked again and again."""
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

    if (known := seen.get(id(node))) is not None:
        return known
    kind, parts = _OTHER, []
    if isinstance(node, MappingNode) and not node.flow_style:
        kind, parts = _MAPPING, [part for pair in node.value for part in pair]
    elif isinstance(node, SequenceNode) and not node.flow_style:
        kind, parts = _SEQUENCE, node.value
    text = str(node.value) if isinstance(node, ScalarNode) else ""
    start, end = node.start_mark, node.end_mark
    places = tuple(_place(part, seen) for part in parts)
    seen[id(node)] = made = _Place(kind, text, start.index, end.index, start.column, places)
    return made


def _line_end(text: str, at: int) -> int:
    found = _BREAK.search(text, at)
    return len(text) if found is None else found.start()


def _next_line(text: str, at: int) -> int:
    found = _BREAK.search(text, at)
    return len(text) if found is None else found.end()


def _ends_a_line(text: str) -> bool:
    return not text or text[-1] in "\r\n"


def _lines(lines: list[str], indent: str) -> str:
    return "".join(f"{indent}{line}\n" for line in lines)


def _mapping_lines(values: dict[str, Value]) -> list[str]:
    lines = []
    for key, value in values.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines += [_STEP + line for item in value for line in _item_lines(item)]
        else:
            lines.append(f"{key}: {_spell(value)}")
    return lines


def _item_lines(item: Value) -> list[str]:
    if not isinstance(item, dict) or not item:
        return [f"- {_spell(item)}"]
    lines = _mapping_lines(item)
    return ["- " + lines[0], *(_STEP + line for line in lines[1:])]


def _spell(value: Value) -> str:
    """A value on one line: plain where no reader of YAML could take it for something else."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.casefold() not in _WORDS:
        return value
    return _UNSPOKEN.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(value, ensure_ascii=False))
