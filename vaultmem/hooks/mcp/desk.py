"""Where the MCP server takes its questions: our tools and texts, on the threads of `serve`."""

from __future__ import annotations

import itertools
import json
import secrets
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.hooks.agent_tools import run_tool
from vaultmem.hooks.answers import ToolText
from vaultmem.hooks.boundary import or_else
from vaultmem.hooks.here import Later
from vaultmem.hooks.payloads import ToolAsked
from vaultmem.hooks.serve import Server
from vaultmem.hooks.wire import MAX_LINE, Request, json_line
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.hooks.here import Here, Shared
    from vaultmem.hooks.reading import Json

TOO_LARGE = ToolText(
    text=f"The arguments are too large: at most {MAX_LINE} bytes. Say it in fewer words.",
    is_error=True,
)


class Desk:
    """Answers what an MCP client asks; the agent acts in all of it.

    The client is one session. Nobody tells us what its user types, so nothing that it proposes
    counts as the user's own words.
    """

    def __init__(self, shared: Shared, *, looks: bool = True) -> None:
        """Start nothing yet.

        Args:
            shared: what all threads have in common.
            looks: take in the person's edits before each answer. False where the environment says
                that an agent runs us: what an agent meets is held (DESIGN §3.2).
        """
        self._looks = looks
        self._session = f"mcp-{secrets.token_hex(8)}"
        self._shared = shared
        self.server = Server(shared, self._answered)
        """What works, and is closed at the end."""
        self._asked: dict[int, Future[ToolText]] = {}
        self._numbers = itertools.count(1)

    def begin(self) -> None:
        """Bring the search index up, when nobody waits."""
        self.server.begin()

    def call_itself(self, name: str) -> None:
        """Name the client, for refusals and for what it writes."""
        self._shared.agent = name

    def tool(self, name: str, arguments: Mapping[str, object]) -> Future[ToolText]:
        """What a tool says."""
        return self.text(name, run_tool, arguments)

    def text(
        self,
        name: str,
        make: Callable[[Here, ToolAsked], ToolText],
        arguments: Mapping[str, object] | None = None,
    ) -> Future[ToolText]:
        """What `make` says, with an error as a text like that of a tool."""
        future: Future[ToolText] = Future()
        given: Json = arguments or {}
        if not _fits(given):
            future.set_result(TOO_LARGE)
            return future
        number = next(self._numbers)
        self._asked[number] = future
        call = f"{self._session}-{number}"
        event = ToolAsked(session=self._session, name=name, call=call, arguments=given)
        work = Later(lambda own: self._look(own, event, make))
        self.server.work_out(Request(number, "tool", event), work)
        return future

    def _look(
        self, own: Here, event: ToolAsked, make: Callable[[Here, ToolAsked], ToolText]
    ) -> ToolText:
        if self._looks:  # else what the person edited would count as met by an agent
            or_else(own, lambda: sync(own.policy(), typed=False), None)
        return make(own, event)

    def _answered(self, line: bytes) -> None:
        """The answer to one question, from any thread."""
        whole = json.loads(line)
        future = self._asked.pop(whole["id"])
        with suppress(InvalidStateError):  # the client does not want it any more
            future.set_result(_text_of(whole))


def _text_of(whole: Mapping[str, Mapping[str, str]]) -> ToolText:
    error = whole.get("error")
    if error is not None:
        return ToolText(text=f"{error['message']} {error['remedy']}".strip(), is_error=True)
    return ToolText(text=whole["result"]["text"], is_error=bool(whole["result"]["is_error"]))


def _fits(arguments: Json) -> bool:
    try:
        return len(json_line(arguments)) <= MAX_LINE
    except RecursionError:
        return False
