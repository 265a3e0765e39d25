"""The block rules that the extension holds itself, so that they hold while `serve` does not answer.

Only what can be matched without a regular expression, and only what holds for the whole session
whatever is said: a rule with conditions is judged by `serve` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.contains import is_command
from vaultmem.core.enforcement.rule import Action, TriggerKind
from vaultmem.core.enforcement.wording import block_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.enforcement.rule import Rule

_LITERAL = (TriggerKind.BASH_CONTAINS, TriggerKind.TOOL_NAME)


class BlockRule(NamedTuple):
    """One rule as the extension has it.

    Attributes:
        id: the memory's.
        kind: `bash_contains` or `tool_name`.
        needle: what is looked for.
        command: whether a `bash_contains` needle is looked for in the words of each simple command
            (`core.enforcement.contains`), and not in the text.
        reason: what the agent is told.
    """

    id: str
    kind: str
    needle: str
    command: bool
    reason: str


def literal_block_rules(rules: Iterable[Rule]) -> tuple[BlockRule, ...]:
    """The rules that need nobody to judge them, in the order of `rules`."""
    return tuple(
        BlockRule(
            rule.memory_id,
            rule.trigger.kind.value,
            rule.trigger.needle,
            rule.trigger.kind is TriggerKind.BASH_CONTAINS and is_command(rule.trigger.needle),
            block_reason(rule),
        )
        for rule in rules
        if rule.trigger and rule.trigger.kind in _LITERAL
        if rule.does(Action.BLOCK) and not rule.conditional
    )
