"""What may be a procedure is shown to the person; nothing is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import acting
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("procedure candidates")

STEPS = (
    "Run the unit tests before a release commit.",
    "Verify the changelog before a release commit.",
    "Push the release commit with its tag.",
)


def _steps(stage: Stage, count: int = 3, **properties: object) -> list[str]:
    usual = {"category": "pattern", "tags": "memory/release", "stability": "stable"}
    return [stage.writes("Patterns", text, **(usual | properties)) for text in STEPS[:count]]


def _found(stage: Stage, *options: str) -> dict:
    return stage.told_by("export", "procedures", *options)


@case(broken_by=acting.NO_PROCEDURES)
def three_stable_steps_that_hang_together_are_one(stage: Stage) -> None:
    known = _steps(stage)
    (one,) = _found(stage)["procedures"] or [{}]
    equal("its steps", sorted(one.get("sources", [])), sorted(known))
    equal("the person looks at it", one.get("requires_review"), True)


@case(broken_by=acting.ONE_STEP_IS_ENOUGH)
def two_are_none_unless_the_person_asks_for_it(stage: Stage) -> None:
    _steps(stage, 2)
    equal("none", _found(stage)["procedures"], [])
    equal("one", len(_found(stage, "--least", "2")["procedures"]), 1)


@case(broken_by=acting.EVERYTHING_IS_A_STEP, hard=True)
def what_is_in_doubt_young_or_over_is_no_step(stage: Stage) -> None:
    known = _steps(stage)
    equal("contested", stage.person("contest", known[0]).code, 0)
    equal("none", _found(stage)["procedures"], [])
    reasons = {one["id"]: one["reason"] for one in _found(stage)["skipped"]}
    equal("it says why", reasons[known[0]], "status:contested")


@case(broken_by=acting.WRITES_SKILLS, hard=True)
def looking_writes_nothing_and_saving_no_skill(stage: Stage) -> None:
    _steps(stage)
    before = stage.world.snapshot()
    _found(stage)
    true("nothing is written", stage.world.snapshot() == before)
    _found(stage, "--save")
    new = sorted(set(stage.world.notes()) - set(before))
    equal("a report", len(new), 1)
    holds("and that alone", new[0], "System/Reports/")
    lacks("no skill", "\n".join(new), "Skills")


@case(broken_by=acting.STEPS_OF_ALL_PROJECTS, hard=True)
def steps_of_two_projects_are_no_procedure(stage: Stage) -> None:
    _steps(stage, 2, scope="project", project="shop")
    stage.writes(
        "Patterns",
        STEPS[2],
        category="pattern",
        tags="memory/release",
        stability="stable",
        scope="project",
        project="docs",
    )
    equal("none", _found(stage)["procedures"], [])
