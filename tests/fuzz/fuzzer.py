"""A fuzzer is a test: a check that hypothesis calls with hostile input, so often or so long."""

from __future__ import annotations

import random
import time
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.effort import ROUND

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

_PHASES = (Phase.explicit, Phase.generate, Phase.shrink)
_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


class Row(NamedTuple):
    """What one fuzzer did."""

    name: str
    examples: int
    seconds: float
    crashes: int


@dataclass
class Run:
    """The fuzzers of one run of pytest: how long each goes on, and what came of it.

    Attributes:
        seconds: of each fuzzer; None where its own number of examples is the bound.
        crashes: different ones, after which a fuzzer stops.
        first_seed: of the first round; None for one by chance, which needs a time.
        rows: what was done.
    """

    seconds: float | None
    crashes: int
    first_seed: int | None
    rows: list[Row] = field(default_factory=list)

    def do(self, name: str, check: Callable[..., None], values: tuple, examples: int) -> None:
        """Try one fuzzer, and fail with everything that it found."""
        began, counts, found = time.monotonic(), [0], dict[str, Exception]()
        seeds = self._seeds()
        while True:
            number = seeds.randrange(2**32)
            if not counts[0] and self.first_seed is not None:
                number = self.first_seed
            many = examples if self.seconds is None else ROUND
            try:
                _round(_counted(check, counts), values, number, many)()
            except Exception as error:
                error.add_note(f"again: --fuzz-seed {number}")
                if self.seconds is not None and _place(error) not in found:
                    traceback.print_exception(error)  # with `-s` nobody waits for the end
                found.setdefault(_place(error), error)
            spent = time.monotonic() - began
            if self.seconds is None or spent > self.seconds or len(found) >= self.crashes:
                break
        self.rows.append(Row(name, counts[0], spent, len(found)))
        if len(found) == 1:
            raise next(iter(found.values()))
        if found:
            raise ExceptionGroup(f"{name} found {len(found)} faults", list(found.values()))

    def _seeds(self) -> random.Random:
        """What the rounds are drawn from: a change that is to land is tried with the same ones."""
        return random.Random(1) if self.seconds is None else random.SystemRandom()


def _counted(check: Callable[..., None], counts: list[int]) -> Callable[..., None]:
    def counted(*values: object) -> None:
        counts[0] += 1
        random.seed()  # Whoosh names its files by chance, and hypothesis makes that the same
        check(*values)

    return counted


def _round(
    check: Callable[..., None], strategies: tuple, number: int, examples: int
) -> Callable[[], None]:
    def run(values: tuple) -> None:
        check(*values)

    bounded = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=_PHASES,
        report_multiple_bugs=False,
        suppress_health_check=_SLOW,
    )
    return bounded(seed(number)(given(st.tuples(*strategies))(run)))


def _place(error: BaseException) -> str:
    """Where it was raised and what: the same fault twice is one."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {where}"


def fuzz(*strategies: SearchStrategy, examples: int) -> Callable:
    """Make a test of a check that takes one value of each strategy.

    Args:
        strategies: what the check is called with.
        examples: how many are tried where nobody asked for a time.
    """

    def made(check: Callable[..., None]) -> Callable[[Run], None]:
        def test(fuzzing: Run) -> None:
            fuzzing.do(check.__name__.removeprefix("test_"), check, strategies, examples)

        test.__name__ = check.__name__
        test.__doc__ = check.__doc__
        test.__module__ = check.__module__
        return test

    return made


def says_why(error: Exception) -> None:
    """A refusal is a sentence with what to do next."""
    assert str(error).strip()
    assert getattr(error, "problem", "x")
    assert getattr(error, "remedy", "x")
