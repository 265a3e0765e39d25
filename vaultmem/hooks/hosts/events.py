"""What is done at each event of another agent: messages of our own extension, and their answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import short_id
from vaultmem.core.injection import CONTEXTUAL, PROJECT_MEMORY
from vaultmem.core.notebook.section import NOTEBOOK
from vaultmem.core.session_entry import WRITERS
from vaultmem.hooks import handlers
from vaultmem.hooks.answers import Appended, Reminding, Sections, Started, Verdict, WireError
from vaultmem.hooks.background import leave
from vaultmem.hooks.boundary import or_else
from vaultmem.hooks.dispatch import answer, go_on
from vaultmem.hooks.here import Later
from vaultmem.hooks.hosts.host import HAS_NO_END, HostEvent
from vaultmem.hooks.hosts.told import Told, in_terminal, sections_text
from vaultmem.hooks.hosts.tool_names import each_file, our_call
from vaultmem.hooks.payloads import TurnEnded
from vaultmem.hooks.wire import read_payload
from vaultmem.services.indexing import refresh
from vaultmem.store import session_lines
from vaultmem.store.windows import opened_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from vaultmem.hooks.answers import Result
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.hosts.host import Host
    from vaultmem.hooks.hosts.tool_names import Call
    from vaultmem.hooks.hosts.transcript import Talk, Used
    from vaultmem.hooks.known import Known
    from vaultmem.hooks.reading import Fields
    from vaultmem.hooks.wire import Request

_REASONS = {"startup": "startup", "resume": "resume", "clear": "new"}
COMPACT = "compact"
"""The source of a session that goes on after it was compacted."""
_MOST_TEXT = 100_000
"""Characters of what a tool said, as our own extension cuts it."""


class Happened(NamedTuple):
    """One event of a host.

    Attributes:
        host: the agent.
        session: the id of its session.
        cwd: its working folder.
        fields: the payload.
        talk: what its transcript says.
        nested: a tool of another agent runs this one.
    """

    host: Host
    session: str
    cwd: str
    fields: Fields
    talk: Talk
    nested: bool = False


class Asking:
    """Sends messages of our own protocol, and keeps what was wrong."""

    def __init__(self, here: Here, happened: Happened) -> None:
        """Send nothing yet."""
        self.here = here
        self.happened = happened
        self.wrong: list[str] = []

    @property
    def known(self) -> Known:
        """What this process knows of the session."""
        return self.here.shared.sessions.of(self.happened.session)

    def request(self, event: str, **fields: object) -> Request:
        """A message, as it is read on the wire.

        Raises:
            BadRequestError: as `read_payload`.
        """
        place = {"session": self.happened.session, "cwd": self.happened.cwd}
        return read_payload(1, event, {**place, **fields})

    def ask(self, event: str, **fields: object) -> Result | None:
        """The answer to a message; None where it is an error.

        Raises:
            BadRequestError: as `read_payload`.
        """
        request = self.request(event, **fields)
        told = answer(self.here, request)
        done = go_on(self.here, request, told) if isinstance(told, Later) else told
        if isinstance(done, WireError):
            self.wrong.append(f"{done.message} {done.remedy}".strip())
            return None
        return done


def session_start(asking: Asking) -> Told:
    """The report once, because what is added here stays in the talk."""
    fields = asking.happened.fields
    source = fields.text("source", "startup")
    notices: tuple[str, ...] = ()
    if source == COMPACT:
        after_compact(asking)
    else:
        started = asking.ask(
            "session_start",
            reason=_REASONS.get(source, "startup"),
            mode="rpc",  # the person sees what is told
            nested=asking.happened.nested,
        )
        if isinstance(started, Started):
            notices = started.notices
    made = asking.ask("before_agent_start", prompt="")
    context = ""
    if isinstance(made, Sections):
        notices += made.notices
        named = ((name, made.sections.get(name, "")) for name in (PROJECT_MEMORY, NOTEBOOK))
        context = sections_text(named)
    return Told(context=context, notice=_notice(asking, notices))


def _notice(asking: Asking, lines: Iterable[str]) -> str:
    session = asking.happened.session
    return "\n".join(in_terminal(one, session=session) for one in lines)


def prompt_comes(asking: Asking) -> Told:
    """The user's words are heard, and the memories near them are told, each once."""
    prompt = asking.happened.fields.text("prompt", "")
    earlier = _told_before(asking)
    asking.ask("input", text=prompt, source="interactive")
    made = asking.ask("before_agent_start", prompt=prompt)
    if not isinstance(made, Sections):
        return Told()
    near = _new_lines(made.sections.get(CONTEXTUAL, ""), earlier)
    context = sections_text([(CONTEXTUAL, near)])
    return Told(context=context, notice=_notice(asking, made.notices))


def _told_before(asking: Asking) -> tuple[str, ...]:
    """The memories that the session was told near an earlier prompt."""
    here, session = asking.here, asking.happened.session

    def read() -> tuple[str, ...]:
        return session_lines.read_lines(here.app.vault.state.cache, session).contextual

    return or_else(here, read, ())


def _new_lines(section: str, earlier: tuple[str, ...]) -> str:
    """The section without the lines of these memories; "" where no line of a memory is left."""
    marks = tuple(f"[{short_id(one)} " for one in earlier)
    lines = section.split("\n")
    left = [one for one in lines if not any(mark in one for mark in marks)]
    return "\n".join(left) if any(one.startswith("- ") for one in left) else ""


def before_tool(asking: Asking) -> Told:
    """Guard and rules; a tool that may run opens a window."""
    call = _call(asking)
    asking.known.prompt = asking.happened.talk.prompt
    made = asking.ask("tool_call", tool=call.tool, call=_id(asking), input=dict(call.input))
    reason = made.reason if isinstance(made, Verdict) and made.block else ""
    return Told(deny=in_terminal(reason, session=asking.happened.session))


def after_tool(asking: Asking) -> Told:
    """Rules that warn or run something, and memories near a file that was changed."""
    return _after(asking, asking.happened.fields, failed=False)


def tool_failed(asking: Asking) -> Told:
    """The same for a tool that failed."""
    return _after(asking, asking.happened.fields, failed=True)


def _after(asking: Asking, fields: Fields, *, failed: bool) -> Told:
    call, name, here = _call(asking), _id(asking), asking.here
    begun = opened_at(here.shared.home.state, here.shared.owner, name)
    if begun:
        asking.known.begun[name] = begun
    asking.known.prompt = asking.happened.talk.prompt
    said = fields.text("error", "") if failed else _said(fields.anything("tool_response"))
    made = asking.ask(
        "tool_result",
        tool=call.tool,
        call=name,
        input=dict(call.input),
        text=said[:_MOST_TEXT],
        is_error=failed,
    )
    told = made.append if isinstance(made, Appended) else ""
    near = "" if failed else or_else(here, lambda: _reminder(asking, call), "")
    return Told(context="\n\n".join(filter(None, (told, near))))


def _reminder(asking: Asking, call: Call) -> str:
    """What our own extension tells at the end of a turn, when here nothing can be added."""
    tools = [
        {"tool": one.tool, "input": dict(one.input)}
        for one in each_file(call)
        if one.tool in WRITERS
    ]
    if not tools:
        return ""
    refresh(asking.here.policy(), asking.here.engine)  # nothing keeps it up between two events
    turn = asking.request("turn_end", tools=tools).payload
    return handlers.reminder(asking.here, turn) if isinstance(turn, TurnEnded) else ""


def _said(response: object) -> str:
    return response if isinstance(response, str) else json.dumps(response)


def before_compact(asking: Asking) -> Told:
    """Nothing is left to be saved."""
    asking.ask("session_before_compact")
    return Told()


def after_compact(asking: Asking) -> Told:
    """The model has forgotten what it was told."""
    here, session = asking.here, asking.happened.session
    asking.ask("session_compact", will_retry=False)
    or_else(
        here,
        lambda: session_lines.keep_contextual(here.app.vault.state.cache, session, ()),
        None,
    )
    return Told()


def stop(asking: Asking) -> Told:
    """Count what the reply cites, and let the agent go on where a check failed."""
    here, happened = asking.here, asking.happened
    reply = happened.fields.text("last_assistant_message", "") or happened.talk.reply
    if reply:
        asking.ask("message_end", role="assistant", text=reply)
    asking.known.prompt = happened.talk.prompt
    asking.known.focused = True  # open items could be told only by not letting it end
    made = asking.ask(
        "turn_end",
        tools=[_used(one, each) for one in happened.talk.calls for each in each_file(one.call)],
        text=reply,
        retried=happened.fields.flag("stop_hook_active"),
    )
    if happened.host in HAS_NO_END:
        or_else(here, lambda: leave(here, happened.session), None)
    if isinstance(made, Reminding) and made.retry and made.messages:
        return Told(go_on=made.messages[-1])
    return Told()


def _used(one: Used, call: Call) -> dict[str, object]:
    return {
        "tool": call.tool,
        "call": one.id,
        "input": dict(call.input),
        "is_error": bool(one.failed),
        "ran": one.ran,
    }


def session_end(asking: Asking) -> Told:
    """The session is settled when nobody waits."""
    asking.ask("session_shutdown", reason="quit")
    return Told()


def _call(asking: Asking) -> Call:
    fields = asking.happened.fields
    given = fields.anything("tool_input")
    named = given if isinstance(given, dict) else {"input": given}
    return our_call(fields.word("tool_name"), named)


def _id(asking: Asking) -> str:
    return asking.happened.fields.text("tool_use_id", "")


EVENTS: Mapping[HostEvent, Callable[[Asking], Told]] = {
    HostEvent.SESSION_START: session_start,
    HostEvent.PROMPT: prompt_comes,
    HostEvent.BEFORE_TOOL: before_tool,
    HostEvent.AFTER_TOOL: after_tool,
    HostEvent.TOOL_FAILED: tool_failed,
    HostEvent.BEFORE_COMPACT: before_compact,
    HostEvent.AFTER_COMPACT: after_compact,
    HostEvent.STOP: stop,
    HostEvent.SESSION_END: session_end,
}
"""What each event does."""
