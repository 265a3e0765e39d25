"""A file of the notebook as an agent sees it: what a person sees, every line at its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.comments import with_blank_comments
from vaultmem.core.inert import unescape_inline
from vaultmem.core.notebook.outline import fenced_lines
from vaultmem.core.readable import readable_line

if TYPE_CHECKING:
    from collections.abc import Callable


def shown_text(text: str, *, is_silent: Callable[[str], bool]) -> str:
    """The text without comments, escapes and what nobody sees; its lines keep their numbers.

    Args:
        text: as the file holds it.
        is_silent: whether a line may not be told; such a one is empty.
    """
    lines = fenced_lines(with_blank_comments(text.replace("\r\n", "\n")))
    shown = (readable_line(one.text if one.fenced else unescape_inline(one.text)) for one in lines)
    return "\n".join("" if line and is_silent(line) else line for line in shown)
