"""Which files a command changed, of those that it names: looked up when it is done."""

from __future__ import annotations

import os
import re
from fnmatch import translate
from itertools import islice
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING

from vaultmem.core.agent_paths import commands_in, named_places
from vaultmem.core.shell import commands
from vaultmem.store.windows import LAG_NS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultmem.core.agent_paths import Named
    from vaultmem.core.shell_reader import Command, Word

MAX_PLACES = 400
"""Places of one call that are looked at; each costs some microseconds."""
MAX_MATCHES = 100
"""Files that one pattern of a command is looked at for."""
MAX_LISTED = 2_000
"""Names of a folder that a pattern is held against."""
_REMOVERS = frozenset(("rm", "mv", "unlink", "shred"))
_PREFIXES = 4
"""Words in which the program is looked for: `sudo -n git rm`."""


def changed_files(
    given: Mapping[str, object],
    *,
    cwd: Path,
    variables: Mapping[str, str],
    since_ns: int,
    failed: bool = False,
) -> tuple[str, ...]:
    """The files that the commands of a tool's input name and that changed since they began.

    A file counts by the times that the disk gives it, and one that is gone where it is named to a
    program that removes or moves. Nothing is listed but the folder of a pattern, so what a command
    changes without naming it is not found.

    Args:
        given: the tool's input, as the agent's host has it.
        cwd: the folder that they began in.
        variables: what the shell's variables stand for that may be part of a path.
        since_ns: when they began, nanoseconds since 1970.
        failed: the tool failed, so that a file which is not there may never have been.

    Returns:
        Absolute paths as they are spelled, each once.
    """
    found = [one for script in commands_in(given) for one in commands(script, variables)]
    gone = frozenset() if failed else _removed_names(found)
    since = since_ns - LAG_NS
    places = islice(_places(found, os.fspath(cwd.absolute())), MAX_PLACES)
    return tuple(os.fspath(one) for one in dict.fromkeys(places) if _is_changed(one, since, gone))


def _places(found: Sequence[Command], cwd: str) -> Iterator[Path]:
    """What is named, and in a folder that is named what has the name of something else."""
    named = islice(named_places(found, cwd), MAX_PLACES)
    paths = list(dict.fromkeys(path for one in named for path in _spelled(one)))
    yield from paths
    names = sorted({path.name for path in paths})
    for folder in filter(_is_folder, paths):  # as in `cp a b folder`
        yield from (folder / name for name in names)


def _spelled(one: Named) -> Iterable[Path]:
    """The path, or the files that its pattern means; only in a last name, so nothing is walked."""
    if "\0" in one.path:
        return ()
    path = Path(os.path.normpath(one.path))
    if not one.glob:
        return (path,)
    try:
        with os.scandir(path.parent) as entries:
            listed = [entry.name for entry in islice(entries, MAX_LISTED)]
    except OSError:
        return ()
    means = translate(path.name)
    return [path.parent / name for name in sorted(listed) if re.match(means, name)][:MAX_MATCHES]


def _removed_names(found: Iterable[Command]) -> frozenset[str]:
    """The names of what is given to programs that take files away."""
    return frozenset(Path(word.text).name for one in found for word in _after_remover(one.words))


def _after_remover(words: Sequence[Word]) -> Sequence[Word]:
    at = next((at for at, one in enumerate(words[:_PREFIXES]) if one.name in _REMOVERS), None)
    return () if at is None else words[at + 1 :]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, a folder that is not ours
        return False


def _is_changed(path: Path, since_ns: int, gone: frozenset[str]) -> bool:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return path.name in gone
    except OSError:
        return False
    return not S_ISDIR(found.st_mode) and max(found.st_mtime_ns, found.st_ctime_ns) >= since_ns
