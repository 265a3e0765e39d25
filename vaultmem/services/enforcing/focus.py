"""Remind an agent of open tasks where it answered a prompt without doing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.turn import wants_focus
from vaultmem.core.enforcement.wording import focus_message
from vaultmem.services.report_extras import open_tasks
from vaultmem.services.switch import READ, switched_off

if TYPE_CHECKING:
    from vaultmem.core.enforcement.turn import Turn
    from vaultmem.services.call import Call


def task_focus(call: Call, turn: Turn, *, session: str = "", project: str = "") -> str:
    """The message about the open items of the scratchpad; "" for nothing to say.

    It asks for no other turn. Who calls says it once for each prompt.

    Args:
        call: the circumstances.
        turn: what was done since the user's prompt.
        session: the agent's session.
        project: the project's identity.
    """
    if not wants_focus(turn) or switched_off(call, READ, project=project, session=session):
        return ""
    return focus_message(open_tasks(call))
