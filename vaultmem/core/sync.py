"""What happened to the memories since the last look: the decision table of a sync, without a disk.

The caller names the notes whose bytes are new and the paths that vanished; the answer is a list of
changes, one per note. Who made a change is another question, answered by the ledgers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.state import MemoryState

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


class Seen(NamedTuple):
    """A note in a memory's place that is new or has other bytes than at the last look."""

    path: str
    id: str
    """Empty where the note has none of our form."""
    readable: bool


class Known(NamedTuple):
    """Where the baseline has a memory."""

    path: str
    state: str
    """A word of `MemoryState`."""


@dataclass(frozen=True, slots=True)
class Created:
    """A note that nobody knew; `id` is empty if it needs one."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class Edited:
    """Other bytes at the known place; `lost_id` if its id line was removed."""

    path: str
    id: str
    lost_id: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """The same id at another place, its old place empty; its bytes may have changed as well."""

    path: str
    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class Restored:
    """The note of a missing or deleted memory is back."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class Copied:
    """A second note with the id of one that is still there: not in force until it has its own."""

    path: str
    id: str
    original: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A note that cannot be read; the last good version of `id` stays in force."""

    path: str
    id: str


@dataclass(frozen=True, slots=True)
class Vanished:
    """The note of a memory is gone."""

    path: str
    id: str


Change = Created | Edited | Moved | Restored | Copied | Broken | Vanished


def plan(
    seen: Sequence[Seen],
    vanished: Collection[str],
    known: Mapping[str, Known],
) -> list[Change]:
    """Say what happened to each note, by path; a note named in `vanished` last.

    Args:
        seen: new and changed notes, each path once.
        vanished: paths of the baseline that are gone.
        known: every memory of the baseline that `seen` or `vanished` can concern, by id.
    """
    table = _Table(seen, vanished, known)
    changes = [table.decide(note) for note in sorted(seen)]
    changes += [
        Vanished(path, identifier)
        for path, identifier in sorted(table.id_at.items())
        if path in table.left and identifier not in table.claimed
    ]
    return changes


class _Table:
    """The facts that every row of the decision table asks for."""

    def __init__(
        self, seen: Sequence[Seen], vanished: Collection[str], known: Mapping[str, Known]
    ) -> None:
        self.known = known
        self.id_at = {at.path: key for key, at in known.items() if at.state == MemoryState.LIVE}
        # A note that cannot be read, at the place of a missing memory, is that memory's again.
        broken = {note.path for note in seen if not note.readable}
        self.id_at |= {
            at.path: key
            for key, at in known.items()
            if at.state == MemoryState.MISSING and at.path in broken and at.path not in self.id_at
        }
        self.claimed: dict[str, str] = {}
        """The one note that is the memory of an id."""
        now_at = {note.path: note for note in seen}
        claims: dict[str, list[str]] = {}
        for note in sorted(seen):
            if note.id and note.readable:
                claims.setdefault(note.id, []).append(note.path)
        self.left = {
            path
            for path, identifier in self.id_at.items()
            if path in vanished
            or ((now := now_at.get(path)) is not None and _is_another(now, identifier, claims))
        }
        for identifier, paths in claims.items():
            if (winner := self._winner(identifier, paths)) is not None:
                self.claimed[identifier] = winner
        # A note that lost its id line, or cannot be read, still is what it was at that place,
        # unless its id turned up elsewhere.
        for note in seen:
            prior = self.id_at.get(note.path)
            if prior and prior not in self.claimed and (not note.id or not note.readable):
                self.claimed[prior] = note.path

    def _winner(self, identifier: str, paths: list[str]) -> str | None:
        """Which of the notes with this id is the memory; None if it is one that did not change."""
        at = self.known.get(identifier)
        if at is not None and at.path in paths:
            return at.path
        if at is None or at.state != MemoryState.LIVE:
            return paths[0]
        if at.path not in self.left:
            return None
        name = at.path.rpartition("/")[2]
        return min(paths, key=lambda path: (path.rpartition("/")[2] != name, path))

    def decide(self, note: Seen) -> Change:  # noqa: PLR0911 - one answer a row of the table
        prior = self.id_at.get(note.path, "")
        kept = prior if self.claimed.get(prior) == note.path else ""
        if not note.readable:
            return Broken(note.path, kept)
        if not note.id:
            return Edited(note.path, kept, lost_id=True) if kept else Created(note.path, "")
        if self.claimed.get(note.id) != note.path:
            original = self.claimed.get(note.id) or self.known[note.id].path
            return Copied(note.path, note.id, original)
        at = self.known.get(note.id)
        if at is None:
            return Created(note.path, note.id)
        if at.state != MemoryState.LIVE:
            return Restored(note.path, note.id)
        if at.path == note.path:
            return Edited(note.path, note.id)
        return Moved(note.path, note.id, at.path)


def _is_another(note: Seen, identifier: str, claims: Mapping[str, list[str]]) -> bool:
    """Whether a note in the place of a memory is not that memory any more.

    A readable note without an id is another one only where the id turned up elsewhere: the person
    moved the memory and wrote a new note of the old name.
    """
    if note.id:
        return note.id != identifier
    return note.readable and identifier in claims


EMPTIED_FOLDER = 3
MANY, SHARE = 10, 0.2
"""DESIGN §3.2: a folder of three or more emptied, or more than ten and a fifth, stops and asks."""


def too_many_vanished(vanished: Collection[str], all_paths: Collection[str]) -> bool:
    """Whether so many memories are gone at once that a half-synced vault is likelier than a wish.

    Args:
        vanished: paths of memories that are gone.
        all_paths: paths of every memory in force before, `vanished` among them.
    """
    if len(vanished) > MANY and len(vanished) > SHARE * len(all_paths):
        return True
    before: dict[str, int] = {}
    gone: dict[str, int] = {}
    for paths, count in ((all_paths, before), (vanished, gone)):
        for path in paths:
            folder = path.rpartition("/")[0]
            count[folder] = count.get(folder, 0) + 1
    return any(
        number >= EMPTIED_FOLDER and number == before[folder] for folder, number in gone.items()
    )
