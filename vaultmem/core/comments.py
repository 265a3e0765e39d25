"""A text without its comments, for notes of which single lines are told and none is written."""

from __future__ import annotations

import re

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)


def without_comments(text: str) -> str:
    """The text without what a reader of the note does not see; a comment may lack its end."""
    return _HIDDEN.sub("", text)
