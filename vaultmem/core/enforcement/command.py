"""The command of a `run_after`: its argument vector, and what no allow-list makes right.

There is no shell: a command runs only as the exact argument vector that this machine's user config
lists. What no list can allow is the topic-file memory's (§10): a download that is piped into a
shell, `rm` with options on an absolute path, `sudo`, `chmod` with a 7.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from vaultmem.core.enforcement.contains import base_name

if TYPE_CHECKING:
    from collections.abc import Collection

_SHELL = re.compile(r"[|&;<>()`\n]|\$[({\w]")
_DOWNLOADS = re.compile(r"\b(?:curl|wget)\b.*\|\s*(?:ba|z|da|k)?sh\b", re.DOTALL)
_MODE = re.compile(r"[0-7]*7[0-7]*")
MAX_COMMAND = 1_000
"""Characters of a command; an allow-list is written by hand."""


def argv_of(command: str) -> tuple[str, ...] | None:
    """The argument vector of a command; None for what only a shell could run."""
    if len(command) > MAX_COMMAND or _SHELL.search(command):
        return None
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that nothing ends
        return None
    return tuple(words) or None


def why_not_run(command: str, allowed: Collection[tuple[str, ...]]) -> str:
    """Why a command does not run, as a sentence; "" where it does.

    Args:
        command: what stands behind `run_after`.
        allowed: the argument vectors of this machine's user config.
    """
    if _is_dangerous(command):
        return "Blocked: no list can allow a command like that."
    argv = argv_of(command)
    if argv is None:
        return "Blocked: only a shell could run it, and none is used."
    if argv not in allowed:
        return "Blocked: this machine's user config does not list it under `run_after`."
    return ""


def _is_dangerous(command: str) -> bool:
    if _DOWNLOADS.search(command):
        return True
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    names = [base_name(word) for word in words]
    for at, name in enumerate(names):
        rest = words[at + 1 :]
        options = any(word.startswith("-") for word in rest)
        if name == "sudo" or (name == "chmod" and any(map(_MODE.fullmatch, rest))):
            return True
        if name == "rm" and options and any(word.startswith(("/", "~")) for word in rest):
            return True
    return False
