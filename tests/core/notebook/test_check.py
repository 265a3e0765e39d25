"""What a worker left is a notebook, or a sentence says why not."""

from __future__ import annotations

import pytest

from vaultmem.core.notebook.check import faults, may_publish, protected, skill_of

GOOD = {"MEMORY.md": b"# x\n", "memory_summary.md": b"v1\n"}
SKILL = {"Skills/release/SKILL.md": b"x"}
NONE: frozenset[str] = frozenset()


def test_a_notebook_has_no_faults():
    assert faults({**GOOD, **SKILL, "Skills/release/more/one.md": b"y"}, GOOD, NONE) == ()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"MEMORY.md": b"x"}, "memory_summary.md"),
        ({**GOOD, "MEMORY.md": b" \n"}, "empty"),
        ({**GOOD, "memory_summary.md": b"v1 \n"}, "v1"),
        ({**GOOD, **SKILL, "Skills/release/run.sh": b"x"}, "no Markdown file of a skill"),
        ({**GOOD, "Skills/Loud/SKILL.md": b"x"}, "no Markdown file of a skill"),
        ({**GOOD, "Skills/SKILL.md": b"x"}, "no Markdown file of a skill"),
        ({**GOOD, **SKILL, "Skills/release/a/b/c/d.md": b"x"}, "at most two folders deep"),
        ({**GOOD, "Skills/release/SKILL.md": b"\xff"}, "not UTF-8"),
        ({**GOOD, "Skills/release/more.md": b"x"}, "no SKILL.md"),
    ],
)
def test_each_fault_is_a_sentence(files, why):
    assert any(why in one for one in faults(files, GOOD, NONE))


def test_a_skill_of_somebody_else_must_stay_as_it_was():
    before = {**GOOD, **SKILL}
    assert faults(before, before, frozenset({"release"})) == ()
    for after in (GOOD, {**GOOD, "Skills/release/SKILL.md": b"y"}):
        assert "was changed" in faults(after, before, frozenset({"release"}))[0]


def test_what_was_there_before_is_not_judged():
    before = {**GOOD, "Skills/Old Name/run.sh": b"x"}
    assert faults(before, before, NONE) == ()


def test_a_skill_may_be_removed_whole():
    assert faults(GOOD, {**GOOD, **SKILL}, NONE) == ()


@pytest.mark.parametrize(
    "path",
    ["Skills/a/../b.md", "Skills/a/.hidden.md", "Skills//x.md", "other.md", "Skills/a/ b.md"],
)
def test_no_odd_path_may_be_published(path):
    assert not may_publish(path)


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("Skills/a/b/c/d.md", True),
        ("Skills/a/b/c/d/e.md", False),
        (f"Skills/a/{'b/' * 100}d.md", False),
        (f"Skills/a/{'b' * 64}/{'c' * 64}.md", True),
        (f"Skills/a/{'b' * 65}/c.md", False),
        (f"Skills/a/{'c' * 65}.md", False),
    ],
)
def test_a_skill_has_few_folders_and_short_names(path, may):
    assert may_publish(path) is may


def test_the_patterns_of_what_may_only_be_read():
    assert protected(frozenset({"b", "a"})) == ("Skills/a/**", "Skills/b/**")


def test_the_skill_of_a_path():
    assert [skill_of(one) for one in ("Skills/a/b/c.md", "MEMORY.md", "Skills")] == ["a", "", ""]
