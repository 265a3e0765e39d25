"""The guard of the vault's places and the windows in which a tool may write, for the handlers."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.config import PI_AGENT, place
from vaultmem.core.agent_guard import BASH
from vaultmem.core.agent_literal import literal_guard_rules
from vaultmem.errors import VaultError
from vaultmem.services.guarding import windows
from vaultmem.services.guarding.guard import guard, protected_places
from vaultmem.services.guarding.windows import AgentNow
from vaultmem.store.pi_agent import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.agent_guard import Protected
    from vaultmem.core.enforcement.literal import BlockRule
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import MissedTool, Place, ToolCalled
    from vaultmem.store.process import Process


def why_not(here: Here, event: ToolCalled) -> str:
    """Why a tool may not run, naming the right one; "" where it may."""
    cwd = os.fspath(here.cwd(event))
    known = variables(here, cwd)
    reason = guard(_protected(here), event.tool, event.input, cwd=cwd, variables=known)
    return reason or ""


def comes(state: Path, owner: Process, event: ToolCalled) -> None:
    """A tool is about to run, and nobody may look at the vault before that is known.

    For the thread that reads events: it needs no vault, takes some microseconds and waits for
    nobody. What it cannot record is told by `started`.
    """
    agent = AgentNow(state, owner, time.time_ns())
    windows.tool_starts(agent, event.tool, event.call, at_ms=event.at)


def started(here: Here, event: ToolCalled) -> None:
    """A tool runs: what changes meanwhile may be the agent's."""
    told = windows.tool_starts(_agent(here), event.tool, event.call, at_ms=event.at)
    _tell(here, event, told)


def ended(here: Here, event: ToolCalled) -> None:
    """It ran."""
    _tell(here, event, windows.tool_ended(_agent(here), event.tool, event.call))


def missed(here: Here, tools: tuple[MissedTool, ...]) -> None:
    """Tools ran while we did not look; those that still run may write until they end."""
    for one in tools:
        windows.tool_ran(_agent(here), one.tool, one.call, at_ms=one.at, ended_ms=one.ended)


def all_ended(here: Here) -> None:
    """No tool runs now; some end without a word."""
    windows.all_ended(_agent(here))


def _agent(here: Here) -> AgentNow:
    """Whose tools run; this never fails, so that a window closes whatever is wrong with a vault."""
    return AgentNow(here.shared.home.state, here.shared.owner, time.time_ns())


@contextmanager
def running(here: Here, name: str) -> Iterator[None]:
    """A window of our own, while a command of a rule runs."""
    windows.tool_starts(_agent(here), BASH, name)  # a tool that can write, as the command can
    try:
        yield
    finally:
        windows.tool_ended(_agent(here), BASH, name)


def literal_rules(here: Here) -> tuple[BlockRule, ...]:
    """What of the guard the extension can hold itself."""
    return literal_guard_rules(_protected(here))


def _protected(here: Here) -> Protected:
    app = here.app
    try:
        vault = app.vault
    except VaultError:  # what is ours on this machine, and the vaults that it trusts, stay guarded
        vault = None
    agent = place(app.env.pi_agent_dir or PI_AGENT)
    return protected_places(
        app.home,
        app.config.config,
        vault,
        extension=[app.home.pi_package],
        host=[*([] if agent is None else [agent / SETTINGS]), *here.shared.settings],
        user_home=os.fspath(Path.home()),
    )


def variables(here: Here, cwd: str) -> dict[str, str]:
    """The variables of the agent's shell that may stand in a path of ours."""
    env = here.app.env
    known = {
        "HOME": os.fspath(Path.home()),
        "PWD": cwd,
        "VAULTMEM_HOME": env.home,
        "VAULTMEM_VAULT": env.vault,
        "PI_VAULT_PATH": env.pi_vault_path,
        "PI_CODING_AGENT_DIR": env.pi_agent_dir,
    }
    return {name: value for name, value in known.items() if value}


def _tell(here: Here, event: Place, told: str) -> None:
    if told:
        here.known(event).notice((told,))
