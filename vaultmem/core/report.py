"""The situation report: the text about its memories that an agent reads before it thinks.

`select` says who may stand; here the text is laid out under a token budget that nothing may exceed,
the header included. The same memories, query class, context and day give the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import QUARTERS, Room, tokens
from vaultmem.core.governance_keys import SCOPED
from vaultmem.core.layout import Block, Entry, share_out
from vaultmem.core.query_class import BOOSTED, QueryClass, classify
from vaultmem.core.report_caps import NO_CAPS, Caps, keep_to
from vaultmem.core.report_frame import Frame
from vaultmem.core.report_line import memory_line, plain_line
from vaultmem.core.selection import CONTESTED_AT_MOST, Excluded, Selection, select
from vaultmem.core.settings import REPORT_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.context import Context
    from vaultmem.core.finding import Finding
    from vaultmem.core.report_trace import Stage
    from vaultmem.core.standing import Standing


class Shape(NamedTuple):
    """A section's name, heading, and the most tokens (heading included) and lines it may take."""

    name: str
    heading: str
    cap: int
    lines: int


HARD_RULES = Shape("hard_rules", "Hard rules", 250, 8)
IDENTITY = Shape("identity", "Identity", 120, 4)
PINNED = Shape("pinned", "Pinned", 350, 40)
REVIEW = Shape("review_guidelines", "Review guidelines", 250, 40)
CONTESTED = Shape("contested", "Contested, not to be relied on", 80, CONTESTED_AT_MOST)
INQUIRIES = Shape("inquiries", "Open questions", 80, 3)
SCRATCHPAD = Shape("scratchpad", "Scratchpad", 80, 20)
LOG = Shape("log", "Log", 120, 20)
PROMOTIONS = Shape("promotions", "Promotion candidates", 80, 5)
ACTING = (HARD_RULES, IDENTITY, PINNED, REVIEW)
SHAPES = (*ACTING, CONTESTED, INQUIRIES, SCRATCHPAD, LOG, PROMOTIONS)
"""Every section but those of the categories, in order; from DESIGN §7 and the governed memory, the
promotion candidates from the topic-file memory (section 3), with 80 of its 150 tokens: most of
their memories stand in the report as they are. The guidelines, which its reviewers read in a file,
stand there in reviews only; some ten lines."""


class _Category(NamedTuple):
    """A category's section and its part of what the other sections leave."""

    name: str
    heading: str
    share: float


CATEGORIES: dict[str, _Category] = {
    "preference": _Category("preferences", "Preferences", 400),
    "lesson": _Category("lessons", "Lessons", 400),
    "mistake": _Category("mistakes", "Mistakes not to repeat", 200),
    "pattern": _Category("patterns", "Patterns", 200),
    "decision": _Category("decisions", "Decisions", 200),
    "done": _Category("completions", "Completions", 200),
}
"""The categories in their usual order; the shares are the topic-file memory's section budgets."""

BOOST = 1.25
"""How much larger the share of a category is that the query class puts first."""


_MORE_GUIDELINES = "guidelines in the Review folder"


class Section(NamedTuple):
    """A section of the report and the ids of the memories in it, in their order."""

    name: str
    ids: tuple[str, ...]


class Extras(NamedTuple):
    """Ready lines from other parts of vaultmem; each is shown as one harmless line."""

    inquiries: tuple[str, ...] = ()
    scratchpad: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    promotions: tuple[str, ...] = ()
    guidelines: tuple[str, ...] = ()
    """For reviews; none for any other class of prompt."""


NO_EXTRAS = Extras()


class Report(NamedTuple):
    """The report.

    Attributes:
        text: begins with `# Project Memory`, has no line feed at its end; "" when nothing stands.
        tokens: what the text takes, never more than `budget`.
        budget: the budget that was given.
        query_class: the class of the prompt.
        sections: what is in the text, in order.
        excluded: every memory that is not in the text, by id, with the reason.
        mode: what a session is given (`retrieval_injection_mode`).
        findings: why there is nothing in it, where it is switched off; what could not be written.
    """

    text: str
    tokens: int
    budget: int
    query_class: QueryClass
    sections: tuple[Section, ...]
    excluded: tuple[Excluded, ...]
    mode: str = SCOPED
    findings: tuple[Finding, ...] = ()

    @property
    def trace(self) -> tuple[Stage, ...]:
        """What each filter left out, in the order of the filters."""
        from vaultmem.core.report_trace import trace  # most reports are only read

        return trace(self.excluded, sum(len(section.ids) for section in self.sections))


def build_report(
    memories: Iterable[Standing],
    context: Context,
    *,
    budget: int = REPORT_TOKENS,
    query_class: QueryClass | None = None,
    extras: Extras = NO_EXTRAS,
    caps: Caps = NO_CAPS,
    settled: Iterable[Excluded] = (),
) -> Report:
    """Lay the report out.

    Args:
        memories: every memory that the baseline knows, in any order.
        context: when and for what; the prompt decides the class and what `applies_when` meets.
        budget: tokens, as `core.budget` counts them; below about 40 nothing fits.
        query_class: the class, where the caller knows better than the prompt says.
        extras: lines for the last four sections.
        caps: how many memories may stand at most.
        settled: what was left out before, by id; `memories` are then the rest
            (`core.settled`).
    """
    kind = classify(context.prompt) if query_class is None else query_class
    chosen = select(memories, context)
    chosen.excluded.extend(settled)
    if caps != NO_CAPS:
        keep_to(chosen, caps)
    text, blocks = "", list[Block]()
    if budget > 0:
        frame = Frame(budget, kind)
        room = Room(budget * QUARTERS - frame.reserved())
        blocks = _lay_out(chosen, extras, kind, room, min(budget / REPORT_TOKENS, 1.0))
        body = [line for block in blocks for line in block.lines()]
        text = frame.around(body, _left_out(chosen, blocks)) if body else ""
    sections = tuple(Section(block.name, block.ids()) for block in blocks if any(block.taken))
    shown = {identifier for section in sections for identifier in section.ids}
    return Report(text, tokens(text), budget, kind, sections, _excluded(chosen, shown))


def category_order(kind: QueryClass) -> tuple[str, ...]:
    """The categories as a query class wants them: those that it boosts, then the usual order."""
    boosted = BOOSTED[kind]
    return (*boosted, *(name for name in CATEGORIES if name not in boosted))


def category_share(kind: QueryClass, name: str) -> float:
    """What part of the room a category gets, in proportion to those of the others."""
    return CATEGORIES[name].share * (BOOST if name in BOOSTED[kind] else 1.0)


def _lay_out(
    chosen: Selection, extras: Extras, kind: QueryClass, room: Room, scale: float
) -> list[Block]:
    """The sections in the order of the text, filled in the order of their claim to the room.

    What acts comes first, then the small sections at the end (in a small budget smaller still),
    and the categories share the rest.
    """

    def memory_block(shape: Shape, group: Sequence[Standing], more: str = "") -> Block:
        entries = [
            Entry(memory_line(memory, chosen.day), memory.id) for memory in group[: shape.lines]
        ]
        beyond = len(group) - len(entries)
        return Block(shape.name, shape.heading, entries, beyond=beyond, more=more)

    def line_block(shape: Shape, lines: tuple[str, ...], more: str = "") -> Block:
        plain = filter(None, map(plain_line, lines[: shape.lines]))
        entries = [Entry(f"- {line}", "") for line in plain]
        beyond = max(len(lines) - shape.lines, 0)
        return Block(shape.name, shape.heading, entries, beyond=beyond, more=more)

    acting = [
        (memory_block(HARD_RULES, chosen.hard_rules, "hard rules"), HARD_RULES.cap),
        (memory_block(IDENTITY, chosen.identity, "about the person"), IDENTITY.cap),
        (memory_block(PINNED, chosen.pinned, "pinned"), PINNED.cap),
        (line_block(REVIEW, extras.guidelines, _MORE_GUIDELINES), int(REVIEW.cap * scale)),
    ]
    closing = [
        (memory_block(CONTESTED, chosen.contested), int(CONTESTED.cap * scale)),
        (line_block(INQUIRIES, extras.inquiries), int(INQUIRIES.cap * scale)),
        (line_block(SCRATCHPAD, extras.scratchpad, "open items"), int(SCRATCHPAD.cap * scale)),
        (line_block(LOG, extras.log, "lines of today's log"), int(LOG.cap * scale)),
        (line_block(PROMOTIONS, extras.promotions), int(PROMOTIONS.cap * scale)),
    ]
    for block, cap in (*acting, *closing):
        block.fill_up_to(cap, room)
    middle = _category_blocks(chosen, kind, room)
    return [*(block for block, _ in acting), *middle, *(block for block, _ in closing)]


def _category_blocks(chosen: Selection, kind: QueryClass, room: Room) -> list[Block]:
    """The categories' sections, filled."""
    blocks: list[Block] = []
    shares: list[float] = []
    for name in category_order(kind):
        if group := chosen.categories[name]:
            category = CATEGORIES[name]
            entries = [Entry(memory_line(memory, chosen.day), memory.id) for memory in group]
            blocks.append(Block(category.name, category.heading, entries))
            shares.append(category_share(kind, name))
    share_out(blocks, shares, room)
    return blocks


def _standing(chosen: Selection) -> list[str]:
    """The ids of all that may stand."""
    groups = (chosen.hard_rules, chosen.identity, chosen.pinned, chosen.contested)
    return [memory.id for group in (*groups, *chosen.categories.values()) for memory in group]


def _left_out(chosen: Selection, blocks: list[Block]) -> int:
    """How many memories the budgets alone kept out and no section counts."""
    shown = sum(len(block.ids()) for block in blocks)
    counted = sum(block.left_out for block in blocks if block.counts_rest and block.ids())
    full = sum(reason == "category_budget" for _, reason in chosen.excluded)
    return len(_standing(chosen)) - shown - counted + full


def _excluded(chosen: Selection, shown: set[str]) -> tuple[Excluded, ...]:
    """Every memory that is not in the text, by id."""
    missing = (Excluded(name, "no_room") for name in _standing(chosen) if name not in shown)
    return tuple(sorted((*chosen.excluded, *missing)))
