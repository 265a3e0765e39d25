"""Long answers come in pages: where a page begins, what it holds, how the next one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.report_line import plain_line
from vaultmem.hooks.reading import WrongFieldError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.hooks.reading import Fields

T = TypeVar("T")

MOST_DIGITS = 7
"""Of a cursor; nothing of ours is so long."""
MAX_TEXT = 16_000
"""Characters of one page of a text, 4,000 tokens."""


class Page(NamedTuple):
    """A part of a list: its items from `start` to `end`, which is not among them."""

    start: int
    size: int

    @property
    def end(self) -> int:
        """The first item after the page."""
        return self.start + self.size

    def cut(self, every: Sequence[T]) -> tuple[Sequence[T], tuple[str, ...]]:
        """The page's items, and the line that names the next page, where there is one."""
        more = (f"More with cursor {self.end}.",) if len(every) > self.end else ()
        return every[self.start : self.end], more


def page_of(arguments: Fields, size: int) -> Page:
    """The page that the argument `cursor` names; the first one without it.

    Raises:
        WrongFieldError: if it is no cursor of ours.
    """
    cursor = arguments.text("cursor", "0")
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= MOST_DIGITS):
        raise WrongFieldError("`cursor` must be what an answer before named.")
    return Page(int(cursor), size)


def note_of(degraded: str | None) -> tuple[str, ...]:
    """The line that says why an answer may not be complete; none where it is."""
    return (f"Note: {plain_line(degraded)}",) if degraded else ()


def text_page(arguments: Fields, text: str) -> str:
    """A page of a long text, cut at a line end where there is one."""
    page = page_of(arguments, MAX_TEXT)
    if len(text) <= page.end:
        return text[page.start :]
    end = text.rfind("\n", page.start + MAX_TEXT // 2, page.end) + 1 or page.end
    return f"{text[page.start : end]}\nMore with cursor {end}."
