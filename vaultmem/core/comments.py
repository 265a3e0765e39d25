"""A text without its comments, for notes of which single lines are told and none is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK = re.compile(r"\\.|(<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z))", re.DOTALL)
"""A comment in group 1; a mark behind a backslash, as we spell one that was captured, is text."""


def comments(text: str) -> Iterator[tuple[int, int]]:
    """Where the comments of a text stand, in offsets; one that nobody closes goes to the end."""
    return (found.span() for found in _MARK.finditer(text) if found[1] is not None)


def without_comments(text: str) -> str:
    """The text without what a reader of the note does not see; a comment may lack its end."""
    return _MARK.sub(lambda found: "" if found[1] is not None else found[0], text)


def with_blank_comments(text: str) -> str:
    """The same, with every line at its number."""
    return _MARK.sub(
        lambda found: found[0] if found[1] is None else "\n" * found[0].count("\n"), text
    )
