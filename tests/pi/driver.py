"""Starts the real Pi in folders of its own: one prompt after the other, or over its RPC protocol."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.pi.model_server import MODEL, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Record = dict[str, object]
"""One line of a session file, or of the RPC protocol."""

SECONDS = 60.0
"""For what should take two; a machine that builds something else beside it is slow."""


class Ran(NamedTuple):
    """How a run ended."""

    stdout: str
    stderr: str
    code: int


class Pi:
    """One Pi with its own settings, sessions and project, and no way to the outside.

    Attributes:
        agent: the folder of its settings.
        project: the working folder.
        variables: added to its environment.
    """

    def __init__(self, node: Path, cli: Path, folder: Path, model: str) -> None:
        """Take the program and the address of the model.

        Args:
            node: the interpreter.
            cli: the version's command line.
            folder: where everything of this Pi lies.
            model: the address of the model server.
        """
        self.agent, self.project = folder / "agent", folder / "project"
        self.variables: dict[str, str] = {}
        self._node, self._cli, self._folder = node, cli, folder
        for place in (self.agent, self.project, folder / "home", folder / "tmp"):
            place.mkdir(parents=True, exist_ok=True)
        self._write("models.json", _models(model))
        self._write("settings.json", _SETTINGS)

    def run(self, *prompts: str, options: tuple[str, ...] = ()) -> Ran:
        """`pi -p` with these prompts, one after the other in one session."""
        done = subprocess.run(
            self.command("-p", *options, *prompts),
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        return Ran(done.stdout, done.stderr, done.returncode)

    @contextmanager
    def rpc(self, *options: str) -> Iterator[Rpc]:
        """`pi --mode rpc`, ended when the block ends."""
        command = self.command("--mode", "rpc", *options)
        with (self._folder / "rpc.err").open("wb") as errors:
            process = subprocess.Popen(
                command,
                cwd=self.project,
                env=self.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        talk = Rpc(process, self._folder / "rpc.err")
        try:
            yield talk
        finally:
            talk.close()

    def environment(self) -> dict[str, str]:
        """What Pi sees: nothing of the machine but the programs."""
        found = {
            "PATH": os.pathsep.join(
                [str(self._node.parent), str(Path(sys.executable).parent), os.defpath]
            ),
            "HOME": str(self._folder / "home"),
            "TMPDIR": str(self._folder / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PI_CODING_AGENT_DIR": str(self.agent),
            "PI_OFFLINE": "1",
            "PI_SKIP_VERSION_CHECK": "1",
            "PI_TELEMETRY": "0",
        }
        return found | self.variables

    def sessions(self) -> list[list[Record]]:
        """The entries of every session, the oldest session first."""
        files = sorted((self.agent / "sessions").rglob("*.jsonl"))
        return [[json.loads(line) for line in _lines(file)] for file in files]

    def session(self) -> list[Record]:
        """The entries of the newest session."""
        return self.sessions()[-1]

    def session_text(self) -> str:
        """The newest session's file, as it is on the disk."""
        newest = sorted((self.agent / "sessions").rglob("*.jsonl"))[-1]
        return newest.read_text()

    def settings(self) -> Record:
        """Pi's settings."""
        found = json.loads((self.agent / "settings.json").read_text())
        assert isinstance(found, dict)
        return found

    def command(self, *rest: str) -> list[str]:
        """How it is started."""
        model = ("-nc", "--model", f"fake/{MODEL}")
        return [str(self._node), str(self._cli), *model, *rest]

    def _write(self, name: str, value: object) -> None:
        (self.agent / name).write_text(json.dumps(value, indent=2))


_SETTINGS: Record = {
    "defaultProvider": "fake",
    "defaultModel": MODEL,
    "enableInstallTelemetry": False,
    "compaction": {"enabled": True, "keepRecentTokens": 40, "reserveTokens": 2000},
    "retry": {"enabled": False},
}


def _models(url: str) -> Record:
    model = {"id": MODEL, "contextWindow": 32000, "maxTokens": 2000}
    provider = {"baseUrl": url, "api": "openai-completions", "apiKey": "dummy", "models": [model]}
    return {"providers": {"fake": provider}}


def _lines(file: Path) -> list[bytes]:
    return [line for line in file.read_bytes().split(b"\n") if line]


class Rpc:
    """A conversation over Pi's RPC protocol.

    Attributes:
        records: everything that Pi said so far.
        answers: what to answer to a dialog; without an answer it is cancelled.
        pid: of Pi.
    """

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self.records: list[Record] = []
        self.answers: Callable[[Record], Record] = lambda _: {"cancelled": True}
        self.pid = process.pid
        self._process, self._errors = process, errors
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._number = 0

    def ask(self, kind: str, **fields: object) -> Record:
        """Send a command; returns its response."""
        self._number += 1
        name = f"r{self._number}"
        self._send({"id": name, "type": kind, **fields})
        return self.until(lambda one: one.get("type") == "response" and one.get("id") == name)

    def prompt(self, text: str) -> list[Record]:
        """Say something and wait until the agent is done; returns what happened meanwhile."""
        begin = len(self.records)
        answer = self.ask("prompt", message=text)
        assert answer.get("success"), answer
        data = answer.get("data")
        handled = isinstance(data, dict) and data.get("disposition") == "handled"
        if not handled and not text.startswith("/"):
            self.until(lambda one: one.get("type") in ("agent_settled", "agent_end"))
        return self.records[begin:]

    def until(self, wanted: Callable[[Record], bool], seconds: float = SECONDS) -> Record:
        """Read on until a record is as wanted, and answer every dialog on the way."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"Pi said nothing more.{self._told()}") from None
            if not line:
                raise AssertionError(f"Pi ended.{self._told()}")
            record = json.loads(line)
            self.records.append(record)
            if record.get("type") == "extension_ui_request" and record["method"] in _DIALOGS:
                answer = {"type": "extension_ui_response", "id": record["id"]}
                self._send(answer | self.answers(record))
            if wanted(record):
                return record

    def notices(self) -> list[str]:
        """The lines that the person was shown."""
        shown = [one for one in self.records if one.get("method") == "notify"]
        return [str(one["message"]) for one in shown]

    def close(self) -> int:
        """End it as a client does, by closing its input; returns its exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            code = self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        return code

    def send_signal(self, number: int) -> None:
        """What a shell or a supervisor does to end it."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it as a crash does."""
        self._process.kill()
        self._process.wait()

    def _send(self, record: Record) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(record).encode() + b"\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:  # bytes: only LF ends a line
            self._lines.put(line)
        self._lines.put(b"")

    def _told(self) -> str:
        told = self._errors.read_text(errors="replace")[-2000:]
        return f"\nLast records: {self.records[-5:]}\n{told}"


_DIALOGS = ("select", "confirm", "input", "editor")


def texts(entries: list[Record], role: str) -> list[str]:
    """What someone said in a session, in order."""
    said = [one["message"] for one in entries if one.get("type") == "message"]
    return [text_of(one) for one in said if isinstance(one, dict) and one["role"] == role]
