"""A text without its comments, for notes of which single lines are told and none is written."""

from __future__ import annotations

import re

COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)
"""What a reader of a note does not see; a comment that nobody closes goes to the end."""


def without_comments(text: str) -> str:
    """The text without what a reader of the note does not see; a comment may lack its end."""
    return COMMENT.sub("", text)


def with_blank_comments(text: str) -> str:
    """The same, with every line at its number."""
    return COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
