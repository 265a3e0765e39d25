"""Identity is drawn from what is stable, of one project, as a candidate, and never put in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import governing
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("meta-consolidation safety")

FIRST = "Rebase a branch before it is merged."
SECOND = "Name every file when staging, and look at the whole difference first."


def _known(stage: Stage, name: str, statement: str, **properties: object) -> str:
    usual = {"tags": "memory/git", "stability": "stable", "category": "lesson"}
    return stage.world.memory(f"Memory/Lessons/{name}.md", statement, **(usual | properties))


def _draw(stage: Stage, **settings: object) -> dict:
    stage.allow(meta_consolidation_enabled="true", **settings)
    stage.here.sync()
    return stage.told_by("maintain", "identity")


@case(broken_by=governing.IDENTITY_APPLIES, hard=True)
def a_run_leaves_a_candidate_that_no_policy_applies(stage: Stage) -> None:
    _known(stage, "First", FIRST)
    _known(stage, "Second", SECOND)
    loose = {"curator_auto_curate": "all-eligible", "curator_min_confidence": 0}
    equal("one is drawn", len(_draw(stage, **loose)["proposed"]), 1)
    (one,) = stage.inbox()
    stage.pass_time(minutes=10)
    stage.session("s1")
    equal("it still waits", [each["id"] for each in stage.inbox()], [one["id"]])
    equal("nothing new is in force", stage.statements(), sorted([FIRST, SECOND]))
    lacks("there is no identity", stage.report(), "## Identity")


@case(broken_by=governing.ONE_PLACE, hard=True)
def two_projects_never_make_one_identity(stage: Stage) -> None:
    _known(stage, "First", FIRST, scope="project", project="shop")
    _known(stage, "Second", SECOND, scope="project", project="docs")
    equal("nothing is drawn", _draw(stage)["proposed"], [])


@case(broken_by=governing.DRAWS_FROM_ANYTHING)
def what_is_contested_or_not_stable_is_drawn_from_never(stage: Stage) -> None:
    _known(stage, "First", FIRST)
    _known(stage, "Doubt", SECOND, status="contested")
    _known(stage, "Young", "Squash nothing on the main branch.", stability="low")
    equal("nothing is drawn", _draw(stage)["proposed"], [])


@case(broken_by=governing.DRAWS_AGAIN, hard=True)
def what_the_person_rejected_is_not_drawn_again(stage: Stage) -> None:
    _known(stage, "First", FIRST)
    _known(stage, "Second", SECOND)
    (drawn,) = _draw(stage)["proposed"]
    equal("rejected", stage.person("inbox", "reject", drawn["id"]).code, 0)
    equal("nothing is drawn", _draw(stage)["proposed"], [])
    equal("nothing waits", stage.waits(), [])


@case(broken_by=governing.NO_COUNTEREXAMPLES)
def what_speaks_against_it_is_told(stage: Stage) -> None:
    _known(stage, "First", FIRST)
    _known(stage, "Second", SECOND)
    doubt = _known(stage, "Doubt", "Merge it at once.", status="contested")
    (drawn,) = _draw(stage)["proposed"]
    true("it is told", doubt in str(drawn["counterexamples"]))
    holds("in the note as well", stage.world.read(drawn["path"]), "is contested")
