"""The structure of a Markdown text: headings, tasks, links, tags, fences, block ids, with lines."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inline import TAG_CHARACTER, code_spans
from vaultmem.notes.comments import mask_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


class Heading(NamedTuple):
    """`level` 1 to 6; `text` is its source without the marks."""

    line: int
    level: int
    text: str


class Task(NamedTuple):
    """A list item with a box; `mark` is what stands in it, a blank where it is open."""

    line: int
    mark: str
    text: str
    block_id: str | None


class Link(NamedTuple):
    """A link to a note, a file or an address.

    `target` is what is linked without its place (`#Heading`, `#^id`), which is `subpath`; `text` is
    what is shown in its stead, if anything. A link inside its own note has an empty target.
    """

    line: int
    target: str
    subpath: str
    text: str | None
    embed: bool
    wiki: bool


class Tag(NamedTuple):
    """An inline tag, without its `#`."""

    line: int
    name: str


class Fence(NamedTuple):
    """A fenced block; `end` is the line of its last fence or of the text's last line."""

    line: int
    end: int
    info: str
    content: str


class BlockId(NamedTuple):
    """An id that links can name as `#^id`."""

    line: int
    id: str


class Structure(NamedTuple):
    """What a text is made of, each kind in the order of its lines."""

    headings: tuple[Heading, ...]
    tasks: tuple[Task, ...]
    links: tuple[Link, ...]
    tags: tuple[Tag, ...]
    fences: tuple[Fence, ...]
    block_ids: tuple[BlockId, ...]


_LINE_END = re.compile(r"\r\n|[\r\n]")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]|#^\n]*)([#^][^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_MARKDOWN_LINK = re.compile(
    r"(!?)\[((?:[^\[\]\\]|\\.)*)\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_TAG = re.compile(rf"(?<![^\s(\[{{>*_~,;])#({TAG_CHARACTER}+)")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$", re.MULTILINE)
_TASK = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\][ \t]+(.*)$")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")


@lru_cache(maxsize=1)
def block_parser() -> MarkdownIt:
    """CommonMark with tables, blocks only: paragraphs are found and not looked into."""
    from markdown_it import MarkdownIt  # slow to import, and rarely needed

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def structure(text: str, *, first_line: int = 1) -> Structure:
    """Take a Markdown text apart; what stands in code or in a comment is no link, tag or task.

    Args:
        text: a note's body, without its properties.
        first_line: the line of the note that `text` begins in; all lines count from there.
    """
    masked = mask_comments(text)
    found = _Collector(masked.filler)
    tokens = block_parser().parse(masked.text)
    line = first_line
    for token, before in zip(tokens, [None, *tokens], strict=False):
        if token.map:
            line = first_line + token.map[0]
        if token.type == "fence" and token.map:
            end = max(line, first_line + token.map[1] - 1)
            found.fences.append(Fence(line, end, token.info.strip(), token.content))
        elif token.type == "inline":
            if before is not None and before.type == "heading_open":
                title = token.content.replace(masked.filler, "").strip()
                found.headings.append(Heading(line, int(before.tag[1]), title))
            found.inline(token.content, line)
    found.tasks.extend(_tasks(masked.text, tokens, first_line, masked.filler))
    return found.structure()


class _Collector:
    """What has been found so far."""

    def __init__(self, filler: str) -> None:
        self.filler = filler
        self.headings: list[Heading] = []
        self.tasks: list[Task] = []
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self.fences: list[Fence] = []
        self.block_ids: list[BlockId] = []

    def structure(self) -> Structure:
        return Structure(
            tuple(self.headings),
            tuple(self.tasks),
            tuple(self.links),
            tuple(self.tags),
            tuple(self.fences),
            tuple(self.block_ids),
        )

    def inline(self, content: str, line: int) -> None:
        """Read the source of one paragraph, heading or cell that begins in `line`."""
        if not any(mark in content for mark in "[#^"):
            return
        source = _without_code(content)
        links = [*_WIKILINK.finditer(source), *_MARKDOWN_LINK.finditer(source)]
        for link in sorted(links, key=lambda link: link.start()):
            found = _link(link, line + source.count("\n", 0, link.start()))
            if found.target or found.subpath:
                self.links.append(found)
        for pattern in (_WIKILINK, _MARKDOWN_LINK):
            source = pattern.sub(_covered, source)
        for tag in _TAG.finditer(source):
            if not tag[1].isdigit():
                self.tags.append(Tag(line + source.count("\n", 0, tag.start()), tag[1]))
        for name in _BLOCK_ID.finditer(source.replace(self.filler, " ")):
            place = line + source.count("\n", 0, name.start(1))
            self.block_ids.append(BlockId(place, name[1]))


def _without_code(content: str) -> str:
    """The source with code and escaped characters covered, line ends and offsets kept."""
    parts: list[str] = []
    last = 0
    for span in code_spans(content, source=True):
        parts += (
            _ESCAPED.sub("\0\0", content[last : span.start]),
            _cover(content[slice(*span[:2])]),
        )
        last = span.end
    parts.append(_ESCAPED.sub("\0\0", content[last:]))
    return "".join(parts)


def _covered(match: re.Match[str]) -> str:
    return _cover(match[0])


def _cover(text: str) -> str:
    return re.sub(r"[^\n]", "\0", text)


def _link(match: re.Match[str], line: int) -> Link:
    if match.re is _WIKILINK:
        text = match[4].strip() if match[4] is not None else None
        return Link(line, match[2].strip(), match[3] or "", text, bool(match[1]), wiki=True)
    address = match[3] if match[3] is not None else match[4]
    target, mark, place = address.partition("#")
    if _SCHEME.match(address):
        target, mark, place = address, "", ""
    return Link(line, target, f"{mark}{place}", match[2], bool(match[1]), wiki=False)


def _tasks(text: str, tokens: list[Token], first_line: int, filler: str) -> Iterator[Task]:
    """The task lines outside code and HTML."""
    literal: set[int] = set()
    for token in tokens:
        if token.type in ("fence", "code_block", "html_block") and token.map:
            literal.update(range(*token.map))
    for place, line in enumerate(_LINE_END.split(text.replace(filler, ""))):
        if place not in literal and (task := _TASK.match(line)) is not None:
            block_id = _BLOCK_ID.search(task[2])
            words = task[2][: block_id.start()] if block_id else task[2]
            yield Task(
                first_line + place, task[1], words.strip(), block_id[1] if block_id else None
            )
