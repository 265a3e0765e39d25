"""Take what a purged memory said out of the notebook: its files, its versions, its cards."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.naming import title_of
from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY
from vaultmem.core.occurrence import lines_with, names, without_lines
from vaultmem.errors import HistoryDamagedError
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.published import keep_summary, versions
from vaultmem.services.notebook.vault_files import readable, skills_not_ours
from vaultmem.store.etag import etag_of
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook_copies import forget_consumed, remove_copies
from vaultmem.store.notebook_files import scan
from vaultmem.store.notebook_history import History
from vaultmem.store.notebook_record import Placed, read_record, write_record
from vaultmem.store.walk import NO_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.occurrence import Line
    from vaultmem.services.call import Call
    from vaultmem.services.purging.target import Target


def notebook_cuts(call: Call, target: Target) -> Iterator[tuple[str, bytes, bytes]]:
    """The notebook's files that the machine wrote and that say it, as they are and without it.

    A skill that is a person's, or was promoted, is the person's prose: it is listed instead.
    Paths are relative to the vault.
    """
    if not _was_published(call):
        return
    theirs = _foreign(call)
    for path in scan(call.vault.path / call.vault.root).files:
        if path not in (HANDBOOK, SUMMARY) and skill_of(path) in theirs:
            continue
        data = readable(call, path)
        if data is not None and (after := _cut(data, [target])) != data:
            yield f"{call.vault.root}/{path}", data, after


def purge_notebook(call: Call, targets: Sequence[Target]) -> None:
    """Erase what this machine keeps of the notebook's past; its files in the vault were cut.

    The caller holds the lock. A file that still says it, as a person's skill does, stays out of
    the versions until it is edited.

    Raises:
        BusyError: if another process reads the catalog; the next call goes on.
        ReadOnlyError, DiskFailedError, VaultError: if something cannot be written.
    """
    folder = call.vault.state.folder
    with closing(NotebookCatalog(folder)) as catalog:
        if catalog.exists:
            catalog.purge(lambda data: _lines(data, targets), call.now.timestamp())
            settle_notes(call, catalog)  # a card that is gone was named after what it said
    if not _was_published(call):
        return
    forget_consumed(folder)
    remove_copies(folder)
    _set_apart(call, targets)
    try:
        with versions(call) as history:
            _purge_versions(call, history, targets)
    except HistoryDamagedError:
        pass  # it was set aside, and goes; the next sync begins anew from the files
    History(call.vault.state.history).remove_set_aside()


def _was_published(call: Call) -> bool:
    """Whether there is a notebook of ours; else files of these names are the person's own."""
    place = call.vault.state.history
    return place.exists() or History(place).aside.exists()


def _set_apart(call: Call, targets: Sequence[Target]) -> None:
    """Keep files that still say it out of the versions that are made from now on."""
    folder = call.vault.state.folder
    record = read_record(folder)
    apart = dict(record.apart)
    for path in scan(call.vault.path / call.vault.root).files:
        data = readable(call, path)
        if data is not None and _without(path, data, targets) != data:
            apart[path] = etag_of(data)
    write_record(folder, replace(record, apart=apart))


def _purge_versions(call: Call, history: History, targets: Sequence[Target]) -> None:
    folder = call.vault.state.folder
    record, files = read_record(folder), history.files()
    cut = {path for path, data in files.items() if _without(path, data, targets) != data}
    # first: who is killed before the end finds files that no version explains, and leaves them be
    known = {path: one for path, one in record.files.items() if path not in cut}
    write_record(folder, replace(record, files=known))
    if not history.rewrite(lambda path, data: _without(path, data, targets)):
        return
    tip, after = history.head_id() or "", history.files()
    keep_summary(call, tip, after)
    for path in cut & after.keys():
        known[path] = Placed(etag_of(after[path]), NO_FILE, 0)
    write_record(folder, replace(record, commit=tip, files=known))


def _foreign(call: Call) -> frozenset[str]:
    """The skills that are not the worker's; all of them where no version says whose they are."""
    try:
        with versions(call) as history:
            return skills_not_ours(call, list(history.versions()))
    except HistoryDamagedError:
        return skills_not_ours(call, ())


def _without(path: str, data: bytes, targets: Sequence[Target]) -> bytes | None:
    """A file of the notebook, or the message of a version for "", without what is purged.

    None where its name says it.
    """
    parts = [title_of(part) for part in path.split("/")]
    if any(names(target.texts, part) for target in targets for part in parts):
        return None
    return _cut(data, targets)


def _cut(data: bytes, targets: Sequence[Target]) -> bytes:
    return without_lines(data, (line.number for line in _lines(data, targets)))


def _lines(data: bytes, targets: Sequence[Target]) -> list[Line]:
    return [line for target in targets for line in lines_with(target.words, data)]
