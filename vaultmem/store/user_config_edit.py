"""Change the user config by command: comments, order and everything else that is written stay."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.config import TrustedVault, parse_user_config
from vaultmem.core.ids import is_id
from vaultmem.core.settings import DEFAULT_ROOT, folder_path
from vaultmem.errors import ConfigError, NameTakenError, NoteChangedError, NoteUnreadableError
from vaultmem.store.bounded import read_config
from vaultmem.store.config_text import changed_text
from vaultmem.store.disk import DISK
from vaultmem.store.etag import etag_of
from vaultmem.store.files import create_file, replace_file
from vaultmem.store.user_config import MAX_CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, MutableMapping

    from vaultmem.config import HomeDirs
    from vaultmem.notes.frontmatter import Value

    Change = Callable[[MutableMapping[str, Value]], None]

_BOM = "\ufeff"
_ATTEMPTS = 20
"""How often an edit is made anew because another process changed the file meanwhile."""


def trust(
    home: HomeDirs,
    vault: Path,
    *,
    root: str = DEFAULT_ROOT,
    vault_id: str | None = None,
    was_at: Iterable[Path] = (),
) -> TrustedVault:
    """Record that this machine may use the vault at `vault`, with its memory root and its id.

    A vault that is trusted already gets the new root and id, in the place and with the other keys
    of its entry. The real path is recorded.

    Args:
        home: this machine's config, state and cache folders.
        vault: its folder.
        root: its memory root.
        vault_id: its id, if it has one.
        was_at: where it was before it moved: no place of a vault any more, and if it was the
            default vault there, it is so here.

    Raises:
        ConfigError: if the root or the id is malformed, or `config.yaml` cannot be edited.
    """
    if folder_path(root) is None:
        raise ConfigError(f"{root!r} is no folder of a vault. Give a name such as `Memory`.")
    if vault_id is not None and not is_id(vault_id, "vault"):
        raise ConfigError(f"{vault_id!r} is no vault id. Run `vaultmem doctor` in that vault.")
    trusted = TrustedVault(Path(os.path.realpath(vault)), root, vault_id)
    entry: dict[str, Value] = {"path": str(trusted.path), "root": root}
    if vault_id is not None:
        entry["id"] = vault_id

    _check_name(trusted.path)
    left = {os.path.realpath(path) for path in was_at} - {str(trusted.path)}

    def change(values: MutableMapping[str, Value]) -> None:
        entries = _entries(values)
        default = values.get("vault")
        if isinstance(default, str) and os.path.realpath(Path(default).expanduser()) in left:
            values["vault"] = str(trusted.path)
        here = [one for one in entries if _names(one, {str(trusted.path), *left})]
        if not here:
            entries.append(dict(entry))
            return
        known = here[0] if isinstance(here[0], dict) else {}
        theirs = {key: value for key, value in known.items() if key != "id"}
        entries[entries.index(here[0])] = {**theirs, **entry}
        for one in here[1:]:
            entries.remove(one)

    edit_user_config(home, change)
    return trusted


def untrust(home: HomeDirs, vault: Path) -> bool:
    """Forget that the vault at `vault` was trusted; say whether it was.

    Raises:
        ConfigError: if `config.yaml` cannot be edited.
    """
    real = os.path.realpath(vault)
    removed = False

    def change(values: MutableMapping[str, Value]) -> None:
        nonlocal removed
        entries = _entries(values)
        for index in reversed(range(len(entries))):
            if _names(entries[index], {real}):
                del entries[index]
                removed = True
        if not entries:
            del values["trusted"]

    edit_user_config(home, change)
    return removed


def set_default_vault(home: HomeDirs, vault: Path | None) -> None:
    """Record the vault to use where nothing else names one, or that there is none.

    Raises:
        ConfigError: if `config.yaml` cannot be edited.
    """
    if vault is not None:
        _check_name(vault)
    _set(home, "vault", None if vault is None else os.path.realpath(vault))


def set_model(home: HomeDirs, name: str | None) -> None:
    """Record the embedding model, or that the one that comes with vaultmem is to be used.

    Raises:
        ConfigError: if `config.yaml` cannot be edited.
    """
    _set(home, "model", name)


def edit_user_config(home: HomeDirs, change: Change) -> None:
    """Apply `change` to what `config.yaml` holds; the rest of the file keeps its words.

    `change` is given the values and changes them; where another process writes at the same time, it
    is asked again. The file is written whole, for its user alone, and only if reading it again
    gives what was meant.

    Raises:
        ConfigError: if the file is not valid YAML, cannot be read, or would lose something; it is
            then unchanged.
        ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    path = Path(os.path.realpath(home.config_file))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"{path.parent} cannot be made ({error.strerror}). "
            "Set VAULTMEM_HOME to a folder of yours."
        ) from error
    for _ in range(_ATTEMPTS):
        old = read_config(path, limit=MAX_CONFIG)
        new = _edited(old, change, path)
        if new == (old or b""):
            return
        try:
            if old is None:
                create_file(path.parent, path.name, new)
            else:
                replace_file(path.parent, path.name, new, expected=etag_of(old))
        except (NameTakenError, NoteChangedError):
            continue
        DISK.set_mode(path, 0o600)
        return
    raise ConfigError(f"{path} keeps changing. Close the editor that has it open and try again.")


def _check_name(folder: Path) -> None:
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        name = os.fsencode(folder).decode("utf-8", "replace")
        raise ConfigError(
            f"The name of {name} is no UTF-8 text, so it cannot be written down. Rename the folder."
        ) from None


def _set(home: HomeDirs, key: str, value: str | None) -> None:
    def change(values: MutableMapping[str, Value]) -> None:
        if value is not None:
            values[key] = value
        else:
            values.pop(key, None)

    edit_user_config(home, change)


def _entries(values: MutableMapping[str, Value]) -> list[Value]:
    """The list of trusted vaults, made where it is missing or one path alone."""
    entries = values.get("trusted")
    if not isinstance(entries, list):
        entries = [] if entries is None else [entries]
        values["trusted"] = entries
    return entries


def _names(entry: Value, places: Collection[str]) -> bool:
    """Whether an entry is of a vault at one of these real paths."""
    config, _ = parse_user_config({"trusted": [entry]}, lines={}, path="")
    return any(os.path.realpath(known.path) in places for known in config.trusted)


def _edited(old: bytes | None, change: Change, path: Path) -> bytes:
    """The new bytes of the file, checked to mean the old ones with `change` applied."""
    from vaultmem.notes.frontmatter import parse_yaml

    try:
        text = (old or b"").decode("utf-8")
        body = text.removeprefix(_BOM)
        values = parse_yaml(body)
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not valid UTF-8. Save it as UTF-8 first.") from None
    except NoteUnreadableError as error:
        place = f"{path}, line {error.line}" if error.line else str(path)
        raise ConfigError(f"{place}: {error.problem} Correct it first.") from error
    wanted: dict[str, Value]
    if values is None:
        wanted = {}
    elif isinstance(values, dict):
        wanted = values
    else:
        raise ConfigError(f"{path} is not a list of `key: value` lines. Correct it first.")
    before = copy.deepcopy(wanted)
    change(wanted)
    if wanted == before:
        return old or b""
    new = changed_text(body, before, wanted)
    if new is None or not _means(new, wanted):
        raise ConfigError(
            f"{path} cannot be changed without losing something in it. Edit it by hand."
        )
    prefix = _BOM if text != body else ""
    return (prefix + new).encode()


def _means(text: str, wanted: dict[str, Value]) -> bool:
    from vaultmem.notes.frontmatter import parse_yaml

    try:
        return (parse_yaml(text) or {}) == wanted
    except NoteUnreadableError:
        return False
