"""What `init` made, kept in the state folder so that `init --undo` takes back exactly that."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultmem.store.private import read_private, write_private

if TYPE_CHECKING:
    from vaultmem.config import HomeDirs
    from vaultmem.store.state import VaultState

_NAME = "init.json"


@dataclass(slots=True, kw_only=True)
class Record:
    """Everything that is not there by the person's hand.

    It is written before what it names, so that a stop in between leaves nothing unknown; what is
    not as it says is left alone.
    """

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


def remember(state: VaultState, record: Record) -> None:
    """Add what was made now to what an earlier `init` made."""
    known = _load(read_private(state.folder / _NAME))
    if known is not None:
        record.files = known.files | record.files
        record.folders = [*known.folders, *(f for f in record.folders if f not in known.folders)]
        record.types = known.types | record.types
        record.obsidian = list(dict.fromkeys([*known.obsidian, *record.obsidian]))
        record.before = record.before | known.before
        record.after = known.after | record.after
        record.filter = record.filter or known.filter
        record.default = record.default or known.default
    body = {name: getattr(record, name) for name in Record.__slots__}
    write_private(state.folder / _NAME, json.dumps(body, indent=1).encode())


def recorded(home: HomeDirs, identifier: str) -> Record | None:
    """What `init` made in the vault with that id; None where it was not run on this machine."""
    return _load(read_private(home.state / identifier / _NAME))


def forget(home: HomeDirs, identifier: str) -> None:
    """All of it was taken back."""
    (home.state / identifier / _NAME).unlink(missing_ok=True)


def _load(data: bytes | None) -> Record | None:
    if data is None:
        return None
    try:
        return Record(**json.loads(data))
    except (ValueError, TypeError):
        return None
