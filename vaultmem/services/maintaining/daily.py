"""The day's maintenance by policy; all that it needs is imported only where it is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.syncing.attribution import tool_is_running

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.maintain import Maintained

_DAY = "maintained_day"
"""The key of the baseline's word that names the local day of the last daily run."""


def maintain_daily(call: Call) -> Maintained | None:
    """As `maintain`, but once in a local day, whoever calls; None where nothing is to be done.

    That is where it ran today already, where remembering is switched off, where a tool of the agent
    is running, and without the vault's key: nobody could tell what was proposed before. What cannot
    be written now is proposed tomorrow.

    Args:
        call: the circumstances; the baseline is up to date.

    Raises:
        BusyError, DiskFailedError: as `write_notes`.
    """
    day = call.local.date().isoformat()
    if call.vault.key is None or call.vault.baseline.meta(_DAY) == day:
        return None
    if switched_off(call, WRITE) is not None or tool_is_running(call):
        return None
    from vaultmem.services.maintain import maintain_by_policy  # once a day

    call.vault.baseline.set_meta(_DAY, day)
    try:
        return maintain_by_policy(call.by_policy())
    except (NoteError, *CANNOT_WRITE):
        return None
