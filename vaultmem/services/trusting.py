"""Trust a vault on this machine, follow it to a new place, or give a copy an id of its own."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import new_id
from vaultmem.core.wording import argument
from vaultmem.errors import VaultNotFoundError
from vaultmem.services.call import refuse_agent
from vaultmem.services.vault_id import new_identity
from vaultmem.store.discovery import find_root
from vaultmem.store.settings import read_settings
from vaultmem.store.state import VaultState, read_binding
from vaultmem.store.user_config_edit import trust, untrust

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from vaultmem.config import HomeDirs, UserConfig


class Place(StrEnum):
    """What the person says of a vault whose id is known from another path."""

    SAME = "same"
    MOVED = "moved"
    COPIED = "copied"


class Trusted(NamedTuple):
    """What this machine now knows of the vault."""

    path: Path
    root: str
    id: str | None
    trusted: bool
    changed: bool = True
    """Whether it was not so before."""


def trust_vault(
    home: HomeDirs,
    config: UserConfig,
    path: Path,
    *,
    place: Place,
    agent: str | None,
    now: datetime,
    random: Callable[[int], bytes],
) -> Trusted:
    """Let project settings and parent folders name this vault.

    Raises:
        AgentRefusedError: if an agent calls.
        VaultNotFoundError: if there is no memory root.
        ConfigError, VaultIdError, NoteError: if it cannot be recorded.
    """
    refuse_agent("trust", agent)
    real = Path(os.path.realpath(path))
    root, _ = find_root(real, config)
    if root is None:
        raise VaultNotFoundError(
            f"{path} holds no memory root. Run `vaultmem init {argument(path)}` first."
        )
    identifier = read_settings(real, root).settings.id
    if place is Place.COPIED:
        identifier = new_id("vault", now, random(10))
    was_at: set[Path] = set()
    if place is Place.MOVED and identifier is not None:
        before = read_binding(home.state / identifier)
        was_at = {one.path for one in config.trusted if one.id == identifier}
        was_at |= {Path(before.path)} if before is not None else set()
    # The config first: it may be refused, and then the same command can be tried again.
    trust(home, real, root=root, vault_id=identifier, was_at=was_at)
    if place is Place.COPIED and identifier is not None:
        new_identity(home, real, root, identifier)
    if place is Place.MOVED and identifier is not None:
        VaultState.open(home, identifier, real, root=root, moved=True)
    return Trusted(real, root, identifier, trusted=True)


def untrust_vault(home: HomeDirs, path: Path, *, agent: str | None) -> Trusted:
    """Take the trust back; notes and state stay.

    Raises:
        AgentRefusedError: if an agent calls.
        ConfigError: if the user config cannot be edited.
    """
    refuse_agent("trust", agent)
    real = Path(os.path.realpath(path))
    return Trusted(real, "", None, trusted=False, changed=untrust(home, real))
