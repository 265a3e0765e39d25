"""What the evaluation prints: a line for each category, and what was not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.evals.run import Played


class Row(NamedTuple):
    """A category: how many cases, how many of them hard, how many passed, in how many seconds."""

    category: str
    cases: int
    hard: int
    passed: int
    seconds: float


def rows(played: Iterable[Played]) -> list[Row]:
    """A row for each category, in their order."""
    found: dict[str, list[Played]] = {}
    for one in played:
        found.setdefault(one.case.category, []).append(one)
    return [_row(name, held) for name, held in found.items()]


def lines(played: Sequence[Played]) -> Iterator[str]:
    """The table, then each failure with what was expected and what was found."""
    found = rows(played)
    total = _row("all", played)
    width = max(len(one.category) for one in (*found, total))
    yield f"{'category':<{width}}  cases  hard  passed  seconds"
    for one in (*found, total):
        mark = "" if one.passed == one.cases else "  FAILED"
        yield (
            f"{one.category:<{width}}  {one.cases:>5}  {one.hard:>4}  {one.passed:>6}"
            f"  {one.seconds:>7.1f}{mark}"
        )
    for failed in played:
        if not failed.passed:
            hard = " (hard)" if failed.case.hard else ""
            yield f"\n{failed.case.key}{hard}\n  {failed.what}"
            yield f"  expected  {failed.expected}\n  found     {failed.found}"


def as_json(played: Sequence[Played], *, broken: bool) -> dict[str, object]:
    """The same for a program."""
    return {
        "broken": broken,
        "passed": all(one.passed for one in played),
        "categories": [one._asdict() | {"seconds": round(one.seconds, 3)} for one in rows(played)],
        "cases": [
            {
                "category": one.case.category,
                "case": one.case.name,
                "hard": one.case.hard,
                "broken_by": one.case.broken_by.says,
                "passed": one.passed,
                "seconds": round(one.seconds, 3),
                "what": one.what,
                "expected": one.expected,
                "found": one.found,
            }
            for one in played
        ],
    }


def _row(name: str, held: Sequence[Played]) -> Row:
    return Row(
        category=name,
        cases=len(held),
        hard=sum(one.case.hard for one in held),
        passed=sum(one.passed for one in held),
        seconds=sum(one.seconds for one in held),
    )
