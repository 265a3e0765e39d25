"""No marked word of a note is lost: each is in a memory, its evidence, or a line that is told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.store.importers.topic_files import write
from vaultmem.core.model import Category
from vaultmem.store.importers import markdown, notebook, said

LEFT_BY_DESIGN = {
    "- [ ] {}\n": said.TASKS,
    "> {}\n": "quotes",
    "```\n{}\n```\n": "blocks of code",
    "| {} |\n|---|\n": "tables",
    "<div>\n{}\n</div>\n": "blocks of HTML",
    "%% {} %%\n": "comments",
}
"""What the documentation says is left out, and under which line it is counted."""
TAKEN = (
    "{}.\n",
    "{}:\n",
    "**{}:**\n",
    "- {}\n",
    "1. {}\n",
    "- [lesson] {}\n",
    "- {}\n  - below it\n",
    "- above it\n  - {}\n",
    "- above it\n\n  {}\n",
    "- above it\n  - [pattern] {}\n",
    "# About\n\n- {}\n",
    "## {}\n\n- [done] below a heading\n",
    "## Lessons\n\n- {}\n",
    "## Lessons\n\nThese:\n- {}\n",
)
BLOCKS = st.lists(st.sampled_from((*TAKEN, *LEFT_BY_DESIGN)), min_size=1, max_size=12)
HEADS = st.sampled_from(
    ("", "---\ncategory: decision\n---\n", "# Title\n\n", "Intro.\n\n", "All:\n")
)


def note_of(head, blocks):
    """A note with a marker in each block."""
    marked = (block.format(f"mark{number:03}x") for number, block in enumerate(blocks))
    return head + "".join(f"{one}\n" for one in marked)


def words_of(found):
    texts = []
    for item in found.items:
        texts += [
            item.memory.statement,
            *(t for e in item.evidence for t in (e.excerpt, e.summary)),
        ]
    return " ".join(texts)


@pytest.mark.parametrize(
    ("reader", "place"),
    [(markdown, "a.md"), (markdown, "lessons/a.md"), (notebook, f"{notebook.NOTES}/a.md")],
)
@example(head="", blocks=["{}:\n", "- [ ] {}\n"])
@given(head=HEADS, blocks=BLOCKS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_every_marker_of_a_note_comes_along_or_is_counted(tmp_path, reader, place, head, blocks):
    write(tmp_path, place, note_of(head, blocks))
    found = reader.read(tmp_path)
    said_there = words_of(found)
    lost = [number for number, _ in enumerate(blocks) if f"mark{number:03}x" not in said_there]
    lines = [block for number, block in enumerate(blocks) if number in lost]
    told = Counter(found.left_out)
    if reader.EMPTY in told:  # the note as a whole
        assert all(one in LEFT_BY_DESIGN for one in blocks)
        return
    by_design = Counter(LEFT_BY_DESIGN[one] for one in lines if one in LEFT_BY_DESIGN)
    assert all(told[name] >= number for name, number in by_design.items())
    others = [one for one in lines if one not in LEFT_BY_DESIGN]
    counted = told[said.BESIDE] + told[said.OVER] + told[said.BELOW_TASK] + told[reader.TWICE]
    assert len(others) <= counted
    assert all(one in ("{}.\n", "{}:\n", "**{}:**\n", "- above it\n  - {}\n") for one in others)


def memories(root, text, path="a.md"):
    write(root, path, text)
    return {one.memory.statement: one for one in markdown.read(root).items}


def test_a_line_above_a_list_is_what_its_items_stand_below(tmp_path):
    bullets = "".join(f"- Rule {number} of sixty, which is kept.\n" for number in range(60))
    found = memories(tmp_path, f"# Deploys\n\n**Before a deploy:**\n{bullets}")
    assert len(found) == 60
    assert found["Rule 59 of sixty, which is kept."].evidence[0].summary == (
        "Below: Deploys / **Before a deploy:**"
    )


@pytest.mark.parametrize("head", ["Intro.\n\n", "---\ncategory: decision\n---\nIntro.\n\n"])
def test_an_item_with_its_category_is_a_memory_wherever_it_stands(tmp_path, head):
    found = memories(tmp_path, f"{head}- [lesson] Mind the gap.\n  - Said twice.\n- Plain.\n")
    assert set(found) == {"Intro.", "Mind the gap."}
    assert found["Mind the gap."].memory.category is Category.LESSON
    assert found["Mind the gap."].evidence[0].excerpt == "Said twice."
    assert found["Intro."].evidence[0].excerpt == "Plain."


def test_a_part_whose_heading_names_a_category_may_be_a_list_of_memories(tmp_path):
    text = (
        "All of it.\n\n## Lessons\n\n- A.\n\n## Mistakes\n\nThese:\n- B.\n\n"
        "## Decision\n\nWe use uv.\n\n- because\n\n## Why\n\n- C.\n"
    )
    found = memories(tmp_path, text)
    assert set(found) == {"All of it.", "A.", "B."}
    assert found["B."].memory.category is Category.MISTAKE
    assert found["All of it."].evidence[0].excerpt == "Decision We use uv. because Why C."


def test_lists_that_go_as_evidence_are_told_with_what_makes_them_memories(tmp_path):
    write(tmp_path, "a.md", "Intro.\n\n- One.\n- Two.\n")
    (told,) = markdown.read(tmp_path).notices
    assert told.startswith("2 items of lists go as evidence with a paragraph.")
    assert "end the line above the list with `:`" in told


def test_a_detail_below_a_task_goes_with_no_other_item(tmp_path):
    write(tmp_path, "lessons.md", "- A.\n- [ ] Task.\n  - Detail.\n")
    found = markdown.read(tmp_path)
    assert found.items[0].evidence == ()
    assert found.left_out == {said.TASKS: 1, said.BELOW_TASK: 1}


def test_what_does_not_fit_beside_a_memory_is_counted(tmp_path):
    long = "".join(f"- {number} {'word ' * 100}\n" for number in range(60))
    write(tmp_path, "a.md", f"Intro.\n\n{long}")
    found = markdown.read(tmp_path)
    (item,) = found.items
    taken = sum(f" {number} word" in f" {item.evidence[0].excerpt}" for number in range(60))
    assert 0 < taken < 60
    assert found.left_out == {said.OVER: 60 - taken}


def test_evidence_of_a_memory_that_stands_there_twice_is_that_of_both(tmp_path):
    write(tmp_path, "lessons.md", "- A.\n  - One.\n- A.\n  - Two.\n")
    (item,) = markdown.read(tmp_path).items
    assert [one.excerpt for one in item.evidence] == ["One.", "Two."]
