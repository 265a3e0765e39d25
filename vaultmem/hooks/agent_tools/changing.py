"""Tools that propose a change: memory_edit and memory_remove; the person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.operation import Op
from vaultmem.hooks.reading import WrongFieldError
from vaultmem.services.propose_change import propose_change

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields


def memory_edit(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Other words for a memory, or that it is out of date."""
    text = arguments.maybe("text")
    if arguments.text("op") == "invalidate":
        if text is not None:
            raise WrongFieldError("`text` is for `update`; `invalidate` takes a reason only.")
        return _propose(here, event, arguments, Op.DEPRECATE, None)
    if text is None:
        raise WrongFieldError("`text` is missing. Say the new statement in one sentence.")
    return _propose(here, event, arguments, Op.UPDATE, text)


def memory_remove(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """That a memory is deleted; its text is kept."""
    return _propose(here, event, arguments, Op.DELETE, None)


def _propose(here: Here, event: ToolAsked, arguments: Fields, op: Op, statement: str | None) -> str:
    done = propose_change(
        here.agent(),
        arguments.word("id"),
        op,
        reason=arguments.word("reason"),
        statement=statement,
        session=event.session,
        project=here.project(event),
    )
    return (
        f"Proposed for {short_id(done.memory)}; it waits in the inbox for the user ({done.path})."
    )
