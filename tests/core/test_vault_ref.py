"""When a knowledge note belongs to a statement, and which notes are no knowledge notes at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.vault_ref import (
    Likeness,
    belongs,
    is_knowledge,
    is_latin,
    without_projects,
)

LIMITS = {"threshold": 0.40, "floor": 0.15}
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("like", "belonging"),
    [
        # words, share, coverage, cosine
        (Likeness(3, 0.5, 0.32, 0.401), True),
        (Likeness(3, 0.5, 0.32, 0.39), False),
        (Likeness(6, 1.0, 0.60, 0.25), True),  # all its words, and not quite as near
        (Likeness(3, 0.4, 0.10, 0.56), True),  # few of its words, and nearer
        (Likeness(6, 1.0, 1.00, 0.10), False),  # a stranger in meaning
        (Likeness(1, 0.5, 0.40, 0.90), False),  # one word is no subject
        (Likeness(2, 0.3, 0.40, 0.90), False),  # nor are two of seven
        # without meaning, words alone
        (Likeness(4, 0.6, 0.36, None), True),
        (Likeness(3, 1.0, 0.90, None), False),
        (Likeness(4, 0.5, 0.90, None), False),
        (Likeness(9, 1.0, 0.35, None), False),
    ],
)
def test_a_note_belongs_by_whole_words_and_by_meaning(like, belonging):
    assert belongs(like, **LIMITS) is belonging


@given(st.integers(0, 9), shares, shares, st.none() | st.floats(-1, 1))
def test_what_has_more_in_common_belongs_no_less(words, share, coverage, cosine):
    like = Likeness(words, share, coverage, cosine)
    more = Likeness(words + 1, 1.0, 1.0, None if cosine is None else min(1.0, cosine + 0.1))
    assert not belongs(like, **LIMITS) or belongs(more, **LIMITS)
    assert like.score <= more.score


@pytest.mark.parametrize(
    ("path", "properties", "knowledge"),
    [
        ("6. Zettelkasten/Concepts/BM25 Ranking.md", {"type": "concept"}, True),
        ("Notes/Templates in C++.md", {}, True),
        ("Notes/Candidate selection.md", {"status": "active"}, True),
        ("Notes/2026 in review.md", {}, True),
        ("2026-11-24 Postgres incident.md", {}, True),
        ("Notes/Entity candidates in NLP.md", {}, True),
        # proposals of the knowledge vault (facts, vault-companion §7)
        ("6. Zettelkasten/Entities/Postgres Entity Candidate.md", {}, False),
        ("Relations/Uses Relation Candidate 2.md", {}, False),
        ("Entities/Postgres.md", {"type": "entity_candidate"}, False),
        ("Entities/Postgres.md", {"status": "Candidate"}, False),
        ("Entities/Postgres.md", {"status": "review_required"}, False),
        # templates
        ("5. Templates/Concept.md", {}, False),
        ("templates/Concept.md", {}, False),
        ("A/_Template/Concept.md", {}, False),
        # a diary
        ("Daily/2026-11-27.md", {}, False),
        ("2026-11-27 Friday.md", {}, False),
        ("Weekly/2026-W48.md", {}, False),
        ("2026-11.md", {}, False),
        ("2026-Q4.md", {}, False),
        # second copies
        ("Notes/A (conflicted copy 2026-07-10 070952).md", {}, False),
        ("Notes/A.sync-conflict-20260710-070952-ABCDEFG.md", {}, False),
    ],
)
def test_which_notes_are_knowledge(path, properties, knowledge):
    assert is_knowledge(path, properties) is knowledge


@pytest.mark.parametrize(
    ("statement", "projects", "left"),
    [
        ("Quay-web keeps state in queries.", ["github.com/h/quay-web"], "keeps state in queries."),
        ("In quay web, use pnpm.", ["quay-web"], "In , use pnpm."),
        ("Tidewatch's API is slow.", ["a/tidewatch", ""], "API is slow."),
        ("Tidewatches are sold.", ["a/tidewatch"], "Tidewatches are sold."),
        ("Tidewatch.", ["a/tidewatch"], "Tidewatch."),
        ("Use C++ (x).", ["a/c++ (x"], "Use )."),
        ("Use  -  it.", ["-"], "Use - it."),
    ],
)
def test_the_name_of_a_project_is_not_what_a_statement_is_about(statement, projects, left):
    assert without_projects(statement, projects) == left


@given(st.text(), st.lists(st.text()))
def test_taking_projects_out_never_fails_and_leaves_something(statement, projects):
    left = without_projects(statement, projects)
    assert any(map(str.isalnum, left)) == any(map(str.isalnum, statement))


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("Verify the HMAC.", True),
        ("Für Änderungen fragen.", True),
        ("潮位は UTC で保存する。", False),
        ("Храните время в UTC.", False),
        ("用 UTC timestamps for everything", True),
        ("409", True),
        ("", True),
    ],
)
def test_whether_a_statement_is_in_latin_letters(text, latin):
    assert is_latin(text) is latin
