"""What other agents call their tools and arguments, in the words that guard and rules know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.agent_guard import BASH, OUR_TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

PATCH = "apply_patch"
"""Codex changes files with it; its text names them."""
OUR_SERVER = "mcp__vaultmem__"
"""What a tool of our own MCP server is called, where the person named the server as we advise."""
_NAMES = {
    "Bash": BASH,
    "shell": BASH,
    "local_shell": BASH,
    "shell_command": BASH,
    "exec_command": BASH,
    "Read": "read",
    "NotebookRead": "read",
    "Write": "write",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "Grep": "grep",
    "Glob": "find",
    "LS": "ls",
}
_PATHS = ("file_path", "notebook_path")
_PATCHED = re.compile(
    r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE
)
_MOST_FILES = 200


class Call(NamedTuple):
    """A tool's name and input as our own extension would send them."""

    tool: str
    input: Mapping[str, object]


def our_call(tool: str, given: Mapping[str, object]) -> Call:
    """A call of another agent's tool in our words; what we do not know stays as it is."""
    if tool.startswith(OUR_SERVER) and tool.removeprefix(OUR_SERVER) in OUR_TOOLS:
        return Call(tool.removeprefix(OUR_SERVER), given)
    if tool == PATCH:
        return Call(tool, {"files": patched_files(given)})
    named = next((given[key] for key in _PATHS if isinstance(given.get(key), str)), None)
    if named is None or tool not in _NAMES:
        return Call(_NAMES.get(tool, tool), given)
    rest = {key: value for key, value in given.items() if key not in _PATHS}
    return Call(_NAMES[tool], {**rest, "path": named})


def patched_files(given: Mapping[str, object]) -> list[str]:
    """The files that a patch adds, changes, moves or deletes."""
    texts = [value for value in given.values() if isinstance(value, str)]
    found = (name for text in texts for name in _PATCHED.findall(text))
    return list(dict.fromkeys(found))[:_MOST_FILES]


def each_file(call: Call) -> tuple[Call, ...]:
    """The same as one edit for each file, for what looks at files one by one."""
    files = call.input.get("files")
    if call.tool != PATCH or not isinstance(files, list):
        return (call,)
    return tuple(Call("edit", {"path": one}) for one in files)
