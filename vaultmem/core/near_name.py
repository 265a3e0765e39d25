"""Which of some names a misspelt one was meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def near_name(typed: str, names: Iterable[str], *, likeness: float = 0.8) -> str | None:
    """The name that was most likely meant; None where none is near, or it is one of them.

    Case, hyphens and blanks make no difference.

    Args:
        typed: what somebody wrote.
        names: the names that there are.
        likeness: from 0 to 1; the default lets one or two letters differ.
    """
    from difflib import get_close_matches  # seldom needed

    folded = {_folded(name): name for name in names}
    if typed in folded.values():
        return None
    near = get_close_matches(_folded(typed), folded, n=1, cutoff=likeness)
    return folded[near[0]] if near else None


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
