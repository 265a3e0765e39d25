"""The circumstances of one call: the vault, the moment, who acts, the source of random bits."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import new_id
from vaultmem.core.standing import moment_seconds
from vaultmem.errors import AgentRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from vaultmem.core.governance import Governance
    from vaultmem.services.syncing.consequences import Consequences
    from vaultmem.store.vault import OpenVault

QUIET_SECONDS = 120
"""A note that changed this recently is not written by itself (DESIGN §2)."""


class Actor(StrEnum):
    """Who may do what (DESIGN §4)."""

    PERSON = "person"
    AGENT = "agent"
    POLICY = "policy"


def refuse_agent(verb: str, agent: str | None) -> None:
    """Refuse a verb that only a person may use, where `agent` names one.

    Raises:
        AgentRefusedError: if an agent calls.
    """
    if agent is not None:
        raise AgentRefusedError(
            f"`{verb}` is for the person; it was called from {agent}. "
            "Ask the person to run it in a terminal of their own."
        )


class Call(NamedTuple):
    """What every verb needs besides its own arguments; given by name."""

    vault: OpenVault
    now: datetime
    """With the person's time zone."""
    actor: Actor
    random: Callable[[int], bytes]
    consequences: Callable[[Call], Consequences]
    """What a sync does with what it finds besides memories."""
    agent: str | None = None
    """The agent's name where `actor` is one."""

    @property
    def governance(self) -> Governance:
        """The settings of governance that hold here: of vault and user config the stricter."""
        return self.vault.governance

    @property
    def local(self) -> datetime:
        """The moment as notes show it: local, without a zone, to the second."""
        return self.now.replace(tzinfo=None, microsecond=0)

    @property
    def seconds(self) -> float:
        """The moment as `Standing` keeps it."""
        return moment_seconds(self.local)

    @property
    def nanoseconds(self) -> int:
        """The moment as file systems keep it."""
        return int(self.now.timestamp() * 1_000_000_000)

    def is_quiet(self, changed_ns: int) -> bool:
        """Whether a note that was changed then may be written by itself (DESIGN §2).

        One from the future, by a clock that was wrong, is nobody's edit of just now either.
        """
        return abs(self.nanoseconds - changed_ns) >= QUIET_SECONDS * 1_000_000_000

    def new_id(self, prefix: str) -> str:
        """A new id of that kind."""
        return new_id(prefix, self.now, self.random(10))

    def by_policy(self) -> Call:
        """The same circumstances in which policy acts, whoever called."""
        return self._replace(actor=Actor.POLICY, agent=None)

    def person_only(self, verb: str) -> None:
        """Refuse a verb that only a person may use.

        Raises:
            AgentRefusedError: if an agent calls.
        """
        refuse_agent(verb, self.agent)
