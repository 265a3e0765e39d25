"""Open questions reach the agent, few and the right ones, and end when they are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, keeping
from tests.evals.case import category, equal, holds, lacks, true
from vaultmem.services.inquiries import ask

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("inquiry surfacing")


def _ask(stage: Stage, *questions: str) -> list[str]:
    made = [str(ask(stage.here.call().by_policy(), one).id) for one in questions]
    stage.pass_time(minutes=5)
    stage.here.sync()
    return made


def _told(stage: Stage, prompt: str, session: str = "next") -> list[str]:
    return [line for line in stage.told(prompt, session=session).splitlines() if "- Which " in line]


@case(broken_by=keeping.EVERY_QUESTION)
def of_seven_questions_the_three_nearest_are_told(stage: Stage) -> None:
    colours = ("red", "blue", "green", "white", "black", "grey", "brown")
    _ask(stage, *(f"Which worker reads the {colour} queue?" for colour in colours))
    told = _told(stage, "does a worker read the brown, the white or the grey queue?")
    equal("three are told", len(told), 3)
    holds("and the right ones", "\n".join(told), "brown", "white", "grey")


@case(broken_by=keeping.EVERY_QUESTION, hard=True)
def what_was_answered_withdrawn_or_grew_stale_is_not_told(stage: Stage) -> None:
    first, second, _ = _ask(
        stage, "Which queue is fast?", "Which queue is slow?", "Which queue is old?"
    )
    note = stage.world.path("Memory/Inquiries")
    known = stage.says("The blue queue is fast.")
    equal("all are told", len(_told(stage, "which queue?")), 3)
    path = next(one for one in note.glob("*.md") if first in one.read_text())
    title = str(known["path"]).rpartition("/")[2].removesuffix(".md")
    path.write_text(path.read_text().replace("answer:", f'answer: "[[{title}]]"'))
    other = next(one for one in note.glob("*.md") if second in one.read_text())
    other.write_text(other.read_text().replace("status: open", "status: withdrawn"))
    stage.here.sync()
    told = "\n".join(_told(stage, "which queue?", "s2"))
    lacks("neither is told", told, "Which queue is fast", "Which queue is slow")
    holds("the open one is", told, "Which queue is old")
    stage.pass_time(days=400)
    equal("until it is stale", _told(stage, "which queue is old?", "s3"), [])


@case(broken_by=keeping.QUESTIONS_ANEW)
def the_same_question_in_another_session_is_one_note(stage: Stage) -> None:
    first = ask(stage.here.call().by_policy(), "Which queue is fast?", session="s1")
    again = ask(stage.here.call().by_policy(), "which  QUEUE is fast", session="s2")
    equal("it is the same one", again.id, first.id)
    equal("one note", len(list(stage.world.path("Memory/Inquiries").glob("*.md"))), 1)


@case(broken_by=keeping.NO_QUESTIONS, hard=True)
def an_ambiguous_correction_asks_and_the_decision_closes_the_question(stage: Stage) -> None:
    old = stage.says("Never publish on Fridays.")
    stage.session("s1", "No, always publish on Fridays.")
    holds("the person is asked", stage.told("publish on Friday"), "Which holds")
    (one,) = stage.inbox()
    stage.person("inbox", "reject", one["id"])
    stage.pass_time(minutes=10)
    stage.session("s2")
    equal("maintenance runs", stage.person("maintain", "run").code, 0)
    lacks("it is closed", stage.told("publish on Friday", session="s3"), "Which holds")
    true("the old one stands", stage.property(old["id"], "status") == "active")


@case(broken_by=capturing.SEES_NO_TOOLS, hard=True)
def an_answer_that_a_tool_writes_answers_nothing(stage: Stage) -> None:
    (one,) = _ask(stage, "Which queue is fast?")
    known = stage.says("The red queue is fast.")
    title = str(known["path"]).rpartition("/")[2].removesuffix(".md")
    folder = stage.world.path("Memory/Inquiries")
    path = next(place for place in folder.glob("*.md") if one in place.read_text())
    forged = path.read_text().replace("answer:", f'answer: "[[{title}]]"')
    stage.by_tool(lambda: path.write_text(forged))
    from vaultmem.services.inquiries import listed

    (kept,) = listed(stage.here.call())
    equal("nobody answered it", kept.inquiry.status.value, "open")
