"""Sign that a version of a memory may act: the only lines that give force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services.syncing.record import signed_force
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def sign_force(call: Call, identifier: str, mac: str, *, by: str = "person", via: str) -> None:
    """Sign for the version with this `force_mac`, unless the newest line does; "" signs nothing."""
    vault = call.vault
    if mac and not signed_force(vault.baseline, identifier, mac):
        values = {"after": mac, "by": by, "via": via}
        vault.append(LedgerKind.FORCE, [entry(call, "given", identifier, values)])
