"""Remind an agent of the open tasks that it was asked to work on, where it only talked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.focus import neglected
from vaultmem.core.enforcement.wording import focus_message
from vaultmem.services.report_extras import open_tasks
from vaultmem.services.switch import READ, switched_off

if TYPE_CHECKING:
    from vaultmem.core.enforcement.turn import Turn
    from vaultmem.services.call import Call


def task_focus(call: Call, turn: Turn, *, session: str = "", project: str = "") -> str:
    """The message about open items of the scratchpad that the user asked for; "" for nothing.

    It asks for no other turn. Who calls says it once for each prompt.

    Args:
        call: the circumstances.
        turn: what was done since the user's prompt.
        session: the agent's session.
        project: the project's identity.
    """
    if turn.calls or not turn.prompt or switched_off(call, READ, project=project, session=session):
        return ""
    return focus_message(neglected(turn, open_tasks(call)))
