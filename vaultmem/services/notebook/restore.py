"""Restore: a person has a version of the notebook back, or accepts what waits in its files."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.line_diff import changes, plain_diff
from vaultmem.core.notebook.own import PERSON
from vaultmem.core.notebook.validation import problems
from vaultmem.errors import NotebookInvalidError
from vaultmem.services.notebook.hand_edits import (
    announce,
    differences,
    look,
    notice,
    with_changes,
)
from vaultmem.services.notebook.published import finish_under_lock, versions
from vaultmem.services.notebook.vault_files import VIA, put_file
from vaultmem.services.notebook.versions import nothing_published
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.attribution import APPROVED
from vaultmem.store.notebook_record import read_record, write_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.notebook.hand_edits import Difference
    from vaultmem.store.notebook_history import History
    from vaultmem.store.notebook_record import Record


class Published(NamedTuple):
    """What came of it.

    Attributes:
        commit: the version that is in force now.
        paths: the files that it changed, relative to the memory root.
    """

    commit: str
    paths: tuple[str, ...]


class Foreseen(NamedTuple):
    """What a restore or an acceptance would change.

    Attributes:
        paths: the files, relative to the memory root.
        diff: from what is there to what would be, as a unified diff.
    """

    paths: tuple[str, ...]
    diff: str


def foresee_accept(call: Call) -> Foreseen:
    """What `accept` would publish: the files in the vault against the version in force.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no notebook yet.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook accept") as (_, now):
        return _foreseen(now.files, with_changes(now.files, now.found))


def foresee_restore(call: Call, name: str | None = None) -> Foreseen:
    """What `restore` would change in the files of the vault.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no such version.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook restore") as (history, now):
        return _foreseen(with_changes(now.files, now.found), _restored(history, now, name))


def accept(call: Call) -> Published:
    """Publish the notebook as it lies in the vault, whoever changed it.

    Raises:
        AgentRefusedError: if an agent calls.
        NotebookInvalidError: if the files are no notebook; nothing was published.
        NoteNotFoundError: if there is no notebook yet.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook accept") as (history, now):
        if not now.found:
            return Published(now.tip, ())
        files = with_changes(now.files, now.found)
        _refuse_wrong(files)
        announce(call, now.found, APPROVED, PERSON, VIA)
        _release(call, now.record)
        message = f"Accepted: {', '.join(one.path for one in now.found)}"
        made = history.commit(files, message=message[:200], when=call.now, by=PERSON)
        _settle(call, history)
        return Published(made, tuple(one.path for one in now.found))


def restore(call: Call, name: str | None = None) -> Published:
    """Put a version into the vault's files, and into force; the one in force for None.

    What stood in the files and was not published is kept in the history, below the new version.
    Skills that the version does not have stay.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no such version.
        NotebookInvalidError: if the version is no notebook by itself.
        NoteChangedError: if a file was saved meanwhile; run it again.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook restore") as (history, now):
        files = _restored(history, now, name)
        _refuse_wrong(files)
        lying = with_changes(now.files, now.found)
        paths = tuple(one.path for one in changes(lying, files))
        if not paths:
            return Published(now.tip, ())
        kept = lying if any(one.data is not None for one in now.found) else None
        if files != now.files or kept is not None:
            message = f"Restored {history.find(name or now.tip).id[:10]}"
            history.commit(files, message=message, when=call.now, by=PERSON, instead_of=kept)
        for path in paths:
            put_file(call, path, lying.get(path), files.get(path), by=PERSON)
        _release(call, now.record)
        _settle(call, history)
        return Published(history.head_id() or now.tip, paths)


class _Now(NamedTuple):
    """The notebook in force, and what of its files in the vault is otherwise."""

    tip: str
    files: Mapping[str, bytes]
    found: list[Difference]
    record: Record


@contextmanager
def _as_it_is(call: Call, verb: str) -> Iterator[tuple[History, _Now]]:
    """The versions and what differs from the newest, for a person who decides about it."""
    call.person_only(verb)
    ensure_current(call)
    with versions(call) as history:
        finish_under_lock(call, history)
        tip = history.head_id()
        if tip is None:
            raise nothing_published()
        record = read_record(call.vault.state.folder)
        yield history, _Now(tip, history.files(tip), differences(call, record), record)


def _restored(history: History, now: _Now, name: str | None) -> dict[str, bytes]:
    """The files once the version is in force; skills that it does not have stay."""
    return {**now.files, **(history.files(name) if name is not None else {})}


def _foreseen(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Foreseen:
    paths = tuple(one.path for one in changes(before, after))
    return Foreseen(paths, plain_diff(before, after))


def _refuse_wrong(files: Mapping[str, bytes]) -> None:
    if wrong := problems(files):
        raise NotebookInvalidError(str(wrong[0]))


def _release(call: Call, record: Record) -> None:
    """Hold nothing any more: the person decided."""
    write_record(call.vault.state.folder, replace(record, held={}))


def _settle(call: Call, history: History) -> None:
    """Bring what this machine keeps up to the version; a rewrite that runs is outdated."""
    finish_under_lock(call, history)
    notice(call)
    look(call)
