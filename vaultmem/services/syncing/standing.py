"""What is wrong with the notes of a vault now, whenever it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.place import Kind, inside
from vaultmem.services.syncing.record import notebook_findings

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.observe import Observation


def standing_findings(call: Call, seen: Observation) -> tuple[Finding, ...]:
    """Everything that is wrong with the notes now, whenever it was found."""
    found = [finding("VM115", path=path) for path in seen.links if _in_root(call, path)]
    found += [finding("VM318", path=path or None) for path in seen.unreadable]
    found += [one for one in call.vault.findings if one.code == "VM224"]
    found += call.vault.baseline.findings()
    found += notebook_findings(call)
    found += [
        finding("VM304", _COPIED.format(name, row.id), path=row.path, remedy=_DELETE)
        for kind, name in _DECIDED_IN_NOTES.items()
        for row in call.vault.baseline.copied(kind)
    ]
    return tuple(found)


_DECIDED_IN_NOTES = {
    Kind.CANDIDATE: "candidate",
    Kind.PATCH: "patch",
    Kind.PROMOTION: "promotion",
    Kind.INQUIRY: "question",
}
_COPIED = "Another {} has the same id, {}, so nothing is decided about either."
_DELETE = "Delete the note that you do not want."


def _in_root(call: Call, path: str) -> bool:
    return path == call.vault.root or inside(path, call.vault.root)
