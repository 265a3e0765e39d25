"""Reads the payload of each event: a function for each, and the table of all by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from vaultmem.hooks.payloads import (
    MODES,
    OUTCOMES,
    REASONS,
    ROLES,
    SOURCES,
    CommandTyped,
    Compacted,
    Compacting,
    Decided,
    MessageEnded,
    MissedTool,
    PromptComes,
    RulesAsked,
    SessionEnded,
    SessionStarted,
    TextTyped,
    ToolAsked,
    ToolCalled,
    ToolDone,
    TurnEnded,
    UsedTool,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.hooks.payloads import Payload
    from vaultmem.hooks.reading import Fields


class _Place(TypedDict):
    session: str
    cwd: str
    entry: str


def _place(f: Fields) -> _Place:
    return {
        "session": f.plain_word("session"),
        "cwd": f.plain("cwd", ""),
        "entry": f.text("entry", ""),
    }


def _session_start(f: Fields) -> SessionStarted:
    return SessionStarted(
        **_place(f),
        reason=f.one_of("reason", REASONS, "startup"),
        mode=f.one_of("mode", MODES, "print"),
        file=f.plain("file", ""),
        nested=f.flag("nested"),
        missed=tuple(map(_missed, f.objects("missed"))),
    )


def _missed(f: Fields) -> MissedTool:
    return MissedTool(
        tool=f.word("tool"),
        call=f.text("call", ""),
        at=f.number("at", 0),
        ended=f.number("ended", 0),
    )


def _input(f: Fields) -> TextTyped:
    return TextTyped(
        **_place(f),
        text=f.text("text"),
        source=f.one_of("source", SOURCES),
    )


def _before_agent_start(f: Fields) -> PromptComes:
    return PromptComes(
        **_place(f),
        prompt=f.text("prompt", ""),
        sub_agent=f.flag("sub_agent"),
    )


def _tool_call(f: Fields) -> ToolCalled:
    return ToolCalled(
        **_place(f),
        tool=f.word("tool"),
        call=f.text("call", ""),
        input=f.mapping("input"),
        at=f.number("at", 0),
    )


def _tool_result(f: Fields) -> ToolDone:
    return ToolDone(
        **_place(f),
        tool=f.word("tool"),
        call=f.text("call", ""),
        input=f.mapping("input"),
        at=f.number("at", 0),
        text=f.text("text", ""),
        is_error=f.flag("is_error"),
    )


def _message_end(f: Fields) -> MessageEnded:
    return MessageEnded(
        **_place(f),
        role=f.one_of("role", ROLES),
        text=f.text("text", ""),
    )


def _turn_end(f: Fields) -> TurnEnded:
    return TurnEnded(
        **_place(f),
        turn=f.number("turn", 0),
        outcome=f.one_of("outcome", OUTCOMES, "completed"),
        tools=tuple(map(_used_tool, f.objects("tools"))),
        text=f.text("text", ""),
        by_user=f.flag("by_user", default=True),
        retried=f.flag("retried"),
        available=f.texts("available"),
    )


def _used_tool(f: Fields) -> UsedTool:
    return UsedTool(
        tool=f.word("tool"),
        call=f.text("call", ""),
        input=f.mapping("input"),
        is_error=f.flag("is_error"),
        ran=f.flag("ran", default=True),
    )


def _session_before_compact(f: Fields) -> Compacting:
    return Compacting(
        **_place(f),
        reason=f.one_of("reason", REASONS, "threshold"),
    )


def _session_compact(f: Fields) -> Compacted:
    return Compacted(
        **_place(f),
        reason=f.one_of("reason", REASONS, "threshold"),
        summary=f.text("summary", ""),
        will_retry=f.flag("will_retry"),
    )


def _session_shutdown(f: Fields) -> SessionEnded:
    return SessionEnded(
        **_place(f),
        reason=f.one_of("reason", REASONS, "quit"),
    )


def _tool(f: Fields) -> ToolAsked:
    return ToolAsked(
        **_place(f),
        name=f.word("name"),
        call=f.text("call", ""),
        arguments=f.mapping("arguments"),
    )


def _command(f: Fields) -> CommandTyped:
    return CommandTyped(
        **_place(f),
        text=f.plain("text", ""),
    )


def _ui(f: Fields) -> Decided:
    return Decided(
        **_place(f),
        panel=f.word("panel"),
        row=f.plain("row", ""),
        action=f.word("action"),
        text=f.text("text", ""),
    )


def _rules(f: Fields) -> RulesAsked:
    return RulesAsked(session=f.plain("session", ""), cwd=f.plain("cwd", ""))


READERS: Mapping[str, Callable[[Fields], Payload]] = {
    "session_start": _session_start,
    "input": _input,
    "before_agent_start": _before_agent_start,
    "tool_call": _tool_call,
    "tool_result": _tool_result,
    "message_end": _message_end,
    "turn_end": _turn_end,
    "session_before_compact": _session_before_compact,
    "session_compact": _session_compact,
    "session_shutdown": _session_shutdown,
    "tool": _tool,
    "command": _command,
    "ui": _ui,
    "rules": _rules,
}
"""Every event, by the name that it has on the wire, in the order of the reference."""
