"""Property values are read by the rules of the note format, whatever their spelling."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.values import Kind, WrongValueError, has_zone, read

YAML_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=5,
)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("empty", [None, "", "  ", [], [None], [""], "\n"])
def test_nothing_written_is_absent(kind: Kind, empty: object) -> None:
    expected = () if kind in (Kind.LIST, Kind.TAGS, Kind.LINKS) else None
    assert read(kind, empty) == expected


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (Kind.TEXT, " two\n lines ", "two lines"),
        (Kind.TEXT, ["one"], "one"),
        (Kind.TEXT, 7, "7"),
        (Kind.TEXT, 7.0, "7"),
        (Kind.TEXT, 1.5, "1.5"),
        (Kind.TEXT, True, "true"),
        (Kind.TEXT, False, "false"),
        (Kind.ENUM, "Active", "Active"),
        (Kind.NUMBER, 0.9, 0.9),
        (Kind.NUMBER, "0.9", 0.9),
        (Kind.NUMBER, "9e-1", 0.9),
        (Kind.NUMBER, ["1"], 1.0),
        (Kind.COUNT, 3, 3),
        (Kind.COUNT, 3.0, 3),
        (Kind.COUNT, "3", 3),
        (Kind.CHECKBOX, True, True),
        (Kind.CHECKBOX, "False", False),
        (Kind.DATE, "2026-12-20", date(2026, 12, 20)),
        (Kind.DATE, "2026-12-20T10:00:00", date(2026, 12, 20)),
        (Kind.DATE, date(2026, 12, 20), date(2026, 12, 20)),
        (Kind.DATETIME, "2026-12-20", datetime(2026, 12, 20)),
        (Kind.DATETIME, "2026-12-20T10:12", datetime(2026, 12, 20, 10, 12)),
        (Kind.DATETIME, "2026-12-20 10:12:13.999", datetime(2026, 12, 20, 10, 12, 13)),
        (Kind.DATETIME, "2026-12-20T10:12:13Z", datetime(2026, 12, 20, 10, 12, 13)),
        (Kind.DATETIME, "2026-12-20T10:12:13+02:00", datetime(2026, 12, 20, 10, 12, 13)),
        (Kind.DATETIME, datetime(2026, 12, 20, 1, 2, 3, 4), datetime(2026, 12, 20, 1, 2, 3)),
        (Kind.LIST, "one", ("one",)),
        (Kind.LIST, ["one", 2, None, " ", True], ("one", "2", "true")),
        (Kind.TAGS, "#a, b c", ("a", "b", "c")),
        (Kind.TAGS, ["#memory/git", "x", None], ("memory/git", "x")),
        (Kind.LINK, "[[A|b]]", "[[A|b]]"),
        (Kind.LINK, [["A"]], "[[A]]"),
        (Kind.LINK, ["[[A]]"], "[[A]]"),
        (Kind.LINKS, ["[[A]]", [["B"]]], ("[[A]]", "[[B]]")),
        (Kind.LINKS, "[[A]]", ("[[A]]",)),
    ],
)
def test_spellings_of_one_value(kind: Kind, raw: object, value: object) -> None:
    found = read(kind, raw)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "raw", "says"),
    [
        (Kind.TEXT, ["a", "b"], "one value"),
        (Kind.TEXT, {"a": 1}, "one value"),
        (Kind.NUMBER, "high", "a number"),
        (Kind.NUMBER, True, "a number"),
        (Kind.NUMBER, "1_000", "a number"),
        (Kind.NUMBER, float("inf"), "finite"),
        (Kind.NUMBER, float("nan"), "finite"),
        (Kind.NUMBER, 10**400, "finite"),
        (Kind.COUNT, 1.5, "whole"),
        (Kind.COUNT, -1, "whole"),
        (Kind.CHECKBOX, "yes", "true or false"),
        (Kind.CHECKBOX, 1, "true or false"),
        (Kind.DATE, "20.12.2026", "must be a date"),
        (Kind.DATE, 2026, "must be a date"),
        (Kind.DATETIME, "2026-13-45", "must be a date"),
        (Kind.DATETIME, "0001-01-01", "must be a date"),
        (Kind.DATETIME, "9999-12-31", "must be a date"),
        (Kind.DATETIME, "2026-12-20T25:00:00", "must be a date"),
        (Kind.DATETIME, datetime(1, 1, 1), "must be a date"),
        (Kind.DATE, date(2999, 1, 1), "must be a date"),
        (Kind.DATETIME, "tomorrow", "must be a date"),
        (Kind.LIST, ["a", ["b"]], "list of texts"),
        (Kind.LIST, {"a": 1}, "list of texts"),
        (Kind.TAGS, [["a"]], "list of tags"),
        (Kind.TAGS, {"a": 1}, "list of tags"),
        (Kind.LINK, [["A", "B"]], "one value"),
        (Kind.LINKS, [["A"], ["B"]], "list of texts"),
    ],
)
def test_what_no_rule_allows_says_what_would_be(kind: Kind, raw: object, says: str) -> None:
    with pytest.raises(WrongValueError, match=says):
        read(kind, raw)


@given(st.sampled_from(list(Kind)), YAML_VALUES)
def test_any_value_is_read_or_refused(kind: Kind, raw: object) -> None:
    try:
        found = read(kind, raw)
    except WrongValueError:
        return
    assert read(kind, list(found) if isinstance(found, tuple) else found) == found


@pytest.mark.parametrize(
    ("raw", "zone"),
    [
        ("2026-12-20T10:12:13Z", True),
        ("2026-12-20T10:12+0200", True),
        ("2026-12-20T10:12:13", False),
        ("x Z", False),
        (5, False),
    ],
)
def test_a_zone_is_noticed(raw: object, zone: bool) -> None:
    assert has_zone(raw) is zone
