"""A model with a script: an OpenAI-compatible server on 127.0.0.1 that records what it was asked."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MODEL = "fake-model"
_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that the model calls."""

    name: str
    arguments: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model says once, or each time with `repeat`.

    Attributes:
        text: what it says.
        calls: the tools that it calls.
        when: all of these stand in the newest message, or the reply is left for a later request.
        when_system: all of these stand in the system prompt, likewise.
        repeat: it may be said again.
        status: of HTTP; one above 399 is an error whose message is the text.
        delay: seconds before it begins.
        pieces: into how many parts the text is cut for a stream.
        chunk_delay: seconds between the parts of a stream.
        finish: why it ends, where it is not `stop` or `tool_calls`.
        headers: of HTTP, such as those of the provider's limits; not with a stream.
        raw: the whole body in place of a completion; not with a stream.
        usage: added to what is counted.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    when: tuple[str, ...] = ()
    when_system: tuple[str, ...] = ()
    repeat: bool = False
    status: int = 200
    delay: float = 0.0
    pieces: int = 2
    chunk_delay: float = 0.0
    finish: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: str | None = None
    usage: dict[str, object] = field(default_factory=dict)

    @property
    def finish_reason(self) -> str:
        """As the API says it."""
        return self.finish or ("tool_calls" if self.calls else "stop")

    def fits(self, request: Request) -> bool:
        """Whether it answers that request."""
        return all(part in request.newest_text for part in self.when) and all(
            part in request.system_prompt for part in self.when_system
        )


def says(text: str, *when: str) -> Reply:
    """A reply without tools."""
    return Reply(text=text, when=when)


def calls(name: str, /, **arguments: object) -> Reply:
    """A reply that calls one tool."""
    return Reply(calls=(Call(name=name, arguments=arguments),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What Pi sent."""

    body: dict[str, object]
    received_at: float
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def messages(self) -> list[dict[str, object]]:
        """The conversation, the system prompt first."""
        found = self.body["messages"]
        assert isinstance(found, list)
        return found

    @property
    def system_prompt(self) -> str:
        """Every system message, one after the other."""
        told = [one for one in self.messages if one["role"] in ("system", "developer")]
        return "\n".join(text_of(one) for one in told)

    @property
    def newest_text(self) -> str:
        """The text of the last message."""
        return text_of(self.messages[-1])

    @property
    def text(self) -> str:
        """Everything that the model could read, the descriptions of the tools apart."""
        return "\n".join(text_of(one) for one in self.messages)

    @property
    def tool_names(self) -> list[str]:
        """The tools that the model may call."""
        tools = self.body.get("tools", [])
        assert isinstance(tools, list)
        return [one["function"]["name"] for one in tools]

    def results(self) -> list[str]:
        """What tools answered so far, in order."""
        return [text_of(one) for one in self.messages if one["role"] == "tool"]


def text_of(message: dict[str, object]) -> str:
    """The text of a message, whose content is one or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


class ModelServer:
    """The server; a context manager that ends with every thread it started."""

    def __init__(self, *script: Reply) -> None:
        self.requests: list[Request] = []
        self.unexpected: list[Request] = []
        self._script = list(script)
        self._served: set[int] = set()
        self._lock = threading.Lock()
        self._http = _Http()
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Where Pi finds it."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *replies: Reply) -> None:
        """Say these next, and forget what was not said."""
        with self._lock:
            self._script, self._served = list(replies), set()

    @property
    def unused(self) -> list[Reply]:
        """What was never said; empty when the whole script was played."""
        return [one for number, one in enumerate(self._script) if number not in self._served]

    @property
    def last(self) -> Request:
        """The newest request."""
        return self.requests[-1]

    def answer(self, request: Request) -> Reply:
        """The first reply of the script that fits and may be said."""
        with self._lock:
            self.requests.append(request)
            for number, reply in enumerate(self._script):
                if (reply.repeat or number not in self._served) and reply.fits(request):
                    self._served.add(number)
                    return reply
            if "summariz" in request.system_prompt:
                return says("A summary of what was said.")
            self.unexpected.append(request)
        return Reply(status=500, text="the script has no reply to this")


class _Http(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    model: ModelServer

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.closing = threading.Event()
        """Nobody is waited for any more."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: object) -> None:
        """Nothing goes to the terminal."""

    def do_POST(self) -> None:
        """Answer a chat completion, as a stream or whole."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): text for name, text in self.headers.items()}
        request = Request(body=body, received_at=time.monotonic(), headers=headers)
        reply = self.server.model.answer(request)
        self.server.closing.wait(reply.delay)
        with suppress(ConnectionError):  # a client that is killed does not wait
            if reply.raw is not None:
                self._body(reply.status, reply.raw.encode(), reply.headers)
            elif reply.status >= 400:
                error = {"message": reply.text, "type": "scripted"}
                self._json(reply.status, {"error": error}, reply.headers)
            elif body.get("stream"):
                self._stream(reply)
            else:
                message = {"role": "assistant", "content": reply.text, "tool_calls": _tools(reply)}
                choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
                usage = {**_USAGE, **reply.usage}
                self._json(200, {**_HEAD, "choices": [choice], "usage": usage}, reply.headers)

    def _json(self, status: int, value: object, headers: dict[str, str]) -> None:
        self._body(status, json.dumps(value).encode(), headers)

    def _body(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

    def _stream(self, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in _chunks(reply):
            self.wfile.write(b"data: " + json.dumps({**_HEAD, **chunk}).encode() + b"\n\n")
            self.wfile.flush()
            self.server.closing.wait(reply.chunk_delay)
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


_HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}


def _chunks(reply: Reply) -> Iterator[dict[str, object]]:
    """The parts of a stream; texts and arguments are cut in two, as real ones are anywhere."""
    yield _delta({"role": "assistant", "content": ""})
    for part in _pieces(reply.text, reply.pieces):
        yield _delta({"content": part})
    for number, tool in enumerate(_tools(reply)):
        function = tool["function"]
        assert isinstance(function, dict)
        first, second = _pieces(function["arguments"], 2)
        head = {"name": function["name"], "arguments": first}
        yield _delta({"tool_calls": [{**tool, "index": number, "function": head}]})
        yield _delta({"tool_calls": [{"index": number, "function": {"arguments": second}}]})
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]}
    yield {"choices": [], "usage": {**_USAGE, **reply.usage}}


def _delta(delta: dict[str, object]) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def _pieces(text: str, count: int) -> list[str]:
    borders = [len(text) * number // count for number in range(count + 1)]
    return [text[start:end] for start, end in pairwise(borders)]


def _tools(reply: Reply) -> list[dict[str, object]]:
    """The calls as the API spells them, with ids of their own."""
    return [
        {
            "id": f"call_{time.monotonic_ns():x}_{number}",
            "type": "function",
            "function": {"name": one.name, "arguments": json.dumps(one.arguments)},
        }
        for number, one in enumerate(reply.calls)
    ]
