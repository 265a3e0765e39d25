"""Which force a patch gives to a memory when a person applies it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.force import can_act, needs_force, renews
from vaultmem.core.model import Layer
from vaultmem.core.patch_rules import RULES

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation

_GUARDRAIL = frozenset(("trigger", "action", "verifier"))


def gives_force(
    operation: Operation,
    old: Memory | None,
    new: Memory,
    *,
    had_force: bool,
    ratified: bool,
) -> bool:
    """Whether the person who applies the operation signs for what the memory becomes.

    What could act goes on acting, and what the operation itself makes act is the person's choice. A
    change of something else gives no force to a memory that nobody reviewed.

    Args:
        operation: as the person applies it.
        old: the target before; None for a new memory.
        new: the memory after.
        had_force: whether a signed line covered `old`.
        ratified: whether the person ratified it in so many words, which L1 needs.
    """
    if not can_act(new):
        return False
    if new.layer is Layer.IDENTITY:
        return ratified and RULES[operation.op].in_force
    if old is None or had_force or not _GUARDRAIL.isdisjoint(operation.changes):
        return True
    if "rule" in operation.changes and not needs_force(new):
        return True
    return "pinned" in operation.changes and renews(None, new, had_force=False)
