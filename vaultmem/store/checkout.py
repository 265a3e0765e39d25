"""Where a folder lies in a git repository, and what its config and refs say; no git is started.

Own reading of four small text files (`.git`, `commondir`, `config`, refs): importing dulwich takes
longer than all else that a cold report does. dulwich reads what is compressed: the commits.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from vaultmem.store.bounded import Unread, read_bounded

MAX_LEVELS = 64
"""Folders above the working folder that are looked at."""

_MAX_POINTER = 1 << 14
_MAX_CONFIG = 1 << 20
_MAX_PACKED = 32 << 20
_MAX_SYMBOLIC = 5
"""Refs that point to refs to follow, as git does."""

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""The whole hash of a commit, SHA-1 or SHA-256."""

_SECTION = re.compile(r"\s*\[\s*([\w.-]+)(?:\s+\"((?:[^\"\\]|\\.)*)\")?\s*\]")
_ENTRY = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?")


class Checkout(NamedTuple):
    """A repository as seen from a folder in it.

    Attributes:
        top: the checkout that the folder lies in: a worktree, a submodule or the main one.
        main: the main checkout, which worktrees share; the repository itself where it is bare.
        common: the folder with config, refs and objects.
    """

    top: Path
    main: Path
    common: Path


class Broken(NamedTuple):
    """A checkout whose `.git` file leads to no repository."""

    place: Path
    why: str


def find_checkout(folder: Path) -> Checkout | Broken | None:
    """The repository that the real path `folder` lies in, or None.

    As in git, a folder `.git` that is no repository is passed over, but a file `.git` that leads
    nowhere ends the search: that folder is not part of the repository around it.
    """
    for place in (folder, *folder.parents)[:MAX_LEVELS]:
        if (found := _at(place)) is not None:
            return found
    return None


def remotes(checkout: Checkout) -> dict[str, str]:
    """The URL of every remote, by name; empty where the config cannot be read.

    Includes and `insteadOf` are not followed: they belong to the machine, not to the repository.
    """
    text = _text(checkout.common / "config", _MAX_CONFIG)
    return _remote_urls(text or "")


def tip(checkout: Checkout) -> str | None:
    """The commit that stands for the repository's history: `main`, `master` or HEAD; or None."""
    for name in ("refs/heads/main", "refs/heads/master", "HEAD"):
        if (found := _resolve(checkout.common, name)) is not None:
            return found
    return None


def is_shallow(checkout: Checkout) -> bool:
    """Whether the history was cut off, so that its first commit is not the project's."""
    return os.path.lexists(checkout.common / "shallow")


def _at(place: Path) -> Checkout | Broken | None:
    git = place / ".git"
    if _is_repository(git):
        return Checkout(place, place, git)
    if os.path.isfile(git):  # noqa: PTH113  (never raises)
        pointed = _pointed(git)
        if pointed is None:
            return Broken(place, "its `.git` names no folder")
        return _behind(place, pointed) or Broken(place, f"{pointed} is no repository")
    if _is_repository(place):  # bare, or the inside of `.git` itself
        outside = place.parent if place.name == ".git" else place
        return Checkout(outside, outside, place)
    return None


def _pointed(git: Path) -> Path | None:
    """The folder that a `.git` file names; relative to its own folder."""
    text = _text(git, _MAX_POINTER)
    if text is None or not text.startswith("gitdir:"):
        return None
    return Path(os.path.realpath(git.parent / text.removeprefix("gitdir:").strip()))


def _behind(place: Path, git: Path) -> Checkout | None:
    """The checkout at `place`, whose git folder lies elsewhere: a worktree or a submodule."""
    text = _text(git / "commondir", _MAX_POINTER)
    if text is None:
        return Checkout(place, place, git) if _is_repository(git) else None
    common = Path(os.path.realpath(git / text.strip()))
    if not _is_repository(common):
        return None
    return Checkout(place, _main_of(common), common)


def _main_of(common: Path) -> Path:
    """The main checkout of the repository `common`: the folder around `.git`, or itself if bare."""
    if common.name == ".git":
        return common.parent
    text = _text(common / "config", _MAX_CONFIG) or ""
    if worktree := _value(text, "core", "worktree"):  # a submodule's
        return Path(os.path.realpath(common / worktree))
    return common


def _is_repository(folder: Path) -> bool:
    return (
        os.path.lexists(folder / "HEAD")
        and os.path.isdir(folder / "objects")  # noqa: PTH112
        and os.path.isdir(folder / "refs")  # noqa: PTH112
    )


def _resolve(common: Path, name: str) -> str | None:
    for _ in range(_MAX_SYMBOLIC):
        text = (_text(common / name, _MAX_POINTER) or "").strip()
        if COMMIT.fullmatch(text):
            return text
        if not text.startswith("ref:"):
            return _packed(common, name)
        name = text.removeprefix("ref:").strip()
        if not name.startswith("refs/") or ".." in name.split("/"):
            return None
    return None


def _packed(common: Path, name: str) -> str | None:
    text = _text(common / "packed-refs", _MAX_PACKED) or ""
    match = re.search(rf"^([0-9a-f]{{40,64}}) {re.escape(name)}$", text, re.MULTILINE)
    return match[1] if match and COMMIT.fullmatch(match[1]) else None


def _text(path: Path, limit: int) -> str | None:
    data = read_bounded(path, limit=limit)
    return None if isinstance(data, Unread) else data.decode("utf-8", "replace")


def _remote_urls(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for section, name, key, value in _entries(text):
        if section == "remote" and key == "url" and name and value:
            found.setdefault(name, value)
    return found


def _value(text: str, section: str, key: str) -> str | None:
    values = [entry[3] for entry in _entries(text) if entry[0::2] == (section, key)]
    return values[-1] if values else None


def _entries(text: str) -> list[tuple[str, str, str, str]]:
    """Section, its name, key and value of each line of a git config (git-config(1), "Syntax")."""
    section, name = "", ""
    found = []
    for line in re.sub(r"\\\r?\n", "", text.removeprefix("\ufeff")).splitlines():
        rest = line
        if match := _SECTION.match(line):
            section, name = match[1].lower(), re.sub(r"\\(.)", r"\1", match[2] or "")
            rest = line[match.end() :]
        if match := _ENTRY.match(rest):
            found.append((section, name, match[1].lower(), _unquote(match[2] or "")))
    return found


def _unquote(value: str) -> str:
    """A value without its quotes, escapes and the comment after it."""
    out, quoted, at = [], False, 0
    while at < len(value):
        char = value[at]
        if char == "\\" and at + 1 < len(value):
            at += 1
            out.append({"n": "\n", "t": "\t", "b": "\b"}.get(value[at], value[at]))
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
        at += 1
    return "".join(out).strip()
