"""A stronger form is earned by the user's words in several sessions, and decided once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import acting, capturing
from tests.evals.case import category, equal, lacks, true
from tests.services.promoting import BAN, CONVENTION, DEPLOY, FACT, heard
from vaultmem.core.category import Category

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("promotion")


def _proposed(stage: Stage) -> list[str]:
    """The forms that wait for the person, or would by now."""
    stage.here.sync()
    done = stage.told_by("promote", "run")["proposed"]
    waiting = stage.told_by("promote", "list")["promotions"]
    return sorted({one["destination"] for one in (*done, *waiting)})


def _says(stage: Stage, text: str, *sessions: str) -> None:
    """The user says it in each of the sessions, some minutes apart."""
    for session in sessions:
        stage.session(session, text)
        stage.pass_time(minutes=5)


@case(broken_by=acting.EARNS_NOTHING)
def a_ban_of_three_sessions_becomes_a_guardrail_by_itself(stage: Stage) -> None:
    _says(stage, BAN, "s1", "s2")
    equal("two are not enough", stage.stops("bash", command="git add ."), "")
    _says(stage, BAN, "s3")
    true("three are", stage.stops("bash", command="git add ."))
    stage.person("undo")
    equal("and it can be undone", stage.stops("bash", command="git add ."), "")


@case(broken_by=acting.HEARS_AGENTS, hard=True)
def what_the_agent_says_often_earns_nothing(stage: Stage) -> None:
    known = str(stage.says(FACT)["id"])
    for number in range(6):
        stage.told("postgres rows and vacuum", session=f"a{number}")
        arguments = {"name": "memory_reinforce", "call": "c", "arguments": {"id": known}}
        stage.pi.ask("tool", session=f"a{number}", **arguments)
    true("it counts as evidence", stage.standing()[0].evidence_count > 5)
    equal("and earns nothing", _proposed(stage), [])


@case(broken_by=acting.PROMOTES_ANEW, hard=True)
def what_was_rejected_is_never_proposed_again(stage: Stage) -> None:
    heard(stage.world, DEPLOY, "a", "b", "c", category=Category.PATTERN)
    equal("a skill", _proposed(stage), ["skill"])
    (one,) = stage.told_by("promote", "list")["promotions"]
    equal("rejected", stage.person("promote", "reject", one["id"]).code, 0)
    heard(stage.world, DEPLOY, "d", "e", category=Category.PATTERN)
    equal("nothing", _proposed(stage), [])


@case(broken_by=acting.PROMOTES_BY_ITSELF)
def a_project_rule_is_only_proposed(stage: Stage) -> None:
    known = heard(stage.world, CONVENTION, *"abcde", category=Category.PATTERN)
    equal("it is proposed", _proposed(stage), ["project_rule"])
    equal("the memory is what it was", stage.property(known, "status"), "active")
    every = stage.told_by("promote", "list", "--all")["promotions"]
    equal("nobody accepted it", [one["status"] for one in every], ["proposed"])


@case(broken_by=capturing.SEES_NO_TOOLS, hard=True)
def an_acceptance_that_a_tool_writes_accepts_nothing(stage: Stage) -> None:
    known = heard(stage.world, DEPLOY, "a", "b", "c", category=Category.PATTERN)
    equal("a skill", _proposed(stage), ["skill"])
    note = next(stage.world.path("Memory/Promotions").glob("*.md"))
    text = note.read_text().replace("decision:", "decision: accept", 1)
    stage.pass_time(minutes=5)
    stage.by_tool(lambda: note.write_text(text))
    equal("the memory stands", stage.property(known, "status"), "active")
    lacks("no skill is drafted", "\n".join(stage.world.notes()), "/Skills/")


@case(broken_by=acting.INFERS_TOOLS, hard=True)
def a_rule_about_no_command_becomes_no_guardrail(stage: Stage) -> None:
    _says(stage, "Never use mutable default arguments.", "s1", "s2", "s3")
    equal("no tool is blocked", stage.stops("mutable", x=1), "")
    guards = stage.told_by("enforce", "list")["guardrails"]
    equal("there is no guardrail", guards, [])
