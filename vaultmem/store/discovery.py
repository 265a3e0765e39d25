"""Which vault a command works on, in a fixed order of rules; what a project says needs trust."""

from __future__ import annotations

import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.settings import DEFAULT_ROOT, SETTINGS_NOTE
from vaultmem.core.wording import argument
from vaultmem.errors import (
    NoteUnreadableError,
    NoVaultError,
    UnsafePathError,
    VaultNotFoundError,
    VaultNotTrustedError,
)
from vaultmem.store.checkout import MAX_LEVELS
from vaultmem.store.paths import is_link, resolve_inside
from vaultmem.store.project import locate
from vaultmem.store.settings import MAX_SETTINGS, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultmem.config import Environment, TrustedVault, UserConfig
    from vaultmem.store.pi_settings import ProjectSettings

MAX_CHILDREN = 1000
"""Folders of a vault that are looked at for a memory root of another name than the usual one."""


class Rule(StrEnum):
    """The rule that found the vault, in their order."""

    OPTION = "--vault"
    VARIABLE = "VAULTMEM_VAULT"
    PROJECT = "project settings"
    PARENT = "parent folder"
    CONFIG = "user config"
    PI = "PI_VAULT_PATH"


class FoundVault(NamedTuple):
    """A vault with its memory root.

    Attributes:
        path: the vault's real path.
        root_name: the memory root, relative to it.
        why: the rule that found it.
        findings: vaults that were named and not used, and why.
    """

    path: Path
    root_name: str
    why: Rule
    findings: tuple[Finding, ...] = ()


def find_vault(
    explicit: str | Path | None,
    env: Environment,
    cwd: Path,
    config: UserConfig,
    *,
    settings: ProjectSettings | None = None,
) -> FoundVault:
    """The vault to use: `--vault`, `VAULTMEM_VAULT`, the project's, a parent folder, the default.

    The project's settings and the parent folders count only for a vault that the user config
    trusts, by real path and, where one is recorded, by id. Everything else is the person's word.

    Args:
        explicit: what `--vault` was given.
        env: the environment.
        cwd: the working folder.
        config: the user config.
        settings: the project's settings, if the caller has read them already.

    Raises:
        VaultNotFoundError: if no rule names a vault, or one names a folder that is none.
        VaultNotTrustedError: if the only vault that is named is not trusted here.
    """
    search = _Search(config, cwd)
    if explicit is not None:
        chosen = next((rule for rule in Rule if rule == env.chosen_by), Rule.OPTION)
        return search.named(str(explicit), Rule.OPTION)._replace(why=chosen)
    search.tried.append("--vault was not given")
    if env.vault is not None:
        return search.named(env.vault, Rule.VARIABLE)
    search.tried.append("VAULTMEM_VAULT is not set")
    found = search.by_project(settings) or search.by_parent()
    if found is not None:
        return found
    if config.vault is not None:
        return search.named(str(config.vault), Rule.CONFIG)
    search.tried.append("the user config names no vault")
    return search.by_pi(env.pi_vault_path) or search.give_up()


def find_root(vault: Path, config: UserConfig) -> tuple[str | None, tuple[Finding, ...]]:
    """The memory root of a vault: as trusted, else `Memory`, else a folder that is marked as one.

    A folder is marked by a `Settings.md` of `type: settings`. Links are reported, never followed.
    """
    trusted = trusted_entry(Path(os.path.realpath(vault)), config)
    if trusted is not None and _is_folder(vault, trusted.root):
        return trusted.root, ()
    findings = []
    for relative in (DEFAULT_ROOT, f"{DEFAULT_ROOT}/{SETTINGS_NOTE}"):
        if _is_link(vault / relative):
            message = f"`{relative}` in {vault} is a symbolic link, which is never followed."
            findings.append(finding("VM209", message, path=relative))
    if not findings and _is_file(vault, f"{DEFAULT_ROOT}/{SETTINGS_NOTE}"):
        return DEFAULT_ROOT, ()
    marked = [name for name in _children(vault) if is_marked(vault, name)]
    return (marked[0] if marked else None), tuple(findings)


def trusted_entry(real: Path, config: UserConfig) -> TrustedVault | None:
    """The entry of the user config for the vault at the real path `real`, if there is one."""
    for entry in config.trusted:
        if _same(entry.path, real):
            return entry
    return None


def is_marked(vault: Path, root: str) -> bool:
    """Whether a folder of the vault holds a `Settings.md` of `type: settings`."""
    relative = f"{root}/{SETTINGS_NOTE}"
    if not _is_file(vault, relative):
        return False
    from vaultmem.notes.frontmatter import get_properties
    from vaultmem.store.bounded import Unread, read_inside

    data = read_inside(vault, relative, limit=MAX_SETTINGS)
    if isinstance(data, Unread):
        return False
    try:
        return get_properties(data).get("type") == "settings"
    except NoteUnreadableError:
        return False


class _Search:
    """The rules, with what they tried and found wrong so far."""

    def __init__(self, config: UserConfig, cwd: Path) -> None:
        self._config = config
        self._cwd = Path(os.path.realpath(cwd))
        self.tried: list[str] = []
        self._findings: list[Finding] = []
        self._untrusted: Path | None = None

    def named(self, text: str, rule: Rule) -> FoundVault:
        """The vault that the person named, who needs no trust in themselves."""
        path = self._place(text, self._cwd)
        if not _exists(path):
            moved = rule is Rule.CONFIG  # a path that held a vault once
            raise VaultNotFoundError(
                f"{rule} names {path}, which is no folder. "
                + ("If it was moved, run `vaultmem trust NEW-FOLDER --moved`. " if moved else "")
                + f"Correct it, or make the folder and run `vaultmem init {argument(path)}`."
            )
        if (found := self._in(path, rule)) is None:
            links = "".join(f" {item.message}" for item in self._findings if item.code == "VM209")
            if not links and (around := self._around(path)) is not None:
                raise VaultNotFoundError(
                    f"{rule} names {path}, which holds no memory root, but lies in the vault "
                    f"{around}. Name that folder."
                )
            raise VaultNotFoundError(
                f"{rule} names {path}, which holds no memory root.{links} "
                f"Run `vaultmem init {argument(path)}` to make one."
            )
        return found

    def _around(self, path: Path) -> Path | None:
        """The vault that a folder lies in: most often its memory root was named."""
        outer = (one for one in path.parents if find_root(one, self._config)[0] is not None)
        return next(outer, None)

    def by_project(self, settings: ProjectSettings | None) -> FoundVault | None:
        """The vault that the project's `.pi/settings.json` names, if it is trusted."""
        if settings is None:
            settings = locate(self._cwd).settings
        self._findings.extend(settings.findings)
        if settings.vault is None:
            self.tried.append("the project's settings name none")
            return None
        path = self._place(settings.vault.value, settings.vault.folder)
        entry = trusted_entry(path, self._config)
        if entry is None:
            self._not_trusted("VM205", path, f"the settings of {settings.vault.folder} name {path}")
            return None
        return self._trusted(entry, path, Rule.PROJECT)

    def by_parent(self) -> FoundVault | None:
        """The nearest folder around the working folder that is a vault, if it is trusted."""
        for place in (self._cwd, *self._cwd.parents)[:MAX_LEVELS]:
            if (entry := trusted_entry(place, self._config)) is not None:
                return self._trusted(entry, place, Rule.PARENT)
            if os.path.lexists(place / DEFAULT_ROOT / SETTINGS_NOTE):
                self._not_trusted("VM206", place, f"{place} is a vault")
                return None
        self.tried.append("no parent folder is a vault")
        return None

    def by_pi(self, text: str | None) -> FoundVault | None:
        """The vault of `PI_VAULT_PATH`, if it has a memory root."""
        if text is None:
            self.tried.append("PI_VAULT_PATH is not set")
            return None
        path = self._place(text, self._cwd)
        if _exists(path) and (found := self._in(path, Rule.PI)) is not None:
            return found
        self.tried.append(f"PI_VAULT_PATH names {path}, which holds no memory root")
        return None

    def give_up(self) -> FoundVault:
        """Say what was tried, and the next step."""
        tried = ", ".join(self.tried)
        if self._untrusted is not None:
            raise VaultNotTrustedError(
                f"No vault was found: {tried}. "
                f"If that vault is yours, run `vaultmem trust {argument(self._untrusted)}`."
            )
        raise NoVaultError(
            f"No vault was found: {tried}. Run `vaultmem init PATH`, or name one by --vault."
        )

    def _trusted(self, entry: TrustedVault, path: Path, rule: Rule) -> FoundVault | None:
        """A vault at a trusted path, if it still is the one that was trusted."""
        if entry.id is not None:
            loaded = read_settings(path, entry.root)
            if loaded.settings.id != entry.id:
                self._not_trusted("VM207", path, f"{path} is not the vault that was trusted")
                return None
        if (found := self._in(path, rule)) is None:
            self.tried.append(f"{path} holds no memory root any more")
        return found

    def _in(self, path: Path, rule: Rule) -> FoundVault | None:
        root, findings = find_root(path, self._config)
        self._findings.extend(findings)
        return None if root is None else FoundVault(path, root, rule, tuple(self._findings))

    def _not_trusted(self, code: str, path: Path, what: str) -> None:
        self.tried.append(f"{what}, which this machine does not trust")
        self._untrusted = self._untrusted or path
        message = f"{what[0].upper()}{what[1:]}, which this machine does not trust; it is not used."
        remedy = f"If it is yours, run `vaultmem trust {argument(path)}`."
        self._findings.append(finding(code, message, path=str(path), remedy=remedy))

    @staticmethod
    def _place(text: str, base: Path) -> Path:
        """The real path that a text names, seen from `base`; `~` is the user's home."""
        plain = text.replace("\0", "")
        return Path(os.path.realpath(base / os.path.expanduser(plain)))  # noqa: PTH111


def _exists(folder: Path) -> bool:
    """Whether a folder is there; no name that somebody wrote makes this raise."""
    return os.path.isdir(folder)  # noqa: PTH112


def _same(one: Path, other: Path) -> bool:
    """Whether two paths are one folder, also where the file system ignores case."""
    if os.path.realpath(one) == str(other):
        return True
    try:
        return os.path.samefile(one, other)  # noqa: PTH121
    except (OSError, ValueError):
        return False


def _children(vault: Path) -> Iterator[str]:
    try:
        names = sorted(os.listdir(vault))  # noqa: PTH208  (names are wanted)
    except OSError:
        return
    yield from (name for name in names[:MAX_CHILDREN] if not name.startswith("."))


def _is_folder(vault: Path, relative: str) -> bool:
    return _has_kind(vault, relative, stat.S_ISDIR)


def _is_file(vault: Path, relative: str) -> bool:
    return _has_kind(vault, relative, stat.S_ISREG)


def _is_link(path: Path) -> bool:
    try:
        return is_link(os.lstat(path))
    except (OSError, ValueError):
        return False


def _has_kind(vault: Path, relative: str, kind: Callable[[int], bool]) -> bool:
    """Whether something of that kind is there, without a link anywhere below the vault."""
    try:
        return kind(os.lstat(resolve_inside(vault, relative)).st_mode)
    except (OSError, ValueError, UnsafePathError):
        return False
