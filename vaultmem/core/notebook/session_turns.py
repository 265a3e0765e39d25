"""One line of a session file as the turns that a transcript has of it; it never raises.

Unlike `core.session_entry`, which reads what an index needs, it keeps the arguments of tools, the
parts of a message apart, and all of a long text. What an extension put into the talk, thinking and
pictures are left out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.notebook.transcript import Speaker, Turn
from vaultmem.core.session_entry import MAX_NAME, json_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SUMMARIES = ("compaction", "branch_summary")
_BY_ROLE = {
    "user": Speaker.USER,
    "assistant": Speaker.AGENT,
    "toolResult": Speaker.RESULT,
    "system": Speaker.DEVELOPER,
    "developer": Speaker.DEVELOPER,
}
USERS_COMMAND = "command of the user"
"""The name of what the user ran in the agent's terminal by themselves."""


def turns_of(line: bytes) -> tuple[Turn, ...]:
    """The turns of a line: a message and the calls in it, a result, a summary; () for any other."""
    raw = json_of(line)
    return () if raw is None else tuple(_turns(raw))


def _turns(raw: Mapping[str, object]) -> Iterator[Turn]:
    kind, message, entry = raw.get("type"), raw.get("message"), _word(raw.get("id"))
    if kind in _SUMMARIES:
        yield Turn(entry=entry, speaker=Speaker.SUMMARY, parts=(_text(raw.get("summary")),))
    if kind != "message" or not isinstance(message, dict):
        return
    role = message.get("role")
    if role == "bashExecution":
        yield from _command(entry, message)
        return
    speaker = _BY_ROLE.get(role) if isinstance(role, str) else None
    if speaker is None:
        return
    content = message.get("content")
    yield Turn(
        entry=entry,
        speaker=speaker,
        parts=_parts(content),
        name=_word(message.get("toolName")),
        call=_word(message.get("toolCallId")),
    )
    if speaker is Speaker.AGENT:
        yield from _calls(entry, content)


def _command(entry: str, message: Mapping[str, object]) -> Iterator[Turn]:
    """What the user ran, unless they ran it outside of the talk."""
    if message.get("excludeFromContext") is True:
        return
    same = f"{entry}!"
    command, output = (_text(message.get(key)) for key in ("command", "output"))
    yield Turn(entry=entry, speaker=Speaker.CALL, parts=(command,), name=USERS_COMMAND, call=same)
    yield Turn(entry=entry, speaker=Speaker.RESULT, parts=(output,), name=USERS_COMMAND, call=same)


def _parts(content: object) -> tuple[str, ...]:
    if not isinstance(content, list):
        return (_text(content),)
    texts = (one for one in content if isinstance(one, dict) and one.get("type") == "text")
    return tuple(_text(one.get("text")) for one in texts)


def _calls(entry: str, content: object) -> Iterator[Turn]:
    parts = content if isinstance(content, list) else []
    for one in parts:
        if isinstance(one, dict) and one.get("type") == "toolCall":
            yield Turn(
                entry=entry,
                speaker=Speaker.CALL,
                parts=_arguments(one.get("arguments")),
                name=_word(one.get("name")),
                call=_word(one.get("id")),
            )


def _arguments(given: object) -> tuple[str, ...]:
    """The arguments of a call, one a part; a text as it is, so that its lines stay lines."""
    if not isinstance(given, dict):
        return ()
    return tuple(
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in given.items()
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _word(value: object) -> str:
    return " ".join(_text(value)[:MAX_NAME].encode("utf-8", "replace").decode("utf-8").split())
