"""What becomes of each record of another tool's store, decided before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.importing.item import ImportedInquiry, ImportedTask, Quarantined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.importing.item import Gathered, ImportedItem
    from vaultmem.core.model import Memory


class Fate(StrEnum):
    """What becomes of one record."""

    MEMORY = "memory"
    CANDIDATE = "candidate"
    KNOWN = "known"
    """It is here already, or was decided about."""
    STRENGTHENED = "strengthened"
    """A memory says the same, and gets one piece of evidence more."""
    QUARANTINED = "quarantined"
    LEFT = "left_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One record with its fate.

    Attributes:
        item: as it was read.
        fate: what becomes of it.
        memory: what it becomes, with the id of a memory that it has here whatever its fate.
        reason: why it is not simply a memory, one sentence; for what is left out the plural noun
            that it is counted under.
        about: the memory that says the same, or the opposite.
        guarded: whether a guard of ours holds it, and not its source.
    """

    item: ImportedItem
    fate: Fate
    memory: Memory
    reason: str = ""
    about: MemoryId | None = None
    guarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """A question or an item of a scratchpad with its fate.

    Attributes:
        record: as it was read.
        fate: MEMORY means that it is taken over as what it is.
        reason: why it is not, one sentence.
    """

    record: ImportedInquiry | ImportedTask
    fate: Fate
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The fates of all records of a source."""

    gathered: Gathered
    planned: tuple[Planned, ...] = ()
    beside: tuple[Beside, ...] = ()

    def of(self, fate: Fate) -> tuple[Planned, ...]:
        """The records with that fate, in the order of the source."""
        return tuple(one for one in self.planned if one.fate is fate)

    def counts(self) -> Counter[Fate]:
        """How many records have each fate, those that no reader understood among them."""
        found = Counter(one.fate for one in self.planned)
        found[Fate.KNOWN] += sum(one.fate is Fate.KNOWN for one in self.beside)
        found[Fate.QUARANTINED] = len(self.quarantined())
        found[Fate.LEFT] = sum(self.left_out().values())
        return found

    @property
    def asked(self) -> tuple[ImportedInquiry, ...]:
        """The questions that are asked here."""
        return tuple(one for one in self._taken() if isinstance(one, ImportedInquiry))

    @property
    def tasks(self) -> tuple[ImportedTask, ...]:
        """The items that the scratchpad gets."""
        return tuple(one for one in self._taken() if isinstance(one, ImportedTask))

    @property
    def has_news(self) -> bool:
        """Whether anything is to be written."""
        new_ones = (Fate.MEMORY, Fate.CANDIDATE, Fate.STRENGTHENED)
        return bool(any(map(self.of, new_ones)) or self._taken())

    def _taken(self) -> list[ImportedInquiry | ImportedTask]:
        return [one.record for one in self.beside if one.fate is Fate.MEMORY]

    def quarantined(self) -> tuple[Quarantined, ...]:
        """What could not be read, and what may not be written here."""
        return (
            *self.gathered.quarantined,
            *_reasons((one.item.where, one.reason) for one in self.of(Fate.QUARANTINED)),
            *_reasons(
                (one.record.where, one.reason)
                for one in self.beside
                if one.fate is Fate.QUARANTINED
            ),
        )

    def left_out(self) -> Counter[str]:
        """What is not taken by design, a plural noun with its count."""
        left = Counter(self.gathered.left_out)
        left.update(one.reason for one in self.of(Fate.LEFT))
        return left


def _reasons(found: Iterable[tuple[str, str]]) -> tuple[Quarantined, ...]:
    return tuple(Quarantined(where, reason) for where, reason in found)
