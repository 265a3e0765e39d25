"""Every error that vaultmem raises on purpose: a class, a sentence with a next step, an exit code.

    VaultmemError
      VaultError          10-17  which vault, whose vault, its state, key and projects
      NoteError           20-25  one note: reading, changing, finding it
      BusyError           30     somebody else holds the lock
      DiskFailedError     31     the disk is full or does not answer
      ImportSourceError   32     what is to be imported is no such store
      ReviewFileError     33     a review that is to be stored is none
      RefusedError        40-46  the actor or a guard says no
      SearchError         50-51  index and embedding model
      ModelAccessError    60-64  the language model that writes the notebook
      PackageMissingError 70     a package that comes with an extra is not installed

`docs/reference/exit-codes.md` lists them; a test compares the two.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class VaultmemError(Exception):
    """Base of all errors a user can cause or mend; `exit_code` is the status of the command."""

    exit_code = 1


class VaultError(VaultmemError):
    """Something is wrong with the choice of a vault, its folders or this machine's state for it."""

    exit_code = 10


class VaultNotFoundError(VaultError):
    """No rule named a vault, or the folder that it named is none."""

    exit_code = 10


class NoVaultError(VaultNotFoundError):
    """No rule names a vault: most likely there is none yet."""

    exit_code = 10


class VaultNotTrustedError(VaultError):
    """A project or parent folder names a vault that this machine does not trust."""

    exit_code = 11


class HistoryDamagedError(VaultError):
    """The versions of the notebook on this machine cannot be read."""

    exit_code = 18


class UnsafePathError(VaultError):
    """A path leaves its folder, or goes through a symbolic link."""

    exit_code = 12


class VaultIdError(VaultError):
    """The vault's id is malformed, or belongs to a vault at another live path."""

    exit_code = 13


class RootNotOursError(VaultError):
    """A memory root or a plugin cannot be there: other files are, or a larger vault is around."""

    exit_code = 14


class ConfigError(VaultError):
    """The user config or a settings file cannot be read or holds a wrong value."""

    exit_code = 15


class KeyMissingError(VaultError):
    """This device has no key for the vault, or the key that was given is malformed."""

    exit_code = 16


class ProjectNotFoundError(VaultError):
    """Nothing in the vault is of the project that was named, or several may be meant."""

    exit_code = 17


class NoteError(VaultmemError):
    """One note is the trouble; the message says which line and what to do.

    Attributes:
        problem: what is wrong, one sentence.
        remedy: the next step, one sentence.
        line: 1-based line in the note, or None where no line can be named.
        path: the note, relative to the vault, once a caller that knows it has said so.
        code: the finding code of `core.finding.CODES` that says the same, if there is one.
    """

    exit_code = 20

    def __init__(
        self,
        problem: str,
        remedy: str,
        *,
        line: int | None = None,
        path: str | None = None,
        code: str | None = None,
    ) -> None:
        self.problem = problem
        self.remedy = remedy
        self.line = line
        self.path = path
        self.code = code
        super().__init__(problem, remedy, line, path)

    def __str__(self) -> str:
        place = self.path or ""
        if self.line is not None:
            place = f"{place}, line {self.line}" if place else f"Line {self.line}"
        sentence = f"{self.problem} {self.remedy}"
        return f"{place}: {sentence}" if place else sentence

    def at(self, path: str) -> NoteError:
        """The same error, naming the note at `path`."""
        return type(self)(self.problem, self.remedy, line=self.line, path=path, code=self.code)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Let an error that names no note yet name the one at `path`."""
    try:
        yield
    except NoteError as error:
        raise error.at(error.path or path) from None


class NoteUnreadableError(NoteError):
    """The note's bytes or its properties cannot be read as Obsidian would read them."""

    exit_code = 20


class NoteChangedError(NoteError):
    """The note was edited after it was read."""

    exit_code = 21


class EditRefusedError(NoteError):
    """The note is readable, but this change cannot be made without touching something else."""

    exit_code = 22


class NoteNotFoundError(NoteError):
    """No note has that path, id or short id."""

    exit_code = 23


class AmbiguousIdError(NoteError):
    """More than one note answers to the short id."""

    exit_code = 24


class NameTakenError(NoteError):
    """A file of that name is already there."""

    exit_code = 25


class BusyError(VaultmemError):
    """Another process holds the vault's lock."""

    exit_code = 30


class DiskFailedError(VaultmemError):
    """The file system failed: full, too long a name, an input or output error."""

    exit_code = 31


class DiskFullError(DiskFailedError):
    """The disk is full, or the quota of this user is used up."""

    exit_code = 31


class ImportSourceError(VaultmemError):
    """What is to be imported is not there, cannot be read, or is no store of that kind."""

    exit_code = 32


class ReviewFileError(VaultmemError):
    """A review that is to be stored cannot be read, or something in it is wrong."""

    exit_code = 33


class RefusedError(VaultmemError):
    """The request was understood and is not allowed."""

    exit_code = 40


class AgentRefusedError(RefusedError):
    """A verb that only a person may use was called in an agent's environment."""

    exit_code = 40


class CaptureRefusedError(RefusedError):
    """A guard refused to remember a text."""

    exit_code = 41


class NotConfirmedError(RefusedError):
    """A destructive command was not confirmed."""

    exit_code = 42


class BrowseError(RefusedError):
    """A place in the notebook, a page or a question was asked for that there cannot be."""

    exit_code = 40


class NotRatifiedError(RefusedError):
    """The change is of an identity memory (L1), and a person did not ratify it in so many words.

    Attributes:
        what: what is to be ratified, one sentence.
    """

    exit_code = 44

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        super().__init__(f"{what} {remedy}")


class PatchRefusedError(RefusedError):
    """The patch is decided already, or what it wrote was changed since."""

    exit_code = 45


class NotebookOffError(RefusedError):
    """The notebook is off for the project, or the person has not agreed to where it is sent."""

    exit_code = 46


class NotebookChangedError(RefusedError):
    """The notebook is no longer what the caller read, so nothing was published."""

    exit_code = 47


class NotebookInvalidError(RefusedError):
    """What was to be published is no notebook."""

    exit_code = 48


class ReadOnlyError(RefusedError):
    """The file system does not let us write there."""

    exit_code = 43


CANNOT_WRITE = (ReadOnlyError, DiskFullError)
"""What a place answers that cannot be written now; what it holds can still be read."""


class SearchError(VaultmemError):
    """The search index cannot be used."""

    exit_code = 50


class ModelError(SearchError):
    """The embedding model is missing, was changed, or is unknown."""

    exit_code = 51


class DeskRefusedError(RefusedError):
    """A path or a change that the fenced tools of the notebook's worker do not allow."""

    exit_code = 40


class ModelAccessError(VaultmemError):
    """The language model that writes the notebook gave no answer that can be used."""

    exit_code = 60


class NoModelError(ModelAccessError):
    """No language model is set up, or its program, package or key is missing."""

    exit_code = 60


class ModelRefusedError(ModelAccessError):
    """The model's side refuses until something is changed: the key, the name, the settings."""

    exit_code = 61


class ModelDownError(ModelAccessError):
    """The model cannot be reached, is overloaded, is too slow or answers nonsense."""

    exit_code = 62


class ModelUnreachedError(ModelDownError):
    """No connection to the model's side came about, so nothing of a question left this machine."""

    exit_code = 62


class AnswerCutError(ModelAccessError):
    """The model stopped in the middle of its work: its tokens or its steps ran out."""

    exit_code = 63


class ModelStoppedError(ModelAccessError):
    """The question was given up because the caller no longer needs the answer."""

    exit_code = 64


class PackageMissingError(VaultmemError):
    """A package that comes with one of our extras is not installed."""

    exit_code = 70
