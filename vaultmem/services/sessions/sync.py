"""Brings the index of sessions up to the session files: only what was added is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.session_slug import project_of_slug
from vaultmem.errors import BusyError, ModelError, ReadOnlyError, SearchError
from vaultmem.services.sessions.documents import feed
from vaultmem.services.sessions.reading import read_session_file
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.store.project import project_identity
from vaultmem.store.sessions.folders import session_files
from vaultmem.store.sessions.lines import guard_of
from vaultmem.store.sessions.rows import SessionRow
from vaultmem.store.switches import read_switches

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.services.sessions.reading import Read
    from vaultmem.store.sessions.folders import SessionFile


class SessionsSynced(NamedTuple):
    """What became of the session files.

    Attributes:
        sessions: how many are known now.
        new: how many were not known before; `changed` had more to read; `gone` are not there.
        entries: entries that were read.
        passed_over: lines that are broken or too long.
        findings: files and folders that could not be read.
        trouble: a sentence where the index could not be brought up to them, else None.
    """

    sessions: int = 0
    new: int = 0
    changed: int = 0
    gone: int = 0
    entries: int = 0
    passed_over: int = 0
    findings: tuple[Finding, ...] = ()
    trouble: str | None = None


def sync_sessions(
    call: Call, sessions: SessionIndex, *, progress: Callable[[int], object] = int
) -> SessionsSynced:
    """Read what was added to the session files, and feed the index with it.

    Sessions for which remembering is switched off are not kept. What cannot be read now is a
    finding and stays as it was.

    Args:
        call: the circumstances.
        sessions: the index.
        progress: called with the number of files that were looked at so far.
    """
    try:
        done = _Sync(call, sessions).run(progress)
    except (BusyError, ReadOnlyError, SearchError) as error:
        return SessionsSynced(trouble=str(error))
    return done._replace(trouble=refresh(call, sessions))


def reindex_sessions(
    call: Call, sessions: SessionIndex, *, progress: Callable[[int], object] = int
) -> SessionsSynced:
    """Forget all that is known of the session files and read them from their beginning."""
    try:
        sessions.catalog.wipe()
    except SearchError:
        pass  # it was damaged and is gone, which is as good
    except (BusyError, ReadOnlyError) as error:
        return SessionsSynced(trouble=str(error))
    sessions.engine.wipe()
    return sync_sessions(call, sessions, progress=progress)


def embed_summaries(
    sessions: SessionIndex, *, progress: Callable[[int], object] = int
) -> tuple[int, str | None]:
    """Embed the summaries that wait: how many, and a sentence where that was not possible."""
    try:
        return sessions.engine.embed(progress=progress), None
    except ModelError as error:
        return 0, str(error)


def refresh(call: Call, sessions: SessionIndex) -> str | None:
    """Feed the index with what the catalog knows; a sentence where that was not possible."""
    try:
        return sessions.engine.refresh(lambda stamp: feed(call, sessions.catalog, stamp))
    except (BusyError, ReadOnlyError, SearchError) as error:
        return str(error)


class _Sync:
    """One look at all session files."""

    def __init__(self, call: Call, sessions: SessionIndex) -> None:
        self._call = call
        self._sessions = sessions
        self._catalog = sessions.catalog
        self._silence = Silence(call)
        self._switches = read_switches(call.vault.state.folder)
        self._projects: dict[str, str] = {}
        self._done = SessionsSynced()

    def run(self, progress: Callable[[int], object]) -> SessionsSynced:
        found = session_files(self._sessions.folders)
        self._catalog.set_folders([str(one.path) for one in self._sessions.folders])
        known = {row.file: row for row in self._catalog.rows()}
        for path in found.unread:
            self._find(f"The folder {path} cannot be listed; what is known of it stays.", path)
        for number, (path, file) in enumerate(found.files.items(), 1):
            self._look(path, file, known.get(path))
            progress(number)
        self._drop_missing(known, found.files, found.unread)
        return self._done._replace(sessions=self._catalog.count())

    def _look(self, path: str, file: SessionFile, before: SessionRow | None) -> None:
        if before is not None and self._is_off(before.project, before.id):
            self._drop([before.number])
            return
        if before is not None and (before.size, before.changed) == (file.size, file.changed):
            return
        try:
            read = read_session_file(path, before, self._silence)
            guard = "" if read is None else guard_of(path, read.done)
        except OSError as error:
            self._find(f"{path} cannot be read ({error.strerror or error}).", path)
            return
        if read is None:
            if before is not None:
                self._drop([before.number])
            return
        row = self._row(path, file, before, read, guard)
        if self._is_off(row.project, row.id):
            return
        kept = self._catalog.put(
            row, read.pieces, read.dropped, before=None if read.whole else before
        )
        if kept:
            self._count(
                new=before is None,
                changed=before is not None,
                entries=read.entries,
                passed_over=read.passed,
            )

    def _row(
        self, path: str, file: SessionFile, before: SessionRow | None, read: Read, guard: str
    ) -> SessionRow:
        return SessionRow(
            number=0 if before is None else before.number,
            file=path,
            project=self._project(read.record.cwd, file.folder),
            archived=file.archived,
            size=file.size,
            changed=file.changed,
            done=read.done,
            guard=guard,
            passed=read.passed + (0 if read.whole or before is None else before.passed),
            record=read.record,
        )

    def _project(self, cwd: str, folder: str) -> str:
        """The project of a working folder, as capture and report would name it there."""
        place = Path(cwd)
        if not place.is_absolute():
            return project_of_slug(folder)
        if cwd not in self._projects:
            known = None if place.is_dir() else self._catalog.project(cwd)
            if known is None:
                cache = self._call.vault.state.cache.parent
                known = project_identity(place, cache=cache).id
                self._catalog.remember_project(cwd, known)
            self._projects[cwd] = known
        return self._projects[cwd]

    def _drop_missing(
        self,
        known: Mapping[str, SessionRow],
        found: Mapping[str, SessionFile],
        unread: tuple[str, ...],
    ) -> None:
        """Forget sessions whose files are gone, but none in a folder that could not be listed."""
        folders = tuple(f"{one.path}{os.sep}" for one in self._sessions.folders)
        gone = [
            row.number
            for path, row in known.items()
            if path not in found
            and path.startswith(folders)
            and not any(path.startswith(f"{one}{os.sep}") for one in unread)
        ]
        if gone:
            self._drop(gone)

    def _drop(self, numbers: Sequence[int]) -> None:
        self._catalog.drop(numbers)
        self._count(gone=len(numbers))

    def _is_off(self, project: str, session: str) -> bool:
        """Whether remembering is switched off for a session; nearly nobody switches anything."""
        if not self._switches:
            return False
        return switched_off(self._call, WRITE, project=project, session=session) is not None

    def _find(self, message: str, path: str) -> None:
        one = finding("VM940", message, path=path)
        self._done = self._done._replace(findings=(*self._done.findings, one))

    def _count(self, **more: int) -> None:
        added = {key: getattr(self._done, key) + value for key, value in more.items()}
        self._done = self._done._replace(**added)
