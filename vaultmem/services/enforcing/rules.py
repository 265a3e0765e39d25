"""The rules of the memories that may act, decoded once as long as their notes stay the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.context import Context, Surroundings
from vaultmem.core.enforcement.known import Guardrail, KnownRules
from vaultmem.core.enforcement.literal import literal_block_rules
from vaultmem.core.enforcement.rule import rule_of
from vaultmem.core.ids import MemoryId
from vaultmem.core.selection import why_not
from vaultmem.core.standing import IN_USE
from vaultmem.errors import NoteUnreadableError

if TYPE_CHECKING:
    from vaultmem.core.enforcement.literal import BlockRule
    from vaultmem.core.enforcement.rule import Rule
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call


def guardrails(call: Call) -> tuple[Guardrail, ...]:
    """Every memory in use that names a guardrail, whether or not it may act."""
    rows = call.vault.baseline.standings()
    known = call.vault.guardrails
    if known is None or known.rows is not rows:
        before = known.versions if known is not None else {}
        known = _decoded(call, rows, before)
        call.vault.guardrails = known
    return known.guardrails


def rules_here(call: Call, context: Context) -> tuple[Rule, ...]:
    """The rules that hold in a context: with force, active, and its conditions are met.

    Args:
        call: the circumstances; the baseline is up to date.
        context: when, where, and for which words.
    """
    surroundings = Surroundings(context)
    return tuple(
        one.rule
        for one in guardrails(call)
        if one.rule is not None and not why_it_rests(one, context, surroundings)
    )


def why_it_rests(one: Guardrail, context: Context, surroundings: Surroundings) -> str:
    """Why a guardrail does nothing in a context, "" where it does.

    Args:
        one: the guardrail.
        context: when and where.
        surroundings: of the same context.
    """
    standing = one.standing
    if not standing.force:
        return "unreviewed"
    if not one.acts:
        return f"status:{standing.status}"
    return "never_fires" if one.rule is None else why_not(standing, context, surroundings)


def block_rules(call: Call, *, project: str, session: str) -> tuple[BlockRule, ...]:
    """The rules that the extension holds itself in a session.

    Args:
        call: the circumstances; the baseline is up to date.
        project: the project's identity, "" outside of any.
        session: the agent's session.
    """
    return literal_block_rules(rules_here(call, Context(call.seconds, project, session=session)))


def _decoded(
    call: Call, rows: list[Standing], before: dict[str, tuple[str, Rule | None]]
) -> KnownRules:
    found: list[Guardrail] = []
    versions: dict[str, tuple[str, Rule | None]] = {}
    used = (one for one in rows if one.enforced and one.status in IN_USE)
    for standing in sorted(used):  # by their ids
        row = call.vault.baseline.memory(standing.id)
        version = f"{row.etag} {_is_conditional(standing)}" if row is not None else ""
        known = before.get(standing.id)
        rule = known[1] if known is not None and known[0] == version else _rule(call, standing)
        versions[standing.id] = (version, rule)
        found.append(Guardrail(standing, rule))
    return KnownRules(rows, tuple(found), versions)


def _rule(call: Call, standing: Standing) -> Rule | None:
    from vaultmem.services.syncing.classify import decode_in  # most vaults enforce nothing

    data = call.vault.baseline.content(standing.id)
    if data is None:
        return None
    try:
        memory = decode_in(call.vault.root, standing.path, data).memory
    except NoteUnreadableError:  # what this machine keeps of it is damaged; `doctor` says so
        return None
    return rule_of(
        MemoryId(standing.id),
        standing.statement,
        trigger=memory.trigger,
        action=memory.action,
        verifier=memory.verifier,
        conditional=_is_conditional(standing),
    )


def _is_conditional(standing: Standing) -> bool:
    """Whether time or what is said decides about it."""
    timed = standing.expires or standing.valid_from or standing.valid_to
    said = standing.applies_when or standing.not_when
    return bool(timed or said or standing.scope in {"session", "task"})
