"""Advice on a guardrail as this machine would run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.rule import Action, read_action
from vaultmem.core.enforcement.trigger_advice import advise
from vaultmem.core.finding import finding, printable
from vaultmem.store.linear_pattern import search

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call


def advice_on(
    call: Call, trigger: str | None, action: str | None, verifier: str | None = None
) -> tuple[Finding, ...]:
    """What is wrong with a guardrail, and whether its command may run here.

    Args:
        call: the circumstances.
        trigger: as the note has it, likewise the others.
        action: what to do.
        verifier: what to check at the end of a turn.
    """
    found = advise(trigger, action, verifier, search=search)
    does, command = read_action(action or "")
    if does is not Action.RUN_AFTER:
        return found
    from vaultmem.core.enforcement.command import why_not_run  # few memories run anything

    why = why_not_run(command, call.vault.run_after)
    if not why:
        return found
    message = f"`{printable(command)}` never runs. {why}"
    return (*found, finding("VM920", message))
