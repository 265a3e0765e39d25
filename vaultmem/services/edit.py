"""Change a memory's statement or properties, as the person would in Obsidian."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.trigger_advice import unusable
from vaultmem.core.inert import clean
from vaultmem.core.operation import Op
from vaultmem.core.patch_rules import RULES, way_back
from vaultmem.core.state import HELD_BACK, MemoryState
from vaultmem.core.values import WrongValueError, read
from vaultmem.core.wording import argument
from vaultmem.errors import CaptureRefusedError, EditRefusedError, NoteNotFoundError, naming
from vaultmem.notes.body import replace_statement
from vaultmem.notes.frontmatter import get_properties, set_properties
from vaultmem.notes.schema import MEMORY
from vaultmem.services.lookup import find_memory
from vaultmem.services.named_note import link_of
from vaultmem.services.property_name import refuse_misspelt
from vaultmem.services.sync import ensure_current, sync
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


_ROWS = {row.name: row for row in MEMORY}
_STATEMENT = "statement"
"""No property, but the word for what the note's first paragraph says."""


class Edited(NamedTuple):
    """The memory's note, and whether any byte changed."""

    id: str
    path: str
    changed: bool


class Opened(NamedTuple):
    """A memory's note as it was before an editor showed it."""

    id: str
    path: str
    data: bytes


def edit(
    call: Call, name: str, *, statement: str | None = None, properties: Mapping[str, str]
) -> Edited:
    """Change a memory.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        statement: the new statement; None to keep it.
        properties: property name to new value as text; several items of a list by commas, a
            `vault_ref` as `link_of` takes it.

    Raises:
        AgentRefusedError: if an agent calls.
        EditRefusedError: if a property is misspelt or not the person's to set, or its value is not
            allowed, or the memory is deleted or superseded and its status is to stay so.
        NoteNotFoundError, AmbiguousIdError: if `vault_ref` names no note, or several.
        NoteError, BusyError, ReadOnlyError, DiskFailedError: as a write.
    """
    call.person_only("edit")
    ensure_current(call)
    found = find_memory(call, name)
    path = found.row.path
    refuse_held(call, path)
    if "status" not in properties:
        refuse_status(found, "edit", RULES[Op.UPDATE].statuses)
    text = None if statement is None else visible_statement(statement)
    values = {key: property_value(key, value) for key, value in properties.items()}
    if named := values.get("vault_ref"):
        values["vault_ref"] = link_of(call, str(named))
    with call.vault.lock():
        before = read_note(call.vault.path, path)
        with naming(path):
            refuse_slips(call, values, before)
            after = set_properties(before, values)
            after = after if text is None else replace_statement(after, text)
        if after == before:
            return Edited(found.row.id, path, changed=False)
        replace_file(call.vault.path, path, after, expected=etag_of(before))
        sync(call, certain=frozenset((path,)))
    return Edited(found.row.id, path, changed=True)


def visible_statement(raw: str) -> str:
    """The statement that a person typed, as a note may hold it.

    Raises:
        CaptureRefusedError: if nothing is left of it.
    """
    if text := clean(raw).text:
        return text
    raise CaptureRefusedError("Nothing is left of that statement. Say it in a sentence.")


def refuse_slips(call: Call, keys: Iterable[str], data: bytes) -> None:
    """Refuse names that are nearly a memory's, where the note `data` has no such property.

    Raises:
        EditRefusedError: with the name that was meant.
        NoteUnreadableError: if the properties of the note cannot be read.
    """
    refuse_misspelt(call, keys, (*_ROWS, _STATEMENT), there=get_properties(data))


def refuse_held(call: Call, path: str) -> None:
    """A change must not accept in passing what an agent, or a tombstone, keeps out of force.

    Raises:
        EditRefusedError: if the note at `path` is held back.
    """
    note = call.vault.baseline.note(path)
    if note is not None and note.state in HELD_BACK:
        raise EditRefusedError(
            "The note holds a version that is not in force.",
            f"Look at it, then run `vaultmem ratify {argument(path)}`, or put the old text back.",
            path=path,
        )


def refuse_status(found: FoundMemory, verb: str, statuses: Collection[str | None]) -> None:
    """Refuse a change of a memory that is over, and say what can be done instead.

    Raises:
        EditRefusedError: if the memory has none of the statuses, or its note is gone.
    """
    memory, path = found.decoded.memory, found.row.path
    if found.row.state != MemoryState.LIVE:
        raise EditRefusedError(
            f"The note of this memory is gone, so `{verb}` changes nothing.",
            f"Put the note back at {path}, then run `vaultmem sync`.",
            path=path,
        )
    if memory.status not in statuses:
        raise EditRefusedError(
            f"The memory is {memory.status}, so `{verb}` changes nothing.",
            way_back(memory, memory.status),
            path=path,
        )


def open_note(call: Call, name: str) -> Opened:
    """A memory's note, for a person's own editor.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_memory`, or if the note has vanished.
        NoteUnreadableError, UnsafePathError: as `read_note`.
    """
    call.person_only("edit")
    ensure_current(call)
    row = find_memory(call, name).row
    return Opened(row.id, row.path, read_note(call.vault.path, row.path))


def take_in(call: Call, opened: Opened) -> Edited:
    """Let in force what the person did to the note in their editor.

    Raises:
        BusyError, VaultError, ReadOnlyError, DiskFailedError: as `sync`.
    """
    sync(call, certain=frozenset((opened.path,)))
    try:
        changed = read_note(call.vault.path, opened.path) != opened.data
    except NoteNotFoundError:
        changed = True
    return Edited(opened.id, opened.path, changed=changed)


def property_value(key: str, text: str) -> object:
    """A property of a memory as `set_properties` takes it; None clears it.

    Raises:
        EditRefusedError: if vaultmem keeps the property, or does not allow the value.
    """
    if key == _STATEMENT:
        raise EditRefusedError(
            f"`{key}` is no property.", "Give the words with `--statement TEXT`."
        )
    row = _ROWS.get(key)
    if row is None:
        return text or None
    if row.computed:
        raise EditRefusedError(f"`{key}` is kept by vaultmem.", "Set another property.")
    if not text.strip():
        return None
    if (wrong := unusable(key, text)) is not None:
        raise EditRefusedError(wrong.message, wrong.remedy)
    raw: str | list[str] = text
    if row.widget.value in ("multitext", "tags"):
        raw = [item.strip() for item in text.split(",") if item.strip()]
    try:
        value = row.checked(read(row.kind, raw))
    except WrongValueError as error:
        raise EditRefusedError(f"`{key}` {error}.", "Give another value.") from None
    return list(value) if isinstance(value, tuple) else value
