"""One hook command of another agent: its payload in, its answer out, the rest when nobody waits.

Whatever is wrong, the agent's turn goes on: nothing is printed then, the reason goes to stderr, and
the exit code is 0.
"""

from __future__ import annotations

import json
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.app import App
from vaultmem.config import home_dirs, read_environment
from vaultmem.hooks.boundary import guarded, or_else
from vaultmem.hooks.here import Here, Shared
from vaultmem.hooks.hosts.events import EVENTS, Asking, Happened
from vaultmem.hooks.hosts.host import Host, HostEvent
from vaultmem.hooks.hosts.surroundings import (
    agent_above,
    is_nested,
    settings_of,
    user_may_speak,
)
from vaultmem.hooks.hosts.transcript import Talk, read_talk
from vaultmem.hooks.reading import Fields, WrongFieldError
from vaultmem.hooks.wire import BadRequestError
from vaultmem.store.process import ancestors
from vaultmem.store.sessions.tail import last_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.errors import VaultmemError
    from vaultmem.hooks.hosts.surroundings import Agent

MAX_PAYLOAD = 16 * 1024 * 1024
"""Bytes of a payload that are read; what a tool said may be long."""
_READS_TALK = (HostEvent.PROMPT, HostEvent.BEFORE_TOOL, HostEvent.AFTER_TOOL, HostEvent.STOP)
"""Events for which the transcript is read."""


def run_from(
    host: Host,
    event: str,
    vault: str | None,
    payload: bytes,
    *,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    apart: bool = True,
) -> None:
    """Answer one event of another agent, then do what can be done after the answer.

    Args:
        host: the agent.
        event: the event's name, as the agent spells it.
        vault: what `--vault` said.
        payload: what came on stdin.
        say: prints the answer; not called where there is nothing to say.
        warn: prints a line for whoever looks for the reason.
        apart: whether the rest may be left to a process of its own.
    """
    env = read_environment()
    home, cwd = home_dirs(env), Path.cwd()
    alone = env._replace(agent=None)
    shared = Shared(
        lambda embedder: App(env=alone, cwd=cwd, vault=vault, embedder=embedder),
        agent=host.value,
        typed=False,
        home=home,
    )
    shared.settings = settings_of(host, env)
    agent = agent_above(tuple(ancestors()))
    shared.owner = agent.process
    shared.embeds = False  # the agent waits, and a model takes longer to load than all the rest
    with Here(shared) as own:
        _answer(own, agent, host, event, payload, say=say, warn=warn)
    shared.close()
    _do_the_rest(shared, apart=apart)


def _answer(
    own: Here,
    agent: Agent,
    host: Host,
    event: str,
    payload: bytes,
    *,
    say: Callable[[str], None],
    warn: Callable[[str], None],
) -> None:
    def work() -> str:
        try:
            known, happened = _read(own, agent, host, event, payload)
            asking = Asking(own, happened)
            told = EVENTS[known](asking)
        except (WrongFieldError, BadRequestError) as error:
            warn(str(error))
            return ""
        for one in asking.wrong:
            warn(one)
        return told.line(known)

    def failed(error: VaultmemError) -> str:
        warn(str(error))
        return ""

    def bug() -> str:
        warn("This is a bug of vaultmem. Run `vaultmem doctor`.")
        return ""

    if line := guarded(own, work, failed=failed, bug=bug):
        say(line)


def _read(
    own: Here, agent: Agent, host: Host, event: str, payload: bytes
) -> tuple[HostEvent, Happened]:
    """The event, with who may be speaking.

    Raises:
        WrongFieldError: if it is none that we know, or the payload is no object of its form.
    """
    known = next((one for one in HostEvent if one.value == event), None)
    if known is None:
        named = ", ".join(one.value for one in HostEvent)
        raise WrongFieldError(f"There is no event of that name; there are {named}.")
    fields = Fields(_object(payload))
    talk = Talk()
    if known in _READS_TALK and (path := fields.plain("transcript_path", "")):
        talk = read_talk(host, last_lines(Path(path).expanduser()))
    state, at_ns = own.shared.home.state, time.time_ns()
    nested = is_nested(agent, state, at_ns=at_ns)
    own.shared.typed = not nested and user_may_speak(agent, state, talk, at_ns=at_ns)
    happened = Happened(
        host=host,
        session=fields.plain_word("session_id"),
        cwd=fields.plain("cwd", ""),
        fields=fields,
        talk=talk,
        nested=nested,
    )
    return known, happened


def _object(payload: bytes) -> dict[str, object]:
    if len(payload) > MAX_PAYLOAD:
        raise WrongFieldError(f"The payload has more than {MAX_PAYLOAD} bytes.")
    try:
        whole: object = json.loads(payload)
    except (ValueError, RecursionError):
        raise WrongFieldError(
            "The payload is no JSON. Send one JSON object on standard input."
        ) from None
    if not isinstance(whole, dict):
        raise WrongFieldError("The payload is no JSON object. Send one on standard input.")
    return whole


def _do_the_rest(shared: Shared, *, apart: bool) -> None:
    """Do what nobody waits for in a process of its own, since the agent waits for our end.

    It is begun while nothing of the vault is open; where that cannot be, the agent waits.
    """
    if not shared.left:
        return
    shared.embeds = True
    apart = apart and hasattr(os, "fork") and threading.active_count() == 1
    if apart:
        if os.fork():
            return
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
    try:
        with Here(shared) as own:
            while shared.left:
                or_else(own, partial(shared.left.pop(0), own), None)
        shared.close()
    finally:
        if apart:
            os._exit(0)
