"""One event in, one answer out: the boundary at which nothing may break a turn of the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from vaultmem.errors import NoVaultError, RefusedError
from vaultmem.hooks import handlers
from vaultmem.hooks.answers import Code, Done, Level, Said, Started, ToolText, WireError
from vaultmem.hooks.boundary import guarded
from vaultmem.hooks.payloads import (
    CommandTyped,
    Compacted,
    Compacting,
    Decided,
    MessageEnded,
    Place,
    PromptComes,
    RulesAsked,
    SessionEnded,
    SessionStarted,
    TextTyped,
    ToolAsked,
    ToolCalled,
    ToolDone,
    TurnEnded,
)
from vaultmem.hooks.telling import in_window, one_line, problem, switched_here
from vaultmem.hooks.wire import error_line, result_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.errors import VaultmemError
    from vaultmem.hooks.answers import Result
    from vaultmem.hooks.here import Here, Later
    from vaultmem.hooks.payloads import Payload
    from vaultmem.hooks.wire import Request

T = TypeVar("T")
P = TypeVar("P", bound=Place)

NO_VAULT = "vaultmem: no vault yet. Run `vaultmem init PATH`; `vaultmem status` tells more."
NO_VAULT_FOR_TOOLS = "The user has no memory vault yet. Go on without the memory."
_PERSON_ONLY = "Only the person may say that, in the agent's own window or in a terminal."


def _tool(here: Here, event: ToolAsked) -> Result:
    from vaultmem.hooks.agent_tools import run_tool  # what is asked for seldom comes when it is

    return run_tool(here, event)


def _command(here: Here, event: CommandTyped) -> Result | WireError:
    if not here.shared.typed:
        return WireError(Code.REFUSED, _PERSON_ONLY)
    from vaultmem.hooks.slash import run_command  # as above

    return run_command(here, event)


def _ui(here: Here, event: Decided) -> Result | WireError:
    if not here.shared.typed:
        return WireError(Code.REFUSED, _PERSON_ONLY)
    from vaultmem.hooks.panels import decide  # as above

    return decide(here, event)


def _on(kind: type[P], do: Callable[[Here, P], Result | Later | WireError]) -> _Row:
    """A row of the table below: what is done with one kind of event."""

    def handler(here: Here, event: Place) -> Result | Later | WireError:
        assert isinstance(event, kind)  # noqa: S101 - the table is keyed by it
        return do(here, event)

    return kind, handler


_Row: TypeAlias = "tuple[type[Place], Callable[[Here, Place], Result | Later | WireError]]"

_HANDLERS = dict(
    (
        _on(SessionStarted, handlers.session_start),
        _on(TextTyped, handlers.typed),
        _on(PromptComes, handlers.before_agent_start),
        _on(ToolCalled, handlers.tool_call),
        _on(ToolDone, handlers.tool_result),
        _on(MessageEnded, handlers.message_end),
        _on(TurnEnded, handlers.turn_end),
        _on(Compacting, handlers.session_before_compact),
        _on(Compacted, handlers.session_compact),
        _on(SessionEnded, handlers.session_shutdown),
        _on(ToolAsked, _tool),
        _on(CommandTyped, _command),
        _on(Decided, _ui),
        _on(RulesAsked, handlers.rules),
    )
)


def answer(here: Here, request: Request) -> Result | Later | WireError:
    """Handle a request; whatever goes wrong becomes an answer."""
    event = request.payload
    return _safely(here, request, lambda: _HANDLERS[type(event)](here, event))


def go_on(here: Here, request: Request, later: Later) -> Result | WireError:
    """Work out an answer that takes its time, as safely."""
    return _safely(here, request, lambda: later.work(here))


def _safely(here: Here, request: Request, work: Callable[[], T]) -> T | Result | WireError:
    return guarded(
        here,
        work,
        failed=lambda error: _told(request.payload, error),
        bug=lambda: WireError(Code.BUG, "This is a bug of vaultmem.", "Run `vaultmem doctor`."),
    )


def line_of(number: int, told: Result | WireError) -> bytes:
    """The line that answers a request."""
    if isinstance(told, WireError):
        return error_line(number, told)
    return result_line(number, told)


def late(seconds: float) -> WireError:
    """What is answered to an event that takes longer than it may."""
    return WireError(Code.TIMEOUT, f"It took longer than {seconds:g} seconds.", "Go on without it.")


def _told(event: Payload, error: VaultmemError) -> Result | WireError:
    """An error that somebody can mend, where they see it."""
    text, none = one_line(str(error)), isinstance(error, NoVaultError)
    match event:
        case SessionStarted():
            return Started(notices=(NO_VAULT,) if none else problem(text))
        case ToolAsked():
            return ToolText(text=NO_VAULT_FOR_TOOLS if none else switched_here(text), is_error=True)
        case CommandTyped() | Decided():
            return Said(text=in_window(text), level=Level.ERROR)
        case TextTyped():
            return Done()
    code = Code.REFUSED if isinstance(error, RefusedError) else Code.FAILED
    return WireError(code, text)
