"""What a vault costs to keep: its notes by folder, its size, and the time of syncs and reports."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import CATEGORY_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MEMORIES = "Memories"
SYSTEM = "System"
_SAMPLES = 5
"""How often a report is made anew for its time; the middle one counts."""


class Upkeep(NamedTuple):
    """The vault at the end of a month, and what the month's days cost.

    Attributes:
        folders: notes by folder of the memory root; those of all categories are `MEMORIES`.
        vault_bytes, state_bytes: of all files of the vault, and of this machine's state.
        sync_ms: CPU time of a day's first sync, the middle one of the month.
        report_ms: CPU time of a report at the month's end, the middle one of some.
    """

    folders: dict[str, int]
    vault_bytes: int
    state_bytes: int
    sync_ms: float
    report_ms: float


class Costs:
    """The times of a month's syncs."""

    def __init__(self) -> None:
        """Nothing has been measured."""
        self._syncs: list[float] = []

    def sync(self, deed: Callable[[], object]) -> None:
        """Carry out a sync and note its time."""
        self._syncs.append(_cpu_ms(deed))

    def upkeep(self, vault: Path, state: Path, report: Callable[[], object]) -> Upkeep:
        """The month's figures; the next month begins."""
        syncs, self._syncs = self._syncs, []
        return Upkeep(
            folders=folders(vault / "Memory"),
            vault_bytes=_size(vault),
            state_bytes=_size(state),
            sync_ms=statistics.median(syncs),
            report_ms=statistics.median(_cpu_ms(report) for _ in range(_SAMPLES)),
        )


def folders(root: Path) -> dict[str, int]:
    """Notes by the folder of a memory root, such as `System/Ledger`, the most first; "." is it."""
    count = Counter(_folder(note.relative_to(root)) for note in root.rglob("*.md"))
    return dict(count.most_common())


def _folder(note: Path) -> str:
    first, *below = note.parts[:-1] or (".",)
    if first in CATEGORY_FOLDER.values():
        return MEMORIES
    return "/".join((first, *below[: first == SYSTEM]))


def _size(folder: Path) -> int:
    return sum(place.stat().st_size for place in folder.rglob("*") if place.is_file())


def _cpu_ms(deed: Callable[[], object]) -> float:
    begin = time.process_time()
    deed()
    return (time.process_time() - begin) * 1000
