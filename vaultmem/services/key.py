"""Carry the vault's key to another device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.place import Kind
from vaultmem.errors import KeyMissingError
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def export_key(call: Call) -> str:
    """The key as one line of text.

    Raises:
        AgentRefusedError: if an agent calls.
        KeyMissingError: if this device has none.
    """
    call.person_only("key export")
    if call.vault.key is None:
        raise KeyMissingError(
            "This device has no key to export. Run `vaultmem key export` on one that has it."
        )
    return call.vault.key.export_text(call.vault.state.vault_id)


def import_key(call: Call, text: str, *, replace: bool = False) -> None:
    """Take the key over and read every ledger again with it.

    Raises:
        AgentRefusedError: if an agent calls.
        KeyMissingError: if the text is no key of this vault, or this device has another one.
    """
    call.person_only("key import")
    call.vault.state.key_file.import_text(text, replace=replace)
    call.vault.forget_key()
    with call.vault.lock():
        call.vault.baseline.distrust(Kind.LEDGER.value)
        call.vault.baseline.distrust(Kind.MEMORY.value)
    sync(call)
