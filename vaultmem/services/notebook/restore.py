"""Restore: a person has a version of the notebook back, or accepts what waits in its files."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.line_diff import changes, plain_diff
from vaultmem.core.notebook.own import PERSON
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY, problems
from vaultmem.errors import NotebookInvalidError
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.notebook.beginning import begin, first_remedy
from vaultmem.services.notebook.bringing_back import Back, LeftOut, bring_back
from vaultmem.services.notebook.hand_edits import (
    announce,
    differences,
    look,
    notice,
    with_changes,
)
from vaultmem.services.notebook.outgoing import without_new_secrets
from vaultmem.services.notebook.published import finish_under_lock, standing_record, versions
from vaultmem.services.notebook.vault_files import VIA, put_file
from vaultmem.services.notebook.versions import nothing_published
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.attribution import APPROVED, Origin, Owner
from vaultmem.store.notebook_record import write_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.notebook.difference import Difference
    from vaultmem.store.notebook_history import History
    from vaultmem.store.notebook_record import Record


class Published(NamedTuple):
    """What came of it.

    Attributes:
        commit: the version that is in force now.
        paths: the files that it changed, relative to the memory root.
        left_out: what of a restored version does not come back.
        cleaned: the files of which the history keeps what gave way, but without its secrets.
    """

    commit: str
    paths: tuple[str, ...]
    left_out: LeftOut = LeftOut()
    cleaned: tuple[str, ...] = ()


class Foreseen(NamedTuple):
    """What a restore or an acceptance would change.

    Attributes:
        paths: the files, relative to the memory root.
        diff: from what is there to what would be, as a unified diff.
        left_out: as for `Published`.
    """

    paths: tuple[str, ...]
    diff: str
    left_out: LeftOut = LeftOut()


def foresee_accept(call: Call) -> Foreseen:
    """What `accept` would publish: the files in the vault against the version in force.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no notebook yet.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, _ACCEPT) as (_, now):
        return _accepting(now)


def foresee_restore(call: Call, name: str | None = None) -> Foreseen:
    """What `restore` would change in the files of the vault.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no such version.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook restore") as (history, now):
        return _restoring(now, _back(call, history, now, name))


def accept(call: Call, *, seen: Foreseen | None = None) -> Published:
    """Publish the notebook as it lies in the vault, whoever changed it.

    Args:
        call: the circumstances.
        seen: what a person was shown before they said yes, where they were shown something.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteChangedError: if it would publish what the person was not shown.
        NotebookInvalidError: if the files are no notebook; nothing was published.
        NoteNotFoundError: if there are no files of a notebook yet.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, _ACCEPT) as (history, now):
        need_as_shown("The notebook", same=seen in (None, _accepting(now)))
        if not now.found:
            return Published(now.tip, ())
        files = with_changes(now.files, now.found)
        _refuse_wrong(files, first=not now.tip)
        announce(call, now.found, APPROVED, PERSON, VIA)
        _release(call, now.record)
        message = f"Accepted: {', '.join(one.path for one in now.found)}"
        if now.tip:
            made = history.commit(files, message=message[:200], when=call.now, by=PERSON)
        else:
            made = begin(call, history, [_approved(one) for one in now.found], message)
        _settle(call, history)
        return Published(made, tuple(one.path for one in now.found))


def restore(call: Call, name: str | None = None, *, seen: Foreseen | None = None) -> Published:
    """Put a version into the vault's files, and into force; the one in force for None.

    What stood in the files and was not published is kept in the history, below the new version,
    without the secrets that were typed into it. Skills that the version does not have stay only
    where no worker made them; what `bring_back` leaves out stays away.

    Args:
        call: the circumstances.
        name: of the version.
        seen: what a person was shown before they said yes, where they were shown something.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if there is no such version.
        NotebookInvalidError: if the version is no notebook by itself.
        NoteChangedError: if a file was saved meanwhile, or since it was shown; run it again.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as `publish`.
    """
    with _as_it_is(call, "notebook restore") as (history, now):
        made = _back(call, history, now, name)
        need_as_shown("The notebook", same=seen in (None, _restoring(now, made)))
        _refuse_wrong(made.files)
        lying = with_changes(now.files, now.found)
        paths = tuple(one.path for one in changes(lying, made.files))
        if not paths:
            return Published(now.tip, (), made.left_out)
        cleaned = _commit(call, history, now, made)
        for path in paths:
            put_file(call, path, lying.get(path), made.files.get(path), by=PERSON)
        _release(call, now.record)
        _settle(call, history)
        return Published(history.head_id() or now.tip, paths, made.left_out, cleaned)


class _Now(NamedTuple):
    """The notebook in force, and what of its files in the vault is otherwise.

    Before the first version `tip` is empty, and there are no `files`.
    """

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
        record = standing_record(call, history)
        found = differences(call, record)
        begins = verb == _ACCEPT and not {HANDBOOK, SUMMARY}.isdisjoint(one.path for one in found)
        if tip is None and not begins:
            raise nothing_published(call)
        yield history, _Now(tip or "", history.files(), found, record)


_ACCEPT = "notebook accept"
"""The verb that may begin the notebook with the files that are there."""


def _approved(one: Difference) -> Difference:
    """The same as the person's, where an agent may have made it."""
    is_agents = one.owner.origin is Origin.EXTERNAL
    return one._replace(owner=Owner(Origin.PERSON)) if is_agents else one


def _back(call: Call, history: History, now: _Now, name: str | None) -> Back:
    """The files once the version is in force; the one that is loses nothing."""
    if name is None:
        return Back(now.tip, now.files)
    return bring_back(call, history, name, now.files)


def _commit(call: Call, history: History, now: _Now, made: Back) -> tuple[str, ...]:
    """Make the restored version; which files of what gave way are kept without secrets."""
    kept: Mapping[str, bytes] | None = None
    cleaned: tuple[str, ...] = ()
    if any(one.data is not None for one in now.found):
        kept, cleaned = without_new_secrets(with_changes(now.files, now.found), now.files)
    if made.files == now.files and kept is None:
        return ()
    message = f"Restored {made.version[:12]}"
    history.commit(made.files, message=message, when=call.now, by=PERSON, instead_of=kept)
    return cleaned


def _accepting(now: _Now) -> Foreseen:
    return _foreseen(now.files, with_changes(now.files, now.found))


def _restoring(now: _Now, made: Back) -> Foreseen:
    foreseen = _foreseen(with_changes(now.files, now.found), made.files)
    return foreseen._replace(left_out=made.left_out)


def _foreseen(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Foreseen:
    paths = tuple(one.path for one in changes(before, after))
    return Foreseen(paths, plain_diff(before, after))


def _refuse_wrong(files: Mapping[str, bytes], *, first: bool = False) -> None:
    if wrong := problems(files):
        one = wrong[0]
        raise NotebookInvalidError(str(one._replace(remedy=first_remedy(one)) if first else one))


def _release(call: Call, record: Record) -> None:
    """Hold nothing any more: the person decided."""
    write_record(call.vault.state.folder, replace(record, held={}))


def _settle(call: Call, history: History) -> None:
    """Bring what this machine keeps up to the version; a rewrite that runs is outdated."""
    finish_under_lock(call, history)
    notice(call)
    look(call)
