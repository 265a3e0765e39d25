"""`Settings.md` of a vault: read with its findings, written one property at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.governance import NOTHING_SAID, Said, read_said
from vaultmem.core.settings import ID, REPORT_BUDGET, SETTINGS_NOTE, Settings, line_of
from vaultmem.core.settings import read_settings as read_properties
from vaultmem.errors import ConfigError, NoteUnreadableError, naming
from vaultmem.store.bounded import Unread, read_inside

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.store.etag import Etag

IN_FORCE = "settings"
"""Key of the baseline's `meta` for the text of the settings that hold."""
MAX_SETTINGS = 1 << 20
"""Bytes of `Settings.md`; beyond that it is no settings note of a person."""

_LAST_HOLD = "the last ones that this machine knows hold, else the defaults."

_BODY = """\
# Settings of this memory

This note holds the id and the settings of the memory that vaultmem keeps in this folder. Edit the \
properties above; they hold from the next command on. A property that you remove has its default.

- `report_budget`: how many tokens the recalled memories may take in one situation report (1700).
- `root`: the folder that this note lies in, as seen from the vault.
- `notebook_device`: the one device that rewrites the notebook; `vaultmem notebook on` writes it.
- `id`: tells this vault from every other one. Leave it as it is, also in a copy on another device.

You may add `governance_mode`, `curator_auto_curate` and others that say what becomes a memory by \
itself; the configuration page of the manual lists them. They can only ask for more care than the \
user config.

What may run programs, connect or read elsewhere is never set here but in the user config of each \
machine.
"""


class LoadedSettings(NamedTuple):
    """A vault's settings as far as they could be read, what is wrong, and the bytes read."""

    settings: Settings
    findings: tuple[Finding, ...] = ()
    data: bytes | None = None
    said: Said = NOTHING_SAID
    """What the vault says of the keys of governance; the app compares it with the user config."""

    @property
    def etag(self) -> Etag | None:
        """The version that was read, for a write; None where there was no note."""
        from vaultmem.store.etag import etag_of  # hashing is slow to import, and reads need none

        return None if self.data is None else etag_of(self.data)


def settings_path(root: str) -> str:
    """The vault-relative path of the settings of the memory root `root`."""
    return f"{root}/{SETTINGS_NOTE}"


def text_of(data: bytes) -> str:
    """The note as the baseline keeps it."""
    return data.decode("utf-8", "replace")


def read_settings(vault: Path, root: str) -> LoadedSettings:
    """Read the settings in the memory root `root` of `vault`; what is wrong means the default.

    Never raises for what a note may hold. Unknown properties are the person's and not mentioned.
    """
    path = settings_path(root)
    data = read_inside(vault, path, limit=MAX_SETTINGS)
    if isinstance(data, Unread):
        code = "VM212" if data.missing else "VM210"
        message = f"`{path}` {data.why}; {_LAST_HOLD}"
        return LoadedSettings(Settings(), (finding(code, message, path=path),))
    return parse_settings(data, path=path, root=root)


def parse_settings(data: bytes, *, path: str, root: str) -> LoadedSettings:
    """The settings that the bytes of the note at `path` spell."""
    from vaultmem.notes.frontmatter import get_properties

    try:
        properties = get_properties(data)
    except NoteUnreadableError as error:
        message = f"The vault's settings cannot be read; {_LAST_HOLD} {error.problem}"
        broken = finding("VM210", message, path=path, line=error.line)
        return LoadedSettings(Settings(), (broken,), data)
    settings, wrong = read_properties(properties)
    said, wrong_said = read_said(properties)
    wrong += wrong_said
    if not wrong and settings.root in (None, root):
        return LoadedSettings(settings, (), data, said)
    text = data.decode("utf-8", "replace")
    findings = []
    for key, allowed in wrong:
        if key == ID.name:
            findings.append(finding("VM214", path=path, line=line_of(text, key)))
        else:
            message = f"`{key}` must be {allowed}; the default is used."
            findings.append(finding("VM211", message, path=path, line=line_of(text, key)))
    if settings.root not in (None, root):
        message = f"The setting `root` is {settings.root!r}, but the settings lie in {root!r}."
        findings.append(finding("VM213", message, path=path, line=line_of(text, "root")))
    return LoadedSettings(settings, tuple(findings), data, said)


def write_settings(
    vault: Path, root: str, changes: Mapping[str, object], *, expected: Etag
) -> Etag:
    """Set properties of `Settings.md`; every other byte of the note stays.

    The caller holds the vault's lock and names the version that it read.

    Raises:
        ConfigError: if the note is not there or cannot be read.
        EditRefusedError, NoteUnreadableError: if the block cannot be edited without loss.
        NoteChangedError, ReadOnlyError, DiskFailedError: as `store.files.replace_file`.
    """
    from vaultmem.notes.frontmatter import set_properties
    from vaultmem.store.files import replace_file  # reading needs no writer

    path = settings_path(root)
    data = read_inside(vault, path, limit=MAX_SETTINGS)
    if isinstance(data, Unread):
        raise ConfigError(f"{path} {data.why}. Put the note back, or run `vaultmem init PATH`.")
    with naming(path):
        changed = set_properties(data, changes)
    return replace_file(vault, path, changed, expected=expected)


def new_settings(root: str, *, vault_id: str | None = None) -> bytes:
    """The settings note of a new memory root, with every default written out for the person."""
    from vaultmem.notes.frontmatter import new_note

    properties: dict[str, object] = {} if vault_id is None else {ID.name: vault_id}
    properties |= {"type": "settings", "root": root, REPORT_BUDGET.name: REPORT_BUDGET.default}
    return new_note(properties, _BODY)
