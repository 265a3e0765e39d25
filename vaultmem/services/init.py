"""Make a memory root in a vault, after saying what that will create."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultmem.config import UserConfig
from vaultmem.core.place import FOLDERS
from vaultmem.core.settings import SETTINGS_NOTE, folder_path
from vaultmem.errors import ConfigError, RootNotOursError, VaultNotFoundError
from vaultmem.notes.schema import widgets
from vaultmem.services.bases import dashboards
from vaultmem.services.init_record import Record, recorded, remember
from vaultmem.services.inner_vault import refuse_inner
from vaultmem.services.note_templates import note_templates
from vaultmem.services.vault_id import adopt
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.discovery import find_root, is_marked
from vaultmem.store.etag import etag_of
from vaultmem.store.files import create_file, read_note, replace_file
from vaultmem.store.folders import make_folder, missing_folders
from vaultmem.store.obsidian import FOLDER, apply_change, plan_filter, plan_types
from vaultmem.store.settings import new_settings, read_settings, settings_path
from vaultmem.store.state import known_id
from vaultmem.store.user_config_edit import set_default_vault, trust

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from vaultmem.config import HomeDirs
    from vaultmem.core.finding import Finding
    from vaultmem.services.note_templates import NoteTemplates
    from vaultmem.store.etag import Etag
    from vaultmem.store.obsidian import FileChange
    from vaultmem.store.state import VaultState


MAX_FILE = 1 << 20
"""Bytes of a file that may be one of ours; those are a few KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitPlan:
    """Everything that `init` will do, before it does it.

    Attributes:
        vault: the vault's real path.
        root: the memory root, relative to it.
        create: folders (ending in `/`), notes, dashboards and templates that will be made,
            relative to the vault; what is there already stays as it is.
        renew: dashboards and templates that an earlier `init` made on this machine, that nobody
            changed since, and that are made otherwise now; each with the version that is there.
        templates: where the templates go; None where they were not asked for.
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
    renew: Mapping[str, Etag] = field(default_factory=dict)
    templates: NoteTemplates | None = None

    @property
    def is_done(self) -> bool:
        """Whether the vault has everything already."""
        return not (self.create or self.renew or self.settings or self.new_id)


def plan_init(
    home: HomeDirs, vault: Path, root: str, *, exclude_system: bool = False, templates: bool = False
) -> InitPlan:
    """Say what `init` would do in the folder `vault`.

    Raises:
        VaultNotFoundError: if the folder is not there.
        ConfigError: if `root` is no name of a folder in a vault, or templates have no place.
        RootNotOursError: if the root holds files that are not a memory root's, the vault has
            another root, or it lies in a larger vault of Obsidian's.
    """
    if not vault.is_dir():
        raise VaultNotFoundError(f"{vault} is no folder. Make it first, or name another one.")
    if folder_path(root) is None:
        raise ConfigError(f"{root!r} is no folder of a vault. Give a name such as `Memory`.")
    refuse_inner(vault, root)
    other, _ = find_root(vault, UserConfig())
    if other is not None and other != root and not (vault / root / SETTINGS_NOTE).exists():
        raise RootNotOursError(
            f"{vault} has a memory root already: {other}. "
            f"Use it, or rename that folder to {root} in Obsidian."
        )
    if known_id(home, vault, root) is None:
        _refuse_foreign(vault, root)
    folders = [f"{root}/{name}/" for name in FOLDERS if not (vault / root / name).is_dir()]
    notes = [] if (vault / root / SETTINGS_NOTE).exists() else [settings_path(root)]
    forms = note_templates(vault, root) if templates else None
    ours = _ours(root, forms)
    made = [path for path in ours if not os.path.lexists(vault / path)]
    identifier = read_settings(vault, root).settings.id if not notes else None
    types = plan_types(vault, widgets())
    filters = plan_filter(vault, _system(root)) if exclude_system else None
    settings = [f".obsidian/types.json: {name} → {widget}" for name, widget in types.added.items()]
    if filters is not None and filters.added:
        settings.append(f".obsidian/app.json: Excluded files + {_system(root)}")
    return InitPlan(
        vault=vault,
        root=root,
        create=(*folders, *notes, *made),
        settings=tuple(settings),
        clashes=tuple(f"{one.name} is {one.theirs}, ours is {one.ours}" for one in types.clashes),
        new_id=identifier is None,
        foreign=identifier is not None and not (home.state / identifier / "key").exists(),
        exclude_system=exclude_system,
        findings=(*types.findings, *(filters.findings if filters is not None else ())),
        renew=_outdated(home, vault, identifier, ours),
        templates=forms,
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
        NameTakenError, NoteChangedError, ReadOnlyError, DiskFailedError, ConfigError: if a part
            cannot be written.
    """
    vault, root = plan.vault, plan.root
    record = Record(vault=str(vault), root=root, default=config.vault is None)
    settings = settings_path(root)
    if settings in plan.create:
        record.folders += make_folder(vault, root)
        record.files[settings] = create_file(vault, settings, new_settings(root))
    unnamed = read_note(vault, settings)
    state = adopt(home, vault, root, now=now, random=random)
    if settings in record.files:
        record.files[settings] = etag_of(read_note(vault, settings))
    elif plan.new_id:
        record.before[settings] = b64encode(unnamed).decode()
        record.after[settings] = etag_of(read_note(vault, settings))
    ours = _ours(root, plan.templates)
    changes = _foresee(plan, ours, record)
    remember(state, record)
    for path in plan.create:
        make_folder(vault, path.rpartition("/")[0])
        if path in ours:
            create_file(vault, path, ours[path])
    for change in changes:
        apply_change(vault, change)
    for path, etag in plan.renew.items():
        record.files[path] = replace_file(vault, path, ours[path], expected=etag)
    remember(state, record)
    trust(home, vault, root=root, vault_id=state.vault_id)
    if record.default:
        set_default_vault(home, vault)
    return state


def _ours(root: str, templates: NoteTemplates | None) -> dict[str, bytes]:
    """What ships with vaultmem and goes into a vault as it is: path and bytes."""
    return dashboards(root) | (templates.files if templates is not None else {})


def _outdated(
    home: HomeDirs, vault: Path, identifier: str | None, ours: Mapping[str, bytes]
) -> dict[str, Etag]:
    """Files that are still as an earlier `init` made them, and would be made otherwise now."""
    record = recorded(home, identifier) if identifier is not None else None
    if record is None:
        return {}
    found = {}
    for path, data in ours.items():
        there = read_inside(vault, path, limit=MAX_FILE)
        if isinstance(there, Unread) or there == data:
            continue
        if (etag := etag_of(there)) == record.files.get(path):
            found[path] = etag
    return found


def _refuse_foreign(vault: Path, root: str) -> None:
    place = vault / root
    if not place.exists() and not place.is_symlink():
        return
    if place.is_symlink() or not place.is_dir():
        raise RootNotOursError(f"{place} is no real folder. Choose another name with `--root`.")
    entries = sorted(entry.name for entry in place.iterdir() if not entry.name.startswith("."))
    if not entries or is_marked(vault, root):
        return
    shown = ", ".join(entries[:5]) + (" …" if len(entries) > 5 else "")
    raise RootNotOursError(
        f"{place} holds files that are not ours: {shown}. Choose another folder with `--root NAME`."
    )


def _system(root: str) -> str:
    return f"{root}/System/"


def _foresee(plan: InitPlan, ours: Mapping[str, bytes], record: Record) -> list[FileChange]:
    """Put into the record what will be made; the changes of Obsidian's settings, to be written."""
    vault = plan.vault
    for path in plan.create:
        folders = missing_folders(vault, path.rpartition("/")[0])
        record.folders = list(dict.fromkeys([*record.folders, *folders]))
        if path in ours:
            record.files[path] = etag_of(ours[path])
    changes = []
    types = plan_types(vault, widgets())
    if types.change is not None:
        changes.append(types.change)
        record.types = dict(types.added)
    filters = plan_filter(vault, _system(plan.root)) if plan.exclude_system else None
    if filters is not None and filters.change is not None:
        changes.append(filters.change)
        record.filter = _system(plan.root)
    for change in changes:
        if change.expected is not None:
            old = read_note(vault, change.path, hidden=True)
            record.before[change.path] = b64encode(old).decode()
        else:
            record.obsidian.append(change.path)
        record.after[change.path] = etag_of(change.data)
    if changes and not (vault / FOLDER).exists():
        record.obsidian.append(FOLDER)
    return changes
