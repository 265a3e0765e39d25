"""What rests on sessions that are left out goes from a version; all else stays byte for byte."""

from __future__ import annotations

import pytest

from vaultmem.core.notebook.left_out import Remaining, without_sessions
from vaultmem.core.notebook.legend import LEGEND
from vaultmem.core.notebook.places import lines_at

A, B = "2026-11-01T10-00-00-aaaa-one", "2026-11-02T10-00-00-bbbb-two"
TASKS = f"""# Task Group: builds
scope: the build

## Task 1: repaired
### rollout_summary_files
- {A}.md (cwd=/x)

## Task 2: released
### rollout_summary_files
- {B}.md (cwd=/x)

## Reusable knowledge
"""
HANDBOOK = f"""{LEGEND}

{TASKS}- Of the first. [Task 1]
- Of the second. [Task 2]
- Of both. [aaaa, bbbb]
- Of a note. [ad-hoc note]
- Of nobody.
- Of mine, on the first. [aaaa]
"""
SUMMARY = "v1\n\n## Preferences\n- Of the first. [aaaa]\n- Of the second. [bbbb]\n- Of nobody.\n"
SKILLS = {
    "Skills/first/SKILL.md": b"One. [aaaa]\n",
    "Skills/first/more.md": b"More.\n",
    "Skills/both/SKILL.md": b"Both. [aaaa] [bbbb]\n",
    "Skills/mine/SKILL.md": b"Mine. [aaaa]\n",
    "Skills/plain/SKILL.md": b"Cites nothing.\n",
}
FILES = {"MEMORY.md": HANDBOOK.encode(), "memory_summary.md": SUMMARY.encode(), **SKILLS}


def left(gone, files=FILES):
    own = frozenset(
        one for one in lines_at("MEMORY.md", HANDBOOK) if one.text.startswith("- Of mine")
    )
    return without_sessions(files, frozenset(gone), own=own, foreign=frozenset({"mine"}))


@pytest.mark.parametrize("gone", [(), ("cccc",), ("Task",)])
def test_a_version_without_such_a_session_is_as_it_was(gone):
    assert left(gone) == Remaining(FILES, 0, ())


def test_lines_and_skills_of_the_session_alone_go():
    made = left(("aaaa",))
    text = made.files["MEMORY.md"].decode()
    assert text.startswith(f"{LEGEND}\n\n# Task Group: builds\n")
    for stays in ("[Task 2]", "[aaaa, bbbb]", "[ad-hoc note]", "Of nobody.", "Of mine", B):
        assert stays in text
    assert "Of the first" not in text
    assert A not in text
    assert made.files["memory_summary.md"].decode() == (
        "v1\n\n## Preferences\n- Of the second. [bbbb]\n- Of nobody.\n"
    )
    assert made.skills == ("first",)
    assert made.files.keys() == FILES.keys() - {"Skills/first/SKILL.md", "Skills/first/more.md"}
    assert made.lines == 3


def test_a_handbook_without_a_legend_gets_none():
    files = FILES | {"MEMORY.md": HANDBOOK.partition("\n\n")[2].encode()}
    assert LEGEND not in left(("aaaa",), files).files["MEMORY.md"].decode()


def test_what_is_not_there_is_not_missed():
    assert left(("aaaa",), {}) == Remaining({}, 0, ())
