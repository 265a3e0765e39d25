"""Which project a folder belongs to: the one function for capture, storage and retrieval."""

from __future__ import annotations

import os
import re
import unicodedata
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.origin import MAX_ID, is_project_id, looks_like_origin, origin_id
from vaultmem.errors import ConfigError
from vaultmem.store.checkout import MAX_LEVELS, Broken, Checkout, find_checkout, remotes
from vaultmem.store.package_name import PACKAGE_FILES, package_name
from vaultmem.store.pi_settings import SETTINGS, ProjectSettings, read_project_settings

if TYPE_CHECKING:
    from vaultmem.store.pi_settings import Said


_PROJECT_FILES = (*PACKAGE_FILES, SETTINGS)


class Source(StrEnum):
    """The rule that named a project."""

    EXPLICIT = "explicit"
    ORIGIN = "origin"
    ROOT_COMMIT = "root_commit"
    PACKAGE = "package"
    FOLDER = "folder"


class Project(NamedTuple):
    """A project and where it lies.

    Attributes:
        id: what memories of this project hold as `project`.
        source: the rule that gave the id.
        root: the checkout or folder that the working folder lies in.
        main_checkout: the checkout that all worktrees share; `root` where there is only one.
        settings: what the project's `.pi/settings.json` says.
        findings: what is wrong with the repository or its settings.
    """

    id: str
    source: Source
    root: Path
    main_checkout: Path
    settings: ProjectSettings = ProjectSettings()
    findings: tuple[Finding, ...] = ()


class Place(NamedTuple):
    """Where a project lies, before it has a name; the fields are those of `Project`."""

    root: Path
    main: Path
    checkout: Checkout | None
    settings: ProjectSettings
    findings: tuple[Finding, ...]


class _Named(NamedTuple):
    id: str
    source: Source


def project_identity(
    cwd: Path, explicit: str | None = None, *, cache: Path | None = None
) -> Project:
    """The project that `cwd` lies in, the same for every worktree and every folder of a checkout.

    In this order: `explicit`; `vaultmem.project` of `.pi/settings.json`; `host/owner/name` of the
    origin; the hash of the first commit; the name of the package; the name of the folder. A project
    whose settings claim the origin of another repository is not believed: a clone could otherwise
    ask for the memories of any project.

    Args:
        cwd: any folder of the project; it need not exist.
        explicit: what the person gave by command, or None.
        cache: a folder for what takes long to find out (the first commit), or None.

    Raises:
        ConfigError: if `explicit` is no project id.
    """
    if explicit is not None and not is_project_id(explicit):
        raise ConfigError(
            f"{explicit!r} is no project id. Use words with `/`, such as acme/billing."
        )
    place = locate(cwd)
    findings = list(place.findings)
    named = (
        (_Named(explicit, Source.EXPLICIT) if explicit else None)
        or _said(place.settings.project, place.checkout, findings)
        or (_by_repository(place.checkout, cache, findings) if place.checkout else None)
        or _by_package(place.main, place.root)
        or _Named(_folder_id(place.main), Source.FOLDER)
    )
    return Project(named.id, named.source, place.root, place.main, place.settings, tuple(findings))


def locate(cwd: Path) -> Place:
    """Where the project of `cwd` lies and what its settings say, without finding out its name."""
    here = Path(os.path.realpath(cwd))
    found = find_checkout(here)
    findings: tuple[Finding, ...] = ()
    if isinstance(found, Broken):
        message = f"{found.place} cannot be read as a repository: {found.why}."
        findings = (finding("VM219", message, path=str(found.place)),)
        checkout, root = None, found.place
    else:
        checkout, root = found, found.top if found else _folder_without_git(here)
    main = checkout.main if checkout else root
    settings = read_project_settings(_settings_folders(here, root, main))
    return Place(root, main, checkout, settings, findings + settings.findings)


def _settings_folders(here: Path, root: Path, main: Path) -> list[Path]:
    """Where `.pi/settings.json` counts: from the working folder up to the checkout, main first."""
    inner = here.relative_to(root) if here.is_relative_to(root) else Path()
    below = [inner, *inner.parents][:MAX_LEVELS]
    tops = [main] if main == root else [main, root]
    return [top / part for top in tops for part in below]


def _folder_without_git(here: Path) -> Path:
    """The nearest folder that looks like a project's, below the user's home; else `here` itself."""
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111  (never raises)
    for place in (here, *here.parents)[:MAX_LEVELS]:
        if place in (home, place.parent):
            break
        if any(os.path.isfile(place / name) for name in _PROJECT_FILES):  # noqa: PTH113
            return place
    return here


def _said(said: Said | None, checkout: Checkout | None, findings: list[Finding]) -> _Named | None:
    """The id that the project's settings give, if it is well-formed and nobody else's."""
    if said is None:
        return None
    path = str(said.folder / SETTINGS)
    if not is_project_id(said.value):
        message = f"`vaultmem.project` in {path} is no project id; it is not used."
        findings.append(finding("VM208", message, path=path))
        return None
    if checkout is not None and looks_like_origin(said.value):
        own = {origin_id(url) for url in remotes(checkout).values()} - {None}
        if own and said.value not in own:
            message = f"`vaultmem.project` in {path} names {said.value}, which is no remote of it."
            findings.append(finding("VM218", message, path=path))
            return None
    return _Named(said.value, Source.EXPLICIT)


def _by_repository(
    checkout: Checkout, cache: Path | None, findings: list[Finding]
) -> _Named | None:
    url = remotes(checkout).get("origin")
    if url is not None and (name := origin_id(url)) is not None:
        return _Named(name, Source.ORIGIN)
    from vaultmem.store.root_commit import RootUnknown, root_commit

    root = root_commit(checkout, cache=cache)
    if isinstance(root, RootUnknown):
        message = f"{checkout.common} cannot be read ({root.why}); its first commit is unknown."
        findings.append(finding("VM219", message, path=str(checkout.common)))
        return None
    return None if root is None else _Named(root, Source.ROOT_COMMIT)


def _by_package(main: Path, root: Path) -> _Named | None:
    for folder in dict.fromkeys((main, root)):
        if (name := package_name(folder)) is not None and is_project_id(name):
            return _Named(name, Source.PACKAGE)
    return None


def _folder_id(folder: Path) -> str:
    """The name of the folder, in characters that an id may have."""
    name = unicodedata.normalize("NFC", os.fsencode(folder.name).decode("utf-8", "replace"))
    name = re.sub(r"[^\w.@+~-]+", "-", name.removesuffix(".git")).strip("-. ")[:MAX_ID]
    return name if is_project_id(name) else "root"
