"""The numbers of the notebook that hurt when they are lost, by the facts and the decisions."""

from __future__ import annotations

import pytest

from vaultmem.core.notebook import (
    behind,
    browsing,
    extraction,
    line_diff,
    section,
    stem,
    text_search,
)
from vaultmem.core.notebook.dream import EVERY_SECONDS, MOST_ENTRIES, SESSIONS
from vaultmem.core.notebook.transcript import MOST_TOKENS, WINDOW_PERCENT
from vaultmem.core.notebook.validation import MOST_BYTES, MOST_FILES, MOST_SKILL_BYTES
from vaultmem.hooks import resting
from vaultmem.llm.prompts import load
from vaultmem.services.notebook import asking, eligible, rewrite
from vaultmem.services.notebook.dreaming import origins, showing
from vaultmem.services.notebook.run import TRIES
from vaultmem.store import desk
from vaultmem.store.notebook.jobs import LEASE_SECONDS, RETRY_SECONDS

MIB = 1 << 20


@pytest.mark.parametrize(
    ("number", "wanted"),
    [
        # facts/notebook.md, sections 2 and 8
        (eligible.SCAN_LIMIT, 5_000),
        (WINDOW_PERCENT, 70),
        (MOST_TOKENS, 150_000),
        (line_diff.MAX_DIFF, 4 * MIB),
        (stem.MAX_SLUG, 60),
        (browsing.MOST_LISTED, 2_000),
        (browsing.MOST_READ_TOKENS, 20_000),
        (text_search.MOST_FOUND, 200),
        (desk.MOST_LISTED, 2_000),
        (desk.MOST_TOLD, 4 * 20_000),
        # DESIGN, section 7
        (section.NOTEBOOK_TOKENS, 800),
        # facts/topic-memory.md, section 14
        (EVERY_SECONDS, 3 * 3_600),
        (SESSIONS, 5),
        # our own
        (extraction.MAX_MEMORIES, 10),
        (behind.MOST_READ, 8),
        (MOST_ENTRIES, 200),
        (MOST_BYTES, {"MEMORY.md": 1_000_000, "memory_summary.md": 100_000}),
        (MOST_SKILL_BYTES, 1_000_000),
        (MOST_FILES, 500),
        (desk.MOST_FILE, MIB),
        (desk.MOST_READ, 8 * MIB),
        (desk.MOST_FILES, 60),
        (desk.MOST_WRITTEN, 16 * MIB),
        (showing.MOST_CANDIDATES, 40),
        (showing.MOST_MEMORIES, 200),
        (showing.MOST_SEEN, 5_000),
        (showing.MOST_TEXT, 600),
        (showing.MOST_SUMMARY, 2_000),
        (origins.MOST, 20),
        (TRIES, 3),
        (resting.Pauses(), (5.0, 300.0, 10.0, 900.0, RETRY_SECONDS)),
    ],
)
def test_a_number_is_that_of_the_facts(number, wanted):
    assert number == wanted


def test_a_garbled_answer_is_asked_for_with_twice_the_room():
    assert asking.RETRY_OUTPUT == 2 * asking.OUTPUT > 0


def test_what_is_asked_ends_within_the_lease():
    assert 2 * asking.ASK_SECONDS < LEASE_SECONDS
    assert rewrite.WORK_SECONDS < LEASE_SECONDS


def test_the_instructions_tell_of_as_many_statements_as_are_read():
    assert extraction.MAX_MEMORIES == 10
    assert "at most ten statements" in load("extract").text
