"""What of the notebook a prompt brings: the published summary, where the notebook is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.section import notebook_section
from vaultmem.store.notebook_record import read_summary

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def notebook_text(call: Call, *, project: str) -> str:
    """The section's text for a project; "" where it is off there, or nothing was published yet.

    What is told is the published version, whatever lies in the vault or is being written. Whether
    reading is switched off, and whether the mode of injection has the section, the caller knows.
    """
    if not project or project.casefold() not in call.vault.notebook:
        return ""
    found = read_summary(call.vault.state.folder)
    return notebook_section(found.text) if found is not None else ""
