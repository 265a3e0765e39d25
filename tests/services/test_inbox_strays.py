"""Notes in the inbox of which nobody could say what a decision means: told, and nothing is done."""

from __future__ import annotations

import pytest

from vaultmem.core.model import Category
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import AmbiguousIdError
from vaultmem.notes.candidate import Decision
from vaultmem.services.apply import apply
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import curate
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.patches import find_patch

COPY = "Memory/Inbox/A copy.md"
STATEMENT = "Use UTC in every table."


def proposed_by(world, agent):
    world.here.sync()
    app = world.here.app(agent=agent)
    return add(app.call(), app.engine, Wish(text=STATEMENT, category=Category.PATTERN))


def findings(world, *codes):
    return [one for one in world.here.sync().findings if one.code in codes]


def live(world):
    return world.here.call().vault.baseline.standings()


@pytest.fixture
def copied(world):
    """A candidate whose note was copied; the copy's name comes first."""
    one = proposed_by(world, "pi")
    world.write(COPY, world.read(one.path).replace(STATEMENT, f"{STATEMENT}\n\nAnother text."))
    return one


def test_a_copied_candidate_is_a_finding_at_both_notes_until_one_is_gone(world, copied):
    assert [one.path for one in findings(world, "VM304")] == [COPY, copied.path]
    world.path(COPY).unlink()
    assert findings(world, "VM304") == []


@pytest.mark.parametrize("decision", [Decision.APPROVE, Decision.REJECT])
@pytest.mark.parametrize("named", ["id", "path"])
def test_nothing_is_decided_about_a_candidate_that_stands_in_two_notes(
    world, copied, decision, named
):
    world.here.sync()
    before = world.notes()
    with pytest.raises(AmbiguousIdError, match="A copy"):
        decide(world.here.call(), getattr(copied, named), decision)
    assert world.notes() == before


def test_a_decision_in_a_copied_candidate_waits_and_is_followed_once_the_copy_is_gone(
    world, copied
):
    world.replace(copied.path, "decision:", "decision: approve")
    (told,) = findings(world, "VM315")
    assert (told.path, COPY in told.message) == (copied.path, True)
    assert live(world) == []
    world.path(COPY).unlink()
    world.here.sync()
    assert [one.statement for one in live(world)] == [STATEMENT]
    assert findings(world, "VM304", "VM315") == []


def apply_named(world, name):
    world.here.sync()
    call = world.here.call()
    opened = find_patch(call, name)
    return apply(call, opened.patch, applier=Applier.PERSON, via="patch", opened=opened)


def test_a_patch_waits_while_its_candidate_stands_in_two_notes(world):
    world.here.sync()
    world.write("Memory/Inbox/Idea.md", f"{STATEMENT}\n")
    world.here.sync()
    proposed = curate(world.here.call(), mode="propose").proposed
    world.write(COPY, world.read("Memory/Inbox/Idea.md"))
    done = apply_named(world, proposed)
    assert ("A copy" in done.skipped[0].reason, done.applied) == (True, ())
    assert [one.path for one in waiting(world.here.call())] == [COPY, "Memory/Inbox/Idea.md"]
    world.path(COPY).unlink()
    assert apply_named(world, proposed).applied


@pytest.mark.parametrize("word", ["[approve, reject]", "{approve: true}", "\n  - approve\n  - no"])
def test_a_decision_of_several_words_is_a_finding(world, word):
    one = proposed_by(world, "pi")
    world.replace(one.path, "decision:", f"decision: {word}")
    (told,) = findings(world, "VM122")
    assert told.path == one.path
    assert live(world) == []


@pytest.mark.parametrize("kind", ["memory", "settings", "evidence", "Recipe", "[a, b]"])
def test_a_note_of_another_type_in_the_inbox_is_a_finding(world, kind):
    world.here.sync()
    world.write(
        "Memory/Inbox/Stray.md", f"---\ntype: {kind}\ndecision: approve\n---\n{STATEMENT}\n"
    )
    before = world.notes()
    (told,) = findings(world, "VM117")
    assert (told.path, told.line) == ("Memory/Inbox/Stray.md", 2)
    assert world.notes() == before


def test_a_memory_that_was_dragged_into_the_inbox_is_told_and_comes_back(world):
    world.memory("Memory/Lessons/Times.md", STATEMENT)
    world.here.sync()
    world.path("Memory/Inbox").mkdir(exist_ok=True)
    world.path("Memory/Lessons/Times.md").rename(world.path("Memory/Inbox/Times.md"))
    assert [one.path for one in findings(world, "VM117")] == ["Memory/Inbox/Times.md"]
    world.path("Memory/Inbox/Times.md").rename(world.path("Memory/Lessons/Times.md"))
    assert world.here.sync().findings == ()
    assert [one.statement for one in live(world)] == [STATEMENT]
