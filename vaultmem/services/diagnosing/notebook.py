"""What `doctor` says of the published notebook, besides what a sync found of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.errors import HistoryDamagedError
from vaultmem.services.notebook.published import versions
from vaultmem.store.notebook_history import History

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call


def check_notebook(call: Call, *, deep: bool) -> Iterator[Finding]:
    """Its versions can be read; `deep` reads every one of them.

    Damaged ones are set aside at once, as anybody does who meets them.
    """
    history = History(call.vault.state.history)
    if history.aside.exists():
        yield finding("VM976", path=str(history.aside))
    if not deep:
        return
    try:
        with versions(call) as history:
            for _ in history.versions():
                pass
    except HistoryDamagedError:
        yield finding("VM970", remedy="Run `vaultmem sync`.")
