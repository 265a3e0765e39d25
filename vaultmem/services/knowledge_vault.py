"""Other vaults whose notes may be knowledge: read and indexed on this machine, never written."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.config import place
from vaultmem.core.finding import finding
from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.index.documents import Within
from vaultmem.index.engine import Feed, SearchEngine
from vaultmem.services.knowledge import Shelf, read_knowledge, shelf_of
from vaultmem.store.apart import templates_of
from vaultmem.store.discovery import find_root
from vaultmem.store.private import keep_copy, private_folder, read_private
from vaultmem.store.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from vaultmem.config import HomeDirs, UserConfig
    from vaultmem.core.finding import Finding
    from vaultmem.core.governance import Governance
    from vaultmem.index.documents import Document
    from vaultmem.index.embedder import Embedder
    from vaultmem.store.walk import Stat

SEEN = "seen.json"
"""What the index was last fed with: the notes of the vault, each with its stat."""

_CANNOT_KEEP = (UnsafePathError, ReadOnlyError, DiskFailedError)


class KnowledgeVault:
    """Another vault with an index of its own in this machine's cache."""

    def __init__(
        self, path: Path, folder: Path, *, root: str | None, embedder: Embedder | None
    ) -> None:
        """Open nothing yet.

        Args:
            path: the vault's real path.
            folder: where its index is kept; made when needed, safe to delete.
            root: its memory root, whose notes are memories and no knowledge; None for none.
            embedder: None for words only.
        """
        self.path = path
        self.root = root
        self._folder = folder
        self.engine = SearchEngine(folder / "index", embedder=embedder)

    @property
    def name(self) -> str:
        """What Obsidian calls the vault: its folder's name."""
        return self.path.name

    @property
    def shelf(self) -> Shelf:
        """Its notes, as its own Obsidian settings say which are to be left out."""
        return shelf_of(self.path, self.engine, root=self.root, name=self.name)

    @property
    def stamp(self) -> str:
        """What tells the notes of this moment from those of another; "" where they are not there.

        It costs a walk through the vault.
        """
        notes = self._notes()
        return "" if notes is None else _stamp(notes)

    def refresh(self) -> str | None:
        """Bring the index up to the notes; a sentence where that was not possible.

        A vault that cannot be listed now, such as one on a disk that is not there, keeps its index.
        """
        notes = self._notes()
        if notes is None:
            return f"The knowledge vault {self.path} cannot be read; its index is as it was."
        try:
            private_folder(self._folder)
        except _CANNOT_KEEP as error:
            return str(error)
        now, before = _stamp(notes), self._seen()
        trouble = self.engine.refresh(lambda held: self._feed(held, notes, now, before))
        if trouble is None and before.stamp != now:
            keep_copy(self._folder / SEEN, _as_json(_Seen(now, notes)))
        return trouble

    def close(self) -> None:
        """Close the files of the index."""
        self.engine.close()

    def _notes(self) -> dict[str, Stat] | None:
        """Every note but those of its memory root and its templates; None if it is unreadable."""
        found = walk(self.path)
        if "" in found.unreadable:
            return None
        apart = Within(() if self.root is None else (self.root,))
        templates = templates_of(self.path)
        return {
            path: stat
            for path, stat in found.notes.items()
            if path not in apart and not templates.hold(path)
        }

    def _feed(self, held: str | None, notes: Mapping[str, Stat], now: str, before: _Seen) -> Feed:
        if held == now:
            return Feed((), (), now)
        if held != before.stamp:
            return Feed(self._documents(sorted(notes)), (), now, complete=True)
        changed = [path for path in sorted(notes) if before.notes.get(path) != notes[path]]
        return Feed(self._documents(changed), sorted(before.notes.keys() - notes.keys()), now)

    def _documents(self, paths: Iterable[str]) -> Iterator[Document]:
        for path in paths:
            if (note := read_knowledge(self.path, path)) is not None:
                yield from note.documents

    def _seen(self) -> _Seen:
        try:
            raw = json.loads(read_private(self._folder / SEEN) or b"")
            notes = {str(path): _as_stat(stat) for path, stat in raw["notes"].items()}
            return _Seen(str(raw["stamp"]), notes)
        except (ValueError, KeyError, TypeError, AttributeError, *_CANNOT_KEEP):
            return _Seen("", {})


def named_vaults(
    config: UserConfig, governance: Governance, pi_vault_path: str | None, cwd: Path
) -> list[Path]:
    """The vaults that the person names: in the user config, by `vault_path`, by `PI_VAULT_PATH`.

    Args:
        config: `knowledge_vaults` counts in any case.
        governance: `vault_path` counts where `vault_enabled` is on.
        pi_vault_path: the variable; it may name the vault in use, which `open_vaults` passes over.
        cwd: the working folder, from which a relative path of the variable is seen.
    """
    named = list(config.knowledge_vaults)
    if governance.vault_enabled and (path := place(governance.vault_path)) is not None:
        named.append(path)
    if pi_vault_path is not None:
        named.append(cwd / os.path.expanduser(pi_vault_path))  # noqa: PTH111  (`~nobody` stays)
    return named


def open_vaults(
    named: Iterable[Path],
    *,
    own: Path,
    home: HomeDirs,
    config: UserConfig,
    embedder: Callable[[], Embedder | None],
) -> tuple[tuple[KnowledgeVault, ...], tuple[Finding, ...]]:
    """The other vaults that can be used, and what is wrong with those that cannot.

    Args:
        named: the folders that the person named; one that is named twice counts once.
        own: the vault that is in use, whose notes are searched anyway.
        home: this machine's folders.
        config: the user config, which knows the memory roots of trusted vaults.
        embedder: gives the model that all indexes share; asked where there is a vault.
    """
    vaults: list[KnowledgeVault] = []
    findings: list[Finding] = []
    here = os.path.realpath(own)
    for one in dict.fromkeys(Path(os.path.realpath(path)) for path in named):
        if str(one) == here:
            continue
        if (wrong := _why_not(one, here)) is not None:
            findings.append(wrong)
            continue
        root, _ = find_root(one, config)
        folder = home.cache / f"knowledge_{hashlib.sha256(str(one).encode()).hexdigest()[:16]}"
        vaults.append(KnowledgeVault(one, folder, root=root, embedder=embedder()))
    return tuple(vaults), tuple(findings)


class _Seen(NamedTuple):
    stamp: str
    notes: Mapping[str, Stat]


def _why_not(place: Path, own: str) -> Finding | None:
    if not place.is_dir():
        return finding("VM820", f"The knowledge vault {place} is no folder.", path=str(place))
    if place.is_relative_to(own) or Path(own).is_relative_to(place):
        message = f"The knowledge vault {place} and the vault in use lie one in the other."
        return finding("VM821", message, path=str(place))
    return None


def _stamp(notes: Mapping[str, Stat]) -> str:
    state = hashlib.sha256()
    for path in sorted(notes):
        state.update(f"{path}\0{notes[path]}\0".encode())
    return state.hexdigest()


def _as_json(seen: _Seen) -> bytes:
    return json.dumps({"stamp": seen.stamp, "notes": seen.notes}).encode()


def _as_stat(value: object) -> Stat:
    """The stat as JSON gave it back.

    Raises:
        ValueError, TypeError: if it is none.
    """
    if not isinstance(value, list):
        raise TypeError(value)
    one, two, three, four = (int(number) for number in value)
    return (one, two, three, four)
