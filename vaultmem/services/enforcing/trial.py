"""Try what the rules would say to a call of a tool; nothing runs, and nothing is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Surroundings
from vaultmem.core.enforcement.command import why_not_run
from vaultmem.core.enforcement.contains import contains
from vaultmem.core.enforcement.rule import Action
from vaultmem.core.enforcement.tool_call import read_call
from vaultmem.core.enforcement.wording import block_reason, warning
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.enforcing.check import context_of, met_of
from vaultmem.services.enforcing.rules import guardrails, why_it_rests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vaultmem.core.enforcement.rule import Rule
    from vaultmem.services.call import Call

VERIFY = "verify"
"""What a verifier does: it is checked at the end of the turn."""
REFUSE = "refuse"
"""What a `run_after` does whose command this machine does not allow."""


class Met(NamedTuple):
    """A rule that a call meets.

    Attributes:
        id: the memory's.
        statement: what it says.
        trigger: what was looked for, or the verifier.
        does: a value of `Action`, `VERIFY` or `REFUSE`.
        why: why nothing comes of it here, "" where something does: as `Listed.why`.
    """

    id: str
    statement: str
    trigger: str
    does: str
    why: str


class Trial(NamedTuple):
    """What the rules would say.

    Attributes:
        tool: the tool.
        blocked: whether it would not run.
        reason: what the agent would be told then, else "".
        append: the warnings that its result would carry, "" for none.
        met: every rule that it meets, those from which something comes first.
    """

    tool: str
    blocked: bool
    reason: str
    append: str
    met: tuple[Met, ...]


def try_call(
    call: Call,
    tool: str,
    given: Mapping[str, object],
    *,
    cwd: Path,
    project: str = "",
    prompt: str = "",
    changed: Sequence[str] = (),
) -> Trial:
    """What the rules would say to a call of a tool, those that may not act included.

    Args:
        call: the circumstances; the baseline is up to date.
        tool: its name.
        given: its input.
        cwd: the working folder.
        project: the project's identity.
        prompt: what the user would have asked, for the conditions of memories.
        changed: files that would change, beside those that its input names.
    """
    what = read_call(tool, given)
    what = what._replace(files=(*what.files, *changed))
    context = context_of(call, what, project=project, prompt=prompt)
    surroundings = Surroundings(context)
    known = guardrails(call)
    rests = {one.standing.id: why_it_rests(one, context, surroundings) for one in known}
    rules = [one.rule for one in known if one.rule is not None]
    found = [one.rule for one in met_of(rules, what, cwd)]
    acting = [rule for rule in found if not rests[rule.memory_id]]
    met = [_met(call, rule, rests[rule.memory_id]) for rule in found]
    met += [
        Met(rule.memory_id, rule.statement, str(rule.verifier), VERIFY, rests[rule.memory_id])
        for rule in rules
        if rule.verifier and what.command and contains(rule.verifier.command, what.command)
    ]
    if call.agent is not None:
        remember_shown(call, [one.statement for one in met])
    blocking = [rule for rule in acting if rule.does(Action.BLOCK)]
    return Trial(
        tool,
        bool(blocking),
        "\n".join(map(block_reason, blocking)),
        "" if blocking else warning(rule for rule in acting if rule.does(Action.WARN)),
        tuple(sorted(met, key=lambda one: bool(one.why))),
    )


def _met(call: Call, rule: Rule, why: str) -> Met:
    does = "" if rule.action is None else rule.action.value
    if rule.does(Action.RUN_AFTER) and why_not_run(rule.command, call.vault.run_after):
        does = REFUSE
    return Met(rule.memory_id, rule.statement, str(rule.trigger), does, why)
