"""What a project says to vaultmem in its `.pi/settings.json`; it is read as a stranger's words.

The keys are `vaultmem.vault` and `vaultmem.project`: an object `vaultmem` with these keys, or the
two names with the dot. A cloned repository brings this file along, so it decides nothing alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.store.bounded import Unread, read_inside

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SETTINGS = ".pi/settings.json"
MAX_SETTINGS = 1 << 20
"""Bytes; Pi's own settings of a project are a few KiB."""

_MAX_VALUE = 4096
"""Characters of a path (PATH_MAX of Linux)."""


class Said(NamedTuple):
    """A value and the project folder whose settings say it."""

    value: str
    folder: Path


class ProjectSettings(NamedTuple):
    """What the nearest settings say of each key, and what is wrong with any of them."""

    vault: Said | None = None
    project: Said | None = None
    findings: tuple[Finding, ...] = ()


def read_project_settings(folders: Iterable[Path]) -> ProjectSettings:
    """Read the settings of a project; of two folders that say a key, the first wins."""
    vault, project, findings = None, None, []
    for folder in folders:
        values = _read(folder)
        if isinstance(values, Finding):
            findings.append(values)
            continue
        for key in ("vault", "project"):
            value = values.get(key)
            if value is None:
                continue
            if not isinstance(value, str) or not value.strip() or len(value) > _MAX_VALUE:
                findings.append(_wrong(folder, f"`vaultmem.{key}` is not a short text"))
            elif key == "vault":
                vault = vault or Said(value.strip(), folder)
            else:
                project = project or Said(value.strip(), folder)
    return ProjectSettings(vault, project, tuple(findings))


def _read(folder: Path) -> dict[str, object] | Finding:
    data = read_inside(folder, SETTINGS, limit=MAX_SETTINGS)
    if isinstance(data, Unread):
        return {} if data.missing else _wrong(folder, data.why)
    import json  # most projects have no such file

    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return _wrong(folder, "is not valid JSON")
    if not isinstance(values, dict):
        return _wrong(folder, "is not a JSON object")
    nested = values.get("vaultmem")
    if nested is not None and not isinstance(nested, dict):
        return _wrong(folder, "`vaultmem` is not an object")
    dotted = {key: values.get(f"vaultmem.{key}") for key in ("vault", "project")}
    return dotted | (nested or {})


def _wrong(folder: Path, why: str) -> Finding:
    path = str(folder / SETTINGS)
    return finding("VM208", f"The project's settings are not used: {path} {why}.", path=path)
