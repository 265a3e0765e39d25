"""What `report --explain` and `topics` say to a person and to a script."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from vaultmem.cli.explained import STAGES
from vaultmem.core.report_trace import PROCESSORS


@pytest.fixture
def some(terminal):
    root = terminal.cwd / "Memory"
    write(root / "Lessons/One.md", "---\ntags:\n  - memory/git\n---\nAdd files by name.\n")
    write(root / "Lessons/Two.md", "---\nproject: a/b\n---\nThe tax service needs a tunnel.\n")
    write(
        root / "Lessons/Gone.md",
        "---\nstatus: deleted\nproject: c/d\n---\nA thing that nobody may read.\n",
    )
    terminal.ok("sync")
    return terminal


def test_a_person_reads_what_is_told_and_what_each_filter_leaves_out(some, snapshot):
    shown = some.ok("report", "--explain", "--prompt", "it crashed", "--project", "c/d").out
    assert normal(shown) == snapshot


def test_a_project_that_is_named_gets_its_own(some):
    assert "2 of 3 memories are told" in some.ok("report", "--explain", "--project", "a/b").out


def test_a_vault_without_memories_is_explained(terminal):
    said = "There is no memory yet. Add one with `vaultmem add`.\n"
    assert terminal.ok("report", "--explain").out == said


def test_one_memory_is_one_memory(terminal):
    write(terminal.cwd / "Memory/Lessons/One.md", "Add files by name.\n")
    assert terminal.ok("report", "--explain").out.startswith("1 of 1 memory is told")


def test_an_explanation_says_that_reports_are_switched_off(some):
    some.ok("off", "--read")
    assert "VM" in some.ok("report", "--explain").out


def test_the_keys_of_an_explanation_come_beside_those_of_the_report(some):
    plain = some.ok("report", "--project", "c/d", "--json").json
    found = some.ok("report", "--project", "c/d", "--explain", "--json").json
    assert {key: found[key] for key in plain} == plain
    assert [one["id"] for one in found["told"]] == found["sections"][0]["ids"]
    assert {one["id"] for one in found["left_out"]} == {one["id"] for one in found["excluded"]}
    assert sum(len(one["excluded"]) for one in found["stages"]) == len(found["left_out"])


def test_the_words_of_a_deleted_memory_are_not_told(some):
    for options in ((), ("--json",)):
        assert "nobody may read" not in some.ok("report", "--explain", *options).out


def test_every_filter_has_a_name_for_a_person():
    assert set(STAGES) == {name for name, _ in PROCESSORS}


def test_topics_are_a_table_for_a_person(some, snapshot):
    assert some.ok("topics").out == snapshot


def test_topics_of_a_project_for_a_script(some):
    names = [one["name"] for one in some.ok("topics", "--project", "", "--json").json["topics"]]
    assert names == ["git", "lesson"]


def test_a_topic_without_dates_has_none(terminal):
    assert terminal.ok("topics", "--json").json == {"topics": []}
    assert "vaultmem add" in terminal.ok("topics").out


def normal(text: str) -> str:
    """Without the ends of ids, which differ from run to run."""
    import re

    return re.sub(r"\[[0-9a-hjkmnp-tv-z]{8}\]", "[…]", text)
