"""Whether a knowledge note says more about a statement: whole words in common, and meaning."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.conflict import is_conflict_copy
from vaultmem.core.naming import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST = 3
"""Suggestions that a person is shown; as many as the governed memory shows (its section 12)."""

LEAST_WORDS = 2
"""Whole words that a statement and a note must share; one alone is "ranking" or "git"."""

LEAST_SHARE = 1 / 3
"""The part of a statement's words that a note must hold."""

WORDS_WEIGHT = 0.7
"""What coverage by words counts beside the cosine. Chosen with the two next on the tune half of
tests/fixtures/vault_ref: from 0.6 to 1.0 the figures are nearly equal, below it paraphrases of a
note lose to strangers of its topic. `python -m tests.benchmarks.vault_ref` prints them."""

FAIR_COVERAGE = 0.32
"""The coverage at which the model's threshold is what is asked of the cosine: a note that covers
more of a statement may be a little less near in meaning, one that covers less must be nearer."""

WORDS_ALONE = 0.36
"""The coverage that is asked where no meaning is known; precision 1.0 on the same half."""
SHARE_ALONE, LEAST_ALONE = 0.6, 4
"""Likewise the share and the number of the words: three common ones are in some note of most."""

_CANDIDATE = re.compile(r".*\b(?:entity|relation) candidate(?: \d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-(?:\d{2}(?:-\d{2})?|W\d{2}|Q\d)(?:[ ,_-]+[^\W\d]{2,12})?", re.IGNORECASE)
"""A day, week, month or quarter, with its weekday at most: a postmortem may begin with its date."""
_TEMPLATES = re.compile(r"[\W\d_]*templates?[\W_]*", re.IGNORECASE)
_PROPOSED = frozenset(("candidate", "review_required"))


class Likeness(NamedTuple):
    """What a statement and a piece of a note have in common.

    Attributes:
        words: whole words that both hold, stems and parts of names alike.
        share: the part of the statement's words that they are, 0 to 1.
        coverage: the search's, 0 to 1: rare words weigh more.
        cosine: nearness of meaning; None where it is not known, or the model cannot read the text.
    """

    words: int
    share: float
    coverage: float
    cosine: float | None

    @property
    def score(self) -> float:
        """What suggestions are ranked by."""
        return (self.cosine or 0.0) + WORDS_WEIGHT * self.coverage


def shares_enough(shared: frozenset[str], words: frozenset[str]) -> bool:
    """Whether enough of a statement's words are in a note for it to be looked at closely."""
    return len(shared) >= LEAST_WORDS and len(shared) >= LEAST_SHARE * len(words)


def belongs(like: Likeness, *, threshold: float, floor: float) -> bool:
    """Whether the note is worth a suggestion.

    Args:
        like: what they have in common.
        threshold: the model's `vault_ref`.
        floor: the cosine below which nothing is suggested, whatever the words say.
    """
    if like.cosine is None:
        return (
            like.words >= LEAST_ALONE and like.share >= SHARE_ALONE and like.coverage >= WORDS_ALONE
        )
    return (
        like.words >= LEAST_WORDS
        and like.share >= LEAST_SHARE
        and like.cosine >= floor
        and like.score >= threshold + WORDS_WEIGHT * FAIR_COVERAGE
    )


def is_knowledge(path: str, properties: Mapping[str, object]) -> bool:
    """Whether a note of the person's may be a memory's knowledge note at all.

    Not: conflict copies, entries of a diary, what lies in a folder of templates, and proposals for
    notes, such as the entity candidates of the knowledge vault that the facts describe.
    """
    *folders, name = path.split("/")
    title = title_of(path)
    if is_conflict_copy(name) or _DATE.fullmatch(title) or _CANDIDATE.fullmatch(title):
        return False
    if any(_TEMPLATES.fullmatch(folder) for folder in folders):
        return False
    kind, status = (str(properties.get(key) or "").casefold() for key in ("type", "status"))
    return not kind.endswith("_candidate") and status not in _PROPOSED


def without_projects(statement: str, projects: Iterable[str]) -> str:
    """The statement without the names of projects, which say where it holds and not what it is of.

    Otherwise the note on a project is suggested for everything that holds there. A statement that
    consists of such names stays as it is.

    Args:
        statement: of a memory.
        projects: their identities, `host/owner/name` or a name.
    """
    for project in sorted(filter(None, projects)):
        parts = [
            re.escape(part) for part in re.split(r"[-_ ]+", project.rpartition("/")[2]) if part
        ]
        name = rf"(?<!\w){'[-_ ]?'.join(parts)}(?:['’]s)?(?!\w)"
        if parts and any(map(str.isalnum, left := re.sub(name, " ", statement, flags=re.I))):
            statement = left
    return " ".join(statement.split())


def is_latin(text: str) -> bool:
    """Whether most letters of a text are Latin, the only ones that the embedded model reads."""
    letters = [char for char in text if char.isalpha()]
    foreign = sum(not char.isascii() and not _is_latin(char) for char in letters)
    return 2 * foreign <= len(letters)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN ")
