"""What a note, a ledger line or a terminal makes of captured text, seen with other eyes than ours.

Notes are parsed by markdown-it and their properties by PyYAML; what Obsidian and its plugins look
for without knowing Markdown is searched for in the source. Only code spans and block structure of
our own are asked as well, because what they call a task or a link is what `sync` would act on.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import yaml
from markdown_it import MarkdownIt

from vaultmem.core.inline import code_spans
from vaultmem.notes.markdown import structure

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = {
    "text", "text_special", "code_inline", "softbreak", "hardbreak",
    "em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close",
}  # fmt: skip
_PLUGINS = {
    "a Templater command": re.compile("<%"),
    "an Obsidian comment": re.compile("%%"),
    "an embed or image": re.compile(r"(?<!\\)!\["),
    "a wikilink": re.compile(r"(?<!\\)\[\["),
    "a Markdown link": re.compile(r"(?<!\\)\]\("),
    "a reference": re.compile(r"(?<!\\)\]\["),
    "a footnote": re.compile(r"(?<!\\)\[\^|\^(?<!\\)\["),
    "an inline field": re.compile(r"(?<!\\):(?<!\\)(?=:)(?!:\\)"),
    "a formula": re.compile(r"(?<!\\)\$[^$\n]*(?<!\\)\$"),
    "a bare address": re.compile(r"\bhttps?://"),
}
_RUNNING_SPAN = re.compile(r"`+\s*(?:\$?=|INPUT\[|VIEW\[|BUTTON\[|button-)")


class Note(NamedTuple):
    """A note in its two halves; the properties as text, without any typing."""

    properties: dict[str, object]
    body: str


def split(data: bytes) -> Note:
    """The halves of a note, read by another YAML reader than ours."""
    text = data.decode("utf-8")
    assert text.startswith("---\n")
    block, body = text[4:].split("\n---\n", 1)
    properties = yaml.load(block, Loader=yaml.BaseLoader)
    assert isinstance(properties, dict)
    return Note(properties, body)


def invisible(text: str) -> list[str]:
    """Characters that a person would not see, or that could drive a terminal; line feeds are ours."""
    return [
        f"U+{ord(char):04X}"
        for char in text
        if char != "\n"
        and (
            unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
            or 0xFE00 <= ord(char) <= 0xFE0F
            or 0xE0100 <= ord(char) <= 0xE01EF
        )
    ]


def outside_fences(body: str) -> str:
    """The source without its fenced blocks, each of which leaves an empty line."""
    lines = body.split("\n")
    for token in MarkdownIt("commonmark").parse(body):
        if token.type == "fence" and token.map:
            for number in range(*token.map):
                lines[number] = ""
    return "\n".join(lines)


def fences(body: str) -> list[tuple[str, str]]:
    """Info string and content of each fenced block, also those in a callout."""
    tokens = MarkdownIt("commonmark").parse(body)
    return [(token.info.strip(), token.content) for token in tokens if token.type == "fence"]


def acting(
    body: str, sign: str, *, links: Iterable[str] = (), where: Iterable[str] = ()
) -> list[str]:
    """What a captured text that holds `sign` does in a note, apart from standing there as words.

    Args:
        body: the note's text below its properties.
        sign: the text's own word.
        links: the links that the note may hold, each as it is spelled.
        where: containers of ours in which the text may stand: `list_item`, `blockquote`.
    """
    found = [*_blocks(body, sign, set(where)), *_source(body, sign, tuple(links))]
    if hidden := invisible(outside_fences(body)):
        found.append(f"hides {hidden[:5]}")
    return found


def _blocks(body: str, sign: str, where: set[str]) -> Iterable[str]:
    parents: list[str] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(body):
        kind = token.type.removesuffix("_open").removesuffix("_close")
        if token.nesting == 1:
            parents.append(kind)
        elif token.nesting == -1:
            parents.pop()
        if token.type == "html_block":
            yield f"makes HTML: {token.content[:60]!r}"
        elif token.type == "fence":
            if sign in token.info or token.info.strip() not in ("", "yaml", "diff", "text"):
                yield f"is code that something could run: {token.info!r}"
        elif token.type == "code_block" and sign in token.content:
            yield "is an indented block"
        elif token.type == "inline":
            odd = {child.type for child in token.children or ()} - _WORDS
            if sign in token.content:
                yield from (f"makes {one}" for one in sorted(odd))
                outer = set(parents) - {"paragraph", "bullet_list", "ordered_list"} - where
                yield from (f"stands in {one}" for one in sorted(outer))
            elif odd & {"html_inline", "image"}:
                yield f"makes {sorted(odd)}"


def _source(body: str, sign: str, links: tuple[str, ...]) -> Iterable[str]:
    if "<%" in body:
        yield "runs a template"
    plain = outside_fences(body)
    for link in links:
        plain = plain.replace(link, "")
    found = structure(plain)
    for kind, texts in (
        ("ticks a task", (f"{one.mark}{one.text}" for one in found.tasks)),
        ("links", (f"{one.target}{one.subpath}{one.text}" for one in found.links)),
        ("is a tag", (one.name for one in found.tags)),
        ("is a block id", (one.id for one in found.block_ids)),
        ("is a heading", (one.text for one in found.headings)),
    ):
        yield from (f"{kind}: {text[:60]}" for text in texts if sign in text)
    for line in plain.split("\n"):
        if sign not in line:
            continue
        for span in code_spans(line, source=True):
            if _RUNNING_SPAN.match(line, span.start):
                yield f"is code that a plugin runs: {line[span.start : span.end]!r}"
        words = _without_code(line)
        yield from (
            f"holds {what}: {line[:80]!r}" for what, mark in _PLUGINS.items() if mark.search(words)
        )


def _without_code(line: str) -> str:
    parts, last = [], 0
    for span in code_spans(line, source=True):
        parts.append(line[last : span.start])
        last = span.end
    return "`".join([*parts, line[last:]])
