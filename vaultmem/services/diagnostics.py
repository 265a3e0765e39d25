"""Diagnostics: compare everything with everything, which takes too long for each `doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.services.diagnosing import checks as diagnostic_checks
from vaultmem.services.diagnosing import evidence as diagnostic_evidence
from vaultmem.services.diagnosing import notes as diagnostic_notes
from vaultmem.services.diagnosing.examined import examine, load_live
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory

_CHECKS = (*diagnostic_checks.CHECKS, *diagnostic_evidence.CHECKS, *diagnostic_notes.CHECKS)


def diagnostics(
    call: Call, engine: SearchEngine, memories: Sequence[FoundMemory]
) -> Iterator[Finding]:
    """Everything that a sync cannot see; the vault was just synced.

    Args:
        call: the circumstances.
        engine: the search engine of the vault; it is not built where it never was.
        memories: those in force, as `examined.load_live` gives them.
    """
    seen = examine(call, memories)
    yield from seen.findings
    for check in _CHECKS:
        yield from check(call, seen)
    yield from diagnostic_notes.check_files(call)
    yield from diagnostic_notes.check_index(call, engine)


def read_again(call: Call) -> list[str]:
    """Let the next sync read what differs from what this machine recorded; says what that is.

    A kept version that cannot be used is dropped, and learned again from the note; signed lines
    of the ledger give it its force back.
    """
    baseline = call.vault.baseline
    memories, damaged = load_live(call)
    seen = examine(call, memories)
    wrong = [*damaged, *diagnostic_notes.check_kept(call, seen)]
    wrong += [one for one in diagnostic_notes.check_files(call) if one.code == "VM741"]
    rows = [row for path in {one.path or "": None for one in wrong} if (row := baseline.note(path))]
    useless = {one.path for one in damaged}
    useless |= {one.row.path for one in memories if etag_of(one.data) != one.row.etag}
    with call.vault.lock(), baseline.transaction():
        for row in rows:
            if row.path in useless:
                baseline.forget(row.id)
        for kind in sorted({row.kind for row in rows}):
            baseline.distrust(kind)
    return [f"{row.path} is read again" for row in rows]
