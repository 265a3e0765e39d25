"""What an agent proposes to change about a memory: a patch that waits for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import clean
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import RULES
from vaultmem.errors import CaptureRefusedError
from vaultmem.services import patches
from vaultmem.services.capturing.guarding import refused
from vaultmem.services.edit import refuse_held, refuse_status, visible_statement
from vaultmem.services.lookup import find_memory
from vaultmem.services.switch import refuse_switched_off
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from vaultmem.services.call import Call

MAX_REASON = 300
"""Characters of a reason: a sentence, as of a captured statement."""


class ProposedChange(NamedTuple):
    """A patch of one operation that waits in the inbox.

    Attributes:
        patch: its id.
        path: its note, relative to the vault.
        memory: the memory's id.
        statement: what the memory says now.
    """

    patch: str
    path: str
    memory: str
    statement: str


def propose_change(
    call: Call,
    name: str,
    op: Op,
    *,
    reason: str,
    statement: str | None = None,
    session: str | None = None,
    project: str | None = None,
) -> ProposedChange:
    """Propose other words for a memory, or that it goes out of use; nothing changes by that.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        op: `update` with a statement, `deprecate` or `delete`, which keeps the text.
        reason: why, one sentence.
        statement: the new words.
        session: the agent's session, where remembering may be switched off.
        project: the project's identity, likewise.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
        EditRefusedError: if the memory is over or held back.
        CaptureRefusedError: if remembering is switched off, a guard refuses the words, or the same
            waits already.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    refuse_switched_off(call, project=project, session=session)
    why = clean(reason).text[:MAX_REASON]
    if not why:
        raise CaptureRefusedError("A proposal needs a reason. Say in a sentence why.")
    ensure_current(call)
    found = find_memory(call, name)
    memory = found.decoded.memory
    refuse_held(call, found.row.path)
    refuse_status(found, "propose", RULES[op].statuses)
    changes = {} if statement is None else {"statement": visible_statement(statement)}
    if stop := refused(memory, statement or memory.statement, why) if statement else None:
        raise CaptureRefusedError(stop.sentence)
    operation = Operation(op=op, target=memory.id, changes=changes, reason=why)
    _refuse_repeated(call, operation)
    patch = patches.new(call, [(operation, memory)])
    path = patches.save(call, patch)
    return ProposedChange(patch.id, path, memory.id, memory.statement)


def _refuse_repeated(call: Call, wanted: Operation) -> None:
    for one in patches.open_patches(call):
        for known in one.patch.operations:
            if (known.op, known.target) == (wanted.op, wanted.target) and (
                known.changes.get("statement") == wanted.changes.get("statement")
            ):
                raise CaptureRefusedError(
                    f"The same waits for the user already, as {one.id}. Nothing to do; they decide."
                )
