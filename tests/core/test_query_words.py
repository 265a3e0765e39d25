"""How a word counts where it stands, and that no word of the tables is written in vain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.query_class import QueryClass, classify
from vaultmem.core.query_signals import DEBUG, GIT_RELEASE, PR_REVIEW
from vaultmem.core.query_words import Signal, gives_away, names_exception, names_request, said
from vaultmem.core.query_words import word_set as words

SIGNALS = (*PR_REVIEW, *GIT_RELEASE, *DEBUG)


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda one: min(one.forms))
def test_every_word_of_a_signal_can_be_said(signal: Signal) -> None:
    for group in signal:
        assert [word for word in group if said(word) != [word]] == []


def test_the_words_are_case_folded_without_articles_and_with_versions_named() -> None:
    assert said("The PR isn’t in v1.2.3 or 4.5") == ["pr", "isnt", "in", "version", "or", "version"]


@pytest.mark.parametrize(
    ("signal", "text", "counts"),
    [
        (Signal(words("x")), "a b x", True),
        (Signal(words("x")), "a b", False),
        (Signal(words("x"), beside=words("y")), "y b c x", True),
        (Signal(words("x"), beside=words("y")), "y b c d x", False),
        (Signal(words("x"), beside=words("y")), "x b c y", True),
        (Signal(words("x"), then=words("y")), "x y", True),
        (Signal(words("x"), then=words("y")), "x b y", False),
        (Signal(words("x"), not_then=words("y")), "x b y", False),
        (Signal(words("x"), not_then=words("y")), "x b c y", True),
        (Signal(words("x"), not_next=words("y")), "x y", False),
        (Signal(words("x"), not_next=words("y")), "x b y", True),
        (Signal(words("x"), not_after=words("y")), "y x", False),
        (Signal(words("x"), not_after=words("y")), "y b x", True),
        (Signal(words("x"), not_beside=words("y")), "y b c x", False),
        (Signal(words("x"), not_beside=words("y")), "x b c y", False),
        (Signal(words("x"), not_beside=words("y")), "x b c d y", True),
        # One place where it counts is enough.
        (Signal(words("x"), not_next=words("y")), "x y x", True),
    ],
)
def test_a_signal_counts_where_its_conditions_hold(signal: Signal, text: str, counts: bool) -> None:
    assert gives_away(text.replace("a ", "k ").split(), (signal,)) is counts


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("KeyError", True), ("keyerror: 'id'", True), ("IllegalStateException", True),
        ("ein Typfehler", True), ("ECONNREFUSED", True), ("connect ENOENT /x", True),
        ("SIGSEGV", True), ("エラーが出ます", True), ("编译错误", True),
        ("error", False), ("exceptions", False), ("Fehler", False), ("a terror", False),
        ("the mirror", False), ("the present", False), ("signal", False),
    ],
)  # fmt: skip
def test_what_programs_print_of_their_errors_is_known(text: str, named: bool) -> None:
    assert names_exception(text, said(text)) is named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("https://github.com/acme/api/pull/310", True),
        ("https://gitlab.com/acme/api/-/merge_requests/3", True),
        ("https://bitbucket.org/a/b/pull-requests/9", True),
        ("https://github.com/acme/api/pulls", False),
        ("src/pull/parser.py", False),
    ],
)
def test_the_address_of_a_request_is_known(text: str, named: bool) -> None:
    assert names_request(text) is named
    assert (classify(f"look at {text}") is QueryClass.PR_REVIEW) is named


KNOWN = sorted({word for signal in SIGNALS for group in signal for word in group})
PROMPTS = st.lists(st.sampled_from(KNOWN), max_size=12).map(" ".join)


@given(PROMPTS, st.randoms())
def test_case_decides_nothing(prompt: str, random) -> None:
    mixed = "".join(random.choice((char.upper(), char)) for char in prompt)
    assert classify(mixed) is classify(prompt)


@given(st.text(max_size=60), PROMPTS, st.text(max_size=60))
def test_any_text_has_exactly_one_class_and_always_the_same(before, prompt, after) -> None:
    text = f"{before} {prompt} {after}"
    assert classify(text) is classify(text)


@given(st.text(alphabet=" \t\n.,;:!?-", max_size=40))
def test_signs_alone_are_general(text: str) -> None:
    assert classify(text) is QueryClass.GENERAL
