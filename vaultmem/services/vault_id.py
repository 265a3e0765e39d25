"""Give a vault its id, and with it this machine's state and key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import new_id
from vaultmem.core.wording import argument
from vaultmem.errors import EditRefusedError, VaultIdError
from vaultmem.store.settings import read_settings, settings_path, write_settings
from vaultmem.store.state import VaultState, known_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from vaultmem.config import HomeDirs
    from vaultmem.store.settings import LoadedSettings


def adopt(
    home: HomeDirs, vault: Path, root: str, *, now: datetime, random: Callable[[int], bytes]
) -> VaultState:
    """The state of the vault on this machine; a vault that has no id gets one now, and a key.

    A vault that this machine knew at this very path gets its old id back: its settings were lost
    or damaged, and its key and history belong to that id.

    Raises:
        ConfigError, NoteError: if the settings cannot be read or changed.
        VaultIdError: if there are no settings, or another live vault has the id.
        UnsafePathError, ReadOnlyError, DiskFailedError: if the state cannot be made.
    """
    loaded = read_settings(vault, root)
    if loaded.settings.id is not None:
        return VaultState.open(home, loaded.settings.id, vault, root=root)
    identifier = known_id(home, vault, root) or new_id("vault", now, random(10))
    _write(vault, root, identifier, loaded)
    state = VaultState.open(home, identifier, vault, root=root)
    if state.key_file.load() is None:
        state.key_file.create()
    return state


def new_identity(home: HomeDirs, vault: Path, root: str, identifier: str) -> None:
    """Replace the id of a copied vault by its own, and give that one a key.

    Raises:
        ConfigError, NoteError: if the settings cannot be changed.
        VaultIdError: if there are no settings.
    """
    _write(vault, root, identifier, read_settings(vault, root))
    VaultState.open(home, identifier, vault, root=root).key_file.create()


def _write(vault: Path, root: str, identifier: str, loaded: LoadedSettings) -> None:
    if loaded.etag is None:
        raise VaultIdError(
            f"{vault} has no {settings_path(root)}. Run `vaultmem init {argument(vault)}`."
        )
    try:
        write_settings(vault, root, {"id": identifier}, expected=loaded.etag)
    except EditRefusedError as error:
        raise VaultIdError(
            f"{settings_path(root)}, line {error.line}: {error.problem} So the property `id`, "
            "which the vault needs, cannot be written. Correct that line, then run it again."
        ) from error
