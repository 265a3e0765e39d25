"""Open the vault for a person's writing command; a vault without an id gets one and a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.services.call import Actor
from vaultmem.services.vault_id import adopt
from vaultmem.store.settings import read_settings

if TYPE_CHECKING:
    from vaultmem.app import App


def open_or_adopt(app: App) -> None:
    """Make sure that `app.vault` can be opened (DESIGN §2: the first writing command by a person).

    Raises:
        VaultError, NoteError: if the settings cannot be read or changed.
    """
    found = app.found
    if app.actor is not Actor.PERSON:
        return
    if read_settings(found.path, found.root_name).settings.id is not None:
        return
    adopt(app.home, found.path, found.root_name, now=app.now, random=app.random)
