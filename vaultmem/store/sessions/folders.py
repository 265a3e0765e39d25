"""Where the agent keeps its sessions, and which files lie there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.config import PI_AGENT, place
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.pi_agent import MAX_SETTINGS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from vaultmem.config import Environment

MAX_SESSIONS = 100_000
"""Session files of one folder that are looked at."""
_LEVELS = 3
"""Folders below the folder of sessions that are looked into; Pi has one, per working folder."""


class SessionFolder(NamedTuple):
    """A folder of session files; an archived one is left out of a search that does not ask."""

    path: Path
    archived: bool = False


class SessionFile(NamedTuple):
    """A session file as it is on the disk.

    Attributes:
        folder: the name of the folder that it lies in.
        size: in bytes.
        changed: when it changed last, in nanoseconds.
    """

    folder: str
    size: int
    changed: int
    archived: bool


class SessionFiles(NamedTuple):
    """What lies in the folders; `unread` are folders that could not be listed."""

    files: dict[str, SessionFile]
    unread: tuple[str, ...]


def session_folders(env: Environment) -> tuple[SessionFolder, ...]:
    """The folders in which Pi keeps its sessions and those that were archived; those that exist.

    The first that is named: `PI_CODING_AGENT_SESSION_DIR`, `sessionDir` of Pi's own settings,
    `sessions` of the agent's folder. A project's settings are not asked: a cloned repository could
    name any folder.
    """
    agent = place(env.pi_agent_dir or PI_AGENT)
    named = place(env.pi_sessions) or (agent and (_setting(agent) or agent / "sessions"))
    archive = agent and agent / "sessions-archive"
    wanted = ((named, False), (archive, True))
    return tuple(
        SessionFolder(path, archived)
        for path, archived in wanted
        if path is not None and path.is_dir()
    )


def session_files(folders: Iterable[SessionFolder]) -> SessionFiles:
    """Every session file of the folders, by its absolute path; links are not followed."""
    files: dict[str, SessionFile] = {}
    unread: list[str] = []
    for folder in folders:
        found = _below(str(folder.path), folder.path.name, _LEVELS, unread)
        for left, (path, name, stat) in enumerate(found):
            if left == MAX_SESSIONS:
                unread.append(str(folder.path))
                break
            one = SessionFile(name, stat.st_size, stat.st_mtime_ns, folder.archived)
            files.setdefault(path, one)
    return SessionFiles(files, tuple(unread))


def _below(
    folder: str, name: str, levels: int, unread: list[str]
) -> Iterator[tuple[str, str, os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        unread.append(folder)
        return
    for entry in found:
        try:
            entry.path.encode()
            if entry.is_dir(follow_symlinks=False):
                if levels:
                    yield from _below(entry.path, entry.name, levels - 1, unread)
            elif entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                yield entry.path, name, entry.stat(follow_symlinks=False)
        except (OSError, UnicodeEncodeError):
            continue  # gone between listing and asking, or of a name that cannot be stored


def _setting(agent: Path) -> Path | None:
    """`sessionDir` of the settings that hold for all projects."""
    data = read_bounded(agent / SETTINGS, limit=MAX_SETTINGS)
    if isinstance(data, Unread):
        return None
    import json  # most people set none

    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return place(values.get("sessionDir")) if isinstance(values, dict) else None
