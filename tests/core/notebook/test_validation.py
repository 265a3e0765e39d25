"""What may be published as a notebook, and what is said of the rest."""

from __future__ import annotations

import pytest

from vaultmem.core.notebook.validation import MOST_FILES, is_notebook_path, problems

GOOD = {
    "MEMORY.md": b"# Task Group: tests\n",
    "memory_summary.md": b"v1\n\n## User Profile\n",
    "Skills/run-it/SKILL.md": b"---\nname: run-it\n---\nRun.\n",
    "Skills/run-it/scripts/go.sh": b"\xff\xfe not text\n",
}


def _said(**changed):
    """The problems of a good notebook with some files changed, those of None taken out."""
    names = {"memory": "MEMORY.md", "summary": "memory_summary.md"}
    files = GOOD | {names[key]: value for key, value in changed.items()}
    return problems({path: data for path, data in files.items() if data is not None})


def test_a_good_notebook_has_no_problem():
    assert problems(GOOD) == ()


@pytest.mark.parametrize("first", [b"v1\n", b"v1", b"v1\r\nmore\r\n"])
def test_the_summary_begins_with_v1_alone(first):
    assert _said(summary=first) == ()


@pytest.mark.parametrize(
    "first",
    [b"", b" v1\n", b"v1 \n", b"V1\n", b"v2\n", b"---\nv1\n", b"\nv1\n", b"\xef\xbb\xbfv1\n"],
)
def test_notebook_row_15_a_summary_without_the_exact_first_line_is_refused(first):
    (one,) = _said(summary=first)
    assert (one.path, one.line) == ("memory_summary.md", 1)
    assert "`v1`" in one.message


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf\n"])
def test_notebook_row_15_an_empty_handbook_is_refused(data):
    (one,) = _said(memory=data)
    assert one.message == "It is empty."


@pytest.mark.parametrize("which", ["memory", "summary"])
def test_notebook_row_15_a_missing_file_is_refused(which):
    (one,) = _said(**{which: None})
    assert "is missing" in one.message
    assert "vaultmem notebook restore" in one.remedy


@pytest.mark.parametrize(
    ("changed", "line", "message"),
    [
        ({"memory": b"a\nb\xff\n"}, 2, "It is not UTF-8."),
        ({"memory": b"---\nkey: 1\n---\nText\n"}, 1, "It begins with properties."),
        ({"memory": b"a\n<<<<<<< mine\n"}, 2, "A merge is not finished here."),
        ({"summary": b"v1\n>>>>>>> theirs\n"}, 2, "A merge is not finished here."),
        ({"memory": b"a" * 1_000_001}, None, "It is larger than 1000000 bytes."),
        ({"summary": b"v1\n" + b"a" * 100_000}, None, "It is larger than 100000 bytes."),
    ],
)
def test_what_a_person_could_break_is_named_with_its_line(changed, line, message):
    (one,) = _said(**changed)
    assert (one.line, one.message) == (line, message)
    assert one.message in str(one)
    assert one.remedy in str(one)
    assert str(one).startswith(one.path)


def test_a_notebook_has_no_other_files():
    assert [str(one.path) for one in problems(GOOD | {"Lessons/a.md": b"a"})] == ["Lessons/a.md"]


def test_skills_have_a_limit_in_number_and_size():
    many = {f"Skills/a/{number}.md": b"a" for number in range(MOST_FILES)}
    (one,) = problems(GOOD | many)
    assert one.path == "Skills"
    (one,) = problems(GOOD | {"Skills/a/b.md": b"a" * 1_000_001})
    assert one.path == "Skills/a/b.md"


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("MEMORY.md", True),
        ("memory_summary.md", True),
        ("Skills/a/SKILL.md", True),
        ("Skills/a/b/c.txt", True),
        ("Skills", False),
        ("Skills/", False),
        ("Skills/../MEMORY.md", False),
        ("Skills/.git/config", False),
        ("Skills/a\\b", False),
        ("Skills//a", False),
        ("memory.md", False),
        ("/MEMORY.md", False),
        ("raw_memories.md", False),
    ],
)
def test_the_notebooks_paths(path, is_one):
    assert is_notebook_path(path) is is_one
