"""A property's name that a person typed: a slip is refused, a name of their own is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.near_name import near_name
from vaultmem.errors import EditRefusedError
from vaultmem.store.obsidian import read_types

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultmem.services.call import Call


def refuse_misspelt(
    call: Call, keys: Iterable[str], names: Collection[str], *, there: Collection[str]
) -> None:
    """Refuse a name that is nearly one of ours: it would be kept and mean nothing.

    Args:
        call: the circumstances.
        keys: the names that were typed.
        names: ours, in such a note.
        there: the names in the note. They, and those that the vault has a type for, are known.

    Raises:
        EditRefusedError: with the name that was meant.
    """
    for key in keys:
        near = near_name(key, names)
        if near is None or key in there or key in read_types(call.vault.path)[0]:
            continue
        raise EditRefusedError(
            f"`{key}` is no property of vaultmem. Did you mean `{near}`?",
            f"If `{key}` is one of your own, add it to a note in Obsidian first.",
        )
