"""A consolidated notebook: what was asked for is a memory, what a model wrote waits."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.store.importers.topic_files import write
from vaultmem.core.evidence import SourceKind
from vaultmem.core.model import Category, Cue, Scope
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers import notebook
from vaultmem.store.importers.notebook import read

HANDBOOK = """# Task Group: tide deploys
scope: deploys of the tide service
applies_to: cwd=/home/ada/src/tide; reuse_rule=same repository

## Task 1: move the port, success

### rollout_summary_files
- rollout_summaries/2026-01-05T09-00-00-abcd-port.md (cwd=/home/ada/src/tide)

### keywords
- staging, port, 6432

## User preferences
- when deploying, the user asked "tell me first" -> ask before a deploy [Task 1]

## Reusable knowledge
- Staging listens on port 6432. [Task 1][ad-hoc note]
  - seen twice

## Failures and how to do differently
- pg_dump fails without --no-owner.
"""
SUMMARY = """v1

## User Profile
Ada works on tide.

## User preferences
- Keep answers short.

## General Tips
- Staging listens on port 6432.
"""


@pytest.fixture
def root(tmp_path):
    made = tmp_path / "memories"
    write(made, "MEMORY.md", HANDBOOK)
    write(made, "memory_summary.md", SUMMARY)
    write(
        made,
        "extensions/ad_hoc/notes/2026-03-01T10-00-00-branches.md",
        "# Branches\n\nName branches after the ticket.\n\nAda said so.\n",
    )
    return made


def by_text(gathered):
    return {one.memory.statement: one for one in gathered.items}


def test_sections_of_the_handbook_and_the_summary_wait(root):
    found = by_text(read(root))
    port = found["Staging listens on port 6432."]
    assert port.waits
    assert port.memory.category is Category.LESSON
    assert port.memory.cue is Cue.BEHAVIORAL
    assert port.evidence[0].kind is SourceKind.GENERATED_CONTENT
    assert port.evidence[0].summary == "From MEMORY.md of the task group tide deploys."
    assert port.where == "MEMORY.md:17"
    preference = 'when deploying, the user asked "tell me first" -> ask before a deploy'
    assert found[preference].memory.category is Category.PREFERENCE
    assert "pg_dump fails without --no-owner." in found
    assert found["Keep answers short."].evidence[0].summary == "From memory_summary.md."


def test_a_note_that_was_asked_for_does_not_wait(root):
    item = by_text(read(root))["Name branches after the ticket."]
    assert item.waits == ""
    assert item.memory.cue is Cue.EXPLICIT
    assert item.memory.created == datetime(2026, 3, 1, 10)
    assert item.evidence[0].summary == "Ada said so."


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("20260301T100000-x.md", datetime(2026, 3, 1, 10)),
        ("2026-13-01T10-00-00-x.md", None),
        ("x.md", None),
    ],
)
def test_the_name_of_a_note_may_say_when(tmp_path, name, moment):
    write(tmp_path, f"extensions/ad_hoc/notes/{name}", "A.\n")
    (item,) = read(tmp_path).items
    assert item.memory.created == moment


def test_what_is_not_taken_is_counted(root):
    write(root, "rollout_summaries/a.md", "x")
    write(root, "skills/deploy/SKILL.md", "x")
    write(root, "skills/deploy/run.sh", "x")
    write(root, "raw_memories.md", "x")
    write(root, "state.sqlite", "x")
    write(root, "extensions/ad_hoc/notes/empty.md", "# Heading\n")
    found = read(root)
    assert found.left_out == {
        notebook.OTHERS: 6,
        notebook.TWICE: 1,
        notebook.EMPTY: 1,
        "session summaries": 1,
        "files of skills": 2,
        "raw memories": 1,
        "databases": 1,
    }
    assert found.records == 5 + 13
    assert "Memory/Skills" in found.notices[0]


def test_a_project_may_be_named(root):
    assert {one.memory.project for one in read(root, project="acme/tide").items} == {"acme/tide"}
    assert {one.memory.scope for one in read(root).items} == {Scope.GLOBAL}


def test_broken_files_and_links_stop_nothing(root, tmp_path):
    write(root, "MEMORY.md", b"\xff")
    write(tmp_path, "outside.md", "Secret.\n")
    (root / "extensions/ad_hoc/notes/link.md").symlink_to(tmp_path / "outside.md")
    (root / "memory_summary.md").unlink()
    (root / "memory_summary.md").symlink_to(tmp_path / "outside.md")
    found = read(root)
    assert set(by_text(found)) == {"Name branches after the ticket."}
    assert [one.where for one in found.quarantined] == ["MEMORY.md"]


def test_a_folder_that_is_a_link_is_not_even_listed(root, tmp_path):
    write(tmp_path, "elsewhere/x.md", "Secret.\n")
    (root / "rollout_summaries").symlink_to(tmp_path / "elsewhere")
    found = read(root)
    assert [one.where for one in found.quarantined] == ["rollout_summaries"]
    assert "session summaries" not in found.left_out


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_another_folder_is_named_with_the_next_step(tmp_path, name):
    with pytest.raises(ImportSourceError):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Use uv [Task 1] [a.md, line 3]", "Use uv"),
        ("Use uv[Task 1]", "Use uv"),
        ("Use [uv] here", "Use [uv] here"),
        ("Use a[[0]]", "Use a[[0]]"),
        ("Use b[0]]", "Use b[0]]"),
        ("Use c]", "Use c]"),
        ("Use uv" + " [x]" * 50_000, "Use uv"),
        ("Use uv" + " [x]" * 50_000 + " here", "Use uv" + " [x]" * 50_000 + " here"),
    ],
)
def test_the_sessions_behind_an_item_are_no_part_of_it(tmp_path, said, text):
    write(tmp_path, "MEMORY.md", f"## General Tips\n- {said}\n")
    assert [one.memory.statement for one in read(tmp_path).items] == [text]
