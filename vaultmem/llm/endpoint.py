"""Any OpenAI-compatible endpoint as a model, through the `openai` package."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from vaultmem.errors import ModelRefusedError, NoModelError
from vaultmem.llm.model import (
    MOST_STEPS,
    Answer,
    Ask,
    Task,
    Usage,
    cut_off,
    no_end,
    with_schema,
)
from vaultmem.llm.said import said
from vaultmem.llm.tools import call_tool, declared
from vaultmem.llm.waiting import Background, Limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from openai import OpenAI
    from openai.types.chat import ChatCompletionMessageParam

    from vaultmem.core.endpoint_url import Endpoint
    from vaultmem.core.json_splice import Json
    from vaultmem.llm.reply import Reply, ToolCall

Message = dict[str, "Json"]
"""One message as the wire has it."""

_FORMS = ("json_schema", "json_object", "text")
"""How an answer's form is asked for, the strictest first; not every server knows each."""
_LIMITS = ("max_tokens", "max_completion_tokens")
"""How the length of an answer is limited: older servers know the first, newer want the second."""


NO_PACKAGE = (
    "The package `openai` is missing, through which an endpoint is asked. Install it with "
    "vaultmem's extra `llm`: `pip install 'vaultmem[llm]'`, or `pip install -e '.[llm]'` in the "
    "folder from which you installed vaultmem. Or use `llm: pi`."
)


class _Manner(NamedTuple):
    """What a server is known to take."""

    form: int
    limit: str
    limit_changed: bool = False


class EndpointModel:
    """One model behind one address."""

    def __init__(
        self, endpoint: Endpoint, model: str, *, key: str | None, window: int | None = None
    ) -> None:
        """Take what the person set up; nothing is connected yet.

        Args:
            endpoint: the base address.
            model: its name there.
            key: for the server; None for one on this machine that wants none.
            window: tokens that the model can read at once.
        """
        self._endpoint, self._model, self._key = endpoint, model, key
        self._manner = _Manner(0, _LIMITS[0 if endpoint.local else 1])
        self._spent = Usage()
        self._remaining: float | None = None
        self.window = window

    @property
    def name(self) -> str:
        """The model."""
        return self._model

    @property
    def destination(self) -> str:
        """Where what is sent goes."""
        return f"{self._endpoint.url}, model {self._model}"

    def ask(self, ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> Answer:
        """As `Model.ask`."""
        messages = [_message("system", ask.system), _message("user", ask.prompt)]
        limit = Limit(seconds, stop)
        with self._client() as client:
            reply = self._complete(client, messages, limit, ask=ask)
        return Answer(reply.text, cut=reply.finish == "length")

    def work(self, task: Task) -> None:
        """As `Model.work`."""
        messages = [_message("system", task.system), _message("user", task.prompt)]
        limit = Limit(task.seconds, task.stop)
        with self._client() as client:
            for _ in range(MOST_STEPS):
                reply = self._complete(client, messages, limit, tools=True)
                if reply.finish == "length":
                    raise cut_off()
                if not reply.calls:
                    return
                messages.append(_calling(reply))
                for call in reply.calls:
                    told = call_tool(task.desk, call.name, call.given())
                    text = f"Error: {told.text}" if told.is_error else told.text
                    messages.append(_message("tool", text, tool_call_id=call.id))
        raise no_end()

    def spent(self) -> Usage:
        """As `Model.spent`."""
        return self._spent

    def remaining_percent(self) -> float | None:
        """As `Model.remaining_percent`, from the headers `x-ratelimit-*`."""
        return self._remaining

    def _complete(
        self,
        client: OpenAI,
        messages: list[Message],
        limit: Limit,
        *,
        ask: Ask | None = None,
        tools: bool = False,
    ) -> Reply:
        """One answer; what the server does not know is asked for in another manner."""
        from vaultmem.llm.endpoint_errors import Misunderstood

        while True:
            limit.check()
            extra: dict[str, Json] = {"tools": _tools()} if tools else {}
            sent = messages
            if ask is not None:
                extra[self._manner.limit] = ask.most_output
                sent = [_with_schema(messages[0], ask.schema, self._manner.form), *messages[1:]]
                extra |= _format(ask.schema, self._manner.form)
            try:
                return self._checked(self._send(client, sent, extra, limit), sent)
            except Misunderstood as error:
                self._manner = _other(self._manner, error.about, asked=ask) or error.give_up()

    def _send(
        self, client: OpenAI, messages: list[Message], extra: dict[str, Json], limit: Limit
    ) -> Reply:
        from openai import RateLimitError

        from vaultmem.llm.endpoint_errors import endpoint_errors, nonsense
        from vaultmem.llm.reply import parse_reply, remaining_percent

        def work() -> tuple[str, float | None]:
            raw = client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=cast("list[ChatCompletionMessageParam]", messages),
                extra_body=extra,
                timeout=limit.left(),
            )
            return raw.text, remaining_percent(raw.headers)

        with endpoint_errors(self._endpoint, self._model, key=self._key, sent=_all(messages)):
            try:
                data, remaining = Background(work).result(limit)
            except RateLimitError:
                self._remaining = 0.0
                raise
        self._remaining = remaining
        reply = parse_reply(data)
        if reply is None:
            raise nonsense(self._endpoint)
        self._spent = self._spent.plus(reply.usage)
        return reply

    def _checked(self, reply: Reply, messages: list[Message]) -> Reply:
        if reply.refusal or reply.finish == "content_filter":
            raise ModelRefusedError(
                f"{self._model} will not answer."
                f"{said(reply.refusal, sent=_all(messages), secret=self._key)} "
                "Use another model, or leave this session out (`vaultmem notebook ignore`)."
            )
        return reply

    def _client(self) -> OpenAI:
        """A client that sends the request and the key, follows nothing and repeats nothing."""
        try:
            from vaultmem.llm.endpoint_client import client
        except ImportError as error:  # the package is there, and not all that it needs
            raise NoModelError(NO_PACKAGE) from error
        return client(self._endpoint, self._key)


def _message(role: str, content: str, **rest: str) -> Message:
    return {"role": role, "content": content, **rest}


def _calling(reply: Reply) -> Message:
    """The model's own answer, as it is sent back."""
    calls: list[Json] = [_called(one) for one in reply.calls]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _called(call: ToolCall) -> Json:
    function: Json = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _tools() -> list[Json]:
    return [{"type": "function", "function": one._asdict()} for one in declared()]


def _format(schema: Json, form: int) -> dict[str, Json]:
    """What asks for the answer's form."""
    match _FORMS[form] if schema is not None else "text":
        case "json_schema":
            told: Json = {"name": "answer", "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": told}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}


def _with_schema(system: Message, schema: Json, form: int) -> Message:
    """The instructions, with the schema in words where it cannot be asked for otherwise."""
    if schema is None or _FORMS[form] == "json_schema":
        return system
    return {**system, "content": with_schema(str(system["content"]), schema)}


def _other(manner: _Manner, about: str, *, asked: Ask | None) -> _Manner | None:
    """Another manner to ask in, after the server did not understand; None where there is none."""
    if asked is None:
        return None
    if about == "limit" and not manner.limit_changed:
        other = _LIMITS[1 - _LIMITS.index(manner.limit)]
        return manner._replace(limit=other, limit_changed=True)
    if about == "form" and asked.schema is not None and manner.form + 1 < len(_FORMS):
        return manner._replace(form=manner.form + 1)
    return None


def _all(messages: list[Message]) -> str:
    return "\n".join(str(one["content"]) for one in messages)
