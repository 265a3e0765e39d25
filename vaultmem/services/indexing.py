"""Feed the search index from the baseline: what changed since the number that it holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.place import Kind, archived, stray
from vaultmem.core.state import MemoryState
from vaultmem.errors import NoteUnreadableError
from vaultmem.index.documents import Document, Source, note_documents
from vaultmem.index.engine import Feed
from vaultmem.store.apart import TemplatesOf, templates_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow
    from vaultmem.store.vault import OpenVault

SEARCHED = ("active", "contested", "promoted")
"""Memories of any other status are out of force and out of search at once."""


def refresh(call: Call, engine: SearchEngine) -> str | None:
    """Bring the index up to the baseline; a sentence where that was not possible."""
    return engine.refresh(lambda stamp: feed(call, stamp))


def feed(call: Call, stamp: str | None) -> Feed:
    """What has changed since the state that `stamp` names; everything for an unknown one.

    A stamp is this baseline's mark, the number of its last change and the folders of templates.
    """
    baseline, templates = call.vault.baseline, templates_of(call.vault.path)
    uid = _uid(call)
    spelled = json.dumps(templates.folders)
    now = f"{uid}:{baseline.seq()}:{spelled}"
    known, _, rest = (stamp or "").partition(":")
    seq, _, folders = rest.partition(":")
    if known != uid or not seq.isdigit() or int(seq) > baseline.seq():
        call.vault.forget_report()  # of ten thousand memories as much as half the index takes
        return Feed(_documents(call.vault, baseline.paths(), templates), (), now, complete=True)
    changed = baseline.changes_since(int(seq))
    if folders != spelled:
        changed = [*dict.fromkeys((*changed, *_turned(call.vault, folders, templates)))]
    return Feed(_documents(call.vault, changed, templates), changed, now)


def _turned(vault: OpenVault, folders: str, now: TemplatesOf) -> Iterator[str]:
    """The notes that are templates now and were none, or the other way round.

    `folders` is that part of a stamp; one of an older version has none, and left no template out.
    Where it cannot be understood, every note may be one.
    """
    before = _folders(folders) if folders else ()
    was = now._replace(folders=before) if folders and before is not None else _NONE
    for row in vault.baseline.notes(kind=Kind.KNOWLEDGE.value):
        if before is None or was.hold(row.path) != now.hold(row.path):
            yield row.path


_NONE = TemplatesOf((), frozenset())


def _folders(spelled: str) -> tuple[str, ...] | None:
    try:
        found: object = json.loads(spelled)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        return None
    return tuple(found)


def _uid(call: Call) -> str:
    """What tells this baseline from one that was begun anew."""
    uid = call.vault.baseline.meta("uid")
    if not uid:
        uid = call.random(8).hex()
        call.vault.baseline.set_meta("uid", uid)
    return uid


def _documents(
    vault: OpenVault, paths: Iterable[str], templates: TemplatesOf
) -> Iterator[Document]:
    for path in paths:
        row = vault.baseline.note(path)
        if row is None or (row.kind == Kind.KNOWLEDGE and templates.hold(path)):
            continue  # a template says nothing itself
        yield from _of_note(vault, row)


def _of_note(vault: OpenVault, row: NoteRow) -> Iterable[Document]:
    match row.kind:
        case Kind.MEMORY:
            return _of_memory(vault, row)
        case Kind.KNOWLEDGE:
            return _of_text(vault, row, Source.VAULT)
        case Kind.ROOT if stray(row.path, vault.root):
            return _of_text(vault, row, Source.VAULT)
        case Kind.LOG:
            return _of_text(vault, row, Source.LOG)
        case _:
            return ()


def _of_memory(vault: OpenVault, row: NoteRow) -> Iterable[Document]:
    """The version in force, also where the note is broken or held at the moment."""
    standing = vault.baseline.standing(row.id) if row.id else None
    memory = vault.baseline.memory(row.id) if row.id else None
    if (
        standing is None
        or memory is None
        or memory.state != MemoryState.LIVE
        or memory.path != row.path
    ):
        return ()
    if standing.status not in SEARCHED or archived(row.path, vault.root):
        return ()
    from vaultmem.services.syncing.classify import decode_in  # not where nothing has changed

    data = vault.baseline.content(row.id)
    if data is None:
        return ()
    try:
        decoded = decode_in(vault.root, row.path, data)
    except NoteUnreadableError:  # what this machine keeps of it is damaged; `doctor` says so
        return ()
    return note_documents(
        source=Source.MEMORY,
        path=row.path,
        title=decoded.title,
        body=decoded.body,
        id=row.id,
        tags=tuple(tag.removeprefix("memory/") for tag in decoded.memory.tags),
    )


def _of_text(vault: OpenVault, row: NoteRow, source: Source) -> Iterable[Document]:
    """A note that is no memory, as far as it may be searched."""
    from vaultmem.services.knowledge import read_knowledge  # as above

    note = read_knowledge(vault.path, row.path, source=source)
    return () if note is None else note.documents
