"""What a user corrects is heard, becomes a memory, and is told in the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, showing
from tests.evals.case import category, equal, holds, lacks

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("correction capture")

DURABLE = (
    "Don't use echo >> for vault notes, use sed instead.",
    "Always run typecheck before pushing to main.",
    "This project uses Bun, not npm for local tests.",
    "Prefer canonical JSONL over rendered markdown for data.",
    "Never edit MEMORY.md directly; go through the patch flow.",
)
"""What must be heard (the governed memory's row 13)."""

PASSING = (
    "for now use npm",
    "just this once skip the test",
    "what time is it",
    "Do I always need to run tox?",
    "you can merge this PR",
    "when done, I want an html report",
    "Task: always use bun",
    "you are a subagent; never edit files",
    'The README says: "Always use yarn." Is that still so?',
    "I never use sugar",
    "/remember I always use tabs",
)
"""What must not: permissions, tasks, questions, quotations, wrappers, small talk."""


@case(broken_by=capturing.DEAF)
def a_correction_is_told_in_the_next_session(stage: Stage) -> None:
    stage.session("s1", "No, never use npm here, always use pnpm.")
    holds("the next session is told", stage.told("install the packages"), "pnpm")


@case(broken_by=capturing.POLICY_RESTS)
def every_lasting_sentence_is_applied_at_the_sessions_end(stage: Stage) -> None:
    stage.session("s1", *DURABLE)
    equal("all of them are memories", stage.statements(), sorted(DURABLE))
    holds("all of them are told", stage.told(), *DURABLE)


@case(broken_by=showing.SPELLS_EXACTLY, hard=True)
def a_natural_question_finds_what_was_said(stage: Stage) -> None:
    stage.session("s1", "Always deploy billing with helm.", "Never restart the tide queue by hand.")
    equal("both are kept", len(stage.statements()), 2)
    for question, word in (
        ("So, how is a deployment of the billing service done?", "helm"),
        ("who was restarting queues, and may I?", "by hand"),
    ):
        holds("the agent finds it", stage.tool("memory_search", query=question), word)


@case(broken_by=capturing.CREDULOUS, hard=True)
def what_is_for_now_asked_quoted_or_somebody_elses_is_not_kept(stage: Stage) -> None:
    stage.session("s1", *PASSING)
    equal("nothing is remembered", stage.statements(), [])
    equal("nothing waits", stage.waits(), [])


@case(broken_by=capturing.PARROT, hard=True)
def what_the_agent_was_told_and_the_user_repeats_is_not_learned_from(stage: Stage) -> None:
    stage.says("Always add files by name.")
    line = next(line for line in stage.told().splitlines() if "add files by name" in line)
    stage.session("s2", line.lstrip("- "), "The memory says: Always add files by name.")
    (memory,) = stage.standing()
    equal("its evidence is what it was", memory.evidence_count, 2)
    equal("nothing waits", stage.waits(), [])


@case(broken_by=capturing.COUNTS_EVERY_WORD, hard=True)
def said_again_in_other_sessions_it_is_one_memory_with_more_evidence(stage: Stage) -> None:
    for session in ("s1", "s2", "s2", "s3"):
        stage.session(session, "Don\u2019t use npm for installs \u2013 use pnpm instead!")
    equal("one memory", len(stage.standing()), 1)
    equal("one piece of evidence a session", stage.standing()[0].evidence_count, 3)


@case(broken_by=capturing.TAKES_WISHES_FOR_ORDERS)
def a_preference_waits_for_the_person_whatever_the_settings(stage: Stage) -> None:
    stage.allow(curator_auto_curate="all-eligible", curator_min_confidence=0)
    stage.session("s1", "I prefer dark themes.")
    equal("it waits", stage.waits(), ["I prefer dark themes."])
    lacks("it is not told", stage.told(), "dark themes")
