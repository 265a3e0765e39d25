"""Which kind of work a prompt asks for: a review, git and releases, debugging, or anything else.

Decided by the tables of `core.query_signals` on whole words, in any case and with every inflection
written out. The first class that matches wins: a pull request with a bug is a review.
"""

from __future__ import annotations

from enum import StrEnum


class QueryClass(StrEnum):
    """What a prompt is about; it decides the order of the report's categories."""

    PR_REVIEW = "pr_review"
    GIT_RELEASE = "git_release"
    DEBUG = "debug"
    GENERAL = "general"


BOOSTED: dict[QueryClass, tuple[str, ...]] = {
    QueryClass.PR_REVIEW: ("mistake", "pattern", "lesson"),
    QueryClass.GIT_RELEASE: ("lesson", "decision", "preference"),
    QueryClass.DEBUG: ("mistake", "lesson"),
    QueryClass.GENERAL: (),
}
"""The categories that come first in a class, in this order; from the topic-file memory."""

READ_AT_MOST = 20_000
"""Characters of a prompt that are looked at: what is asked stands before a pasted log's end."""


def classify(prompt: str) -> QueryClass:
    """The class of a prompt; an empty one is general."""
    text = prompt[:READ_AT_MOST]
    if not text.strip():
        return QueryClass.GENERAL
    # Imported here: a report without a prompt does not need the tables.
    from vaultmem.core import query_signals, query_words

    said = query_words.said(text)
    if query_words.gives_away(said, query_signals.PR_REVIEW) or query_words.names_request(text):
        return QueryClass.PR_REVIEW
    if query_words.gives_away(said, query_signals.GIT_RELEASE):
        return QueryClass.GIT_RELEASE
    if query_words.gives_away(said, query_signals.DEBUG) or query_words.names_exception(text, said):
        return QueryClass.DEBUG
    return QueryClass.GENERAL
