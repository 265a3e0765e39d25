"""Records when a tool of the agent can write, so that what changes meanwhile is nobody's wish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.agent_guard import can_write
from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.store.windows import LONGEST_NS, close_all, close_window, open_window

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultmem.services.call import Call
    from vaultmem.store.process import Process

NOT_RECORDED = (UnsafePathError, ReadOnlyError, DiskFailedError)
"""What stands in the way of recording a window."""
_MS = 1_000_000


def tool_starts(call: Call, owner: Process, tool: str, tool_call: str, *, at_ms: int = 0) -> str:
    """A tool is about to run; one that cannot write opens no window.

    Args:
        call: the circumstances; the moment is its `now`.
        owner: the agent's process.
        tool: the tool's name.
        tool_call: the id of the call.
        at_ms: when it began, in milliseconds since 1970, where that was before `call.now`; else 0.

    Returns:
        What the person is told where it cannot be recorded; empty where it is.
    """
    if not can_write(tool):
        return ""
    moment = _moment(call, at_ms)
    return _tried(lambda: open_window(_state(call), owner, tool_call, at_ns=moment))


def tool_ended(call: Call, owner: Process, tool: str, tool_call: str) -> str:
    """A tool ran; the arguments and the answer of `tool_starts`."""
    if not can_write(tool):
        return ""
    moment = call.nanoseconds
    return _tried(lambda: close_window(_state(call), owner, tool_call, at_ns=moment))


def tool_ran(
    call: Call, owner: Process, tool: str, tool_call: str, *, at_ms: int, ended_ms: int
) -> str:
    """A tool ran unseen; `ended_ms` is 0 while it still runs. The answer of `tool_starts`."""
    told = tool_starts(call, owner, tool, tool_call, at_ms=at_ms)
    if told or not ended_ms or not can_write(tool):
        return told
    moment = _moment(call, ended_ms + 1)  # the sender cut off what is less than a millisecond
    return _tried(lambda: close_window(_state(call), owner, tool_call, at_ns=moment))


def all_ended(call: Call, owner: Process) -> str:
    """No tool of the agent runs now; the answer of `tool_starts`."""
    moment = call.nanoseconds
    return _tried(lambda: close_all(_state(call), owner, at_ns=moment))


def _state(call: Call) -> Path:
    """This machine's state, of all vaults: a tool can write into any."""
    return call.vault.state.folder.parent


def _moment(call: Call, at_ms: int) -> int:
    """The moment that a sender gives, not later than now nor longer ago than any tool runs."""
    now = call.nanoseconds
    return min(now, max(at_ms * _MS, now - LONGEST_NS)) if at_ms else now


def _tried(record: Callable[[], None]) -> str:
    try:
        record()
    except NOT_RECORDED as error:
        return str(error)
    return ""
