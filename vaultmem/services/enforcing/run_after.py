"""Run the commands that follow a tool: exact argument vectors, no shell, a limit of time."""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.happening import RuleAct
from vaultmem.core.visible import visible_line
from vaultmem.core.wording import count
from vaultmem.services.enforcing.audit import happened
from vaultmem.store.process import end_group, keep_end

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from vaultmem.services.call import Call
    from vaultmem.services.enforcing.check import Due

SECONDS = 60.0
"""How long all commands after one tool may take together; from the topic-file memory, §10."""
MOST_BYTES = 65_536
"""Of the end of a command's output that are looked at."""
MOST_LINES = 40
MOST_CHARACTERS = 4_000
"""Of the end of its output that are told."""
LONGEST_LINE = 500
"""Characters of one line that are told."""
_LEFT = 2.0
"""Seconds that what a command left running keeps its output open before it is given up."""


class Ran(NamedTuple):
    """What came of a command.

    Attributes:
        argv: what ran.
        code: its exit code; None where it did not begin or was ended after its time.
        output: the end of what it printed, as it came.
        trouble: a sentence where `code` is None.
    """

    argv: tuple[str, ...]
    code: int | None
    output: str
    trouble: str = ""


def run_due(
    call: Call,
    due: Sequence[Due],
    *,
    root: Path,
    environment: Mapping[str, str],
    session: str = "",
    seconds: float = SECONDS,
) -> str:
    """Run commands one after the other, and give what is added to the tool's result.

    A tool's window must be open meanwhile: what they write into the vault is not the person's.

    Args:
        call: the circumstances.
        due: of `check_result`.
        root: the root of the project, where they run.
        environment: all that they see of this process's variables.
        session: the agent's session.
        seconds: for all of them together.
    """
    import time

    told: list[str] = []
    end = time.monotonic() + seconds
    for one in due:
        ran = run(one.argv, root=root, environment=environment, seconds=end - time.monotonic())
        act = RuleAct.RAN if ran.code == 0 else RuleAct.FAILED
        happened(call, act, (one.id,), session=session)
        told.append(_told(ran))
    return "\n\n".join(told)


def run(
    argv: tuple[str, ...], *, root: Path, environment: Mapping[str, str], seconds: float
) -> Ran:
    """Run one command to its end, and end all that it started when its time is over."""
    import subprocess  # seldom needed, and slow to import

    program = shutil.which(argv[0], path=environment.get("PATH", ""))
    if os.sep in argv[0]:
        program = argv[0]
    if program is None or seconds <= 0:
        return Ran(argv, None, "", "there is no such program" if seconds > 0 else "no time left")
    try:
        process = subprocess.Popen(  # noqa: S603 - the person listed exactly this command
            (program, *argv[1:]),
            cwd=root,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Ran(argv, None, "", f"it could not be started ({error.strerror})")
    with process:
        return _finish(process, argv, seconds)


def _finish(process: subprocess.Popen[bytes], argv: tuple[str, ...], seconds: float) -> Ran:
    import subprocess

    kept = bytearray()
    pipe = process.stdout
    reader = threading.Thread(target=keep_end, args=(pipe, kept, MOST_BYTES), daemon=True)
    reader.start()
    code: int | None = None
    trouble = ""
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        trouble = "it took too long and was ended"
    end_group(process)
    reader.join(_LEFT)
    return Ran(argv, code, bytes(kept).decode("utf-8", "replace"), trouble)


def _told(ran: Ran) -> str:
    from vaultmem.services.capturing.secret_scan import redact  # seldom, and slow to import

    end = f"exit code {ran.code}" if ran.code is not None else ran.trouble
    head = f"vaultmem: `{visible_line(' '.join(ran.argv))}` ran afterwards, by the user's rule: "
    lines = [_line(line) for line in redact(ran.output).splitlines()]
    lines = [line for line in lines if line.strip()]
    kept = lines[-MOST_LINES:]
    while kept and sum(map(len, kept)) > MOST_CHARACTERS:
        del kept[0]
    left = [f"| … {count(len(lines) - len(kept), 'line')} above"] if len(kept) < len(lines) else []
    return "\n".join((f"{head}{end}.", *left, *(f"| {line}" for line in kept)))


def _line(line: str) -> str:
    """A line of output that shows all it says, its indentation kept."""
    shown = visible_line(line, LONGEST_LINE)
    return " " * min(len(line) - len(line.lstrip(" ")), 40) + shown
