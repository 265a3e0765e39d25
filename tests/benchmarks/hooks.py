"""How long an agent waits for `serve`: each event over the pipes, the prompt, and the start."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, percentile
from tests.benchmarks.vaults import NEW_SETTINGS, Site, prompts
from tests.pi.driver import Pi
from tests.pi.installed import NEWEST, NotInstalledError, install
from tests.pi.model_server import ModelServer, Reply
from vaultmem.core.citation import TAG
from vaultmem.core.ids import short_id
from vaultmem.services.indexing import refresh
from vaultmem.services.pi_package import install_package
from vaultmem.services.ratify import ratify
from vaultmem.services.session_use import session_use

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

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
_RULES = (
    "trigger: bash_contains git add .\naction: block",
    *(f"trigger: bash_regex (deploy|release) +{word}\\b\naction: block" for word in "abcdefgh"),
    *(f"trigger: file_modified src/{word}/**\naction: warn" for word in "abcdefgh"),
    "trigger: tool_name deploy\naction: warn",
    "verifier: tool_called ask_user before gh pr merge",
)
"""Of a person who has many: each is ratified, and every call of a tool is held against all."""
_QUEUES = ("tool_result", "session_compact")
"""Events that let something be done later."""
_QUIET = 0.3
"""Seconds after such an event: what it lets be done later is not measured with the next one."""


class Pipe:
    """A `serve` of its own."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._number = 0
        self.said = ""
        """The last answer."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "vaultmem.hooks", "serve", str(site.vault)],
            env=site.environment | {"PI_CODING_AGENT_DIR": str(site.home / "agent")},
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
        self.said = answer.decode()
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
    with tempfile.TemporaryDirectory() as folder:
        copy = ruled(site, Path(folder))
        with Pipe(copy) as pipe:
            pipe.ask("session_start", {"mode": "print"})
            pipe.ask("before_agent_start", {"prompt": asked[0]})
            time.sleep(10 * _QUIET)  # what the start let be done later
            yield from busy(pipe, copy)
        yield from ends(copy)
    yield from _starts(site, size)
    yield from _agent_starts(site, size)


def _wait_for_the_model(pipe: Pipe, prompt: str) -> None:
    """Prompts are answered by words at once, while the model is loaded and texts are embedded."""
    for _ in range(20):
        pipe.ask("before_agent_start", {"prompt": prompt})
        time.sleep(0.25)


def ruled(site: Site, folder: Path) -> Site:
    """A copy of a vault below `folder`, without a model, in which the person has ratified rules."""
    shutil.copytree(site.vault, folder / "vault", ignore=shutil.ignore_patterns("System"))
    path, text = NEW_SETTINGS
    (folder / "vault" / path).write_text(text, "utf-8")
    copy = Site(folder, site.memories)
    (copy.home / "config").mkdir(parents=True)
    (copy.home / "config/config.yaml").write_text("model: none\n")
    identifiers = [f"mem_01KAV9FT0072TECMQ49PKZ{number:04}" for number in range(len(_RULES))]
    for identifier, rule in zip(identifiers, _RULES, strict=True):
        text = f"---\nid: {identifier}\ntype: memory\n{rule}\n---\nRule {identifier[-4:]}.\n"
        place = copy.vault / f"Memory/Lessons/{identifier}.md"
        place.write_text(text, "utf-8")
        os.utime(place, (time.time() - 3600,) * 2)  # as the others, so that its stat can be trusted
    copy.first_sync()
    with copy.app() as app:
        for identifier in identifiers:
            ratify(app.call(), identifier)
    copy.settle()
    with copy.app() as app:
        refresh(app.call(), app.engine)
    return copy


def busy(
    pipe: Pipe, site: Site, *, rounds: int = _ROUNDS, quiet: float = _QUIET
) -> Iterator[Figure]:
    """The same events where they have most to do; each answer must show that it was done.

    Args:
        pipe: of `site`, in which a session was started and a prompt asked.
        site: as `ruled` makes it.
        rounds: how often each is asked.
        quiet: seconds of rest after one of `_QUEUES`.
    """
    with site.app() as app:
        cited = short_id(session_use(app.call(), _SESSION).shown[0])
    for name, event, payload, said, goal in _busy(cited):
        taken = []
        for number in range(rounds + 1):
            own = {"session": f"{name} {number}"} if event == "turn_end" else {}
            taken.append(pipe.ask(event, {**payload, **own}))
            if said not in pipe.said:
                raise SystemExit(f"{name}: {pipe.said}")
            time.sleep(quiet if event in _QUEUES else 0)
        middle = statistics.median(taken[1:])
        yield Figure(f"{name}, p50, {site.memories:,}", middle, "ms", goal)


def _busy(cited: str) -> Iterator[tuple[str, str, Mapping[str, object], str, float]]:
    """A name, the event and its payload, what its answer says, and the goal in milliseconds."""
    blocked = {"tool": "bash", "call": "c1", "input": {"command": "git add . && git commit -m x"}}
    written = {"path": "src/a/module.py", "content": "x" * 2_000}
    writer = {"tool": "write", "call": "c2", "input": written}
    merged = {"tool": "bash", "call": "c3", "input": {"command": "gh pr merge 12"}}
    text = f"{'Done. ' * 200}\n\n<{TAG}>\n{cited}\n</{TAG}>"
    last = {"turn": 0, "text": "Merged."}
    yield "tool_call that a rule blocks", "tool_call", blocked, '"block":true', GOAL
    yield "tool_result of a writer", "tool_result", {**writer, "text": "x"}, "Rule ", GOAL
    yield "message_end that cites", "message_end", {"role": "assistant", "text": text}, "text", GOAL
    yield "turn_end that is retried", "turn_end", {**last, "tools": [merged]}, '"retry":true', GOAL
    changed = {**last, "tools": [merged, writer]}
    name = "turn_end that is retried, a changed file"
    yield name, "turn_end", changed, '"retry":true', PROMPT_GOAL
    yield "session_compact", "session_compact", {"reason": "manual", "summary": "x"}, "{}", GOAL


def ends(site: Site, *, starts: int = _STARTS) -> Iterator[Figure]:
    """The end of a session, which comes once in a process, so that nothing is loaded for it yet."""
    taken = []
    for _ in range(starts):
        with Pipe(site) as pipe:
            pipe.ask("session_start", {"mode": "print"})
            taken.append(pipe.ask("session_shutdown", {"reason": "quit"}))
    yield Figure(f"session_shutdown, p50, {site.memories:,}", statistics.median(taken), "ms", GOAL)


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
