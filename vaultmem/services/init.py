"""Make a memory root in a vault, after saying what that will create; and take exactly that back."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import ulid
from vaultmem.core.place import FOLDERS, SETTINGS
from vaultmem.core.settings import folder_path
from vaultmem.errors import (
    ConfigError,
    NoteNotFoundError,
    RootNotOursError,
    VaultIdError,
    VaultmemError,
    VaultNotFoundError,
)
from vaultmem.notes.schema import widgets
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import create_file, read_note, remove_file, replace_file
from vaultmem.store.folders import make_folder, remove_folder
from vaultmem.store.obsidian import (
    APP,
    FOLDER,
    TYPES,
    apply_change,
    plan_filter,
    plan_filter_undo,
    plan_types,
    plan_types_undo,
)
from vaultmem.store.private import read_private, write_private
from vaultmem.store.settings import new_settings, read_settings, settings_path, write_settings
from vaultmem.store.state import VaultState, known_id
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import set_default_vault, trust, untrust

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from vaultmem.config import HomeDirs, UserConfig
    from vaultmem.core.finding import Finding
    from vaultmem.store.obsidian import FileChange

RECORD = "init.json"
"""What `init` made, in the state folder, for `--undo`."""
_OURS = {*FOLDERS, SETTINGS, "System", "Inquiries", "Promotions", "Notes", "Skills", "Review"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InitPlan:
    """Everything that `init` will do, before it does it.

    Attributes:
        vault: the vault's real path.
        root: the memory root, relative to it.
        create: folders (ending in `/`) and notes that will be made, relative to the vault.
        settings: entries that will be merged into Obsidian's settings, one a line.
        clashes: properties that the vault shows with another type than ours; they stay.
        new_id: whether the vault gets an id and a key.
        foreign: the vault has an id, but this device has not its key.
        findings: Obsidian settings that cannot be read and are left alone.
    """

    vault: Path
    root: str
    create: tuple[str, ...]
    settings: tuple[str, ...]
    clashes: tuple[str, ...]
    new_id: bool
    foreign: bool = False
    exclude_system: bool = False
    findings: tuple[Finding, ...] = ()


class Undone(NamedTuple):
    """What `init --undo` took away, and what it left because it is not `init`'s any more."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Record:
    vault: str
    root: str
    files: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    filter: str = ""
    obsidian: list[str] = field(default_factory=list)
    """Settings files and the folder of Obsidian that were not there before."""
    before: dict[str, str] = field(default_factory=dict)
    """What settings files held before, base64."""
    after: dict[str, str] = field(default_factory=dict)
    """Their version once we had merged; while it stands, undoing puts the old bytes back."""
    default: bool = False
    """Whether the vault became the one to use where nothing else names one."""


def plan_init(home: HomeDirs, vault: Path, root: str, *, exclude_system: bool = False) -> InitPlan:
    """Say what `init` would do in the folder `vault`.

    Raises:
        VaultNotFoundError: if the folder is not there.
        ConfigError: if `root` is no name of a folder in a vault.
        RootNotOursError: if the root holds files that are not a memory root's.
    """
    if not vault.is_dir():
        raise VaultNotFoundError(f"{vault} is no folder. Make it first, or name another one.")
    if folder_path(root) is None:
        raise ConfigError(f"{root!r} is no folder of a vault. Give a name such as `Memory`.")
    if known_id(home, vault) is None:
        _refuse_foreign(vault, root)
    folders = [f"{root}/{name}/" for name in FOLDERS if not (vault / root / name).is_dir()]
    notes = [] if (vault / root / SETTINGS).exists() else [settings_path(root)]
    identifier = read_settings(vault, root).settings.id if not notes else None
    types = plan_types(vault, widgets_text())
    filters = plan_filter(vault, _system(root)) if exclude_system else None
    settings = [f".obsidian/types.json: {name} → {widget}" for name, widget in types.added.items()]
    if filters is not None and filters.added:
        settings.append(f".obsidian/app.json: Excluded files + {_system(root)}")
    return InitPlan(
        vault=vault,
        root=root,
        create=(*folders, *notes),
        settings=tuple(settings),
        clashes=tuple(f"{one.name} is {one.theirs}, ours is {one.ours}" for one in types.clashes),
        new_id=identifier is None,
        foreign=identifier is not None and not (home.state / identifier / "key").exists(),
        exclude_system=exclude_system,
        findings=(*types.findings, *(filters.findings if filters is not None else ())),
    )


def init(
    home: HomeDirs,
    config: UserConfig,
    plan: InitPlan,
    *,
    now: datetime,
    random: Callable[[int], bytes],
) -> VaultState:
    """Do what the plan says; the state folder of the vault on this machine.

    Raises:
        VaultIdError: if another live vault has the same id.
        NameTakenError, ReadOnlyError, DiskFailedError, ConfigError: if a part cannot be written.
    """
    vault, root = plan.vault, plan.root
    record = _Record(vault=str(vault), root=root)
    for path in plan.create:
        if path.endswith("/"):
            record.folders += make_folder(vault, path.rstrip("/"))
        else:
            record.folders += make_folder(vault, root)
            data = new_settings(root)
            record.files[path] = create_file(vault, path, data)
    settings = settings_path(root)
    unnamed = read_note(vault, settings)
    identifier = ensure_id(home, vault, root, now=now, random=random)
    if settings in record.files:
        record.files[settings] = etag_of(read_note(vault, settings))
    elif plan.new_id:
        record.before[settings] = b64encode(unnamed).decode()
        record.after[settings] = etag_of(read_note(vault, settings))
    state = VaultState.open(home, identifier, vault, root=root)
    if plan.new_id and state.key_file.load() is None:
        state.key_file.create()
    _merge(vault, root, plan, record)
    record.default = config.vault is None
    _remember(state, record)
    trust(home, vault, root=root, vault_id=identifier)
    if record.default:
        set_default_vault(home, vault)
    return state


def ensure_id(
    home: HomeDirs, vault: Path, root: str, *, now: datetime, random: Callable[[int], bytes]
) -> str:
    """The vault's id; one that has none gets it now, as a property of its settings.

    A vault that this machine knew at this very path gets its old id back: its settings were lost
    or damaged, and its key and history belong to that id.

    Raises:
        ConfigError, NoteError: if the settings cannot be read or changed.
    """
    loaded = read_settings(vault, root)
    if loaded.settings.id is not None:
        return loaded.settings.id
    if loaded.etag is None:
        raise VaultIdError(f"{vault} has no {settings_path(root)}. Run `vaultmem init {vault}`.")
    identifier = known_id(home, vault) or f"vault_{ulid(int(now.timestamp() * 1000), random(10))}"
    write_settings(vault, root, {"id": identifier}, expected=loaded.etag)
    return identifier


def new_identity(home: HomeDirs, vault: Path, root: str, identifier: str) -> None:
    """Replace the id of a copied vault by its own, and give that one a key.

    Raises:
        ConfigError, NoteError: if the settings cannot be changed.
    """
    loaded = read_settings(vault, root)
    if loaded.etag is None:
        raise VaultIdError(f"{vault} has no {settings_path(root)}. Run `vaultmem init {vault}`.")
    write_settings(vault, root, {"id": identifier}, expected=loaded.etag)
    VaultState.open(home, identifier, vault, root=root).key_file.create()


def undo_init(home: HomeDirs, vault: Path, root: str) -> Undone:
    """Take back what `init` made and nobody has changed since; everything else stays.

    Raises:
        VaultNotFoundError: if `init` was not run there on this machine.
    """
    identifier = read_settings(vault, root).settings.id
    record = _recorded(home, identifier) if identifier is not None else None
    if identifier is None or record is None:
        raise VaultNotFoundError(
            f"`vaultmem init` did not make {root} in {vault} on this machine. Nothing was changed."
        )
    removed, kept = [], []
    for path, etag in record.files.items():
        try:
            remove_file(vault, path, expected=Etag(etag))
            removed.append(path)
        except NoteNotFoundError:
            continue
        except VaultmemError:
            kept.append(path)
    for folder in sorted(record.folders, key=len, reverse=True):
        (removed if remove_folder(vault, folder) else kept).append(f"{folder}/")
    removed += _unmerge(vault, record)
    untrust(home, vault)
    if record.default and read_user_config(home).config.vault == vault:
        set_default_vault(home, None)
    if not kept:
        (home.state / identifier / RECORD).unlink(missing_ok=True)
    return Undone(tuple(removed), tuple(kept))


def widgets_text() -> dict[str, str]:
    """Our properties with the name of their widget, as Obsidian's `types.json` spells it."""
    return {name: widget.value for name, widget in widgets().items()}


def _refuse_foreign(vault: Path, root: str) -> None:
    place = vault / root
    if not place.exists() and not place.is_symlink():
        return
    if place.is_symlink() or not place.is_dir():
        raise RootNotOursError(f"{place} is no real folder. Choose another name with `--root`.")
    entries = sorted(entry.name for entry in place.iterdir() if not entry.name.startswith("."))
    if not entries or ((place / SETTINGS).is_file() and _is_settings(vault, root)):
        return
    shown = ", ".join(entries[:5]) + (" …" if len(entries) > 5 else "")
    raise RootNotOursError(
        f"{place} holds files that are not ours: {shown}. Choose another folder with `--root NAME`."
    )


def _is_settings(vault: Path, root: str) -> bool:
    from vaultmem.notes.frontmatter import get_properties

    try:
        data = read_note(vault, settings_path(root))
        return get_properties(data).get("type") == "settings"
    except VaultmemError:
        return False


def _system(root: str) -> str:
    return f"{root}/System/"


def _merge(vault: Path, root: str, plan: InitPlan, record: _Record) -> None:
    absent = [path for path in (TYPES, APP, FOLDER) if not (vault / path).exists()]
    types = plan_types(vault, widgets_text())
    if types.change is not None:
        _apply(vault, types.change, record)
        record.types = dict(types.added)
    if plan.exclude_system:
        filters = plan_filter(vault, _system(root))
        if filters.change is not None:
            _apply(vault, filters.change, record)
            record.filter = _system(root)
    record.obsidian = [path for path in absent if (vault / path).exists()]


def _apply(vault: Path, change: FileChange, record: _Record) -> None:
    if change.expected is not None:
        old = read_note(vault, change.path, hidden=True)
        record.before[change.path] = b64encode(old).decode()
    record.after[change.path] = apply_change(vault, change)


def _unmerge(vault: Path, record: _Record) -> list[str]:
    undone = [path for path in record.before if _put_back(vault, path, record)]
    types = plan_types_undo(vault, record.types) if record.types else None
    if types is not None and types.change is not None:
        apply_change(vault, types.change)
        undone.append(f"{TYPES}: our property types")
    filters = plan_filter_undo(vault, record.filter) if record.filter else None
    if filters is not None and filters.change is not None:
        apply_change(vault, filters.change)
        undone.append(f"{APP}: our Excluded-files entry")
    for path in sorted(record.obsidian, key=lambda path: path == FOLDER):
        if path == FOLDER:
            remove_folder(vault, path, hidden=True)
        elif _says_nothing(vault, path):
            data = read_note(vault, path, hidden=True)
            remove_file(vault, path, expected=etag_of(data), hidden=True)
    return undone


def _put_back(vault: Path, path: str, record: _Record) -> bool:
    """Restore a settings file to the byte if nobody has changed it since we did."""
    old = b64decode(record.before[path])
    try:
        replace_file(vault, path, old, expected=Etag(record.after[path]), hidden=True)
    except VaultmemError:
        return False
    return True


def _says_nothing(vault: Path, path: str) -> bool:
    """Whether a settings file that we made holds nothing any more."""
    try:
        values = json.loads(read_note(vault, path, hidden=True))
    except (ValueError, VaultmemError):
        return False
    return isinstance(values, dict) and not any(values.values())


def _remember(state: VaultState, record: _Record) -> None:
    """Add what was made now to what an earlier `init` made."""
    known = _load(read_private(state.folder / RECORD))
    if known is not None:
        record.files = known.files | record.files
        record.folders = [*known.folders, *(f for f in record.folders if f not in known.folders)]
        record.types = known.types | record.types
        record.obsidian = [*known.obsidian, *record.obsidian]
        record.before = record.before | known.before
        record.after = known.after | record.after
        record.filter = record.filter or known.filter
        record.default = record.default or known.default
    body = {name: getattr(record, name) for name in _Record.__slots__}
    write_private(state.folder / RECORD, json.dumps(body, indent=1).encode())


def _recorded(home: HomeDirs, identifier: str) -> _Record | None:
    return _load(read_private(home.state / identifier / RECORD))


def _load(data: bytes | None) -> _Record | None:
    if data is None:
        return None
    try:
        return _Record(**json.loads(data))
    except (ValueError, TypeError):
        return None
