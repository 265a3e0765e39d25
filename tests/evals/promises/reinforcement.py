"""What strengthens and weakens a memory is the user's word, counted once, and never silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, governing
from tests.evals.case import category, equal, holds, lacks, true
from vaultmem.core.citation import TAG

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("reinforcement")

BUN, DOCS = "Use bun for local tests.", "Write the docs in plain English."
AGAINST = "No, do not use bun for local tests."


def _planned(stage: Stage) -> dict[str, bool]:
    """What maintenance would propose now: the kind of operation, and whether it is ticked."""
    return {one["op"]: one["selected"] for one in stage.told_by("maintain", "list")["planned"]}


def _cites(stage: Stage, identifier: str, session: str) -> None:
    """A session in which the memory is told, and the reply says that it used it."""
    stage.told("how do I run the local tests with bun?", session=session)
    text = f"I ran the local tests with bun; they pass.\n<{TAG}>\n{identifier}\n</{TAG}>"
    stage.pi.ask("message_end", role="assistant", text=text, session=session)
    stage.pi.ask("session_shutdown", reason="quit", session=session)
    stage.pi.settle()


@case(broken_by=capturing.COUNTS_EVERY_WORD, hard=True)
def the_agents_own_word_counts_once_a_session_and_toward_no_promotion(stage: Stage) -> None:
    known = stage.says(BUN)["id"]
    stage.told("which runner for local tests?")
    before = stage.standing()[0].evidence_count
    for _ in range(4):
        stage.tool("memory_reinforce", id=known)
    equal("it counts once", stage.standing()[0].evidence_count, before + 1)
    equal("and proves nothing", stage.told_by("promote", "list")["promotions"], [])


@case(broken_by=governing.SHOWN_OR_NOT, hard=True)
def the_agent_strengthens_only_what_it_was_shown(stage: Stage) -> None:
    known = stage.says(BUN)["id"]
    before = stage.standing()[0].evidence_count
    stage.tool("memory_reinforce", id=known)
    equal("nothing counts", stage.standing()[0].evidence_count, before)


@case(broken_by=governing.SILENCE_CONFIRMS, hard=True)
def five_silent_successes_make_nothing_stable(stage: Stage) -> None:
    known = stage.says(BUN)["id"]
    for number in range(5):
        _cites(stage, known, f"s{number}")
    use = stage.told_by("report", "--telemetry")
    true("the use was counted", str(known) in str(use))
    lacks("nothing is proposed", list(_planned(stage)), "update_stability")


@case(broken_by=governing.NO_CORRECTION_IS_NEAR)
def two_corrections_ask_for_a_review_and_suggest_a_doubt_unticked(stage: Stage) -> None:
    stage.says(BUN)
    for session in ("s1", "s2"):
        stage.told("which runner for local tests?", session=session)
        stage.session(session, AGAINST)
    found = _planned(stage)
    holds("both are proposed", list(found), "contest", "flag_for_review")
    equal("the doubt is not ticked", found["contest"], False)
    true("the memory stands", BUN in stage.statements())


@case(broken_by=governing.FIRST_OF_MANY, hard=True)
def a_correction_that_could_mean_two_memories_weakens_neither(stage: Stage) -> None:
    stage.says("Use bun for the local tests of the shop.")
    stage.says("Use bun for the local tests of the docs.")
    stage.told("which runner for the local tests?", session="s1")
    stage.session("s1", "No, do not use bun for the local tests.")
    lacks("nothing is proposed", list(_planned(stage)), "flag_for_review", "update_stability")


@case(broken_by=governing.KEEPS_CITATIONS)
def a_citation_is_counted_and_never_shown(stage: Stage) -> None:
    known = stage.says(BUN)["id"]
    stage.told("which runner for local tests?", session="s1")
    text = f"Done.\n\n<{TAG}>\n{known}\n</{TAG}>"
    answer = stage.pi.ask("message_end", role="assistant", text=text, session="s1")
    equal("the block is gone", answer.get("text"), "Done.")
