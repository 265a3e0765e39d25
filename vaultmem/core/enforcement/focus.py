"""Which open tasks a user asked to be worked on, where the agent only talked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.imperative import COMMON_ORDERS
from vaultmem.core.sentences import sentences
from vaultmem.core.trivial import is_trivial
from vaultmem.core.words import content_stems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.enforcement.turn import Turn

READ_AT_MOST = 2_000
"""Characters of a prompt that are looked at."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COURTESY = re.compile(
    r"(?:(?:please|pls|now|ok(?:ay)?|yes|so|then|and|next|first|just|go|let'?s|"
    r"(?:can|could|would|will) you|(?:i|we) (?:want|need) you to)\b[,:!.]?\s*)*"
)
_WORD = re.compile(r"[a-z]+")
_ORDERS = COMMON_ORDERS | {"do", "finish", "tackle", "continue", "mend", "measure"}
_ANSWERED_IN_WORDS = _set(
    "answer brainstorm compare describe discuss estimate explain give guess list name note outline "
    "plan point prefer propose recommend remember remind repeat reply report say show suggest "
    "summarise summarize talk tell think translate use"
)
"""Orders that words fulfil, or that say how to work rather than to work."""
_OF_THE_LIST = re.compile(
    r"\b(?:open|next|remaining|other|these|those|all|the)\s+(?:tasks?|items?)\b|\bto-?dos?\b"
    r"|\bscratchpad\b",
    re.IGNORECASE,
)


def neglected(turn: Turn, tasks: Iterable[str]) -> tuple[str, ...]:
    """The open tasks that the prompt asked for, where no tool was called; () for nothing to say.

    From the topic-file memory (§5), but narrower, because a person who asks something wants words:
    the prompt must give an order that words do not fulfil, and be about the task or about the list
    as a whole. An agent that asks back waits for the user, and is left alone.

    Args:
        turn: what was done since the user's prompt.
        tasks: the open items.
    """
    if turn.calls or is_trivial(turn.prompt) or turn.reply.rstrip().endswith("?"):
        return ()
    prompt = turn.prompt[:READ_AT_MOST]
    if not _asks_for_work(prompt):
        return ()
    if _OF_THE_LIST.search(prompt):
        return tuple(tasks)
    said = content_stems(prompt)
    return tuple(task for task in tasks if _is_about(said, task))


def _asks_for_work(prompt: str) -> bool:
    return any(_is_order(prompt[start:end].lower()) for start, end in sentences(prompt))


def _is_order(said: str) -> bool:
    begun = _COURTESY.match(said)
    courtesy = begun[0] if begun else ""
    verb = _WORD.match(said, len(courtesy))
    if said.rstrip().endswith("?") and "you" not in courtesy:
        return False  # "do the tests pass?"; "can you run them?" is an order
    return verb is not None and verb[0] in _ORDERS and verb[0] not in _ANSWERED_IN_WORDS


def _is_about(said: frozenset[str], task: str) -> bool:
    """Whether they share two words, or half of what the task says behind its verb."""
    things = content_stems(task.partition(" ")[2])
    return len(said & content_stems(task)) > 1 or 0 < len(things) <= 2 * len(said & things)
