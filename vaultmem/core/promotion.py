"""Promotion: which stronger form a memory has earned by what the user said.

Destinations, thresholds and categories are those of the topic-file memory (§11); for the link to
knowledge they are the policy of the governed memory (§12). What is our own: only the user's words
count, once for each session.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import needs_force
from vaultmem.core.ids import short_id
from vaultmem.core.inference import Guardrail, infer
from vaultmem.core.mechanical import ENFORCED_CATEGORIES, mechanical_guardrail
from vaultmem.core.model import Category, Layer, RuleType, Scope, Stability, Status
from vaultmem.core.promotion_words import Destination
from vaultmem.core.selection import HARD_RULE_CONFIDENCE, HARD_RULE_TYPES
from vaultmem.core.steps import slug, steps_of, title_of_procedure
from vaultmem.core.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.model import Memory


ENFORCEMENT_AT = 3
SKILL_AT = 3
PROJECT_RULE_AT = 5
"""Sessions in which the user said it; topic-file memory, §11."""
VAULT_REF_AT = 5
VAULT_REF_PROJECTS = 2
STABLE_DAYS = 30
"""Either many sessions or two projects, and a statement that stood this long; governed memory, §12
(the policy of its skill file), and DESIGN §5 for the five."""


class Heard(NamedTuple):
    """Where the user's own words say what a memory says.

    Attributes:
        sessions: how many; what was said outside of any session counts each time.
        projects: the identities of the projects, sorted.
        since: the local day from which the statement has stood as it is; None where nobody knows.
        intact: whether each piece of evidence that the memory cites is as it was recorded.
    """

    sessions: int = 0
    projects: tuple[str, ...] = ()
    since: date | None = None
    intact: bool = True


class Promoted(NamedTuple):
    """One form that a memory could have.

    Attributes:
        destination: the form.
        reason: why, one sentence for a person.
        guardrail: of an enforcement; empty where a person has to write it.
        skill: the name of a skill, "" for another form.
        alone: whether policy may do it, where the settings let policy act.
    """

    destination: Destination
    reason: str
    guardrail: Guardrail = Guardrail()
    skill: str = ""
    alone: bool = False


class Requirement(NamedTuple):
    """One thing that a knowledge note needs of its memory, and whether it is so."""

    says: str
    met: bool


_DIRECTIVE = re.compile(r"\b(?:never|always|don['’]?t|do not|must not)\b", re.IGNORECASE)
_OF_A_PROJECT = re.compile(
    r"\b(?:always|never|must|conventions?|project-wide|in this (?:repo|repository|project))\b",
    re.IGNORECASE,
)
_OF_A_PERSON = re.compile(
    r"\b(?:i(?![/.-])|me|my|mine|we|(?-i:us)|our|ours)\b"
    r"|\b(?:this|the) (?:repo|repository|project|codebase)\b",
    re.IGNORECASE,
)
"""Words of a statement about somebody's own ways or one place, which is no general knowledge."""

_SKILL_CATEGORIES = frozenset((Category.PATTERN, Category.LESSON, Category.DONE))
_KNOWLEDGE_CATEGORIES = frozenset(
    (Category.LESSON, Category.PATTERN, Category.DECISION, Category.MISTAKE)
)


def propose(memory: Memory, heard: Heard, *, today: date) -> tuple[Promoted, ...]:
    """The forms that a memory has earned, in the order of `Destination`.

    Only an active playbook memory earns one: what is in doubt is settled first, identity is the
    person's to ratify, and what passes with its task or session leaves nothing behind.

    Args:
        memory: as it is in force.
        heard: what the user said.
        today: the person's local date.
    """
    passing = memory.scope in (Scope.TASK, Scope.SESSION)
    if memory.status is not Status.ACTIVE or memory.layer is not Layer.PLAYBOOK or passing:
        return ()
    found = (rule(memory, heard, today) for rule in _RULES)
    return tuple(one for one in found if one is not None)


def may_earn(memory: Memory, *, evidence: float) -> bool:
    """Whether looking up what the user said can be worth it.

    Args:
        memory: as it is in force.
        evidence: its live count, which the sessions of the user cannot exceed.
    """
    most = Heard(int(evidence), since=date(1970, 1, 1))
    anywhere = most._replace(projects=("one", "another"))
    return any(propose(memory, heard, today=date(2000, 1, 1)) for heard in (most, anywhere))


def requirements(memory: Memory, heard: Heard, *, today: date) -> tuple[Requirement, ...]:
    """What speaks for and against a knowledge note about a memory, each with yes or no."""
    days = 0 if heard.since is None else (today - heard.since).days
    seen = len(heard.projects) >= VAULT_REF_PROJECTS or heard.sessions >= VAULT_REF_AT
    return (
        Requirement(
            f"Seen in {VAULT_REF_PROJECTS} projects or said in {VAULT_REF_AT} sessions "
            f"({count(len(heard.projects), 'project')}, {count(heard.sessions, 'session')})",
            seen,
        ),
        Requirement(
            f"Unchanged for {STABLE_DAYS} days, and not of low stability ({count(days, 'day')})",
            days >= STABLE_DAYS and memory.stability is not Stability.LOW,
        ),
        Requirement(
            "General knowledge, no preference and no matter of one project", is_general(memory)
        ),
        Requirement(
            "It informs and does not act: neither pinned, a rule, a guardrail nor of your identity",
            not (needs_force(memory) or _is_rule(memory)),
        ),
        Requirement("Its evidence is there as it was recorded", heard.intact),
    )


def is_general(memory: Memory) -> bool:
    """Whether a memory says something of the world rather than of a person or one place."""
    anywhere = memory.scope in (Scope.GLOBAL, Scope.DOMAIN) and memory.project is None
    knowledge = memory.category in _KNOWLEDGE_CATEGORIES and memory.rule is not RuleType.PREFERENCE
    return anywhere and knowledge and _OF_A_PERSON.search(memory.statement) is None


def can_be_skill(memory: Memory) -> bool:
    """Whether a memory tells what to do; a mistake tells what not to do, and the rest no work."""
    return memory.category in _SKILL_CATEGORIES


def skill_name(memory: Memory) -> str:
    """What its skill is called: by its words, else by its category and id."""
    by_words = slug(title_of_procedure(memory.statement))
    return by_words or f"{memory.category}-{short_id(memory.id)}"


def _is_rule(memory: Memory) -> bool:
    """Whether it is a hard rule wherever it has force."""
    of_type = memory.rule is not None and memory.rule.value in HARD_RULE_TYPES
    return of_type and memory.confidence >= HARD_RULE_CONFIDENCE


def crosses_threshold(evidence: int) -> bool:
    """Whether a count is one at which promotion is looked at: 3, 5, then every third."""
    return evidence in (3, 5) or (evidence > 3 and evidence % 3 == 0)


def _enforcement(memory: Memory, heard: Heard, _today: date) -> Promoted | None:
    taken = memory.enforced or memory.trigger or memory.action
    if heard.sessions < ENFORCEMENT_AT or taken or memory.category not in ENFORCED_CATEGORIES:
        return None
    said = f"You said it in {count(heard.sessions, 'session')}"
    if (alone := mechanical_guardrail(memory)) is not None:
        reason = f"{said}, and it spells out what to look for."
        return Promoted(Destination.ENFORCEMENT, reason, alone, alone=True)
    if (found := infer(memory.statement)) is not None:
        reason = f"{said}, and it spells out a check; look whether it holds everywhere."
        return Promoted(Destination.ENFORCEMENT, reason, found)
    if _DIRECTIVE.search(memory.statement) is None:
        return None
    reason = f"{said}, and it forbids or demands something; what to look for is yours to write."
    return Promoted(Destination.ENFORCEMENT, reason)


def _skill(memory: Memory, heard: Heard, _today: date) -> Promoted | None:
    if heard.sessions < SKILL_AT or not can_be_skill(memory):
        return None
    if not (steps := steps_of(memory.statement)):
        return None
    said = f"You said it in {count(heard.sessions, 'session')}"
    reason = f"{said}, and it is a procedure of {len(steps)} steps."
    return Promoted(Destination.SKILL, reason, skill=skill_name(memory))


def _project_rule(memory: Memory, heard: Heard, _today: date) -> Promoted | None:
    if heard.sessions < PROJECT_RULE_AT or memory.enforced or infer(memory.statement) is not None:
        return None
    everywhere = memory.project is None and len(heard.projects) > 1
    if everywhere or _OF_A_PROJECT.search(memory.statement) is None:
        return None
    said = f"You said it in {count(heard.sessions, 'session')}"
    return Promoted(Destination.PROJECT_RULE, f"{said}, and it is worded as a rule.")


def _vault_ref(memory: Memory, heard: Heard, today: date) -> Promoted | None:
    if memory.vault_ref or not all(one.met for one in requirements(memory, heard, today=today)):
        return None
    places = count(len(heard.projects), "project")
    reason = f"It held in {places} and {count(heard.sessions, 'session')}, and it is general."
    return Promoted(Destination.VAULT_REF, reason)


_RULES: tuple[Callable[[Memory, Heard, date], Promoted | None], ...] = (
    _enforcement,
    _skill,
    _project_rule,
    _vault_ref,
)
