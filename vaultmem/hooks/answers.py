"""What we answer to each event, and how it is spelled as JSON; what is empty is left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.enforcement.literal import BlockRule

JsonOut: TypeAlias = "dict[str, object]"


class Code(StrEnum):
    """Why there is no result; the extension goes on without one."""

    BAD_REQUEST = "bad_request"
    TOO_LARGE = "too_large"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNKNOWN_EVENT = "unknown_event"
    REFUSED = "refused"
    """The actor may not do it, or a guard says no."""
    FAILED = "failed"
    """Something that a person can mend stands in the way: `remedy` says what to do."""
    TIMEOUT = "timeout"
    """The event took longer than its limit; its work may go on."""
    BUG = "bug"
    """Our fault; the log of this machine has the trace, and `vaultmem doctor` names it."""


class WireError(NamedTuple):
    """An error as it is answered: a sentence, and what to do next."""

    code: Code
    message: str
    remedy: str = ""

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {"code": self.code.value, "message": self.message, "remedy": self.remedy}


RESULT_SECONDS = 2
"""How long the extension waits for the answer to a `tool_result` where no rule runs anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The literal block rules.

    Attributes:
        version: changes with the rest and only then.
        block: the rules.
        result_seconds: how long the answer to a `tool_result` may take, because a rule may run a
            command.
    """

    version: str = ""
    block: tuple[BlockRule, ...] = ()
    result_seconds: int = RESULT_SECONDS

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {
            "version": self.version,
            "block": [one._asdict() for one in self.block],
            "result_seconds": self.result_seconds,
        }


class Action(NamedTuple):
    """Something that a person can do with a row of a panel.

    Attributes:
        name: what comes back in the event `ui`.
        label: what the person reads.
        asks: "" to do it at once, `confirm` to ask first, `text` for a text that the person writes.
        prompt: the question, or the heading of the text field.
        value: what the text field begins with.
    """

    name: str
    label: str
    asks: str = ""
    prompt: str = ""
    value: str = ""

    def json(self) -> JsonOut:
        """As the wire has it."""
        known = {"name": self.name, "label": self.label}
        more = {"asks": self.asks, "prompt": self.prompt, "value": self.value}
        return {**known, **{key: text for key, text in more.items() if text}}


class Row(NamedTuple):
    """One line of a panel: what is listed, what is told of it, what can be done with it."""

    id: str
    label: str
    detail: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {
            "id": self.id,
            "label": self.label,
            "detail": list(self.detail),
            "actions": [one.json() for one in self.actions],
        }


INBOX, RATIFY = "inbox", "ratify"
"""Names of panels; what `ratify` asks is its only action, too."""


class Panel(NamedTuple):
    """Something that a person decides upon, shown through the agent's own dialogs.

    Attributes:
        name: what comes back in the event `ui`.
        title: its heading, one line.
        rows: at most seven.
        more: how many more there are.
    """

    name: str
    title: str
    rows: tuple[Row, ...]
    more: int = 0

    def json(self) -> JsonOut:
        """As the wire has it."""
        rows = [one.json() for one in self.rows]
        return {"name": self.name, "title": self.title, "rows": rows, "more": self.more}


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """Of `session_start`.

    Attributes:
        rules: the literal block rules.
        notices: lines for the person; the model does not see them.
        panel: the inbox, where so many wait that it opens.
        program: our version.
    """

    rules: Rules = field(default_factory=Rules)
    notices: tuple[str, ...] = ()
    panel: Panel | None = None
    program: str = ""

    def json(self) -> JsonOut:
        """As the wire has it."""
        told: JsonOut = {"rules": self.rules.json(), "notices": list(self.notices)}
        told["program"] = self.program
        return told if self.panel is None else {**told, "panel": self.panel.json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """Of `before_agent_start`: sections of the system prompt by name, in order, without tags."""

    sections: Mapping[str, str] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    notices: tuple[str, ...] = ()

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {
            "sections": dict(self.sections),
            "rules": self.rules.json(),
            "notices": list(self.notices),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Of `tool_call`: whether the tool may run; `reason` is for the model."""

    block: bool = False
    reason: str = ""

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {"block": True, "reason": self.reason} if self.block else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """Of `tool_result`: what is added to the tool's text, for the model."""

    append: str = ""

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {"append": self.append} if self.append else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Of `message_end`: the text without its citation; None where it stays as it is."""

    text: str | None = None

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {} if self.text is None else {"text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminding:
    """Of `turn_end`.

    Attributes:
        messages: texts for the model, which are no prompts of the person.
        retry: whether the agent is to go on at once with the last of them; else they are seen with
            the next prompt.
    """

    messages: tuple[str, ...] = ()
    retry: bool = False

    def json(self) -> JsonOut:
        """As the wire has it."""
        told = [{"customType": CUSTOM_TYPE, "content": one} for one in self.messages]
        return {"messages": told, "retry": self.retry}


CUSTOM_TYPE = "vaultmem"
"""Of our messages in the session file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Of an event to which there is nothing to say."""

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolText:
    """Of `tool`: what the tool says to the model."""

    text: str
    is_error: bool = False

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {"text": self.text, "is_error": self.is_error}


class Level(StrEnum):
    """How a sentence is shown."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Said(NamedTuple):
    """Of `command` and `ui`: what the person is told, and the panel that opens next."""

    text: str
    level: Level = Level.INFO
    panel: Panel | None = None

    def json(self) -> JsonOut:
        """As the wire has it."""
        told: JsonOut = {"text": self.text, "level": self.level.value}
        return told if self.panel is None else {**told, "panel": self.panel.json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesTold:
    """Of `rules`."""

    rules: Rules

    def json(self) -> JsonOut:
        """As the wire has it."""
        return {"rules": self.rules.json()}


Result: TypeAlias = (
    Started
    | Sections
    | Verdict
    | Appended
    | Message
    | Reminding
    | Done
    | ToolText
    | Said
    | RulesTold
)
