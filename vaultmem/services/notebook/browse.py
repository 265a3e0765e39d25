"""Browse the notebook as an agent may: what is published, the sessions' summaries, ad-hoc notes.

There is no folder of that shape: handbook, summary and skills come from the published version, the
summaries from the session notes of all devices, the notes from `Notes/`. Texts pass the allow-list,
hold no secret and nothing that was purged. What an agent sees of them is never learned from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.browsing import (
    MOST_LISTED,
    MOST_READ_TOKENS,
    list_folder,
    nothing_there,
    read_lines,
    safe_path,
)
from vaultmem.core.notebook.inputs import NOTES, RAW_MEMORIES, SUMMARIES, input_files
from vaultmem.core.notebook.shown import shown_text
from vaultmem.core.notebook.text_search import MOST_FOUND, search_texts
from vaultmem.core.place import Kind
from vaultmem.errors import BrowseError, NoteNotFoundError
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.notebook.card_notes import cards_of_all_devices
from vaultmem.services.notebook.published import versions
from vaultmem.services.read_text import read_text
from vaultmem.services.remember_note import notes_left
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.core.notebook.browsing import Lines, Listed
    from vaultmem.core.notebook.text_search import Matches, Question
    from vaultmem.services.call import Call


class Notebook:
    """The notebook at one moment; it is read once, at the first question.

    The caller has seen to it that the notebook is on for the project and recalling is not off.
    """

    def __init__(self, call: Call) -> None:
        """Read the names of its files.

        Raises:
            HistoryDamagedError: if the published version cannot be read.
            BusyError: if another process writes for longer than ten seconds.
        """
        catch_up(call)
        self._call = call
        self._silence = Silence(call)
        self._files = _published(call) | _summaries(call)
        self._notes = {f"{NOTES}/{path.rpartition('/')[2]}": path for path in notes_left(call)}
        self._paths = frozenset((*self._files, *self._notes))

    def listed(
        self, folder: str = "", *, cursor: str | None = None, most: int = MOST_LISTED
    ) -> Listed:
        """The names in a folder; arguments and errors as `core.notebook.browsing.list_folder`."""
        return list_folder(self._paths, folder, cursor=cursor, most=most)

    def read(
        self,
        path: str,
        *,
        offset: int = 1,
        most_lines: int | None = None,
        most_tokens: int = MOST_READ_TOKENS,
    ) -> Lines:
        """Some lines of a file.

        Raises:
            UnsafePathError, NoteNotFoundError: as `core.notebook.browsing.safe_path`.
            BrowseError: if it is a folder or no text, or as `core.notebook.browsing.read_lines`.
        """
        name = self._file(path)
        text = self.text(name)
        if text is None:
            raise BrowseError("That file holds no text. Choose another one.")
        lines = read_lines(
            name, text, offset=offset, most_lines=most_lines, most_tokens=most_tokens
        )
        self._remember(lines.text)
        return lines

    def search(
        self,
        question: Question,
        *,
        folder: str = "",
        cursor: str | None = None,
        most: int = MOST_FOUND,
    ) -> Matches:
        """The places that answer a question; files that hold no text are passed over.

        Raises:
            UnsafePathError, NoteNotFoundError: as `core.notebook.browsing.safe_path`.
            BrowseError: as `core.notebook.text_search.search_texts`.
        """
        below = safe_path(folder)
        asked = (one for one in self._paths if not below or f"{one}/".startswith(f"{below}/"))
        texts = ((path, text) for path in asked if (text := self.text(path)) is not None)
        found = search_texts(texts, question, cursor=cursor, most=most)
        self._remember("\n".join(match.text for match in found.matches))
        return found

    def has(self, path: str) -> bool:
        """Whether there is such a file, by the path that the lists give."""
        return path in self._paths

    def in_vault(self, path: str) -> str:
        """The path in the vault of the note that a file is made from, or stands in."""
        folder, _, name = path.rpartition("/")
        if path in self._notes:
            return self._notes[path]
        if folder == SUMMARIES:
            rows = self._call.vault.baseline.notes(kind=Kind.SESSION.value)
            named = (one.path for one in rows if one.path.endswith(f"/{name}"))
            return next(named, path)
        return f"{self._call.vault.root}/{path}"

    def text(self, path: str) -> str | None:
        """A file as an agent sees it; None where it holds no text, or may not be read."""
        if path in self._notes:
            try:
                return read_text(self._call, self._notes[path])
            except NoteNotFoundError:
                return None
        try:
            text = self._files[path].decode()
        except UnicodeDecodeError:
            return None
        return shown_text(redact(text), is_silent=lambda line: self._silence.hides("", "", line))

    def _file(self, path: str) -> str:
        name = safe_path(path)
        if name in self._paths:
            return name
        if not name or any(one.startswith(f"{name}/") for one in self._paths):
            raise BrowseError("That is a folder and no file. List what it holds with memory_list.")
        raise nothing_there()

    def _remember(self, text: str) -> None:
        if self._call.agent is not None:
            remember_shown(self._call, text.splitlines())


def _published(call: Call) -> dict[str, bytes]:
    """The files of the version that is in force; none before the first."""
    with versions(call) as history:
        return dict(history.files(None)) if history.head_id() is not None else {}


def _summaries(call: Call) -> dict[str, bytes]:
    """The summaries of all devices' sessions, as the worker reads them."""
    files = input_files(cards_of_all_devices(call), {})
    del files[RAW_MEMORIES]
    return files
