"""Pi's own terminal: a citation is never drawn, and who types blind decides nothing."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from typing import TYPE_CHECKING

from tests.pi.driver import SECONDS
from tests.pi.installed import BOTH
from tests.pi.model_server import Reply
from tests.pi.test_rpc import WISHES
from tests.services.candidates import captured
from tests.world import SAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer
    from tests.world import World

_ESCAPE = re.compile(rb"\x1b(?:\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_=>])")


class Terminal:
    """A pseudo terminal with Pi in it; `drawn` is all that it drew, without its escapes."""

    def __init__(self, pi: Pi) -> None:
        self._own, other = pty.openpty()
        environment = {
            **pi.environment(),
            "TERM": "xterm-256color",
            "COLUMNS": "100",
            "LINES": "40",
        }
        self._process = subprocess.Popen(
            pi.command(), cwd=pi.project, env=environment, stdin=other, stdout=other, stderr=other
        )
        os.close(other)
        self._bytes = b""

    @property
    def drawn(self) -> str:
        return _ESCAPE.sub(b"", self._bytes).decode("utf-8", "replace")

    def type(self, keys: str) -> None:
        os.write(self._own, keys.encode())

    def until(self, holds: Callable[[str], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not holds(self.drawn):
            assert time.monotonic() < end, self.drawn[-3000:]
            self.read(0.1)

    def read(self, seconds: float) -> None:
        """Wait, and take in what is drawn meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self._own], [], [], left)[0]:
                self._bytes += os.read(self._own, 65536)

    def close(self) -> None:
        self._process.terminate()
        while self._process.poll() is None:
            if select.select([self._own], [], [], 0.1)[0]:
                try:
                    os.read(self._own, 65536)
                except OSError:
                    break
        self._process.wait(SECONDS)
        os.close(self._own)


def test_a_citation_is_not_drawn_while_the_reply_streams(
    pi: Pi, model: ModelServer, known: str, version: str
):
    cited = "Files go in by name.\n\n<vaultmem-citation>\ns8t9v0w1\n</vaultmem-citation>"
    model.script(Reply(text=cited, pieces=12, chunk_delay=0.15))
    terminal = Terminal(pi)
    try:
        terminal.until(lambda drawn: "fake-model" in drawn)
        terminal.type("how do I add files?")
        terminal.until(lambda drawn: "how do I add files?" in drawn)
        while not model.requests:  # Pi refuses it while it starts
            terminal.type("\r")
            terminal.read(1.0)
        terminal.until(lambda drawn: "Files go in by name." in drawn and model.unused == [])
        terminal.read(4.0)
        if version != "0.73.1":  # it shows the tag for a moment: it has no transformer
            assert "vaultmem-cit" not in terminal.drawn
            assert "s8t9v0w1" not in terminal.drawn
    finally:
        terminal.close()


@BOTH
def test_who_types_on_as_the_inbox_opens_approves_nothing(
    pi: Pi, model: ModelServer, world: World, known: str
):
    for wish in WISHES:  # too unsure to be applied as the session ends, by policy and not by typing
        captured(world.here.call(), wish, confidence=0.6)
    terminal = Terminal(pi)
    try:
        terminal.until(lambda drawn: "→ Not now" in drawn)
        for text in ("/memory status", "hello", "", "", ""):
            terminal.type(f"{text}\r")
            terminal.read(0.5)
        terminal.type("/memory inbox\r")
        terminal.until(lambda drawn: "→ 1." in drawn)
        terminal.type("\r")
        terminal.until(lambda drawn: "→ Back" in drawn)
        terminal.type("\r")
        terminal.read(0.5)
    finally:
        terminal.close()
    statements = [row.statement for row in world.here.call().vault.baseline.standings()]
    assert statements == [SAYS]
    assert len([path for path in world.notes() if "/Inbox/" in path]) == len(WISHES)
