"""What may be sent for the notebook now; every step asks here before it reads or writes anything.

Recalling that is off is about what an agent is told, and stops none of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.store.switches import read_switches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call


def why_nothing(call: Call, projects: Iterable[str]) -> Finding | None:
    """Why nothing at all may be sent now; None where something may.

    Args:
        call: the circumstances.
        projects: identities of those in which the notebook is on.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if the switches cannot be read.
    """
    off = switched_off(call, WRITE)
    return off or (None if any(projects) else _NOWHERE)


class MaySend:
    """Of which projects and sessions something may be sent; the switches are read once."""

    def __init__(self, call: Call, projects: Iterable[str]) -> None:
        """The arguments and errors are those of `why_nothing`."""
        self._on = {one.casefold() for one in projects}
        self._off = {
            (one.where, one.name.casefold())
            for one in read_switches(call.vault.state.folder)
            if one.what == WRITE
        }

    def of(self, project: str, session: str = "") -> bool:
        """Whether what is of a project, or of one session in it, may be sent."""
        name = project.casefold()
        places = {("all", ""), ("project", name), ("session", session.casefold())}
        return name in self._on and self._off.isdisjoint(places)


_NOWHERE = finding(
    "VM957",
    "The notebook is on for no project, so nothing is sent.",
    remedy="Run `vaultmem notebook on` in the project's folder.",
)
