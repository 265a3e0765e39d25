"""What stands in for a model that is not set up: what it would be sent can be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from vaultmem.llm.model import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.errors import NoModelError
    from vaultmem.llm.model import Ask, Task


class MissingModel:
    """A model without a name or a place; whatever it is asked, it says why there is none."""

    name = ""
    destination = ""
    window = None

    def __init__(self, why: NoModelError) -> None:
        self._why = why

    def ask(self, _ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> NoReturn:
        """Ask nothing.

        Raises:
            NoModelError: always.
        """
        del seconds, stop
        raise self._why

    def work(self, _task: Task) -> NoReturn:
        """Work on nothing.

        Raises:
            NoModelError: always.
        """
        raise self._why

    def spent(self) -> Usage:
        """Nothing."""
        return Usage()

    def remaining_percent(self) -> None:
        """Nobody knows."""
