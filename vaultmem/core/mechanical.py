"""Whether an operation only makes a guardrail of what its memory says word for word.

That is the one way in which policy may let a memory act (DESIGN §5, Promotion): trigger and action
are those that the statement spells out, the runtime can match them, and the action is to block or
to warn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.force import needs_force
from vaultmem.core.model import Category, Layer, Status
from vaultmem.core.operation import Op

if TYPE_CHECKING:
    from vaultmem.core.inference import Guardrail
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation

ENFORCED_CATEGORIES = frozenset((Category.LESSON, Category.MISTAKE, Category.PREFERENCE))
"""Categories whose memories can become guardrails; from the topic-file memory, §11."""

_ALONE = frozenset(("block", "warn"))
"""Actions that policy may let happen; `run_after` runs a command, which only a person chooses."""


def mechanical_guardrail(memory: Memory) -> Guardrail | None:
    """The trigger and action that a memory spells out wholly, so that no person need choose them.

    None where it says when it holds or does not: a trigger cannot know that.
    """
    from vaultmem.core.inference import infer  # its patterns are slow to compile, and few need them

    found = infer(memory.statement)
    if found is None or not found.trigger or found.action not in _ALONE:
        return None
    narrowed = memory.applies_when or memory.not_when or memory.exceptions
    plain = memory.layer is Layer.PLAYBOOK and memory.category in ENFORCED_CATEGORIES
    standing = memory.status is Status.ACTIVE and not needs_force(memory)
    return found if plain and standing and not narrowed else None


def spells_out(operation: Operation, memory: Memory | None) -> bool:
    """Whether an operation gives its memory just the guardrail that the memory's words name.

    Args:
        operation: as proposed; one that a candidate asks for is none.
        memory: the target as it is now.
    """
    if operation.op is not Op.UPDATE or operation.candidate is not None or memory is None:
        return False
    found = mechanical_guardrail(memory)
    return found is not None and dict(operation.changes) == {
        "trigger": found.trigger,
        "action": found.action,
    }
