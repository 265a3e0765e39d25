"""Carries out a purge in this machine's state and cache: baseline, patches, indexes, traces."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vaultmem.core.naming import title_of
from vaultmem.core.occurrence import lines_with, names, without_lines
from vaultmem.core.state import MemoryState
from vaultmem.errors import BusyError, NoteError
from vaultmem.index.erase import erase_removed
from vaultmem.index.signals import IndexLockedError
from vaultmem.notes.patch_cut import without_operations
from vaultmem.services.indexing import feed
from vaultmem.services.notebook.purging import purge_notebook
from vaultmem.services.purging.cuts import holds_ids
from vaultmem.services.sessions.purge import purge_sessions
from vaultmem.store.erase import erase_memory, remove_set_aside, scrub
from vaultmem.store.leftovers import LEFTOVER_SECONDS, clean_temporaries
from vaultmem.store.patches import spelled_steps
from vaultmem.store.pr_reviews import ReviewStore
from vaultmem.store.private import read_private, write_private
from vaultmem.store.session_lines import erase_lines
from vaultmem.store.telemetry import erase_ids

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.services.call import Call
    from vaultmem.services.purging.target import Target
    from vaultmem.store.patches import PatchRow


def hide(call: Call, target: Target) -> None:
    """Take the memory out of report and search, before anything else is done."""
    baseline = call.vault.baseline
    with baseline.transaction():
        baseline.set_state(target.id, MemoryState.GONE, call.seconds)
        for path in target.notes:
            baseline.touch(path)


def purge_state(call: Call, targets: Sequence[Target]) -> None:
    """Erase what this machine keeps of the memories; the caller holds the lock.

    The indexes come first: they are told by the rows that go last.

    Raises:
        BusyError: if another process writes an index or reads the baseline; the next call goes on.
        ReadOnlyError, DiskFailedError, VaultError: as methods of `Baseline`.
    """
    baseline = call.vault.baseline
    paths = {target.id: _places(call, target) for target in targets}
    with baseline.transaction():
        _erase_findings(call, targets)
        for target in targets:
            for path in paths[target.id]:
                baseline.drop_note(path)
            _erase_patches(call, target)
            _erase_lines(call, target)
    try:
        erase_removed(call.vault.state.cache / "index", lambda stamp: feed(call, stamp))
        purge_sessions(call, targets)
    except IndexLockedError as error:
        raise BusyError(
            f"The search index {error.reason}. Run `vaultmem sync` again later; it goes on."
        ) from error
    purge_notebook(call, targets)
    _erase_reviews(call, targets)
    gone = {target.id for target in targets}
    erase_ids(call.vault.state.cache, gone)
    erase_lines(call.vault.state.cache, gone)
    remove_set_aside(call.vault.state.folder)
    for folder in (call.vault.state.folder, call.vault.state.cache):  # what a killed write left
        clean_temporaries(folder, LEFTOVER_SECONDS, call.now.timestamp())
    for target in targets:
        _erase_trace(call.vault.state.crash_log, target)
    for target in targets:
        erase_memory(
            baseline, target.id, paths[target.id], partial(_tells, target), partial(_says, target)
        )
    scrub(baseline)


def _tells(target: Target, path: str) -> bool:
    """Whether a path tells what the memory said; that of another note may as well."""
    return path in target.notes or names(target.texts, title_of(path))


def _says(target: Target, text: str) -> bool:
    return bool(lines_with(target.words, text.encode()))


def _places(call: Call, target: Target) -> tuple[str, ...]:
    """Where notes of the memory lie or lay; a copy that stays is seen anew by the next sync."""
    copies = (row.path for row in call.vault.baseline.notes_with_id(target.id))
    return tuple(dict.fromkeys((*target.notes, *copies)))


def _erase_lines(call: Call, target: Target) -> None:
    """Drop ledger lines that hold a text: nobody's of ours do, but anybody can write one."""
    table = call.vault.baseline.ledger
    rows = table.unsigned()
    table.forget(row.line for row in rows if lines_with(target.words, row.data.encode()))


def _erase_findings(call: Call, targets: Sequence[Target]) -> None:
    """Forget what was found about notes in words of the memories; a sync looks at them anew."""
    baseline = call.vault.baseline
    for row in baseline.notes():
        told = row.findings.encode()
        if told and any(lines_with(target.words, told) for target in targets):
            baseline.put_note(row._replace(findings="", etag="", mtime_ns=0))


def _erase_reviews(call: Call, targets: Sequence[Target]) -> None:
    """Cut the texts out of the reviews of pull requests, line by line."""

    def cut(text: str) -> str:
        data = text.encode("utf-8", "replace")
        told = {line.number for target in targets for line in lines_with(target.words, data)}
        return without_lines(data, told).decode().strip("\n") if told else text

    ReviewStore(call.vault.state.folder).cut(cut)


def _erase_trace(log: Path, target: Target) -> None:
    """Cut the trace that a bug left, where an error named the text."""
    data = read_private(log) or b""
    lines = [line.number for line in lines_with(target.words, data)]
    if lines:
        write_private(log, without_lines(data, lines))


def _erase_patches(call: Call, target: Target) -> None:
    """Take the memory out of the patches that this machine decided; the rest can be reverted."""
    table = call.vault.patches
    for row in table.rows():
        left = _without_target(row, target)
        if left is None:
            table.forget([row.id])
        elif left != row:
            table.put(left)


def _without_target(row: PatchRow, target: Target) -> PatchRow | None:
    """A decided patch without its operations on the memory; None where nothing is left."""

    def doomed(text: str) -> bool:
        raw = text.encode()
        return holds_ids(raw, target) or bool(lines_with(target.words, raw))

    steps = row.progress()
    telling = {one for one, step in steps.items() if doomed(f"{step.text}\n{step.candidate}")}
    path = row.opened.partition("\n")[0]
    named = names(target.texts, title_of(path))
    if not (telling or named or doomed(row.note.decode("utf-8", "replace"))):
        return row
    try:
        cut = without_operations(row.note, doomed)
    except NoteError:
        return None
    if not cut.left:
        return None
    kept = {one: steps[one] for one in steps.keys() - telling - {*cut.gone}}
    note = without_lines(cut.data, (line.number for line in lines_with(target.words, cut.data)))
    opened = "" if named else row.opened
    return row._replace(note=note, opened=opened, steps=spelled_steps(dict(sorted(kept.items()))))
