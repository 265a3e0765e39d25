"""Publish a notebook: a version in its history, then the copy for the report, then the notes.

The published notebook is the newest version of the history, whatever lies in the vault. Who is
killed in between leaves a publication that the next look finishes; what a person saved in between
stays where it is, and counts as their edit of the new version.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.own import PERSON
from vaultmem.core.notebook.validation import SUMMARY, problems
from vaultmem.errors import (
    HistoryDamagedError,
    NameTakenError,
    NotebookChangedError,
    NotebookInvalidError,
    NoteChangedError,
    NoteNotFoundError,
    NoteUnreadableError,
    UnsafePathError,
)
from vaultmem.services.notebook.vault_files import (
    changed_files,
    put_file,
    read_file,
    readable,
)
from vaultmem.services.syncing.record import notebook_findings
from vaultmem.store.etag import etag_of
from vaultmem.store.notebook_copies import forget_consumed, remove_copies
from vaultmem.store.notebook_files import scan
from vaultmem.store.notebook_history import History
from vaultmem.store.notebook_record import (
    Placed,
    Summary,
    forget,
    read_record,
    read_summary,
    write_record,
    write_summary,
)
from vaultmem.store.walk import NO_FILE, stat_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.services.call import Call
    from vaultmem.store.notebook_files import Scanned
    from vaultmem.store.notebook_record import Record
    from vaultmem.store.walk import Stat


@contextmanager
def versions(call: Call) -> Iterator[History]:
    """The history, with the lock that its readers and writers hold.

    Where it is damaged it is set aside at once, so that the next sync begins it anew from the
    notes; the error goes on to the caller.

    Raises:
        HistoryDamagedError: if a version that was asked for cannot be read.
        BusyError: if another process writes for longer than ten seconds.
    """
    with call.vault.lock():
        history = History(call.vault.state.history)
        try:
            yield history
        except HistoryDamagedError:
            begin_anew(call, history)
            raise


def begin_anew(call: Call, history: History) -> None:
    """Set the history aside; what is held of agents' changes stays held."""
    history.set_aside()
    folder = call.vault.state.folder
    write_record(folder, replace(read_record(folder), commit="", files={}))


def standing_record(call: Call, history: History) -> Record:
    """What each file was as the version in force was written; nothing of one that is lost."""
    record = read_record(call.vault.state.folder)
    lost = record.commit != (history.head_id() or "")
    return replace(record, commit="", files={}) if lost else record


def publish(
    call: Call, files: Mapping[str, bytes], *, before: str | None, by: str, message: str
) -> str:
    """Make these files the published notebook, if it still is the one that the caller read.

    Args:
        call: the circumstances.
        files: all of them by their paths, relative to the memory root.
        before: the version that they replace, None for none.
        by: one word that says whose the new version is.
        message: one line for the history, of the caller's words only.

    Returns the new version's id; `before` where the files are the same.

    Raises:
        NotebookInvalidError: if these are no notebook.
        NotebookChangedError: if another version is in force, or a file in the vault holds a change
            that is not in it; nothing was published.
        HistoryDamagedError, BusyError: as `versions`.
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written. Once the history
            has the version, the next sync goes on.
    """
    wrong = problems(files)
    if wrong:
        raise NotebookInvalidError(str(wrong[0]))
    with versions(call) as history:
        finish_under_lock(call, history)
        if history.head_id() != before:
            raise NotebookChangedError(
                "The notebook was published anew meanwhile. Run the command again."
            )
        record = standing_record(call, history)
        _refuse_edited(call, record, first=before is None)
        if before is not None and history.files(before) == dict(files):
            return before
        made = history.commit(files, message=message, when=call.now, by=by)
        bring_up(call, record, made, files, by=by)
        return made


def finish_publication(call: Call) -> bool:
    """Go on with a publication that was cut short; whether there was one.

    Raises:
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with versions(call) as history:
        return finish_under_lock(call, history)


def finish_under_lock(call: Call, history: History) -> bool:
    """As `finish_publication`; the caller holds the lock, by `versions`."""
    folder = call.vault.state.folder
    record, summary = read_record(folder), read_summary(folder)
    if record.leaving:
        leave(call, history, record)
        return True
    tip = history.head_id()
    if tip is None:
        return False
    if tip == record.commit and summary is not None and summary.commit == tip:
        return False
    commit = history.find(tip)
    bring_up(call, record, tip, history.files(tip), by=commit.by)
    return True


def leave(call: Call, history: History, record: Record) -> None:
    """Remove the files that a reset wants gone, then every version; the record goes last.

    A file that was saved since stays. The caller holds the lock.
    """
    folder = call.vault.state.folder
    for path, etag in record.leaving.items():
        data = readable(call, path)
        if data is not None and etag_of(data) == etag:
            with suppress(NoteChangedError, NoteNotFoundError):
                put_file(call, path, data, None, by=PERSON)
    history.remove()
    history.remove_set_aside()
    remove_copies(folder)
    forget_consumed(folder)
    forget(folder)


def bring_up(
    call: Call, record: Record, commit: str, files: Mapping[str, bytes], *, by: str
) -> None:
    """Bring the copy for the report and the vault's files up to a version that the history has.

    A file that is neither as `record` knows it nor as the version has it was saved or removed by
    somebody since, and is left alone. The caller holds the lock.
    """
    keep_summary(call, commit, files)
    seen = scan(call.vault.path / call.vault.root)
    placed: dict[str, Placed] = {}
    for path in sorted({*record.files, *files}):
        known = record.files.get(path)
        data = files.get(path)
        if seen.is_unknown(path):
            if data is not None:
                placed[path] = Placed(etag_of(data), NO_FILE, 0)
            continue
        done = _bring_up_file(call, path, data, known.etag if known else "", seen, by=by)
        if data is not None:
            stat = _stat(call, path) if done else NO_FILE
            placed[path] = Placed(etag_of(data), stat, call.nanoseconds)
    folder = call.vault.state.folder
    write_record(folder, replace(record, commit=commit, files=placed))


def keep_summary(call: Call, commit: str, files: Mapping[str, bytes]) -> None:
    """Keep the copy of the summary for the report, without secrets."""
    from vaultmem.services.capturing.secret_scan import redact  # its patterns take their time

    text = redact(files[SUMMARY].decode("utf-8", "replace"))
    write_summary(call.vault.state.folder, Summary(commit, text))


def _bring_up_file(
    call: Call, path: str, data: bytes | None, known: str, seen: Scanned, *, by: str
) -> bool:
    """Write or remove one file; whether it is now as the version has it."""
    try:
        old = read_file(call, path) if path in seen.files else None
        if old == data:
            return True
        if (etag_of(old) if old is not None else "") != known:
            return False
        put_file(call, path, old, data, by=by)
    except (NoteChangedError, NameTakenError, NoteNotFoundError):
        return False  # somebody saved or removed it just now
    except (NoteUnreadableError, UnsafePathError):
        return False  # nobody can tell what it holds
    return True


def unpublished(call: Call, record: Record, *, first: bool) -> str:
    """Which file in the vault is not as the version in force has it, and why; "" for none.

    Skills that were there before the first version hold up nothing: the next look takes them in.

    Args:
        call: the circumstances, synced.
        record: what each file was.
        first: whether there is no version yet.
    """
    changed = (one for one in changed_files(call, record) if not (first and skill_of(one.path)))
    one = next(changed, None)
    if one is None:
        return ""
    what = "was deleted" if one.data is None else "holds a change that is not published"
    path = f"{call.vault.root}/{one.path}"
    told = notebook_findings(call)
    why = next((found for found in told if found.path == path), told[0] if told else None)
    if why is None:
        next_step = "Run `vaultmem sync`, which publishes a person's edit or says what to do."
    else:
        next_step = why.sentence if why.path == path else why.placed
    return f"{path} {what}. {next_step}"


def _refuse_edited(call: Call, record: Record, *, first: bool) -> None:
    """Stop where a file in the vault is not as the version in force has it.

    Raises:
        NotebookChangedError: as `unpublished` says.
    """
    if why := unpublished(call, record, first=first):
        raise NotebookChangedError(why)


def _stat(call: Call, path: str) -> Stat:
    try:
        return stat_of(call.vault.path, f"{call.vault.root}/{path}")
    except OSError:
        return NO_FILE  # it is not there, or gone again
