"""Reset: a person has the notebook forgotten, with its cards and versions, and begins anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.own import PERSON, Version, foreign_skills
from vaultmem.core.notebook.validation import HANDBOOK, SKILLS, SUMMARY
from vaultmem.core.place import SESSIONS
from vaultmem.errors import HistoryDamagedError, NotConfirmedError, UnsafePathError
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.hand_edits import differences, look
from vaultmem.services.notebook.published import leave, versions
from vaultmem.services.notebook.vault_files import readable
from vaultmem.services.sync import ensure_current
from vaultmem.store.etag import etag_of
from vaultmem.store.folders import remove_folder
from vaultmem.store.notebook_files import scan
from vaultmem.store.notebook_record import FOLDER, read_record, write_record
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag
    from vaultmem.store.notebook.catalog import NotebookCatalog


class Reach(NamedTuple):
    """What a reset removes; paths are relative to the memory root.

    Attributes:
        files: the notebook's files: MEMORY.md, memory_summary.md, the worker's skills.
        edited: those of them that a person wrote in.
        kept: skills that are not the worker's, by their names; they stay.
        cards: how many cards of this machine's sessions, each with its note.
        versions: how many versions.
        etags: the versions of `files`, as they are in the vault.
    """

    files: tuple[str, ...]
    edited: tuple[str, ...]
    kept: tuple[str, ...]
    cards: int
    versions: int
    etags: frozenset[Etag] = frozenset()


class WasReset(NamedTuple):
    """What a reset removed, and what it could not."""

    reach: Reach
    findings: tuple[Finding, ...]


def foresee_reset(call: Call, catalog: NotebookCatalog) -> Reach:
    """What a reset would remove, for a person to look at before they say yes.

    Raises:
        AgentRefusedError: if an agent calls.
        UnsafePathError: if the memory root, or a folder of it that is emptied, is a link.
        BusyError: if another process writes for longer than ten seconds.
    """
    call.person_only("notebook reset")
    _refuse_links(call)
    ensure_current(call)
    with call.vault.lock():
        return _reach(call, catalog)


def reset(
    call: Call,
    catalog: NotebookCatalog,
    *,
    worker: str = "reset",
    yes: bool = False,
    seen: Reach | None = None,
) -> WasReset:
    """Remove the notebook, its versions, the cards of this machine's sessions and their notes.

    Sessions, ad-hoc notes, memories and what the person said of single sessions stay, and so do
    the notes of other devices' sessions. If it is cut short, the next sync goes on.

    Args:
        call: the circumstances.
        catalog: of this machine.
        worker: who does it, for people to read.
        yes: the person knows that they wrote in the files that go.
        seen: what they were shown before they said yes, where they were shown something.

    Raises:
        AgentRefusedError, UnsafePathError: as `foresee_reset`.
        NotConfirmedError: if a person wrote in a file that goes, and did not say `yes`.
        NoteChangedError: if a file would go that the person was not shown; nothing was done.
        BusyError: if the notebook is being worked on, or another process writes.
        ReadOnlyError, DiskFailedError: if something cannot be removed.
    """
    call.person_only("notebook reset")
    _refuse_links(call)
    ensure_current(call)
    now = call.now.timestamp()
    with catalog.maintenance(worker, now), call.vault.lock():
        reach = _reach(call, catalog)
        if reach.edited and not yes:
            names = ", ".join(reach.edited)
            raise NotConfirmedError(
                f"You wrote in {names}, which a reset removes. Copy what you want to keep, then "
                "run it with `--yes`."
            )
        same = seen is None or reach.etags <= seen.etags
        need_as_shown("A file of the notebook", same=same)
        settle_notes(call, catalog)  # one that was lost learns first which notes are its own
        catalog.wipe(now)
        findings = settle_notes(call, catalog)
        _remove_empty(call)
        folder = call.vault.state.folder
        leaving = {path: _etag(call, path) for path in reach.files}
        record = replace(read_record(folder), leaving=leaving)
        write_record(folder, record)
        with versions(call) as history:
            leave(call, history, record)
        look(call)
    return WasReset(reach, findings)


def _remove_empty(call: Call) -> None:
    """Remove the folders of years and months in which no session note is left."""
    vault = call.vault
    top = vault.path / vault.root / SESSIONS
    below = sorted(top.glob("*/*/")) + sorted(top.glob("*/"))
    for one in below:
        if one.is_dir() and not one.is_symlink():
            remove_folder(vault.path, one.relative_to(vault.path).as_posix())


def _refuse_links(call: Call) -> None:
    vault = call.vault
    for folder in (SKILLS, SESSIONS):
        resolve_inside(vault.path, f"{vault.root}/{folder}")
    for place in (vault.state.history, vault.state.folder / FOLDER):
        if place.is_symlink():
            raise UnsafePathError(
                f"{place} is a symbolic link, which is never followed. "
                "Remove the link, then run the command again."
            )


def _reach(call: Call, catalog: NotebookCatalog) -> Reach:
    read: list[Version] = []
    try:
        with versions(call) as history:
            read = list(history.versions())
    except HistoryDamagedError:
        pass  # it is set aside, and goes; nobody knows whose the skills are, so they stay
    seen = scan(call.vault.path / call.vault.root).files
    record = read_record(call.vault.state.folder)
    waiting = {one.path for one in differences(call, record) if one.data is not None}
    ours = {skill_of(path) for path in (read[0].files if read else ())} - foreign_skills(read)
    ours -= {skill_of(path) for path in waiting} | {""}
    files = tuple(path for path in seen if path in (HANDBOOK, SUMMARY) or skill_of(path) in ours)
    kept = sorted({skill_of(path) for path in seen} - ours - {""})
    edited = tuple(path for path in files if path in waiting or _is_edited(path, read))
    cards = len(catalog.cards.all()) if catalog.exists else 0
    etags = frozenset(_etag(call, path) for path in files)
    return Reach(files, edited, tuple(kept), cards, len(read), etags)


def _etag(call: Call, path: str) -> Etag:
    return etag_of(readable(call, path) or b"")


def _is_edited(path: str, read: Sequence[Version]) -> bool:
    """Whether a version of a person's changed the file."""
    older = [*read[1:], Version("", {})]
    return any(
        one.by == PERSON and one.files.get(path) != before.files.get(path)
        for one, before in zip(read, older, strict=True)
    )
