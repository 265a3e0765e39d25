"""What a process that answers one event has to know of the session: read from its transcript.

Both agents keep one JSON object a line and call its form internal, so what is not understood is
passed over. Nothing of it is kept.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.agent_guard import BASH
from vaultmem.core.enforcement.wording import BLOCKED
from vaultmem.hooks.hosts.host import Host
from vaultmem.hooks.hosts.tool_names import Call, our_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

MOST_CALLS = 200
_MARKED = 500
"""Characters of what a tool said that are looked at."""
_NOBODYS = (
    *("<command-", "<local-command", "<bash-", "<system-reminder>", "<environment_context>"),
    *("<user_instructions>", "[Request interrupted"),
)
"""How a user's entry begins that the agent itself wrote."""

Json: TypeAlias = "Mapping[str, object]"


class Used(NamedTuple):
    """A call of a tool since the last prompt; `failed` is None while it runs.

    `ran` is False where a hook kept it from running, ours or another one.
    """

    id: str
    call: Call
    failed: bool | None = None
    ran: bool = True


class Talk(NamedTuple):
    """What a transcript says.

    Attributes:
        prompt: the last prompt of the user, "" where none is known.
        calls: the tools that were called since then, in their order.
        reply: what the agent said last.
        known: whether there was something to read.
    """

    prompt: str = ""
    calls: tuple[Used, ...] = ()
    reply: str = ""
    known: bool = False

    @property
    def runs(self) -> bool:
        """Whether a tool may run now, for all that is known."""
        return not self.known or any(one.failed is None for one in self.calls)


class _Prompt(NamedTuple):
    text: str


class _Ended(NamedTuple):
    id: str
    failed: bool
    ran: bool


class _Reply(NamedTuple):
    text: str


_Step: TypeAlias = "_Prompt | Used | _Ended | _Reply"


def read_talk(host: Host, lines: Iterable[bytes]) -> Talk:
    """What the end of a transcript says.

    Args:
        host: whose it is.
        lines: its last lines, the oldest first; the first may have been cut.
    """
    read = _READERS[host]
    prompt = reply = ""
    calls: dict[str, Used] = {}
    known = False
    for line in lines:
        for step in _steps(read, line):
            known = True
            match step:
                case _Prompt(text):
                    prompt = text
                    calls.clear()
                case Used(id=name):
                    calls[name] = step
                case _Ended(id=name, failed=failed, ran=ran):
                    if name in calls:
                        calls[name] = calls[name]._replace(failed=failed, ran=ran)
                case _Reply(text):
                    reply = text
    return Talk(prompt, tuple(calls.values())[-MOST_CALLS:], reply, known)


def _steps(read: Callable[[Json], Iterator[_Step]], line: bytes) -> Iterator[_Step]:
    try:
        whole: object = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(whole, dict):
        yield from read(whole)


def _claude(whole: Json) -> Iterator[_Step]:
    """Entries of Claude Code: messages of the API, with marks of what is no part of the talk."""
    message = whole.get("message")
    if whole.get("isSidechain") or whole.get("isMeta") or not isinstance(message, dict):
        return
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    said: list[str] = []
    for part in _objects(parts):
        kind = part.get("type")
        if kind == "text":
            said.append(_text(part.get("text")))
        elif kind == "tool_use":
            given = part.get("input")
            call = our_call(_text(part.get("name")), given if isinstance(given, dict) else {})
            yield Used(_text(part.get("id")), call)
        elif kind == "tool_result":
            failed = part.get("is_error") is True
            told = _told(part.get("content"))
            yield _Ended(_text(part.get("tool_use_id")), failed, not (failed and _kept(told)))
    yield from _said(whole.get("type"), "\n".join(filter(None, said)))


def _codex(whole: Json) -> Iterator[_Step]:
    """Entries of Codex: what the model was sent and answered, and what the user typed."""
    item = whole.get("payload")
    if not isinstance(item, dict):
        return
    name = _text(item.get("call_id"))
    match whole.get("type"), item.get("type"):
        case "event_msg", "user_message":
            yield from _said("user", _text(item.get("message")))
        case "response_item", "message" if item.get("role") == "assistant":
            texts = (_text(part.get("text")) for part in _objects(item.get("content")))
            yield from _said("assistant", "\n".join(filter(None, texts)))
        case "response_item", "function_call":
            yield Used(name, our_call(_text(item.get("name")), _arguments(item.get("arguments"))))
        case "response_item", "custom_tool_call":
            given = {"input": _text(item.get("input"))}
            yield Used(name, our_call(_text(item.get("name")), given))
        case "response_item", "local_shell_call":
            action = item.get("action")
            yield Used(name, Call(BASH, action if isinstance(action, dict) else {}))
        case "response_item", (
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output"
        ):
            output = item.get("output")
            inner = output.get("content") if isinstance(output, dict) else output
            failed = isinstance(output, dict) and output.get("success") is False
            yield _Ended(name, failed, not _kept(_told(inner)))


_READERS: Mapping[Host, Callable[[Json], Iterator[_Step]]] = {
    Host.CLAUDE_CODE: _claude,
    Host.CODEX: _codex,
}


def _said(role: object, text: str) -> Iterator[_Step]:
    if not text or text.lstrip().startswith(_NOBODYS):
        return
    if role == "user":
        yield _Prompt(text)
    elif role == "assistant":
        yield _Reply(text)


def _arguments(text: object) -> Json:
    """The arguments of a call, which Codex keeps as JSON in a text."""
    try:
        given: object = json.loads(_text(text))
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _told(content: object) -> str:
    """The beginning of what a tool said."""
    if isinstance(content, str):
        return content[:_MARKED]
    return "\n".join(_text(part.get("text")) for part in _objects(content))[:_MARKED]


def _kept(text: str) -> bool:
    """Whether that is what an agent says of a call which a hook denied."""
    return "PreToolUse" in text or BLOCKED.rstrip() in text


def _objects(value: object) -> Iterator[Json]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
