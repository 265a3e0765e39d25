"""A folder of Markdown notes: notes that are memories, and notes that are lists of them."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.store.importers.topic_files import write
from vaultmem.core.ids import ulid
from vaultmem.core.model import Category, Scope
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers import markdown, said
from vaultmem.store.importers.markdown import read


def by_text(gathered):
    return {one.memory.statement: one for one in gathered.items}


def test_a_note_with_a_category_is_one_memory(tmp_path):
    text = (
        "---\ncategory: decision\ntags: [infra, db]\ncreated: 2026-01-05\nupdated: 2026-02-06T10:00:00\n"
        "pinned: true\n---\n# Port\n\nStaging listens on\nport 6432.\n\n- Since March.\n\nThe old one is gone.\n"
    )
    write(tmp_path, "a.md", text)
    (item,) = read(tmp_path).items
    memory = item.memory
    assert memory.statement == "Staging listens on port 6432."
    assert (memory.category, memory.tags, memory.pinned) == (
        Category.DECISION,
        ("infra", "db"),
        True,
    )
    assert memory.created == datetime(2026, 1, 5)
    assert (memory.updated, memory.reinforced) == (datetime(2026, 2, 6, 10), None)
    assert item.evidence[0].excerpt == "Since March. The old one is gone."
    assert (item.where, item.waits) == ("a.md:10", "")


def test_a_note_that_begins_with_a_list_is_a_list_of_memories(tmp_path):
    text = "# Notes\n\n- First.\n  - Detail.\n\n  More.\n- [lesson] Second. *(pinned)*\n- [ ] Task.\n\nBeside.\n\n## Preferences\n1. Third.\n   - [done] Fourth.\n"
    write(tmp_path, "a.md", text)
    found = read(tmp_path)
    items = by_text(found)
    assert set(items) == {"First.", "Second.", "Third.", "Fourth."}
    assert items["First."].waits
    assert items["First."].evidence[0].excerpt == "Detail. More."
    assert items["Second."].memory.pinned
    assert items["Third."].memory.category is Category.PREFERENCE
    assert items["Fourth."].memory.category is Category.DONE
    assert found.left_out == {said.BELOW: 2, said.TASKS: 1, said.BESIDE: 1}
    assert found.records == 8


def test_a_detail_that_stands_below_nothing_is_counted(tmp_path):
    write(tmp_path, "a.md", "- [ ] Task.\n  - Detail.\n- A.\n")
    found = read(tmp_path)
    assert found.items[0].evidence == ()
    assert found.left_out == {said.TASKS: 1, said.BELOW_TASK: 1}


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("lessons.md", Category.LESSON),
        ("Lessons learned.md", Category.LESSON),
        ("My_preferences.md", Category.PREFERENCE),
        ("decisions/2026/port.md", Category.DECISION),
        ("docs/adr/0001 port.md", Category.DECISION),
        ("patterns/mistakes.md", Category.MISTAKE),
    ],
)
def test_the_file_or_its_folders_tell_the_category(tmp_path, path, category):
    write(tmp_path, path, "- One.\n")
    (item,) = read(tmp_path).items
    assert (item.memory.category, item.waits) == (category, "")


def test_without_a_category_the_person_decides(tmp_path):
    write(tmp_path, "a.md", "A thought.\n\n- with\n- a list\n")
    (item,) = read(tmp_path).items
    assert item.memory.statement == "A thought."
    assert item.waits


def test_a_category_that_is_none_of_ours_says_nothing(tmp_path):
    write(
        tmp_path,
        "a.md",
        "---\ncategory: 3\ntags: 4\ncreated: soon\npinned: perhaps\n---\nA thought.\n",
    )
    (item,) = read(tmp_path).items
    assert item.waits
    assert (item.memory.tags, item.memory.created, item.memory.pinned) == ((), None, False)


def test_what_is_private_ours_empty_or_there_twice_is_left_out(tmp_path):
    ours = f"---\nid: mem_{ulid(1_764_000_000_000, bytes(10))}\ntype: memory\n---\nOurs.\n"
    write(tmp_path, "ours.md", ours)
    write(tmp_path, "private.md", "---\nvaultmem: false\n---\nPrivate.\n")
    write(tmp_path, "empty.md", "# Only a heading\n\n> quoted\n\n```\ncode\n```\n\n%% hidden %%\n")
    write(tmp_path, "lessons.md", "- A.\n- a.\n")
    found = read(tmp_path)
    assert set(by_text(found)) == {"A."}
    assert found.left_out == {
        markdown.OURS: 1,
        markdown.PRIVATE: 1,
        markdown.EMPTY: 1,
        markdown.TWICE: 1,
    }


def test_tables_and_hidden_parts_are_no_memories(tmp_path):
    write(
        tmp_path,
        "lessons.md",
        "- Seen %%hidden%% here.\n\n| a | b |\n|---|---|\n| c | d |\n\n%%\n- Hidden.\n%%\n",
    )
    assert set(by_text(read(tmp_path))) == {"Seen here."}


def test_a_project_may_be_named(tmp_path):
    write(tmp_path, "lessons.md", "- A.\n")
    (item,) = read(tmp_path, project="acme/tide").items
    assert (item.memory.scope, item.memory.project) == (Scope.PROJECT, "acme/tide")
    assert read(tmp_path).items[0].memory.scope is Scope.GLOBAL


def test_broken_notes_and_hidden_folders_stop_nothing(tmp_path):
    write(tmp_path, "lessons.md", b"\xef\xbb\xbf- A.\r\n- B.\r\n")
    write(tmp_path, "x.md", b"\xff\xfe")
    write(tmp_path, "y.md", "---\na: 1\na: 2\n---\nText.\n")
    write(tmp_path, "z.md", "x" * 1_100_000)
    write(tmp_path, ".obsidian/n.md", "Hidden.\n")
    found = read(tmp_path)
    assert set(by_text(found)) == {"A.", "B."}
    assert [one.where for one in found.quarantined] == ["x.md", "y.md", "z.md"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    write(tmp_path, "in/a.md", "- [lesson] A.\n")
    write(tmp_path, "out/b.md", "- [lesson] B.\n")
    (tmp_path / "in/b.md").symlink_to(tmp_path / "out/b.md")
    (tmp_path / "in/c").symlink_to(tmp_path / "out")
    assert set(by_text(read(tmp_path / "in"))) == {"A."}


@pytest.mark.parametrize(
    "copy",
    [
        "lessons (conflicted copy 2026-07-10 070952).md",
        "lessons (Conflicted copy laptop 202607100709).md",
        "lessons (Kim's conflicted copy 2026-07-10).md",
        "lessons.sync-conflict-20260710-070952-ABCDEFG.md",
    ],
)
def test_a_conflict_copy_of_a_sync_program_is_no_note_and_is_counted(tmp_path, copy):
    write(tmp_path, "work/lessons.md", "- Name the branch.\n")
    write(tmp_path, f"work/{copy}", "- Name the old branch.\n")
    found = read(tmp_path)
    assert set(by_text(found)) == {"Name the branch."}
    assert found.left_out == {"conflict copies of a sync program": 1}


def test_a_note_about_a_conflict_is_a_note(tmp_path):
    write(tmp_path, "The conflict copy 2026.md", "- [lesson] A.\n")
    write(tmp_path, "Lessons 2.md", "- [lesson] B.\n")
    assert set(by_text(read(tmp_path))) == {"A.", "B."}


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_folder_without_notes_is_named_with_the_next_step(tmp_path, name):
    with pytest.raises(ImportSourceError, match="Name the folder"):
        read(tmp_path / name)


def test_every_vault_below_keeps_its_templates_and_its_memory_root(tmp_path):
    for vault in ("all/home", "all/work/deep", "all/work/deep/Forms/inner"):
        write(tmp_path, f"{vault}/.obsidian/templates.json", '{"folder": "Forms"}')
        write(tmp_path, f"{vault}/Memory/Settings.md", "---\ntype: settings\n---\n")
        write(tmp_path, f"{vault}/Memory/Lessons/mine.md", "Not looked at yet.\n")
        write(tmp_path, f"{vault}/Forms/a.md", "- [lesson] {{title}}\n")
    write(tmp_path, "all/home/lessons.md", "- A.\n")
    write(tmp_path, "all/Forms/lessons.md", "- B.\n")
    write(tmp_path, "all/work/deep/lessons.md", "- C.\n")
    write(tmp_path, "all/work/deep/Forms/inner/lessons.md", "- D.\n")
    found = read(tmp_path / "all")
    assert set(by_text(found)) == {"A.", "B.", "C."}
    assert found.left_out == {"templates of a vault": 4, "notes in a vault's memory root": 6}
    whole = read(tmp_path / "all/work/deep")
    assert set(by_text(whole)) == {"C."}, "what a template's folder holds is that vault's"
