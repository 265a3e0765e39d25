"""Which of the memories that an agent was shown its reply repeats.

A memory was used if the reply says the beginning of it; from the topic-file memory (section 2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.core.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.ids import MemoryId

REPLY_OVER = 50
"""Characters that a reply must have more than; a shorter one only answers."""
START = 40
"""Characters of a statement that a reply must repeat; both from the topic-file memory."""
SHORTEST = 12
"""A statement with fewer is said by accident; our own."""
MAX_REPLY = 100_000
"""Characters of a reply that are looked at."""


def used_in(reply: str, shown: Mapping[MemoryId, str]) -> tuple[MemoryId, ...]:
    """The memories that a reply repeats, in the order of `shown`.

    Case, punctuation, emphasis and line breaks do not count.

    Args:
        reply: what the agent said, without its citation.
        shown: the statements of the memories that it was shown, by id.
    """
    if len(reply) <= REPLY_OVER:
        return ()
    said = _plain(reply[:MAX_REPLY])
    starts = ((identifier, _start(text)) for identifier, text in shown.items())
    return tuple(
        identifier for identifier, start in starts if len(start) >= SHORTEST and start in said
    )


@lru_cache(maxsize=512)
def _start(statement: str) -> str:
    """What a reply must say of it; each reply of a session asks for the same ones."""
    return _plain(statement)[:START]


def _plain(text: str) -> str:
    return " ".join(words(text))
