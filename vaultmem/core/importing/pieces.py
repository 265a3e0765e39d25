"""A long text in pieces that each fit into one piece of evidence; no word of it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def cut_up(text: str, size: int) -> Iterator[str]:
    """The text in pieces of at most `size` characters, none for a blank one.

    It is cut at white space where there is any in the second half of a piece.
    """
    left = text.strip()
    while len(left) > size:
        blank = next((at for at in range(size, size // 2, -1) if left[at].isspace()), size)
        yield left[:blank].rstrip()
        left = left[blank:].lstrip()
    if left:
        yield left
