"""The honest list of a purge: where the text still stands or may stand, and how to clear it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.naming import title_of
from vaultmem.core.occurrence import lines_with, names
from vaultmem.core.place import inside
from vaultmem.store.elsewhere import occurrences
from vaultmem.store.export_folders import export_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from vaultmem.services.call import Call
    from vaultmem.services.purging.target import Target
    from vaultmem.store.elsewhere import Occurrence


class Where(StrEnum):
    """What kind of place holds the text, or may hold it."""

    NOTE = "note"
    FILE = "file"
    TRASH = "trash"
    OBSIDIAN = "obsidian"
    OTHER_PROGRAM = "other_program"
    GIT = "git"
    SESSION = "session"
    EXPORT = "export"
    DEVICE = "device"
    MEMORY = "memory"
    """A memory that says it as this machine knows it, while its note is gone or says otherwise."""
    WORDING = "wording"
    """Wordings that the memory may have had, and that this machine never saw."""
    TOO_LARGE = "too_large"
    UNFINISHED = "unfinished"


class Left(NamedTuple):
    """A place that the purge did not reach.

    Attributes:
        where: what kind of place it is.
        path: relative to the vault; absolute for a session or an export; the id of a memory or a
            device; None without a place.
        how: how to clear it, one sentence.
        lines: those that hold the text, from 1.
        certain: whether the text was seen there; else it may be there.
    """

    where: Where
    path: str | None
    how: str
    lines: tuple[int, ...] = ()
    certain: bool = True


_HOW = {
    Where.NOTE: "Edit the note.",
    Where.FILE: "Edit or delete the file.",
    Where.TRASH: "Delete the file from the trash.",
    Where.OBSIDIAN: "Close the vault in Obsidian and take the lines out of the file.",
    Where.OTHER_PROGRAM: "Delete the file; another program keeps it.",
    Where.GIT: "Rewrite the history with `git filter-repo --invert-paths --path NOTE`, then "
    "`git reflog expire --expire=now --all` and `git gc --prune=now`, and push with `--force`.",
    Where.SESSION: "Delete the session file if you do not need the conversation any more.",
    Where.EXPORT: "Export into this folder again, or delete the file.",
    Where.MEMORY: "Its note is gone or says otherwise; `vaultmem forget ID --purge` with this id "
    "removes the rest.",
    Where.DEVICE: "Sync the vault there and run `vaultmem sync`; the device needs the vault's key.",
    Where.WORDING: "This machine did not see all of them; search your notes for what you remember.",
    Where.TOO_LARGE: "Look into the file yourself; it is too large to be searched.",
}
_RECOVERY = (
    "Clear the history in Obsidian's settings under File recovery; with Obsidian Sync, also the "
    "version history of the note."
)
_GIT, _OBSIDIAN, _TRASH = ".git", ".obsidian", ".trash"


def places_left(call: Call, target: Target, sessions: Sequence[Path]) -> list[Left]:
    """Everything that a purge did not reach, the certain places first.

    Args:
        call: the circumstances.
        target: what was purged, with all its words.
        sessions: the folders of the agent's sessions, searched by content.
    """
    found = list(_in_vault(call, target))
    found += _in_baseline(call, target, frozenset(one.path for one in found))
    outside = [(Where.SESSION, folder) for folder in sessions]
    outside += [
        (Where.EXPORT, folder)
        for folder in export_folders(call.vault.state.folder)
        if not folder.is_relative_to(call.vault.path)  # searched with the vault
    ]
    found += [
        _left(where, f"{folder}/{one.path}", one)
        for where, folder in outside
        for one in _search(folder, target, frozenset())
    ]
    if target.more:
        found.append(Left(Where.WORDING, None, _HOW[Where.WORDING], certain=False))
    return [*found, *_unseen(call)]


def _in_vault(call: Call, target: Target) -> Iterator[Left]:
    for one in _search(call.vault.path, target, frozenset({_GIT})):
        yield _left(_where(one.path, call.vault.root), one.path, one)


def _in_baseline(call: Call, target: Target, named: frozenset[str | None]) -> Iterator[Left]:
    """Memories that say it here while their notes, which are not `named`, do not."""
    baseline = call.vault.baseline
    for row in baseline.memories():
        if row.id == target.id or row.path in named:
            continue
        if lines := lines_with(target.words, baseline.content(row.id) or b""):
            numbers = tuple(line.number for line in lines)
            yield Left(Where.MEMORY, row.id, _HOW[Where.MEMORY], numbers)


def _search(folder: Path, target: Target, skipped: frozenset[str]) -> Iterator[Occurrence]:
    return occurrences(
        folder,
        lambda data: tuple(line.number for line in lines_with(target.words, data)),
        lambda name: names(target.texts, title_of(name)),
        skipped=skipped,
    )


def _left(where: Where, path: str, one: Occurrence) -> Left:
    where = where if one.read else Where.TOO_LARGE
    return Left(where, path, _HOW[where], one.lines, certain=one.read)


def _where(path: str, root: str) -> Where:
    top = path.split("/", 1)[0]
    if top == _TRASH:
        return Where.TRASH
    if top == _OBSIDIAN:
        return Where.OBSIDIAN
    if top.startswith("."):
        return Where.OTHER_PROGRAM
    is_note = path.lower().endswith(".md")
    return Where.NOTE if is_note or inside(path, root) else Where.FILE


def _unseen(call: Call) -> Iterator[Left]:
    """Places that cannot be looked into."""
    vault = call.vault
    if any((folder / _GIT).exists() for folder in (vault.path, *vault.path.parents)):
        yield Left(Where.GIT, _GIT, _HOW[Where.GIT], certain=False)
    if (vault.path / _OBSIDIAN).is_dir():
        yield Left(Where.OBSIDIAN, None, _RECOVERY, certain=False)
    for device in vault.baseline.ledger.devices():
        if device != vault.device:
            yield Left(Where.DEVICE, device, _HOW[Where.DEVICE], certain=False)
