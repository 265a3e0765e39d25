"""What holds in one project is neither told nor enforced in another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("profile leakage")

TALK = "Always run the tide fixtures before the shop tests."


@case(broken_by=capturing.ONE_PROJECT)
def what_was_said_in_one_project_is_told_there_and_not_in_another(stage: Stage) -> None:
    shop, docs = stage.project("shop"), stage.project("docs")
    stage.session("s1", TALK, cwd=shop)
    holds("it is told in its project", stage.told("run the tests", cwd=shop), "tide fixtures")
    lacks("and not in another", stage.told("run the tests", cwd=docs), "tide fixtures")


@case(broken_by=capturing.ONE_PROJECT, hard=True)
def a_prompt_in_the_memorys_own_words_recalls_nothing_of_another_project(stage: Stage) -> None:
    shop, docs = stage.project("shop"), stage.project("docs")
    stage.session("s1", TALK, cwd=shop)
    stage.says("Write the docs in plain English.", "--scope", "project", "--project", "docs")
    told = stage.told(f"{TALK} For the project shop, I mean github.com/me/shop.", cwd=docs)
    holds("its own is told", told, "plain English")
    lacks("another's is not", told, "tide fixtures")


@case(broken_by=capturing.ONE_PROJECT, hard=True)
def a_guardrail_of_one_project_blocks_nothing_in_another(stage: Stage) -> None:
    shop, docs = stage.project("shop"), stage.project("docs")
    known = stage.writes(
        "Lessons",
        "Never run git add all.",
        category="lesson",
        scope="project",
        project="shop",
        trigger="bash_contains git add .",
        action="block",
    )
    equal("it is ratified", stage.person("ratify", known).code, 0)
    call = {"tool": "bash", "input": {"command": "git add ."}, "session": "next"}
    there = stage.pi.ask("tool_call", call="c1", cwd=str(shop), **call)
    true("it blocks in its project", there.get("block"))
    elsewhere = stage.pi.ask("tool_call", call="c2", cwd=str(docs), **call)
    true("and not in another", not elsewhere.get("block"))


@case(broken_by=capturing.ONE_PROJECT, hard=True)
def identity_pins_and_doubts_of_another_project_stay_there(stage: Stage) -> None:
    docs = stage.project("docs")
    pinned = stage.says(
        "Never rename the shop.", "--scope", "project", "--project", "shop", "--pin"
    )
    doubt = stage.says("The shop sells boats.", "--scope", "project", "--project", "shop")
    for words in (("contest", doubt["id"]),):
        equal("it is in doubt", stage.person(*words).code, 0)
    true("the other one is pinned", stage.property(pinned["id"], "pinned"))
    told = stage.told("rename the shop that sells boats", cwd=docs)
    lacks("neither is told", told, "rename the shop", "sells boats")
    holds("the report says which it left out", stage.report("--project", "shop"), "rename the shop")


@case(broken_by=capturing.QUESTIONS_EVERYWHERE)
def a_question_of_one_project_is_not_put_in_another(stage: Stage) -> None:
    from vaultmem.services.inquiries import ask

    shop, docs = stage.project("shop"), stage.project("docs")
    ask(stage.here.call().by_policy(), "Which port does the shop use?", project="shop")
    stage.pass_time(minutes=5)
    stage.here.sync()
    holds("it is put in its project", stage.told("the port", cwd=shop), "Which port")
    lacks("and not in another", stage.told("the port", cwd=docs), "Which port")
