"""One edit at a time: which bytes it gives, and which edits are refused."""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import pytest

from vaultmem.errors import EditRefusedError, NoteError, NoteUnreadableError
from vaultmem.notes.frontmatter import (
    append_to_list,
    get_properties,
    set_properties,
    set_property,
    unset_property,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def note(block: str) -> bytes:
    return f"---\n{block}---\nbody\n".encode()


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (None, ""), (True, " true"), (False, " false"), (0, " 0"), (-7, " -7"), (10**30, f" {10**30}"),
        (0.95, " 0.95"), (1.0, " 1.0"), (1e30, " 1.0e+30"), (1.5e-9, " 1.5e-09"), (float("inf"), " .inf"),
        (float("-inf"), " -.inf"), (float("nan"), " .nan"), (Colour.RED, " red"),
        (date(2026, 1, 31), " 2026-01-31"), (datetime(2026, 9, 3, 10, 12), " 2026-09-03T10:12:00"),
        (datetime(2026, 9, 3, 10, 12, 5, 999), " 2026-09-03T10:12:05"), (date(12, 1, 2), " 0012-01-02"),
        ("2026-01-31", " 2026-01-31"), ("2026-01-31T10:30", " 2026-01-31T10:30"), ("2026-13-45", ' "2026-13-45"'),
        ("2026-1-5", ' "2026-1-5"'), ("2026-01-31 10:30:00", ' "2026-01-31 10:30:00"'),
        ("plain text", " plain text"), ("", ' ""'), (" x", ' " x"'), ("x ", ' "x "'), ("a, b", " a, b"),
        ("yes", ' "yes"'), ("No", ' "No"'), ("null", ' "null"'), ("~", ' "~"'), ("true", ' "true"'), ("y", ' "y"'),
        ("007", ' "007"'), ("12", ' "12"'), ("1_000", ' "1_000"'), ("12:30", ' "12:30"'), ("0x1F", ' "0x1F"'),
        ("0o17", ' "0o17"'), ("1e3", ' "1e3"'), (".5", ' ".5"'), (".inf", ' ".inf"'), ("1.10.0", " 1.10.0"),
        ("a: b", ' "a: b"'), ("a:b", " a:b"), ("a:", ' "a:"'), ("a # b", ' "a # b"'), ("a#b", " a#b"), ("#a", ' "#a"'),
        ("- a", ' "- a"'), ("-", ' "-"'), ("-a", " -a"), ("---", ' "---"'), ("? a", ' "? a"'), ("@me", ' "@me"'),
        ("[[A]]", ' "[[A]]"'), ("{a}", ' "{a}"'), ("*a*", ' "*a*"'), ("&a", ' "&a"'), ("!a", ' "!a"'), ("%a", ' "%a"'),
        ("|", ' "|"'), (">", ' ">"'), ("`a`", ' "`a`"'), ("'a", ' "\'a"'), ('"a', ' "\\"a"'), ("it's", " it's"),
        ("C:\\x", " C:\\x"), ("=", ' "="'), ("<<", ' "<<"'), ("<% tp %>", " <% tp %>"), ("50%", " 50%"), ("🧠", " 🧠"),
        ("a\nb", ' "a\\nb"'), ("a\tb", ' "a\\tb"'), ("a\rb", ' "a\\rb"'), ("a\0b", ' "a\\u0000b"'),
        ("a\x85b", ' "a\\u0085b"'), ("a\u2028b", ' "a\\u2028b"'), ("\ufeffa", ' "\\ufeffa"'), ("a\x7f\\", ' "a\\u007f\\\\"'),
        ("a\uffff", ' "a\\uffff"'), ("https://a.b/c?d=e#f", " https://a.b/c?d=e#f"), ("\xa0x", ' "\xa0x"'),
        ([], " []"), (["a"], "\n  - a"), (("a", 1, None), "\n  - a\n  - 1\n  -"), (["[[A]]", "x, y"], '\n  - "[[A]]"\n  - x, y'),
        ([date(2026, 1, 2), True], "\n  - 2026-01-02\n  - true"),
    ],
)  # fmt: skip
def test_a_new_value_is_spelled_so_that_it_reads_back(value: object, spelled: str) -> None:
    assert set_property(note("a: 1\n"), "new", value) == note(f"a: 1\nnew:{spelled}\n")
    assert set_property(b"", "new", value) == f"---\nnew:{spelled}\n---\n".encode()


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        # scalars keep their quotes, blanks and comments
        ("k: a  # c\n", "b", "k: b  # c\n"),
        ("k: 'a'\n", "it's", "k: 'it''s'\n"),
        ("k: 'a'\n", "x\ny", 'k: "x\\ny"\n'),
        ('k: "a"\n', 'say "x"', 'k: "say \\"x\\""\n'),
        ('k: "1"\n', 2, "k: 2\n"),
        ("k:   a\n", None, "k:\n"),
        ("k: a  # c\n", None, "k:  # c\n"),
        ("a: 1\nk: a  # c\n", None, "a: 1\nk:  # c\n"),
        ("k:\n", True, "k: true\n"),
        ("k:  \n", 1, "k: 1  \n"),
        ("k:\n  a\n", "b", "k:\n  b\n"),
        ("k:\n  a\n", None, "k:\n"),
        ("k: a\n  b\n", "c", "k: c\n"),
        ('k: "a\n  b"  # c\n', "c", 'k: "c"  # c\n'),
        ("k: >-\n  a\n  b\n\nx: 1\n", "c", "k: c\n\nx: 1\n"),
        ("k: |\n  # no comment\nx: 1\n", None, "k:\nx: 1\n"),
        ("k: *x\n", "c", None),
        # lists
        ("k: a\n", ["b", "c"], "k:\n  - b\n  - c\n"),
        ("k: a  # c\n", ["b"], "k:  # c\n  - b\n"),
        ("a: 1\nk: a  # c\n", ["b"], "a: 1\nk:  # c\n  - b\n"),
        ("k:\n", ["b"], "k:\n  - b\n"),
        ("k:\n  a\n", ["b"], "k:\n  - b\n"),
        ("k: |\n  a\n", ["b"], "k:\n  - b\n"),
        ("k:\n  x: 1\n", ["b"], "k:\n  - b\n"),
        ("k:\n  x: 1\n", "b", "k: b\n"),
        ("k: {x: 1}\n", "b", "k: b\n"),
        ("k: {x: 1}\n", ["b"], "k: [b]\n"),
        ("k: [a, b]\n", [], "k: []\n"),
        ("k: [a, b]\n", "x", "k: x\n"),
        ("k: [a, b]\n", None, "k:\n"),
        ("k: [\n  a,\n  b\n]\n", ["a", "c, d"], 'k: [a, "c, d"]\n'),
        ("k: ['a', \"b\"]\n", ["b", "a", None], "k: [\"b\", 'a', null]\n"),
        ("k:\n- a\n- 'b'\n", ["b", "c"], "k:\n- 'b'\n- c\n"),
        ("k: # c\n  # d\n  - a\n", ["b", None], "k: # c\n  # d\n  - b\n  -\n"),
        ("k:\n    - a\nx: 1\n", [], "k: []\nx: 1\n"),
        ("k:\n    - a\nx: 1\n", None, "k:\nx: 1\n"),
        ("k:\n  - a: 1\n    b: 2\n  - [c]\n", ["d"], "k:\n  - d\n"),
        ("k:\n  - |\n    long\n  - b\n", ["b"], "k:\n  - b\n"),
        # a block of braces
        ("{k: a, x: 1}\n", "b", "{k: b, x: 1}\n"),
        ('{"k":"a","x":1}\n', "b", '{"k":"b","x":1}\n'),
        ("{k: a}\n", ["b", "c"], "{k: [b, c]}\n"),
        ("{k: a}\n", None, "{k: null}\n"),
        ("{k: , x: 1}\n", "b", "{k: b , x: 1}\n"),
        # odd places
        ("  k: a\n  x: 1\n", "b", "  k: b\n  x: 1\n"),
        ("? long\n: 1\nk: a\n", "b", "? long\n: 1\nk: b\n"),
        ("k:\ta\n", "b", "k:\tb\n"),
        ("k : a\n", "b", "k : b\n"),
        ('"k": a\n', "b", '"k": b\n'),
    ],
)  # fmt: skip
def test_an_existing_value_is_replaced_in_place(
    before: str, value: object, after: str | None
) -> None:
    if after is None:
        before, after = "o: &x 1\n" + before, "o: &x 1\nk: c\n"
    assert set_property(note(before), "k", value) == note(after)


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("k: 1\n", 1), ("k: 1\n", 1.0), ("k: '1'\n", "1"), ("k: yes\n", "yes"), ("k: ~\n", None), ("k: .nan\n", float("nan")),
        ("k: 2026-01-02\n", date(2026, 1, 2)), ("k:\n  - a  # why\n", ["a"]), ("k: &x a\n", "a"), ("k: !t a\n", "a"),
        ("k: [ a,b ]\n", ("a", "b")), ("k: [[a]]\n", "keep"),
    ],
)  # fmt: skip
def test_the_value_that_is_there_leaves_every_byte(block: str, value: object) -> None:
    data = note(block)
    if value == "keep":
        assert set_properties(data, {}) == data
    else:
        assert set_property(data, "k", value) == data


@pytest.mark.parametrize(
    ("block", "value"),
    [("k: 1\n", True), ("k: true\n", 1), ("k: 1\n", "1"), ("k:\n", []), ("k: ''\n", None)],
)
def test_values_of_other_types_are_other_values(block: str, value: object) -> None:
    changed = set_property(note(block), "k", value)
    assert changed != note(block)
    assert get_properties(changed)["k"] is value or get_properties(changed)["k"] == value


@pytest.mark.parametrize(
    ("block", "key", "value", "line"),
    [
        ("k: &x a\nb: *x\n", "k", "b", 2),
        ("b: 1\nk: [&x a]\n", "k", "b", 3),
        ("k: &x\n", "k", "b", 2),
        ("k: !t a\n", "k", "b", 2),
        ("? k\n: a\n", "k", "b", 2),
        ("b: 1\n? k\n: a\n", "k", "b", 3),
        ("{? k : a}\n", "k", "b", 2),
        ("{k, b: 1}\n", "k", "b", 2),
        ("&x k: a\n", "k", "b", 2),
        ("!!str k: a\n", "k", "b", 2),
        ("o: &k k\n*k : a\n", "k", "b", 3),
        ("k:\n  - a # why\n  - b\n", "k", ["c"], 2),
        ("k:\n  - a\n  # why\n  - b\n", "k", ["c"], 2),
        ("k:\n  - a\n  - b # why\n", "k", ["c"], 2),
        ("k: # why\n  - a\n", "k", [], 2),
        ("k: # why\n  - a\n", "k", "b", 2),
        ("k: [a, # why\n  b]\n", "k", "b", 2),
        ("k: # why\n  a\n", "k", None, 2),
        ("k: # why\n  a\n", "k", ["b"], 2),
        ("k: | # why\n  a\n", "k", "b", 2),
        ("K: 1\n", "k", "b", 2),
        ("a: 1\nE\u0301: 1\n", "\u00e9", "b", 3),
        ("a: 1\n...\n", "k", "b", 3),
        ("{a: 1}\n", "k", "b", 2),
        ("{ # why\n}\n", "k", "b", 2),
        ("&x {}\n", "k", "b", 2),
        ("!!map {}\n", "k", "b", 2),
    ],
)  # fmt: skip
def test_what_cannot_be_changed_alone_is_refused(
    block: str, key: str, value: object, line: int
) -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_property(note(block), key, value)
    assert caught.value.line == line
    assert caught.value.problem.endswith(".")
    assert caught.value.remedy.endswith(".")


def test_a_change_that_would_reach_another_property_is_refused() -> None:
    # The blank lines that stay would become part of `a`.
    data = note("a: |+\n  x\nk: |\n  y\n\nb: 1\n")
    with pytest.raises(EditRefusedError, match="alter another property"):
        unset_property(data, "k")
    # Nor of an item of `a`.
    data = note("a:\n  - b:\n    - |+\n      x\nk: |\n  y\n\nc: 1\n")
    with pytest.raises(EditRefusedError, match="alter another property"):
        unset_property(data, "k")
    # The blank line is part of the last item, and would be no more.
    with pytest.raises(EditRefusedError, match="alter another property"):
        append_to_list(note("k:\n  - |+\n    a\n\nb: 1\n"), "k", "x")


def test_a_value_that_would_make_the_block_too_large_is_refused() -> None:
    with pytest.raises(EditRefusedError, match="longer than 256 KiB") as caught:
        set_property(note("a: 1\n"), "k", "x" * 262144)
    assert (caught.value.code, caught.value.line) == ("VM106", 1)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"+++\na = 1\n+++\n", "VM107"),
        (b"----\n\ntext\n", "VM107"),
        (b"\n\n---\ntext\n", "VM107"),
        (b"---\n\ntext\n", "VM102"),
        (b"---", "VM107"),
        (b"\xef\xbb\xbf\n+++\n", "VM107"),
    ],
)
def test_no_block_is_put_above_what_could_be_meant_as_one(data: bytes, code: str) -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_property(data, "k", 1)
    assert caught.value.code == code
    assert caught.value.line is not None


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"text", b"---\nk: v\n---\ntext"),
        (b"a\r\nb\r\n", b"---\r\nk: v\r\n---\r\na\r\nb\r\n"),
        (b"a\r\nb\n", b"---\r\nk: v\r\n---\r\na\r\nb\n"),
        (b"a\nb\r\n", b"---\nk: v\n---\na\nb\r\n"),
        (b"\xef\xbb\xbftext\n", b"\xef\xbb\xbf---\nk: v\n---\ntext\n"),
        (b"\r\n", b"---\r\nk: v\r\n---\r\n\r\n"),
        (b"\n", b"---\nk: v\n---\n\n"),
        (b"# T\n\n---\n", b"---\nk: v\n---\n# T\n\n---\n"),
        (b"---\r\n---\r\n", b"---\r\nk: v\r\n---\r\n"),
        (b"---  \n\n# c\n--- ", b"---  \n\n# c\nk: v\n--- "),
        (b"---\n {}  # c\n---\n", b"---\n k: v  # c\n---\n"),
        (b"---\n  a: 1\n---\n", b"---\n  a: 1\n  k: v\n---\n"),
        (b"---\na: |+\n  x\n\n---\n", b"---\na: |+\n  x\n\nk: v\n---\n"),
        (b"---\na:\n---\n", b"---\na:\nk: v\n---\n"),
    ],
)
def test_a_new_property_gets_its_place(data: bytes, after: bytes) -> None:
    assert set_property(data, "k", "v") == after


def test_many_properties_are_set_at_once() -> None:
    data = b"---\r\na: 1  # one\r\nb: 'x'\r\nc:\r\n  - y\r\n---\r\nbody"
    changes = {"c": ["y", "z"], "new": ["m"], "a": 2, "b": "w", "last": None}
    assert set_properties(data, changes) == (
        b"---\r\na: 2  # one\r\nb: 'w'\r\nc:\r\n  - y\r\n  - z\r\nnew:\r\n  - m\r\nlast:\r\n---\r\nbody"
    )
    assert set_properties(note("{}\n"), {"a": [1], "b": 2}) == note("a:\n  - 1\nb: 2\n")
    assert set_properties(note("# c\n  {}\n"), {"a": [1], "b": 2}) == note(
        "# c\n  a:\n    - 1\n  b: 2\n"
    )


def test_no_change_makes_no_block() -> None:
    assert set_properties(b"text\n", {}) == b"text\n"
    assert unset_property(b"text\n", "k") == b"text\n"


def test_a_name_that_is_there_in_another_case_has_the_code_of_that() -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_property(note("K: 1\n"), "k", 1)
    assert caught.value.code == "VM105"


def test_of_many_properties_all_or_none_are_set() -> None:
    with pytest.raises(EditRefusedError, match="anchor"):
        set_properties(note("a: 1\nb: &x 2\n"), {"a": 2, "b": 3})


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a\nb", "x" * 201, "a\tb", "\ud800", "a\u2028", "\xa0a", "\x7f"]
)  # fmt: skip
def test_a_name_that_obsidian_cannot_show_is_refused(name: str) -> None:
    with pytest.raises(EditRefusedError):
        set_property(note("a: 1\n"), name, 1)


def test_a_name_may_be_as_long_as_the_limit() -> None:
    assert get_properties(set_property(b"", "x" * 200, 1)) == {"x" * 200: 1}


def test_two_new_names_that_are_one_to_obsidian_are_refused() -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_properties(b"", {"Tag": 1, "tag": 2})
    assert caught.value.code == "VM105"


@pytest.mark.parametrize(
    ("name", "spelled"),
    [("my key", "my key"), ("a:b", "a:b"), ("a: b", '"a: b"'), ("2024", '"2024"'), ("true", '"true"'), ("#x", '"#x"'),
     ("[x]", '"[x]"'), ("a, b", '"a, b"'), ("é", "é"), ("👩‍💻", "👩‍💻"), ("- x", '"- x"'), ("'x", '"\'x"'), ("x #y", '"x #y"')],
)  # fmt: skip
def test_a_new_name_is_quoted_where_it_must_be(name: str, spelled: str) -> None:
    changed = set_property(note("a: 1\n"), name, 1)
    assert changed == note(f"a: 1\n{spelled}: 1\n")
    assert set_property(changed, name, 2) == note(f"a: 1\n{spelled}: 2\n")


@pytest.mark.parametrize(
    "value",
    [{"a": 1}, [["a"]], [{"a": 1}], b"x", object(), "\ud800", ["\udfff"], {1}, datetime(2026, 1, 1, tzinfo=UTC)],
)  # fmt: skip
def test_a_value_that_properties_cannot_have_is_refused(value: object) -> None:
    with pytest.raises(EditRefusedError):
        set_property(note("a: 1\n"), "k", value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("k: 1\n", ""),
        ("a: 1\nk: 1\nb: 2\n", "a: 1\nb: 2\n"),
        ("# c\nk:\n  - a\n  - b\n\n# d\nb: 2\n", "# c\n\n# d\nb: 2\n"),
        ("k: |\n  x\n\n\nb: 1\n", "\n\nb: 1\n"),
        ("k:\n  x:\n    - y\n", ""),
        ("k: [\n a\n]\nb: 1\n", "b: 1\n"),
        ("k: !t 1\nb: 1\n", "b: 1\n"),
        ("a: &x 1\nk: *x\n", "a: &x 1\n"),
        ("k:\nb: 1\n", "b: 1\n"),
        ("k: '# no comment'\n", ""),
        ("b: 1\n", "b: 1\n"),
    ],
)
def test_a_property_goes_with_its_lines_only(before: str, after: str) -> None:
    assert unset_property(note(before), "k") == note(after)
    windows = note(before).replace(b"\n", b"\r\n")
    assert unset_property(windows, "k") == note(after).replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    "block",
    ["k: 1  # why\n", "k: # why\n  - a\n", "k:\n  - a # why\n", "k: &x 1\nb: *x\n", "k: [&x 1]\n", "{k: 1}\n", "? k\n: 1\n", "K: 1\n"],
)  # fmt: skip
def test_a_property_whose_lines_hold_more_is_not_removed(block: str) -> None:
    with pytest.raises(EditRefusedError):
        unset_property(note(block), "k")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\n", "a: 1\nk:\n  - x y\n"),
        ("k:\nb: 1\n", "k:\n  - x y\nb: 1\n"),
        ("k: ~\n", "k:\n  - x y\n"),
        ("k:  # c\n", "k:  # c\n  - x y\n"),
        ("k: []\n", "k: [x y]\n"),
        ("k: [ ]  # c\n", "k: [x y ]  # c\n"),
        ("k: [a]\n", "k: [a, x y]\n"),
        ("k: [a, ]\n", "k: [a, x y, ]\n"),
        ("k: [\n  a,   # one\n  b,\n]\n", "k: [\n  a,   # one\n  b, x y,\n]\n"),
        ("k: [[a]]\n", "k: [[a], x y]\n"),
        ("k:\n  - a  # why\n  - b  # too\n# c\n", "k:\n  - a  # why\n  - b  # too\n  - x y\n# c\n"),
        ("k:\n- a\nb: 1\n", "k:\n- a\n- x y\nb: 1\n"),
        ("k:\n    - a: 1\n      b: 2\n", "k:\n    - a: 1\n      b: 2\n    - x y\n"),
        ("k:\n  - a\n  -\n", "k:\n  - a\n  -\n  - x y\n"),
        ("k:\n  - &x a\nb: *x\n", "k:\n  - &x a\n  - x y\nb: *x\n"),
        ("k:\n  - |\n    a\n\nb: 1\n", "k:\n  - |\n    a\n  - x y\n\nb: 1\n"),
        ("k: a\n", "k:\n  - a\n  - x y\n"),
        ("k: 'a' # c\n", "k: # c\n  - 'a'\n  - x y\n"),
        ("o: &x 1\nk: *x\n", "o: &x 1\nk:\n  - *x\n  - x y\n"),
        ("{k: [a]}\n", "{k: [a, x y]}\n"),
        ("{k: a}\n", "{k: [a, x y]}\n"),
        ("{k: }\n", "{k: [x y] }\n"),
        ("  k:\n  - a\n", "  k:\n  - a\n  - x y\n"),
    ],
)  # fmt: skip
def test_an_item_is_appended_and_the_rest_stays(before: str, after: str) -> None:
    assert append_to_list(note(before), "k", "x y") == note(after)
    windows = append_to_list(note(before).replace(b"\n", b"\r\n"), "k", "x y")
    assert windows == note(after).replace(b"\n", b"\r\n")


def test_an_appended_item_is_quoted_as_its_place_needs() -> None:
    assert append_to_list(note("k: [a]\n"), "k", "b, c") == note('k: [a, "b, c"]\n')
    assert append_to_list(note("k:\n  - a\n"), "k", "b, c") == note("k:\n  - a\n  - b, c\n")
    assert append_to_list(note("{k: a}\n"), "k", "b, c") == note('{k: [a, "b, c"]}\n')
    assert append_to_list(note("k: a\n"), "k", "b, c") == note("k:\n  - a\n  - b, c\n")
    assert append_to_list(note("k:\n  - a\n"), "k", None) == note("k:\n  - a\n  -\n")
    assert append_to_list(b"", "k", date(2026, 1, 2)) == b"---\nk:\n  - 2026-01-02\n---\n"


@pytest.mark.parametrize(
    "block",
    ["k: {a: 1}\n", "k:\n  a: 1\n", "k: |\n  a\n", "k: a\n  b\n", "k: &x [a]\n", "k: !t [a]\n", "k: &x a\n", "? k\n: [a]\n",
     "K: [a]\n", "k:\n  - |+\n    a\n\nb: 1\n"],
)  # fmt: skip
def test_nothing_is_appended_to_what_is_no_list(block: str) -> None:
    with pytest.raises(EditRefusedError):
        append_to_list(note(block), "k", "x")


def test_a_list_is_no_item() -> None:
    with pytest.raises(EditRefusedError, match="cannot hold a list"):
        append_to_list(note("k: [a]\n"), "k", ["x"])


ANCHOR = ("The property `k` has an anchor (`&name`).", "without the anchor")
TAG = ("The property `k` has the tag `!t`.", "without the tag")
FORM = (
    "The property `k` is written in a form that cannot be changed safely.",
    "as `name: value`",
)
COMMENT = ("The property `k` has a comment inside its value.", "without the comment")
NO_LIST = ("The property `k` is no list.", "as a list")
IN_BRACES = ("The property `k` stands in braces, as JSON.", "as `name: value` lines")


@pytest.mark.parametrize(
    ("block", "change", "words"),
    [
        ("k: &x a\n", lambda data: set_property(data, "k", "b"), ANCHOR),
        ("k: &x a\n", lambda data: unset_property(data, "k"), ANCHOR),
        ("k: &x [a]\n", lambda data: append_to_list(data, "k", "b"), ANCHOR),
        ("k: !t a\n", lambda data: set_property(data, "k", "b"), TAG),
        ("k: !t [a]\n", lambda data: append_to_list(data, "k", "b"), TAG),
        ("? k\n: a\n", lambda data: set_property(data, "k", "b"), FORM),
        ("? k\n: a\n", lambda data: unset_property(data, "k"), FORM),
        ("? k\n: [a]\n", lambda data: append_to_list(data, "k", "b"), FORM),
        ("k: [a, # why\n  b]\n", lambda data: set_property(data, "k", "b"), COMMENT),
        ("k: a # why\n", lambda data: unset_property(data, "k"), COMMENT),
        ("k: {a: 1}\n", lambda data: append_to_list(data, "k", "b"), NO_LIST),
        ("k: a\n  b\n", lambda data: append_to_list(data, "k", "b"), NO_LIST),
        ("{k: a}\n", lambda data: unset_property(data, "k"), IN_BRACES),
    ],
)
def test_what_only_its_author_can_change_is_said_in_these_words(
    block: str, change: Callable[[bytes], bytes], words: tuple[str, str]
) -> None:
    data = note(f"\n{block}")
    with pytest.raises(EditRefusedError) as caught:
        change(data)
    problem, rewrite = words
    assert caught.value.problem == problem
    assert caught.value.remedy == f"Rewrite it by hand {rewrite} first."
    assert caught.value.line == 3


ZONE = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = "Give it text, a number, true or false, a date, or a list of these."
NAME = "Use one line of 1 to 200 characters without blanks at its ends."
DASHES = (
    "The note begins with a line of dashes that could be meant to open its properties.",
    "Make `---` the first line and close it, or put text above a horizontal rule.",
)


@pytest.mark.parametrize(
    ("data", "changes", "problem", "remedy"),
    [
        (b"", {"k": {"a": 1}}, "A property cannot hold a dict.", KINDS),
        (b"", {"k": [["a"]]}, "A property cannot hold a list.", KINDS),
        (
            b"",
            {"k": "\ud800"},
            "The text holds half of a character (a lone surrogate), which no file can hold.",
            "Remove that character.",
        ),
        (
            b"",
            {"k": ZONE},
            "A property cannot hold a time with a zone; Obsidian shows local time.",
            "Convert it to local time and drop the zone.",
        ),
        (b"", {"": 1}, "'' cannot be the name of a property.", NAME),
        (b"", {"é ": 1}, "'\\xe9 ' cannot be the name of a property.", NAME),
        (b"", {"x" * 201: 1}, f"'{'x' * 40}' cannot be the name of a property.", NAME),
        (
            b"",
            {"Tag": 1, "tag": 2},
            "`Tag` and `tag` are one property to Obsidian.",
            "Use one of the names.",
        ),
        (
            note("K: 1\n"),
            {"k": 1},
            "The note has the property `K`, which Obsidian takes for `k`.",
            "Use the name `K`.",
        ),
        (
            note("a: 1\n...\n"),
            {"k": 1},
            "The properties end with `...`, so nothing can be added after them.",
            "Remove the line `...`.",
        ),
        (
            note("{a: 1}\n"),
            {"k": 1},
            "The properties are written in braces, as JSON.",
            "Edit one property in Obsidian, which rewrites them as `name: value` lines.",
        ),
        (
            b"+++\na = 1\n+++\n",
            {"k": 1},
            "The note begins with a TOML block, which Obsidian does not read.",
            "Rewrite it as properties between `---` lines.",
        ),
        (b"---\n\ntext\n", {"k": 1}, *DASHES),
        (b"\n----\ntext\n", {"k": 1}, *DASHES),
        (
            note("a: 1\n"),
            {"k": "x" * 262144},
            "With this change the note could not be read any more. "
            "The properties are longer than 256 KiB.",
            "Move the text into the body.",
        ),
    ],
)
def test_what_cannot_be_set_is_said_in_these_words(
    data: bytes, changes: dict[str, object], problem: str, remedy: str
) -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_properties(data, changes)
    assert (caught.value.problem, caught.value.remedy) == (problem, remedy)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"+++\na = 1\n", 1),
        (b"----\n", 1),
        (b"\n----\n\n\ntext\n", 2),
        (b"\n\n----", 3),
        (b"\xef\xbb\xbf---\n\ntext\n", 1),
        (note("a: 1\nb: 2\n...\n"), 4),
        (note("\n{a: 1}\n"), 3),
        (note("\n\nK: 1\n"), 4),
    ],
)
def test_a_refusal_names_the_line_that_is_meant(data: bytes, line: int) -> None:
    with pytest.raises(EditRefusedError) as caught:
        set_property(data, "k", 1)
    assert caught.value.line == line


def test_a_change_that_would_reach_further_is_refused_in_these_words() -> None:
    with pytest.raises(EditRefusedError) as caught:
        unset_property(note("a: |+\n  x\nk: |\n  y\n\nb: 1\n"), "k")
    assert caught.value.problem == "This change would alter another property of the note."
    assert caught.value.remedy == "Make it by hand in Obsidian's source mode."


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("k:\n  a # why\n", None),
        ("k:\n  a # why\n", ["b"]),
        ("k:\n  x: 1 # why\n", "b"),
        ("k:\n  x: 1 # why\n", ["b"]),
        ("k: # why\n  x: 1\n", ["b"]),
        ("k:\n  # why\n  a\n", ["b"]),
        ("k: |  # why\n  a\n", None),
        ("k: >  # why\n  a\n", None),
        ("k: >  # why\n  a\n", "b"),
        ("a: 1\nk: |  # why\n  x\n", None),
        ("k: [\n  a,\n  # why\n  '#b']\n", "x"),
    ],
)
def test_a_comment_on_what_goes_is_not_lost(block: str, value: object) -> None:
    with pytest.raises(EditRefusedError, match="has a comment inside its value"):
        set_property(note(block), "k", value)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        # an item that stays keeps its spelling where that is its own, on one line
        ("k:\n  - 'a'\n  - !t b\n", ["a", "b", "c"], "k:\n  - 'a'\n  - b\n  - c\n"),
        ("k:\n  - a\n    b\n  - c\n", ["a b", "d"], "k:\n  - a b\n  - d\n"),
        ("k: ['a\n  b', c]\n", ["a b", "d"], "k: [a b, d]\n"),
        ("o: &x 1\nk:\n  - *x\n", [1, 2], "o: &x 1\nk:\n  - 1\n  - 2\n"),
        ("{o: &x a, k: *x}\n", ["a"], "{o: &x a, k: [a]}\n"),
        ("k: ['a', !t b]\n", ["b", "a"], "k: [b, 'a']\n"),
        ("k: ['1', 2]\n", ["1", 1, 2.0], "k: ['1', 1, 2]\n"),
        # a hash that is no comment
        ("k: 'a # b'\n", None, "k:\n"),
        ('k:\n  - "a # b"\n  - c#d\n', ["x"], "k:\n  - x\n"),
        ("k: ['#', \"#\"]\n", "x", "k: x\n"),
        # the key's own form
        ("k  :  a\n", "b", "k  :  b\n"),
        ("  k: a\n", ["b"], "  k:\n    - b\n"),
        ("  k:\n    a\n  b: 1\n", ["c"], "  k:\n    - c\n  b: 1\n"),
        ("{k: [a], b: 1}\n", [], "{k: [], b: 1}\n"),
        ("{k: a, b: 1}\n", "x, y", '{k: "x, y", b: 1}\n'),
        ("{k: [a, b]}\n", None, "{k: null}\n"),
        ('{"k": "a"}\n', 'b "c"', '{"k": "b \\"c\\""}\n'),
    ],
)
def test_what_stays_keeps_its_own_spelling(before: str, value: object, after: str) -> None:
    assert set_property(note(before), "k", value) == note(after)
    windows = note(before).replace(b"\n", b"\r\n")
    assert set_property(windows, "k", value) == note(after).replace(b"\n", b"\r\n")


@pytest.mark.parametrize("change", [set_property, append_to_list])
def test_a_broken_note_is_not_changed(change: object) -> None:
    assert callable(change)
    with pytest.raises(NoteUnreadableError):
        change(note("a: 1\na: 2\n"), "k", 1)
    with pytest.raises(NoteError):
        unset_property(note("a: [\n"), "a")
