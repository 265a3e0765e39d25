"""One line of a session file of the agent, as a typed entry; whatever it holds, it never raises.

The form is that of Pi's session files, versions 1 to 3 (pi-client.md, section 4): one JSON object a
line. Only what the index and a reader need is taken; a line of another kind is an `Other`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_TEXT = 30_000
"""Characters of one message that are read; governed-memory.md, section 14, for replies."""
MAX_PATHS = 100
"""Files that one entry may name; likewise."""
MAX_NAME = 200
"""Characters of an id, a name or a path's part that are taken."""
MAX_PATH = 4_096
"""Characters of a path (PATH_MAX of Linux)."""

_LAST = datetime(9000, 1, 1, tzinfo=UTC).timestamp()
WRITERS = frozenset(("write", "edit"))
"""Tools of the agent whose `path` is a file that they change."""


class SummaryKind(StrEnum):
    """What was summarised."""

    COMPACTION = "compaction"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first entry of a file; a file without one is no session.

    `at` is in seconds of the Unix epoch, 0 where it is not known, in every kind of entry.
    """

    id: str
    at: float
    cwd: str
    parent: str
    """The file of the session from which this one was forked, or ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What every other entry has; `parent` is the entry before it in its branch, or ""."""

    id: str
    parent: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Entry):
    """A message of the user."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool that a reply calls; `path` is the file that it would change, or ""."""

    call: str
    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Entry):
    """A message of the agent; what it thought is left out."""

    text: str
    failed: bool
    """It was broken off, so that it is tried again or given up."""
    model: str
    tools: tuple[ToolUse, ...]
    cost: float
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDone(Entry):
    """The result of a tool; `path` is a file that it says it changed, or ""."""

    call: str
    name: str
    path: str
    failed: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Entry):
    """What stands for a part of the talk: of what was compacted, or of a branch that was left."""

    text: str
    kind: SummaryKind
    first_kept: str
    """Of a compaction, the first entry that it keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Entry):
    """The title that the session has from here on."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Other(Entry):
    """Anything else."""


class _Same(TypedDict):
    id: str
    parent: str
    at: float


AnyEntry = Header | Entry


def json_of(line: bytes) -> Mapping[str, object] | None:
    """The JSON object of a line; None where it is blank or holds anything else."""
    try:
        raw = json.loads(line.decode("utf-8", "replace").removeprefix("\ufeff").strip("\x00"))
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None


def parse_entry(line: bytes) -> AnyEntry | None:
    """The entry of a line; None where it is blank or no JSON object."""
    raw = json_of(line)
    return None if raw is None else _entry(raw)


def _entry(raw: Mapping[str, object]) -> AnyEntry:
    kind = raw.get("type")
    if kind == "session":
        return Header(
            id=_word(raw.get("id")),
            at=_time(raw.get("timestamp")),
            cwd=_path(raw.get("cwd")),
            parent=_path(raw.get("parentSession")),
        )
    message = raw.get("message")
    if kind == "message" and isinstance(message, dict):
        return _message(raw, message)
    same = _same(raw)
    if kind == "compaction":
        return Summary(
            **same,
            text=_text(raw.get("summary")),
            kind=SummaryKind.COMPACTION,
            first_kept=_word(raw.get("firstKeptEntryId")),
        )
    if kind == "branch_summary":
        text = _text(raw.get("summary"))
        return Summary(**same, text=text, kind=SummaryKind.BRANCH, first_kept="")
    if kind == "session_info":
        return Named(**same, name=_text(raw.get("name"))[:MAX_NAME])
    return Other(**same)


def _message(raw: Mapping[str, object], message: Mapping[str, object]) -> AnyEntry:
    same = _same(raw, message)
    role, text = message.get("role"), _said(message.get("content"))
    if role == "user":
        return Said(**same, text=text)
    if role == "assistant":
        usage = message.get("usage")
        spent = usage if isinstance(usage, dict) else {}
        cost = spent.get("cost")
        return Answered(
            **same,
            text=text,
            failed=message.get("stopReason") in ("error", "aborted"),
            model=_word(message.get("model")),
            tools=tuple(_tools(message.get("content"))),
            cost=_number(cost.get("total") if isinstance(cost, dict) else cost),
            tokens=int(_number(spent.get("totalTokens"))),
        )
    if role == "toolResult":
        name = _word(message.get("toolName"))
        return ToolDone(
            **same,
            call=_word(message.get("toolCallId")),
            name=name,
            path=_changed(name, message.get("details")),
            failed=message.get("isError") is True,
            text=text,
        )
    return Other(**same)


def _same(raw: Mapping[str, object], message: Mapping[str, object] | None = None) -> _Same:
    at = _time(raw.get("timestamp"))
    if not at and message is not None:
        at = _moment(_number(message.get("timestamp")) / 1000)
    return {"id": _word(raw.get("id")), "parent": _word(raw.get("parentId")), "at": at}


def _said(content: object) -> str:
    """The text of a message: a string, or the text parts of a list, a line each."""
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
        return "\n".join(_text(part.get("text")) for part in parts)[:MAX_TEXT]
    return _text(content)


def _tools(content: object) -> Iterator[ToolUse]:
    parts = content if isinstance(content, list) else []
    calls = [one for one in parts if isinstance(one, dict) and one.get("type") == "toolCall"]
    for one in calls[:MAX_PATHS]:
        name = _word(one.get("name"))
        path = _changed(name, one.get("arguments"))
        yield ToolUse(call=_word(one.get("id")), name=name, path=path)


def _changed(tool: str, fields: object) -> str:
    """The file that a tool changes, by its arguments or its details; "" for none."""
    return _path(fields.get("path")) if isinstance(fields, dict) and tool in WRITERS else ""


def _text(value: object) -> str:
    """A string that every encoding can hold, or ""."""
    if not isinstance(value, str):
        return ""
    text = value[:MAX_TEXT]
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _path(value: object) -> str:
    return _text(value)[:MAX_PATH]


def _word(value: object) -> str:
    return " ".join(_text(value)[:MAX_NAME].split())


def _number(value: object) -> float:
    """A number that can be added up, or 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < 1e15 else 0.0


def _time(value: object) -> float:
    if not isinstance(value, str):
        return 0.0
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return 0.0
    return _moment((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())


def _moment(seconds: float) -> float:
    """A moment that every calendar knows, or 0."""
    return seconds if 0 < seconds < _LAST else 0.0
