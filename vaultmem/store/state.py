"""This machine's folders for one vault, bound to the vault's id and to where it really lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import is_id, ulid
from vaultmem.core.settings import DEFAULT_ROOT, SETTINGS_NOTE
from vaultmem.core.wording import argument
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError, UnsafePathError, VaultIdError
from vaultmem.store.private import create_private, private_folder, read_private, write_private

if TYPE_CHECKING:
    from vaultmem.config import HomeDirs
    from vaultmem.store.key import KeyFile
    from vaultmem.store.lock import VaultLock

DEVICE_NAME = "device"
BINDING_NAME = "binding.json"


class Binding(NamedTuple):
    """Which vault a state folder serves."""

    id: str
    path: str
    """Absolute, all links resolved."""
    root: str
    """The memory root, relative to `path`; says where that vault's settings are."""


class VaultState(NamedTuple):
    """The state and cache folders of one vault on this machine; both exist and are 0700."""

    vault_id: str
    device: str
    folder: Path
    cache: Path
    findings: tuple[Finding, ...] = ()

    @classmethod
    def open(
        cls,
        home: HomeDirs,
        vault_id: str,
        vault: Path,
        *,
        root: str = DEFAULT_ROOT,
        moved: bool = False,
    ) -> VaultState:
        """Make or find the folders for the vault with that id, which lies at `vault`.

        A vault that lies elsewhere than last time keeps its state if nothing with its id is left at
        the old place (a finding says so). Otherwise one of the two is a copy, and only the person
        knows which.

        Args:
            home: this machine's config, state and cache folders.
            vault_id: the `id` of the vault's `Settings.md`.
            vault: the vault's folder; links in it are resolved here.
            root: the memory root, relative to the vault.
            moved: the person said that the vault moved here, so do not ask.

        Raises:
            VaultIdError: if the id is malformed, or another live vault has it.
            UnsafePathError: if a folder is a link or belongs to another user.
            ReadOnlyError, DiskFailedError: if a folder or file cannot be made.
        """
        if not is_id(vault_id, "vault"):
            raise VaultIdError(
                f"{vault_id!r} is not the id of a vault. Correct or remove the `id` line of "
                f"{root}/{SETTINGS_NOTE} in {vault}."
            )
        folder, cache = home.state / vault_id, home.cache / vault_id
        findings = [
            finding("VM401", f"Other users could reach {path}; it is 0700 now.", path=str(path))
            for path in (home.state, folder, home.cache, cache)
            if private_folder(path)
        ]
        here = Binding(vault_id, os.path.realpath(vault), root)
        findings += _bind(folder / BINDING_NAME, here, moved=moved)
        device, more = _device(home.state / DEVICE_NAME)
        return cls(
            vault_id=vault_id,
            device=device,
            folder=folder,
            cache=cache,
            findings=(*findings, *more),
        )

    @property
    def key_file(self) -> KeyFile:
        """Where this device keeps its copy of the vault's key."""
        from vaultmem.store.key import KeyFile  # a plain report needs no key

        return KeyFile(self.folder / "key", self.vault_id)

    @property
    def history(self) -> Path:
        """The versions of the notebook (`store.notebook_history`)."""
        return self.folder / "history.git"

    @property
    def crash_log(self) -> Path:
        """Where a bug leaves its trace, whichever vault it met (`config.HomeDirs.crash_log`)."""
        return self.folder.parent / "crash.log"

    def lock(self, *, timeout: float | None = None) -> VaultLock:
        """The vault's lock, one writer at a time; waits `timeout` seconds, or as long as usual."""
        from vaultmem.store.lock import TIMEOUT_SECONDS, VaultLock  # only writers

        return VaultLock(
            self.folder / "lock", timeout=TIMEOUT_SECONDS if timeout is None else timeout
        )


def read_binding(folder: Path) -> Binding | None:
    """Which vault the state folder serves, or None if that is not recorded or cannot be read."""
    import json  # only needed here

    data = read_private(folder / BINDING_NAME)
    try:
        raw = json.loads(data or b"")
        return Binding(str(raw["id"]), str(raw["path"]), str(raw["root"]))
    except (ValueError, KeyError, TypeError):
        return None


def known_id(home: HomeDirs, vault: Path, root: str) -> str | None:
    """The id of the vault that this machine last knew there, with that memory root, or None."""
    here = os.path.realpath(vault)
    for folder in sorted(home.state.glob("vault_*")):
        binding = read_binding(folder)
        if binding is None or (binding.path, binding.root) != (here, root):
            continue
        if is_id(binding.id, "vault"):
            return binding.id
    return None


def _bind(path: Path, here: Binding, *, moved: bool) -> list[Finding]:
    import json  # as above

    data = json.dumps(here._asdict()).encode() + b"\n"
    if read_private(path) is None and create_private(path, data):
        return []
    before = read_binding(path.parent)
    if before == here:
        return []
    if before is not None and before.path != here.path and not moved and _is_other(before, here):
        trust = f"vaultmem trust {argument(here.path)}"
        raise VaultIdError(
            f"The vaults at {before.path} and {here.path} have the same id. "
            f"If this one was moved, run `{trust} --moved`; "
            f"if it is a copy, run `{trust} --copied`, which gives it an own id."
        )
    write_private(path, data)
    if before is not None and before.path == here.path:
        return []
    was = f" It was at {before.path}." if before is not None else ""
    return [finding("VM402", f"This machine's state follows the vault to `{here.path}`.{was}")]


def _is_other(before: Binding, here: Binding) -> bool:
    """Whether a live vault with this id is at the old path, and it is not this very folder."""
    from vaultmem.notes.frontmatter import get_properties  # rare
    from vaultmem.store.files import read_note  # rare

    old = Path(before.path)
    try:
        if old.samefile(here.path):
            return False
        properties = get_properties(read_note(old, f"{before.root}/{SETTINGS_NOTE}"))
    except (FileNotFoundError, NotADirectoryError, NoteNotFoundError):
        return False
    except (OSError, NoteUnreadableError, UnsafePathError):
        return True  # something is there; only the person can tell what
    return properties.get("id") == here.id


def _device(path: Path) -> tuple[str, list[Finding]]:
    """This machine's random id; the first process that asks makes it."""
    made = f"dev_{ulid(int.from_bytes(os.urandom(6), 'big'), os.urandom(10))}"
    data = read_private(path)
    if data is None and create_private(path, made.encode() + b"\n"):
        return made, []
    text = (read_private(path) or b"").decode("ascii", "replace").strip()
    if is_id(text, "dev"):
        return text, []
    write_private(path, made.encode() + b"\n")
    return made, [finding("VM413")]
