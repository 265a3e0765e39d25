"""Lines of the notebook without a source are left out, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.citing import (
    cited_handbook,
    cited_summary,
    cites_source,
    sources,
)
from vaultmem.core.notebook.places import lines_at
from vaultmem.core.notebook.validation import HANDBOOK

STEM, OTHER = "2025-02-11T15-35-19-jqmb-fix", "2025-02-12T15-35-19-k2Zz"
KNOWN = sources([STEM, OTHER], ["2026-01-01T00-00-00-style.md"])
NOBODY: frozenset[str] = frozenset()
GROUP = "# Task Group: builds\nscope: the build\napplies_to: cwd=/x; reuse_rule=here\n"
TASK = f"\n## Task 1: repaired\n\n### rollout_summary_files\n- {STEM}.md (cwd=/x)\n\n### keywords\nmake, ninja\n"


def owned(text, *words):
    """The lines of a handbook with these words, as a person's."""
    return frozenset(one for one in lines_at(HANDBOOK, text) if one.text in words)


def kept(body: str, *words: str) -> str:
    """What is left of lines below a heading of a good group, some of them the person's."""
    text = f"{GROUP}{TASK}\n## Reusable knowledge\n\n{body}"
    return cited_handbook(text, KNOWN, owned(text, *words)).text.removeprefix(
        f"{GROUP}{TASK}\n## Reusable knowledge\n\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "- Use make. [Task 1]",
        "- Use make. [task 1]",
        "- Use make. [jqmb]",
        f"- Use make. [{STEM}]",
        f"- Use make. [{OTHER}.md]",
        "- Use make. [jqmb, k2Zz]",
        "- Use make. [zzzz] [jqmb]",
        "- Use make. [zzzz; jqmb]",
        "- Use make. [ad-hoc note]",
        "- Use make. [Ad-hoc note: 2026-01-01T00-00-00-style]",
        "A paragraph. [jqmb]",
        "- Two lines,\n  the second cites. [jqmb]",
        "- With code [jqmb]\n  ```\n  # no heading\n  ```",
        "- A bullet [jqmb]\n\n  and more of it",
    ],
)
def test_a_line_with_a_source_stays(line):
    assert kept(f"{line}\n- gone\n") == f"{line}\n"


@pytest.mark.parametrize(
    "line",
    [
        "- No source.",
        "- A task of nobody. [Task 2]",
        "- A session of nobody. [zzzz]",
        "- Letters count. [JQMB]",
        "- Not in brackets: jqmb, Task 1",
        "- Half [Task 1 and more]",
        "A paragraph.",
        "1. Numbered.",
        "```\ncode without a source\n```",
        "- Parent without.\n  - Child without.",
    ],
)
def test_a_line_without_a_source_goes(line):
    text = f"{line}\n- stays [jqmb]\n"
    done = cited_handbook(f"{GROUP}{TASK}\n## Reusable knowledge\n{text}", KNOWN, NOBODY)
    assert done.text.endswith("## Reusable knowledge\n- stays [jqmb]\n")
    assert done.dropped == tuple(line.splitlines())


def test_what_hangs_on_a_dropped_bullet_goes_with_it():
    assert kept("- Parent.\n  - Child. [jqmb]\n- Next. [jqmb]\n") == "- Next. [jqmb]\n"


def test_a_child_needs_a_source_of_its_own():
    assert kept("- Parent. [jqmb]\n  - Child.\n- Next. [jqmb]\n") == (
        "- Parent. [jqmb]\n- Next. [jqmb]\n"
    )


def test_a_persons_line_stays_and_the_machines_lines_around_it_go():
    own = ("- Mine.", "Also mine.")
    assert kept("- Mine.\n  added\n- Not mine.\n\nAlso mine.\n", *own) == "- Mine.\n\nAlso mine.\n"


def test_a_persons_block_stays_with_its_fence_and_the_machines_goes_whole():
    body = "- No.\n```sh\nmake\n```\n\n```\nother\n```\n"
    assert kept(body, "make") == "```sh\nmake\n```\n"


def test_a_copy_of_a_persons_line_at_another_place_needs_a_source():
    text = "# A\n- mine\n\n# B\n- mine\n- x [jqmb]\n"
    own = frozenset(one for one in owned(text, "- mine") if one.headings == ((1, "A"),))
    assert cited_handbook(text, KNOWN, own).text == "# A\n- mine\n\n# B\n- x [jqmb]\n"


def test_a_text_in_which_every_line_has_a_source_keeps_every_byte():
    text = f"{GROUP}{TASK}\n\n\n## User preferences\n- x [Task 1]   \n\n"
    assert cited_handbook(text, KNOWN, NOBODY) == (text, (), 3)


def test_a_task_stands_by_the_inputs_that_it_names():
    lost = "\n## Task 2: lost\n### rollout_summary_files\n- 2020-01-01T00-00-00-abcd.md\n"
    text = f"{GROUP}{TASK}{lost}\n## Reusable knowledge\n- x [Task 2]\n- y [Task 1]\n"
    done = cited_handbook(text, KNOWN, NOBODY)
    assert "lost" not in done.text
    assert "- y" in done.text
    assert "- x" not in done.text


def test_a_task_does_not_name_inputs_that_are_gone():
    gone = "- 2020-01-01T00-00-00-abcd.md\n"
    text = f"{GROUP}{TASK}".replace("\n### keywords", f"{gone}\n### keywords")
    done = cited_handbook(text, KNOWN, NOBODY)
    assert done.dropped == (gone.strip(),)
    assert f"- {STEM}.md (cwd=/x)\n" in done.text


def test_a_task_from_a_note_stands():
    text = f"{GROUP}\n## Task 1: style\n### rollout_summary_files\n- notes/2026-01-01T00-00-00-style.md\n"
    assert cited_handbook(text, KNOWN, NOBODY).dropped == ()


def test_a_task_of_another_group_is_none_of_this():
    text = f"{GROUP}{TASK}\n# Task Group: other\nscope: y\n\n## Reusable knowledge\n- x [Task 1]\n"
    done = cited_handbook(text, KNOWN, NOBODY)
    assert done.text == f"{GROUP}{TASK}"
    assert done.dropped == ("- x [Task 1]",)


def test_a_heading_goes_with_all_that_stood_below_it_unless_it_is_the_persons():
    text = f"{GROUP}{TASK}\n## Notes\n\nSaid by nobody.\n\n## Mine\n\n- no\n"
    done = cited_handbook(text, KNOWN, owned(text, "## Mine"))
    assert "## Notes" not in done.text
    assert "## Mine" in done.text


def test_without_any_source_nothing_counts_as_kept():
    done = cited_handbook(f"{GROUP}\n## User preferences\n- x\n", KNOWN, NOBODY)
    assert (done.text, done.kept) == ("", 0)


def test_text_above_the_first_heading_needs_a_source():
    assert cited_handbook("Free.\n\nCited. [jqmb]\n", KNOWN, NOBODY).text == "Cited. [jqmb]\n"


def test_every_line_of_the_summary_cites_a_session_or_a_note():
    text = (
        "v1\n\n## User Profile\nA developer. [jqmb]\n\n## User preferences\n- a [k2Zz]\n- b [Task 1]\n"
        "\n## General Tips\n- c [ad-hoc note]\n\n## What is in memory\n- builds: make\n"
    )
    done = cited_summary(text, KNOWN, NOBODY)
    assert done.dropped == ("- b [Task 1]", "- builds: make")
    assert done.text == (
        "v1\n\n## User Profile\nA developer. [jqmb]\n\n## User preferences\n- a [k2Zz]\n\n"
        "## General Tips\n- c [ad-hoc note]\n"
    )


def test_without_notes_nothing_can_cite_one():
    known = sources([STEM], [])
    assert cited_summary("v1\n- x [ad-hoc note]\n", known, NOBODY).text == "v1\n"


def test_a_stem_of_another_form_gives_no_mark():
    assert sources(["short"], []).hashes == frozenset()


def test_a_skill_cites_anywhere():
    assert cites_source("# Release\n\n## Where it comes from\n[jqmb]\n", KNOWN)
    assert not cites_source("# Release\n\n1. Tag.\n", KNOWN)


PIECES = st.sampled_from(
    ["# Task Group: a", "## Task 1: b", "### rollout_summary_files", f"- {STEM}.md", "### keywords",
     "x", "- y", "- z [jqmb]", "- w [Task 1]", "  - deep", "", "```", "~~~", "scope: s", "    code"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25).map("\n".join), st.booleans())
def test_filtering_again_changes_nothing_and_no_line_is_made_up(text, mine):
    own = owned(text, "x") if mine else NOBODY
    once = cited_handbook(text, KNOWN, own)
    lines = text.split("\n")
    assert set(once.text.split("\n")) - {""} <= set(lines)
    assert set(once.dropped) <= {*lines, "```", "~~~"}
    assert owned(once.text, "x") >= own
    again = cited_handbook(once.text, KNOWN, own)
    assert again.dropped == ()
    assert again.text == once.text
