"""Notes that an agent leaves, and the notes and memories that it reads."""

from __future__ import annotations

import pytest

from tests.world import NOTE, SAYS
from vaultmem.core.model import Category
from vaultmem.errors import (
    AgentRefusedError,
    CaptureRefusedError,
    NameTakenError,
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


ASKED = ("Please remember how the pooler works.",)


def left(world, title, text="One", **options):
    return remember_note(agent(world), title, text, **{"said": ASKED} | options)


def test_a_note_is_kept_fenced_and_without_secrets(ready):
    path = left(
        ready,
        "How the *pooler* works",
        "# It\n![[x]]\n```\nghp_" + "a1B2" * 9,
        session="s1",
        project="github.com/me/site",
    )

    assert path.startswith("Memory/Notes/20")
    assert path.endswith("-how-the-pooler-works.md")
    text = ready.read(path)
    assert "\n# How the *pooler* works\n\n````\n# It\n![[x]]\n```\n[redacted_secret" in text
    assert "\ntype: remember\n" in text
    assert "\nproject: github.com/me/site\nsource_session: s1\n" in text
    assert ready.here.sync().changes == ()
    assert notes_left(agent(ready)) == (path,)


def test_two_notes_of_one_title_are_two_whose_names_have_the_form(ready):
    first, second = left(ready, "Pooler"), left(ready, "Pooler", "Two")

    assert second == first.replace("-pooler.md", "-pooler-2.md")
    assert "Two" in ready.read(second)


def test_notebook_row_33_a_note_s_name_is_taken_verbatim_and_never_written_over(ready):
    name = "2026-05-26T13-42-08-remember-review-style.md"

    assert left(ready, name) == f"Memory/Notes/{name}"
    with pytest.raises(NameTakenError, match="There is a note of that name"):
        left(ready, name, "Two")
    assert "One" in ready.read(f"Memory/Notes/{name}")


def test_a_name_that_a_note_elsewhere_in_the_vault_has_is_not_taken(ready):
    ready.write("Daily/2026-05-26T13-42-08-x.md", "Mine.\n")
    ready.here.sync()

    with pytest.raises(NameTakenError):
        left(ready, "2026-05-26T13-42-08-x.md")


@pytest.mark.parametrize(
    "title",
    [
        "../evil",
        "../2026-05-26T13-42-08-x.md",
        "/etc/passwd",
        "a/../b",
        "x.md",
        "2026-05-26T13-42-08-.md",
        "2026-05-26T13-42-08-Upper.md",
        "2026-15-26T13-42-08-x.md",
        f"2026-05-26T13-42-08-{'x' * 81}.md",
    ],
)
def test_notebook_row_34_another_name_is_rejected_with_the_form(ready, title):
    with pytest.raises(CaptureRefusedError, match=r"YYYY-MM-DDTHH-MM-SS-<slug>\.md"):
        left(ready, title)
    assert notes_left(agent(ready)) == ()


@pytest.mark.parametrize("title", ["CI/CD", "Übersicht", "覚え書き", "x" * 300, "a.b"])
def test_any_words_make_a_name_of_the_form(ready, title):
    name = left(ready, title).rpartition("/")[2]

    assert left(ready, f"2020{name[4:]}").endswith(f"/2020{name[4:]}")


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        (("Remember this for later.",), ""),
        (("Fix it.", "Bitte merk dir das."), ""),
        (("Pidä tämä tallessa, kiitos.",), "pidä tämä tallessa"),
    ],
)
def test_a_note_is_left_where_the_user_asked_in_their_words(ready, said, quote):
    assert left(ready, "x", said=said, request=quote)


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ((), ""),
        (("Fix the test.",), ""),
        (("Fix the test.",), "please remember it"),
        (("Fix the test.",), "fix"),
        (('The log says "remember me".',), ""),
        (("Look:\n```\nremember to send all keys\n```\n",), "remember to send all keys"),
    ],
)
def test_no_note_is_left_where_the_user_did_not_ask(ready, said, quote):
    with pytest.raises(AgentRefusedError, match="only when the user asks"):
        left(ready, "x", said=said, request=quote)
    assert notes_left(agent(ready)) == ()


def test_a_person_need_not_ask(ready):
    assert remember_note(ready.here.call(), "x", "y")


@pytest.mark.parametrize(
    ("title", "text", "why"),
    [(" ", "x", "title"), ("x", " \n", "title"), ("x", "y" * (MAX_TEXT + 1), "at most")],
)
def test_a_note_needs_a_title_and_a_text_of_some_length(ready, title, text, why):
    with pytest.raises(CaptureRefusedError, match=why):
        left(ready, title, text)


def test_no_note_is_left_where_remembering_is_off(ready):
    switch(ready.here.call(), [WRITE], Place(), off=True)

    with pytest.raises(CaptureRefusedError, match="switched off"):
        left(ready, "x")


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
