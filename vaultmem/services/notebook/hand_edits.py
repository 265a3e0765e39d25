"""See what was done to the notebook's files, and publish what a person did.

Called at the end of every sync. A person's valid edit becomes a version of theirs; one that is no
notebook is a finding, and so is what an agent did: then the last version stays in force, and the
file stays as it is until the person decides.
"""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.notebook.own import PERSON
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY, problems
from vaultmem.errors import CANNOT_WRITE, BusyError, HistoryDamagedError, VaultError
from vaultmem.services.notebook.beginning import begin, no_first
from vaultmem.services.notebook.difference import Difference
from vaultmem.services.notebook.presence import has_notebook
from vaultmem.services.notebook.published import (
    finish_under_lock,
    keep_summary,
    standing_record,
    versions,
)
from vaultmem.services.notebook.vault_files import changed_files, is_as_seen, readable
from vaultmem.services.syncing.attribution import (
    EXTERNAL_ACT,
    Origin,
    Owner,
    owner_of_file,
    owner_of_loss,
    since,
)
from vaultmem.services.syncing.observe import Fresh
from vaultmem.services.syncing.record import (
    NOTEBOOK_FINDINGS,
    notebook_findings,
)
from vaultmem.services.write import SINCE, content_mac, entry
from vaultmem.store.etag import etag_of
from vaultmem.store.finding_text import findings_text
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook_files import scan
from vaultmem.store.notebook_history import History
from vaultmem.store.notebook_record import Held, Placed, Record, read_record, write_record
from vaultmem.store.walk import NO_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.notebook.vault_files import Changed

LOOKED = "notebook_looked_ns"
"""Key of the baseline: when the files were looked at last."""
_LINE = "notebook line"


def look(call: Call) -> tuple[Finding, ...]:
    """Publish what a person, or another device, did to the notebook; say what is not published.

    The caller holds the lock and no transaction, and has taken in the ledgers.
    """
    if not has_notebook(call):
        return ()
    told: tuple[Finding, ...] = ()
    try:
        try:
            found = _look(call)
        except HistoryDamagedError:
            told = (finding("VM970"),)
            found = _look(call)
    except CANNOT_WRITE as error:
        found = [finding("VM971", f"The notebook is not brought up to date: {error}")]
    call.vault.baseline.set_meta(NOTEBOOK_FINDINGS, findings_text(found))
    return (*told, *found)


def is_settled(call: Call) -> bool:
    """Whether nothing says that a look would find anything; nothing but a few stats are read."""
    if not has_notebook(call):
        return True
    folder = call.vault.state.folder
    record = read_record(folder)
    seen = scan(call.vault.path / call.vault.root)
    try:
        tip = History(call.vault.state.history).head_id()
    except HistoryDamagedError:
        return False
    if tip is None:
        return not record.commit and not {HANDBOOK, SUMMARY} & seen.files.keys()
    if tip != record.commit or record.leaving:
        return False
    known = {path: one.stat for path, one in record.files.items()}
    differing = {path for path in {*known, *seen.files} if known.get(path) != seen.files.get(path)}
    if not differing:
        return True
    waiting = {one.path for one in notebook_findings(call)}
    return all(f"{call.vault.root}/{path}" in waiting for path in differing)


def differences(call: Call, record: Record) -> list[Difference]:
    """The files that are not as the version in force has them, with whose that is."""
    return [Difference(*one, _owner(call, record, one)) for one in changed_files(call, record)]


def record_of(
    call: Call, record: Record, commit: str, etags: Mapping[str, str], held: Mapping[str, Held]
) -> Record:
    """The record of a version, with the stat of each file that is as the version has it."""
    seen = scan(call.vault.path / call.vault.root).files
    placed = {}
    for path, etag in etags.items():
        known, stat = record.files.get(path), seen.get(path, NO_FILE)
        if known is None or known.etag != etag or not is_as_seen(known, stat):
            data = readable(call, path) if path in seen else None
            is_there = data is not None and etag_of(data) == etag
            known = Placed(etag, stat if is_there else NO_FILE, call.nanoseconds)
        placed[path] = known
    return replace(record, commit=commit, files=placed, held=held)


def announce(call: Call, found: Iterable[Difference], act: str, by: str, via: str) -> None:
    """Sign whose the bytes of these files are, so that other devices know it."""
    lines = [
        entry(
            call,
            act,
            "",
            {"by": by, "via": via, "after": content_mac(call, one.data), SINCE: since(one.stat)},
        )
        for one in found
        if one.data is not None
    ]
    if lines:
        call.vault.append(LedgerKind.ACTIVITY, lines)


def _owner(call: Call, record: Record, one: Changed) -> Owner:
    """Whose a difference is; what brings back a line that is held stays held."""
    path, data, stat = one
    held, known = record.held.get(path), record.files.get(path)
    if data is None:
        if held is not None and not held.etag:
            return Owner(Origin.EXTERNAL)
        return owner_of_loss(call, looked_ns=call.vault.baseline.parsed_meta(LOOKED, int) or 0)
    fresh = Fresh(f"{call.vault.root}/{path}", stat, data)
    owner = owner_of_file(call, fresh, seen_ns=known.seen_ns if known else 0)
    if held is None or (owner.origin is Origin.DEVICE and owner.device != call.vault.device):
        return owner  # what this device writes, as a purge does, approves nothing
    still = held.etag == etag_of(data) or not {*held.lines}.isdisjoint(_lines(call, data))
    return Owner(Origin.EXTERNAL) if still else owner


def _look(call: Call) -> list[Finding]:
    with versions(call) as history:
        finish_under_lock(call, history)
        return _Look(call, history).run()


class _Look:
    """One look at the files; the caller holds the lock."""

    def __init__(self, call: Call, history: History) -> None:
        self._call = call
        self._history = history
        self._record = standing_record(call, history)
        self._tip = history.head_id()
        self._findings: list[Finding] = []

    def run(self) -> list[Finding]:
        """Publish what may be, and keep what may not; what is not published."""
        call = self._call
        found = differences(call, self._record)
        if self._tip is None and not {one.path for one in found} & {HANDBOOK, SUMMARY}:
            return []  # no notebook yet; skills alone are none
        external = [one for one in found if one.owner.origin is Origin.EXTERNAL]
        held = {one.path: self._hold(one) for one in external}
        rest = [one for one in found if one.owner.origin is not Origin.EXTERNAL]
        commit = self._tip
        etags = {path: one.etag for path, one in self._record.files.items()}
        if rest and (self._tip is not None or {HANDBOOK, SUMMARY}.isdisjoint(held)):
            commit, files = self._publish_all(rest) if self._tip else self._begin(rest)
            etags = {path: etag_of(data) for path, data in files.items()}
        record = record_of(call, self._record, commit or "", etags, held)
        if record != self._record:
            write_record(call.vault.state.folder, record)
        call.vault.baseline.set_meta(LOOKED, str(call.nanoseconds))
        return self._findings

    def _begin(self, found: Sequence[Difference]) -> tuple[str | None, dict[str, bytes]]:
        """Make the first version of what is there, judged as a whole, whoever changed what."""
        good = self._without_wrong(found, {})
        files = with_changes({}, good)
        if problems(files):
            return None, {}
        made = begin(self._call, self._history, good, f"Found: {', '.join(sorted(files))}")
        self._tell(made, files, {})
        mine = [one for one in good if one.owner.origin is Origin.PERSON]
        announce(self._call, mine, "edited", PERSON, "sync")
        return made, files

    def _publish_all(self, found: Sequence[Difference]) -> tuple[str | None, dict[str, bytes]]:
        """A version of each other device's changes, then one of the person's."""
        commit, files = self._tip, self._history.files()
        for by in (*sorted({one.by for one in found} - {PERSON}), PERSON):
            mine = [one for one in found if one.by == by]
            if mine:
                commit, files = self._publish(mine, by, files)
        return commit, files

    def _publish(
        self, found: Sequence[Difference], by: str, files: dict[str, bytes]
    ) -> tuple[str | None, dict[str, bytes]]:
        """Make a version of the changes of one owner, as far as they leave a notebook."""
        good = self._without_wrong(found, files)
        after = with_changes(files, good)
        if not good or after == files or problems(after):
            return self._history.head_id(), files
        if by == PERSON:
            mine = [one for one in good if one.owner.origin is Origin.PERSON]
            announce(self._call, mine, "edited", PERSON, "sync")
        message = _told(good, after)
        made = self._history.commit(after, message=message[:200], when=self._call.now, by=by)
        self._tell(made, after, files)
        return made, after

    def _tell(self, made: str, after: Mapping[str, bytes], files: Mapping[str, bytes]) -> None:
        """Let the report and a rewrite that runs know of a new version."""
        if after.get(SUMMARY) != files.get(SUMMARY):
            keep_summary(self._call, made, after)
        if self._call.vault.notebook:
            notice(self._call)

    def _without_wrong(
        self, found: Sequence[Difference], files: Mapping[str, bytes]
    ) -> list[Difference]:
        """The changes that leave a notebook; the others are findings."""
        wrong = problems(with_changes(files, found))
        changed = {one.path for one in found}
        bad = {one.path for one in wrong} | {*self._secret(found, files)}
        root = self._call.vault.root
        gone = {one.path for one in found if one.data is None}
        for one in wrong:
            code = "VM973" if one.path in gone else "VM972"
            place = f"{root}/{one.path}"
            if self._tip is None:
                self._findings.append(no_first(one, place, changed))
                continue
            message = None if one.path in gone else one.message + _STAYS
            self._findings.append(
                finding(code, message, path=place, line=one.line, remedy=one.remedy)
            )
        if bad - changed:  # what is wrong is nothing that one of the changes could be left out for
            return []
        return [one for one in found if one.path not in bad]

    def _secret(self, found: Sequence[Difference], files: Mapping[str, bytes]) -> Iterator[str]:
        """The files into which the person here put a secret; what the version has was accepted."""
        from vaultmem.services.notebook.outgoing import secrets_in  # its patterns take their time

        for one in found:
            if one.data is None or one.owner.origin is not Origin.PERSON:
                continue
            if line := secrets_in(one.data, files.get(one.path, b"")):
                place = f"{self._call.vault.root}/{one.path}"
                remedy = None if self._tip else _NOT_YET
                self._findings.append(finding("VM977", path=place, line=line, remedy=remedy))
                yield one.path

    def _hold(self, one: Difference) -> Held:
        """Keep what no person did out of force, and say so."""
        code = "VM975" if one.data is None else "VM974"
        place = f"{self._call.vault.root}/{one.path}"
        told = finding(code, path=place)
        if self._tip is None:
            told = finding(code, _HELD_FIRST, path=place, remedy=_HELD_REMEDY)
        self._findings.append(told)
        known = self._record.held.get(one.path)
        if known is not None and known.etag == one.etag:
            return known
        announce(self._call, [one], EXTERNAL_ACT, "external", "sync")
        before = self._history.files().get(one.path, b"") if self._tip else b""
        brought = {*_lines(self._call, one.data or b"")} - {*_lines(self._call, before)}
        return Held(one.etag, tuple(sorted({*brought, *(known.lines if known else ())})))


_STAYS = " The last version stays in force."
_HELD_FIRST = "The file was changed while an agent could write, so no notebook is made of it."
_HELD_REMEDY = "Look at it, then run `vaultmem notebook accept`, or move it out of the memory root."
_NOT_YET = (
    "Take the secret out and name where it is kept, or run `vaultmem notebook accept` if it is "
    "none; until then no notebook is made."
)


def _told(changes: Sequence[Difference], after: Mapping[str, bytes]) -> str:
    """What a version changed, for the history."""
    edited = ", ".join(one.path for one in changes if one.path in after)
    gone = ", ".join(one.path for one in changes if one.path not in after)
    parts = (f"Edited: {edited}" if edited else "", f"Deleted: {gone}" if gone else "")
    return ". ".join(filter(None, parts))


def with_changes(files: Mapping[str, bytes], found: Iterable[Difference]) -> dict[str, bytes]:
    """The files with these changes."""
    after = dict(files)
    for one in found:
        if one.data is None:
            after.pop(one.path, None)
        else:
            after[one.path] = one.data
    return after


def notice(call: Call) -> None:
    """Let a rewrite that runs know that its input has changed."""
    catalog = NotebookCatalog(call.vault.state.folder)
    with closing(catalog), suppress(BusyError, VaultError):  # it publishes over no other version
        catalog.jobs.mark_dirty(call.now.timestamp())


def _lines(call: Call, data: bytes) -> list[str]:
    """Keyed hashes of the lines that say anything."""
    lines = (line.strip() for line in data.splitlines())
    return [call.vault.keyed_hash(_LINE, line) for line in lines if line]
