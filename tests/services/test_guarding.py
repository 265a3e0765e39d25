"""What stops a text on its way to a memory: secrets, permissions, tasks, and what it contradicts."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.world import codes
from vaultmem.core.model import Category, Scope
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.capture import Wish, add
from vaultmem.services.ratify import ratify

TOKEN = "gh" + "p_" + fake(36)


def _add(world, text, *, agent=None, override=False, **options):
    app = world.here.app(agent=agent)
    wish = Wish(text=text, category=options.pop("category", Category.LESSON), **options)
    return add(app.call(), app.engine, wish, override_conflicts=override)


@pytest.mark.parametrize("agent", [None, "pi"])
@pytest.mark.parametrize("field", ["text", "tags", "project", "hidden"])
def test_a_secret_is_refused_in_every_field_and_leaves_no_trace(ready, agent, field):
    before = ready.snapshot()
    options = {"text": "Deploy with the token.", "scope": Scope.PROJECT, "project": "me/app"}
    if field == "text":
        options["text"] = f"Deploy with {TOKEN} as the token."
    elif field == "hidden":
        options["text"] = f"Deploy with the token <!-- {TOKEN} -->."
    elif field == "tags":
        options["tags"] = (TOKEN,)
    else:
        options["project"] = TOKEN
    done = _add(ready, agent=agent, **options)
    assert (done.outcome, codes(done)[-1]) == ("refused", "VM601")
    assert TOKEN not in str(done)
    assert ready.snapshot() == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("You can merge this PR, just this once.", "VM602"),
        ("When done, I want an html report.", "VM603"),
    ],
)
def test_what_holds_once_is_refused_with_the_next_step(ready, text, code):
    done = _add(ready, text)
    assert (done.outcome, codes(done)) == ("refused", [code])
    assert done.findings[0].remedy.endswith(".")


def test_a_task_may_be_remembered_for_the_task(ready):
    assert _add(ready, "When done, I want an html report.", scope=Scope.TASK).outcome == "added"


def test_a_contradiction_is_refused_names_the_memory_and_changes_nothing(ready):
    first = _add(ready, "Always run the tests before pushing.")
    before = ready.notes()
    done = _add(ready, "Never run the tests before pushing.")
    assert (done.outcome, codes(done)) == ("refused", ["VM604"])
    assert first.id[-8:].lower() in done.findings[0].message
    assert ready.notes() == before


def test_overridden_it_replaces_the_old_memory_with_links_both_ways(ready):
    first = _add(ready, "Always run the tests before pushing.")
    done = _add(ready, "Never run the tests before pushing.", override=True)
    assert done.outcome == "added"
    old, new = ready.read(first.path), ready.read(done.path)
    assert "status: superseded" in old
    assert "[[Never run the tests before pushing]]" in old
    assert "[[Always run the tests before pushing]]" in new
    standings = {one.id: one.status for one in ready.here.call().vault.baseline.standings()}
    assert standings == {first.id: "superseded", done.id: "active"}
    assert ready.here.sync().changes == (), "our own write is no difference"


def test_a_pinned_memory_always_refuses(ready):
    _add(ready, "Always run the tests before pushing.", pin=True)
    for override in (False, True):
        done = _add(ready, "Never run the tests before pushing.", override=override)
        assert (done.outcome, codes(done)) == ("refused", ["VM605"])


def test_an_agents_override_is_a_candidate_that_names_what_it_contradicts(ready):
    first = _add(ready, "Always run the tests before pushing.")
    done = _add(ready, "Never run the tests before pushing.", agent="pi", override=True)
    assert done.outcome == "candidate"
    text = ready.read(done.path)
    assert "[[Always run the tests before pushing]]" in text
    assert "It says the opposite; keep one of the two" in text
    assert ready.here.call().vault.baseline.standing(first.id).status == "active"


def test_another_projects_memory_contradicts_nothing_here(ready):
    _add(ready, "Always run the tests before pushing.", scope=Scope.PROJECT, project="a/b")
    done = _add(ready, "Never run the tests before pushing.", scope=Scope.PROJECT, project="a/c")
    assert done.outcome == "added"


def test_a_persons_new_note_with_a_secret_is_held(ready):
    ready.write("Memory/Lessons/x.md", f"Deploy with {TOKEN} as the token.\n")
    done = ready.here.sync()
    assert "VM601" in codes(done)
    assert TOKEN not in str(done)
    assert ready.here.call().vault.baseline.standings() == []
    assert "id:" not in ready.read("Memory/Lessons/x.md")


def test_an_edit_that_brings_a_secret_leaves_the_last_version_in_force(ready):
    first = _add(ready, "Deploy with the token.")
    ready.replace(first.path, "Deploy with the token.", f"Deploy with {TOKEN}.")
    done = ready.here.sync()
    assert "VM601" in codes(done)
    assert ready.here.call().vault.baseline.standing(first.id).statement == "Deploy with the token."
    with pytest.raises(CaptureRefusedError, match="secret"):
        ratify(ready.here.call(), first.path)
    ready.replace(first.path, TOKEN, "the new token")
    assert ready.here.sync().edited == 1


def test_a_persons_new_note_against_a_pinned_memory_is_held(ready):
    _add(ready, "Always run the tests before pushing.", pin=True)
    ready.write("Memory/Lessons/x.md", "Never run the tests before pushing.\n")
    assert "VM605" in codes(ready.here.sync())
    assert len(ready.here.call().vault.baseline.standings()) == 1
