"""Records when a tool of the agent can write, so that what changes meanwhile is nobody's wish."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.agent_guard import can_write
from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.store.windows import LONGEST_NS, close_all, close_window, open_window

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultmem.store.process import Process

_NOT_RECORDED = (UnsafePathError, ReadOnlyError, DiskFailedError)
"""What stands in the way of recording a window."""
_MS = 1_000_000


class AgentNow(NamedTuple):
    """An agent at a moment; no vault is needed, since a tool can write into any.

    Attributes:
        state: this machine's state folder, of all vaults.
        process: the agent's process.
        now_ns: the moment, nanoseconds since 1970.
    """

    state: Path
    process: Process
    now_ns: int


def tool_starts(agent: AgentNow, tool: str, tool_call: str, *, at_ms: int = 0) -> str:
    """A tool is about to run; one that cannot write opens no window.

    Args:
        agent: whose tool it is, and the moment.
        tool: the tool's name.
        tool_call: the id of the call.
        at_ms: when it began, in milliseconds since 1970, where that was before `now_ns`; else 0.

    Returns:
        What the person is told where it cannot be recorded; empty where it is.
    """
    if not can_write(tool):
        return ""
    moment = _moment(agent, at_ms)
    return _tried(lambda: open_window(agent.state, agent.process, tool_call, at_ns=moment))


def tool_ended(agent: AgentNow, tool: str, tool_call: str) -> str:
    """A tool ran; the arguments and the answer of `tool_starts`."""
    if not can_write(tool):
        return ""
    return _tried(lambda: close_window(agent.state, agent.process, tool_call, at_ns=agent.now_ns))


def tool_ran(agent: AgentNow, tool: str, tool_call: str, *, at_ms: int, ended_ms: int) -> str:
    """A tool ran unseen; `ended_ms` is 0 while it still runs. The answer of `tool_starts`."""
    told = tool_starts(agent, tool, tool_call, at_ms=at_ms)
    if told or not ended_ms or not can_write(tool):
        return told
    moment = _moment(agent, ended_ms + 1)  # the sender cut off what is less than a millisecond
    return _tried(lambda: close_window(agent.state, agent.process, tool_call, at_ns=moment))


def all_ended(agent: AgentNow) -> str:
    """No tool of the agent runs now; the answer of `tool_starts`."""
    return _tried(lambda: close_all(agent.state, agent.process, at_ns=agent.now_ns))


def _moment(agent: AgentNow, at_ms: int) -> int:
    """The moment that a sender gives, not later than now nor longer ago than any tool runs."""
    now = agent.now_ns
    return min(now, max(at_ms * _MS, now - LONGEST_NS)) if at_ms else now


def _tried(record: Callable[[], None]) -> str:
    try:
        record()
    except _NOT_RECORDED as error:
        return str(error)
    return ""
