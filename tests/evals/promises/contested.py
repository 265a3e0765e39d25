"""What is in doubt only informs: it is no rule, no guardrail, no pin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import showing
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("contested never hard")

RULE = "Never run sudo on the build host."


def _rule(stage: Stage, **properties: object) -> str:
    usual = {"category": "lesson", "rule": "avoid_pattern", "confidence": 0.95}
    known = stage.writes("Lessons", RULE, **(usual | properties))
    stage.pass_time(minutes=5)
    equal("it is ratified", stage.person("ratify", known).code, 0)
    return known


@case(broken_by=showing.DOUBT_IS_NOTHING)
def a_contested_rule_is_no_hard_rule_and_marked(stage: Stage) -> None:
    known = _rule(stage)
    holds("it is a hard rule", stage.report(), "Hard rules")
    equal("contested", stage.person("contest", known, "--reason", "it was needed").code, 0)
    report = stage.report()
    lacks("no hard rule any more", report, "Hard rules")
    holds("it is told as a doubt", report, f"⚠ {RULE}")


@case(broken_by=showing.DOUBT_IS_NOTHING, hard=True)
def a_doubt_that_the_person_writes_by_hand_takes_the_guardrail_away(stage: Stage) -> None:
    _rule(stage, trigger="bash_contains sudo", action="block")
    true("it blocks", stage.stops("bash", command="sudo make"))
    note = next(stage.world.path("Memory/Lessons").glob("Never run sudo*.md"))
    note.write_text(note.read_text().replace("type: memory\n", "type: memory\nstatus: contested\n"))
    stage.here.sync()
    equal("it blocks no more", stage.stops("bash", command="sudo make"), "")
    held = [one["id"] for one in stage.pi.ask("rules")["rules"]["block"]]
    equal("nor does the extension", [one for one in held if one != "guard"], [])


@case(broken_by=showing.DOUBT_IS_NOTHING, hard=True)
def a_doubt_of_another_device_holds_here(stage: Stage) -> None:
    other = stage.world.device()
    known = _rule(stage)
    other.sync()
    equal("contested there", stage.person("contest", known, on=other).code, 0)
    stage.here.sync()
    lacks("no hard rule here", stage.report(), "Hard rules")


@case(broken_by=showing.DOUBT_IS_NOTHING)
def a_pinned_doubt_loses_its_place(stage: Stage) -> None:
    known = str(stage.says("Deploy on Mondays.", "--pin")["id"])
    holds("it is pinned", stage.report(), "## Pinned")
    equal("contested", stage.person("contest", known).code, 0)
    lacks("it is not", stage.report(), "## Pinned")


@case(broken_by=showing.TELLS_EVERY_DOUBT, hard=True)
def of_many_doubts_at_most_two_near_the_prompt_are_told(stage: Stage) -> None:
    for name in ("red", "blue", "green", "white"):
        stage.writes("Lessons", f"The {name} queue loses jobs.", status="contested")
    stage.writes("Lessons", "OpenGL is drawn twice.", status="contested")
    told = stage.report("--prompt", "does the blue or the white queue lose jobs?")
    equal("two are told", told.count("queue loses jobs"), 2)
    holds("the nearest", told, "blue queue", "white queue")
    lacks("what is far is not", told, "OpenGL")
