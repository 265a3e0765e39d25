"""The transcript of a session as a model is given it: cleaned, rendered, cut to size."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import QUARTERS, fitting, quarters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WINDOW_PERCENT = 70
"""Share of a model's window that a transcript may fill."""
MOST_TOKENS = 150_000
"""Tokens of a transcript where the window is not known; both from notebook.md, section 2."""


class Speaker(StrEnum):
    """Whose words a turn holds."""

    USER = "user"
    AGENT = "assistant"
    CALL = "tool call"
    RESULT = "tool result"
    SUMMARY = "summary"
    DEVELOPER = "developer"
    """Instructions of the agent's own program, not of the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, call or result.

    Attributes:
        entry: the id of its entry in the session file.
        parts: its texts, as the agent kept them apart; of a call an argument each.
        name: of the tool, "" for a message.
        call: the id that a tool's call and its result have in common.
    """

    entry: str
    speaker: Speaker
    parts: tuple[str, ...]
    name: str = ""
    call: str = ""

    @property
    def text(self) -> str:
        """All of it, a part a line."""
        return "\n".join(self.parts)


class Ends(NamedTuple):
    """What is kept of a session.

    Attributes:
        first, last: turns; `last` is empty where all fit among the first.
        tools: names of all tools that were called.
        left_out: what the turns between them take.
    """

    first: tuple[Turn, ...]
    last: tuple[Turn, ...]
    tools: frozenset[str]
    left_out: int


_LOADED = (
    re.compile(r"\A\s*# AGENTS\.md instructions for .*</INSTRUCTIONS>\s*", re.I | re.S),
    re.compile(r"\A\s*<skill(?:\s[^<>\n]{0,500})?>.*</skill>\s*", re.I | re.S),
)
"""What an agent's program puts in front of a user's words; to the last end, so that a text which
holds the closing mark itself cannot pass for the user's."""

OWN_TOOL = re.compile(
    r"(?:\w+__)?(?:memory_\w+|notebook_\w+|session_(?:search|list|read|decisions)|scratchpad)"
)
"""A tool of ours, also behind the name of the server that offers it."""
_OWN_COMMAND = re.compile(r"(?:^|[\s;&|(/])vaultmem\s+[a-z-]", re.MULTILINE)


def cleaned(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The turns that a model may learn from.

    Messages of the agent's program are left out, and from the user's what it loaded into them
    (project instructions, skills). What tells the surroundings, or of a sub-agent, stays. What
    vaultmem was asked and answered is left out: nothing is learned from our own words.
    """
    ours: set[str] = set()
    for turn in turns:
        if turn.speaker is Speaker.DEVELOPER or _is_ours(turn, ours):
            continue
        parts = turn.parts
        if turn.speaker is Speaker.USER:
            parts = tuple(map(_without_loaded, parts))
        parts = tuple(part for part in parts if part.strip())
        if parts or turn.speaker is Speaker.CALL:
            yield replace(turn, parts=parts)


def rendered(turns: Iterable[Turn]) -> str:
    """The turns one below the other, each behind a line that says whose it is."""
    return "\n\n".join(map(_block, turns))


def most_tokens(window: int | None) -> int:
    """The tokens that a transcript may have for a model with a window of so many tokens."""
    return MOST_TOKENS if window is None else window * WINDOW_PERCENT // 100


def both_ends(turns: Iterable[Turn], room: int, size: Callable[[Turn], int]) -> Ends:
    """The first turns and the last ones, in one pass that holds no others.

    Args:
        turns: all of them.
        room: of the first, and of the last; both go on to the turn that fills it.
        size: of a turn.
    """
    head: list[Turn] = []
    tail: deque[Turn] = deque()
    tools: set[str] = set()
    first = last = left_out = 0
    for turn in turns:
        if turn.speaker is Speaker.CALL:
            tools.add(turn.name)
        if first < room:
            head.append(turn)
            first += size(turn)
            continue
        tail.append(turn)
        last += size(turn)
        while last - size(tail[0]) >= room:
            gone = size(tail.popleft())
            last, left_out = last - gone, left_out + gone
    return Ends(tuple(head), tuple(tail), frozenset(tools), left_out)


def gap(left_out: int) -> Turn:
    """What stands for turns that take so many characters and were left out."""
    return Turn(entry="", speaker=Speaker.SUMMARY, parts=(_left_out(left_out),))


def cut_middle(text: str, most_tokens: int, *, left_out: int = 0) -> str:
    """The text, or its beginning and its end with a note between them, in at most so many tokens.

    Tokens are counted as `core.budget` does. A limit without room for the note gives "".

    Args:
        text: the whole.
        most_tokens: that it may take.
        left_out: characters that its middle lacks already, which count in the note.
    """
    limit = most_tokens * QUARTERS
    whole = quarters(text)
    if whole <= limit:
        return text
    note = f"\n\n{_left_out(whole - limit + left_out)}\n\n"
    room = limit - quarters(note)
    if room < 0:
        return ""
    head = fitting(text, room - room // 2)
    tail = fitting(text[::-1], room // 2)
    return f"{text[:head]}{note}{text[len(text) - tail :]}"


def _left_out(quarters: int) -> str:
    return f"[… about {quarters // QUARTERS + 1} tokens were left out here …]"


def _is_ours(turn: Turn, calls: set[str]) -> bool:
    """Whether a turn asks vaultmem or holds its answer; `calls` are the ids of those before."""
    if turn.speaker is Speaker.RESULT and turn.call in calls:
        return True
    if turn.speaker not in (Speaker.CALL, Speaker.RESULT):
        return False
    ours = OWN_TOOL.fullmatch(turn.name) is not None
    if ours or (turn.speaker is Speaker.CALL and _OWN_COMMAND.search(turn.text) is not None):
        calls.update(filter(None, (turn.call,)))
        return True
    return False


def _without_loaded(part: str) -> str:
    before = None
    while before != part:
        before = part
        for pattern in _LOADED:
            part = pattern.sub("", part, count=1)
    return part


def _block(turn: Turn) -> str:
    name = f" {turn.name}" if turn.name else ""
    return f"[{turn.speaker}{name}]\n{turn.text}".rstrip()
