"""How our processes begin and end: what they take from their surroundings, where they write."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.app import App
from vaultmem.config import home_dirs, read_environment
from vaultmem.errors import PackageMissingError
from vaultmem.hooks.answers import WireError
from vaultmem.hooks.dispatch import answer, go_on
from vaultmem.hooks.here import AGENT, Here, Later, Shared
from vaultmem.hooks.wire import BadRequestError, json_line, read_event
from vaultmem.store.process import Process, ancestors, is_running, watch_parent
from vaultmem.store.windows import is_run_by_tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from vaultmem.config import Environment, HomeDirs
    from vaultmem.hooks.answers import Result
    from vaultmem.hooks.serve import Server


GARBAGE_AFTER = 50_000
"""New objects after which garbage is looked for; the rows of a large vault are none."""
FIRST = 1
"""The system's first process, which takes over those whose parent is gone."""


def is_alone() -> bool:
    """Whether our stdin or stdout was closed when we were started, so that nobody talks to us."""
    return sys.stdin is None or sys.stdout is None


def run_serve(vault: str | None) -> None:
    """Be the process beside an agent, until it closes our stdin or goes away.

    What libraries print goes to stderr: stdout belongs to the protocol.
    """
    from vaultmem.hooks.serve import Server  # a single event needs no threads

    env = read_environment()
    if is_alone() or agent_has_gone(env):
        return
    gc.set_threshold(GARBAGE_AFTER)
    shared = _shared(env, vault, serves=True)
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else 2, 1)
    server = Server(shared, lambda line: write_whole(out, line))
    watch_parent(shared.owner, lambda: _end(server))
    server.run(sys.stdin.buffer)
    _end(server)


def run_mcp(vault: str | None) -> None:
    """Be the MCP server of a client, until it closes our stdin or goes away.

    Raises:
        PackageMissingError: if the official package is not installed.
    """
    try:
        from vaultmem.hooks.mcp.server import serve_stdio  # an extra, and nothing else needs it
    except ModuleNotFoundError as error:
        raise PackageMissingError(
            "The packages of the extra `mcp` are not all installed "
            f"({error.name} is missing). Run `pip install 'vaultmem[mcp]'`."
        ) from None
    import asyncio
    import signal

    from vaultmem.hooks.mcp.desk import Desk

    if is_alone():
        return
    env = read_environment()
    gc.set_threshold(GARBAGE_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the thread that reads stdin hears nothing else
    shared = _shared(env, vault, serves=False)
    shared.typed = False  # no person speaks through a client
    desk = Desk(shared, looks=env.agent is None)
    if shared.owner.pid != FIRST:  # in a container the client may be that
        watch_parent(shared.owner, lambda: _end(desk.server))
    desk.begin()
    asyncio.run(serve_stdio(desk, sys.stdin.buffer))
    _end(desk.server)


def run_hook(event: str, vault: str | None, payload: bytes, say: Callable[[bytes], None]) -> None:
    """Answer one event, then do what can be done after the answer.

    Args:
        event: its name.
        vault: what `--vault` said.
        payload: one JSON object.
        say: gets `{"result": …}` or `{"error": …}` in one line.
    """
    shared = _shared(read_environment(), vault, serves=False)
    with Here(shared) as own:
        say(hook_line(own, event, payload))
        while shared.left:
            shared.left.pop(0)(own)
    shared.close()


def hook_line(own: Here, event: str, payload: bytes) -> bytes:
    """The answer to one event as a line, without version and number."""
    told = _answer(own, event, payload)
    kind = "error" if isinstance(told, WireError) else "result"
    return json_line({kind: told.json()})


def _answer(own: Here, event: str, payload: bytes) -> Result | WireError:
    try:
        request = read_event(event, payload)
    except BadRequestError as error:
        return error.error
    told = answer(own, request)
    return go_on(own, request, told) if isinstance(told, Later) else told


def _shared(env: Environment, vault: str | None, *, serves: bool) -> Shared:
    """What the threads of a process share.

    The agent's environment is ours as well, yet the extension speaks for the person too: who acts
    is said by each event.
    """
    cwd = Path.cwd()
    alone = env._replace(agent=None)
    home = home_dirs(env)
    return Shared(
        lambda embedder: App(env=alone, cwd=cwd, vault=vault, embedder=embedder),
        agent=env.agent or AGENT,
        typed=_may_speak_for_person(env, home, serves=serves),
        home=home,
    )


def _may_speak_for_person(env: Environment, home: HomeDirs, *, serves: bool) -> bool:
    """Whether a person may speak through us; what a tool of an agent starts is the agent's.

    Beside an agent that is only the child of its extension, and of an agent that no tool of another
    one runs. The environment may hide all of that, so the processes above us are looked at as well.
    """
    is_child = env.agent_pid == str(os.getppid())
    if env.agent is not None:
        beside = serves and (is_child or env.agent_pid is None) and env.pi_session is None
        if not beside:
            return False
    above = tuple(ancestors())
    if serves and is_child:
        above = above[1:]  # its own tools may run beside us
    return not is_run_by_tool(home.state, above, at_ns=time.time_ns())


def agent_has_gone(env: Environment) -> bool:
    """Whether our parent ended before we looked, so that nobody would ever end us.

    An agent may be the system's first process, in a container; then its extension says so.
    """
    named = env.agent_pid or ""
    if named.isascii() and named.isdigit():
        return not is_running(Process(int(named)))
    return os.getppid() == FIRST


def write_whole(out: BinaryIO, line: bytes) -> None:
    """Write a whole line, however little the pipe takes at a time."""
    left = memoryview(line)
    while left:
        left = left[out.write(left) :]


def _end(server: Server) -> None:
    """Finish what is under way and end this process; a thread that hangs does not keep it."""
    server.close()
    os._exit(0)
