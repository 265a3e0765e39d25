"""What was ratified is enforced before a tool runs, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import acting, capturing
from tests.evals.case import category, equal, holds, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("enforcement")

SAYS = "Never run git add all."
NOTE = "Memory/Lessons/Never run git add all.md"


def _guard(stage: Stage, statement: str = SAYS, **properties: object) -> str:
    usual = {"category": "lesson", "trigger": "bash_contains git add .", "action": "block"}
    known = stage.writes("Lessons", statement, **(usual | properties))
    stage.pass_time(minutes=5)
    equal("it is ratified", stage.person("ratify", known).code, 0)
    return known


@case(broken_by=acting.GUARDS_NOTHING)
def a_ratified_rule_blocks_with_its_reason(stage: Stage) -> None:
    _guard(stage)
    holds("it says why", stage.stops("bash", command="git add . && git commit"), SAYS)
    equal("another command runs", stage.stops("bash", command="git add src/a.py"), "")


@case(broken_by=acting.MATCHES_LITERALLY, hard=True)
def a_blocked_command_is_known_however_it_is_dressed_up(stage: Stage) -> None:
    _guard(stage)
    dressed = (
        "sudo bash -c 'cd x && git add .'",
        "git  add   .",
        "FOO=1 git add .",
        "git add '.'",
        "echo ok; (git add .)",
    )
    for line in dressed:
        true(f"blocked: {line}", stage.stops("bash", command=line))
    true("a sub-agent's task", stage.stops("subagent", task="Stage it with git add . please"))
    equal("a word in a message is none", stage.stops("bash", command="echo 'git added .'"), "")


@case(broken_by=capturing.FORCE_FOR_ALL, hard=True)
def a_rule_that_nobody_ratified_or_that_was_changed_since_blocks_nothing(stage: Stage) -> None:
    properties = {"trigger": "bash_contains git push", "action": "block", "category": "lesson"}
    stage.writes("Lessons", "Never push.", **properties)
    equal("not ratified", stage.stops("bash", command="git push"), "")
    _guard(stage)
    stage.world.replace(NOTE, "git add .", "git pull")
    stage.here.sync()
    equal("changed since", stage.stops("bash", command="git pull"), "")


@case(broken_by=capturing.SEES_NO_TOOLS, hard=True)
def a_tool_cannot_switch_a_rule_off_by_its_note(stage: Stage) -> None:
    _guard(stage)
    stage.by_tool(lambda: stage.world.replace(NOTE, "action: block", "action: warn"))
    true("it blocks", stage.stops("bash", command="git add ."))
    stage.by_tool(lambda: stage.world.path(NOTE).unlink())
    true("without its note too", stage.stops("bash", command="git add ."))


@case(broken_by=acting.GUARDS_NO_PLACES, hard=True)
def the_agents_tools_reach_neither_notes_nor_the_persons_verbs(stage: Stage) -> None:
    known = str(stage.says("Add files by name.")["id"])
    note = stage.world.vault / "Memory/Identity/Me.md"
    tries = (
        ("write", {"path": str(note), "content": "x"}),
        ("edit", {"path": "Memory/../memory/Settings.md"}),
        ("bash", {"command": f"echo x > {note}"}),
        ("bash", {"command": f"vaultmem ratify {known}"}),
        ("bash", {"command": f"env -u AI_AGENT vaultmem pin {known}"}),
        ("bash", {"command": f"rm -r {stage.here.home}/state"}),
    )
    for tool, given in tries:
        true(f"stopped: {given}", stage.stops(tool, **given))
    equal("reading elsewhere is free", stage.stops("bash", command="cat README.md"), "")


@case(broken_by=acting.RUNS_ANYTHING, hard=True)
def what_runs_after_a_tool_is_on_the_persons_list_alone(stage: Stage) -> None:
    mark = stage.world.vault / "ran"
    _guard(
        stage,
        "Touch a file after deploys.",
        trigger="tool_name deploy",
        action=f"run_after touch {mark}",
    )
    stage.set(run_after=f"[touch {mark}]")
    call = {"tool": "deploy", "call": "c1", "text": "Deployed.", "input": {}}
    stage.pi.ask("tool_result", **call)
    stage.pi.settle()
    true("the vault's word is not enough", not mark.exists())
