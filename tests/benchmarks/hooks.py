"""How long an agent waits for `serve`: each event over the pipes, the prompt, and the start."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, percentile
from tests.benchmarks.vaults import prompts
from tests.pi.driver import Pi
from tests.pi.installed import NEWEST, NotInstalledError, install
from tests.pi.model_server import ModelServer, Reply
from vaultmem.services.pi_package import install_package

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from tests.benchmarks.vaults import Site

GOAL = 5.0
"""Milliseconds of an event without embedding, p50, from the issue."""
PROMPT_GOAL = 60.0
"""Of a prompt: an injection (30) and as much again for what goes with it."""
_ROUNDS = 40
_STARTS = 7
_SESSION = "01a228b3-619b-74c0-bedb-1ec5be15d70a"
_EVENTS: Mapping[str, Mapping[str, object]] = {
    "rules": {},
    "tool_call": {"tool": "bash", "call": "c1", "input": {"command": "git status --short"}},
    "tool_result": {"tool": "read", "call": "c1", "input": {"path": "x"}, "text": "x" * 2_000},
    "message_end": {"role": "assistant", "text": "Done. " * 200},
    "turn_end": {"turn": 0, "text": "Done."},
}
"""Events that need no model, with a payload as an agent sends it."""


class Pipe:
    """A `serve` of its own."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "vaultmem.hooks", "serve", str(site.vault)],
            env=site.environment,
            cwd=site.vault,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def ask(self, event: str, payload: Mapping[str, object]) -> float:
        """Milliseconds from a request to its answer, which must be a result."""
        self._number += 1
        place = {"session": _SESSION, "cwd": str(self._site.vault)}
        line = {"v": 1, "id": self._number, "event": event, "payload": {**place, **payload}}
        start = time.perf_counter()
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        taken = 1000 * (time.perf_counter() - start)
        told = json.loads(answer)
        if told["id"] != self._number or ("result" not in told and event != "session_start"):
            raise SystemExit(f"{event}: {told}")
        return taken


def measure(site: Site) -> Iterator[Figure]:
    """The events of one session after another, in one process; then what a start costs."""
    size = f"{site.memories:,}"
    with Pipe(site) as pipe:
        pipe.ask("session_start", {"mode": "print"})
        asked = prompts(_ROUNDS + 2, 12)
        _wait_for_the_model(pipe, asked[0])
        taken = [pipe.ask("before_agent_start", {"prompt": text}) for text in asked[2:]]
        middle, high = statistics.median(taken), percentile(taken, 0.95)
        yield Figure(f"before_agent_start, p50, {size}", middle, "ms", PROMPT_GOAL)
        yield Figure(f"before_agent_start, p95, {size}", high, "ms")
        for event, payload in _EVENTS.items():
            pipe.ask(event, payload)
            taken = [pipe.ask(event, payload) for _ in range(_ROUNDS)]
            yield Figure(f"{event}, p50, {size}", statistics.median(taken), "ms", GOAL)
    yield from _starts(site, size)
    yield from _agent_starts(site, size)


def _wait_for_the_model(pipe: Pipe, prompt: str) -> None:
    """Prompts are answered by words at once, while the model is loaded and texts are embedded."""
    for _ in range(20):
        pipe.ask("before_agent_start", {"prompt": prompt})
        time.sleep(0.25)


def _starts(site: Site, size: str) -> Iterator[Figure]:
    """From the start of the process to its first answer: what an agent may wait for at its start."""
    first, whole = [], []
    for _ in range(_STARTS):
        start = time.perf_counter()
        with Pipe(site) as pipe:
            pipe.ask("rules", {})
            first.append(1000 * (time.perf_counter() - start))
            pipe.ask("session_start", {"mode": "print"})
            whole.append(1000 * (time.perf_counter() - start))
    yield Figure(f"serve, first answer, {size}", statistics.median(first), "ms")
    yield Figure(f"serve, session_start, {size}", statistics.median(whole), "ms")


def _agent_starts(site: Site, size: str) -> Iterator[Figure]:
    """From the start of Pi to its first request, with our extension and without; none without Pi."""
    try:
        installed = install()
    except NotInstalledError:
        return
    with tempfile.TemporaryDirectory() as folder, ModelServer() as model:
        model.script(Reply(text="Yes.", repeat=True))
        plain, ours = (
            Pi(installed.node, installed.cli(NEWEST), Path(folder) / name, model.url)
            for name in ("plain", "ours")
        )
        for one in (plain, ours):
            one.variables |= {
                "NODE_COMPILE_CACHE": str(installed.compile_cache),
                "VAULTMEM_HOME": str(site.home),
                "VAULTMEM_VAULT": str(site.vault),
            }
        with site.app() as app:
            install_package(app.home, ours.agent, interpreter=sys.executable, agent=None)
        taken = [(_until_asked(plain, model), _until_asked(ours, model)) for _ in range(_STARTS)]
    bare = statistics.median(one for one, _ in taken[1:])
    with_ours = statistics.median(other for _, other in taken[1:])
    yield Figure(f"Pi to its first request, {size}", with_ours, "ms", None, bare, "without us")


def _until_asked(pi: Pi, model: ModelServer) -> float:
    known = len(model.requests)
    begun = time.monotonic()
    done = pi.run("which files do I add by name?")
    if done.code:
        raise SystemExit(done.stderr)
    return 1000 * (model.requests[known].received_at - begun)
