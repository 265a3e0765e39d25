"""A piece of evidence is named by what it says; what was altered has another name."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.proposals import piece
from vaultmem.core.evidence import (
    CEILING,
    MAX_EXCERPT,
    MAX_SUMMARY,
    Evidence,
    Polarity,
    SourceKind,
    address,
    computed_trust,
    is_intact,
    new_evidence,
)
from vaultmem.core.ids import is_id
from vaultmem.core.inert import clean, fence
from vaultmem.core.trust import Durability, TrustClass


def test_row21_066_white_space_is_no_difference_and_the_session_is() -> None:
    one, other = piece("Use bun\nfor tests."), piece("  Use   bun for \t tests.\n")
    assert one.id == other.id
    assert is_id(one.id, "ev")
    assert len(one.id) == len("ev_") + 26
    assert piece("Use bun\nfor tests.", session="s2").id != one.id
    assert piece("Use bun\nfor tests.", session=None).id != one.id
    assert is_intact(one)
    assert is_intact(other)


def test_row21_067_words_are_cut_to_size() -> None:
    made = piece("a" * 1200, summary="b" * 400)
    assert (len(made.excerpt), len(made.summary)) == (1000, 300) == (MAX_EXCERPT, MAX_SUMMARY)
    assert is_intact(made)
    assert made.excerpt_hash is not None
    assert len(made.excerpt_hash) == 32


CHANGES: dict[str, object] = {
    "excerpt": "Use npm for tests.",
    "project": "github.com/acme/other",
    "session": "s2",
    "source_kind": SourceKind.FILE,
    "source_ref": "message 7",
    "trust": TrustClass.DIRECT_USER_INSTRUCTION,
    "polarity": Polarity.CONTRADICTS,
    "durability": Durability.LONG_TERM,
    "excerpt_hash": "0" * 32,
}


@pytest.mark.parametrize("field", CHANGES)
def test_an_altered_field_breaks_the_address(field: str) -> None:
    made = piece("Use bun for tests.")
    altered = replace(made, **{field: CHANGES[field]})  # type: ignore[arg-type]
    assert is_intact(made)
    assert not is_intact(altered)
    assert (address(altered) == made.id) == (field == "excerpt_hash")


@pytest.mark.parametrize("field", ["created", "summary"])
def test_what_no_decision_rests_on_is_no_part_of_the_address(field: str) -> None:
    values = {"created": datetime(2026, 1, 2), "summary": "Something else."}
    assert is_intact(replace(piece("Use bun."), **{field: values[field]}))  # type: ignore[arg-type]


def test_fields_do_not_run_into_each_other() -> None:
    assert piece("x", project="ab", session="c").id != piece("x", project="a", session="bc").id


def test_a_hash_that_was_left_out_is_no_alteration() -> None:
    assert is_intact(replace(piece("Use bun."), excerpt_hash=None))


def test_a_summary_counts_only_without_an_excerpt() -> None:
    assert piece("Use bun.", summary="Use npm.").text == "Use bun."
    told = piece("", summary="They use\nnpm.")
    assert told.text == "They use npm."
    assert told.excerpt_hash is None
    assert is_intact(told)


@pytest.mark.parametrize(("excerpt", "summary"), [("", ""), (" \n", "\t"), ("\x00", "%%hidden%%")])
def test_evidence_without_words_is_refused(excerpt: str, summary: str) -> None:
    with pytest.raises(ValueError, match="excerpt or a summary"):
        new_evidence(
            source_kind=SourceKind.FILE,
            trust=TrustClass.REPOSITORY_TEXT,
            excerpt=excerpt,
            summary=summary,
        )


@given(st.text(max_size=1500), st.text(max_size=500))
@example("\x1b\r0", "")
def test_words_come_back_from_a_note_as_they_were_addressed(excerpt: str, summary: str) -> None:
    try:
        made = piece(excerpt, summary=summary)
    except ValueError:
        return
    read = "\n".join(fence(made.excerpt).split("\n")[1:-1])
    assert is_intact(replace(made, excerpt=read, summary=clean(made.summary).text))
    assert len(made.excerpt) <= MAX_EXCERPT
    assert len(made.summary) <= MAX_SUMMARY
    again = new_evidence(
        source_kind=made.source_kind,
        trust=made.trust,
        excerpt=made.excerpt,
        summary=made.summary,
        project=made.project,
        session=made.session,
        durability=made.durability,
    )
    assert again == made


def test_a_lone_surrogate_has_an_address() -> None:
    assert is_id(piece("x", source_ref="\ud800").id, "ev")


@pytest.mark.parametrize(
    ("kind", "claimed", "worth"),
    [
        ("conversation", "user_correction", "user_correction"),
        ("conversation", "agent_inference", "agent_inference"),
        ("file", "direct_user_instruction", "existing_project_convention"),
        ("file", "repository_text", "repository_text"),
        ("tool_result", "user_correction", "passing_tool_or_test_outcome"),
        ("generated_content", "user_correction", "generated_content"),
        ("external_document", "passing_tool_or_test_outcome", "third_party_documentation"),
    ],
)
def test_a_kind_of_source_limits_its_class(kind: str, claimed: str, worth: str) -> None:
    made = piece("x", source_kind=SourceKind(kind), trust=TrustClass(claimed))
    assert made.worth == worth


def test_only_a_conversation_holds_the_users_word() -> None:
    users = set(list(TrustClass)[:3])
    assert set(CEILING) == set(SourceKind)
    assert [kind for kind, most in CEILING.items() if most in users] == [SourceKind.CONVERSATION]


def test_the_best_piece_gives_the_class() -> None:
    pieces: list[Evidence] = [
        piece("x", trust=TrustClass.AGENT_INFERENCE),
        piece("x", trust=TrustClass.USER_CORRECTION),
    ]
    assert computed_trust(pieces) is TrustClass.USER_CORRECTION
    assert computed_trust([]) is TrustClass.AGENT_INFERENCE


def test_an_empty_place_is_no_place_and_a_date_is_a_clock_time() -> None:
    moment = datetime(2026, 11, 29, 21, 0, 0, 5, tzinfo=UTC)
    made = piece("Use bun.", project="", session="", created=moment)
    assert (made.project, made.session) == (None, None)
    assert made.created == datetime(2026, 11, 29, 21, 0, 0)
    assert made.id == piece("Use bun.", project=None, session=None).id
