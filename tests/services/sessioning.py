"""A vault with a folder of session files, and an index over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.sessions import Talk
from vaultmem.services.sessions.index import SessionIndex
from vaultmem.services.sessions.search import search_sessions
from vaultmem.services.sessions.sync import SessionsSynced, sync_sessions
from vaultmem.store.sessions.folders import SessionFolder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World
    from vaultmem.index.embedder import Embedder

SHOP, DOCS = "/projects/shop", "/projects/docs"
"""Working folders that are not there, so that their projects are `shop` and `docs`."""


class Sessions:
    """The session files of a machine and what vaultmem makes of them."""

    def __init__(self, world: World, *, embedder: Embedder | None = None) -> None:
        self.world = world
        self.folder: Path = world.folder / "agent" / "sessions"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._embedder = embedder
        self._open: list[SessionIndex] = []
        self._made = 0
        self.index = self.opened()

    def opened(self, *folders: SessionFolder) -> SessionIndex:
        """One more index over the same cache, as another process has it."""
        cache = self.world.here.call().vault.state.cache
        wanted = folders or (SessionFolder(self.folder),)
        made = SessionIndex(cache, wanted, embedder=self._embedder)
        self._open.append(made)
        return made

    def talk(self, *texts: str, cwd: str = SHOP, name: str = "", **options) -> Talk:
        """A new session in which the user says these texts."""
        self._made += 1
        name = name or f"{self._made:08x}-619b-74c0-bedb-1ec5be15d70a"
        made = Talk(self.folder, name, cwd=cwd, **options)
        for text in texts:
            made.said(text)
        return made

    def call(self, *, agent: str | None = None):
        """The circumstances of one question."""
        return self.world.here.call(agent=agent)

    def sync(self) -> SessionsSynced:
        """What `vaultmem session sync` does."""
        return sync_sessions(self.call(), self.index)

    def found(self, query: str, **options) -> list[str]:
        """The ids of the sessions that a person finds."""
        agent = options.pop("agent", None)
        done = search_sessions(self.call(agent=agent), self.index, query, **options)
        return [hit.session for hit in done.hits]

    def bytes_with(self, *words: str) -> set[str]:
        """The files of cache and state that hold one of the words."""
        from tests.services.purging import places_with

        self.close()
        folders = [self.world.here.home / name for name in ("cache", "state")]
        return places_with(folders, words)

    def close(self) -> None:
        """Close what is open."""
        for one in self._open:
            one.close()
