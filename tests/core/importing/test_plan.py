"""What is read and what becomes of it are counted so that nothing is missing."""

from __future__ import annotations

from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedInquiry,
    ImportedItem,
    ImportedTask,
    ImportKind,
    Quarantined,
    text_key,
)
from vaultmem.core.importing.plan import Beside, Fate, Plan, Planned
from vaultmem.core.model import Category, Memory


def item(number: int) -> ImportedItem:
    memory = Memory(id=NO_ID, statement=f"Rule {number}.")
    return ImportedItem(key=f"k{number}", where=f"store:{number}", memory=memory)


def planned(number: int, fate: Fate, reason: str = "") -> Planned:
    one = item(number)
    return Planned(item=one, fate=fate, memory=one.memory, reason=reason)


ASKED = ImportedInquiry(where="q:1", question="Why?")
TASK = ImportedTask("pad:1", "Ask.")
GATHERED = Gathered(
    kind=ImportKind.MARKDOWN,
    items=tuple(map(item, range(5))),
    inquiries=(ASKED, ASKED),
    tasks=(TASK, TASK),
    quarantined=(Quarantined("store:9", "It is not JSON."),),
    left_out={"logs": 2},
)
PLAN = Plan(
    gathered=GATHERED,
    planned=(
        planned(0, Fate.MEMORY),
        planned(1, Fate.KNOWN),
        planned(2, Fate.QUARANTINED, "A secret."),
        planned(3, Fate.LEFT, "logs"),
        planned(4, Fate.CANDIDATE, "It waits."),
    ),
    beside=(
        Beside(record=ASKED, fate=Fate.MEMORY),
        Beside(record=ASKED, fate=Fate.KNOWN),
        Beside(record=TASK, fate=Fate.MEMORY),
        Beside(record=TASK, fate=Fate.QUARANTINED, reason="Nothing."),
    ),
)


def test_all_records_are_counted() -> None:
    assert GATHERED.records == 12
    counts = PLAN.counts()
    assert sum(counts.values()) + len(PLAN.asked) + len(PLAN.tasks) == GATHERED.records
    assert (counts[Fate.KNOWN], counts[Fate.QUARANTINED], counts[Fate.LEFT]) == (2, 3, 3)


def test_what_was_not_taken_is_named_with_its_reason() -> None:
    assert [(one.where, one.reason) for one in PLAN.quarantined()] == [
        ("store:9", "It is not JSON."),
        ("store:2", "A secret."),
        ("pad:1", "Nothing."),
    ]
    assert PLAN.left_out() == {"logs": 3}


def test_what_is_taken_beside_the_memories_is_told_apart() -> None:
    assert (PLAN.asked, PLAN.tasks) == ((ASKED,), (TASK,))
    assert [one.item.key for one in PLAN.of(Fate.CANDIDATE)] == ["k4"]


def test_a_text_without_an_id_has_a_key_of_its_words_and_category() -> None:
    assert text_key(Category.LESSON, "Use  uv.") == text_key(Category.LESSON, "use uv")
    assert text_key(Category.LESSON, "Use uv.") != text_key(Category.PATTERN, "Use uv.")
    assert text_key(Category.LESSON, "\ud800")
