"""A person names the knowledge note of a memory in the way that is nearest to hand."""

from __future__ import annotations

import pytest

from vaultmem.errors import AmbiguousIdError, EditRefusedError, NoteNotFoundError
from vaultmem.services.named_note import link_of, notes_named

ADDRESS = "[A](obsidian://open?vault=V&file=A)"


@pytest.fixture
def call(world):
    world.write("Notes/Retries.md", "How to try again.\n")
    world.write("Notes/Twice.md", "One.\n")
    world.write("Old/Twice.md", "Two.\n")
    world.write("Notes/C# rules.md", "Sharp.\n")
    world.write("2026.md", "A year.\n")
    world.write("Rules.md", "Of the house.\n")
    world.write("Old/Rules.md", "Of the old house.\n")
    world.memory("Memory/Lessons/Own.md", "Say so.")
    world.here.sync()
    return world.here.call()


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("Retries", "[[Notes/Retries|Retries]]"),
        (" retries ", "[[Notes/Retries|Retries]]"),
        ("Notes/Retries.md", "[[Notes/Retries|Retries]]"),
        ("Old/Twice", "[[Old/Twice|Twice]]"),
        ("2026", "[[2026]]"),
        ("Rules", "[[Rules]]"),  # a whole path goes before a title
        # links stay as the person wrote them
        ("[[Retries#Backoff|gaps]]", "[[Retries#Backoff|gaps]]"),
        ("[[Not there yet]]", "[[Not there yet]]"),
        ("Retries#Backoff", "[[Notes/Retries#Backoff|Retries]]"),
        ("2026#^a1", "[[2026#^a1|2026]]"),
        (ADDRESS, ADDRESS),
        ("1", "[[X]]"),
        ("2", ADDRESS),
    ],
)
def test_a_note_is_named_by_title_path_link_or_number(call, name, link):
    assert link_of(call, name, suggested=("[[X]]", ADDRESS)) == link


@pytest.mark.parametrize(
    "name",
    [
        "Nothing",
        "Nothing#Part",
        "[[#Part]]",
        "Own",
        "Memory/Lessons/Own.md",
        "3",
        "0",
        "Other/Twice",
        "",
    ],
)
def test_what_is_no_knowledge_note_is_refused_with_the_next_step(call, name):
    with pytest.raises(NoteNotFoundError, match="vaultmem"):
        link_of(call, name, suggested=("[[X]]", ADDRESS))


def test_a_title_of_two_notes_asks_for_the_path(call):
    with pytest.raises(AmbiguousIdError, match=r"Notes/Twice\.md, Old/Twice\.md"):
        link_of(call, "Twice")


@pytest.mark.parametrize("name", ["C# rules", "Retries#a [b]"])
def test_a_name_that_a_link_cannot_hold_is_refused(call, name):
    with pytest.raises(EditRefusedError, match="Rename"):
        link_of(call, name)


@pytest.mark.parametrize("name", ["[[Retries]] and [[2026]]", f"[[Retries]], {ADDRESS}"])
def test_two_links_are_refused(call, name):
    with pytest.raises(EditRefusedError, match="2 notes"):
        link_of(call, name)


@pytest.mark.parametrize(
    ("target", "paths"),
    [
        ("Twice", ["Notes/Twice.md", "Old/Twice.md"]),
        ("Old/Twice", ["Old/Twice.md"]),
        ("New/Twice", []),
        ("Own", ["Memory/Lessons/Own.md"]),
    ],
)
def test_where_a_link_leads(call, target, paths):
    assert notes_named(call, target) == paths
