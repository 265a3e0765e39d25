"""The scratchpad: a checklist of what is not to be forgotten, one item a line."""

from __future__ import annotations

import re

from vaultmem.core.comments import without_comments
from vaultmem.core.seen import FENCED

_OPEN = re.compile(r"^[^\S\n]*(?:[-*+]|\d+[.)]) \[ \] +(\S.*)$", re.MULTILINE)


def open_items(text: str) -> tuple[str, ...]:
    """The items that are not ticked, in their order; what a reader does not see is no item.

    Args:
        text: the note, with or without its properties.
    """
    seen = FENCED.sub("", without_comments(text.replace("\r\n", "\n")))
    return tuple(text.rstrip() for text in _OPEN.findall(seen))
