"""The decision table of a sync: what happened to each memory, without a disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.sync import (
    Broken,
    Copied,
    Created,
    Edited,
    Known,
    Moved,
    Restored,
    Seen,
    Vanished,
    plan,
    too_many_vanished,
)

A, B, X = "Memory/Lessons/a.md", "Memory/Lessons/b.md", "Memory/Decisions/a.md"
LIVE_A = {"m1": Known(A, "live")}


@pytest.mark.parametrize(
    ("seen", "vanished", "known", "expected"),
    [
        # a note that nobody knew, with and without an id
        ([Seen(A, "", True)], [], {}, [Created(A, "")]),
        ([Seen(A, "m1", True)], [], {}, [Created(A, "m1")]),
        # other bytes at the known place
        ([Seen(A, "m1", True)], [], LIVE_A, [Edited(A, "m1")]),
        ([Seen(A, "", True)], [], LIVE_A, [Edited(A, "m1", lost_id=True)]),
        # a held memory has a place too
        # broken, known or not
        ([Seen(A, "", False)], [], LIVE_A, [Broken(A, "m1")]),
        ([Seen(B, "", False)], [], {}, [Broken(B, "")]),
        # moved, also with an edit; and moved while the old name was taken by a new note
        ([Seen(X, "m1", True)], [A], LIVE_A, [Moved(X, "m1", A)]),
        ([Seen(X, "m1", True), Seen(A, "", True)], [], LIVE_A,
         [Moved(X, "m1", A), Created(A, "")]),
        ([Seen(X, "m1", True), Seen(A, "m2", True)], [], LIVE_A,
         [Moved(X, "m1", A), Created(A, "m2")]),
        # two notes changed places
        ([Seen(A, "m2", True), Seen(B, "m1", True)], [],
         {"m1": Known(A, "live"), "m2": Known(B, "live")},
         [Moved(A, "m2", B), Moved(B, "m1", A)]),
        # a copy beside the original, changed or not
        ([Seen(B, "m1", True)], [], LIVE_A, [Copied(B, "m1", A)]),
        ([Seen(A, "m1", True), Seen(B, "m1", True)], [], LIVE_A,
         [Edited(A, "m1"), Copied(B, "m1", A)]),
        # a copy of a note that nobody knew: the first by path is the memory
        ([Seen(B, "m1", True), Seen(A, "m1", True)], [], {}, [Created(A, "m1"), Copied(B, "m1", A)]),
        # two candidates for a moved note: the one with its name
        ([Seen(B, "m1", True), Seen(X, "m1", True)], [A], LIVE_A,
         [Moved(X, "m1", A), Copied(B, "m1", X)]),
        # gone, and back
        ([], [A], LIVE_A, [Vanished(A, "m1")]),
        ([Seen(B, "m1", True)], [], {"m1": Known(A, "missing")}, [Restored(B, "m1")]),
        ([Seen(A, "m1", True)], [], {"m1": Known(A, "gone")}, [Restored(A, "m1")]),
        # of two notes with the id of a deleted memory, the one at its place is its note
        (
            [Seen(A, "m1", True), Seen(B, "m1", True)],
            [],
            {"m1": Known(B, "gone")},
            [Copied(A, "m1", B), Restored(B, "m1")],
        ),
        # another memory was written over it
        ([Seen(A, "m2", True)], [], LIVE_A, [Created(A, "m2"), Vanished(A, "m1")]),
        ([Seen(A, "m2", True)], [], {**LIVE_A, "m2": Known(B, "live")},
         [Copied(A, "m2", B), Vanished(A, "m1")]),
        # a file that vanished and was no memory
        ([], [B], LIVE_A, []),
        # a broken note cannot claim an id that turned up elsewhere
        ([Seen(A, "", False), Seen(B, "m1", True)], [], LIVE_A, [Broken(A, "m1"), Copied(B, "m1", A)]),
    ],
)  # fmt: skip
def test_each_row_of_the_table(seen, vanished, known, expected):
    assert plan(seen, vanished, known) == sorted(
        expected, key=lambda change: (isinstance(change, Vanished), change.path)
    )


@given(st.data())
def test_every_note_gets_one_answer_and_no_id_two_owners(data):
    paths = [f"Memory/Lessons/{letter}.md" for letter in "abcd"]
    ids = ["m1", "m2", "m3"]
    places = data.draw(st.permutations(paths))
    known = {
        identifier: Known(place, data.draw(st.sampled_from(["live", "missing", "gone"])))
        for identifier, place in zip(
            data.draw(st.lists(st.sampled_from(ids), unique=True)), places, strict=False
        )
    }
    seen = [
        Seen(path, data.draw(st.sampled_from(["", *ids])), data.draw(st.booleans()))
        for path in data.draw(st.lists(st.sampled_from(paths), unique=True))
    ]
    vanished = [
        path
        for path in paths
        if path not in {note.path for note in seen} and data.draw(st.booleans())
    ]
    changes = plan(seen, vanished, known)
    assert sorted(change.path for change in changes if not isinstance(change, Vanished)) == sorted(
        note.path for note in seen
    )
    owners = [c.id for c in changes if isinstance(c, Created | Edited | Moved | Restored) and c.id]
    assert len(owners) == len(set(owners))
    assert not {c.id for c in changes if isinstance(c, Vanished)} & set(owners)


@pytest.mark.parametrize(
    ("vanished", "everything", "expected"),
    [
        ([], ["L/a", "L/b"], False),
        (["L/a"], ["L/a"], False),
        # two of two is no emptied folder of three
        (["L/a", "L/b"], ["L/a", "L/b"], False),
        (["L/a", "L/b", "L/c"], ["L/a", "L/b", "L/c", "D/a"], True),
        (["L/a", "L/b", "L/c"], ["L/a", "L/b", "L/c", "L/d"], False),
        # more than ten, but no fifth; more than a fifth, but not more than ten; both
        ([f"L/{n}" for n in range(11)], [f"L/{n}" for n in range(60)], False),
        ([f"L/{n}" for n in range(10)], [f"L/{n}" for n in range(20)], False),
        ([f"L/{n}" for n in range(11)], [f"L/{n}" for n in range(50)], True),
    ],
)
def test_many_deletions_stop_and_ask(vanished, everything, expected):
    assert too_many_vanished(vanished, everything) is expected


def test_a_broken_note_at_the_place_of_a_missing_memory_is_that_memory_again():
    assert plan([Seen(A, "", False)], [], {"m1": Known(A, "missing")}) == [Broken(A, "m1")]
    assert plan([Seen(A, "", True)], [], {"m1": Known(A, "missing")}) == [Created(A, "")]
