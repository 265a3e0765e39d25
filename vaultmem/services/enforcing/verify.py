"""At the end of a turn: the verifiers that it fails, and whether it is tried once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Context
from vaultmem.core.enforcement.happening import RuleAct
from vaultmem.core.enforcement.turn import failures
from vaultmem.core.enforcement.wording import retry_message
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.enforcing.audit import happened
from vaultmem.services.enforcing.rules import rules_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.enforcement.turn import Failure, Turn
    from vaultmem.services.call import Call


class Checked(NamedTuple):
    """What the verifiers found.

    Attributes:
        failures: the rules that were not kept.
        message: what the agent is told, "" where nothing failed or it was told once already.
        retry: whether it is to go on at once: once for each prompt.
    """

    failures: tuple[Failure, ...] = ()
    message: str = ""
    retry: bool = False


def verify(
    call: Call,
    turn: Turn,
    *,
    session: str = "",
    project: str = "",
    tools: Sequence[str] | None = None,
) -> Checked:
    """Check what a turn did.

    Args:
        call: the circumstances; the baseline is up to date.
        turn: what was done since the user's prompt.
        session: the agent's session.
        project: the project's identity.
        tools: the names of the agent's tools, None where they are not known.
    """
    if not any(one.command for one in turn.calls[turn.since :]):
        return Checked()
    words = "\n".join((turn.prompt, *(one.command for one in turn.calls)))
    rules = rules_here(call, Context(call.seconds, project, words, session=session))
    found = failures(rules, turn)
    if not found:
        return Checked()
    ids = tuple(one.rule.memory_id for one in found)
    happened(call, RuleAct.UNKEPT, ids, session=session)
    if turn.retried:
        return Checked(found)
    remember_shown(call, [one.rule.statement for one in found])
    return Checked(found, retry_message(found, tools), retry=True)
