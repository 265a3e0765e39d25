"""One entry of a JSON settings file is added or removed; nothing else of the text changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.json_splice import (
    SpliceError,
    add_to_list,
    add_to_object,
    load,
    remove_from_list,
    remove_from_object,
)

OBSIDIAN = '{\n  "types": {\n    "a": "text"\n  }\n}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Obsidian's own style, also with more entries and with none
        (OBSIDIAN, '{\n  "types": {\n    "a": "text",\n    "k": "é"\n  }\n}'),
        (
            '{\n  "types": {\n    "a": "text",\n    "b": "date"\n  }\n}',
            '{\n  "types": {\n    "a": "text",\n    "b": "date",\n    "k": "é"\n  }\n}',
        ),
        ('{\n  "types": {}\n}', '{\n  "types": {\n    "k": "é"\n  }\n}'),
        ("{}", '{\n  "types": {\n    "k": "é"\n  }\n}'),
        ("", '{\n  "types": {\n    "k": "é"\n  }\n}'),
        (" \n", ' \n{\n  "types": {\n    "k": "é"\n  }\n}'),
        # the person's style: tabs, four blanks, CRLF, one line, minified, final newline
        ('{\n\t"x": 1\n}', '{\n\t"x": 1,\n\t"types": {\n\t\t"k": "é"\n\t}\n}'),
        ('{\n    "x": 1\n}\n', '{\n    "x": 1,\n    "types": {\n        "k": "é"\n    }\n}\n'),
        (
            '{\r\n  "types": {\r\n  }\r\n}',
            '{\r\n  "types": {\r\n    "k": "é"\r\n  }\r\n}',
        ),
        ('{"types": {"a": "b", "c": "d"}}', '{"types": {"a": "b", "c": "d", "k": "é"}}'),
        ('{"types":{}}', '{"types":{"k": "é"}}'),
        ('{"a":1}', '{"a":1,"types": {"k": "é"}}'),
        ('{"a":1,\n "b":2}', '{"a":1,\n "b":2,\n "types": {\n    "k": "é"\n  }}'),
        # numbers, escapes, unknown keys and their order stay as they are written
        (
            '{"z": 1.50, "u": "\\u00e9\\/", "types": {"a":"b"}, "e": 1E3}',
            '{"z": 1.50, "u": "\\u00e9\\/", "types": {"a":"b","k": "é"}, "e": 1E3}',
        ),
        # the key is found by its value, not by its spelling; nested namesakes do not count
        (
            '{"x": {"types": {}}, "typ\\u0065s": {"]}": ["}"]}}',
            '{"x": {"types": {}}, "typ\\u0065s": {"]}": ["}"],"k": "é"}}',
        ),
    ],
)
def test_an_entry_is_added_in_the_style_of_the_text(before: str, after: str) -> None:
    assert add_to_object(before, "types", "k", "é") == after
    expected = load(before)
    expected["types"] = {**dict(expected.get("types") or {}), "k": "é"}  # type: ignore[arg-type]
    assert json.loads(after) == expected


def test_an_item_is_added_to_a_list_that_is_made_where_it_is_missing() -> None:
    before = '{\n  "alwaysUpdateLinks": true\n}'
    one = add_to_list(before, "userIgnoreFilters", "Memory/System/")
    assert one == (
        '{\n  "alwaysUpdateLinks": true,\n  "userIgnoreFilters": [\n    "Memory/System/"\n  ]\n}'
    )
    two = add_to_list(one, "userIgnoreFilters", "B")
    assert two.endswith('[\n    "Memory/System/",\n    "B"\n  ]\n}')
    assert remove_from_list(two, "userIgnoreFilters", "B") == one


def test_what_is_there_already_changes_nothing() -> None:
    assert add_to_object(OBSIDIAN, "types", "a", "text") == OBSIDIAN
    assert add_to_list('{"f": ["x"]}', "f", "x") == '{"f": ["x"]}'


def test_another_value_is_never_overwritten() -> None:
    with pytest.raises(SpliceError, match="`a` has another value"):
        add_to_object(OBSIDIAN, "types", "a", "date")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON .*line 1"),
        ('{\n"a": 1,\n}', "line 3|line 2"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"types": {"b": {"c": 1, "c": 1}}}', "twice"),
        ('{"a": ' + "[" * 200_000 + "]" * 200_000 + "}", "too deep"),
        ('{"a": ' + "9" * 5_000 + "}", "too many digits"),
    ],
)
def test_what_cannot_be_read_without_loss_is_refused(text: str, why: str) -> None:
    for edit in (
        lambda: add_to_object(text, "types", "k", "v"),
        lambda: add_to_list(text, "types", "v"),
        lambda: remove_from_object(text, "types", "k", "v"),
        lambda: remove_from_list(text, "types", "v"),
    ):
        with pytest.raises(SpliceError, match=why):
            edit()


@pytest.mark.parametrize("value", ["null", "3", '"x"', "[]"])
def test_another_kind_of_value_in_the_place_of_the_object_is_refused(value: str) -> None:
    with pytest.raises(SpliceError, match="`types` is not an object"):
        add_to_object(f'{{"types": {value}}}', "types", "k", "v")


@pytest.mark.parametrize("value", ["null", "3", "{}"])
def test_another_kind_of_value_in_the_place_of_the_list_is_refused(value: str) -> None:
    with pytest.raises(SpliceError, match="`f` is not a list"):
        add_to_list(f'{{"f": {value}}}', "f", "v")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"t": {"k": "v"}}', '{"t": {}}'),
        ('{"t": {"k": "v", "b": 1}}', '{"t": {"b": 1}}'),
        ('{"t": {"a": 1, "k": "v", "b": 1}}', '{"t": {"a": 1, "b": 1}}'),
        ('{\n  "t": {\n    "a": 1,\n    "k": "v"\n  }\n}', '{\n  "t": {\n    "a": 1\n  }\n}'),
        # what is not ours any more stays
        ('{"t": {"k": "other"}}', '{"t": {"k": "other"}}'),
        ('{"t": {"K": "v"}}', '{"t": {"K": "v"}}'),
        ('{"t": ["k"]}', '{"t": ["k"]}'),
        ("{}", "{}"),
        ("", ""),
    ],
)
def test_an_entry_is_removed_if_it_still_has_its_value(before: str, after: str) -> None:
    assert remove_from_object(before, "t", "k", "v") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"f": ["a", "x", "b", "x"]}', '{"f": ["a", "b", "x"]}'),
        ('{"f": ["a"]}', '{"f": ["a"]}'),
        ('{"f": {"x": 1}}', '{"f": {"x": 1}}'),
        ("{}", "{}"),
    ],
)
def test_an_item_is_removed_from_a_list(before: str, after: str) -> None:
    assert remove_from_list(before, "f", "x") == after


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    rest=st.dictionaries(st.text(max_size=5).filter(lambda key: key != "types"), _JSON, max_size=4),
    types=st.none() | st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=4),
    key=st.text(max_size=6),
    indent=st.sampled_from([None, 2, 4, "\t"]),
    ascii_only=st.booleans(),
)
def test_add_then_remove_gives_the_text_back_and_adds_just_that(
    rest: dict[str, object],
    types: dict[str, str] | None,
    key: str,
    indent: int | str | None,
    ascii_only: bool,
) -> None:
    whole = dict(rest) if types is None else {**rest, "types": types}
    text = json.dumps(whole, indent=indent, ensure_ascii=ascii_only)
    if types is not None and key in types:
        return
    added = add_to_object(text, "types", key, "text")
    wanted = {**rest, "types": {**(types or {}), key: "text"}}
    assert json.dumps(json.loads(added)) == json.dumps(wanted)
    if types:
        assert remove_from_object(added, "types", key, "text") == text
        at = next(n for n, (a, b) in enumerate(zip(text, added + "\0", strict=False)) if a != b)
        assert added.startswith(text[:at])
        assert added.endswith(text[at:])
