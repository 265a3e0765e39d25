"""The index of the agent's earlier sessions: the catalog of their files, and a search engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.index.engine import SearchEngine
from vaultmem.store.sessions.catalog import Catalog

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.index.embedder import Embedder
    from vaultmem.store.sessions.folders import SessionFolder

FOLDER = "sessions"
"""Where both are kept below the cache of a vault."""


class SessionIndex:
    """Where sessions lie and what is known of them.

    The engine is the one of the notes in a folder of its own: it is fed at another pace, so that
    reading months of talk never keeps a memory from being found.

    Attributes:
        folder: where both are kept.
        folders: of the session files, which are only read.
        catalog: how far each file was read.
        engine: holds the pieces as `Source.SESSION`.
    """

    def __init__(
        self, cache: Path, folders: Sequence[SessionFolder], *, embedder: Embedder | None
    ) -> None:
        """Open nothing yet.

        Args:
            cache: the vault's cache folder.
            folders: as `session_folders` gives them.
            embedder: None for words only.
        """
        self.folder = cache / FOLDER
        self.folders = tuple(folders)
        self.catalog = Catalog(self.folder)
        self.engine = SearchEngine(
            self.folder / "index", embedder=embedder, rebuild="vaultmem session reindex"
        )

    def close(self) -> None:
        """Close the files."""
        self.engine.close()
        self.catalog.close()
