"""A task's number in a line of the person's may come to be another task's; that is told."""

from __future__ import annotations

from vaultmem.core.notebook.own_tasks import moved_tasks
from vaultmem.core.notebook.places import lines_at
from vaultmem.core.notebook.validation import HANDBOOK

ONE, TWO, THREE = (f"2025-02-1{number}T15-35-19-aaa{number}-x" for number in (1, 2, 3))
MINE = "## Tips\n- mine [Task 1]\n- mine [Task 2]\n- mine [Task 9]\n- plain [aaa1]\n- not mine [Task 2]\n"


def book(*files, group="# Task Group: g\n"):
    tasks = (
        f"## Task {number}: t\n### rollout_summary_files\n- {name}.md (cwd=/x)\n### keywords\nk\n"
        for number, name in enumerate(files, 1)
    )
    return f"{group}{''.join(tasks)}{MINE}"


def told(after, before):
    """The lines that are told."""
    own = frozenset(one for one in lines_at(HANDBOOK, before) if "not mine" not in one.text)
    return [after.split("\n")[number - 1] for number in moved_tasks(after, before, own)]


def test_a_number_that_is_another_task_now_or_none_is_told():
    assert told(book(TWO, ONE), book(ONE, TWO)) == ["- mine [Task 1]", "- mine [Task 2]"]
    assert told(book(ONE, THREE, TWO), book(ONE, TWO)) == ["- mine [Task 2]"]
    assert told(book(ONE), book(ONE, TWO)) == ["- mine [Task 2]"]


def test_a_task_that_is_the_same_is_not_told():
    assert told(book(ONE, TWO), book(ONE, TWO)) == []
    assert told(book("note", "other"), book("note", "other")) == []
    assert told(book(ONE, TWO).replace(": t", ": other"), book(ONE, TWO)) == []
    more = book(ONE, TWO).replace("### keywords", f"- {THREE}.md\n### keywords")
    assert told(more, book(ONE, TWO)) == []


def test_numbers_count_in_their_group():
    other = book(THREE, ONE, group="# Task Group: h\n").removesuffix(MINE)
    assert told(book(ONE, TWO) + other, book(ONE, TWO)) == []
    assert told(other + book(TWO, ONE), book(ONE, TWO)) == ["- mine [Task 1]", "- mine [Task 2]"]
