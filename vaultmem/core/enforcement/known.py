"""The guardrails that a process has decoded, and for which rows of the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.core.enforcement.rule import Rule
    from vaultmem.core.standing import Standing


class Guardrail(NamedTuple):
    """A memory that names a guardrail, with the rule that it spells, None for one of no use."""

    standing: Standing
    rule: Rule | None

    @property
    def acts(self) -> bool:
        """Whether it may enforce anything: it has force, and nobody contests it."""
        return bool(self.standing.force) and self.standing.status == "active"


class KnownRules(NamedTuple):
    """What was decoded.

    Attributes:
        rows: the rows that the baseline had then, whose identity says whether it still holds.
        guardrails: of all memories that name one.
        versions: by the memory's id, the version of its note and the rule that it spells.
    """

    rows: list[Standing]
    guardrails: tuple[Guardrail, ...]
    versions: dict[str, tuple[str, Rule | None]]
