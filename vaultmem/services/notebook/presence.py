"""Whether there is a notebook at all, for whoever would only then open any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def has_notebook(call: Call) -> bool:
    """Whether one is on for a project here, or was published before."""
    return bool(call.vault.notebook) or call.vault.state.history.is_dir()
