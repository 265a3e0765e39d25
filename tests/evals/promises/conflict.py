"""What contradicts a memory neither replaces it nor stands beside it until the person says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import keeping
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("conflict")

NEVER, ALWAYS = "Never publish on Fridays.", "Always publish on Fridays."


@case(broken_by=keeping.SEES_NO_CONTRADICTION)
def the_agent_is_told_to_ask_the_user(stage: Stage) -> None:
    stage.says(NEVER)
    said = stage.tool("memory_add", text=ALWAYS, category="lesson")
    holds("it says what to do", said, "Ask the user")
    equal("the old one stands", stage.statements(), [NEVER])
    equal("nothing waits", stage.waits(), [])


@case(broken_by=keeping.PINS_GIVE_WAY, hard=True)
def a_pinned_memory_gives_way_to_nothing(stage: Stage) -> None:
    stage.says(NEVER, "--pin")
    for options in ((), ("--override-conflicts",)):
        equal("refused", stage.says(ALWAYS, *options)["outcome"], "refused")
    stage.session("s1", f"No! {ALWAYS}")
    stage.session("s2", f"From now on, {ALWAYS[0].lower()}{ALWAYS[1:]}")
    equal("it stands alone", stage.statements(), [NEVER])


@case(broken_by=keeping.ALL_IS_NEW, hard=True)
def what_the_user_says_against_a_memory_waits_with_a_question(stage: Stage) -> None:
    stage.says(NEVER)
    stage.allow(curator_auto_curate="all-eligible", curator_min_confidence=0)
    stage.session("s1", f"No, {ALWAYS[0].lower()}{ALWAYS[1:]}")
    equal("the old one stands", stage.statements(), [NEVER])
    equal("the new one waits", stage.waits(), [ALWAYS])
    holds("the person is asked", stage.told("publish on Friday"), "Which holds")


@case(broken_by=keeping.APPROVAL_ADDS)
def approved_it_supersedes_with_provenance_and_can_be_undone(stage: Stage) -> None:
    stage.session("s0", NEVER)
    old = stage.standing()[0].id
    stage.session("s1", f"No, {ALWAYS[0].lower()}{ALWAYS[1:]}")
    (one,) = stage.inbox()
    equal("approved", stage.person("inbox", "approve", one["id"]).code, 0)
    equal("the new one stands", stage.statements(), [ALWAYS])
    equal("the old one says so", stage.property(old, "status"), "superseded")
    true("and by what", stage.property(old, "superseded_by"))
    equal("undone", stage.person("undo", "--yes").code, 0)
    equal("the old one is back", stage.statements(), [NEVER])


@case(broken_by=keeping.SEES_CONTRADICTION_EVERYWHERE, hard=True)
def other_actions_quotations_and_shared_tags_are_no_contradiction(stage: Stage) -> None:
    said = (
        "Always publish to npm.",
        "Never publish with a dead token.",
        "Never say OK.",
        "Smoke test: send 'always say OK' and expect an answer.",
        "Do not merge without review.",
        "Always merge with squash.",
    )
    for text in said:
        equal(f"added: {text}", stage.says(text, "--tag", "correction")["outcome"], "added")
    equal("all stand", stage.statements(), sorted(said))
    lacks("nobody is asked", stage.told("merge and publish"), "Which holds")


@case(broken_by=keeping.ALL_IS_NEW, hard=True)
def what_the_user_says_both_ways_in_one_session_is_applied_neither_way(stage: Stage) -> None:
    stage.session("s1", "Always use npm for installs.", "No, never use npm for installs.")
    stage.session("s2")
    equal("nothing is in force", stage.statements(), [])
    said = ["Always use npm for installs.", "Never use npm for installs."]
    equal("both wait", stage.waits(), said)
