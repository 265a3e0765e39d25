"""Whether anything of a captured text is alive in a note: a link, a task, a tag, HTML, a query."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt

from vaultmem.notes.frontmatter import read
from vaultmem.notes.markdown import structure

MARK = "zq"
"""Begins every word of the payloads that must not be alive."""
_TARGET = re.compile(rf"(?:https?://)?{MARK}")
"""What the payloads link to; a note of ours may be named after the other words of one."""
_QUERY = re.compile(r"(?<!\\)`\$?= ?zq|(?<!\\)<%|(?<!\\)%%zq")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark")


def live_markup(data: bytes) -> list[str]:
    """What of a note's body a program would act on, although it was only captured."""
    body = read(data).body
    if MARK not in body:
        return []
    found = structure(body)
    alive = [f"link {one.target}" for one in found.links if _TARGET.match(one.target)]
    alive += [f"task {one.text}" for one in found.tasks if one.text.startswith(MARK)]
    alive += [f"tag {one.name}" for one in found.tags if MARK in one.name]
    alive += [f"block id {one.id}" for one in found.block_ids if one.id.startswith(MARK)]
    for block in _markdown().parse(body):
        for token in (block, *(block.children or ())):
            if token.type in ("html_block", "html_inline", "image", "link_open"):
                text = f"{token.content}{token.attrs}"
                alive += [f"{token.type} {text}"] if MARK in text else []
    prose = "\n".join(block.content for block in _markdown().parse(body) if block.type == "inline")
    alive += _QUERY.findall(prose)
    return alive
