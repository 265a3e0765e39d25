"""What an index tells its engine; neither leaves the package."""

from __future__ import annotations


class IndexTornError(Exception):
    """The files of the index cannot be read; whoever feeds it wipes it and feeds everything."""


class VectorsTornError(IndexTornError):
    """The same of the vectors; the words are still good."""


class IndexLockedError(Exception):
    """The index cannot be written now; reading still works.

    Attributes:
        reason: ends the sentence "The search index …".
    """

    def __init__(self, reason: str = "is being written by another process") -> None:
        super().__init__(reason)
        self.reason = reason


def unwritable(error: OSError) -> IndexLockedError:
    """The disk is full, the folder is read-only, or the like."""
    return IndexLockedError(f"cannot be written ({error.strerror or error})")
