"""Notes that an agent leaves, and the notes and memories that it reads."""

from __future__ import annotations

import pytest

from tests.world import NOTE, SAYS
from vaultmem.core.model import Category
from vaultmem.errors import (
    AgentRefusedError,
    CaptureRefusedError,
    NoteNotFoundError,
    UnsafePathError,
)
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.list_memories import list_memories
from vaultmem.services.read_text import read_text
from vaultmem.services.remember_note import MAX_TEXT, notes_left, remember_note
from vaultmem.services.switch import WRITE, Place, switch


def agent(world):
    return world.here.call(agent="pi")


def test_a_note_is_kept_fenced_and_without_secrets(ready):
    path = remember_note(
        agent(ready), "How the pooler works", "# It\n![[x]]\n```\nghp_" + "a1B2" * 9
    )

    assert path == "Memory/Notes/How the pooler works.md"
    text = ready.read(path)
    assert "\n````\n# It\n![[x]]\n```\n[redacted_secret" in text
    assert ready.here.sync().changes == ()
    assert notes_left(agent(ready)) == (path,)


def test_two_notes_of_one_title_are_two(ready):
    first = remember_note(agent(ready), "Pooler", "One")
    second = remember_note(agent(ready), "Pooler", "Two")

    assert first != second
    assert "Two" in ready.read(second)


@pytest.mark.parametrize(
    ("title", "text", "why"),
    [(" ", "x", "title"), ("x", " \n", "title"), ("x", "y" * (MAX_TEXT + 1), "at most")],
)
def test_a_note_needs_a_title_and_a_text_of_some_length(ready, title, text, why):
    with pytest.raises(CaptureRefusedError, match=why):
        remember_note(agent(ready), title, text)


def test_no_note_is_left_where_remembering_is_off(ready):
    switch(ready.here.call(), [WRITE], Place(), off=True)

    with pytest.raises(CaptureRefusedError, match="switched off"):
        remember_note(agent(ready), "x", "y")


def test_an_agent_reads_in_the_memory_root_and_what_is_opened_to_it(ready):
    ready.write("Notes/Own.md", "---\na: 1\n---\nMine. %%hidden%%\n")
    ready.write("Memory/Notes/Left.md", "Left.\n")
    ready.here.sync()

    assert read_text(agent(ready), "Memory/Notes/Left") == "Left."
    assert was_shown(agent(ready), "Left.")
    with pytest.raises(AgentRefusedError, match="outside"):
        read_text(agent(ready), "Notes/Own.md")
    assert read_text(agent(ready), "Notes/Own.md", knowledge=("Notes",)) == "Mine."
    assert read_text(agent(ready), "Notes/Own.md", knowledge=("",)) == "Mine."
    assert read_text(ready.here.call(), "Notes/Own") == "Mine."


def test_what_the_person_keeps_or_that_leaves_the_vault_is_not_read(ready):
    ready.write("Memory/Notes/Kept.md", "---\nvaultmem: false\n---\nMine.\n")
    ready.write("Memory/Notes/Broken.md", "---\na: [\n---\nBroken ghp_" + "a1B2" * 9 + "\n")
    ready.here.sync()

    with pytest.raises(NoteNotFoundError, match="keeps that note"):
        read_text(agent(ready), "Memory/Notes/Kept.md")
    assert "Broken [redacted_secret" in read_text(agent(ready), "Memory/Notes/Broken.md")
    with pytest.raises(UnsafePathError):
        read_text(agent(ready), "Memory/../../secret")
    with pytest.raises(NoteNotFoundError):
        read_text(agent(ready), "Memory/None.md")


def test_memories_are_listed_by_score_the_pinned_first_those_of_other_projects_never(world, known):
    world.memory("Memory/Lessons/B.md", "Pinned one.", category="lesson", pinned="true")
    world.memory("Memory/Lessons/C.md", "Elsewhere.", scope="project", project="other")
    world.memory("Memory/Decisions/D.md", "Decided.", category="decision")
    world.memory("Memory/Lessons/E.md", "Gone.", status="deprecated")
    world.here.sync()

    found = list_memories(agent(world), project="mine")

    assert found[0].statement == "Pinned one."
    assert {one.statement for one in found} == {"Pinned one.", SAYS, "Decided."}
    assert was_shown(agent(world), "Decided.")
    (only,) = list_memories(agent(world), category=Category.DECISION)
    assert only.statement == "Decided."
    assert NOTE in {one.path for one in list_memories(world.here.call(), project="other")}
