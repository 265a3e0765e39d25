"""Observations of a basic-memory project are memories; its notes and relations stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.importers.topic_files import write
from vaultmem.core.model import Category, Scope
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers import basic_memory
from vaultmem.store.importers.basic_memory import read

FIXTURE = Path("tests/fixtures/basic_memory/tide").absolute()
NOTE = "---\ntitle: A\npermalink: a\n---\n"


def by_text(gathered):
    return {one.memory.statement: one for one in gathered.items}


def test_a_project_of_the_real_tool_is_read():
    found = read(FIXTURE)
    items = by_text(found)
    assert set(items) == {
        "Pour over gives a cleaner cup than a French press",
        "Grind medium for the V60",
        "It listens on port 6432, not 5432",
        "Connections go through the pooler",
        "Read replicas are named after rivers",
    }
    pooler = items["Connections go through the pooler"]
    assert pooler.memory.category is Category.DECISION
    assert pooler.memory.tags == ("pooling", "database")
    assert pooler.evidence[0].excerpt == "since the outage in March"
    assert pooler.where == "ops/Staging database.md:15"
    assert items["Read replicas are named after rivers"].memory.category is Category.PREFERENCE
    port = items["It listens on port 6432, not 5432"]
    assert port.memory.category is Category.LESSON
    assert port.memory.tags == ("fact", "postgres", "database")
    assert items["Grind medium for the V60"].memory.tags[:3] == ("tip", "grind", "v60")
    assert found.left_out == {
        basic_memory.RELATIONS: 4,
        basic_memory.TASKS: 2,
        basic_memory.NO_CATEGORY: 3,
        basic_memory.NO_OBSERVATION: 1,
    }
    assert "`knowledge_vaults`" in found.notices[0]


def test_every_item_of_every_list_is_counted_once():
    bullets = sum(
        line.startswith("- ") and "- coffee" not in line and line not in ("- brewing", "- database")
        for file in FIXTURE.rglob("*.md")
        for line in file.read_text().split("\n")
    )
    assert read(FIXTURE).records == bullets + 1


@pytest.mark.parametrize(
    ("line", "text", "context", "tags"),
    [
        ("[tip] Say it (why) #a #b", "Say it", "why", ("a", "b")),
        ("[tip] Say it #a#b (why)", "Say it", "why", ("a", "b")),
        ("[tip] Say #it now (a) (b)", "Say #it now (a)", "b", ()),
        ("[tip] (only this)", "(only this)", "", ()),
        ("[tip] C# is fine", "C# is fine", "", ()),
        ("[two words] Say it", "Say it", "", ()),
    ],
)
def test_an_observation_is_taken_apart(tmp_path, line, text, context, tags):
    write(tmp_path, "a.md", f"{NOTE}- {line}\n")
    (item,) = read(tmp_path).items
    assert item.memory.statement == text
    assert item.evidence[0].excerpt == context
    assert tuple(tag for tag in item.memory.tags if tag in ("a", "b")) == tags


@pytest.mark.parametrize(
    "line",
    ["[/] half done", "[00:00:11] spoken", "[1:02:03.500 - 1:03:00] spoken", "[] none", "[a](b) c"],
)
def test_tasks_and_lines_of_a_transcript_are_none(tmp_path, line):
    write(tmp_path, "a.md", f"{NOTE}- {line}\n")
    assert read(tmp_path).items == ()


def test_the_same_observation_in_two_notes_is_two_and_twice_in_one_is_one(tmp_path):
    write(tmp_path, "a.md", f"{NOTE}- [tip] Say it\n- [tip] Say it\n")
    write(tmp_path, "b.md", f"{NOTE.replace('permalink: a', 'permalink: b')}- [tip] Say it\n")
    found = read(tmp_path)
    assert len({one.key for one in found.items}) == 2
    assert found.left_out[basic_memory.TWICE] == 1


def test_a_project_may_be_named(tmp_path):
    write(tmp_path, "a.md", f"{NOTE}- [tip] Say it\n")
    (item,) = read(tmp_path, project="acme/tide").items
    assert (item.memory.scope, item.memory.project) == (Scope.PROJECT, "acme/tide")
    assert item.key != read(tmp_path).items[0].key


def test_broken_notes_stop_nothing(tmp_path):
    write(tmp_path, "a.md", f"\ufeff{NOTE}- [tip] Say it\n".replace("\n", "\r\n"))
    write(tmp_path, "b.md", "---\na: [\n---\n- [tip] B\n")
    write(tmp_path, "c.md", b"---\npermalink: c\n---\n- [tip] \xff\n")
    write(tmp_path, "d.md", NOTE + "x" * 1_100_000)
    write(tmp_path, "e.md", "- [tip] no permalink\n")
    write(tmp_path, "f.md", "---\npermalink: 3\n---\n- [tip] a number\n")
    found = read(tmp_path)
    assert set(by_text(found)) == {"Say it"}
    assert [one.where for one in found.quarantined] == ["b.md", "c.md", "d.md"]
    assert found.left_out == {basic_memory.OTHERS: 2}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    write(tmp_path, "in/a.md", f"{NOTE}- [tip] Say it\n")
    write(tmp_path, "out/b.md", f"{NOTE}- [tip] Secret\n")
    (tmp_path / "in/b.md").symlink_to(tmp_path / "out/b.md")
    (tmp_path / "in/out").symlink_to(tmp_path / "out")
    assert set(by_text(read(tmp_path / "in"))) == {"Say it"}


def test_a_folder_of_other_notes_is_named_with_the_next_step(tmp_path):
    write(tmp_path, "a.md", "Words.\n")
    with pytest.raises(ImportSourceError, match="for plain notes use `markdown`"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("said", "statement", "tags"),
    [
        ("Uses uv #a #b-c", "Uses uv", ("a", "b-c")),
        ("Uses C # here", "Uses C # here", ()),
        ("Uses uv #", "Uses uv #", ()),
        ("#one", "#one", ()),
        ("Uses uv" + " #a" * 20_000 + " now", "Uses uv" + " #a" * 20_000 + " now", ()),
    ],
)
def test_the_tags_at_the_end_are_no_part_of_it(tmp_path, said, statement, tags):
    (tmp_path / "a.md").write_text(f"---\npermalink: a\n---\n- [lesson] {said}\n")
    (found,) = read(tmp_path).items
    assert (found.memory.statement, found.memory.tags) == (statement, tags)
