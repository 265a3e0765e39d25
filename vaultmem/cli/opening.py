"""Open the vault for a person's command; a vault without an id gets one and a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.services.call import Actor
from vaultmem.services.sync import ensure_current
from vaultmem.services.vault_id import adopt
from vaultmem.store.settings import read_settings
from vaultmem.store.state import known_id

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.call import Call


def open_or_adopt(app: App) -> None:
    """Make sure that `app.vault` can be opened (DESIGN §2: the first writing command by a person).

    Raises:
        VaultError, NoteError: if the settings cannot be read or changed.
    """
    found = app.found
    if app.actor is not Actor.PERSON:
        return
    loaded = read_settings(found.path, found.root_name)
    if loaded.settings.id is not None:
        return
    damaged = any(one.code == "VM210" for one in loaded.findings)
    if damaged and known_id(app.home, found.path, found.root_name) is not None:
        return  # the id is known; the settings wait for the person to mend them
    adopt(app.home, found.path, found.root_name, now=app.now, random=app.random)


def call_of_person(app: App, verb: str) -> Call:
    """The circumstances for a verb that only a person may use, with the baseline up to date.

    Raises:
        AgentRefusedError: if an agent calls; then nothing is synced for it either.
        As `ensure_current`.
    """
    call = app.call()
    call.person_only(verb)
    ensure_current(call)
    return call
