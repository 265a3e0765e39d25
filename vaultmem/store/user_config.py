"""The user config, `config.yaml`: read with its findings, by a parsed copy where nothing changed.

Reading YAML costs more than everything else that a cold report does, so a JSON copy of what the
file holds lies in the state folder. It counts only while the file's stat is the one it was made
from, and it is checked like the file itself. Edits are in `store.user_config_edit`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.config import UserConfig, parse_user_config
from vaultmem.core.finding import Finding, finding
from vaultmem.core.settings import line_of
from vaultmem.errors import NoteUnreadableError
from vaultmem.store.bounded import Unread, read_bounded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.config import HomeDirs

MAX_CONFIG = 1 << 20
"""Bytes of `config.yaml`; a person writes a few hundred."""

WHOLE_FILE = ("VM201", "VM204")
"""Findings of a file that cannot be read at all, as opposed to one of its keys."""
COPY_NAME = "config.json"
_COPY_VERSION = 1

_Stat = list[int]
"""mtime_ns, size, inode, ctime_ns: what tells a changed file without reading it."""


class LoadedConfig(NamedTuple):
    """The user config as far as it could be read, and what is wrong with it."""

    config: UserConfig
    findings: tuple[Finding, ...] = ()

    @property
    def unread(self) -> Finding | None:
        """Why nothing of the file counts, where it cannot be read at all."""
        return next((one for one in self.findings if one.code in WHOLE_FILE), None)

    @property
    def why_unread(self) -> str:
        """The same as sentences that name the line; "" where the file was read."""
        if (one := self.unread) is None:
            return ""
        where = f"line {one.line} of {one.path}" if one.line else one.path
        return f"{one.message} {one.remedy} It is {where}."


class _Parsed(NamedTuple):
    values: Mapping[str, object]
    lines: Mapping[str, int]


def read_user_config(home: HomeDirs) -> LoadedConfig:
    """Read `config.yaml`; an absent or broken one means the defaults, and never raises.

    A symbolic link is followed: the folder is the user's own, and many keep it elsewhere.
    """
    path = home.config_file
    before = _stat(path)
    if before is not None and (copy := _read_copy(home, before)) is not None:
        return _loaded(copy, path)
    data = read_bounded(path, limit=MAX_CONFIG)
    if isinstance(data, Unread):
        if data.missing:
            return LoadedConfig(UserConfig())
        message = f"The user config {data.why}; its defaults are used."
        return LoadedConfig(UserConfig(), (finding("VM204", message, path=str(path)),))
    parsed = _parse(data, path)
    if isinstance(parsed, Finding):
        return LoadedConfig(UserConfig(), (parsed,))
    if before is not None and _stat(path) == before:
        _write_copy(home, before, parsed)
    return _loaded(parsed, path)


def _loaded(parsed: _Parsed, path: Path) -> LoadedConfig:
    return LoadedConfig(*parse_user_config(parsed.values, lines=parsed.lines, path=str(path)))


def _parse(data: bytes, path: Path) -> _Parsed | Finding:
    from vaultmem.notes.frontmatter import parse_yaml  # only where the copy is old

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "The user config is not valid UTF-8; its defaults are used."
        return finding("VM204", message, path=str(path), line=line)
    try:
        values = parse_yaml(text)
    except NoteUnreadableError as error:
        message = f"The user config is not valid YAML; its defaults are used. {error.problem}"
        return finding("VM201", message, path=str(path), line=error.line)
    if values is None:
        values = {}
    if not isinstance(values, dict):
        message = "The user config is not a list of `key: value` lines; its defaults are used."
        return finding("VM201", message, path=str(path), line=1)
    lines = {key: found for key in values if (found := line_of(text, key)) is not None}
    return _Parsed(dict(values), lines)


def _stat(path: Path) -> _Stat | None:
    try:
        found = os.stat(path)  # noqa: PTH116  (faster on the cold path)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns]


def _read_copy(home: HomeDirs, stat: _Stat) -> _Parsed | None:
    """What the copy holds, if it was made from the file that is there now."""
    import json  # only where there is a user config

    data = read_bounded(home.state / COPY_NAME, limit=8 * MAX_CONFIG, follow=False)
    if isinstance(data, Unread):
        return None
    try:
        copy = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(copy, dict) or (copy.get("version"), copy.get("stat")) != (
        _COPY_VERSION,
        stat,
    ):
        return None
    values, lines = copy.get("values"), copy.get("lines")
    if not isinstance(values, dict) or not isinstance(lines, dict):
        return None
    return _Parsed(values, {key: line for key, line in lines.items() if isinstance(line, int)})


def _write_copy(home: HomeDirs, stat: _Stat, parsed: _Parsed) -> None:
    """Keep a parsed copy for the next start; where that fails, the next start reads the YAML."""
    import json

    from vaultmem.store.private import keep_copy

    copy = {
        "version": _COPY_VERSION,
        "stat": stat,
        "values": parsed.values,
        "lines": dict(parsed.lines),
    }
    keep_copy(home.state / COPY_NAME, json.dumps(copy).encode())
