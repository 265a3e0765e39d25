"""Find one memory by what a person or model calls it: id, short id, path, or title."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import SHORT_LENGTH, is_id, with_prefix
from vaultmem.core.naming import name_key, title_of
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError
from vaultmem.services.classify import decode_in

if TYPE_CHECKING:
    from vaultmem.core.standing import Standing
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import MemoryRow


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
        raise NoteNotFoundError(
            f"No memory is called {_shown(name)}.", "Look for it with `vaultmem search`."
        )
    if len(rows) > 1:
        ids = ", ".join(row.id for row in rows[:5])
        raise AmbiguousIdError(f"{_shown(name)} could be {ids}.", "Write the whole id.")
    return load(call, rows[0])


def _shown(name: str) -> str:
    """What was asked for, as part of a sentence: at most 80 characters."""
    return repr(name if len(name) <= 80 else f"{name[:79]}…")


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
        return baseline.memories("id = ?", name)
    by_path = baseline.memories("path = ? OR path = ?", name, f"{name}.md")
    if by_path:
        return by_path
    title = name_key(title_of(name))
    by_title = [
        row for path in baseline.stems(title) for row in baseline.memories("path = ?", path)
    ]
    if by_title:
        return by_title
    end = name.upper()
    if SHORT_LENGTH - 2 <= len(end) <= 26 and end.isascii() and end.isalnum():
        return baseline.memories("id LIKE ?", f"%{end}")
    return []
