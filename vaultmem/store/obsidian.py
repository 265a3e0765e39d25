"""Obsidian's own settings in `.obsidian/`: read what concerns us, merge ours without loss."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.settings import folder_path
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.etag import Etag, etag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from vaultmem.core.json_splice import Json

FOLDER = ".obsidian"
APP = f"{FOLDER}/app.json"
TYPES = f"{FOLDER}/types.json"
TEMPLATES = f"{FOLDER}/templates.json"
TURNED_ON = f"{FOLDER}/community-plugins.json"
PLUGINS = f"{FOLDER}/plugins"
PLUGIN = "vaultmem"
"""The id of our plugin, and the name of its folder (facts/obsidian.md 3.3)."""
OUR_PLUGIN = f"{PLUGINS}/{PLUGIN}"

_MADE = frozenset(("types.json", "app.json", "plugins"))
"""What a vault's settings hold by us alone."""

MAX_JSON = 1 << 20
"""Bytes of one settings file; Obsidian's own are a few KiB."""

_BOM = "\ufeff"


class TypeClash(NamedTuple):
    """A property that the person uses with another type than ours, and keeps."""

    name: str
    theirs: str
    ours: str


class FileChange(NamedTuple):
    """What a settings file is to hold; `expected` is the version read, None to create it."""

    path: str
    data: bytes
    expected: Etag | None


class TypesPlan(NamedTuple):
    """What a merge of property types would do: added names, clashes, and the file as it would be.

    `change` is None where there is nothing to write, or the file cannot be read.
    """

    added: dict[str, str]
    clashes: tuple[TypeClash, ...]
    change: FileChange | None
    findings: tuple[Finding, ...] = ()


class FilterPlan(NamedTuple):
    """What a merge of one Excluded-files entry would do."""

    added: bool
    change: FileChange | None
    findings: tuple[Finding, ...] = ()


class _Json(NamedTuple):
    values: dict[str, Json]
    text: str
    bom: str
    etag: Etag | None


def read_types(vault: Path) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """The widget that Obsidian shows each property with, by name, as the person has it."""
    read = _read(vault, TYPES)
    if isinstance(read, Finding):
        return {}, (read,)
    return _widgets(read), ()


def obsidian_vault(vault: Path) -> Path | None:
    """The folder that Obsidian has open where it shows this vault; its name is the vault's there.

    That is the nearest one, at or above `vault`, in which Obsidian has written settings itself;
    else the nearest with any. None where there is none.
    """
    places = [place for place in (vault, *vault.parents) if place.name and _has_settings(place)]
    return next(filter(_was_opened, places), next(iter(places), None))


def outer_vault(vault: Path) -> Path | None:
    """The larger vault in which Obsidian shows this one; None where it is one of its own.

    Obsidian shows nothing that lies in a folder whose name begins with a dot.
    """
    above = obsidian_vault(vault)
    if above is None or above == vault:
        return None
    inside = vault.relative_to(above).parts
    return None if any(part.startswith(".") for part in inside) else above


def _has_settings(place: Path) -> bool:
    try:
        return (place / FOLDER).is_dir()
    except OSError:  # a folder above that is closed to us
        return False


def _was_opened(place: Path) -> bool:
    """Whether its settings hold a file that `init` never makes; Obsidian makes some at once.

    Names that begin with a dot are not Obsidian's: what a killed `init` left, or a file manager.
    """
    try:
        names = [one.name for one in (place / FOLDER).iterdir()]
    except OSError:
        return False
    return any(name not in _MADE and not name.startswith(".") for name in names)


def templates_folder(vault: Path) -> tuple[str | None, tuple[Finding, ...]]:
    """The folder of the core plugin Templates, relative to the vault, or None if none is set."""
    return plugin_folder(vault, TEMPLATES, "folder")


def plugin_folder(vault: Path, path: str, key: str) -> tuple[str | None, tuple[Finding, ...]]:
    """The folder of the vault that `key` of a plugin's settings names, or None if it names none."""
    read = _read(vault, path)
    if isinstance(read, Finding):
        return None, (read,)
    value = read.values.get(key)
    folder = folder_path(value.removeprefix("/") if isinstance(value, str) else value)
    if folder is None and value not in (None, "", "/"):
        return None, (finding("VM215", f"`{key}` is no folder of the vault.", path=path),)
    return folder, ()


def plan_types_merge(
    existing: Mapping[str, str], ours: Mapping[str, str]
) -> tuple[dict[str, str], tuple[TypeClash, ...]]:
    """Which names of ours to add, with their widgets, and which the person has with another one.

    Obsidian takes names that differ only in case for the same, and so does this. A person's entry
    is never changed; ours are read in either type (docs/adr/0005).
    """
    known = {name.casefold(): (name, widget) for name, widget in existing.items()}
    changes: dict[str, str] = {}
    clashes = []
    for name, widget in ours.items():
        if (found := known.get(name.casefold())) is None:
            changes[name] = widget
        elif found[1] != widget:
            clashes.append(TypeClash(found[0], found[1], widget))
    return changes, tuple(clashes)


def plan_types(vault: Path, ours: Mapping[str, str]) -> TypesPlan:
    """Plan to add the types of our properties to `types.json`, key by key."""
    from vaultmem.core.json_splice import add_to_object

    read = _read(vault, TYPES)
    if isinstance(read, Finding):
        return TypesPlan({}, (), None, (read,))
    changes, clashes = plan_types_merge(_widgets(read), ours)

    def add(text: str) -> str:
        for name, widget in changes.items():
            text = add_to_object(text, "types", name, widget)
        return text

    change = _edit(read, TYPES, add)
    if isinstance(change, Finding):
        return TypesPlan({}, clashes, None, (change,))
    return TypesPlan(changes, clashes, change)


def plan_types_undo(vault: Path, added: Mapping[str, str]) -> TypesPlan:
    """Plan to take out what `plan_types` added, as far as it still is what was added."""
    from vaultmem.core.json_splice import remove_from_object

    read = _read(vault, TYPES)
    if isinstance(read, Finding):
        return TypesPlan({}, (), None, (read,))

    def remove(text: str) -> str:
        for name, widget in reversed(list(added.items())):
            text = remove_from_object(text, "types", name, widget)
        return text

    change = _edit(read, TYPES, remove)
    if isinstance(change, Finding):
        return TypesPlan({}, (), None, (change,))
    return TypesPlan({}, (), change)


def plan_filter(vault: Path, entry: str) -> FilterPlan:
    """Plan to add one Excluded-files entry to `app.json`, as `init` offers for machine notes."""
    from vaultmem.core.json_splice import add_to_list

    return _plan_filter(vault, lambda text: add_to_list(text, "userIgnoreFilters", entry))


def plan_filter_undo(vault: Path, entry: str) -> FilterPlan:
    """Plan to take the Excluded-files entry out again."""
    from vaultmem.core.json_splice import remove_from_list

    return _plan_filter(vault, lambda text: remove_from_list(text, "userIgnoreFilters", entry))


def apply_change(vault: Path, change: FileChange) -> Etag:
    """Write a planned change, only if the file still is what the plan was made from.

    Raises:
        NoteChangedError, NameTakenError: if it changed or was made in the meantime.
        UnsafePathError, ReadOnlyError, DiskFailedError: as `store.files.replace_file`.
    """
    from vaultmem.store.files import create_file, replace_file

    if change.expected is None:
        return create_file(vault, change.path, change.data, hidden=True)
    return replace_file(vault, change.path, change.data, expected=change.expected, hidden=True)


def read_filters(vault: Path) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """The Excluded-files entries of `app.json`, as the person wrote them."""
    read = _read(vault, APP)
    if isinstance(read, Finding):
        return (), (read,)
    value = read.values.get("userIgnoreFilters")
    if value is None:
        return (), ()
    entries = value if isinstance(value, list) else []
    texts = tuple(entry for entry in entries if isinstance(entry, str) and entry)
    if not isinstance(value, list) or len(texts) < len(entries):
        message = "`userIgnoreFilters` is not a list of texts; what is not is left out."
        return texts, (finding("VM215", message, path=APP),)
    return texts, ()


def turned_on_plugins(vault: Path) -> frozenset[str]:
    """The ids of the community plugins that Obsidian runs; none where the file says nothing."""
    data = read_inside(vault, TURNED_ON, limit=MAX_JSON)
    if isinstance(data, Unread):
        return frozenset()
    try:
        values: object = json.loads(data)
    except (ValueError, RecursionError):
        return frozenset()
    listed = values if isinstance(values, list) else []
    return frozenset(one for one in listed if isinstance(one, str))


def _plan_filter(vault: Path, edit: Callable[[str], str]) -> FilterPlan:
    read = _read(vault, APP)
    if isinstance(read, Finding):
        return FilterPlan(added=False, change=None, findings=(read,))
    change = _edit(read, APP, edit)
    if isinstance(change, Finding):
        return FilterPlan(added=False, change=None, findings=(change,))
    return FilterPlan(added=change is not None, change=change)


def _edit(read: _Json, path: str, edit: Callable[[str], str]) -> FileChange | Finding | None:
    from vaultmem.core.json_splice import SpliceError

    try:
        text = edit(read.text)
    except SpliceError as error:
        return _unreadable(path, f"cannot be merged: {error}")
    if text == read.text:
        return None
    return FileChange(path, (read.bom + text).encode("utf-8", "surrogatepass"), read.etag)


def _widgets(read: _Json) -> dict[str, str]:
    types = read.values.get("types")
    if not isinstance(types, dict):
        return {}
    return {name: widget for name, widget in types.items() if isinstance(widget, str)}


def _read(vault: Path, path: str) -> _Json | Finding:
    from vaultmem.core.json_splice import SpliceError, load

    data = read_inside(vault, path, limit=MAX_JSON)
    if isinstance(data, Unread):
        return _Json({}, "", "", None) if data.missing else _unreadable(path, data.why)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _unreadable(path, "is not valid UTF-8")
    body = text.removeprefix(_BOM)
    try:
        values = load(body)
    except SpliceError as error:
        return _unreadable(path, f"cannot be read: {error}")
    return _Json(values, body, _BOM if body != text else "", etag_of(data))


def _unreadable(path: str, why: str) -> Finding:
    return finding("VM215", f"`{path}` {why}", path=path)
