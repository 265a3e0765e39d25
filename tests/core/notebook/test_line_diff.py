"""The diff that the worker of a consolidation reads first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.line_diff import CUT, MAX_DIFF, Change, changes, head_of, workspace_diff

FILES = st.dictionaries(st.sampled_from("abcd"), st.binary(max_size=30), max_size=4)


def test_it_lists_what_was_added_changed_and_removed_and_how():
    before = {"MEMORY.md": b"one\ntwo\n", "old.md": b"gone\n", "same.md": b"same\n"}
    after = {"MEMORY.md": b"one\n2\n", "new.md": b"fresh", "same.md": b"same\n"}
    text = workspace_diff(before, after)
    assert "- modified MEMORY.md\n- added new.md\n- deleted old.md\n" in text
    for line in ("--- a/MEMORY.md", "+++ b/MEMORY.md", "-two", "+2", "--- /dev/null", "+fresh",
                 "+++ /dev/null", "-gone"):  # fmt: skip
        assert f"\n{line}\n" in text
    assert "same" not in text
    assert "Do not edit" in text


def test_without_a_change_it_says_none():
    text = workspace_diff({"a": b"x"}, {"a": b"x"})
    assert "\n- none\n" in text


def test_only_a_line_feed_ends_a_line():
    text = workspace_diff({"a": b"x\n"}, {"a": "x\none\u2028two\x0bthree\n".encode()})
    assert "\n+one\u2028two\x0bthree\n" in text


def test_its_fence_is_longer_than_any_in_it():
    text = workspace_diff({}, {"a": b"````\nx\n````\n"})
    assert "\n`````diff\n" in text
    assert text.endswith("\n`````\n")


def test_it_is_cut_at_four_mebibytes_on_a_character():
    text = workspace_diff({}, {"a": "é".encode() * (MAX_DIFF // 2 + 9)})
    data = text.encode()
    assert MAX_DIFF - 8 <= len(data) <= MAX_DIFF
    assert CUT in text
    assert "\ufffd" not in text


def test_what_fits_is_not_cut():
    assert head_of("é", 2) == "é"
    assert head_of("éé", 3) == f"é{CUT}"


def test_bytes_that_are_no_text_are_shown_as_such():
    assert "\ufffd" in workspace_diff({}, {"a": b"\xff\n"})


@given(FILES, FILES)
def test_the_list_is_right_for_any_two_sets_of_files(before, after):
    found = changes(before, after)
    assert [one.path for one in found] == sorted({one.path for one in found})
    assert (found == ()) == (before == after)
    backwards = {"added": "deleted", "deleted": "added", "modified": "modified"}
    assert changes(after, before) == tuple(Change(backwards[s], p) for s, p in found)
