"""Write down what the person did, at once or when no other device has explained it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services.force import sign_force
from vaultmem.services.syncing.attribution import (
    PLACE_ACTS,
    Origin,
    other_devices,
    since,
    use_place_lines,
)
from vaultmem.services.syncing.record import force_mac, recount
from vaultmem.services.tombstones import RESTORED, withdraw
from vaultmem.services.write import SINCE, content_mac, entry
from vaultmem.store.baseline_rows import Pending

if TYPE_CHECKING:
    from vaultmem.core.ledger import Scalar
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading


class Journal:
    """The ledger lines of one sync that name the person."""

    def __init__(self, call: Call, *, certain: frozenset[str]) -> None:
        """Take the notes that the person changed by a command, which nobody else explains."""
        self._call = call
        self._late = other_devices(call)
        self._certain = certain

    def waits(self, path: str) -> bool:
        """Whether another device may yet explain a change."""
        return self._late and path not in self._certain

    def grant(self, decoded: Decoded, path: str) -> bool:
        """Sign for a person's pin, or let it act unsigned while another device may explain it."""
        mac = force_mac(self._call.vault, decoded.memory)
        if not self.waits(path):
            sign_force(self._call, decoded.memory.id, mac, via="sync")
        return bool(mac)

    def log(
        self,
        identifier: str,
        act: str,
        origin: Origin,
        reading: Reading | None,
        extra: dict[str, str],
    ) -> None:
        """Write down an act of the person's; what somebody else did is written down by them."""
        call = self._call
        if origin is not Origin.PERSON or call.vault.key is None:
            if act in PLACE_ACTS:
                use_place_lines(call, identifier)
            return
        data = reading.fresh.data if reading else None
        after = content_mac(call, data) if data is not None else ""
        if self.waits(reading.path if reading else ""):
            words = extra.get("keys") or extra.get("folder", "")
            self._wait(Pending(identifier, act, words, after, call.seconds))
            return
        values: dict[str, Scalar] = {"by": "person", "via": "sync", "after": after, **extra}
        if reading is not None:
            values[SINCE] = since(reading.fresh.stat)
        call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, identifier, values)])
        recount(call.vault.baseline, identifier)  # the line says whose words they are
        if act == RESTORED:
            withdraw(call, identifier)
        if act in PLACE_ACTS:
            use_place_lines(call, identifier)

    def _wait(self, change: Pending) -> None:
        """Wait with a change, beside the versions of it that wait already.

        Each may have reached another device, which is to know whose it was.
        """
        baseline = self._call.vault.baseline
        before = baseline.pending.of(change.id).get(change.act)
        if before is not None and change.act not in PLACE_ACTS:
            keys = dict.fromkeys([*before.keys.split(), *change.keys.split()])
            versions = [one for one in before.versions if one != change.after]
            change = change._replace(keys=" ".join(keys), after=" ".join([*versions, change.after]))
        baseline.pending.put(change)
