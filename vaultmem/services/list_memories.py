"""List the memories in force, for somebody who wants to see them all and not to search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.selection import other_project, score_on, today
from vaultmem.core.standing import lacks_project
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.indexing import SEARCHED
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.core.model import Category
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call


def list_memories(
    call: Call, *, project: str = "", category: Category | None = None
) -> tuple[Standing, ...]:
    """The memories that are in force here, by score, the highest first.

    Args:
        call: the circumstances; what an agent is shown is never learned from.
        project: the project's identity; memories of other projects are left out, and those that
            name none and hold in one only.
        category: only those of this one; None for all.
    """
    catch_up(call)
    day = today(call.seconds)
    found = [
        one
        for one in call.vault.baseline.standings()
        if one.status in SEARCHED
        and not lacks_project(one.scope, one.project)
        and not other_project(one.project, project)
        and (category is None or one.category == category)
    ]
    found.sort(key=lambda one: (-one.pinned, -score_on(one, day), one.id))
    if call.agent is not None:
        remember_shown(call, (one.statement for one in found))
    return tuple(found)
