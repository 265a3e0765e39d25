"""A text is found in every spelling in which a note, a list or another program may keep it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.inert import escape_inline, ledger_json
from vaultmem.core.naming import base_name
from vaultmem.core.occurrence import lines_with, names, passages, wanted, without_lines, words_of

TEXT = "Use UTC (never CET) in every table."
SOUGHT = wanted([TEXT])


def _numbers(data, sought=SOUGHT):
    return [line.number for line in lines_with(sought, data)]


@pytest.mark.parametrize(
    "line",
    [
        TEXT,
        f"- 10:31 #decision {TEXT}",
        f"> {TEXT.upper()}",
        "**Use** `UTC` (never _CET_) in every table",
        "Use  UTC\t(never CET) in “every” table!",
        escape_inline(TEXT),
        json.dumps({"text": f"\n{TEXT}"}),
        ledger_json({"text": f"#{TEXT}"}),
        'statement: "Use UTC (never CET) in every table."',
        "[[Use UTC (never CET) in every table]]",
        "Ｕｓｅ ＵＴＣ (never CET) in every table.",  # full width
    ],
)
def test_a_text_is_found_however_it_is_spelled(line):
    assert _numbers(f"first\n{line}\nlast\n".encode()) == [2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_text_is_found_in_other_encodings(encoding):
    assert _numbers(f"first\n{TEXT}\n".encode(encoding)) == [2]


def test_letters_beyond_ascii_are_found_where_json_escapes_them():
    sought = wanted(["Größe nie schätzen"])
    assert _numbers(json.dumps({"a": "Größe nie schätzen"}).encode(), sought) == [1]


def test_scripts_without_blanks_are_found_inside_a_line():
    sought = wanted(["表では常に使う"])
    assert _numbers("私は表では常に使うと言った\n別の行\n".encode(), sought) == [1]


@pytest.mark.parametrize(
    "line",
    ["Use UTC in every table.", "Use UTC (never CET) in every tablecloth.", "use utc", "", "\\u12"],
)
def test_another_text_is_not_found(line):
    assert _numbers(line.encode()) == []


def test_a_text_over_several_lines_is_found_in_each_of_them():
    assert _numbers(b"a\nand: use UTC (never\nCET) in every table\nb\n") == [2, 3]


def test_a_short_text_is_found_only_as_a_line_of_its_own():
    sought = wanted(["Use uv."])
    assert _numbers(b"- [x] Use uv. #tools ^id1\nWe use uv here.\n## use uv\n", sought) == [1, 3]


EARLIER = wanted(["Use UTC now."], ["Use UTC (never CET)", TEXT])
"""The second one begins the third."""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (TEXT, True),
        (f"We said: {TEXT} And more.", True),
        ("- Use UTC (never CET)", True),
        ("- 10:31 #decision Use UTC (never CET) #tools ^id1", True),
        ("2026-11-29 10:31:07 Use UTC (never CET)", True),
        ("- 10:31 Use UTC (never CET) or not at all", False),
        ("Use UTC now, please.", True),
    ],
)
def test_an_earlier_text_with_which_another_begins_is_found_as_an_entry_only(line, found):
    assert bool(_numbers(line.encode(), EARLIER)) is found
    assert not names(wanted([], ["Use UTC (never", TEXT]), "Use UTC (never) again")


def test_an_earlier_text_that_is_sought_anyway_is_found_anywhere():
    assert wanted(["Use UTC"], ["Use UTC", TEXT]).apart == frozenset()
    assert wanted([], ["", "Use UTC", "Use UTC"]).apart == frozenset()


def test_passages_are_lines_entries_and_paragraphs_without_their_marks():
    note = "# Head\n\n> - [x] 10:31 #a One\n> two #b ^id\n\nthree\r\n \nfour\nfive"
    assert list(passages(note.encode())) == [
        *("Head", "10:31 #a One", "One", "two", "10:31 #a One two"),
        *("three", "four", "five", "four five"),
    ]


def test_a_line_that_holds_nothing_else_is_told_apart():
    found = lines_with(SOUGHT, f"1. {TEXT}\n- 10:31 {TEXT}\n> - [ ] {TEXT} #a ^b\n".encode())
    assert [(line.number, line.only) for line in found] == [(1, True), (2, False), (3, True)]


def test_nothing_is_sought_without_a_word():
    assert wanted(["", "…", "!!"]).phrases == ()
    assert lines_with(wanted([]), b"anything\n") == ()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (base_name(TEXT), True),
        ("Use UTC (never CET) in every table (a1b2)", True),
        ("Use UTC (never CET)", True),  # cut where the name became too long
        ("Patch - add - Use UTC (never CET) in ev", True),
        ("Use UTC", False),
        ("Notes on every table", False),
        ("", False),
    ],
)
def test_a_file_name_that_holds_the_text_or_its_beginning_is_found(name, found):
    assert names(SOUGHT, name) is found


def test_a_short_text_names_only_a_file_of_just_that_name():
    sought = wanted(["Use uv."])
    assert names(sought, "Use uv")
    assert not names(sought, "Use uv for scripts")


@given(st.lists(st.sampled_from([TEXT, "else", "", "more\r"]), max_size=8))
def test_cutting_leaves_every_other_byte(lines):
    data = "\n".join(lines).encode()
    after = without_lines(data, _numbers(data))
    assert lines_with(SOUGHT, after) == ()
    kept = [line for line in data.split(b"\n") if line != TEXT.encode()]
    assert after.rstrip(b"\n") == b"\n".join(kept).rstrip(b"\n")


@given(st.text(), st.text(), st.text())
def test_a_text_is_found_between_any_two_others(before, text, after):
    sought = wanted([text])
    line = f"{before} {text} {after}".replace("\n", " ").encode(errors="replace")
    if "\\" not in before + text + after and text.isprintable() and len(words_of(text)) >= 3:
        assert lines_with(sought, line)
