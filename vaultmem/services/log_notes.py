"""The log notes of the vault, found by the day that their names begin with."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.place import LOG, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.call import Call

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class LogNote(NamedTuple):
    """A log of one device; `path` is relative to the vault."""

    day: date
    path: str


def log_notes(call: Call, first: date, last: date) -> Iterator[LogNote]:
    """The logs of all devices for these days, both included, by their paths.

    Args:
        call: the circumstances; the baseline is up to date.
        first: the first day, by the person's clock.
        last: the last one.
    """
    folder, begin, end = f"{call.vault.root}/{LOG}/", first.isoformat(), last.isoformat()
    for path in call.vault.baseline.paths(kind=Kind.LOG.value):
        named = path.rpartition("/")[2][:10]
        if begin <= named <= end and path.startswith(folder) and (day := _day(named)) is not None:
            yield LogNote(day, path)


def _day(text: str) -> date | None:
    """The day that a name spells; None where the calendar has none of that name."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None
