"""What an OpenAI-compatible server answered, read without believing that it keeps to the form."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.llm.model import Usage, told_cost, told_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping


class ToolCall(NamedTuple):
    """A tool that the model calls; `arguments` is the JSON that it wrote."""

    id: str
    name: str
    arguments: str

    def given(self) -> object:
        """What the JSON holds; None where it is none."""
        try:
            value: object = json.loads(self.arguments or "{}")
        except (ValueError, RecursionError):
            return None
        return value


class Reply(NamedTuple):
    """One answer.

    Attributes:
        text: what the model said.
        calls: the tools that it calls.
        finish: why it ended: `stop`, `length`, `tool_calls`, `content_filter`.
        refusal: why it will not answer, "" where it does.
        usage: what the answer cost.
    """

    text: str
    calls: tuple[ToolCall, ...]
    finish: str
    refusal: str
    usage: Usage


def parse_reply(data: str) -> Reply | None:
    """The answer in a response's body; None if it holds none."""
    try:
        body: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match body:
        case {"choices": [{"message": {**message}, **choice}, *_], **rest}:
            calls = message.get("tool_calls")
            return Reply(
                text=_content(message.get("content")),
                calls=tuple(filter(None, map(_call, calls if isinstance(calls, list) else ()))),
                finish=_string(choice.get("finish_reason")),
                refusal=_string(message.get("refusal")),
                usage=_usage(rest.get("usage")),
            )
    return None


def remaining_percent(headers: Mapping[str, str]) -> float | None:
    """What is left of the requests or of the tokens, whichever is less, 0 to 100."""
    kinds = ("requests", "tokens")
    known = [one for kind in kinds if (one := _percent(headers, kind)) is not None]
    return min(known, default=None)


def _percent(headers: Mapping[str, str], kind: str) -> float | None:
    try:
        limit = float(headers[f"x-ratelimit-limit-{kind}"])
        left = float(headers[f"x-ratelimit-remaining-{kind}"])
    except (KeyError, ValueError):
        return None
    if not (isfinite(left) and isfinite(limit) and limit > 0):
        return None
    return min(max(100 * left / limit, 0.0), 100.0)


def _call(value: object) -> ToolCall | None:
    match value:
        case {"id": str(identifier), "function": {"name": str(name), **rest}}:
            return ToolCall(_whole(identifier), _whole(name), _string(rest.get("arguments")))
    return None


def _content(value: object) -> str:
    """The text of a message, which is one or a list of parts."""
    if isinstance(value, list):
        texts = [one.get("text") for one in value if isinstance(one, dict)]
        return "\n".join(_string(one) for one in texts if one is not None)
    return _string(value)


def _usage(value: object) -> Usage:
    given = value if isinstance(value, dict) else {}
    return Usage(
        told_tokens(given.get("prompt_tokens")),
        told_tokens(given.get("completion_tokens")),
        told_cost(given.get("cost")),
    )


def _string(value: object) -> str:
    return _whole(value) if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Without halves of characters, which cannot be sent back or stored."""
    return text.encode("utf-8", "replace").decode("utf-8")
