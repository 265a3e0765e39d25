"""The messages between the agent's extension and us: versioned JSON lines, typed on arrival.

A request is `{"v": 1, "id": n, "event": E, "payload": {…}}`; its answer is `{"v": 1, "id": n,
"result": {…}}` or `{"v": 1, "id": n, "error": {"code", "message", "remedy"}}`. The specification is
docs/reference/hook-protocol.md, whose examples the tests of both sides read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import printable
from vaultmem.hooks.answers import Code, Result, WireError
from vaultmem.hooks.parsing import READERS
from vaultmem.hooks.reading import Fields, Json, WrongFieldError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.hooks.payloads import Payload

VERSION = 1
"""Of the protocol; another one is refused, because both sides are installed together."""
MAX_LINE = 1024 * 1024
"""Bytes of one message, its line feed not counted (DESIGN §8)."""


class Request(NamedTuple):
    """One event of the agent.

    Attributes:
        id: the sender's number, which the answer repeats.
        event: its name.
        payload: what the event brings.
        unknown: names of fields that this version does not know; they have no effect.
    """

    id: int
    event: str
    payload: Payload
    unknown: tuple[str, ...] = ()


class BadRequestError(Exception):
    """A line that is no request.

    Attributes:
        id: the sender's number, 0 where the line names none.
        error: what to answer.
    """

    def __init__(self, id: int, error: WireError) -> None:  # noqa: A002 - the field's name
        super().__init__(error.message)
        self.id = id
        self.error = error


def read_request(line: bytes) -> Request:
    """Read one line.

    Raises:
        BadRequestError: if it is too long, no JSON object, of another version, of an unknown event,
            or a field that the event needs is missing or has a wrong type.
    """
    whole = _object(line)
    number = whole.get("id")
    known = number if isinstance(number, int) and not isinstance(number, bool) else 0
    version = whole.get("v")
    if version != VERSION or type(version) is not int:  # True and 1.0 are equal to 1
        sentence = f"This is version {VERSION} of the protocol. Install the extension again."
        raise _bad(known, Code.UNSUPPORTED_VERSION, sentence)
    if known <= 0:
        raise _bad(0, Code.BAD_REQUEST, "`id` must be a positive whole number.")
    payload = whole.get("payload", {})
    if not isinstance(payload, dict):
        raise _bad(known, Code.BAD_REQUEST, "`payload` must be an object.")
    return read_payload(known, whole.get("event"), payload)


def read_payload(number: int, event: object, payload: Json) -> Request:
    """Read the payload of an event.

    Raises:
        BadRequestError: as `read_request`.
    """
    reader: Callable[[Fields], Payload] | None = None
    if isinstance(event, str):
        reader = READERS.get(event)
    if reader is None:
        sentence = f"There is no event {printable(str(event)[:40])!r}."
        raise _bad(number, Code.UNKNOWN_EVENT, sentence)
    fields = Fields(payload)
    try:
        read = reader(fields)
    except WrongFieldError as error:
        raise _bad(number, Code.BAD_REQUEST, str(error)) from None
    return Request(number, str(event), read, fields.unknown())


def read_event(event: str, payload: bytes) -> Request:
    """Read the payload of an event that comes alone, without a line around it.

    Raises:
        BadRequestError: as `read_request`.
    """
    return read_payload(1, event, _object(payload))


def result_line(number: int, result: Result) -> bytes:
    """The answer to a request; one that would be too long is an error instead."""
    line = json_line({"v": VERSION, "id": number, "result": result.json()})
    if len(line) > MAX_LINE:
        return error_line(number, WireError(Code.TOO_LARGE, "The answer is too long."))
    return line


def error_line(number: int, error: WireError) -> bytes:
    """The answer to a request that failed."""
    return json_line({"v": VERSION, "id": number, "error": error.json()})


def json_line(message: Json) -> bytes:
    """One line in ASCII, so that no character of a note can end it."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _object(data: bytes) -> Json:
    if len(data.rstrip(b"\r\n")) > MAX_LINE:
        raise _bad(0, Code.TOO_LARGE, f"A message has at most {MAX_LINE} bytes.")
    try:
        whole: object = json.loads(data)
    except (ValueError, RecursionError):
        raise _bad(0, Code.BAD_REQUEST, "That is no JSON.") from None
    if not isinstance(whole, dict):
        raise _bad(0, Code.BAD_REQUEST, "That is no JSON object.")
    return whole


def _bad(number: int, code: Code, message: str) -> BadRequestError:
    return BadRequestError(number, WireError(code, message))
