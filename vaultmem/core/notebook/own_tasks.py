"""The person's lines of the handbook that cite a task whose number is another task's by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.citing import TASK, cited_words
from vaultmem.core.notebook.outline import outline
from vaultmem.core.notebook.places import OwnLine, all_lines, headed
from vaultmem.core.notebook.stem import STEM
from vaultmem.core.notebook.validation import HANDBOOK

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.places import Headings


def moved_tasks(text: str, before: str, own: AbstractSet[OwnLine]) -> tuple[int, ...]:
    """The numbers, from 1, of own lines whose `[Task 2]` now names another task, or none.

    A task is the same where one of the files that it names is. What named no task before is not
    told.

    Args:
        text: the handbook after a rewrite.
        before: the same when it began.
        own: lines that the person wrote.
    """
    old, new = _tasks(before), _tasks(text)
    found: list[int] = []
    number = 0
    for headings, section in headed(outline(text)):
        for line in all_lines(section):
            number += 1
            if OwnLine(HANDBOOK, headings, "", line.strip()) not in own:
                continue
            tasks = filter(None, map(TASK.fullmatch, cited_words(line)))
            places = [(headings[:1], int(task[1])) for task in tasks]
            if any(old.get(at) and old[at].isdisjoint(new.get(at, ())) for at in places):
                found.append(number)
    return tuple(found)


def _tasks(text: str) -> dict[tuple[Headings, int], frozenset[str]]:
    """The files that each task names, by its group and number."""
    found: dict[tuple[Headings, int], frozenset[str]] = {}
    for headings, section in headed(outline(text)):
        task = TASK.match(headings[1][1]) if len(headings) > 1 else None
        if task is not None:
            at = (headings[:1], int(task[1]))
            files = STEM.findall("\n".join(all_lines(section)))
            found[at] = found.get(at, frozenset()) | frozenset(files)
    return found
