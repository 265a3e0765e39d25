"""Doctor: everything that is wrong or notable, and `--fix` for what needs no decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, Severity, finding
from vaultmem.core.ids import MemoryId
from vaultmem.core.place import archived
from vaultmem.core.state import NoteState
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.notes.frontmatter import set_property
from vaultmem.notes.schema import widgets
from vaultmem.services.diagnosing.examined import load_live
from vaultmem.services.diagnosing.links import check_elsewhere
from vaultmem.services.diagnosing.notebook import check_notebook
from vaultmem.services.diagnosing.quick import CHECKS
from vaultmem.services.sync import sync
from vaultmem.services.syncing.attribution import Origin, origin_of_bytes, other_devices
from vaultmem.services.syncing.observe import look_again
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note
from vaultmem.store.obsidian import plan_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.knowledge_vault import KnowledgeVault
    from vaultmem.store.baseline_rows import NoteRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The answer of `doctor`; `ok` if nothing is an error or a warning."""

    ok: bool
    findings: tuple[Finding, ...]
    fixed: tuple[str, ...] = ()


def diagnose(findings: Iterable[Finding], fixed: Iterable[str] = ()) -> Diagnosis:
    """A diagnosis out of findings, each once, errors first."""
    rank = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
    every = sorted(
        dict.fromkeys(findings),
        key=lambda one: (rank[one.severity], one.code, one.path or "", one.line or 0),
    )
    ok = all(one.severity is Severity.INFO for one in every)
    return Diagnosis(ok=ok, findings=tuple(every), fixed=tuple(fixed))


def doctor(
    call: Call,
    *,
    set_up: Iterable[Finding],
    crash_log: Path,
    fix: bool = False,
    deep: SearchEngine | None = None,
    knowledge: Sequence[KnowledgeVault] = (),
) -> Diagnosis:
    """Examine the vault and this machine's set-up.

    Args:
        call: the circumstances.
        set_up: what config and discovery found.
        crash_log: where a bug would have left its trace.
        fix: give copied notes ids of their own, remove what killed processes left, and with `deep`
            read again what differs from what this machine recorded.
        deep: the search engine of the vault, to compare everything with everything; None for the
            quick look.
        knowledge: the other vaults that memories may link to.

    Raises:
        AgentRefusedError: if an agent wants to fix.
    """
    if fix:
        call.person_only("doctor --fix")
    told = _synced(call)
    fixed: list[str] = []
    if fix:
        fixed, more = _fix(call)
        if deep is not None:
            from vaultmem.services.diagnostics import read_again  # patterns and codecs of all notes

            fixed += read_again(call)
        told = [*more, *_synced(call)]
    vault = call.vault
    told += [*set_up, *vault.findings, *vault.state.key_file.check()]
    types = plan_types(vault.path, widgets())
    told += types.findings
    told += [
        finding("VM217", f"`{one.name}` is shown as {one.theirs}; ours is {one.ours}.")
        for one in types.clashes
    ]
    live, damaged = load_live(call)
    told += damaged
    for check in CHECKS:
        told += check(call, live)
    told += check_elsewhere(live, knowledge)
    told += check_notebook(call, deep=deep is not None)
    if deep is not None:
        from vaultmem.services.diagnostics import diagnostics

        told += diagnostics(call, deep, live)
    if crash_log.exists():
        told.append(finding("VM335", f"A bug was recorded in {crash_log}."))
    return diagnose(told, fixed)


def _synced(call: Call) -> list[Finding]:
    """What a sync says; where nothing can be recorded, that is the finding."""
    try:
        return list(sync(call).findings)
    except CANNOT_WRITE as error:
        return [call.vault.put_off_for(error, state=True)]


def _fix(call: Call) -> tuple[list[str], list[Finding]]:
    fixed: list[str] = []
    findings: list[Finding] = []
    with call.vault.lock():
        for row in call.vault.baseline.notes(kind="memory"):
            if archived(row.path, call.vault.root) and other_devices(call):
                continue  # a version of before, on every device: two ids for it would be two notes
            if row.state == NoteState.COPY and not _is_external(call, row):
                try:
                    fixed.append(_own_id(call, row.path))
                except NoteError as error:
                    findings.append(
                        finding(
                            "VM315",
                            error.problem,
                            path=row.path,
                            line=error.line,
                            remedy=error.remedy,
                        )
                    )
    return fixed, findings


def _is_external(call: Call, row: NoteRow) -> bool:
    """Whether an agent made the copy; then its own id is not ours to give."""
    fresh = look_again(call.vault, row)
    return fresh is None or origin_of_bytes(call, row.id, fresh) is Origin.EXTERNAL


def _own_id(call: Call, path: str) -> str:
    """Give a copied note an id of its own, so that it is a memory of its own."""
    identifier = MemoryId(call.new_id("mem"))
    before = read_note(call.vault.path, path)
    after = set_property(before, "id", identifier)
    write = Write(
        path,
        after,
        expected=etag_of(before),
        id=identifier,
        act="identified",
        by="person",
        via="doctor",
        keys="id",
    )
    write_notes(call, [write])
    return f"gave {path} the id {identifier}"
