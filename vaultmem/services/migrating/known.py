"""What this vault holds already, by the words of its memories: repeated, contradicted, waiting."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from vaultmem.core.duplicate import same_text
from vaultmem.core.importing.opposition import Opposition
from vaultmem.core.model import Status
from vaultmem.core.normal import statement_key
from vaultmem.core.selection import is_over
from vaultmem.core.standing import is_comparable, standing_of
from vaultmem.services.capturing.guarding import conflict_among
from vaultmem.services.curating.candidates import is_external, waiting

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call
    from vaultmem.services.capturing.guarding import Conflict


class KnownHere:
    """The memories of the vault, and those that the import has brought so far."""

    def __init__(self, call: Call) -> None:
        """Look at what is there now."""
        self._said: dict[str, list[Standing]] = defaultdict(list)
        self._opposition: Opposition[Standing] = Opposition()
        for one in call.vault.baseline.standings():
            if not is_over(one, call.seconds):
                self._put(one)
        self._waiting: dict[str, list[Memory]] = defaultdict(list)
        for candidate in waiting(call):
            if not is_external(candidate):
                memory = candidate.candidate.memory
                self._waiting[statement_key(memory.statement)].append(memory)

    def add(self, memory: Memory) -> None:
        """The import brings this one."""
        self._put(_as_row(memory))

    def wait(self, memory: Memory) -> None:
        """The import brings this one as a candidate."""
        self._waiting[statement_key(memory.statement)].append(memory)

    def says(self, memory: Memory) -> Standing | None:
        """What says the same in the same place, in force before what is set aside."""
        same = [
            one
            for one in self._said.get(statement_key(memory.statement), ())
            if is_comparable(one, memory) and same_text(one.statement, memory.statement)
        ]
        return min(same, key=lambda one: one.status != Status.ACTIVE, default=None)

    def waits(self, memory: Memory) -> bool:
        """Whether a candidate that waits says the same in the same place."""
        there = self._waiting.get(statement_key(memory.statement), ())
        return any(is_comparable(_as_row(one), memory) for one in there)

    def against(self, memory: Memory) -> Conflict | None:
        """What it contradicts, by the rule of every write: `conflict_among`."""
        opposed = self._opposition.against(memory.statement)
        return conflict_among((one.known for one in opposed), memory)

    def _put(self, one: Standing) -> None:
        self._said[statement_key(one.statement)].append(one)
        if one.status == Status.ACTIVE:
            self._opposition.add(one.statement, one)


def _as_row(memory: Memory) -> Standing:
    """A memory that the import brings, and that has no note yet."""
    return standing_of(memory, path="", force=False)
