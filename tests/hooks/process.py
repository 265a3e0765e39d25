"""A real `serve` beside a test: lines in, lines out, over pipes."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from tests.hooks.serving import SESSION

if TYPE_CHECKING:
    from tests.world import World

WAIT = 30.0


def environment(world: World, **more: str) -> dict[str, str]:
    """What an agent's child sees."""
    return {
        **os.environ,
        "VAULTMEM_HOME": str(world.here.home),
        "AI_AGENT": "pi",
        "PI_CODING_AGENT": "true",
        **more,
    }


class Served:
    """One process, whose parent is the test."""

    def __init__(self, world: World, *, command: list[str] | None = None, **env: str) -> None:
        self.world = world
        given = command or ["-I", "-m", "vaultmem.hooks", "serve", str(world.vault)]
        self.process = subprocess.Popen(
            [sys.executable, *given],
            cwd=world.vault,
            env=environment(world, **{"VAULTMEM_AGENT_PID": str(os.getpid()), **env}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._numbers = itertools.count(1)
        self._answers: dict[int, queue.SimpleQueue[dict]] = {}
        self._other: queue.SimpleQueue[dict] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, event: str, **payload) -> int:
        """Send a request; returns its number."""
        number = next(self._numbers)
        self._answers[number] = queue.SimpleQueue()
        place = {"session": SESSION, "cwd": str(self.world.vault)}
        self.write(json.dumps({"v": 1, "id": number, "event": event, "payload": place | payload}))
        return number

    def write(self, line: str) -> None:
        """Send a line as it is."""
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, number: int, *, wait: float = WAIT) -> dict:
        """The answer to a request."""
        return self._answers[number].get(timeout=wait)

    def other(self) -> dict:
        """An answer to no request of ours."""
        return self._other.get(timeout=WAIT)

    def ask(self, event: str, **payload) -> dict:
        """The result of an event."""
        told = self.answer(self.send(event, **payload))
        assert "error" not in told, told
        return told["result"]

    def end(self) -> int:
        """Close its stdin; the exit code. A second time it is only that."""
        self.process.stdin.close()
        code = self.process.wait(WAIT)
        self._reader.join(WAIT)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def _read(self) -> None:
        for line in self.process.stdout:
            told = json.loads(line)
            self._answers.get(told["id"], self._other).put(told)


def hook(world: World, event: str, payload: object, **env: str) -> dict:
    """What `hook EVENT` answers."""
    place = {"session": SESSION, "cwd": str(world.vault)}
    given = json.dumps(place | payload) if isinstance(payload, dict) else str(payload)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vaultmem.hooks", "hook", event, str(world.vault)],
        cwd=world.vault,
        env=environment(world, **env),
        input=given.encode(),
        capture_output=True,
        timeout=WAIT,
        check=True,
    )
    assert done.stderr == b""
    return json.loads(done.stdout)
