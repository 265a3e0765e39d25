"""What an agent is told about the rules that it met; memory text is one harmless line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.report_line import plain_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.enforcement.rule import Rule
    from vaultmem.core.enforcement.turn import Failure

BLOCKED = "vaultmem: not run, because of a rule of the user's: "
"""How the reason for a call that is blocked begins."""
_INSTEAD = " Do it in another way that keeps to the rule, or ask the user."
_WARNED = "vaultmem: a rule of the user's is about what was just done:"
_HEED = "Keep to it from here on, and mend what was done against it."
_FAILED = "vaultmem: a rule of the user's was not kept in this turn:"
_RETRY = (
    "Make up for it now: call the tool, then do again, or undo, what should have come after it. "
    "If that cannot be done, tell the user."
)
_TASKS = "vaultmem: the last prompt asked for work, no tool was called, and this is still open:"
_GO_ON = "Do it when the user wants it; what they say next goes first."
TASKS = 3
"""Open tasks that are named; from the topic-file memory, §5."""


def rule_line(rule: Rule) -> str:
    """A rule as a line that can be cited."""
    return f"{plain_line(rule.statement)} [{short_id(rule.memory_id)}]"


def block_reason(rule: Rule) -> str:
    """Why a call was blocked, and what to do instead; one line."""
    return f"{BLOCKED}{rule_line(rule)}{_INSTEAD}"


def warning(rules: Iterable[Rule]) -> str:
    """What is added to a result for these rules; "" for none."""
    lines = [f"- {rule_line(rule)}" for rule in rules]
    return "\n".join((_WARNED, *lines, _HEED)) if lines else ""


def retry_message(failures: Sequence[Failure], tools: Sequence[str] | None = None) -> str:
    """The message that asks for another turn; "" where nothing failed.

    Args:
        failures: what was not kept.
        tools: the names of the tools that the agent has, None where that is not known.
    """
    lines: list[str] = []
    for one in failures:
        lines.append(f"- {rule_line(one.rule)}: `{plain_line(one.command)}` was run without")
        lines[-1] += f" `{plain_line(one.tool)}` before it."
        if tools is not None and one.tool not in tools:
            lines[-1] += " There is no such tool here: ask the user in your reply instead."
    return "\n".join((_FAILED, *lines, _RETRY)) if lines else ""


def focus_message(tasks: Sequence[str]) -> str:
    """What reminds of open tasks; "" for none."""
    if not tasks:
        return ""
    lines = [f"- {plain_line(task)}" for task in tasks[:TASKS]]
    more = [f"- … and {len(tasks) - TASKS} more"] if len(tasks) > TASKS else []
    return "\n".join((_TASKS, *lines, *more, _GO_ON))
