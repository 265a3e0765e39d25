"""What each event brings, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from vaultmem.hooks.reading import Json

MODES = ("tui", "rpc", "json", "print")
RESTART = "restart"
REASONS = (
    "startup", "reload", "new", "resume", "fork", RESTART, "quit", "manual", "threshold", "overflow"
)  # fmt: skip
"""Why a session starts or ends, or is compacted; `restart`: it goes on, and only we are new."""
SOURCES = ("interactive", "rpc", "extension")
"""Who wrote an input: a person at the terminal or through a client, or another extension."""
ROLES = ("system", "user", "assistant", "toolResult", "custom")
OUTCOMES = ("completed", "aborted", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an event happens.

    Attributes:
        session: the id of the agent's session.
        cwd: its working folder, absolute; "" for that of our own process.
        entry: the id of the entry of the session file that it is about, "" where there is none yet.
    """

    session: str
    cwd: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedTool:
    """A tool that ran unseen: its moments in milliseconds since 1970, `ended` 0 while it runs."""

    tool: str
    call: str
    at: int
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted(Place):
    """A session begins, or goes on in a new process.

    Attributes:
        reason: one of `REASONS`.
        mode: how the person sees the agent; panels need tui or rpc.
        file: the session's file, "" where it keeps none.
        nested: another agent started this one, so that nobody types here.
        missed: the tools that started while we did not answer, so that what they wrote is known.
    """

    reason: str
    mode: str
    file: str
    nested: bool
    missed: tuple[MissedTool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTyped(Place):
    """Something was put in, before templates are expanded; slash commands do not come here."""

    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptComes(Place):
    """The agent is about to think about a prompt.

    Attributes:
        prompt: as the model gets it.
        sub_agent: it is given the report only, and nothing is searched for.
    """

    prompt: str
    sub_agent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled(Place):
    """A tool is about to run.

    Attributes:
        tool: its name.
        call: the id of the call.
        input: its arguments, a command always whole; the sender stops one of more than 100,000
            characters itself, and cuts other texts there.
        at: the sender's moment, milliseconds since 1970; 0 for now.
    """

    tool: str
    call: str
    input: Json
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDone(ToolCalled):
    """A tool ran: what it said, cut by the sender likewise, and whether it failed."""

    text: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEnded(Place):
    """A message is complete."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedTool:
    """A call of a tool within a turn; texts of `input` are cut at 4,000 characters.

    `ran` is False where it was blocked, so that nothing was done.
    """

    tool: str
    call: str
    input: Json
    is_error: bool
    ran: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Place):
    """A model's answer and the tools that it called are complete.

    Attributes:
        turn: its number since the prompt, from 0.
        outcome: one of `OUTCOMES`.
        tools: the calls, in their order.
        text: what the assistant said.
        by_user: a person's prompt began the run; not a message of an extension.
        retried: the run was begun by a message that this event asked for, so that it asks for no
            other one.
        available: the names of the tools that the agent has; empty where they are not known.
    """

    turn: int
    outcome: str
    tools: tuple[UsedTool, ...]
    text: str
    by_user: bool
    retried: bool
    available: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacting(Place):
    """The session is about to be compacted."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted(Place):
    """The session was compacted.

    Attributes:
        reason: one of `REASONS`.
        summary: what the model is left with.
        will_retry: the turn is tried again, and its compaction counts for nothing.
    """

    reason: str
    summary: str
    will_retry: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(Place):
    """The session ends, or another one takes its place."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAsked(Place):
    """The agent calls a tool of ours; `arguments` as `hooks.tools` describes them."""

    name: str
    call: str
    arguments: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTyped(Place):
    """The person typed `/memory …`; `text` is what follows the name of the command."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(Place):
    """The person chose something in a panel.

    Attributes:
        panel: the panel's name, as we sent it.
        row: the id of the row, "" for what concerns the whole panel.
        action: the action's name.
        text: what the person wrote, where the action asks for a text.
    """

    panel: str
    row: str
    action: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAsked(Place):
    """The extension asks for the literal block rules."""


Payload: TypeAlias = (
    SessionStarted
    | TextTyped
    | PromptComes
    | ToolDone
    | ToolCalled
    | MessageEnded
    | TurnEnded
    | Compacting
    | Compacted
    | SessionEnded
    | ToolAsked
    | CommandTyped
    | Decided
    | RulesAsked
)
