"""Change a memory's statement or properties, as the person would in Obsidian."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import clean
from vaultmem.core.values import WrongValueError, read
from vaultmem.errors import CaptureRefusedError, EditRefusedError
from vaultmem.notes.body import replace_statement
from vaultmem.notes.frontmatter import set_properties
from vaultmem.notes.schema import MEMORY
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import ensure_current, sync
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.core.values import Normal
    from vaultmem.notes.schema import Property
    from vaultmem.services.call import Call


_ROWS = {row.name: row for row in MEMORY}


class Edited(NamedTuple):
    """The memory's note, and whether any byte changed."""

    id: str
    path: str
    changed: bool


def edit(
    call: Call, name: str, *, statement: str | None = None, properties: Mapping[str, str]
) -> Edited:
    """Change a memory.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        statement: the new statement; None to keep it.
        properties: property name to new value as text; several items of a list by commas.

    Raises:
        AgentRefusedError: if an agent calls.
        EditRefusedError: if a property is not the person's to set, or its value is not allowed.
        NoteError, BusyError, ReadOnlyError, DiskFailedError: as a write.
    """
    call.person_only("edit")
    ensure_current(call)
    found = find_memory(call, name)
    path = found.row.path
    with call.vault.lock():
        before = read_note(call.vault.path, path)
        after = set_properties(before, {key: _value(key, text) for key, text in properties.items()})
        if statement is not None:
            text = clean(statement).text
            if not text:
                raise CaptureRefusedError(
                    "Nothing is left of that statement. Say it in a sentence."
                )
            after = replace_statement(after, text)
        if after == before:
            return Edited(found.row.id, path, changed=False)
        replace_file(call.vault.path, path, after, expected=etag_of(before))
        sync(call, certain=frozenset((path,)))
    return Edited(found.row.id, path, changed=True)


def place_of(call: Call, name: str) -> Path:
    """The file of a memory, for a person's own editor.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    call.person_only("edit")
    ensure_current(call)
    return call.vault.path / find_memory(call, name).row.path


def _value(key: str, text: str) -> object:
    row = _ROWS.get(key)
    if row is None:
        return text or None
    if row.computed:
        raise EditRefusedError(f"`{key}` is kept by vaultmem.", "Set another property.")
    if not text.strip():
        return None
    raw: str | list[str] = text
    if row.widget.value in ("multitext", "tags"):
        raw = [item.strip() for item in text.split(",") if item.strip()]
    try:
        value = read(row.kind, raw)
    except WrongValueError as error:
        raise EditRefusedError(f"`{key}` {error}.", "Give another value.") from None
    if not _within(row, value):
        raise EditRefusedError(
            f"`{key}` must be from {row.low:g} to {row.high:g}.", "Give another value."
        )
    if row.allowed and value not in row.allowed:
        raise EditRefusedError(f"`{key}` must be one of {', '.join(row.allowed)}.", "Choose one.")
    return list(value) if isinstance(value, tuple) else value


def _within(row: Property, value: Normal) -> bool:
    """Whether a number lies between the bounds of its property."""
    if row.low is None or row.high is None or not isinstance(value, int | float):
        return True
    return row.low <= value <= row.high
