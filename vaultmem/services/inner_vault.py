"""Refuse to set up Obsidian in a folder that it shows as part of a larger vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.wording import argument
from vaultmem.errors import RootNotOursError
from vaultmem.store.discovery import is_marked
from vaultmem.store.obsidian import outer_vault

if TYPE_CHECKING:
    from pathlib import Path


def refuse_inner(vault: Path, root: str) -> None:
    """Say what to do where the vault lies in a larger one that Obsidian has open.

    Settings and plugins in it would be read by nobody, dashboards would name folders that are not
    there, and base names would be unique in a part of what links reach.

    Args:
        vault: the vault's real path.
        root: its memory root, relative to it; it need not be there.

    Raises:
        RootNotOursError: if it does.
    """
    outer = outer_vault(vault)
    if outer is None:
        return
    if is_marked(vault, root):
        remedy = (
            f"In Obsidian, move {root} to the top of it; then run "
            f"`vaultmem trust {argument(outer)} --moved`."
        )
    else:
        inside = f"{vault.relative_to(outer).as_posix()}/{root}"
        remedy = f"Run `vaultmem init {argument(outer)} --root {argument(inside)}`."
    raise RootNotOursError(
        f"{vault} lies in a larger vault, {outer}, and Obsidian reads settings and plugins there "
        f"only. {remedy} Or, to keep them apart, open {vault} in Obsidian as a vault of its own "
        "first."
    )
