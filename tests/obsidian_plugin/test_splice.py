"""The plugin's splice makes the bytes that ours makes, or refuses and leaves the note alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.notes.frontmatter_blocks import ALL_BLOCKS, cases, flat_notes, notes
from vaultmem.errors import NoteError
from vaultmem.notes.frontmatter import set_property

if TYPE_CHECKING:
    from tests.obsidian_plugin.conftest import Obsidian

MORE_CAREFUL = {
    "032-brace-body": "it has no properties, so no command is offered",
    "034-empty-file": "likewise",
    "112-code-fence-body": "likewise",
    "115-flow-root-one-line": "its properties stand in braces",
    "121-empty-flow-root": "likewise",
}
"""Cases that Python edits and the plugin refuses."""
WRITTEN = [
    *[("decision", word) for word in ("approve", "reject", "defer", "apply", "accept")],
    *[("status", "contested"), ("pinned", True), ("pinned", False), ("tags", "one")],
    *[("vault_ref", "[[A note]]"), ("vault_ref", "[[Folder/A note's name]]")],
]
"""What the commands write, and a list that is replaced."""


def ours(data: bytes, key: str, value: str | bool) -> bytes | None:
    """What Python makes of it; None for a refusal."""
    try:
        return set_property(data, key, value)
    except NoteError:
        return None


def test_every_case_gives_the_expected_bytes_or_a_refusal(obsidian: Obsidian):
    single = [case for case in cases() if not isinstance(case.value, list)]
    done = obsidian.splice((case.data, case.key, case.value) for case in single)
    refused = set()
    for case, one in zip(single, done, strict=True):
        if "data" in one:
            assert one["data"] == case.expected, case.id
        elif case.expected is not None:
            refused.add(case.id)
        else:
            assert isinstance(one["line"], int), case.id
            assert str(one["remedy"]).endswith("."), case.id
    assert refused == MORE_CAREFUL.keys()


def test_what_the_commands_write_is_what_python_writes(obsidian: Obsidian):
    wishes = [(data, key, value) for data in ALL_BLOCKS for key, value in WRITTEN]
    done = obsidian.splice(wishes)
    wrote = 0
    for wish, one in zip(wishes, done, strict=True):
        if "data" in one:
            wrote += 1
            assert one["data"] == ours(*wish), wish
    assert wrote > len(wishes) // 2


# A list of notes for each start of Node; to find a smaller list would start it hundreds of times.
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(
    st.lists(
        st.tuples(
            st.one_of(notes(), flat_notes()),
            st.sampled_from(["a", "b", "status", "tags", "x-y", "Up", "decision"]),
            st.sampled_from(["approve", "[[A note]]", "it's", "a: b", "yes", "12:30", "", True]),
        ),
        min_size=40,
        max_size=80,
    )
)
def test_generated_notes_come_out_as_python_writes_them_or_not_at_all(obsidian, wishes):
    done = zip(wishes, obsidian.splice(wishes), strict=True)
    wrong = [(wish, one) for wish, one in done if "data" in one and one["data"] != ours(*wish)]
    assert wrong == []


@pytest.mark.parametrize(
    ("block", "key", "problem", "line"),
    [
        ("status: open\nx: 1\nstatus: shut\n", "status", "cannot be read|there twice", 4),
        ("x: 1\nStatus: open\n", "status", "differ only in case", 3),
        ("x: 1\nstatus: &s open\ny: *s\n", "status", "anchor", 3),
        ("status: !enum open\n", "status", "tag", 2),
        ("x: 1\ntags:\n  - a\n  - b  # why\n", "tags", "comment", 5),
        ("tags: # why\n  - a\n", "tags", "comment", 2),
        ("tags: [\n  a,\n]\n", "tags", "several lines", 2),
        ("status:\n  open\n", "status", "several lines", 2),
        ("status:\n  a: 1\n", "status", "several lines", 2),
        ("status: |\n  open\n  # on\n", "status", "comment", 4),
        ("status: open\n  and on\n", "status", "several lines", 2),
        ("  a: 1\n  b: 2\n", "status", "cannot be read", 4),
        ("? status\n: open\n", "status", "line `status: …`", 2),
        ("x: &a\n  - 1\ny: *a\n", "x", "anchor", 2),
        ("a: b: c\nstatus: open\n", "status", "cannot be read", 2),
        ("- a\n- b\n", "status", "no properties", 2),
        ("x: 1\n<<<<<<< mine\n", "status", "none of a property", 3),
        ("x: 1\n...\n", "status", "Nothing can be added", 3),
        ("x: a\x07\n", "status", "control character", 2),
        (f"x: {'[' * 101}{']' * 101}\n", "status", "too deep", 2),
        (f"x: {'y' * (1 << 18)}\n", "status", "larger than", 1),
    ],
)
def test_what_cannot_be_changed_alone_is_refused_with_its_line(obsidian, block, key, problem, line):
    (done,) = obsidian.splice([(f"---\n{block}---\nbody\n".encode(), key, "archived")])
    assert "data" not in done
    assert re.search(problem, str(done["problem"])), done
    assert done["line"] == line, done


@pytest.mark.parametrize(
    ("text", "problem"),
    [("body\n", "does not open"), ("---\nstatus: open\n", "closes"), ("", "does not open")],
)
def test_a_note_without_a_closed_block_is_refused(obsidian, text, problem):
    (done,) = obsidian.splice([(text.encode(), "status", "archived")])
    assert problem in str(done["problem"])
    assert done["line"] == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nx: a\u2028---\nstatus: open\n---\n", "---\nx: a\u2028---\nstatus: shut\n---\n"),
        ("---\nstatus: open\n---\u2028\n---\n", None),
        ("---\nstatus: open # a\u2028b\n---\n", "---\nstatus: shut # a\u2028b\n---\n"),
        ("---\nstatus: open\n---\rx\n", None),
    ],
)
def test_only_a_line_feed_ends_a_line(obsidian, before, after):
    (done,) = obsidian.splice([(before.encode(), "status", "shut")])
    assert done.get("data") == (after and after.encode()), done
