"""The same for several names of a command line: one that is refused does not stop the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.output import say_error
from vaultmem.errors import VaultmemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vaultmem.cli.output import Json


class Refused(NamedTuple):
    """A name for which it could not be done, and why."""

    name: str
    why: VaultmemError


def for_each(
    names: Sequence[str], do: Callable[[str], object], *, as_json: bool
) -> tuple[Refused, ...]:
    """Do it for each name, and say at once which were refused; those.

    Args:
        names: as they were typed.
        do: what is done for one, and told.
        as_json: nothing is said; the caller prints what is returned.

    Raises:
        VaultmemError: if the only name is refused.
    """
    refused = []
    for name in names:
        try:
            do(name)
        except VaultmemError as error:
            if len(names) == 1:
                raise
            refused.append(Refused(name, error))
            if not as_json:
                say_error(error)
    return tuple(refused)


def refused_json(refused: Iterable[Refused]) -> list[Json]:
    """The stable shape."""
    return [{"id": one.name, "message": str(one.why)} for one in refused]


def exit_code(refused: Sequence[Refused]) -> int:
    """That of the first that was refused, else 0."""
    return refused[0].why.exit_code if refused else 0
