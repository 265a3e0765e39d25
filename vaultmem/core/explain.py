"""Why each memory is in a report or not, in words; nothing is decided here.

A reason is what `core.selection`, `core.report_caps`, `core.report` and `core.report_rules` give,
`word` or `word:detail`; `core.report_trace` says which filter gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.query_class import BOOSTED
from vaultmem.core.report import CATEGORIES, CONTESTED, HARD_RULES, IDENTITY, PINNED
from vaultmem.core.report_line import plain_line
from vaultmem.core.selection import is_unreviewed, score_on, today

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.query_class import QueryClass
    from vaultmem.core.report import Report
    from vaultmem.core.report_trace import Stage
    from vaultmem.core.selection import Excluded
    from vaultmem.core.standing import Standing

REASONS: dict[str, str] = {
    "mode": "The mode {} tells no memories (`retrieval_injection_mode` in the settings).",
    "status": "Its status is {}; only active and contested memories are told.",
    "layer": "It is of layer {}, the log of sessions, which only a search finds.",
    "project": "It belongs to another project, {}.",
    "no_project": "It holds in one project and names none; set `project` or `scope: global`.",
    "session_over": "It was for one session, which is over.",
    "task_over": "It was for one task, and such a memory is told for 14 days.",
    "expired": "It expired: `expires` in its note is past.",
    "not_yet_valid": "It does not hold yet: `valid_from` in its note is to come.",
    "no_longer_valid": "It does not hold any more: `valid_to` in its note is past.",
    "not_when": "It does not hold here: prompt, files or project fit “{}”, which it excludes.",
    "applies_when": "Prompt, files and project fit none of its `applies_when`.",
    "lifecycle": "Its score faded, it is {}; reinforcing brings it back, and a search finds it.",
    "category_budget": "Stronger memories fill its category and the places open to all.",
    "contested": "Other contested memories are nearer to the prompt.",
    "max_records": "The settings cap how many memories of layer {} are told.",
    "no_room": "It found no room: the tokens of its section are used up.",
}
"""A sentence for each reason's word; `{}` is the detail."""

_SECTIONS: dict[str, str] = {
    HARD_RULES.name: "A rule with force: enforced, or of a rule's type and sure.",
    IDENTITY.name: "About you, and ratified.",
    PINNED.name: "Pinned, with force.",
    CONTESTED.name: "Contested: told so that nothing relies on it.",
}
"""Why a memory stands in a section that does not go by the score."""


class Told(NamedTuple):
    """A memory that is in the text.

    Attributes:
        statement: one harmless line.
        section: its section's name.
        score: today's; what has force stands whatever it is.
        boosted: whether the query class put its category first.
        because: a sentence.
    """

    id: str
    statement: str
    section: str
    score: float
    boosted: bool
    because: str


class LeftOut(NamedTuple):
    """A memory that is not in the text; `statement` is "" where it was deleted."""

    id: str
    statement: str
    stage: str
    reason: str
    because: str


class Explanation(NamedTuple):
    """Every memory of the vault: through which filters they went, and what came of each.

    Attributes:
        stages: the filters in their order, with what each left out.
        told: in the order of the text.
        left_out: in the order of the filters, then by id.
    """

    stages: tuple[Stage, ...]
    told: tuple[Told, ...]
    left_out: tuple[LeftOut, ...]


def sentence(reason: str) -> str:
    """A reason in words; what comes from a note is one harmless line in it.

    Raises:
        KeyError: if nothing gives such a reason.
    """
    word, _, detail = reason.partition(":")
    return REASONS[word].replace("{}", plain_line(detail))


def explain(report: Report, memories: Iterable[Standing], *, now: float) -> Explanation:
    """Explain a report.

    Args:
        report: as `build_report` or `rules_report` made it.
        memories: all that it was made of, in any order; one that is gone since then is passed over.
        now: the moment for which it was made, as `Context.now`.
    """
    known = {memory.id: memory for memory in memories}
    told = tuple(
        _told(known[name], section.name, report.query_class, today(now))
        for section in report.sections
        for name in section.ids
        if name in known
    )
    stages = report.trace
    left_out = (
        _left_out(known[one.id], stage.processor, one)
        for stage in stages
        for one in stage.excluded
        if one.id in known
    )
    return Explanation(stages, told, tuple(left_out))


def _told(memory: Standing, section: str, kind: QueryClass, day: float) -> Told:
    score = score_on(memory, day)
    # The name differs from the section's for what has force: no class moves that.
    boosted = memory.category in BOOSTED[kind] and section == CATEGORIES[memory.category].name
    because = _SECTIONS.get(section) or f"Among the strongest of its category, score {score:.2f}."
    if boosted:
        because += f" The class {kind.value} puts that category first."
    if is_unreviewed(memory):
        because += " It wants to act, but no signature gives it force: see `vaultmem ratify`."
    return Told(memory.id, plain_line(memory.statement), section, score, boosted, because)


def _left_out(memory: Standing, stage: str, one: Excluded) -> LeftOut:
    statement = "" if memory.status == "deleted" else plain_line(memory.statement)
    return LeftOut(one.id, statement, stage, one.reason, sentence(one.reason))
