"""Every guardrail that a memory names: what it does here, or why it does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Context, Surroundings
from vaultmem.core.enforcement.literal import literal_block_rules
from vaultmem.core.finding import finding
from vaultmem.core.ids import short_id
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.enforcing.advice import advice_on
from vaultmem.services.enforcing.rules import guardrails, why_it_rests

if TYPE_CHECKING:
    from vaultmem.core.enforcement.known import Guardrail
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call


class Listed(NamedTuple):
    """One memory that names a guardrail.

    Attributes:
        id: the memory's.
        path: its note.
        statement: what it says.
        trigger: what is looked for, "" for none that can be met.
        action: what is done then, with the command of a `run_after`; "" likewise.
        verifier: what is checked at the end of a turn, "" for nothing.
        acts: whether it enforces anything in this project now.
        why: why it does not, "" where it does: a word, or `word:detail`.
        literal: whether the extension holds it by itself, also while nothing answers.
        findings: what is wrong with it.
    """

    id: str
    path: str
    statement: str
    trigger: str
    action: str
    verifier: str
    acts: bool
    why: str
    literal: bool
    findings: tuple[Finding, ...]


def list_guardrails(call: Call, *, project: str = "") -> tuple[Listed, ...]:
    """The guardrails of all memories in force, those that act first, each group by statement.

    Args:
        call: the circumstances; the baseline is up to date.
        project: the project's identity, for which `acts` holds.
    """
    context = Context(call.seconds, project)
    surroundings = Surroundings(context)
    listed = [
        _listed(call, one, why_it_rests(one, context, surroundings)) for one in guardrails(call)
    ]
    if call.agent is not None:
        remember_shown(call, [one.statement for one in listed])
    return tuple(sorted(listed, key=lambda one: (not one.acts, one.statement, one.id)))


def _listed(call: Call, one: Guardrail, why: str) -> Listed:
    standing, rule = one
    trigger = str(rule.trigger) if rule is not None and rule.trigger else ""
    action = ""
    if rule is not None and rule.action is not None:
        action = f"{rule.action.value} {rule.command}".rstrip()
    verifier = str(rule.verifier) if rule is not None and rule.verifier else ""
    found = list(advice_on(call, trigger, action, verifier))
    if not standing.force:
        remedy = f"Look at it, then run `vaultmem ratify {short_id(standing.id)}`."
        found.append(finding("VM330", path=standing.path, remedy=remedy))
    return Listed(
        id=standing.id,
        path=standing.path,
        statement=standing.statement,
        trigger=trigger,
        action=action,
        verifier=verifier,
        acts=not why,
        why=why,
        literal=not why and rule is not None and bool(literal_block_rules([rule])),
        findings=tuple(found),
    )
