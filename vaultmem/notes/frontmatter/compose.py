"""The full YAML reader: ruamel's events, made into a small tree that knows its places in the text.

Only events are used, never ruamel's constructors: tags, alias bombs and impossible dates stay
harmless, and values follow our own table (`scalars`). Where ruamel's scanner is narrower than the
one in Obsidian, it is given a copy of the same length in which the characters concerned stand in
for others, so that every place still holds. Importing this module imports ruamel (25 ms): only
`reading` does, when a block is not surely flat.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from ruamel.yaml import YAML, events
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.frontmatter.tree import (
    ALIAS,
    BLOCK,
    FLOW,
    MAPPING,
    SCALAR,
    SEQUENCE,
    Node,
    Tree,
    key_name,
    unreadable,
)

MAX_DEPTH = 100
"""Lists and maps inside each other; no property that Obsidian can show comes near."""

# Tabs that separate, and lines of blanks; a tab that indents stays, and stays an error.
_BETWEEN_TABS = re.compile(r"(?<=[^ \t\n\r])[ \t]*\t[ \t]*|^[ \t]+(?=\r?$)", re.MULTILINE)
_COLON = re.compile(r"[ \t]*:")
# ruamel takes these for line breaks, YAML 1.2 does not; others stand in for them.
_NO_BREAKS = "\x85\u2028\u2029"
_PRIVATE, _BEYOND = range(0xE000, 0xF900), range(0x10000, 0x110000)
"""Characters that no text of ours is long enough to hold all of."""


def compose(text: str, *, first_line: int = 1) -> Tree:
    """Parse one YAML document; `first_line` is the line of the note that `text` begins with.

    Raises:
        NoteUnreadableError: not YAML (VM103), more than one document (VM107), nested deeper than
            `MAX_DEPTH` (VM106), a key twice in one map (VM104).
    """
    try:
        return _Composer(text, text, first_line).compose()
    except NoteUnreadableError:
        if "\t" not in text:
            raise
    return _Composer(text, _BETWEEN_TABS.sub(_blanks, text), first_line).compose()


def _stand_ins(text: str) -> dict[int, int]:
    """Which characters, themselves not in `text`, stand for the breaks that are."""
    if text.isascii():
        return {}
    there = set(text)
    free = (code for code in chain(_PRIVATE, _BEYOND) if chr(code) not in there)
    return {ord(char): next(free) for char in _NO_BREAKS if char in there}


def _blanks(match: re.Match[str]) -> str:
    return match[0].replace("\t", " ")


class _Open(NamedTuple):
    """A list or map whose end has not come yet."""

    kind: str
    style: str
    tag: str
    anchor: str
    start: int
    column: int
    children: list[Node]


class _Composer:
    """Builds the tree of one document from events, without recursion."""

    def __init__(self, text: str, shadow: str, first_line: int) -> None:
        stand_ins = _stand_ins(text)
        self.text = text
        self.shadow = shadow.translate(stand_ins) if stand_ins else shadow
        self.restored = {other: char for char, other in stand_ins.items()}
        self.tabs = text.count("\t") != shadow.count("\t")
        self.first_line = first_line
        self.anchors: dict[str, Node | None] = {}
        self.open: list[_Open] = []
        self.root: Node | None = None
        self.documents = 0
        self.ended = False

    def compose(self) -> Tree:
        try:
            for event in YAML(typ="safe", pure=True).parse(self.shadow):
                self._take(event)
        except MarkedYAMLError as error:
            problem = error.problem or error.context or "it cannot be parsed"
            mark = error.problem_mark or error.context_mark
            if "end of stream" in problem or "stream end" in problem:
                # Name the line where the quote or bracket opens, not the end of the block.
                mark = error.context_mark or mark
            line = None if mark is None else self._line(mark.index)
            raise self._invalid(problem, line) from None
        except ReaderError as error:
            raise self._invalid("a control character", self._line(error.position)) from None
        except (YAMLError, ValueError, OverflowError):  # such as `chr`, in words of one Python
            raise self._invalid("a value that cannot be read", None) from None
        return Tree(self.root, self.ended)

    def _invalid(self, problem: str, line: int | None) -> NoteUnreadableError:
        return unreadable(f"The properties are not valid YAML: {problem}.", line, "VM103")

    def _line(self, index: int) -> int:
        return self.text.count("\n", 0, index) + self.first_line

    def _take(self, event: events.Event) -> None:
        match event:
            case events.ScalarEvent():
                self._add(self._scalar(event))
            case events.AliasEvent():
                self._add(self._alias(event))
            case events.SequenceStartEvent():
                self._begin(SEQUENCE, event)
            case events.MappingStartEvent():
                self._begin(MAPPING, event)
            case events.CollectionEndEvent():
                self._finish(event)
            case events.DocumentStartEvent():
                self._start_document(event)
            case events.DocumentEndEvent():
                self.ended = bool(event.explicit)
            case _:
                pass

    def _start_document(self, event: events.DocumentStartEvent) -> None:
        self.documents += 1
        if self.documents > 1:
            raise unreadable(
                "The properties are more than one YAML document.",
                self._line(event.start_mark.index),
                "VM107",
                "Keep one block, without `---` or `...` inside it.",
            )

    def _add(self, node: Node) -> None:
        if node.anchor and node.kind != ALIAS:
            self.anchors[node.anchor] = node if node.kind == SCALAR else None
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node

    def _scalar(self, event: events.ScalarEvent) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        text, style, tag = event.value, event.style or "", event.tag or ""
        if self.restored:
            text = text.translate(self.restored)
        source = self.text[start:end]
        if style in ("|", ">"):
            end = start + len(source.rstrip())
        elif style:
            self._check_quoted(start, end)
        elif text == "-" or text.endswith(":") or self.text[start - 1 : start] == "?":
            raise self._invalid(f"`{source}` could be read in two ways", self._line(start))
        if self.tabs and "\t" in source:
            if style or tag or event.anchor or "\n" in source:
                raise self._invalid("tabs that cannot be read safely", self._line(start))
            text = source
        return Node(SCALAR, text, style, tag, event.anchor or "", (), start, end)

    def _check_quoted(self, start: int, end: int) -> None:
        """Refuse what ruamel lets pass: text that goes on too far left, `"x"#no comment`."""
        self._check_comment(end)
        if "\n" not in self.text[start:end]:
            return
        column = next((item.column for item in reversed(self.open) if item.style == BLOCK), -1)
        for line in self.text[start:end].split("\n")[1:]:
            if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
                raise self._invalid("a quoted text that goes on too far left", self._line(start))

    def _check_comment(self, end: int) -> None:
        if self.text.startswith("#", end):
            raise self._invalid("a comment without a blank before it", self._line(end))

    def _alias(self, event: events.AliasEvent) -> Node:
        name, start = event.anchor, event.start_mark.index
        if name not in self.anchors:
            raise self._invalid(f"`*{name}` stands for nothing", self._line(start))
        target = self.anchors[name]
        children = () if target is None else (target,)
        return Node(ALIAS, name, "", "", "", children, start, event.end_mark.index)

    def _begin(self, kind: str, event: events.CollectionStartEvent) -> None:
        start = event.start_mark.index
        if len(self.open) >= MAX_DEPTH:
            raise unreadable(
                f"The properties are nested more than {MAX_DEPTH} deep.",
                self._line(start),
                "VM106",
                "Move the text into the body.",
            )
        style, anchor = FLOW if event.flow_style else BLOCK, event.anchor or ""
        if anchor:
            self.anchors[anchor] = None
        self.open.append(
            _Open(kind, style, event.tag or "", anchor, start, event.start_mark.column, [])
        )

    def _finish(self, event: events.CollectionEndEvent) -> None:
        kind, style, tag, anchor, start, _, children = self.open.pop()
        if kind == MAPPING:
            self._check_names(children[::2])
            children[1::2] = map(self._in_place, children[::2], children[1::2])
        end = children[-1].end if style == BLOCK and children else event.end_mark.index
        if style == FLOW:
            self._check_comment(end)
        self._add(Node(kind, "", style, tag, anchor, tuple(children), start, end))

    def _in_place(self, key: Node, value: Node) -> Node:
        """An empty value after its colon; ruamel puts it where the next key is."""
        if value.start < value.end or value.kind != SCALAR:
            return value
        colon = _COLON.match(self.text, key.end)
        place = colon.end() if colon else key.end
        return value._replace(start=place, end=place)

    def _check_names(self, keys: list[Node]) -> None:
        """Obsidian's parser takes no map with the same key twice, at any depth."""
        seen: dict[str, Node] = {}
        for key in keys:
            name = key_name(key)
            if name in seen:
                line, first = self._line(key.start), self._line(seen[name].start)
                raise unreadable(
                    f"The property `{name}` is written twice; first in line {first}.",
                    line,
                    "VM104",
                    "Keep one of the two lines.",
                )
            seen[name] = key
