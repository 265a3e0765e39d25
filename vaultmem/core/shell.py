"""A line of shell as the simple commands that it runs, with quotes removed: a pure reader.

It follows the POSIX shell's grammar of words, quotes, substitutions, redirections and here
documents (POSIX.1-2024, Shell Command Language, 2.2-2.7) as far as a reader needs who asks what a
command names. Nothing is run or looked up: `$NAME` becomes the text that the caller gives for it,
every other expansion stays as it was written. What cannot be parsed is read to its end all the
same. Takes time in proportion to the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.shell_reader import Command, Reader, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_SCRIPTS = 64
"""Texts that are handed to a shell and looked into, the first one and those within it together."""

SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "busybox"))
_READS_ARGUMENTS = frozenset(("eval", "watch", "parallel", "ssh", "trap"))
"""Programs that run their arguments, put together, as a script."""
_TAKES_SCRIPT = SHELLS | {"su", "script", "runuser", "sg"}
"""Programs that run the text after `-c` as a script."""
_WITH_C = re.compile(r"-[A-Za-z]*c[A-Za-z]*|--command")


def commands(text: str, variables: Mapping[str, str] | None = None) -> tuple[Command, ...]:
    """Every simple command of a script, those within others included.

    Args:
        text: what the shell is given.
        variables: the values of the variables that are known; `HOME` also stands for `~`. What the
            script assigns itself holds from there on.
    """
    known = dict(variables or {})
    found: list[Command] = []
    scripts = [text]
    for script in scripts:  # grows as they are read
        read = Reader(script, known).read()
        found += read
        for before, command in zip((None, *read), read, strict=False):
            scripts += (one for one in _scripts(command, before) if one)
        del scripts[MAX_SCRIPTS:]
    return tuple(found)


def _scripts(command: Command, before: Command | None) -> Iterator[str]:
    """The texts that a command hands to a shell: after `-c`, of `eval`, or as its input."""
    names = [word.name for word in command.words]
    first = next((at for at, name in enumerate(names) if name in _TAKES_SCRIPT), None)
    if first is not None:
        yield _after_c(command.words[first + 1 :])
    if names and names[0] in _READS_ARGUMENTS:
        yield " ".join(word.text for word in command.words[1:])
    if any(name in SHELLS for name in names):
        yield command.fed
        if command.piped and before is not None:
            yield before.fed
            yield "\n".join(word.text for word in before.words[1:])


def _after_c(arguments: tuple[Word, ...]) -> str:
    for at, word in enumerate(arguments):
        if _WITH_C.fullmatch(word.text):
            rest = (one.text for one in arguments[at + 1 :] if not one.text.startswith("-"))
            return next(rest, "")
    return ""
