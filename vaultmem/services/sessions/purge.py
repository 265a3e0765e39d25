"""Takes what a purged memory said out of the index of sessions; the session files stay as they are.

`services.purge` lists those files as places that it did not reach.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.core.occurrence import lines_with
from vaultmem.core.session_entry import Answered, Header, Named, Said, Summary, parse_entry
from vaultmem.errors import SearchError
from vaultmem.index.erase import erase_removed
from vaultmem.services.sessions.documents import feed
from vaultmem.services.sessions.index import FOLDER
from vaultmem.store.sessions.catalog import Catalog
from vaultmem.store.sessions.folders import SessionFolder, session_files
from vaultmem.store.sessions.lines import read_lines
from vaultmem.store.sessions.purged import add_purged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.session_entry import AnyEntry
    from vaultmem.services.call import Call
    from vaultmem.services.purging.target import Target
    from vaultmem.store.sessions.purged import EntryKey


def purge_sessions(call: Call, targets: Sequence[Target]) -> None:
    """Forget every entry of a session that says what these memories said, for good.

    The sessions that have one are read anew by the next search, without it. Where sessions were
    never indexed there is nothing to forget, and the tombstones keep the statements out later.

    Args:
        call: the circumstances; the caller holds the vault's lock.
        targets: with all of their words.

    Raises:
        IndexLockedError, BusyError: if another process writes or reads the index.
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written.
    """
    folder = call.vault.state.cache / FOLDER
    catalog = Catalog(folder)
    if not catalog.exists:  # what was indexed before it was lost cannot be told apart
        shutil.rmtree(folder / "index", ignore_errors=True)
        return
    try:
        folders = [SessionFolder(Path(path)) for path in catalog.folders()]
        paths = {row.file for row in catalog.rows()} | session_files(folders).files.keys()
        found = frozenset(key for path in paths for key in _saying(path, targets))
        add_purged(call.vault.state.folder, found)
        sessions = {session for session, _ in found}
        catalog.drop([row.number for row in catalog.rows() if row.id in sessions])
        erase_removed(folder / "index", lambda stamp: feed(call, catalog, stamp))
        catalog.scrub()
    except SearchError:  # it was damaged and is gone
        shutil.rmtree(folder / "index", ignore_errors=True)
    finally:
        catalog.close()


def _saying(path: str, targets: Sequence[Target]) -> Iterator[EntryKey]:
    """The entries of a file that say what one of the memories said."""
    session = ""
    try:
        for line in read_lines(path):
            entry = None if line.data is None else parse_entry(line.data)
            if isinstance(entry, Header):
                session = session or entry.id
            elif entry is not None and (text := _text(entry)):
                data = text.encode("utf-8", "replace")
                if any(lines_with(target.words, data) for target in targets):
                    yield session, entry.id
    except OSError:
        return  # what cannot be read is not indexed either


def _text(entry: AnyEntry) -> str:
    match entry:
        case Said() | Answered() | Summary():
            return entry.text
        case Named():
            return entry.name
        case _:
            return ""
