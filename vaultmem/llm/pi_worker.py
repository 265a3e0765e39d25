"""The real Pi as a model: headless, in an empty folder, with our fence and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from vaultmem.errors import ModelDownError, ModelRefusedError, NoModelError
from vaultmem.llm.model import (
    MOST_STEPS,
    Answer,
    Ask,
    Task,
    Usage,
    cut_off,
    no_end,
    told_cost,
    told_tokens,
    with_schema,
)
from vaultmem.llm.said import said
from vaultmem.llm.tools import DECLARED
from vaultmem.llm.waiting import Limit
from vaultmem.store.pi_program import PROGRAM
from vaultmem.store.process import end_group, keep_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultmem.core.json_splice import Json
    from vaultmem.store.desk import Desk

FENCE = Path(__file__).with_name("fence.ts")
OPTIONS = (
    *("-p", "--mode", "json", "--no-session"),
    *("--no-extensions", "--no-context-files", "--no-skills", "--no-prompt-templates"),
    *("--no-themes", "--no-builtin-tools"),
)
"""Nothing of the person's but the models, and nothing kept (facts/pi-client.md §1); both supported
ends of Pi know all of them."""
_TOLD = (b'{"type":"message_end"', b'{"type":"compaction_end"')
"""How the only lines begin that are looked into; the many others tell it in parts."""
_ENDED = 5.0
"""Seconds that what Pi left in its pipes is waited for after its end."""
_MOST_ERRORS = 8_192
"""Bytes of the end of its error output that are looked at."""


class PiModel:
    """One model of the person's Pi; each question and each task is a process of its own."""

    def __init__(
        self, model: str | None, *, environment: Mapping[str, str], window: int | None = None
    ) -> None:
        """Take what the person set up.

        Args:
            model: `provider/model`; None for Pi's default.
            environment: all variables of the process, of `variables.worker_environment`.
            window: tokens that the model can read at once.
        """
        self._model = model
        self._environment = dict(environment)
        self._spent = Usage()
        self.window = window

    @property
    def name(self) -> str:
        """The model, or `default`."""
        return self._model or "default"

    @property
    def destination(self) -> str:
        """Where what is sent goes."""
        return f"Pi, model {self._model}" if self._model else "Pi, its default model"

    def ask(self, ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> Answer:
        """As `Model.ask`; the schema is told in the instructions."""
        system = ask.system if ask.schema is None else with_schema(ask.system, ask.schema)
        heard = self._run(system, ask.prompt, None, Limit(seconds, stop))
        return Answer(heard.text, cut=heard.cut)

    def work(self, task: Task) -> None:
        """As `Model.work`."""
        heard = self._run(task.system, task.prompt, task.desk, Limit(task.seconds, task.stop))
        if heard.steps > MOST_STEPS:
            raise no_end()
        if heard.cut:
            raise cut_off()

    def spent(self) -> Usage:
        """As `Model.spent`."""
        return self._spent

    def remaining_percent(self) -> float | None:
        """Nothing: Pi does not tell."""
        return None

    def program(self) -> str:
        """Where Pi is.

        Raises:
            NoModelError: if no folder of the path has it.
        """
        found = shutil.which(PROGRAM, path=self._environment.get("PATH", ""))
        if found is None:
            raise NoModelError(
                "Pi is not found, which `llm: pi` in the user config asks for. Install it so that "
                "a shell finds `pi`, or name an endpoint."
            )
        return found

    def _run(self, system: str, prompt: str, desk: Desk | None, limit: Limit) -> _Heard:
        program = self.program()
        limit.check()
        with tempfile.TemporaryDirectory(prefix="vaultmem-") as scratch:
            command = self._command(program, Path(scratch), system, desk)
            return self._hear(command, Path(scratch) / "empty", prompt, limit)

    def _command(
        self, program: str, scratch: Path, system: str, desk: Desk | None
    ) -> tuple[str, ...]:
        """Write the fence into a folder that only we can read, and say how Pi is started."""
        (scratch / "empty").mkdir()
        shutil.copyfile(FENCE, scratch / "fence.ts")
        shutil.copyfile(DECLARED, scratch / "tools.json")
        (scratch / "fence.json").write_text(json.dumps(_fence(system, desk)), encoding="utf-8")
        model = ("--model", self._model) if self._model else ()
        return (program, *OPTIONS, "-e", str(scratch / "fence.ts"), *model)

    def _hear(self, command: tuple[str, ...], folder: Path, prompt: str, limit: Limit) -> _Heard:
        with _started(command, folder, self._environment) as process:
            listener = _Listener(process, prompt)
            try:
                limit.wait_for(listener.done)
            finally:
                end_group(process)
                listener.finish()
                self._spent = self._spent.plus(listener.heard.usage)
        return _checked(listener.heard, listener.errors(), prompt)


class _Heard(NamedTuple):
    """What Pi told of its run so far.

    Attributes:
        text: of the last answer.
        usage: of all answers.
        steps: how many there were.
        cut: whether the last one ended where its tokens ran out.
        failed: why the last one is none; "" where it is one.
    """

    text: str = ""
    usage: Usage = Usage()
    steps: int = 0
    cut: bool = False
    failed: str = ""


def _fence(system: str, desk: Desk | None) -> dict[str, Json]:
    told: dict[str, Json] = {
        "system": system,
        "interpreter": sys.executable,
        "arguments": ["-I", "-m", "vaultmem.llm"],
    }
    if desk is not None:
        told["desk"] = {
            "folder": str(desk.folder),
            "writable": list(desk.writable),
            "protected": list(desk.protected),
        }
    return told


@contextmanager
def _started(
    command: tuple[str, ...], folder: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    try:
        process = subprocess.Popen(  # noqa: S603 - the person's Pi, without a shell
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise NoModelError(
            f"Pi could not be started ({error.strerror}). Check that `pi` runs in a shell."
        ) from error
    with process:
        yield process


class _Listener:
    """Reads what Pi prints while it is written what it is asked; each pipe has a thread.

    Attributes:
        heard: so far.
        done: set when Pi closed its output, which it does when it ends.
    """

    def __init__(self, process: subprocess.Popen[bytes], prompt: str) -> None:
        self.heard = _Heard()
        self.done = threading.Event()
        self._errors = bytearray()
        works: tuple[Callable[[], None], ...] = (
            lambda: self._write(process.stdin, prompt),
            lambda: self._read(process.stdout),
            lambda: keep_end(process.stderr, self._errors, _MOST_ERRORS),
        )
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Wait until the pipes are empty, after Pi was ended."""
        for thread in self._threads:
            thread.join(_ENDED)

    def errors(self) -> str:
        """The last line of its error output that says something."""
        lines = self._errors.decode("utf-8", "replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "")

    def _write(self, pipe: IO[bytes] | None, prompt: str) -> None:
        if pipe is not None:
            with suppress(OSError), pipe:  # it may end before it read all
                pipe.write(prompt.encode("utf-8", "replace"))

    def _read(self, pipe: IO[bytes] | None) -> None:
        try:
            for line in pipe or ():
                if line.startswith(_TOLD):
                    self.heard = _after(self.heard, line)
                if self.heard.steps > MOST_STEPS:
                    return
        finally:
            self.done.set()


def _after(heard: _Heard, line: bytes) -> _Heard:
    """What was heard, with one more event of Pi (facts/pi-client.md §3.1, §4)."""
    try:
        event: object = json.loads(line)
    except (ValueError, RecursionError):
        return heard
    match event:
        case {"message": {"role": "assistant", "stopReason": str(reason), **rest}}:
            failed = reason in ("error", "aborted")
            return _Heard(
                text=_text(rest.get("content")),
                usage=heard.usage.plus(_usage(rest.get("usage"))),
                steps=heard.steps + 1,
                cut=reason == "length",
                failed=str(rest.get("errorMessage") or reason) if failed else "",
            )
        case {"result": {"usage": usage}}:  # Pi summarised what was too long
            return heard._replace(usage=heard.usage.plus(_usage(usage)))
    return heard


def _text(content: object) -> str:
    parts = content if isinstance(content, list) else []
    texts = (one for one in parts if isinstance(one, dict) and one.get("type") == "text")
    return "\n".join(text for one in texts if isinstance(text := one.get("text"), str))


def _usage(value: object) -> Usage:
    """What Pi counts; it tells 0 where it knows no price."""
    if not isinstance(value, dict):
        return Usage()
    cost = value.get("cost")
    total = told_cost(cost.get("total")) if isinstance(cost, dict) else None
    read = sum(told_tokens(value.get(name)) for name in ("input", "cacheRead", "cacheWrite"))
    return Usage(read, told_tokens(value.get("output")), total or None)


def _checked(heard: _Heard, errors: str, sent: str) -> _Heard:
    """What was heard, if it ends with an answer."""
    if heard.steps == 0:
        raise ModelRefusedError(
            f"Pi ended without an answer.{said(errors, sent=sent)} Run `pi -p hello` in a shell "
            "to see that it works, and check `llm_model`."
        )
    if heard.failed:
        raise ModelDownError(
            f"Pi's model failed.{said(heard.failed, sent=sent)} Wait; a later run tries it again."
        )
    return heard
