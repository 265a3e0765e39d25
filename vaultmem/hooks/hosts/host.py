"""Which other agents' hooks are understood, and what they call their events."""

from __future__ import annotations

from enum import StrEnum


class Host(StrEnum):
    """An agent whose hook commands call us."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"


class HostEvent(StrEnum):
    """An event of theirs; both spell them alike, and not each has all."""

    SESSION_START = "SessionStart"
    PROMPT = "UserPromptSubmit"
    BEFORE_TOOL = "PreToolUse"
    AFTER_TOOL = "PostToolUse"
    TOOL_FAILED = "PostToolUseFailure"
    BEFORE_COMPACT = "PreCompact"
    AFTER_COMPACT = "PostCompact"
    STOP = "Stop"
    SESSION_END = "SessionEnd"


HOSTS = tuple(one.value for one in Host)
HAS_NO_END = frozenset((Host.CODEX,))
"""Agents that say of no session that it ends; it has ended when it rests and another begins."""
