"""Questions for the person: one for each meaning, told while they are open and near."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import is_id
from vaultmem.core.inquiry import (
    MAX_SESSIONS,
    SHOWN,
    STALE_AFTER,
    WAITING,
    Inquiry,
    InquiryStatus,
    Priority,
    inquiry_id,
    inquiry_key,
    is_stale,
    relevance,
    seen_again,
    to_tell,
)

NOW = datetime(2026, 11, 29, 21, 5)
HERE, THERE = "host/me/app", "host/me/other"


def asked(
    question: str = "Which database does the staging server use?", **parts: object
) -> Inquiry:
    parts = {"created": NOW, "last_seen": NOW, **parts}
    return Inquiry(id=inquiry_id(question, None), question=question, **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spelled",
    [
        "Which database?",
        "  which   DATABASE ?! ",
        "which database",
        "Which\tdatabase...",
    ],
)
def test_case_white_space_and_the_last_signs_make_no_other_question(spelled):
    assert inquiry_key(spelled) == "which database"
    assert inquiry_id(spelled, HERE) == inquiry_id("Which database?", HERE.upper())


def test_another_project_or_word_is_another_question():
    ids = {
        inquiry_id("Which database?", None),
        inquiry_id("Which database?", HERE),
        inquiry_id("Which databases?", None),
    }
    assert len(ids) == 3
    assert all(is_id(one, "inq") for one in ids)


def test_the_parts_of_an_id_do_not_run_together():
    assert inquiry_id("a", "b") != inquiry_id("ab", None)


@given(st.text(), st.none() | st.text())
def test_an_id_has_our_form_whatever_is_asked(question, project):
    assert is_id(inquiry_id(question, project), "inq")


def test_governed_row_99_one_question_in_two_sessions_is_one_record():
    later = NOW + timedelta(hours=3)
    first = asked(sessions=("s1",))
    again = seen_again(first, "s2", later)
    assert again.id == first.id
    assert again.sessions == ("s1", "s2")
    assert (again.created, again.last_seen) == (NOW, later)
    assert seen_again(again, "s1", later).sessions == ("s1", "s2")
    assert seen_again(again, "", later).sessions == ("s1", "s2")


def test_only_the_latest_sessions_are_named():
    one = asked()
    for number in range(MAX_SESSIONS + 5):
        one = seen_again(one, f"s{number}", NOW)
    assert len(one.sessions) == MAX_SESSIONS
    assert one.sessions[-1] == f"s{MAX_SESSIONS + 4}"


@pytest.mark.parametrize("status", sorted(set(InquiryStatus) - WAITING))
def test_what_was_decided_stays_decided_when_it_comes_up_again(status):
    one = asked(status=status)
    assert seen_again(one, "s9", NOW + timedelta(days=1)) == one


def test_a_question_that_never_comes_up_again_grows_stale_and_opens_when_it_does():
    one = asked()
    assert not is_stale(one, NOW + STALE_AFTER - timedelta(seconds=1))
    assert is_stale(one, NOW + STALE_AFTER)
    assert to_tell([one], project="", prompt="", now=NOW + STALE_AFTER) == ()
    stale = replace(one, status=InquiryStatus.STALE)
    assert not is_stale(stale, NOW + STALE_AFTER), "it is already"
    assert seen_again(stale, "s2", NOW).status is InquiryStatus.OPEN
    assert not is_stale(asked(created=None, last_seen=None), NOW), "nobody knows since when"


def test_tags_count_twice_and_words_once():
    one = asked(tags=("memory/deploy", "memory/staging-server", "x"))
    assert relevance(one, "") == 0
    assert relevance(one, "deploying it") == 2
    assert relevance(one, "which databases are there?") == 1
    # the tag of two words fits only whole; `staging` and `server` are words of the question
    assert relevance(one, "staging") == 1
    assert relevance(one, "the staging server") == 4
    assert relevance(asked(tags=("memory/",)), "anything") == 0


def test_governed_row_98_of_seven_at_most_three_are_told_and_answered_ones_never():
    seven = [asked(f"Question {number}?") for number in range(6)]
    seven.append(asked("Answered?", status=InquiryStatus.ANSWERED))
    told = to_tell(seven, project="", prompt="", now=NOW)
    assert len(told) == SHOWN
    assert all(one.question.startswith("Question") for one in told)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({}, True),
        ({"priority": Priority.HIGH}, True),
        ({"priority": Priority.LOW}, False),
        ({"status": InquiryStatus.ANSWERED}, False),
        ({"status": InquiryStatus.WITHDRAWN}, False),
        ({"status": InquiryStatus.STALE}, False),
        ({"project": HERE}, True),
        ({"project": HERE.upper()}, True),
        ({"project": THERE}, False),
    ],
)
def test_which_questions_are_told_in_a_project(parts, told):
    assert bool(to_tell([asked(**parts)], project=HERE, prompt="", now=NOW)) is told


def test_high_ones_come_first_then_those_near_the_prompt():
    far = asked("Who signs the contract?")
    near = asked("Which database does staging use?")
    high = asked("Is the staging database new?", priority=Priority.HIGH)
    prompt = "look at the databases of staging"
    assert to_tell([far, near, high], project="", prompt=prompt, now=NOW) == (high, near)
    assert len(to_tell([far, near, high], project="", prompt=" ", now=NOW)) == 3


@given(st.permutations(range(6)), st.sampled_from(["", "question 3", "nothing of it"]))
def test_the_order_in_which_they_are_given_does_not_matter(order, prompt):
    every = [asked(f"Question {number}?", priority=Priority.MEDIUM) for number in range(6)]
    shuffled = [every[place] for place in order]
    told = to_tell(shuffled, project="", prompt=prompt, now=NOW)
    assert told == to_tell(every, project="", prompt=prompt, now=NOW)
    assert len(told) <= SHOWN


def test_priorities_have_ranks():
    assert [one.rank for one in (Priority.LOW, Priority.MEDIUM, Priority.HIGH)] == [0, 1, 2]
