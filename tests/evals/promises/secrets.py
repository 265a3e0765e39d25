"""No secret reaches a note, the index, a log or a model, by whichever way it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.core.fakes import fake
from tests.evals.broken import showing
from tests.evals.case import category, equal, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("secrets")

TOKEN = "gh" + "p_" + fake(36)
KEY = "sk-" + "proj-" + fake(40)


@case(broken_by=showing.SEES_NO_SECRETS)
def a_statement_with_a_secret_is_refused_from_everybody(stage: Stage) -> None:
    done = stage.person("add", f"Always use token {TOKEN}", "--category", "lesson", "--json")
    equal("the person's", done.json["outcome"], "refused")
    stage.tool("memory_add", text=f"Always use key {KEY}", category="lesson")
    stage.session("s1", f"Always use the token {TOKEN} for releases.")
    equal("nothing is in force", stage.statements(), [])
    equal("nothing waits", stage.waits(), [])
    equal("no file holds it", stage.files(TOKEN, KEY), [])


@case(broken_by=showing.SEES_NO_SECRETS, hard=True)
def the_log_the_scratchpad_and_notes_of_the_agent_keep_none(stage: Stage) -> None:
    stage.tool("memory_write", target="daily", content=f"#decision We deploy with {TOKEN}.")
    stage.tool("scratchpad", op="add", text=f"Try {KEY} again")
    stage.tool("memory_add_note", title="release", content=f"The key is {KEY}.")
    known = stage.says("Add files by name.")["id"]
    stage.told("files")
    stage.tool("memory_reinforce", id=known, note=f"It worked with {TOKEN}.")
    equal("no file holds it", stage.files(TOKEN, KEY), [])


@case(broken_by=showing.SEES_NO_SECRETS, hard=True)
def a_secret_that_is_hidden_between_characters_nobody_sees_is_found(stage: Stage) -> None:
    hidden = TOKEN[:8] + "\u200b" + TOKEN[8:20] + "\u2060" + TOKEN[20:]
    done = stage.person("add", f"Always use {hidden}", "--category", "lesson", "--json")
    equal("it is refused", done.json["outcome"], "refused")
    equal("no file holds it", stage.files(TOKEN, hidden), [])


@case(broken_by=showing.SEES_NO_SECRETS, hard=True)
def one_that_is_written_into_a_candidate_is_never_approved(stage: Stage) -> None:
    done = stage.agent("add", "Use the staging host.", "--category", "lesson", "--json").json
    stage.world.replace(done["path"], "staging host", f"staging host with {TOKEN}")
    stage.world.replace(done["path"], "decision:", "decision: approve")
    stage.here.sync()
    equal("nothing is in force", stage.statements(), [])
    true("nor by command", stage.person("inbox", "approve", done["id"]).code != 0)


@case(broken_by=showing.SEES_NO_SECRETS, hard=True)
def one_in_a_note_of_the_persons_is_held_and_told_to_nobody(stage: Stage) -> None:
    stage.world.memory("Memory/Lessons/Host.md", f"The host takes {TOKEN}.", category="lesson")
    stage.here.sync()
    equal("it is not in force", stage.statements(), [])
    lacks(
        "the agent is not told", stage.told(f"which token does the host take? {TOKEN[:6]}"), TOKEN
    )
    lacks("nor by a search", stage.tool("memory_search", query="host takes"), TOKEN)
    done = stage.person("doctor", "--diagnostics", "--json")
    lacks("nor by a finding", done.out, TOKEN)
    true("which there is", done.json["findings"])
