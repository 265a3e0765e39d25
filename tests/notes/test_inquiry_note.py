"""The note of an inquiry: read back as it was written, answered by hand, inert whatever it asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import example, given

from tests.core.patches import phrases, words
from vaultmem.core.inert import clean, inert_value
from vaultmem.core.inquiry import Inquiry, InquiryStatus, Priority, inquiry_id
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.candidate import Touched
from vaultmem.notes.frontmatter import get_properties, set_properties
from vaultmem.notes.inquiry import decode_inquiry, encode_inquiry

PATH = "Memory/Inquiries/Which database.md"
NOW = datetime(2026, 11, 29, 21, 5)
FULL = Inquiry(
    id=inquiry_id("Which database does staging use?", "host/me/app"),
    question="Which database does staging use?",
    priority=Priority.HIGH,
    project="host/me/app",
    tags=("memory/database",),
    matched=("[[Use SQLite]]",),
    candidate="cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2",
    sessions=("s1", "s2"),
    created=NOW,
    last_seen=NOW,
    device="dev_01JDR3Z8Q4M5N6P7R8S9T0V1W5",
)


def _decoded(data: bytes) -> Inquiry:
    read = decode_inquiry(data, path=PATH)
    assert read.usable, read.findings
    return read.inquiry


def test_an_inquiry_is_read_as_it_was_written():
    assert _decoded(encode_inquiry(FULL)) == FULL
    bare = Inquiry(id=FULL.id, question="Why?")
    assert _decoded(encode_inquiry(bare)) == bare


def test_status_and_answer_come_first_and_are_there_for_the_person_to_set():
    names = list(get_properties(encode_inquiry(Inquiry(id=FULL.id, question="Why?"))))
    assert names == ["id", "type", "status", "answer"]


def test_the_note_shows_why_it_is_asked_and_what_it_is_about():
    data = encode_inquiry(
        replace(FULL, context="Two memories name one."),
        [Touched("[[Use SQLite]]", "Use SQLite ![[x]] everywhere.")],
    ).decode()
    assert "\n\nTwo memories name one.\n\n" in data
    assert "> - [[Use SQLite]]: Use SQLite !\\[\\[x]] everywhere." in data
    assert "vaultmem maintain answer" in data


@pytest.mark.parametrize("question", ["", "%%out of sight%%"])
def test_a_question_that_nobody_can_see_is_none(question):
    with pytest.raises(ValueError, match="question"):
        encode_inquiry(Inquiry(id=FULL.id, question=question))


@given(words, words, phrases)
@example("%%out of sight%%", "", ())
def test_what_is_asked_stays_inert_and_comes_back(question, context, sessions):
    seen = clean(question).text
    one = Inquiry(id=FULL.id, question=question, context=context, sessions=sessions)
    if not seen:
        with pytest.raises(ValueError, match="question"):
            encode_inquiry(one)
        return
    data = encode_inquiry(one)
    read = _decoded(data)
    assert read.question == seen
    assert read.sessions == tuple(filter(None, map(inert_value, sessions)))


@pytest.mark.parametrize(
    ("written", "status", "answer"),
    [
        ({"answer": "[[Use SQLite]]"}, InquiryStatus.ANSWERED, "[[Use SQLite]]"),
        (
            {"status": "answered", "answer": "[[Use SQLite]]"},
            InquiryStatus.ANSWERED,
            "[[Use SQLite]]",
        ),
        ({"status": "Answered"}, InquiryStatus.ANSWERED, None),
        ({"status": "withdrawn"}, InquiryStatus.WITHDRAWN, None),
        # the person took it back, whatever the answer was
        (
            {"status": "withdrawn", "answer": "[[Use SQLite]]"},
            InquiryStatus.WITHDRAWN,
            "[[Use SQLite]]",
        ),
        ({"status": "stale", "answer": "[[Use SQLite]]"}, InquiryStatus.ANSWERED, "[[Use SQLite]]"),
        ({"status": None}, InquiryStatus.OPEN, None),
    ],
)
def test_a_person_answers_in_the_properties(written, status, answer):
    inquiry = _decoded(set_properties(encode_inquiry(FULL), written))
    assert (inquiry.status, inquiry.answer) == (status, answer)


def test_a_status_that_means_nothing_is_a_finding_and_the_question_stays_open():
    read = decode_inquiry(set_properties(encode_inquiry(FULL), {"status": "done"}), path=PATH)
    assert [one.code for one in read.findings] == ["VM110"]
    assert read.usable
    assert read.inquiry.status is InquiryStatus.OPEN


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text.replace("type: inquiry", "type: memory"), "VM117"),
        (lambda text: text.replace(f"id: {FULL.id}\n", ""), "VM118"),
        (lambda text: text.replace("inq_", "mem_"), "VM113"),
        (lambda text: text.replace(f"\n{FULL.question}\n", "\n# Nothing\n"), "VM109"),
        (lambda text: text + "<<<<<<< ours\n=======\n>>>>>>> theirs\n", "VM108"),
    ],
)
def test_a_note_that_asks_nothing_is_not_used_and_says_why(change, code):
    read = decode_inquiry(change(encode_inquiry(FULL).decode()).encode(), path=PATH)
    assert code in [one.code for one in read.findings]
    assert not read.usable


def test_a_note_that_cannot_be_read_names_its_place():
    with pytest.raises(NoteUnreadableError) as caught:
        decode_inquiry(b"---\na: [\n---\n", path=PATH)
    assert caught.value.path == PATH
