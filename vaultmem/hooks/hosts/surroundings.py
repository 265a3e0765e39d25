"""Which process is the agent that called a hook command, and whether its user may be speaking."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.config import place
from vaultmem.hooks.hosts.host import Host
from vaultmem.store.process import Process, name_of, parent_process
from vaultmem.store.windows import is_run_by_tool

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.config import Environment
    from vaultmem.hooks.hosts.transcript import Talk

_PROGRAMS = "sh bash dash zsh fish ksh ash busybox env timeout nice uv uvx vaultmem"
_BETWEEN = frozenset(_PROGRAMS.split())
"""Programs that stand between an agent and its hook command."""


class Agent(NamedTuple):
    """The agent that called us.

    Attributes:
        process: the nearest process above us that is no shell.
        beyond: what stands above it.
    """

    process: Process
    beyond: tuple[Process, ...] = ()


def agent_above(above: Sequence[Process]) -> Agent:
    """The agent among the processes that started us, the nearest first."""
    for at, one in enumerate(above):
        name = name_of(one)
        if name and name.removeprefix("-") not in _BETWEEN:
            return Agent(one, tuple(above[at + 1 :]))
    return Agent(parent_process(), tuple(above[1:]))


def settings_of(host: Host, env: Environment) -> tuple[Path, ...]:
    """The files in which the agent's hooks are listed, whichever are there."""
    named, usual, names = {
        Host.CLAUDE_CODE: (env.claude_dir, "~/.claude", ("settings.json", "settings.local.json")),
        Host.CODEX: (env.codex_home, "~/.codex", ("config.toml", "hooks.json")),
    }[host]
    folder = place(named or usual)
    return () if folder is None else tuple(folder / name for name in names)


def is_nested(agent: Agent, state: Path, *, at_ns: int) -> bool:
    """Whether a tool of another agent runs this one, so that nobody types there."""
    return is_run_by_tool(state, agent.beyond, at_ns=at_ns)


def user_may_speak(agent: Agent, state: Path, talk: Talk, *, at_ns: int) -> bool:
    """Whether what comes as the user's words may be theirs, where no tool runs the agent itself.

    A command that a tool of the agent runs could say anything. While a tool runs, nothing is
    believed; one that was interrupted ends without a word, and then the transcript tells.
    """
    return not (is_run_by_tool(state, [agent.process], at_ns=at_ns) and talk.runs)
