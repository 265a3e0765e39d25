"""Install the extension into Pi, take it out again, and tell how it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem import __version__
from vaultmem.config import PI_AGENT, place
from vaultmem.core.finding import finding
from vaultmem.errors import ConfigError, DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.resources import resource
from vaultmem.services.call import refuse_agent
from vaultmem.store.etag import Etag
from vaultmem.store.pi_agent import (
    SETTINGS,
    Added,
    check_listing,
    how_listed,
    list_package,
    unlist_package,
)
from vaultmem.store.private import private_folder, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.config import Environment, HomeDirs
    from vaultmem.core.finding import Finding

EXTENSION = "extensions/vaultmem.ts"
RUNTIME = "runtime.json"
"""How the extension starts us; it is made for this machine."""

_SHIPPED = ("package.json", "tools.json", EXTENSION)
_RECORD = "installed.json"
_MODULE = ("-I", "-m", "vaultmem.hooks")


class PiChanged(NamedTuple):
    """What an installation, or its end, did.

    Attributes:
        folder: where the package lies.
        agent_dir: Pi's folder.
        changed: files that were written or removed, absolute.
    """

    folder: Path
    agent_dir: Path
    changed: tuple[Path, ...]


class PiStatus(NamedTuple):
    """How the package stands.

    Attributes:
        folder: where it lies, or would.
        agent_dir: Pi's folder.
        listed: Pi loads it.
        filtered: the person's entry in Pi's settings says which parts of it are loaded.
        complete: every file is there as this version ships it.
        interpreter: the Python that the extension starts, "" where nothing says.
        runnable: whether that Python is there.
    """

    folder: Path
    agent_dir: Path
    listed: bool
    filtered: bool
    complete: bool
    interpreter: str
    runnable: bool

    @property
    def ok(self) -> bool:
        """Whether Pi has the memory of this version."""
        return self.listed and self.complete and self.runnable

    def problems(self) -> list[str]:
        """A sentence for each thing that is missing."""
        if not self.interpreter:
            return ["The extension is not installed."]
        told = []
        if not self.listed:
            told.append("Pi's settings do not list it.")
        if not self.complete:
            told.append("It is not the one of this version.")
        if not self.runnable:
            told.append(f"It starts {self.interpreter}, which is not there.")
        return told


def agent_folder(env: Environment, named: Path | None) -> Path:
    """Pi's folder: the one that is named, that of the environment, or its own choice.

    Raises:
        ConfigError: if the variable names no usable path.
    """
    found = place(str(named or env.pi_agent_dir or PI_AGENT))
    if found is None:
        raise ConfigError("PI_CODING_AGENT_DIR is no absolute path. Name Pi's with --agent-dir.")
    return found


def install_package(
    home: HomeDirs, agent_dir: Path, *, interpreter: str, agent: str | None
) -> PiChanged:
    """Write the package into the config folder and let Pi load it; a second time changes nothing.

    Args:
        home: this machine's folders.
        agent_dir: Pi's folder.
        interpreter: the Python to start, absolute.
        agent: the agent that calls, if one does.

    Raises:
        AgentRefusedError: if an agent calls.
        ConfigError: if Pi's folder is not there, or its settings cannot be edited.
        UnsafePathError, ReadOnlyError, DiskFailedError: if something cannot be written.
        FileNotFoundError: if this installation of ours lacks the package.
    """
    refuse_agent("pi install", agent)
    folder = home.pi_package
    check_listing(agent_dir, folder)  # else files would be left that no Pi loads
    changed = [
        path
        for relative, data in _files(interpreter).items()
        if _write(path := folder / relative, data)
    ]
    record = _read_record(folder)
    added = list_package(agent_dir, folder)
    if added is not None:
        changed.append(agent_dir / SETTINGS)
    if added is not None or str(agent_dir) not in record:
        _write(folder / _RECORD, _spell({**record, str(agent_dir): added}))
    return PiChanged(folder, agent_dir, tuple(changed))


def uninstall_package(home: HomeDirs, agent_dir: Path, *, agent: str | None) -> PiChanged:
    """Take the package out of Pi; its files go with the last Pi that loads it.

    Raises:
        AgentRefusedError: if an agent calls.
        ConfigError: if Pi's settings cannot be edited.
        UnsafePathError, ReadOnlyError, DiskFailedError: if something cannot be written.
    """
    refuse_agent("pi uninstall", agent)
    folder = home.pi_package
    record = _read_record(folder)
    added = record.pop(str(agent_dir), None)
    changed = []
    if unlist_package(agent_dir, folder, added):
        changed.append(agent_dir / SETTINGS)
    if record:
        _write(folder / _RECORD, _spell(record))
    else:
        changed += _remove(folder)
    return PiChanged(folder, agent_dir, tuple(changed))


def package_status(home: HomeDirs, agent_dir: Path) -> PiStatus:
    """Look, and change nothing.

    Raises:
        ConfigError: if Pi's settings cannot be read.
        UnsafePathError, ReadOnlyError, DiskFailedError: if the package cannot be read.
    """
    folder = home.pi_package
    interpreter = _interpreter(folder)
    wanted = _files(interpreter)
    found = how_listed(agent_dir, folder)
    return PiStatus(
        folder=folder,
        agent_dir=agent_dir,
        listed=found.loaded,
        filtered=found.filtered,
        complete=all(read_private(folder / name) == data for name, data in wanted.items()),
        interpreter=interpreter,
        runnable=bool(interpreter) and Path(interpreter).is_file(),
    )


def package_findings(home: HomeDirs) -> list[Finding]:
    """What keeps the Pis into which we were installed from having this memory; never raises."""
    folder = home.pi_package
    try:
        found = [package_status(home, Path(agent_dir)) for agent_dir in _read_record(folder)]
    except (ConfigError, UnsafePathError, ReadOnlyError, DiskFailedError) as error:
        return [finding("VM912", str(error), path=str(folder))]
    listed = [one for one in found if one.listed]
    if not listed:
        return []
    if not listed[0].runnable:
        return [finding("VM911", f"{listed[0].interpreter} is not there.", path=str(folder))]
    return [] if listed[0].complete else [finding("VM910", path=str(folder))]


def installed_in(home: HomeDirs) -> tuple[Path, ...]:
    """The folders of the Pis into which we were installed; none where that cannot be read."""
    try:
        return tuple(map(Path, _read_record(home.pi_package)))
    except (UnsafePathError, ReadOnlyError, DiskFailedError):
        return ()


def _files(interpreter: str) -> dict[str, bytes]:
    """Every file of the package with its bytes."""
    shipped = resource("templates") / "pi"
    files = {name: (shipped / name).read_bytes() for name in _SHIPPED}
    runtime = {"interpreter": interpreter, "arguments": _MODULE, "program": __version__}
    return {**files, RUNTIME: json.dumps(runtime, indent=2).encode() + b"\n"}


def _write(path: Path, data: bytes) -> bool:
    private_folder(path.parent)
    if read_private(path) == data:
        return False
    write_private(path, data)
    return True


def _remove(folder: Path) -> list[Path]:
    """Remove the files that are ours, and the folders that are then empty."""
    removed = []
    for name in (*_SHIPPED, RUNTIME, _RECORD):
        path = folder / name
        if path.is_file():
            path.unlink()
            removed.append(path)
    for place_ in (folder / "extensions", folder):
        if place_.is_dir() and not any(place_.iterdir()):
            place_.rmdir()
    return removed


def _interpreter(folder: Path) -> str:
    values = _json(folder / RUNTIME)
    found = values.get("interpreter")
    return found if isinstance(found, str) else ""


def _read_record(folder: Path) -> dict[str, Added | None]:
    """The Pis that load the package, by their folder, with what was put into their settings."""
    return {name: _added(value) for name, value in _json(folder / _RECORD).items()}


def _added(value: object) -> Added | None:
    match value:
        case {"at": int(at), "length": int(length), "after": str(after), "made": bool(made)}:
            return Added(at, length, Etag(after), made)
    return None


def _spell(record: Mapping[str, Added | None]) -> bytes:
    values = {name: None if added is None else added._asdict() for name, added in record.items()}
    return json.dumps(values, indent=2).encode() + b"\n"


def _json(path: Path) -> dict[str, object]:
    """A file of ours; one that is not there or damaged says nothing."""
    try:
        values: object = json.loads(read_private(path) or b"{}")
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}
