"""python-frontmatter's view of our rules: its `loads` and `dumps` with this handler agree with us.

Its own YAML handler reads by YAML 1.1, sorts keys, folds lines and strips the body; none of that
happens here. Only `create` uses it: `dumps` is for new notes, never for one that exists.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import frontmatter
from frontmatter.default_handlers import BaseHandler

from vaultmem.notes.frontmatter import fence
from vaultmem.notes.frontmatter.layout import property_lines
from vaultmem.notes.frontmatter.reading import properties_of
from vaultmem.notes.frontmatter.wanted import normalise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.notes.frontmatter.scalars import Value
    from vaultmem.notes.frontmatter.wanted import Wanted


def dump(properties: Mapping[str, Wanted], body: str) -> str:
    """The text of a new note."""
    post = frontmatter.Post(body)
    post.metadata.update(properties)
    return frontmatter.dumps(post, handler=NoteHandler())


class NoteHandler(BaseHandler):
    """Reads and writes properties as Obsidian does."""

    FM_BOUNDARY = re.compile(r"\A---[ \t]*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "---"

    def split(self, text: str) -> tuple[str, str]:
        """The block's text and the body.

        Raises:
            NoteUnreadableError: as `fence.split`.
            ValueError: there is no block, which python-frontmatter takes for "no properties".
        """
        data = text.encode("utf-8")
        parts = fence.split(data)
        if not parts.has_block:
            raise ValueError("the note has no properties block")
        block = fence.decode(data, parts.block_start, parts.block_end)
        return block, fence.decode(data, parts.body_start)

    def load(self, fm: str) -> dict[str, Value]:
        """The properties of a block's text.

        Raises:
            NoteUnreadableError: as `reading.read`.
        """
        return properties_of(fm)

    def export(self, metadata: dict[str, object], **_: object) -> str:
        """The lines of the block, in the given order."""
        return "".join(
            f"{line}\n"
            for name, value in metadata.items()
            for line in property_lines(name, normalise(value))
        )

    def format(self, post: frontmatter.Post, **_: object) -> str:
        """The whole note; no block where there are no properties, the body as it is."""
        block = self.export(post.metadata)
        return f"---\n{block}---\n{post.content}" if block else post.content
