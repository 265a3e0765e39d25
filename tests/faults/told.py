"""What was said, decided and deleted so far: the small model that a real vault is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultmem.core.normal import statement_key

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from vaultmem.core.standing import Standing

IN_FORCE = ("active", "contested", "promoted")
"""Statuses in which a memory's words are told to an agent."""

Pair = tuple[str, str]
"""The key of a statement, and a status."""


@dataclass(slots=True)
class Told:
    """Who said what; only these may be in force.

    Attributes:
        person: keys of statements that a person typed, approved, ticked or ratified.
        user: keys of what the user's own messages said, which policy may apply.
        stones: keys of deleted statements, each with the ids that may still say it, because they
            were in force beside the deleted one.
        deleted: keys of statements that were ever deleted.
        gone: ids of memories that are deleted and may not be in force.
        acting: ids of memories that a person gave force, by a pin, a decision or `ratify`.
        identity: ids that a person ratified.
        kept: by id, what a memory may hold now: what was reported done and not taken back.
        purged: statements of which no byte may be left.
    """

    person: set[str] = field(default_factory=set)
    user: set[str] = field(default_factory=set)
    stones: dict[str, set[str]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    acting: set[str] = field(default_factory=set)
    identity: set[str] = field(default_factory=set)
    kept: dict[str, set[Pair]] = field(default_factory=dict)
    purged: list[str] = field(default_factory=list)

    def say(self, *statements: str) -> None:
        """A person stands behind these words."""
        self.person |= {statement_key(one) for one in statements}
        self.spoken(*statements)

    def spoken(self, *statements: str) -> None:
        """The words are said again, so that their bytes may be there again."""
        keys = {statement_key(one) for one in statements}
        self.purged = [one for one in self.purged if statement_key(one) not in keys]

    def keep(self, identifier: str, statement: str, status: str = "active") -> None:
        """A verb reported that the memory holds this from now on."""
        self.kept[identifier] = {(statement_key(statement), status)}
        self.gone.discard(identifier)

    def may_be(self, identifier: str, pairs: Iterable[Pair]) -> None:
        """The memory may hold one of these as well: it is open whether a change was done."""
        if identifier in self.kept:
            self.kept[identifier] |= set(pairs)

    def loosen(self, identifier: str) -> None:
        """Nothing was promised any more about the memory."""
        self.kept.pop(identifier, None)

    def delete(self, identifier: str, statement: str, others: Iterable[Standing]) -> None:
        """A person deleted the memory for good; `others` were in force beside it."""
        key = statement_key(statement)
        spared = {one.id for one in others if statement_key(one.statement) == key}
        self.deleted.add(key)
        self.stones[key] = (self.stones.get(key, set()) | spared) - {identifier}
        self.gone.add(identifier)
        self.kept.pop(identifier, None)

    def spare(self, statement: str, identifier: str) -> None:
        """A person wrote the words into this memory's note: an edit stands."""
        if (key := statement_key(statement)) in self.stones:
            self.stones[key].add(identifier)

    def want_back(self, statement: str, identifier: str = "") -> None:
        """A person approved the words, or brought the note back."""
        self.say(statement)
        self.stones.pop(statement_key(statement), None)
        self.gone.discard(identifier)

    # what it forbids

    def faults(self, live: Iterable[Standing], *, behind: bool) -> list[str]:
        """What of these memories, which are in force on one machine, may not be.

        A machine that is `behind` has not looked since another one deleted something.
        """
        found = [(one, fault) for one in live for fault in self._faults(one)]
        if not behind:
            found += [(one, fault) for one in live for fault in self._back(one)]
        return [f"{fault}: {one}" for one, fault in found]

    def _faults(self, one: Standing) -> Iterable[str]:
        if one.status in IN_FORCE and statement_key(one.statement) not in self.person | self.user:
            yield "only an agent said it"
        if one.force and one.id not in self.acting:
            yield "nobody gave it force"
        if one.force and one.layer == "L1" and one.id not in self.identity:
            yield "nobody ratified this identity"

    def _back(self, one: Standing) -> Iterable[str]:
        if one.status not in IN_FORCE:
            return
        key = statement_key(one.statement)
        if one.id in self.gone:
            yield "a deleted memory is in force"
        if key in self.stones and one.id not in self.stones[key]:
            yield "a deleted text is back"

    def lost(self, live: Iterable[Standing], seen: Container[str]) -> list[str]:
        """What was reported done and is not there, on a machine that has `seen` these memories."""
        there = {one.id: (statement_key(one.statement), one.status) for one in live}
        return [
            f"{identifier} should be one of {sorted(pairs)} and is {there.get(identifier)}"
            for identifier, pairs in self.kept.items()
            if identifier in seen and there.get(identifier) not in pairs
        ]
