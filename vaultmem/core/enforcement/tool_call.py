"""One call of a tool as the rules see it: its name, the shell text, the files, the task."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.agent_guard import OUR_TOOLS
from vaultmem.core.agent_paths import commands_in, input_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TASK = ("task", "prompt")
_TASKS = ("tasks", "chain")
_MOST = 200
"""Items of one list that are looked at."""
_WRITES = re.compile(
    r"write|edit|patch|replace|insert|create|delete|remove|rename|move", re.IGNORECASE
)
_SUB_AGENT = re.compile(r"(?:^|_)(?:sub_?agent|task|agent|delegate)s?$", re.IGNORECASE)


class ToolCall(NamedTuple):
    """What a tool is called with.

    Attributes:
        tool: its name.
        command: the shell text that it runs, "" where it runs none.
        files: paths that it writes, as the agent spelled them.
        task: what it tells a sub-agent to do, "" where it starts none.
    """

    tool: str
    command: str = ""
    files: tuple[str, ...] = ()
    task: str = ""


def read_call(tool: str, given: Mapping[str, object]) -> ToolCall:
    """What the rules need of a tool's name and input; what has another form is left out."""
    command = "\n".join(filter(str.strip, commands_in(given)))
    writes = _WRITES.search(tool) is not None and tool not in OUR_TOOLS
    files = tuple(dict.fromkeys(filter(str.strip, input_places(given)))) if writes else ()
    task = "\n".join(_tasks(given)) if _SUB_AGENT.search(tool) else ""
    return ToolCall(tool, command, files, task)


def _tasks(given: Mapping[str, object]) -> Iterator[str]:
    """What a sub-agent, or each of several, is told to do."""
    listed = [given.get(name) for name in _TASKS]
    items = [item for one in listed if isinstance(one, list) for item in one[:_MOST]]
    for one in (given, *(item for item in items if isinstance(item, dict))):
        yield from (text for name in _TASK if isinstance(text := one.get(name), str))
