"""What a person decides holds for the version that they were shown, and for no other."""

from __future__ import annotations

from vaultmem.errors import NoteChangedError


def need_as_shown(what: str, *, same: bool, path: str | None = None) -> None:
    """Refuse what was decided about another version; the caller holds the lock.

    Args:
        what: what was shown, to begin a sentence with: "The memory".
        same: whether it still is what was shown.
        path: its note, relative to the vault.

    Raises:
        NoteChangedError: if it is not the same.
    """
    if not same:
        raise NoteChangedError(f"{what} changed while you looked at it.", "Look again.", path=path)
