"""Explain a report: what would become of every memory in it, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Context
from vaultmem.core.explain import Explanation, explain
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.report import situation

if TYPE_CHECKING:
    from vaultmem.core.report import Report
    from vaultmem.services.call import Call


class Explained(NamedTuple):
    """A report that nobody was told, and what became of every memory in it."""

    report: Report
    explanation: Explanation


def explained(
    call: Call,
    *,
    project: str = "",
    prompt: str = "",
    budget: int | None = None,
    session: str = "",
) -> Explained:
    """Make the report that `report` would make for the same words, and explain it.

    It counts as no use of a memory. An agent that asks is told what it was shown, so that nothing
    is learned from it again. The arguments are those of `report`.
    """
    made = situation(call, Context(call.seconds, project, prompt, session=session), budget)
    found = explain(made, call.vault.baseline.standings(), now=call.seconds)
    if call.agent is not None:
        remember_shown(call, [one.statement for one in found.told])
        remember_shown(call, [one.statement for one in found.left_out])
    return Explained(made, found)
