"""Where a session is to be given no memory, it is given none, by no way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import showing
from tests.evals.case import category, equal, holds, lacks, true
from tests.index.fake import FakeEmbedder
from vaultmem.hooks.looking import keep_up

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("policy_only")

SAID = ("Use bun for local tests.", "Never push on Fridays.", "Ada prefers short answers.")
PROMPT = "do we use bun for local tests, push on Fridays, and does Ada like short answers?"


def _known(stage: Stage) -> None:
    stage.says(SAID[0])
    stage.says(SAID[1], "--pin")
    known = stage.writes("Identity", SAID[2], layer="L1")
    stage.pass_time(minutes=5)
    stage.person("ratify", known)


@case(broken_by=showing.ALWAYS_SCOPED)
def the_rules_of_use_are_told_and_no_statement(stage: Stage) -> None:
    _known(stage)
    holds("else they are", stage.told(PROMPT), *SAID)
    stage.set(retrieval_injection_mode="policy_only")
    told = stage.told(PROMPT, session="s2")
    lacks("no statement is told", told, *SAID)
    holds("but how to ask", told, "memory_search")


@case(broken_by=showing.ALWAYS_SCOPED, hard=True)
def a_vault_cannot_open_what_the_person_closed(stage: Stage) -> None:
    _known(stage)
    stage.allow(retrieval_injection_mode="policy_only")
    stage.set(retrieval_injection_mode="scoped")
    lacks("no statement is told", stage.told(PROMPT), *SAID)
    lacks("nor in a report", stage.report(), *SAID)


@case(broken_by=showing.ALWAYS_SCOPED, hard=True)
def changed_files_and_sub_agents_are_told_none_either(stage: Stage) -> None:
    path = "db/migrations/staging.sql"
    said = f"Files modified: {path}"
    stage.says(said)
    pi = stage.process(model=FakeEmbedder(dimension=256))
    keep_up(pi.here)
    pi.here.engine.embed()
    tools = [{"tool": "write", "call": "c1", "input": {"path": path, "content": "x"}}]
    scoped = pi.ask("turn_end", turn=0, tools=tools, session="before")
    holds("else they are", str(scoped["messages"]), said)
    stage.set(retrieval_injection_mode="policy_only")
    told = pi.ask("turn_end", turn=0, tools=tools, session="after")
    lacks("no reminder", str(told["messages"]), said)
    answer = pi.ask("before_agent_start", prompt=said, sub_agent=True, session="after")
    lacks("no sub-agent", str(answer["sections"]), said)


@case(broken_by=showing.COUNTS_NOTHING)
def wakeup_counts_and_tells_no_statement(stage: Stage) -> None:
    _known(stage)
    stage.agent("add", "Pin the compiler.", "--category", "lesson")
    stage.set(retrieval_injection_mode="wakeup")
    told = stage.told(PROMPT)
    holds("it counts", told, "3 memories are active", "1 candidate waits")
    lacks("and tells none", told, *SAID, "Pin the compiler")
    true("in few words", len(told) < 1_200)


@case(broken_by=showing.ALWAYS_SCOPED)
def every_memory_is_named_as_left_out(stage: Stage) -> None:
    _known(stage)
    stage.set(retrieval_injection_mode="policy_only")
    left = stage.told_by("report")["excluded"]
    equal("with the reason", {one["reason"] for one in left}, {"mode:policy_only"})
    equal("all three", len(left), 3)
