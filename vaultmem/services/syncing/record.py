"""Record in the baseline what a note holds now: its file, good version, force and counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.force import can_act, force_message
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.normal import statement_key
from vaultmem.core.standing import DAY, standing_of
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.store.baseline_rows import MemoryRow, NoteRow, number_in
from vaultmem.store.etag import etag_of
from vaultmem.store.finding_text import findings_of, findings_text
from vaultmem.store.walk import NO_FILE, stat_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.finding import Finding
    from vaultmem.core.model import Memory
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.store.baseline import Baseline
    from vaultmem.store.vault import OpenVault
    from vaultmem.store.walk import Stat


NOTEBOOK_FINDINGS = "notebook"
"""Key of the baseline for what is wrong with the files of the notebook."""
TRUST = "trust"
"""Key of a line for the trust class of the statement that it brought."""


def put_file(
    call: Call,
    path: str,
    *,
    stat: Stat,
    etag: str,
    kind: str,
    identifier: str = "",
    state: NoteState = NoteState.PLAIN,
    findings: Iterable[Finding] = (),
) -> None:
    """Record one file as it is on disk now."""
    call.vault.baseline.put_note(
        NoteRow(
            path,
            *stat,
            recorded_ns=call.nanoseconds,
            etag=etag,
            kind=kind,
            id=identifier,
            state=state,
            stem=name_key(title_of(path)),
            findings=findings_text(findings),
        )
    )


def put_lost(
    call: Call, path: str, kind: str, identifier: str, findings: Iterable[Finding]
) -> None:
    """Record a note that an agent took away: without a file, so that its return shows."""
    put_file(
        call,
        path,
        stat=NO_FILE,
        etag="",
        kind=kind,
        identifier=identifier,
        state=NoteState.EXTERNAL,
        findings=findings,
    )


def put_reading(
    call: Call, reading: Reading, *more: Finding, state: NoteState = NoteState.PLAIN
) -> None:
    """Record a classified file as it is on disk now, with what else is wrong with it."""
    put_file(
        call,
        reading.path,
        stat=reading.fresh.stat,
        etag=reading.fresh.etag,
        kind=reading.kind.value,
        identifier=reading.id,
        state=state,
        findings=(*reading.findings, *more),
    )


def put_good_version(
    call: Call, path: str, data: bytes, decoded: Decoded, *, grant: bool = False
) -> None:
    """Record the version of a memory that is in force from now on.

    Args:
        call: the circumstances.
        path: where its note lies.
        data: the note's bytes.
        decoded: what they say; the statement is not empty and the id is its own.
        grant: let it act although no force line covers it yet: a person's edit that waits for
            another device's ledger (docs/adr/0003).
    """
    memory = decoded.memory
    base = float(memory.evidence_count)
    mac = force_mac(call.vault, memory)
    force = bool(mac) and (grant or signed_force(call.vault.baseline, memory.id, mac))
    standing = standing_of(memory, path=path, force=force, evidence_count=base)
    row = MemoryRow(
        id=memory.id,
        path=path,
        state=MemoryState.LIVE,
        since=call.seconds,
        etag=etag_of(data),
        evidence_base=base,
        statement_key=statement_key(memory.statement),
        force_mac=mac,
    )
    call.vault.baseline.put_memory(standing, row, data)
    recount(call.vault.baseline, memory.id)


def restat(call: Call, path: str) -> None:
    """Record the stat of a file that we just wrote, whose bytes the baseline knows."""
    call.vault.baseline.restat(path, stat_of(call.vault.path, path), call.nanoseconds)


def force_mac(vault: OpenVault, memory: Memory) -> str:
    """The keyed hash that a force line for this version carries; empty if there can be none."""
    if not can_act(memory) or vault.key is None:
        return ""
    return vault.key.mac("force", force_message(memory))


def signed_force(baseline: Baseline, identifier: str, mac: str) -> bool:
    """Whether the newest signed force line of the memory gives force to exactly this version."""
    lines = baseline.ledger.signed(identifier, LedgerKind.FORCE)
    return bool(lines) and lines[-1].act == "given" and lines[-1].after == mac


def recount(baseline: Baseline, identifier: str) -> None:
    """Bring the live evidence count and date up to the balance plus later signed ledger lines.

    A piece of evidence renews the date, a citation by the day; other outcomes do not. The lines
    also say how far the source of the statement is trusted.
    """
    row, standing = baseline.memory(identifier), baseline.standing(identifier)
    lines = baseline.ledger.signed(identifier, LedgerKind.REINFORCEMENT)
    trust = _trust(baseline, identifier)
    if row is None or standing is None or (not lines and trust == standing.trust):
        return
    added = 0.0
    newest = standing.reinforced
    for line in lines:
        data = json.loads(line.data)
        evidence, at = number_in(data, "evidence"), number_in(data, "local")
        added += evidence
        if evidence > 0:
            newest = max(newest, at)
        elif data.get("cited"):
            newest = max(newest, at // DAY * DAY)
    baseline.set_live(identifier, row.evidence_base + added, newest, trust)


def _trust(baseline: Baseline, identifier: str) -> str:
    """The class of the statement's source by signed lines; "" where a person wrote it last."""
    trust = ""
    for line in baseline.ledger.signed(identifier, LedgerKind.ACTIVITY):
        data = json.loads(line.data)
        if TRUST in data:
            trust = str(data[TRUST])
        elif data.get("by") == "person" and "statement" in str(data.get("keys", "")).split():
            trust = ""
    return trust


def notebook_findings(call: Call) -> list[Finding]:
    """What was wrong with the files of the notebook at the last look."""
    return call.vault.baseline.parsed_meta(NOTEBOOK_FINDINGS, findings_of) or []
