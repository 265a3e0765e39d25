"""Which settings of a vault hold: looser ones that an agent may have written wait for a person."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.governance import looser_keys
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import Kind
from vaultmem.core.settings import NOTEBOOK_DEVICE, REPORT_BUDGET
from vaultmem.core.wording import argument
from vaultmem.errors import CANNOT_WRITE, ConfigError
from vaultmem.services.syncing.attribution import APPROVED, Origin, origin_of_bytes
from vaultmem.services.syncing.classify import Reading
from vaultmem.services.syncing.hold import announce
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.write import content_mac, entry
from vaultmem.store.settings import (
    IN_FORCE,
    parse_settings,
    read_settings,
    settings_path,
    text_of,
    write_settings,
)

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.store.settings import LoadedSettings
    from vaultmem.store.vault import OpenVault

HELD = "settings held"
"""Key of the baseline's `meta` for the text that was written while an agent could write."""


def hold_settings(call: Call) -> None:
    """Let the settings of the opened vault be those in force, where others lie on the disk.

    A value that asks for less care and that an agent may have written is no one's wish; nor is a
    note that cannot be read or is gone. The last settings then stay, and a finding says so.
    """
    vault = call.vault
    if vault.written is None:
        _keep(vault, _parsed(vault, vault.baseline.meta(IN_FORCE)))
        return
    with suppress(*CANNOT_WRITE):  # the same is found again at the next command
        _decide(call, vault.written, vault.baseline.meta(IN_FORCE))


def accept_settings(call: Call) -> bool:
    """Let the settings that were held be in force, because a person says so; whether any were."""
    vault = call.vault
    loaded = read_settings(vault.path, vault.root)
    if loaded.data is None or text_of(loaded.data) != vault.baseline.meta(HELD):
        return False
    _accept(call, loaded.data, APPROVED, via="ratify")
    return True


def set_notebook_device(call: Call) -> None:
    """Let this device rewrite the notebook, by a person's command; it is in force at once.

    Raises:
        ConfigError, NoteError: if the note is not there, cannot be read, or would lose something.
        ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    vault = call.vault
    path = settings_path(vault.root)
    with vault.lock():
        loaded = read_settings(vault.path, vault.root)
        if loaded.data is None or loaded.etag is None:
            raise ConfigError(f"{path} cannot be read. Put the note back, then run this again.")
        if vault.baseline.meta(IN_FORCE) not in ("", text_of(loaded.data)):
            raise ConfigError(
                f"{path} holds a change that waits for you. Look at it, then run "
                f"`vaultmem ratify {argument(path)}` or put the old value back."
            )
        changes = {"notebook_device": vault.device}
        write_settings(vault.path, vault.root, changes, expected=loaded.etag)
        written = read_settings(vault.path, vault.root)
        _accept(call, written.data or loaded.data, APPROVED, via="notebook")
    vault.settings = vault.settings._replace(notebook_device=written.settings.notebook_device)


def _decide(call: Call, data: bytes, known: str) -> None:
    vault = call.vault
    old, new = _parsed(vault, known), _parsed(vault, text_of(data))
    if known and any(one.code == "VM210" for one in new.findings):
        _keep(vault, old)
        return
    keys = _looser(old, new) if known else ()
    origin = _origin(call, data) if keys else Origin.ADOPTED
    if origin is not Origin.EXTERNAL:
        act = "edited" if origin is Origin.PERSON else ""
        _accept(call, data, act, via="sync")
        return
    _keep(vault, old)
    vault.findings += (_finding(vault, keys),)
    fresh = fresh_now(vault, settings_path(vault.root), data)
    vault.baseline.set_meta(HELD, text_of(data))
    announce(call, Reading(fresh, Kind.SETTINGS, "", None, ()), "")


def _origin(call: Call, data: bytes) -> Origin:
    """Whose the bytes are; what was an agent's stays so until a device signs for it."""
    path = settings_path(call.vault.root)
    origin = origin_of_bytes(call, "", fresh_now(call.vault, path, data))
    held = call.vault.baseline.meta(HELD) == text_of(data)
    return Origin.EXTERNAL if held and origin is not Origin.DEVICE else origin


def _accept(call: Call, data: bytes, act: str, *, via: str) -> None:
    """Record what is in force; `act` signs for it, so that other devices know whose it is."""
    baseline = call.vault.baseline
    with baseline.transaction():
        baseline.set_meta(IN_FORCE, text_of(data))
        baseline.set_meta(HELD, "")
    if act:
        values = {"by": "person", "via": via, "after": content_mac(call, data)}
        call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, "", values)])


def _keep(vault: OpenVault, old: LoadedSettings) -> None:
    vault.settings = old.settings._replace(id=vault.settings.id)
    vault.said = old.said


def _parsed(vault: OpenVault, text: str) -> LoadedSettings:
    return parse_settings(text.encode(), path=settings_path(vault.root), root=vault.root)


def _looser(old: LoadedSettings, new: LoadedSettings) -> tuple[str, ...]:
    keys = looser_keys(old.said, new.said)
    if new.settings.report_budget > old.settings.report_budget:
        keys = (REPORT_BUDGET.name, *keys)
    if new.settings.notebook_device != old.settings.notebook_device:
        keys = (
            NOTEBOOK_DEVICE.name,
            *keys,
        )  # whose rewrite everybody reads is never an agent's act
    return keys


def _finding(vault: OpenVault, keys: tuple[str, ...]) -> Finding:
    path = settings_path(vault.root)
    named = ", ".join(f"`{key}`" for key in keys)
    message = f"{named} changed while an agent could write; the last settings stay in force."
    remedy = f"Look at it, then run `vaultmem ratify {argument(path)}`, or put the old value back."
    return finding("VM224", message, path=path, remedy=remedy)
