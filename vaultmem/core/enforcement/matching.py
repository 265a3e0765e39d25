"""Which rules a call of a tool meets."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.contains import MAX_COMMAND, contains, mentions
from vaultmem.core.enforcement.file_pattern import means
from vaultmem.core.enforcement.rule import TriggerKind
from vaultmem.core.enforcement.trigger_advice import MAX_PATTERN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.enforcement.rule import Rule, Trigger
    from vaultmem.core.enforcement.tool_call import ToolCall
    from vaultmem.core.enforcement.trigger_advice import Search

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_FORBIDS = re.compile(r"\b(?:never|not|don['’]?t|avoid|without|instead of)\b", re.IGNORECASE)


class Match(NamedTuple):
    """A rule that is met, and by what of the call: the tool, the command, a path or the task."""

    rule: Rule
    what: str


def matching(
    rules: Iterable[Rule], call: ToolCall, *, files: Sequence[str], search: Search
) -> tuple[Match, ...]:
    """The rules whose trigger a call meets, in the order of `rules`.

    Args:
        rules: those that hold here.
        call: what is called.
        files: what it writes, or what changed while it ran: paths with `/`, relative to the
            project's root where they lie below it.
        search: finds a regular expression in a text, in linear time; None for one that is none.
    """
    found = ((rule, _met(rule.trigger, call, files, search)) for rule in rules if rule.trigger)
    return tuple(Match(rule, what) for rule, what in found if what)


def _met(trigger: Trigger, call: ToolCall, files: Sequence[str], search: Search) -> str:
    """What of the call meets a trigger, "" for nothing."""
    kind, needle = trigger
    if kind is TriggerKind.TOOL_NAME:
        return call.tool if call.tool == needle else ""
    if kind is TriggerKind.FILE_MODIFIED:
        return next((path for path in files if means(needle, path)), "")
    if kind is TriggerKind.BASH_CONTAINS:
        return _said(call, needle, contains, mentions)
    return "" if len(needle) > MAX_PATTERN else _said(call, needle, search)


def _said(call: ToolCall, needle: str, runs: Search, told: Search | None = None) -> str:
    """The command that runs what a needle names, or the task that tells a sub-agent to."""
    if call.command and runs(needle, call.command[:MAX_COMMAND]):
        return call.command
    orders = any((told or runs)(needle, sentence) for sentence in _orders(call.task))
    return call.task if orders else ""


@lru_cache(maxsize=1)
def _orders(task: str) -> tuple[str, ...]:
    """The sentences of a task that forbid nothing; for the others a mention is enough.

    Every rule asks for those of the same task.
    """
    sentences = _SENTENCE.split(task[:MAX_COMMAND]) if task else []
    return tuple(one for one in sentences if one and not _FORBIDS.search(one))
