"""Pi's own settings: our package in its list `packages`, and out of it again without a trace.

The file belongs to the person: every byte but the added ones stays, and taking the package out
again gives the very bytes that were there, as long as nobody else changed the file in between.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.errors import ConfigError, NameTakenError, NoteChangedError
from vaultmem.store.bounded import read_config
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import create_file, remove_file, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from vaultmem.core.json_splice import Json

SETTINGS = "settings.json"
"""In Pi's folder (facts/pi-client.md §1)."""
PACKAGES = "packages"
MAX_SETTINGS = 1 << 20
"""Bytes; Pi's own settings are a few KiB."""

T = TypeVar("T")

_BOM = "\ufeff"
_ATTEMPTS = 5


class Added(NamedTuple):
    """What was put into the file, so that it can be taken out exactly.

    Attributes:
        at: the place of the first added byte.
        length: how many there are.
        after: the version of the file that holds them.
        made: whether there was no file before.
    """

    at: int
    length: int
    after: Etag
    made: bool


class Listed(NamedTuple):
    """How Pi's settings list the package.

    Attributes:
        loaded: it is among their packages.
        filtered: the person's entry says which parts of it are loaded.
    """

    loaded: bool
    filtered: bool


def how_listed(agent: Path, folder: Path) -> Listed:
    """Whether Pi loads the package in `folder`, and how.

    Args:
        agent: Pi's folder.
        folder: of the package.

    Raises:
        ConfigError: if Pi's settings cannot be read.
    """
    path = settings_file(agent)
    _, values = _parsed(read_config(path, limit=MAX_SETTINGS), path)
    found = [isinstance(entry, dict) for entry, _ in _entries(values, path.parent, folder)]
    return Listed(bool(found), any(found))


def check_listing(agent: Path, folder: Path) -> None:
    """Raise what keeps `list_package` from its work, before anything is written.

    Raises:
        ConfigError: as `list_package`.
    """
    path = settings_file(agent)
    _with_package(read_config(path, limit=MAX_SETTINGS), agent, folder)


def list_package(agent: Path, folder: Path) -> Added | None:
    """Let Pi load the package in `folder`; None if it does so already.

    Raises:
        ConfigError: if Pi's folder is not there, or its settings cannot be read or edited.
        ReadOnlyError, DiskFailedError: if they cannot be written.
    """
    added: Added | None = None

    def change(old: bytes | None) -> bytes | None:
        nonlocal added
        new = _with_package(old, agent, folder)
        added = None if new == old or new is None else _difference(old, new)
        return new

    _edit(settings_file(agent), change)
    return added


def _with_package(old: bytes | None, agent: Path, folder: Path) -> bytes | None:
    """The settings with the package among their packages."""
    from vaultmem.core.json_splice import add_to_list

    if not agent.is_dir():
        raise ConfigError(
            f"{agent} is no folder. Start Pi once so that it makes its folder, or name it with "
            "--agent-dir."
        )
    path = settings_file(agent)
    text, values = _parsed(old, path)
    if next(_ours(values, path.parent, folder), None) is not None:
        return old
    return _spliced(path, lambda: _encode(add_to_list(text, PACKAGES, str(folder)), old))


def unlist_package(agent: Path, folder: Path, added: Added | None) -> bool:
    """Let Pi load the package in `folder` no longer; say whether it did.

    Args:
        agent: Pi's folder.
        folder: of the package.
        added: what `list_package` put in, where that is known.

    Raises:
        ConfigError: if Pi's settings cannot be read or edited.
        ReadOnlyError, DiskFailedError: if they cannot be written.
    """
    from vaultmem.core.json_splice import remove_from_list

    path = settings_file(agent)
    was_listed = False

    def change(old: bytes | None) -> bytes | None:
        nonlocal was_listed
        text, values = _parsed(old, path)
        entries = tuple(_ours(values, path.parent, folder))
        was_listed = bool(entries)
        if not entries or old is None:
            return old
        if added is not None and etag_of(old) == added.after:
            if added.made:
                return None
            before = old[: added.at] + old[added.at + added.length :]
            if _becomes(before, old, agent, folder):
                return before
        for entry in entries:
            text = remove_from_list(text, PACKAGES, entry)
        return _encode(text, old)

    _edit(path, change)
    return was_listed


def _becomes(before: bytes, old: bytes, agent: Path, folder: Path) -> bool:
    """Whether adding the package to `before` gives `old`: what was recorded may be damaged."""
    try:
        return before != old and _with_package(before, agent, folder) == old
    except ConfigError:
        return False


def settings_file(agent: Path) -> Path:
    """The file itself, also where the person keeps it elsewhere and a link leads to it."""
    return Path(os.path.realpath(agent / SETTINGS))


def _ours(values: Mapping[str, Json], base: Path, folder: Path) -> Iterator[str]:
    """The sources in the list that are the package in `folder`, refused where filters stand."""
    for entry, source in _entries(values, base, folder):
        if isinstance(entry, dict):
            raise ConfigError(
                f"{base / SETTINGS} lists the package with filters of yours, which would be "
                f"lost. Remove the entry with `pi remove {folder}`."
            )
        yield source


def _entries(values: Mapping[str, Json], base: Path, folder: Path) -> Iterator[tuple[Json, str]]:
    """The entries of the list that are the package in `folder`; relative ones start at `base`."""
    entries = values.get(PACKAGES)
    for entry in entries if isinstance(entries, list) else ():
        source = entry.get("source") if isinstance(entry, dict) else entry
        if isinstance(source, str) and _is_same(base / source, folder):
            yield entry, source


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # a NUL in what somebody wrote
        return False


def _parsed(data: bytes | None, path: Path) -> tuple[str, dict[str, Json]]:
    from vaultmem.core.json_splice import load

    try:
        text = (data or b"").decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not valid UTF-8. Save it as UTF-8 first.") from None
    return text, _spliced(path, lambda: load(text))


def _spliced(path: Path, work: Callable[[], T]) -> T:
    from vaultmem.core.json_splice import SpliceError

    try:
        return work()
    except SpliceError as error:
        raise ConfigError(f"{path} cannot be edited: {error} Correct it first.") from error


def _encode(text: str, old: bytes | None) -> bytes:
    bom = _BOM if (old or b"").startswith(_BOM.encode()) else ""
    return (bom + text).encode("utf-8", "surrogatepass")


def _difference(old: bytes | None, new: bytes) -> Added | None:
    """What `new` has more than `old`, where that is one piece."""
    before = old or b""
    length = len(new) - len(before)
    at = next((place for place, byte in enumerate(before) if new[place] != byte), len(before))
    if new[at + length :] != before[at:]:
        return None
    return Added(at, length, etag_of(new), made=old is None)


def _edit(path: Path, change: Callable[[bytes | None], bytes | None]) -> None:
    """Write what `change` makes of the file, None for none; again if another wrote meanwhile."""
    for _ in range(_ATTEMPTS):
        old = read_config(path, limit=MAX_SETTINGS)
        new = change(old)
        try:
            if new == old:
                return
            if new is None:
                remove_file(path.parent, path.name, expected=etag_of(old or b""))
            elif old is None:
                create_file(path.parent, path.name, new)
            else:
                replace_file(path.parent, path.name, new, expected=etag_of(old))
        except (NameTakenError, NoteChangedError):
            continue
        return
    raise ConfigError(f"{path} keeps changing. Close Pi and try again.")
