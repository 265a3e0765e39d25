"""Which sessions stand behind lines of the notebook, so that using a line uses their cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.browsing import split_lines
from vaultmem.core.notebook.citing import cited_words
from vaultmem.core.notebook.inputs import SUMMARIES
from vaultmem.core.notebook.stem import card_stem, short_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_READ = 8
"""A reading that shows lines of more sessions looks around: it uses none of them. Else whoever
reads the whole handbook would keep every card for ever."""

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_TASK_HEADING = re.compile(r"Task\s+(\d{1,4})\b", re.IGNORECASE)
_TASK = re.compile(r"Task\s+(\d{1,4})", re.IGNORECASE)
_STEM = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9A-Za-z]{4}")
_HASH = re.compile(r"[0-9A-Za-z]{4}")


class _Line(NamedTuple):
    text: str
    group: int
    """The number of its group, a heading of the first level."""
    task: int
    """The number of its task, 0 outside of any."""


def sessions_behind(path: str, text: str, start: int, end: int) -> frozenset[str]:
    """Short hashes of the sessions that lines of a file rest on, as far as the file says.

    A summary rests on its session. A line of the handbook rests on what it cites, on the tasks of
    its group that it cites, and within a task on the files that the task names.

    Args:
        path: the file, from the notebook's root.
        text: all of it.
        start: the number of the first line, from 1.
        end: that of the last one.
    """
    folder, _, name = path.rpartition("/")
    if folder == SUMMARIES:
        return named_sessions((name.removesuffix(".md"),))
    lines = list(_placed(text))
    tasks: dict[tuple[int, int], set[str]] = {}
    for line in lines:
        if line.task:
            tasks.setdefault((line.group, line.task), set()).update(_stems(line.text))
    found: set[str] = set()
    for line in lines[max(start, 1) - 1 : max(end, 0)]:
        found |= {*_stems(line.text), *_cited(line.text)}
        for task in {line.task, *_cited_tasks(line.text)}:
            found |= tasks.get((line.group, task), set())
    return frozenset(found)


def named_sessions(names: Iterable[str]) -> frozenset[str]:
    """Short hashes of sessions that are named by id or by the stem of a card."""
    return frozenset(
        short_hash(name) if _STEM.match(name) else short_hash(card_stem(name, 0.0, None))
        for name in names
    )


def _placed(text: str) -> Iterator[_Line]:
    group = task = 0
    for line in split_lines(text):
        if heading := _HEADING.match(line):
            level, title = len(heading[1]), heading[2]
            if level == 1:
                group, task = group + 1, 0
            elif level == 2:
                number = _TASK_HEADING.match(title)
                task = int(number[1]) if number else 0
        yield _Line(line, group, task)


def _stems(line: str) -> Iterator[str]:
    return map(short_hash, _STEM.findall(line))


def _cited(line: str) -> Iterator[str]:
    return filter(_HASH.fullmatch, cited_words(line))


def _cited_tasks(line: str) -> Iterator[int]:
    return (int(found[1]) for part in cited_words(line) if (found := _TASK.fullmatch(part)))
