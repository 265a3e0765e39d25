"""The versions of the notebook: a bare git repository in the state folder, by dulwich.

git itself can read it (`git --git-dir=history.git log`), and nothing but this module and
`store.notebook_objects` writes it: every object is a private file that appears whole, and a version
counts from the moment at which the branch names it. A process that is killed before leaves objects
that nothing names. The caller holds the vault's lock, for reading as well: a purge writes the
repository anew.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.own import UNPUBLISHED, Version
from vaultmem.errors import HistoryDamagedError, NoteNotFoundError
from vaultmem.store.disk import DISK
from vaultmem.store.notebook_objects import DAMAGED, commit_of, files_of, put_commit, reading
from vaultmem.store.private import private_folder, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from dulwich.objects import Commit as GitCommit

_BRANCH = "refs/heads/main"
_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
_COMPLETE = "vaultmem-complete"
"""A file in a repository that was written anew: all of it is there, and it takes the old place."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
SHORTEST = 7
"""Hex digits by which a version may at least be named, as git shows them."""


class Commit(NamedTuple):
    """One version of the notebook.

    Attributes:
        id: 40 hex digits.
        when: when it was made, UTC, whole seconds.
        by: whose it is, one word: person, consolidation, the id of a device.
        message: one line.
    """

    id: str
    when: datetime
    by: str
    message: str


class History:
    """The repository at `folder`; it is made with the first version."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is opened yet."""
        self._folder = folder

    def head_id(self) -> str | None:
        """The newest version's id, None without one; reads one small file and needs no dulwich.

        Raises:
            HistoryDamagedError: if there is no id where one should be.
        """
        self._settle()
        return self._tip()

    def head(self) -> Commit | None:
        """The newest version, None without one.

        Raises:
            HistoryDamagedError: if it cannot be read.
        """
        tip = self.head_id()
        return None if tip is None else self.find(tip)

    def log(self, limit: int | None = None) -> list[Commit]:
        """The versions, the newest first, at most `limit`.

        Raises:
            HistoryDamagedError: if one of them cannot be read.
        """
        tip = self.head_id()
        found: list[Commit] = []
        with reading(self._folder) as store:
            while tip is not None and (limit is None or len(found) < limit):
                raw = commit_of(store, tip)
                found.append(_told(tip, raw))
                tip = raw.parents[0].decode() if raw.parents else None
        return found

    def find(self, name: str) -> Commit:
        """The version with that id, or the one whose id begins so.

        Raises:
            NoteNotFoundError: if no version, or more than one, answers to the name.
            HistoryDamagedError: if it cannot be read.
        """
        if name == self.head_id():
            with reading(self._folder) as store:
                return _told(name, commit_of(store, name))
        wanted = name.lower() if len(name) >= SHORTEST else "-"
        found = [one for one in self.log() if one.id.startswith(wanted)]
        if len(found) != 1:
            short = f" At least {SHORTEST} digits of one name it." if wanted == "-" else ""
            raise NoteNotFoundError(
                f"No version of the notebook is {name[:40]!r}.{short}",
                "Run `vaultmem notebook history` to see them.",
            )
        return found[0]

    def files(self, commit: str | None = None) -> dict[str, bytes]:
        """Every file of a version by its path, of the newest one for None; empty without one.

        Raises:
            NoteNotFoundError: as `find`.
            HistoryDamagedError: if it cannot be read.
        """
        tip = self.head_id() if commit is None else self.find(commit).id
        return {} if tip is None else self._files(tip)

    def versions(self, limit: int | None = None) -> Iterator[Version]:
        """Whose each version is, with its files; the newest first, at most `limit`.

        Raises:
            HistoryDamagedError: if one of them cannot be read.
        """
        for one in self.log(limit):
            yield Version(one.by, self._files(one.id))

    def commit(
        self,
        files: Mapping[str, bytes],
        *,
        message: str,
        when: datetime,
        by: str,
        instead_of: Mapping[str, bytes] | None = None,
    ) -> str:
        """Make these files the newest version; returns its id.

        Args:
            files: every file of the version by its path, with `/`; not only what changed.
            message: one line.
            when: an aware time.
            by: one word that says whose it is.
            instead_of: files that stood in the vault, were never published, and give way: they
                are kept as a version below the new one.

        Raises:
            HistoryDamagedError: if the newest version cannot be told.
            ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written; then the
                newest version is the one of before.
        """
        tip = self.head_id()
        _begin(self._folder)
        if instead_of is not None:
            said = "What stood in the notes, never published"
            tip = put_commit(
                self._folder, instead_of, message=said, when=when, by=UNPUBLISHED, parent=tip
            )
        made = put_commit(self._folder, files, message=message, when=when, by=by, parent=tip)
        _point(self._folder, made)
        return made

    def rewrite(self, change: Callable[[str, bytes], bytes | None]) -> dict[str, str]:
        """Write every version anew, so that nothing is left of what `change` takes out.

        Args:
            change: given a path and what the file holds, says what it holds instead, None to drop
                the file. It is asked for each message, too, with "" as the path.

        Returns the new id of each version by its old one; empty where nothing had to be done.

        Raises:
            HistoryDamagedError: if a version cannot be read.
            ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written; then the old
                versions stay, or the next call finishes it.
        """
        versions = self.log()
        fresh = self._fresh
        parent: str | None = None
        renamed: dict[str, str] = {}
        different = False
        _begin(fresh)
        for one in reversed(versions):
            files = self._files(one.id)
            kept = {
                path: after
                for path, data in files.items()
                if (after := change(path, data)) is not None
            }
            message = (change("", one.message.encode()) or b"").decode()
            different = different or kept != files or message != one.message
            parent = put_commit(
                fresh, kept, message=message, when=one.when, by=one.by, parent=parent
            )
            renamed[one.id] = parent
        if parent is None or not different:
            _remove_tree(fresh)
            return {}
        _point(fresh, parent)
        write_private(fresh / _COMPLETE, b"")
        self._settle()
        return renamed

    def set_aside(self) -> None:
        """Put a damaged repository out of the way, over an older one; a purge removes it."""
        if self._folder.exists():
            self.remove_set_aside()
            DISK.replace(self._folder, self.aside)
            DISK.sync_folder(self._folder.parent)

    def remove_set_aside(self) -> None:
        """Remove what was set aside."""
        if self.aside.is_dir():
            _remove_tree(self.aside)

    @property
    def aside(self) -> Path:
        """Where a damaged repository is put."""
        return self._folder.with_name(f"{self._folder.name}.broken")

    def remove(self) -> None:
        """Remove every version."""
        for place in (self._fresh, self._folder):
            if place.exists():
                _remove_tree(place)

    def _files(self, commit: str) -> dict[str, bytes]:
        with reading(self._folder) as store:
            return files_of(store, commit)

    @property
    def _fresh(self) -> Path:
        return self._folder.with_name(f"{self._folder.name}.new")

    def _settle(self) -> None:
        """Finish or drop what a killed `rewrite` left."""
        fresh = self._fresh
        if not fresh.is_dir():
            return
        if not (fresh / _COMPLETE).exists():
            _remove_tree(fresh)
            return
        if self._folder.exists():
            _remove_tree(self._folder)
        DISK.replace(fresh, self._folder)
        DISK.unlink(self._folder / _COMPLETE)
        DISK.sync_folder(self._folder.parent)

    def _tip(self) -> str | None:
        data = read_private(self._folder / _BRANCH)
        if data is None:
            return None
        text = data.decode("ascii", "replace").strip()
        if not _COMMIT.fullmatch(text):
            raise HistoryDamagedError(DAMAGED)
        return text


def _remove_tree(folder: Path) -> None:
    import shutil  # a few ms, and a look at the newest version needs none of it

    shutil.rmtree(folder)


def _told(name: str, raw: GitCommit) -> Commit:
    when = datetime.fromtimestamp(raw.commit_time, UTC)
    by = raw.author.partition(b" <")[0].decode()
    return Commit(name, when, by, raw.message.decode().strip())


def _begin(folder: Path) -> None:
    """Make an empty repository, or finish one that a killed process began."""
    if (folder / "HEAD").exists():
        return
    for part in ("objects", "refs", "refs/heads"):
        private_folder(folder / part)
    write_private(folder / "config", _CONFIG)
    write_private(folder / "HEAD", f"ref: {_BRANCH}\n".encode())


def _point(folder: Path, commit: str) -> None:
    write_private(folder / _BRANCH, f"{commit}\n".encode())
