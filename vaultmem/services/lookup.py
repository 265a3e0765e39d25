"""Find one memory, or one note that waits, by what it is called: id, short id, path, or title."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from vaultmem.core.ids import SHORTEST, is_end_of, is_id, with_prefix
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.place import Kind
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError
from vaultmem.services.syncing.classify import decode_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.standing import Standing
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import MemoryRow


class _HasPlace(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def path(self) -> str: ...


_Note = TypeVar("_Note", bound=_HasPlace)


class FoundMemory(NamedTuple):
    """A memory with the version that is in force."""

    row: MemoryRow
    standing: Standing
    data: bytes
    decoded: Decoded


def find_memory(call: Call, name: str) -> FoundMemory:
    """The memory that `name` means.

    Args:
        call: the circumstances.
        name: `mem_…`, the `cand_…` that it came from, the end of an id (6 characters or more, in
            any case), a path in the vault, or the note's title.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it.
    """
    rows = _rows(call, name.strip().removeprefix("[[").removesuffix("]]"))
    if not rows:
        raise _unknown(call, name)
    if len(rows) > 1:
        ids = ", ".join(row.id for row in rows[:5])
        raise AmbiguousIdError(f"{_shown(name)} could be {ids}.", "Write the whole id.")
    return load(call, rows[0])


def _unknown(call: Call, name: str) -> NoteNotFoundError:
    """The error for a name that no memory has; a candidate of that name is told apart."""
    for row in those_called(name, call.vault.baseline.notes(kind=Kind.CANDIDATE.value)):
        return NoteNotFoundError(
            f"{_shown(name)} is no memory yet: {row.path} waits in the inbox.",
            "See it with `vaultmem inbox`.",
        )
    return NoteNotFoundError(
        f"No memory is called {_shown(name)}.",
        f"Look for it with `vaultmem search`.{_if_too_short(name)}",
    )


def _shown(name: str) -> str:
    """What was asked for, as part of a sentence: at most 80 characters."""
    return repr(name if len(name) <= 80 else f"{name[:79]}…")


def _if_too_short(name: str) -> str:
    """How an id is shortened, where what was asked for is too short to be one's end."""
    short = len(name) < SHORTEST and name.isalnum()
    return f" Of an id, the last {SHORTEST} characters or more are needed." if short else ""


def those_called(name: str, notes: Iterable[_Note]) -> list[_Note]:
    """The notes that `name` can mean: by their id, the end of it, their path, or their title."""
    wanted = name.strip().removeprefix("[[").removesuffix("]]").removesuffix(".md")
    return [
        one
        for one in notes
        if wanted in (one.path.removesuffix(".md"), title_of(one.path)) or is_end_of(wanted, one.id)
    ]


def the_only(found: Sequence[_Note], name: str, *, kind: str, listing: str) -> _Note:
    """The one note that `those_called` found.

    Args:
        found: what it found.
        name: what was typed.
        kind: what it is, for the sentence.
        listing: the command that lists all of them.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if there are several, or copies of one.
    """
    if not found:
        sentence = f"No {kind} is called {_shown(name)}."
        raise NoteNotFoundError(sentence, f"List them with {listing}.{_if_too_short(name)}")
    if len({one.id for one in found}) < len(found):
        raise copied(kind, found[0].id, [one.path for one in found])
    if len(found) > 1:
        paths = ", ".join(one.path for one in found[:5])
        raise AmbiguousIdError(f"{_shown(name)} could be {paths}.", "Write the whole path.")
    return found[0]


def refuse_copies(call: Call, identifier: str, path: str, kind: Kind) -> None:
    """Refuse to decide about a note whose id another note of its kind has as well.

    Raises:
        AmbiguousIdError: if there is one; a decision goes by the id, and nobody knows which counts.
    """
    rows = call.vault.baseline.notes_with_id(identifier)
    others = [row.path for row in rows if row.kind == kind and row.path != path]
    if others:
        raise copied(kind.value, identifier, [path, *others])


def copied(kind: str, identifier: str, paths: Sequence[str]) -> AmbiguousIdError:
    """The error that names the notes of a kind which have one id."""
    return AmbiguousIdError(
        f"The {kind} {identifier} stands in several notes: {', '.join(paths[:5])}.",
        "Delete those that you do not want, then decide.",
    )


def load(call: Call, row: MemoryRow) -> FoundMemory:
    """A memory of the baseline with the version that is in force.

    Raises:
        NoteNotFoundError: if nothing is left of it but its tombstone.
    """
    standing = call.vault.baseline.standing(row.id)
    data = call.vault.baseline.content(row.id)
    if standing is None or data is None:
        raise NoteNotFoundError(
            f"{row.id} was deleted and has no text any more.",
            "Add it again with `vaultmem add` if it should be remembered.",
        )
    return FoundMemory(row, standing, data, decode_in(call.vault.root, row.path, data))


def _rows(call: Call, name: str) -> list[MemoryRow]:
    baseline = call.vault.baseline
    if is_id(name, "cand"):
        name = with_prefix(name, "mem")
    if is_id(name):
        row = baseline.memory(name)
        return [] if row is None else [row]
    by_path = [*baseline.memories_at(name), *baseline.memories_at(f"{name}.md")]
    if by_path:
        return by_path
    title = name_key(title_of(name))
    by_title = [row for path in baseline.stems(title) for row in baseline.memories_at(path)]
    if by_title:
        return by_title
    end = name.upper()
    if SHORTEST <= len(end) <= 26 and end.isascii() and end.isalnum():
        return baseline.memories_with_end(end)
    return []
