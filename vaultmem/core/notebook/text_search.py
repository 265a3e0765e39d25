"""Search in the notebook's files: plain words in lines, alone, together on one or in a few lines.

Modes, order and errors are those of facts/notebook.md, section 8. Nothing of a question is a
pattern.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.browsing import page, split_lines
from vaultmem.errors import BrowseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_FOUND = 200
"""Matches of one page."""
LINES_TOGETHER = 5
"""Lines that may hold all of several words, where nobody says how many."""


class MatchMode(StrEnum):
    """Where the questions must be found."""

    ANY = "any"
    SAME_LINE = "all_on_same_line"
    WITHIN_LINES = "all_within_lines"


class Question(NamedTuple):
    """What is looked for.

    Attributes:
        queries: words as they stand in a line; at least one, none of them blank.
        mode: where they must be found.
        line_count: for `WITHIN_LINES`, how many lines may hold all of them.
        case_sensitive: whether case counts.
        normalized: only letters and digits count: `retry_limit` finds `retry-limit`.
        context: lines that are shown around a match, before and behind it.
    """

    queries: tuple[str, ...]
    mode: MatchMode = MatchMode.ANY
    line_count: int = LINES_TOGETHER
    case_sensitive: bool = False
    normalized: bool = False
    context: int = 0


class Match(NamedTuple):
    """A place where a question is answered.

    Attributes:
        path: of the file.
        line: the number of its first line that matches, from 1.
        start: the number of the first line that is shown.
        text: the lines that are shown, without a line feed at the end.
        queries: those that are found there, in the order of the question.
    """

    path: str
    line: int
    start: int
    text: str
    queries: tuple[str, ...]


class Matches(NamedTuple):
    """A page of matches by path and line; `cursor` names the next page, None for the last."""

    matches: tuple[Match, ...]
    cursor: str | None


def search_texts(
    texts: Iterable[tuple[str, str]],
    question: Question,
    *,
    cursor: str | None = None,
    most: int = MOST_FOUND,
) -> Matches:
    """Every match in files that are given by path and text.

    Raises:
        BrowseError: if a question is missing or blank, a number is out of its bounds, or the
            cursor is none.
    """
    _check(question)
    found = (match for path, text in sorted(texts) for match in _in_file(path, text, question))
    return Matches(*page(list(found), cursor, most))


def _check(question: Question) -> None:
    if not question.queries or not all(_form(one, question).strip() for one in question.queries):
        raise BrowseError("`queries` is missing or blank. Give the words that a line must hold.")
    if question.line_count < 1 or question.context < 0:
        raise BrowseError("`line_count` is 1 at least, and `context_lines` 0. Give more.")


def _form(text: str, question: Question) -> str:
    """What of a text counts."""
    text = text if question.case_sensitive else text.casefold()
    return "".join(filter(str.isalnum, text)) if question.normalized else text


def _in_file(path: str, text: str, question: Question) -> Iterator[Match]:
    lines = [line.rstrip("\n") for line in split_lines(text)]
    wanted = [_form(one, question) for one in question.queries]
    formed = (_form(line, question) for line in lines)
    held = [frozenset(n for n, one in enumerate(wanted) if one in line) for line in formed]
    for first, last in _places(held, len(wanted), question):
        start = max(first - question.context, 0)
        shown = "\n".join(lines[start : last + 1 + question.context])
        numbers = sorted(frozenset().union(*held[first : last + 1]))
        named = tuple(question.queries[n] for n in numbers)
        yield Match(path, first + 1, start + 1, shown, named)


def _places(
    held: Sequence[frozenset[int]], wanted: int, question: Question
) -> Iterator[tuple[int, int]]:
    """The first and the last line of each match, from 0."""
    if question.mode is MatchMode.WITHIN_LINES:
        yield from _windows(held, wanted, question.line_count)
        return
    needed = 1 if question.mode is MatchMode.ANY else wanted
    yield from ((n, n) for n, here in enumerate(held) if len(here) >= needed)


def _windows(held: Sequence[frozenset[int]], wanted: int, most: int) -> Iterator[tuple[int, int]]:
    """The windows of at most so many lines that hold all, and no smaller one that does."""
    last: dict[int, int] = {}
    begun = -1
    for end, here in enumerate(held):
        last.update(dict.fromkeys(here, end))
        if len(last) == wanted:
            start = min(last.values())
            if start > begun and end - start < most:
                yield start, end
            begun = max(begun, start)
