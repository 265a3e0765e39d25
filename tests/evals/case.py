"""What a case of the evaluation is: one promise, played from its beginning to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.evals.sabotage import Sabotage
    from tests.evals.stage import Stage


class Broken(AssertionError):
    """A promise was not kept.

    Attributes:
        what: the promise, in a clause.
        expected, found: what it asks for, and what was there.
    """

    def __init__(self, what: str, *, expected: object, found: object) -> None:
        super().__init__(f"{what}: expected {expected!r}, found {found!r}")
        self.what = what
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case.

    Attributes:
        category: the promise that it belongs to.
        name: what it shows, in words.
        hard: adversarial wording, several steps, or several machines.
        play: plays it and raises `Broken` where the promise is not kept.
        broken_by: the broken build in which it must fail.
    """

    category: str
    name: str
    hard: bool
    play: Callable[[Stage], None]
    broken_by: Sabotage

    @property
    def key(self) -> str:
        """Names it among all cases."""
        return f"{self.category}: {self.name}"


CASES: list[Case] = []
"""Every case, in the order of the categories."""


def category(
    name: str,
) -> Callable[..., Callable[[Callable[[Stage], None]], Callable[[Stage], None]]]:
    """The decorator for the cases of a category; it takes `broken_by` and `hard`."""

    def decorator(
        *, broken_by: Sabotage, hard: bool = False
    ) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
        def keep(play: Callable[[Stage], None]) -> Callable[[Stage], None]:
            words = play.__name__.replace("_", " ")
            CASES.append(Case(category=name, name=words, hard=hard, play=play, broken_by=broken_by))
            return play

        return keep

    return decorator


def equal(what: str, found: object, expected: object) -> None:
    """Check that what was found is what was expected."""
    if found != expected:
        raise Broken(what, expected=expected, found=found)


def holds(what: str, found: str | list[str] | set[str], *parts: str) -> None:
    """Check that each of these is in it."""
    for part in parts:
        if part not in found:
            raise Broken(what, expected=part, found=found)


def lacks(what: str, found: str | list[str] | set[str], *parts: str) -> None:
    """Check that none of these is in it."""
    for part in parts:
        if part in found:
            raise Broken(what, expected=f"no {part!r}", found=found)


def true(what: str, found: object) -> None:
    """Check that something is so."""
    if not found:
        raise Broken(what, expected=True, found=found)
