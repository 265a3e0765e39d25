"""The process beside the agent: reads events from stdin, answers on stdout, ends with its parent.

Several threads share the work: events, which the agent waits for; tools and commands of ours, which
may take longer; what nobody waits for; and the watch on the vault. Each has its own view of the
vault, all have one search engine.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from vaultmem.hooks import guarding
from vaultmem.hooks.answers import Code, RulesTold, Started, WireError
from vaultmem.hooks.background import warm_up
from vaultmem.hooks.boundary import or_else
from vaultmem.hooks.dispatch import answer, go_on, late, line_of
from vaultmem.hooks.here import Here, Later
from vaultmem.hooks.lanes import Clock, Job, Lane
from vaultmem.hooks.looking import keep_up, watch_vault
from vaultmem.hooks.payloads import (
    PromptComes,
    RulesAsked,
    SessionEnded,
    SessionStarted,
    TextTyped,
    ToolCalled,
    ToolDone,
)
from vaultmem.hooks.resting import Pauses, Resting
from vaultmem.hooks.ways import LIMITS, LONG_SECONDS, Way, way_of
from vaultmem.hooks.wire import MAX_LINE, BadRequestError, error_line, read_request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.hooks.answers import Result
    from vaultmem.hooks.here import Shared, Task
    from vaultmem.hooks.wire import Request

ENDING_SECONDS = 10.0
"""How long the work that nobody waits for may go on after the agent has gone."""
WATCH_SECONDS = 2.0
"""How long the watch may take to notice that it is to end."""
RETRY_SECONDS = 30.0
"""After a watch that failed, another try."""
PROMPT_SECONDS = 4.0
"""How long the first prompt may let the work that nobody waits for wait."""
QUIET_SECONDS = 1.0
"""As long after a session started: a prompt that comes by itself has come by then."""

_PAUSES = Pauses()

_MUST = (SessionStarted, SessionEnded, TextTyped, ToolCalled)
"""Events that are worked off even where their answer comes too late: they say what happened."""


class Server:
    """One process's loop over the events of its agent."""

    def __init__(
        self,
        shared: Shared,
        write: Callable[[bytes], None],
        *,
        limits: Mapping[Way, float] = LIMITS,
        pauses: Pauses = _PAUSES,
    ) -> None:
        """Start nothing yet.

        Args:
            shared: what all threads have in common.
            write: sends one line to the agent; called by several threads, one at a time.
            limits: seconds until an answer.
            pauses: how long the agent must rest until the notebook is worked on.
        """
        self._shared = shared
        self._write = write
        self._limits = limits
        self._sending = threading.Lock()
        self._clock = Clock()
        self._lanes = {way: self._lane(way.value) for way in Way}
        self._long = self._lane("long")
        self._later = self._lane("later")
        self._watcher = threading.Thread(target=self._watch, name="watch", daemon=True)
        self._pauses = pauses
        self._resting = Resting(shared, pauses)
        shared.later = self.do_later

    def run(self, source: BinaryIO) -> None:
        """Answer until the agent's side is closed; `close` it then."""
        self.begin()
        self._watcher.start()
        while line := source.readline(MAX_LINE + 2):
            if line.endswith(b"\n"):
                self.take(line)
            elif not self._skip(source):
                break

    def begin(self) -> None:
        """Begin with what nobody waits for."""
        self._shared.warm.clear()
        self._shared.calm.clear()
        self._clock.at(PROMPT_SECONDS, self._shared.calm.set)
        self.do_later(warm_up)
        self._clock.at(self._pauses.look, self._look_at_rest)

    def close(self) -> None:
        """End: what the agent waited for is dropped, what nobody waited for is finished."""
        self._shared.stopping.set()
        self._shared.calm.set()
        for lane in (*self._lanes.values(), self._long):
            lane.finish(1.0)
        self._later.finish(ENDING_SECONDS)
        self._resting.end()
        if self._watcher.ident is not None:
            self._watcher.join(WATCH_SECONDS)
        self._shared.close()

    def take(self, line: bytes) -> None:
        """Take one line; its answer comes when it is worked out, or at the end of its limit."""
        try:
            request = read_request(line)
        except BadRequestError as error:
            self._send(error_line(error.id, error.error))
            return
        if isinstance(request.payload, RulesAsked):  # also a sign of life, so it waits for nobody
            known = self._shared.sessions.of(request.payload.session)
            self._send(line_of(request.id, RulesTold(rules=known.rules)))
            return
        self._resting.hear()
        if isinstance(request.payload, ToolCalled) and not isinstance(request.payload, ToolDone):
            guarding.comes(self._shared.home.state, self._shared.owner, request.payload)
        way = way_of(request.payload)
        self._put(self._lanes[way], request, self._limits[way])

    def work_out(self, request: Request, work: Later) -> None:
        """Answer a request as a tool is answered, with what `work` makes of it."""
        self._resting.hear()
        self._put(self._lanes[Way.WORK], request, self._limits[Way.WORK], work)

    def do_later(self, task: Task) -> None:
        """Do it in the background, after what waits there already."""
        self._later.put(Job(lambda own: self._alone(own, task), late=_nothing, must=True))

    def _put(
        self, lane: Lane[Here], request: Request, seconds: float, work: Later | None = None
    ) -> None:
        job: Job[Here] = Job(
            lambda own: self._answer(job, own, request, work),
            late=lambda: self._send(line_of(request.id, late(seconds))),
            must=isinstance(request.payload, _MUST),
        )
        lane.put(job)
        self._clock.at(seconds, lambda: _expire(job, lane))

    def _answer(self, job: Job[Here], own: Here, request: Request, work: Later | None) -> None:
        told = answer(own, request) if work is None else go_on(own, request, work)
        if isinstance(told, Later):
            if job.close():
                self._put(self._long, request, LONG_SECONDS, told)
        elif job.close():
            self._send(line_of(request.id, told))
            if way_of(request.payload) is Way.WORK:
                self.do_later(keep_up)  # it may have written
        else:
            self._keep(request, told)
        self._calm_after(request)

    def _calm_after(self, request: Request) -> None:
        """Whether what nobody waits for may begin: it would take a start half of its speed."""
        if isinstance(request.payload, PromptComes):
            self._shared.calm.set()
        elif isinstance(request.payload, SessionStarted):
            self._clock.at(QUIET_SECONDS, self._shared.calm.set)

    def _keep(self, request: Request, told: Result | WireError) -> None:
        """What came too late and the person should know waits for the next event."""
        if isinstance(told, Started):
            self._shared.sessions.of(request.payload.session).notice(told.notices)

    def _alone(self, own: Here, task: Task) -> None:
        self._shared.calm.wait()
        or_else(own, lambda: task(own), None)

    def _look_at_rest(self) -> None:
        """Whether the agent rests and something is due; again and again."""
        if not self._shared.stopping.is_set():
            self.do_later(self._resting.look)
            self._clock.at(self._pauses.look, self._look_at_rest)

    def _watch(self) -> None:
        while not self._shared.stopping.is_set():
            with Here(self._shared) as own:
                self._alone(own, lambda here: watch_vault(self._shared, here))
            self._shared.stopping.wait(RETRY_SECONDS)

    def _lane(self, name: str) -> Lane[Here]:
        return Lane(name, lambda: Here(self._shared))

    def _send(self, line: bytes) -> None:
        with self._sending, suppress(OSError, ValueError):  # the agent has gone
            self._write(line)

    def _skip(self, source: BinaryIO) -> bool:
        """Pass over the rest of a line that is too long; False at the end."""
        self._send(
            error_line(0, WireError(Code.TOO_LARGE, f"A line has at most {MAX_LINE} bytes."))
        )
        while rest := source.readline(MAX_LINE):
            if rest.endswith(b"\n"):
                return True
        return False


def _expire(job: Job[Here], lane: Lane[Here]) -> None:
    if job.expire():
        lane.pass_by(job)


def _nothing() -> None:
    """Nobody waits for it."""
