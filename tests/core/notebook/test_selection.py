"""Cards are chosen by use and recency, and told in an order that stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.services.notebook.rewriting import a_card
from vaultmem.core.notebook.selection import select_cards
from vaultmem.core.notebook.settings import DAY_SECONDS

NOW = 1_764_400_000.0


def card(session, *, age=0.0, used=0, last=None, **changes):
    """A card of a session that went on `age` days ago and was used `last` days ago."""
    last_used = None if last is None else NOW - last * DAY_SECONDS
    return a_card(
        session, watermark=NOW - age * DAY_SECONDS, used=used, last_used=last_used, **changes
    )


def chosen(*cards, most=256, days=30):
    return [one.session for one in select_cards(cards, now=NOW, most=most, unused_days=days)]


def test_notebook_row_14_with_room_for_one_the_newer_is_chosen():
    assert chosen(card("a", age=2), card("b", age=1), most=1) == ["b"]


def test_more_use_comes_before_newer_use_before_a_newer_session_before_the_id():
    often = card("a", age=9, used=3, last=9)
    lately = card("b", age=9, used=2, last=1)
    earlier = card("c", age=1, used=2, last=2)
    never, twin = card("d", age=3), card("e", age=3)
    cards = (never, earlier, often, twin, lately)
    for most, want in enumerate(("a", "ab", "abc", "abce", "abcde"), 1):
        assert chosen(*cards, most=most) == [*want]


def test_an_old_card_stays_while_it_is_used_and_a_used_one_goes_when_it_is_not():
    assert chosen(card("a", age=99, used=1, last=30), card("b", age=1, used=9, last=31)) == ["a"]


def test_the_bound_is_inclusive():
    assert chosen(card("a", age=30), card("b", age=30.001)) == ["a"]


def test_a_card_that_says_nothing_is_left_out():
    blank = card("a", summary=" \n", card="")
    assert chosen(blank, card("b", summary=" "), card("c", card="")) == ["b", "c"]


CARDS = st.lists(
    st.builds(
        lambda session, age, used, last: card(session, age=age, used=used, last=last),
        st.sampled_from("abcdefgh"),
        st.integers(0, 60),
        st.integers(0, 3),
        st.none() | st.integers(0, 60),
    ),
    max_size=12,
    unique_by=lambda one: one.session,
)


@given(CARDS, st.integers(1, 5), st.randoms())
def test_the_choice_does_not_depend_on_the_order_and_grows_with_the_room(cards, most, random):
    mixed = list(cards)
    random.shuffle(mixed)
    some, more = chosen(*cards, most=most), chosen(*mixed, most=most + 1)
    assert some == sorted(set(some))
    assert set(some) <= set(more)
    assert len(some) <= most
