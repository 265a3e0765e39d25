"""While the agent rests, the notebook is worked on: by one process of its own, which ends with us.

The process does what `vaultmem notebook run --if-due` does. It is a child, so that models and the
history are never opened here, and in a group of its own, so that what it starts ends with it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.notebook_runs import NOBODY, NotebookRun, read_run, write_run
from vaultmem.store.process import end_group, process_of

if TYPE_CHECKING:
    from subprocess import Popen

    from vaultmem.hooks.here import Here, Shared

COMMAND = ("notebook", "run", "--if-due")
NICE = 10
"""Of the child: whoever works at this machine comes first."""
ENDING_SECONDS = 5.0
"""How long a child may take to give its work back when we end."""


class Pauses(NamedTuple):
    """How long what waits for what, in seconds.

    Attributes:
        look: between two looks whether the agent rests.
        rest: without an event until it does, and from one look whether something is due to the
            next. Who reads an answer and thinks takes a minute or two; after five they are away or
            at something else.
        asked: the same where somebody asked for a run: the turn is over by then.
        between: from the end of a run to the next: a run does two sessions, and a backlog is worked
            off in an afternoon.
        failed: the same after a run that failed, as long as a failed job waits (facts/notebook.md,
            section 2).
    """

    look: float = 5.0
    rest: float = 300.0
    asked: float = 10.0
    between: float = 900.0
    failed: float = 3_600.0


class Resting:
    """Starts a run when the agent rests and something is due; used by one thread at a time."""

    def __init__(self, shared: Shared, pauses: Pauses) -> None:
        """Start nothing yet."""
        self._shared = shared
        self._pauses = pauses
        self._heard = time.monotonic()
        self._child: Popen[bytes] | None = None

    def hear(self) -> None:
        """The agent did something; called by any thread."""
        self._heard = time.monotonic()

    def look(self, here: Here) -> None:
        """Start a run if it is time for one; note the end of one that ended.

        Raises:
            VaultmemError: if the vault cannot be used, or the state cannot be written.
        """
        if self._child is not None and not self._has_ended(here):
            return
        asked = self._shared.notebook_wanted.is_set()
        config = here.app.config.config
        if self._shared.stopping.is_set() or not config.notebook or config.llm.llm is None:
            return
        if time.monotonic() - self._heard < (self._pauses.asked if asked else self._pauses.rest):
            return
        if asked or (_may_follow(here) and _is_due(here)):
            self._start(here, asked=asked)
        if not asked:
            self._heard = time.monotonic()

    def end(self) -> None:
        """End the run that goes on; what it had begun is given back."""
        child, self._child = self._child, None
        if child is not None:
            end_group(child, grace=ENDING_SECONDS)

    def _start(self, here: Here, *, asked: bool) -> None:
        """Start the child, unless another process beside an agent has started one."""
        from vaultmem.services.syncing.attribution import tool_is_running  # seldom

        vault = here.app.vault
        with vault.lock():
            last = read_run(vault.state.folder)
            if last.works or not (asked or last.may_follow(here.app.now.timestamp())):
                return
            if tool_is_running(here.policy()):  # it may be writing into the vault
                return
            self._shared.notebook_wanted.clear()
            self._child = _child(here)
            run = NotebookRun(process_of(self._child.pid), last.next)
            write_run(vault.state.folder, run)

    def _has_ended(self, here: Here) -> bool:
        """Whether the child ended; when the next one may start is kept then."""
        assert self._child is not None  # noqa: S101 - the caller looked
        code = self._child.poll()
        if code is None:
            return False
        self._child = None
        wait = self._pauses.between if code == 0 else self._pauses.failed
        run = NotebookRun(NOBODY, here.app.now.timestamp() + wait)
        write_run(here.app.vault.state.folder, run)
        return True


def _may_follow(here: Here) -> bool:
    return read_run(here.app.vault.state.folder).may_follow(here.app.now.timestamp())


def _is_due(here: Here) -> bool:
    from vaultmem.services.notebook.due import what_is_due  # where the notebook is on

    config = here.app.config.config
    due = what_is_due(
        here.policy(),
        here.past.catalog.rows(),
        here.app.notebook,
        config.notebook_settings,
        projects=config.notebook,
    )
    return bool(due)


def _child(here: Here) -> Popen[bytes]:
    import subprocess  # most agents' processes start none

    made = subprocess.Popen(  # noqa: S603 - our own interpreter and program, and no shell
        here.command(*COMMAND),
        cwd=here.app.found.path,
        env=here.persons_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(OSError):  # it has ended, or the system does not let us
        os.setpriority(os.PRIO_PROCESS, made.pid, NICE)
    return made
