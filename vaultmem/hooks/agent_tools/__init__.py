"""The agent's tools: a name and arguments in, text for the model out; the agent acts in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from vaultmem.hooks.agent_tools import changing, notebook, reading, searching, sessions, writing
from vaultmem.hooks.answers import ToolText
from vaultmem.hooks.reading import Fields, WrongFieldError
from vaultmem.hooks.telling import switched_here
from vaultmem.hooks.tools import tool_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked

Run: TypeAlias = "Callable[[Here, ToolAsked, Fields], str]"

RUNS: Mapping[str, Run] = {
    "memory_search": searching.memory_search,
    "memory_read": reading.memory_read,
    "memory_list": reading.memory_list,
    "memory_write": writing.memory_write,
    "memory_add": writing.memory_add,
    "memory_add_note": writing.memory_add_note,
    "memory_reinforce": writing.memory_reinforce,
    "memory_edit": changing.memory_edit,
    "memory_remove": changing.memory_remove,
    "memory_reflect": searching.memory_reflect,
    "memory_topics": searching.memory_topics,
    "memory_consolidate": notebook.memory_consolidate,
    "session_search": sessions.session_search,
    "session_list": sessions.session_list,
    "session_read": sessions.session_read,
    "session_decisions": sessions.session_decisions,
    "scratchpad": writing.scratchpad,
}
"""What each tool of `hooks.tools` does."""


def run_tool(here: Here, event: ToolAsked) -> ToolText:
    """Run a tool; what is wrong with its arguments is told to the model.

    Raises:
        VaultmemError: as its service.
    """
    tool = tool_named(event.name)
    if tool is None:
        return ToolText(text="There is no such tool.", is_error=True)
    arguments = Fields(event.arguments)
    try:
        for one in tool.parameters:
            one.check(arguments)
        if unknown := arguments.unknown():
            named = ", ".join(f"`{name}`" for name in unknown[:5])
            return ToolText(text=f"{tool.name} takes no {named}.", is_error=True)
        return ToolText(text=switched_here(RUNS[tool.name](here, event, arguments)))
    except WrongFieldError as error:
        return ToolText(text=str(error), is_error=True)
