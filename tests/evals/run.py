"""Plays cases, each on a vault of its own, whole or in the broken build that must fail it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from tests.evals.case import CASES, Broken
from tests.evals.stage import Stage
from tests.no_disk import IN_MEMORY
from tests.simulation.year import no_disk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.evals.case import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of a case.

    Attributes:
        passed: whether the promise was kept; in a broken build, whether the case noticed.
        what, expected, found: where it was not.
        seconds: how long it took.
    """

    case: Case
    passed: bool
    seconds: float
    what: str = ""
    expected: str = ""
    found: str = ""


def play(case: Case) -> Played:
    """Play a case on the build that is there."""
    begun = perf_counter()
    told = _failure(case)
    took = perf_counter() - begun
    if told is None:
        return Played(case=case, passed=True, seconds=took)
    what, expected, found = (
        (told.what, repr(told.expected), repr(told.found))
        if isinstance(told, Broken)
        else (f"it ends in {type(told).__name__}", "no error", str(told))
    )
    return Played(case=case, passed=False, seconds=took, what=what, expected=expected, found=found)


def play_broken(case: Case) -> Played:
    """Play a case on its broken build; it must fail, and by the promise and no accident."""
    begun = perf_counter()
    with case.broken_by.at_work():
        told = _failure(case)
    took = perf_counter() - begun
    if isinstance(told, Broken):
        return Played(case=case, passed=True, seconds=took)
    return Played(
        case=case,
        passed=False,
        seconds=took,
        what=f"a build that {case.broken_by.says} is not noticed",
        expected="a promise that is not kept",
        found="nothing" if told is None else f"{type(told).__name__}: {told}",
    )


def play_all(only: str = "", *, broken: bool = False) -> Iterator[Played]:
    """Play every case, or those of a category."""
    for case in CASES:
        if only in ("", case.category):
            yield play_broken(case) if broken else play(case)


def _failure(case: Case) -> Exception | None:
    with tempfile.TemporaryDirectory(prefix="vaultmem-eval-", dir=IN_MEMORY) as folder, no_disk():
        stage = Stage(Path(folder))
        try:
            case.play(stage)
        except Exception as error:  # whatever ends a case is told
            return error
        finally:
            stage.close()
    return None
