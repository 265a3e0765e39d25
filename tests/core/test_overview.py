"""The overview: what it lists and draws, and that a day's passing does not change it."""

from __future__ import annotations

from datetime import datetime

from tests.core.holding import asked, held, waits
from vaultmem.core.holdings import Holdings
from vaultmem.core.model import Category, Layer, Stability, Status
from vaultmem.core.overview import LISTED, MONTHS, overview


def test_an_empty_vault_has_an_overview_without_charts_and_lists():
    body = overview(Holdings())
    assert body.startswith("# All memories\n")
    assert "mermaid" not in body
    assert "## " not in body
    assert body.endswith("|\n")


def test_what_is_there_is_counted():
    body = overview(
        Holdings(
            memories=(
                held(1, pinned=True),
                held(2, status=Status.CONTESTED),
                held(3, status=Status.SUPERSEDED),
                held(4, status=Status.DEPRECATED),
                held(5, status=Status.PROMOTED),
                held(6, status=Status.DELETED),
            ),
            candidates=(waits(7),),
            inquiries=(asked(1), asked(2, answer=1)),
        )
    )
    rows = dict(
        line.strip("| ").split(" | ") for line in body.splitlines() if line.startswith("| ")
    )
    assert rows == {
        "What": "How many",
        "---": "---",
        "active": "1",
        "contested": "1",
        "promoted": "1",
        "superseded or deprecated": "2",
        "pinned": "1",
        "waiting in the inbox": "1",
        "open questions": "1",
    }


def test_memories_are_listed_as_links_by_category_the_best_supported_first():
    body = overview(
        Holdings(
            memories=(
                held(1, evidence_count=1),
                held(2, evidence_count=5),
                held(3, category=Category.PATTERN),
                held(4, layer=Layer.IDENTITY, category=Category.PATTERN),
                held(5, status=Status.CONTESTED),
            )
        )
    )
    assert "## Identity\n\n- [[Rule 4]]\n" in body
    assert "## Lessons\n\n- [[Rule 2]]\n- [[Rule 1]]\n" in body
    assert "## Patterns\n\n- [[Rule 3]]\n" in body
    assert body.endswith("## Contested\n\n- [[Rule 5]]\n")


def test_a_long_list_is_cut_and_says_so():
    body = overview(Holdings(memories=tuple(held(one) for one in range(LISTED + 3))))
    assert body.count("- [[") == LISTED
    assert "- … and 3 more\n" in body


def test_stability_and_growth_are_drawn():
    def made(month: int) -> datetime:
        return datetime(2026, month, 3)

    body = overview(
        Holdings(
            memories=(
                held(1, stability=Stability.STABLE, created=made(3)),
                held(2, created=made(3)),
                held(3, created=made(5), status=Status.DELETED),
                held(4, created=made(6)),
                held(5),
            )
        )
    )
    assert '"semi-stable" : 3\n    "stable" : 1\n' in body
    assert 'x-axis ["2026-03", "2026-06"]' in body
    assert "bar [2, 3]" in body


def test_the_growth_shows_the_last_twelve_months():
    months = [datetime(2024 + one // 12, one % 12 + 1, 1) for one in range(MONTHS + 4)]
    body = overview(
        Holdings(memories=tuple(held(1 + at, created=one) for at, one in enumerate(months)))
    )
    assert "bar [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]" in body


def test_a_projects_name_is_data():
    assert overview(Holdings(), project="host/[[a]]/<b>").startswith("# host/\\[\\[a]]/\n")
