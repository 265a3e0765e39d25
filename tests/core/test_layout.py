"""Sections take whole lines, count what they leave out, and share the room fairly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.budget import QUARTERS, Room, quarters
from vaultmem.core.layout import Block, Entry, share_out


def block(*lengths: int, beyond: int = 0, more: str = "") -> Block:
    entries = [Entry("x" * length, f"id{place}") for place, length in enumerate(lengths)]
    return Block("name", "H", entries, beyond=beyond, more=more)


HEADING = len("\n## H\n")


def size(made: Block) -> int:
    return sum(quarters(line) + 1 for line in made.lines())


def test_a_section_is_a_blank_line_a_heading_and_its_lines() -> None:
    made = block(3, 4)
    made.fill(Room(100))
    assert made.lines() == ["", "## H", "xxx", "xxxx"]
    assert made.ids() == ("id0", "id1")
    assert made.left_out == 0


def test_the_heading_comes_with_the_first_line_or_not_at_all() -> None:
    made = block(10)
    room = Room(HEADING + 10)
    made.fill(room)
    assert made.lines() == []
    assert room.left == HEADING + 10
    made.fill(Room(HEADING + 11))
    assert made.ids() == ("id0",)


def test_a_long_line_does_not_silence_those_behind_it() -> None:
    made = block(5, 50, 5)
    made.fill(Room(HEADING + 20))
    assert made.ids() == ("id0", "id2")
    assert made.left_out == 1


def test_a_line_without_a_memory_has_no_id() -> None:
    made = Block("log", "Log", [Entry("- met Ann", ""), Entry("- a memory", "id1")])
    made.fill(Room(100))
    assert made.ids() == ("id1",)


def test_a_cap_holds_and_the_rest_is_counted_within_it() -> None:
    made = block(20, 20, 20, 20, beyond=3, more="pinned")
    room = Room(1000)
    made.fill_up_to(20, room)
    assert made.lines() == ["", "## H", "x" * 20, "x" * 20, "- … 5 more pinned"]
    assert made.counts_rest
    assert size(made) == 1000 - room.left <= 20 * QUARTERS


def test_nothing_is_counted_where_everything_fits() -> None:
    made = block(20, 20, more="pinned")
    made.fill_up_to(20, Room(1000))
    assert made.lines() == ["", "## H", "x" * 20, "x" * 20]


def test_a_section_that_shows_nothing_counts_nothing() -> None:
    made = block(90, beyond=2, more="pinned")
    room = Room(1000)
    made.fill_up_to(20, room)
    assert made.lines() == []
    assert not made.counts_rest
    assert made.left_out == 3
    assert room.left == 1000


def test_a_section_that_names_no_rest_uses_its_whole_cap() -> None:
    made = block(20, 20, 20, beyond=1)
    made.fill_up_to(18, Room(1000))
    assert made.ids() == ("id0", "id1", "id2")
    assert not made.counts_rest


def test_no_section_eats_the_room_of_the_others() -> None:
    greedy, modest = block(*[9] * 50), block(9, 9)
    share_out([greedy, modest], [1, 1], Room(100))
    assert len(modest.ids()) == 2


def test_what_one_section_leaves_goes_to_the_others_in_order() -> None:
    small, first, second = block(9), block(*[9] * 20), block(*[9] * 20)
    room = Room(3 * HEADING + 170)
    share_out([small, first, second], [1, 1, 1], room)
    assert (len(small.ids()), len(first.ids()), len(second.ids())) == (1, 11, 5)
    assert room.left < 10


def test_sharing_among_nobody_is_nothing() -> None:
    room = Room(10)
    share_out([], [], room)
    assert room.left == 10


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 60), max_size=8), st.integers(1, 5)), max_size=5),
    st.integers(0, 600),
)
def test_sections_never_take_more_than_the_room(
    parts: list[tuple[list[int], int]], start: int
) -> None:
    blocks = [block(*lengths) for lengths, _ in parts]
    room = Room(start)
    share_out(blocks, [share for _, share in parts], room)
    assert sum(map(size, blocks)) == start - room.left <= start


@given(
    st.lists(st.integers(0, 60), max_size=8),
    st.integers(0, 9),
    st.integers(0, 60),
    st.integers(0, 300),
)
def test_a_capped_section_never_takes_more_than_cap_and_room(
    lengths: list[int], beyond: int, cap: int, start: int
) -> None:
    made = block(*lengths, beyond=beyond, more="pinned")
    room = Room(start)
    made.fill_up_to(cap, room)
    assert size(made) == start - room.left <= min(cap * QUARTERS, start)
