"""Read, set and remove one property of any note of the vault, without touching another byte."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.trigger_advice import unusable
from vaultmem.core.governance import read_said
from vaultmem.core.place import inside
from vaultmem.core.values import Kind, WrongValueError, read
from vaultmem.errors import EditRefusedError, NoteNotFoundError, naming
from vaultmem.notes.frontmatter import get_properties, set_property, unset_property
from vaultmem.notes.schema import SCHEMAS, NoteType, properties_of
from vaultmem.services.property_name import refuse_misspelt
from vaultmem.services.sync import sync
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file
from vaultmem.store.obsidian import read_types

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vaultmem.notes.frontmatter import Value
    from vaultmem.services.call import Call

_LISTS = ("multitext", "tags", "aliases")
_ALWAYS_LISTS = ("tags", "aliases", "cssclasses")
"""Obsidian's own properties, which are lists in every vault."""
_KINDS = {
    "number": Kind.NUMBER,
    "checkbox": Kind.CHECKBOX,
    "date": Kind.DATE,
    "datetime": Kind.DATETIME,
}


class Property(NamedTuple):
    """The answer of a change."""

    path: str
    changed: bool


def note_path(call: Call, path: str) -> str:
    """The vault-relative spelling of a path that a person typed, absolute or with or without `.md`.

    Raises:
        NoteNotFoundError: if no path was given, or an absolute one is not in the vault.
    """
    if not path.strip():
        raise NoteNotFoundError("No note was named.", "Give its path in the vault.")
    if Path(path).is_absolute():
        real = Path(os.path.realpath(Path(path).parent)) / Path(path).name
        if not real.is_relative_to(call.vault.path):
            raise NoteNotFoundError(
                f"{path} is not in the vault {call.vault.path}.", "Name a note of the vault."
            )
        path = real.relative_to(call.vault.path).as_posix()
    path = path.removeprefix("./")
    return path if path.lower().endswith(".md") else f"{path}.md"


def get(call: Call, path: str) -> Mapping[str, Value]:
    """All properties of a note, as Obsidian reads them.

    Raises:
        NoteError, UnsafePathError: if it cannot be read; the message names the line.
    """
    relative = note_path(call, path)
    with naming(relative):
        return get_properties(read_note(call.vault.path, relative))


def put(call: Call, path: str, key: str, texts: Sequence[str]) -> Property:
    """Set one property from what a person typed, in the type that the vault shows it with.

    Raises:
        AgentRefusedError: if an agent calls.
        EditRefusedError: if the value has not the property's type, or is none of those that a
            note of ours may have, or the name is nearly one that such a note has, or the block
            cannot be changed without touching something else.
        NoteError, UnsafePathError, BusyError, ReadOnlyError, DiskFailedError: as a write.
    """
    relative = note_path(call, path)

    def change(data: bytes) -> bytes:
        properties = get_properties(data)
        value = _value(call, properties, key, texts)
        return set_property(data, key, _of_ours(call, relative, properties, key, value))

    return _write(call, "note set", relative, change)


def remove(call: Call, path: str, key: str) -> Property:
    """Remove one property with its value; a note without it stays as it is.

    Raises:
        As `put`.
    """

    def change(data: bytes) -> bytes:
        return unset_property(data, key) if key in get_properties(data) else data

    return _write(call, "note unset", note_path(call, path), change)


def _write(call: Call, verb: str, relative: str, change: Callable[[bytes], bytes]) -> Property:
    call.person_only(verb)
    with call.vault.lock():
        with naming(relative):
            before = read_note(call.vault.path, relative)
            after = change(before)
        if after == before:
            return Property(relative, changed=False)
        replace_file(call.vault.path, relative, after, expected=etag_of(before))
        sync(call, certain=frozenset((relative,)))
    return Property(relative, changed=True)


def _value(call: Call, properties: Mapping[str, Value], key: str, texts: Sequence[str]) -> Value:
    types, _ = read_types(call.vault.path)
    widget = types.get(key) or _widget_of(properties.get(key))
    if key in _ALWAYS_LISTS:
        widget = "multitext"
    if widget in _LISTS or (len(texts) > 1 and widget is None):
        return list(texts)
    if len(texts) != 1:
        raise EditRefusedError(
            f"`{key}` is shown as {widget}, which is one value.", "Give exactly one value."
        )
    kind = _KINDS.get(widget or "")
    if kind is None or not texts[0].strip():
        return texts[0] if texts[0].strip() else None
    try:
        value = read(kind, texts[0])
    except WrongValueError as error:
        remedy = f"Write it as a {widget}, which it is in this vault."
        raise EditRefusedError(f"`{key}` {error}.", remedy) from None
    if kind is Kind.NUMBER and isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, bool | int | float) else texts[0].strip()


def _of_ours(
    call: Call, path: str, properties: Mapping[str, Value], key: str, value: Value
) -> Value:
    """The value in the spelling of a property that has a few, where the note is one of ours.

    Raises:
        EditRefusedError: if it is none of them, or the name is misspelt.
    """
    kind = properties.get("type")
    if not (inside(path, call.vault.root) and isinstance(kind, str) and kind in SCHEMAS):
        return value
    note_type = NoteType(kind)
    refuse_misspelt(call, (key,), properties_of(note_type).keys(), there=properties)
    if not isinstance(value, str):
        return value
    if note_type is NoteType.SETTINGS:
        if unread := read_said({key: value})[1]:
            raise EditRefusedError(f"`{key}` must be {unread[0].allowed}.", "Give another value.")
    elif (wrong := unusable(key, value)) is not None:
        raise EditRefusedError(wrong.message, wrong.remedy)
    row = properties_of(note_type).get(key)
    if row is None or row.kind is not Kind.ENUM:
        return value
    try:
        return str(row.checked(value))
    except WrongValueError as error:
        raise EditRefusedError(f"`{key}` {error}.", "Give another value.") from None


def _widget_of(value: Value) -> str | None:
    """The type that an untyped property has in this note."""
    if isinstance(value, list):
        return "multitext"
    if isinstance(value, bool):
        return "checkbox"
    return "number" if isinstance(value, int | float) else None
