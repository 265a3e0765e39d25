"""A memory of one project and a global one that contradict each other: a person decides, both stand."""

from __future__ import annotations

import pytest

from vaultmem.core.likeness import MatchKind
from vaultmem.core.matching import REASONS
from vaultmem.core.model import Category, Scope
from vaultmem.notes.candidate import Decision
from vaultmem.notes.codec import decode_memory
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import curate, session_end
from vaultmem.services.curating.foresee import list_waiting
from vaultmem.services.inbox import decide
from vaultmem.services.message import capture_message
from vaultmem.services.report import report
from vaultmem.services.revert import revert

HERE, THERE = "github.com/acme/billing-web", "github.com/acme/app"
NPM, NEVER = "Use npm for installs.", "Never use npm for installs, use pnpm instead."
EVERYWHERE = "Memory/Lessons/Everywhere.md"


def hear(world, text, project=HERE):
    app = world.here.app(agent="pi")
    capture_message(
        app.call(), app.engine, text, session="s1", message_id="m1", project=project or None
    )
    world.here.sync()


def told(world, project):
    """Which of the two the report of a project says; an open question may quote both."""
    made = report(world.here.call(), project=project, prompt="install with npm or pnpm")
    ids = {name for section in made.sections for name in section.ids}
    standing = {
        one.statement for one in world.here.call().vault.baseline.standings() if one.id in ids
    }
    return [one for one in (NPM, NEVER) if one in standing]


def typed(world, text, *, override=True, **place):
    app = world.here.app()
    wish = Wish(text=text, category=Category.LESSON, **place)
    return add(app.call(), app.engine, wish, override_conflicts=override)


@pytest.fixture
def ready(world):
    world.here.sync()
    world.memory(EVERYWHERE, NPM, category="lesson")
    world.here.sync()
    return world


def test_a_projects_correction_waits_and_says_which_global_memory_it_contradicts(ready):
    hear(ready, NEVER)
    done = session_end(ready.here.call(agent="pi"))
    assert (done.applied, done.counted) == ((), ())
    (question,) = done.questions
    ((one, foreseen),) = list_waiting(ready.here.call())
    (stands,) = ready.here.call().vault.baseline.standings()
    assert question.memories == (stands.id,)
    reason = one.candidate.reasons[0]
    assert f"the global memory {stands.id[-8:].lower()}; approve it" in reason
    assert one.candidate.matched == ("[[Everywhere]]",)
    assert (foreseen.op, foreseen.target, foreseen.statement) == (
        "add_exception",
        stands.id,
        NPM,
    )
    assert "beside one that says the opposite" in foreseen.sentence
    assert told(ready, HERE) == told(ready, THERE) == [NPM]


def test_approved_it_holds_in_its_project_and_the_global_memory_everywhere_else(ready):
    hear(ready, NEVER)
    ((one, _),) = list_waiting(ready.here.call())
    done = decide(ready.here.call(), one.id, Decision.APPROVE)
    assert (done.outcome, done.replaced, done.before) == ("approved", None, "")
    assert told(ready, HERE) == [NEVER]
    assert told(ready, THERE) == told(ready, "") == [NPM]
    assert f"project:{HERE}" in ready.read(EVERYWHERE)
    assert "VM330" not in [one.code for one in ready.here.sync().findings]
    revert(ready.here.call(), done.patch)
    assert told(ready, HERE) == [NPM]
    assert HERE not in ready.read(EVERYWHERE)


def test_the_patch_of_a_curation_holds_both_unticked(ready):
    hear(ready, NEVER)
    done = curate(ready.here.call())
    text = ready.read(done.proposed)
    assert text.count("- [ ]") == 2
    assert "- [x]" not in text
    for wanted in ("op: add\n", "op: add_exception\n", f"project:{HERE}"):
        assert wanted in text, text


def test_a_pinned_global_memory_is_excepted_only_by_a_person(ready):
    ready.replace(EVERYWHERE, "type: memory", "type: memory\npinned: true")
    ready.here.sync()
    hear(ready, NEVER)
    session_end(ready.here.call(agent="pi"))
    assert told(ready, HERE) == [NPM]


def test_a_global_correction_leaves_what_holds_in_a_project(world):
    world.here.sync()
    world.memory("Memory/Lessons/Here.md", NPM, category="lesson", scope="project", project=HERE)
    world.here.sync()
    hear(world, NEVER, project="")
    done = session_end(world.here.call(agent="pi"))
    assert done.applied == ()
    ((one, _),) = list_waiting(world.here.call())
    assert "which holds in one place; approve it" in one.candidate.reasons[0]
    approved = decide(world.here.call(), one.id, Decision.APPROVE)
    assert told(world, HERE) == [NPM]
    assert told(world, THERE) == told(world, "") == [NEVER]
    note = decode_memory(world.read(approved.path).encode(), path=approved.path)
    assert note.memory.exceptions == (f"project:{HERE}",)
    revert(world.here.call(), approved.patch)
    assert told(world, THERE) == []


def test_a_persons_override_in_a_project_replaces_no_global_memory(ready):
    refused = typed(ready, NEVER, override=False, scope=Scope.PROJECT, project=HERE)
    assert [one.code for one in refused.findings] == ["VM604"]
    done = typed(ready, NEVER, scope=Scope.PROJECT, project=HERE)
    assert (done.outcome, done.before) == ("added", "")
    assert [one.code for one in done.findings] == ["VM631"]
    assert told(ready, HERE) == [NEVER]
    assert told(ready, THERE) == [NPM]
    revert(ready.here.call(), done.patch)
    assert told(ready, HERE) == [NPM]


def test_a_tasks_word_replaces_nothing_that_outlives_it(ready):
    done = typed(ready, NEVER, scope=Scope.TASK, project=HERE)
    assert done.outcome == "added"
    assert "exceptions" not in ready.read(EVERYWHERE)
    assert told(ready, THERE) == [NPM]


def test_what_an_agent_wants_for_a_task_shows_the_projects_memory_that_it_contradicts(world):
    world.here.sync()
    world.memory("Memory/Lessons/Here.md", NPM, category="lesson", scope="project", project=HERE)
    world.here.sync()
    app = world.here.app(agent="pi")
    wish = Wish(text=NEVER, category=Category.LESSON, scope=Scope.TASK, project=HERE)
    assert add(app.call(), app.engine, wish, override_conflicts=True).outcome == "candidate"
    ((one, _),) = list_waiting(world.here.call())
    assert one.candidate.reasons[0] == REASONS[MatchKind.CONFLICT]
    assert one.candidate.matched == ("[[Here]]",)


def test_a_projects_word_replaces_that_of_a_task_which_ends_anyway(world):
    world.here.sync()
    first = typed(world, NPM, scope=Scope.TASK, project=HERE)
    done = typed(world, NEVER, scope=Scope.PROJECT, project=HERE)
    assert (done.before, done.findings) == (NPM, ())
    assert "status: superseded" in world.read(first.path)


def test_what_holds_in_a_domain_and_in_a_project_is_told_beside_each_other(world):
    world.here.sync()
    world.memory("Memory/Lessons/D.md", NPM, category="lesson", scope="domain", domains="[js]")
    world.here.sync()
    done = typed(world, NEVER, scope=Scope.PROJECT, project=HERE)
    assert [one.code for one in done.findings] == ["VM631"]
    assert "exceptions" not in world.read("Memory/Lessons/D.md")


def test_an_override_everywhere_still_replaces_the_global_memory(ready):
    done = typed(ready, NEVER)
    assert (done.outcome, done.before) == ("added", NPM)
    assert told(ready, THERE) == [NEVER]
