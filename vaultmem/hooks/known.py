"""What one process remembers of a session of the agent: only what makes its answers better."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vaultmem.hooks.answers import Rules

if TYPE_CHECKING:
    from vaultmem.hooks.payloads import UsedTool

MOST_SESSIONS = 16
"""A process of the agent has one session at a time; those it left are forgotten, the oldest."""
MOST_SAID = 200
"""Messages of the user that are kept: what a tool's call is held against."""
_MOST_CHARACTERS = 4_000
MOST_CALLS = 200
"""Calls of tools between two prompts that a check at the end of a turn looks at."""
MOST_NOTICES = 20


@dataclass(slots=True)
class Known:
    """One session.

    Attributes:
        said: what the person typed, the oldest first.
        prompt: the last prompt.
        calls: the tools that were called since then, in their order.
        blocked: the ids of those that we kept from running.
        begun: when the tools that run now began, nanoseconds since 1970, by the id of the call.
        retried: whether the agent was sent back to work since then.
        focused: whether it was told of open items since then.
        rules: the block rules that it was told last.
        notices: lines for the person that wait for the next event which can show them.
        changes: what was found that an agent wrote into the vault; told to the model once.
        nested: another agent started it, so that nobody types there.
        counted: short hashes of the sessions whose cards count as used since the last prompt.
    """

    said: list[str] = field(default_factory=list)
    prompt: str = ""
    calls: list[UsedTool] = field(default_factory=list)
    blocked: set[str] = field(default_factory=set)
    begun: dict[str, int] = field(default_factory=dict)
    retried: bool = False
    focused: bool = False
    rules: Rules = field(default_factory=Rules)
    notices: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    nested: bool = False
    counted: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hear(self, text: str) -> None:
        """Remember what the person typed."""
        with self._lock:
            self.said.append(text[:_MOST_CHARACTERS])
            del self.said[:-MOST_SAID]

    def begin(self, prompt: str) -> None:
        """A prompt comes: a run of turns begins."""
        with self._lock:
            self.prompt = prompt[:_MOST_CHARACTERS]
            self.calls.clear()
            self.blocked.clear()
            self.begun.clear()
            self.counted.clear()
            self.retried = self.focused = False

    def call(self, tools: tuple[UsedTool, ...]) -> int:
        """Remember the calls of a turn; returns where they begin among those of the run."""
        with self._lock:
            self.calls.extend(tools)
            del self.calls[:-MOST_CALLS]
            return max(0, len(self.calls) - len(tools))

    def notice(self, lines: tuple[str, ...]) -> None:
        """Keep lines for the person."""
        with self._lock:
            self.notices.extend(lines)
            del self.notices[:-MOST_NOTICES]

    def take_notices(self) -> tuple[str, ...]:
        """The lines that wait; they wait no longer."""
        with self._lock:
            told = tuple(self.notices)
            self.notices.clear()
        return told

    def change(self, lines: tuple[str, ...]) -> None:
        """Keep what the model is to be told of its own writes."""
        with self._lock:
            self.changes.extend(lines)
            del self.changes[:-MOST_NOTICES]

    def take_changes(self) -> tuple[str, ...]:
        """The same, told once."""
        with self._lock:
            told = tuple(dict.fromkeys(self.changes))
            self.changes.clear()
        return told


class Sessions:
    """The sessions that this process knows; safe to use from several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, session: str) -> Known:
        """What is known of a session; begun where nothing is."""
        with self._lock:
            known = self._known.setdefault(session, Known())
            self._known.move_to_end(session)
            while len(self._known) > MOST_SESSIONS:
                self._known.popitem(last=False)
            return known

    def newest(self) -> Known:
        """The session that was heard of last."""
        with self._lock:
            return next(reversed(self._known.values()), None) or Known()
