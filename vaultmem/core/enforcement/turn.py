"""What an agent did since the user's prompt, and which verifiers that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.contains import contains

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.enforcement.rule import Rule


class Called(NamedTuple):
    """One call of a tool.

    Attributes:
        tool: its name.
        command: the shell text that it ran, "" for none.
        ran: False where it was blocked, so that nothing was done.
    """

    tool: str
    command: str = ""
    ran: bool = True


class Turn(NamedTuple):
    """What was done since the user's prompt.

    A host may call "turn" each answer of the model between two results of tools; what was called
    before this one still counts as called before.

    Attributes:
        prompt: what the user asked; "" for a run that no user's prompt began.
        calls: every call of a tool since then, in order.
        since: how many of `calls` an earlier end of a turn has seen.
        retried: whether a retry was asked for since the prompt.
        reply: what the agent said at the end of this turn.
    """

    prompt: str
    calls: tuple[Called, ...] = ()
    since: int = 0
    retried: bool = False
    reply: str = ""


class Failure(NamedTuple):
    """A rule whose tool was not called before its command ran."""

    rule: Rule
    tool: str
    command: str


def failures(rules: Iterable[Rule], turn: Turn) -> tuple[Failure, ...]:
    """The verifiers that fail for what this turn ran, in the order of `rules`, each once.

    From the topic-file memory (§10), but for two things: what was called since the prompt counts,
    not only in the same answer of the model; and a command of an earlier turn fails no second time.
    """
    found: list[Failure] = []
    for rule in rules:
        check = rule.verifier
        if check is None:
            continue
        asked = False
        for at, one in enumerate(turn.calls):
            asked = asked or (one.ran and one.tool == check.tool)
            due = one.ran and at >= turn.since and one.command
            if not asked and due and contains(check.command, one.command):
                found.append(Failure(rule, check.tool, check.command))
                break
    return tuple(found)
