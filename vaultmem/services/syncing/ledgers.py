"""Take in the ledgers of all devices, and let what they say of a memory hold here too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.model import Status
from vaultmem.core.operation import Deletion
from vaultmem.core.place import Kind
from vaultmem.core.state import MemoryState
from vaultmem.core.wording import count
from vaultmem.services.force import use_force_lines
from vaultmem.services.syncing.record import (
    put_reading,
    recount,
)
from vaultmem.services.tombstones import is_wanted_back, purges, standing_tombstone
from vaultmem.services.write import content_mac
from vaultmem.store.baseline_rows import LASTING
from vaultmem.store.erase import Intent, begin
from vaultmem.store.finding_text import findings_text
from vaultmem.store.ledger import named_by, read_ledger
from vaultmem.store.vault import ledger_row

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.store.baseline_rows import LedgerRow, MemoryRow


def take_in(call: Call, readings: list[Reading]) -> list[str]:
    """Read the ledgers that changed and record their lines, each once; the ids they speak of anew.

    Lines that an earlier look found and that are gone now keep counting; a finding says so.
    """
    touched: set[str] = set()
    for reading in readings:
        touched |= _take_in_one(call, reading)
    for identifier in sorted(touched):
        _apply(call, identifier)
    return sorted(touched)


def _take_in_one(call: Call, reading: Reading) -> set[str]:
    baseline = call.vault.baseline
    if reading.fresh.data is None:
        put_reading(call, reading)
        return set()
    lines, findings = read_ledger(reading.fresh.data, call.vault.key, path=reading.path)
    rows = [ledger_row(line, reading.path) for line in lines]
    _found_again(call, reading.path)
    known = {row.line: row for row in _known_of(call, rows, reading.path)}
    signed = {row.line for row in known.values() if row.signed or call.vault.key is None}
    lost = signed - {row.line for row in rows}  # an unsigned line may go: we said so
    if lost:
        told = count(len(lost), "line that was", "lines that were")
        text = f"{told} read from this ledger before and {'is' if len(lost) == 1 else 'are'} gone."
        findings = (*findings, finding("VM316", text, path=reading.path))
    new = [row for row in rows if row.line not in known or row.signed > known[row.line].signed]
    baseline.ledger.put(new)
    put_reading(call, reading, *findings)
    return {row.note for row in new if row.signed}


def _known_of(call: Call, rows: list[LedgerRow], path: str) -> list[LedgerRow]:
    """The lines of this file that the baseline has; our own were recorded as they were written."""
    table = call.vault.baseline.ledger
    known = table.of_file(path)
    if rows:
        first = rows[0]
        known += table.own(first.kind, first.device, first.at[:7])
    elif (named := named_by(path)) is not None:  # nothing is left in it
        month, author = named
        known += table.own(author.kind, author.device, month)
    return known


def lost_ledgers(call: Call, vanished: list[str]) -> None:
    """Say which ledgers were deleted; what they said keeps counting."""
    baseline = call.vault.baseline
    for path in vanished:
        row = baseline.note(path)
        if row is not None and row.kind == Kind.LEDGER:
            baseline.drop_note(path)
            if baseline.stems(row.stem):
                continue  # the memory root was renamed, and the ledger with it
            text = "A ledger was deleted; what it said still counts."
            lasting = [*baseline.lasting(), finding("VM316", text, path=path)]
            baseline.set_meta(LASTING, findings_text(lasting))


def _found_again(call: Call, path: str) -> None:
    """A ledger that was deleted is back: that is no finding any more."""
    baseline = call.vault.baseline
    lasting = baseline.lasting()
    name = path.rpartition("/")[2]
    still = [one for one in lasting if (one.path or "").rpartition("/")[2] != name]
    if len(still) < len(lasting):
        baseline.set_meta(LASTING, findings_text(still))


def _apply(call: Call, identifier: str) -> None:
    baseline = call.vault.baseline
    row = baseline.memory(identifier)
    stone = standing_tombstone(call, identifier)
    elsewhere = stone is not None and stone.device != call.vault.device
    known = row is not None or baseline.meta("adopted")  # a device that joins knows no path either
    if stone is not None and elsewhere and purges(stone) and known:
        # the rest of this sync purges here what that device purged, also if only a path was known
        begin(baseline, Intent(identifier, Deletion.PURGE, everywhere=False))
    if row is None:
        return
    recount(baseline, identifier)
    use_force_lines(call, identifier)
    if stone is not None and elsewhere and not _is_settled(call, row, stone):
        baseline.set_state(identifier, MemoryState.GONE, call.seconds)
        baseline.touch(row.path)


def _is_settled(call: Call, row: MemoryRow, stone: LedgerRow) -> bool:
    """Whether a memory is as its tombstone wants it, or was brought back since."""
    baseline = call.vault.baseline
    standing, content = baseline.standing(row.id), baseline.content(row.id)
    if row.state != MemoryState.LIVE or standing is None or content is None:
        return False
    if standing.status == Status.DELETED:
        return True
    return is_wanted_back(call, row.id, content_mac(call, content), stone)
