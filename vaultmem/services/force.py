"""Sign that a version of a memory may act: the only lines that give force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services.syncing.record import signed_force
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.services.call import Call


def sign_force(call: Call, identifier: str, mac: str, *, by: str = "person", via: str) -> None:
    """Sign for the version with this `force_mac`, unless the newest line does; "" signs nothing."""
    sign_many(call, [(identifier, mac)], by=by, via=via)


def sign_many(call: Call, given: Iterable[tuple[str, str]], *, by: str, via: str) -> None:
    """As `sign_force`, for pairs of an id and a `force_mac`."""
    vault = call.vault
    lines = [
        entry(call, "given", identifier, {"after": mac, "by": by, "via": via})
        for identifier, mac in given
        if mac and not signed_force(vault.baseline, identifier, mac)
    ]
    vault.append(LedgerKind.FORCE, lines)


def use_force_lines(call: Call, identifier: str) -> None:
    """Let a memory act here as the signed lines say.

    Not while a change of it waits for another device's ledger: a person's edit keeps its force.
    """
    baseline = call.vault.baseline
    row = baseline.memory(identifier)
    waits = bool(baseline.pending.of(identifier))
    if row is not None and row.force_mac and not waits:
        baseline.set_force(identifier, force=signed_force(baseline, identifier, row.force_mac))
