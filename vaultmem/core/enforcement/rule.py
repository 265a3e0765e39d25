"""The rule of one memory at run time: what it looks for and what it does then.

The forms are those that `core.enforcement.trigger_advice` accepts, and every rule that it does not
warn of can fire.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.core.ids import MemoryId


class TriggerKind(StrEnum):
    """What a trigger looks at."""

    BASH_CONTAINS = "bash_contains"
    BASH_REGEX = "bash_regex"
    TOOL_NAME = "tool_name"
    FILE_MODIFIED = "file_modified"


class Action(StrEnum):
    """What a rule does when its trigger is met."""

    BLOCK = "block"
    """The tool does not run."""
    WARN = "warn"
    """The tool's result says what the memory says."""
    RUN_AFTER = "run_after"
    """A command runs afterwards, where this machine's user config allows exactly that one."""


class Trigger(NamedTuple):
    """What is looked for."""

    kind: TriggerKind
    needle: str

    def __str__(self) -> str:
        return f"{self.kind.value} {self.needle}"


class Verifier(NamedTuple):
    """A tool that is to be called before a command runs."""

    tool: str
    command: str

    def __str__(self) -> str:
        return f"tool_called {self.tool} before {self.command}"


class Rule(NamedTuple):
    """What one memory enforces.

    Attributes:
        memory_id: the memory's.
        statement: what it says, as a note has it.
        trigger: with `action`; None for a rule that only verifies.
        action: what to do; None likewise.
        command: of `run_after`, else "".
        verifier: what is checked at the end of a turn, or None.
        conditional: whether it holds only at times or under conditions, which the extension that
            runs beside the agent cannot judge.
    """

    memory_id: MemoryId
    statement: str
    trigger: Trigger | None
    action: Action | None
    command: str = ""
    verifier: Verifier | None = None
    conditional: bool = False

    def does(self, action: Action) -> bool:
        """Whether that is what it does when its trigger is met."""
        return self.action is action


def rule_of(
    memory_id: MemoryId,
    statement: str,
    *,
    trigger: str | None,
    action: str | None,
    verifier: str | None = None,
    conditional: bool = False,
) -> Rule | None:
    """The rule that a memory's properties spell; None where they spell none that can fire."""
    looks = read_trigger(trigger or "")
    does, command = read_action(action or "")
    checks = read_verifier(verifier or "")
    if looks is None or does is None:
        looks, does, command = None, None, ""
    if looks is None and checks is None:
        return None
    return Rule(memory_id, statement, looks, does, command, checks, conditional)


def read_trigger(text: str) -> Trigger | None:
    """A trigger as a note has it; None for one of no kind, or that names nothing."""
    kind, _, needle = text.strip().partition(" ")
    if kind not in _KINDS or not needle.strip():
        return None
    return Trigger(TriggerKind(kind), needle.strip())


def read_action(text: str) -> tuple[Action | None, str]:
    """An action with its command, "" for none; None for what is no action."""
    name, _, command = text.strip().partition(" ")
    if name == Action.RUN_AFTER and command.strip():
        return Action.RUN_AFTER, command.strip()
    if name in (Action.BLOCK, Action.WARN) and not command.strip():
        return Action(name), ""
    return None, ""


def read_verifier(text: str) -> Verifier | None:
    """A verifier as a note has it; None for what has another form."""
    match text.split(None, 3):
        case ["tool_called", tool, "before", command]:
            return Verifier(tool, command.strip())
        case _:
            return None


_KINDS = frozenset(kind.value for kind in TriggerKind)
