"""The trace of a report: which filter took which memories out, in the order of the filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.selection import Excluded

PROCESSORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mode", ("mode",)),
    ("status", ("status", "layer")),
    ("project_scope", ("project", "no_project")),
    ("time_scope", ("session_over", "task_over", "expired", "not_yet_valid", "no_longer_valid")),
    ("negative_scope", ("not_when",)),
    ("condition", ("applies_when",)),
    ("lifecycle", ("lifecycle",)),
    ("category_budget", ("category_budget",)),
    ("contested", ("contested",)),
    ("max_records", ("max_records",)),
    ("room", ("no_room",)),
)
"""Each filter with the first words of its reasons. The first four after the mode are those of the
governed memory (section 10) in its order; the rest are our own, in that of the work."""


class Stage(NamedTuple):
    """One filter.

    Attributes:
        processor: its name.
        input: how many memories reached it.
        output: how many of them passed.
        excluded: the others, by id, with their reasons.
    """

    processor: str
    input: int
    output: int
    excluded: tuple[Excluded, ...]


def trace(excluded: Iterable[Excluded], told: int) -> tuple[Stage, ...]:
    """The stages of a report; each memory that is not told is in exactly one of them.

    Args:
        excluded: what a report left out.
        told: how many memories it tells.

    Raises:
        KeyError: if a reason belongs to no filter.
    """
    processor_of = {word: name for name, words in PROCESSORS for word in words}
    by_processor: dict[str, list[Excluded]] = {name: [] for name, _ in PROCESSORS}
    for one in sorted(excluded):
        by_processor[processor_of[one.reason.partition(":")[0]]].append(one)
    stages: list[Stage] = []
    left = told + sum(map(len, by_processor.values()))
    for name, out in by_processor.items():
        stages.append(Stage(name, left, left - len(out), tuple(out)))
        left -= len(out)
    return tuple(stages)
