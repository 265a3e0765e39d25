"""The canvas: new cards find a place, and what a person did stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.holding import mem
from vaultmem.core.canvas import GAP, Canvas, Card, Joined, Line, Wanted, is_ours, merge, without

ONE, TWO, THREE = (Wanted(mem(one), f"Memory/Lessons/{one}.md", "Lessons") for one in (1, 2, 3))
OTHER = Wanted(mem(4), "Memory/Patterns/4.md", "Patterns")
SUPERSEDES = Joined(mem(2), mem(1), "supersedes")
THEIRS = Card("a1b2c3d4e5f60001", -500, -500, 200, 100, {"type": "text", "text": "My own note"})
THEIR_LINE = Line("e1b2c3d4e5f60001", THEIRS.id, mem(1), {"label": "see", "x-mine": 1})


def cards(canvas: Canvas) -> dict[str, Card]:
    return {one.id: one for one in canvas.cards}


def overlap(one: Card, other: Card) -> bool:
    apart = (
        one.right <= other.x
        or other.right <= one.x
        or one.bottom <= other.y
        or other.bottom <= one.y
    )
    return not apart


def test_a_new_canvas_has_a_card_for_each_memory_in_the_frame_of_its_group():
    made = merge(Canvas(), [ONE, TWO, OTHER], [SUPERSEDES])
    frame = cards(made)["vaultmem group Lessons"]
    assert frame.rest == {"type": "group", "label": "Lessons"}
    for one in (ONE, TWO):
        card = cards(made)[one.id]
        assert card.rest == {"type": "file", "file": one.file}
        assert frame.x < card.x
        assert card.right < frame.right
        assert frame.y < card.y
        assert card.bottom < frame.bottom
    assert [one.rest["label"] for one in made.lines] == ["supersedes"]


def test_frames_come_first_because_what_comes_later_lies_above():
    made = merge(Canvas((THEIRS,)), [ONE, OTHER], [])
    kinds = [one.rest["type"] == "group" for one in made.cards]
    assert kinds == sorted(kinds, reverse=True)


def test_merging_again_changes_nothing():
    made = merge(Canvas((THEIRS,), (), {"x": 1}), [ONE, TWO, OTHER], [SUPERSEDES])
    assert merge(made, [ONE, TWO, OTHER], [SUPERSEDES]) == made


def test_what_a_person_wrote_on_a_line_of_ours_stays():
    made = merge(Canvas(), [ONE, TWO], [SUPERSEDES])
    (line,) = made.lines
    theirs = made._replace(lines=(line._replace(rest={"label": "see", "fromSide": "top"}),))
    assert merge(theirs, [ONE, TWO], [SUPERSEDES]) == theirs


def test_a_card_that_was_moved_stays_there_and_keeps_its_colour():
    made = merge(Canvas(), [ONE], [])
    moved = [
        one._replace(x=7, y=8, width=9, rest={**one.rest, "color": "4"})
        if one.id == mem(1)
        else one
        for one in made.cards
    ]
    again = cards(merge(Canvas(tuple(moved)), [ONE._replace(file="Memory/New.md"), TWO], []))
    card = again[mem(1)]
    assert (card.x, card.y, card.width) == (7, 8, 9)
    assert card.rest == {"type": "file", "file": "Memory/New.md", "color": "4"}


def test_what_a_person_put_there_stays():
    old = merge(Canvas((THEIRS,), (THEIR_LINE,)), [ONE], [])
    made = merge(Canvas(old.cards, (THEIR_LINE,), {"mine": True}), [ONE, TWO], [])
    assert cards(made)[THEIRS.id] == THEIRS
    assert THEIR_LINE in made.lines
    assert made.rest == {"mine": True}


def test_a_line_keeps_what_a_person_gave_it():
    made = merge(Canvas(), [ONE, TWO], [SUPERSEDES])
    (line,) = made.lines
    painted = Canvas(made.cards, (line._replace(rest={**line.rest, "color": "1"}),))
    assert merge(painted, [ONE, TWO], [SUPERSEDES]).lines[0].rest["color"] == "1"


def test_a_memory_that_is_over_goes_with_its_lines():
    old = merge(Canvas((THEIRS,), (THEIR_LINE,)), [ONE, TWO, OTHER], [SUPERSEDES])
    made = merge(old, [TWO], [SUPERSEDES])
    assert mem(1) not in cards(made)
    assert "vaultmem group Patterns" not in cards(made)
    assert made.lines == ()
    assert cards(made)[THEIRS.id] == THEIRS


def test_a_line_to_a_memory_that_is_not_shown_is_left_out():
    assert merge(Canvas(), [ONE], [SUPERSEDES]).lines == ()


def test_a_new_card_lies_below_what_is_in_its_column():
    old = merge(Canvas(), [ONE], [])
    below = Card("mine", 0, 400, 300, 300, {"type": "text", "text": "In the way"})
    made = cards(merge(Canvas((*old.cards, below)), [ONE, TWO], []))
    assert made[mem(2)].y == below.bottom + GAP
    assert made["vaultmem group Lessons"].bottom >= made[mem(2)].bottom


def test_a_purged_memory_leaves_no_card_whatever_its_id():
    old = merge(Canvas((THEIRS,), (THEIR_LINE,)), [ONE, TWO], [SUPERSEDES])
    copy = Card("mine", 0, 900, 10, 10, {"type": "file", "file": ONE.file})
    made = without(
        Canvas((*old.cards, copy), (*old.lines, THEIR_LINE)),
        frozenset({mem(1)}),
        frozenset({ONE.file}),
    )
    assert {mem(1), "mine"}.isdisjoint(cards(made))
    assert made.lines == ()
    assert {THEIRS.id, mem(2)} <= cards(made).keys()


def test_ours_are_known_by_their_id():
    assert all(map(is_ours, (mem(1), "vaultmem group Lessons", "vaultmem supersedes a b")))
    assert not any(map(is_ours, ("a1b2c3d4e5f60001", "my memory", "mem_short")))


_PLACES = st.integers(-2000, 2000)
_SIZES = st.integers(1, 600)


@given(
    st.lists(st.tuples(_PLACES, _PLACES, _SIZES, _SIZES), max_size=8),
    st.lists(st.sampled_from("ABC"), max_size=8),
    st.lists(st.sampled_from("ABC"), max_size=8),
)
def test_a_new_card_covers_nothing_and_nothing_of_theirs_moves(theirs, before, after):
    own = tuple(
        Card(f"p{number}", *place, {"type": "text", "text": "x"})
        for number, place in enumerate(theirs)
    )
    wanted = [
        Wanted(mem(number + 1), f"{number}.md", group)
        for number, group in enumerate(before + after)
    ]
    old = merge(Canvas(own), wanted[: len(before)], [])
    made = merge(old, wanted, [])
    known = {one.id: (one.x, one.y) for one in old.cards}
    assert all((one.x, one.y) == known[one.id] for one in made.cards if one.id in known)
    shown = [one for one in made.cards if one.rest["type"] != "group"]
    new = [one for one in shown if one.id not in known]
    assert not any(overlap(one, other) for one in new for other in shown if one is not other)
    assert merge(made, wanted, []) == made
