"""One line of the report: the statement, a short id to cite, its source and its age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.core.ids import short_id
from vaultmem.core.scoring import HALF_LIFE
from vaultmem.core.selection import age_seconds, is_hard_rule, is_unreviewed
from vaultmem.core.standing import DAY

if TYPE_CHECKING:
    from vaultmem.core.standing import Standing

STATEMENT_QUARTERS = 320
"""Room of a statement in a line, 80 tokens: every captured text (300 characters) fits whole."""

_READ_AT_MOST = 2_000
"""Characters of a statement that are looked at before it is shortened."""

_SOURCE_OF_TRUST: dict[str, str] = {
    "direct_user_instruction": "said",
    "user_correction": "said",
    "repeated_user_preference": "said",
    "accepted_code_review_outcome": "review",
    "existing_project_convention": "convention",
    "passing_tool_or_test_outcome": "tests",
    "agent_inference": "inferred",
    "single_session_observation": "inferred",
    "repository_text": "repository",
    "generated_content": "generated",
    "third_party_documentation": "docs",
}
_SOURCE_OF_CUE: dict[str, str] = {
    "explicit": "said",
    "structural": "seen",
    "behavioral": "inferred",
    "recurrence": "inferred",
}
_DOUBTFUL = frozenset(("inferred", "repository", "generated", "docs"))
"""Sources that must be checked: the five trust classes that are never applied by themselves."""

_MONTH, _YEAR = 30, 365


def memory_line(memory: Standing, day: float) -> str:
    """The line of a memory.

    Args:
        memory: the row.
        day: the beginning of today, in local seconds.

    Returns:
        One line without its line feed: `- ⚠ Statement. [s8t9v0w1 inferred 12d]`, the sign only
        where the statement must be checked before it is used.
    """
    source = _source(memory)
    mark = "⚠" if _doubtful(memory, source, day) else ""
    tail = _spaced(short_id(memory.id), source, _age(memory, day))
    return _spaced("-", mark, plain_line(memory.statement), f"[{tail}]")


def plain_line(text: str) -> str:
    """A text as one harmless line of limited length."""
    # Imported here: the tables of Unicode are not needed where nothing stands.
    from vaultmem.core.visible import visible_line

    line = visible_line(text[:_READ_AT_MOST])
    short = shorten(line, STATEMENT_QUARTERS)
    # A cut may leave a joiner at the end, which then joins nothing.
    return line if short == line else visible_line(short)


def _spaced(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _source(memory: Standing) -> str:
    if memory.status == "contested":
        return "contested"
    if is_unreviewed(memory):
        return "unreviewed"
    return _SOURCE_OF_TRUST.get(memory.trust) or _SOURCE_OF_CUE[memory.cue]


def _doubtful(memory: Standing, source: str, day: float) -> bool:
    """Whether a line must be checked; a person's signature stands for what it gives force to."""
    if source in {"contested", "unreviewed"}:
        return True
    # Without a signature a pin or L1 would have been unreviewed.
    if memory.pinned or memory.layer == "L1" or is_hard_rule(memory):
        return False
    return source in _DOUBTFUL or _is_old(memory, day)


def _is_old(memory: Standing, day: float) -> bool:
    """Whether its review is overdue, or a whole half-life passed since it was reinforced."""
    return 0 < memory.review < day or age_seconds(memory, day) >= HALF_LIFE[memory.category]


def _age(memory: Standing, day: float) -> str:
    """Days up to two months, then months, then years; "" where no date is known."""
    if not (memory.reinforced or memory.created):
        return ""
    days = int(age_seconds(memory, day) // DAY)
    if days == 0:
        return "today"
    if days < 2 * _MONTH:
        return f"{days}d"
    return f"{days // _MONTH}mo" if days < 2 * _YEAR else f"{days // _YEAR}y"
