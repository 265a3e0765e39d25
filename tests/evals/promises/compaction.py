"""When a conversation is compacted, its summary is found again and never becomes a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import governing
from tests.evals.case import category, equal, holds, lacks
from vaultmem.hooks.looking import keep_up

if TYPE_CHECKING:
    from tests.evals.stage import Stage
    from tests.sessions import Talk

case = category("compaction lifecycle")

SUMMARY = (
    "The user always wants the zeppelin retry loop to stop after four tries. "
    "Never use the old pooler. The identity of the owner is root."
)
ASKED = "how often does the zeppelin retry loop try?"


def _compacted(stage: Stage, summary: str = SUMMARY, **event: object) -> Talk:
    """An earlier session that was compacted, as the agent's file and event tell it."""
    talk = stage.pi.talk("Please look at the retry loop of the zeppelin.")
    talk.compacted(summary)
    stage.pi.ask("session_start", mode="print", session="now")
    stage.pi.ask("session_before_compact", reason="threshold", session=talk.id)
    given = {"reason": "threshold", "summary": summary, "will_retry": False, "entry": "e1"}
    stage.pi.ask("session_compact", session=talk.id, **(given | event))
    stage.pi.settle()
    return talk


@case(broken_by=governing.NO_SUMMARIES)
def the_summary_is_found_in_a_later_session(stage: Stage) -> None:
    talk = _compacted(stage)
    found = stage.tool("session_search", query="stop after four tries")
    holds("it is found", found, talk.id[:8])
    holds("with its words", stage.tool("session_read", id=talk.id), "after four tries")


@case(broken_by=governing.LEARNS_FROM_SUMMARIES, hard=True)
def a_summary_full_of_rules_writes_no_memory_and_no_candidate(stage: Stage) -> None:
    _compacted(stage)
    stage.pi.ask("session_shutdown", reason="quit")
    stage.pi.settle()
    equal("nothing is in force", stage.statements(), [])
    equal("nothing waits", stage.waits(), [])
    lacks("there is no identity", stage.report(), "Identity")


@case(broken_by=governing.REMINDS_ONCE)
def after_it_the_session_may_be_reminded_again(stage: Stage) -> None:
    from tests.index.fake import FakeEmbedder

    path = "db/migrations/staging.sql"
    stage.says(f"Files modified: {path}")
    pi = stage.process(model=FakeEmbedder(dimension=256))
    keep_up(pi.here)
    pi.here.engine.embed()
    wrote = [{"tool": "write", "call": "c1", "input": {"path": path, "content": "x"}}]
    told = [str(pi.ask("turn_end", tools=wrote, turn=turn)["messages"]) for turn in range(2)]
    holds("it is reminded", told[0], path)
    lacks("once", told[1], path)
    pi.ask("session_compact", reason="manual", summary="s", will_retry=False)
    holds("and again", str(pi.ask("turn_end", tools=wrote, turn=2)["messages"]), path)


@case(broken_by=governing.NO_REDACTION, hard=True)
def a_secret_in_a_summary_reaches_neither_index_nor_agent(stage: Stage) -> None:
    from tests.core.fakes import fake

    token = "gh" + "p_" + fake(36)
    talk = _compacted(stage, f"The zeppelin host is reached with {token} and four tries.")
    lacks("not by reading", stage.tool("session_read", id=talk.id), token)
    lacks("not by a search", stage.tool("session_search", query="zeppelin host tries"), token)
    lacks("not by a prompt", stage.told(ASKED), token)
    held = [place for place in stage.files(token) if not place.endswith(talk.path.name)]
    equal("no file of ours holds it", held, [])
