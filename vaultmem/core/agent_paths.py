"""Which places a tool call of an agent names: in the words of a command, or in its input.

Places are named by what is written; where that really lies is for the caller to find out.
"""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.core.shell_reader import Command, Word

MAX_FOLDERS = 8
"""Folders that the commands of one script may be in, at most; further ones are not followed."""
MAX_WORDS = 2_000
"""Words of one script that are looked at one by one."""
MAX_PATH = 4_096
"""Characters of a path, at most (PATH_MAX of Linux)."""
MAX_PATTERN = 255
"""Characters of a pattern for one name (NAME_MAX of Linux); a longer one may stand for any name."""
MAX_VALUES, MAX_NESTED = 1_000, 8
"""Values of an input, and lists within each other, that are looked at."""

_PATHS = (
    "path paths file files filepath file_path filename file_name dir directory folder cwd root "
    "target destination dest source src uri url notebook_path"
)
PATH_KEYS = frozenset(_PATHS.split())
"""Names of arguments whose value is a path, also one that does not look like one."""
_TEXTS = (
    "content contents text body message prompt query old_text new_text oldtext newtext "
    "old_string new_string description thought"
)
TEXT_KEYS = frozenset(_TEXTS.split())
"""Names of arguments whose value is a text in which a path is only mentioned."""
COMMAND_KEYS = ("command", "cmd", "script")
"""Names of arguments whose value is a command."""

_WHOLE_TREE = frozenset(("-r", "-R", "--recursive", "-rf", "-fr", "-Rf", "-fR"))
_FIND_CHANGES = frozenset(("-delete", "-exec", "-execdir", "-ok", "-okdir"))
_SPLIT = re.compile(r"[=:,]")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]|~(?:[/\\]|$)|file:", re.IGNORECASE)


class Named(NamedTuple):
    """A place that a command names.

    Attributes:
        path: absolute; its `..` and links are still in it.
        glob: `*`, `?`, `[` and `{` in it stand for names that nobody knows here.
        tree: what is done to it is done to all that lies below.
        plain: it is a word that may be anything, such as `status`.
    """

    path: str
    glob: bool = False
    tree: bool = False
    plain: bool = False


def may_be(name: str, pattern: str) -> bool:
    """Whether a pattern of a shell may stand for a name; compiling a long one takes too long."""
    return len(pattern) > MAX_PATTERN or fnmatchcase(name, pattern)


def named_places(found: Sequence[Command], cwd: str) -> Iterator[Named]:
    """Every place that the words of a script may name.

    A relative word is looked for in each folder that the script may have changed to. Any word may
    be a path: what a program makes of its arguments is not known.

    Args:
        found: the script's commands.
        cwd: the folder that it starts in, absolute.
    """
    folders = folders_of(found, cwd)
    left = MAX_WORDS
    for command in found:
        trees = _trees(command.words)
        words = [*command.words, *command.files, *(value for _, value in command.assigned)]
        files = range(len(command.words), len(command.words) + len(command.files))
        for at, word in enumerate(words[:left]):
            for text in _spellings(word.text):
                plain = at not in files and not set(text) & set("/.")
                for path in _absolute(text, folders):
                    yield Named(path, word.glob, at in trees, plain)
        left = max(0, left - len(words))


def folders_of(found: Sequence[Command], cwd: str) -> tuple[str, ...]:
    """The folders that a script may be in."""
    folders = [cwd]
    for command in found:
        names = [word.text for word in command.words]
        targets = [
            names[at + 1]
            for at, name in enumerate(names[:-1])
            if name in ("-C", "--directory") or (at == 0 and name in ("cd", "pushd", "chdir"))
        ]
        targets += [name.partition("=")[2] for name in names if name.startswith("--directory=")]
        for target in targets:
            for path in _absolute(target, list(folders)):
                if len(folders) < MAX_FOLDERS and path not in folders:
                    folders.append(path)
    return tuple(folders)


def _spellings(text: str) -> Iterator[str]:
    """The parts of a word that may be a path: `--file=a`, `a:b`, `@a`, `-Ia`, `file:///a`."""
    if not text or len(text) > MAX_PATH or "\n" in text:
        return
    if text.lower().startswith("file://"):
        yield unquote(text[7:])
        return
    if "://" in text:
        return
    yield text
    yield from (part for part in _SPLIT.split(text)[1:] if part)
    if "/" in text:
        yield from (part for part in _SPLIT.split(text)[:1] if part != text)
        if text.startswith("@"):
            yield text[1:]
        elif re.match(r"-[A-Za-z]", text):
            yield text[2:]


def _absolute(text: str, folders: Sequence[str]) -> Iterator[str]:
    if text.startswith("/") or re.match(r"[A-Za-z]:[/\\]", text):
        yield text
    elif text and not text.startswith(("-", "~")):
        yield from (posixpath.join(folder, text) for folder in folders)


def _trees(words: Sequence[Word]) -> range:
    """The places among the words of what is removed, moved or changed with all that lies in it."""
    texts = {word.text for word in words}
    for at, word in enumerate(words[:4]):
        rest = range(at + 1, len(words))
        if word.name in ("rm", "chmod", "chown", "chgrp"):
            return rest if texts & _WHOLE_TREE else range(0)
        if word.name == "mv":
            return range(0) if "-t" in texts else rest[:-1]
        if word.name == "find":
            return rest if texts & _FIND_CHANGES else range(0)
    return range(0)


def input_places(arguments: Mapping[str, object]) -> Iterator[str]:
    """Every text of a tool's input that is a path or looks like one.

    What lies within another value is judged by its own name; an item of a list by the list's.
    """
    waiting: list[tuple[str, object, int]] = [(key, value, 0) for key, value in arguments.items()]
    for key, value, depth in waiting:  # grows as values hold others
        name = key.casefold()
        if isinstance(value, str):
            if len(value) <= MAX_PATH and "\n" not in value and _may_be_path(name, value):
                yield unquote(value[7:]) if value.lower().startswith("file://") else value
        elif depth < MAX_NESTED:
            inner: list[tuple[str, object]] = []
            if isinstance(value, dict):
                inner = [(str(one), item) for one, item in value.items()]
            elif isinstance(value, list):
                inner = [(key, item) for item in value]
            room = MAX_VALUES - len(waiting)
            waiting += [(one, item, depth + 1) for one, item in inner[: max(0, room)]]


def _may_be_path(name: str, value: str) -> bool:
    if name in PATH_KEYS:
        return bool(value)
    return name not in TEXT_KEYS and bool(_ABSOLUTE.match(value))


def commands_in(arguments: Mapping[str, object]) -> Iterator[str]:
    """The commands of a tool's input, as one text each."""
    for key in COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            words = (str(one).replace("'", "'\\''") for one in value[:MAX_VALUES])
            yield " ".join(f"'{one}'" for one in words)
