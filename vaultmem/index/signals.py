"""What an index tells its engine; neither leaves the package."""

from __future__ import annotations


class IndexTornError(Exception):
    """The files of the index cannot be read; whoever feeds it wipes it and feeds everything."""


class VectorsTornError(IndexTornError):
    """The same of the vectors; the words are still good."""


class IndexLockedError(Exception):
    """Another process is writing the index and did not finish in time; reading still works."""
