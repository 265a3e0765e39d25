"""The guard: why a tool call of the agent may not run, by where the paths in it really lie."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from vaultmem.core.agent_guard import Protected, reason_to_block
from vaultmem.store.obsidian import OUR_PLUGIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from vaultmem.config import HomeDirs, UserConfig
    from vaultmem.store.vault import OpenVault


def protected_places(
    home: HomeDirs,
    config: UserConfig,
    vault: OpenVault | None,
    *,
    extension: Sequence[Path] = (),
    host: Sequence[Path] = (),
    user_home: str = "",
) -> Protected:
    """What the guard keeps an agent's tools away from on this machine.

    Args:
        home: this machine's config, state and cache folders.
        config: the user config; every vault that it trusts is protected like the one in use.
        vault: the vault in use, None where there is none.
        extension: the folders from which the agent loads its extension.
        host: the agent's settings files, in which the extension is listed.
        user_home: the user's home folder, from which people write paths; empty for none.
    """
    vaults = [(trusted.path, trusted.root) for trusted in config.trusted]
    if vault is not None:
        vaults.append((vault.path, vault.root))
    roots = [path / root for path, root in vaults]
    # What lies in the plugin's folder acts in the person's Obsidian.
    ours = (*home, *(path / OUR_PLUGIN for path, _ in vaults))
    real = {path: os.path.realpath(path) for path in (*roots, *ours, *extension, *host)}

    def places(paths: Iterable[Path]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(real[path] for path in paths))

    return Protected(
        memory=places(roots),
        private=places(ours),
        extension=places(extension),
        host=tuple(dict.fromkeys((*places(host), *map(_looked_for, host)))),
        spelled=tuple(_spelled(real, user_home)),
    )


def guard(
    protected: Protected,
    tool: str,
    arguments: Mapping[str, object],
    *,
    cwd: str,
    variables: Mapping[str, str],
) -> str | None:
    """Why a tool call may not run, as a sentence for the model; None where it may.

    Args:
        protected: what `protected_places` found.
        tool: the tool's name.
        arguments: its input.
        cwd: the agent's working folder, absolute.
        variables: environment variables that may stand in a path; `HOME` at least.
    """
    places = (place for _, place in protected.zones())
    same = {found: place for place in places if (found := _identity(place)) is not None}
    return reason_to_block(
        protected,
        tool,
        arguments,
        cwd=cwd,
        variables=variables,
        real=cache(lambda path: _real(path, same)),
    )


def _looked_for(file: Path) -> str:
    """Where the agent looks for its settings: a link there may be replaced."""
    return os.path.join(os.path.realpath(file.parent), file.name)  # noqa: PTH118


def _spelled(places: Mapping[Path, str], user_home: str) -> Iterator[tuple[str, str]]:
    """Other ways in which people write these places, each with where it really lies."""
    homes = {user_home, os.path.realpath(user_home)} if user_home else set()
    for path, real in places.items():
        for text in dict.fromkeys((os.path.abspath(path), real)):  # noqa: PTH100  (links stay)
            if text != real:
                yield text, real
            for one in homes:
                if text.startswith(f"{one}/"):
                    inner = text[len(one) :]
                    yield from ((f"{start}{inner}", real) for start in _HOME)


_HOME = ("~", "$HOME", "${HOME}")


def _real(path: str, same: Mapping[tuple[int, int], str]) -> str:
    """The path without links; below a protected folder, by whatever way it is reached, that one's.

    A file system that does not tell upper from lower case, and one folder mounted at two places,
    give a folder several paths that no link connects; its identity is the same.
    """
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # a NUL, or too many links
        return path
    part = real
    while part:
        if (found := _identity(part)) is not None and found in same:
            return same[found] + real[len(part) :]
        part = part.rpartition("/")[0]
    return real


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116  (a dozen times a word)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
