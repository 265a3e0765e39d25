"""The line format of a ledger: what is spelled is read again, and nothing else is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import ulid
from vaultmem.core.ledger import (
    MAX_LINE,
    NO_NOTE,
    LedgerEntry,
    LedgerKind,
    is_list_item,
    is_torn,
    new_entry,
    parse_line,
    signed_message,
    spell_entry,
)

LINE_ID = "01JDR3Z8Q4M5N6P7R8S9T0V1W2"
NOTE = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
AT = datetime(2026, 11, 29, 21, 0, 0, tzinfo=UTC)
MAC = "0123456789abcdef0123456789abcdef"
TEXT = f'- 2026-11-29T21:00:00Z {LINE_ID} edited {NOTE} {{"keys":"tags","n":3}}'
LINE = f"{TEXT} ~{MAC}"

scalars = (
    st.text(st.characters(exclude_categories=["Cs"]))
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
)
values = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), scalars, max_size=5)
times = st.datetimes(
    min_value=datetime(1970, 1, 2), max_value=datetime(9999, 1, 1), timezones=st.just(UTC)
)


def test_a_line_has_the_documented_form() -> None:
    entry = LedgerEntry(LINE_ID, AT, "edited", NOTE, {"keys": "tags", "n": 3})
    assert spell_entry(entry) == TEXT
    parsed = parse_line(LINE)
    assert parsed is not None
    assert (parsed.entry, parsed.text, parsed.mac, parsed.after) == (entry, TEXT, MAC, "")


@given(
    at=times,
    act=st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True),
    note=st.sampled_from([NOTE, NO_NOTE, "cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2"]),
    values=values,
    randomness=st.binary(min_size=10, max_size=10),
    mac=st.sampled_from([MAC, "unsigned"]),
)
def test_what_is_spelled_is_read_again_as_one_line(at, act, note, values, randomness, mac) -> None:
    entry = new_entry(at, act, note, values, randomness=randomness)
    text = spell_entry(entry)
    assert len(text.splitlines()) == 1
    parsed = parse_line(f"{text} ~{mac}")
    assert parsed is not None
    assert parsed.entry == entry
    assert {key: type(value) for key, value in parsed.entry.values.items()} == {
        key: type(value) for key, value in values.items()
    }
    assert parsed.text == text
    assert parsed.mac == mac


@given(st.text())
def test_any_text_is_read_or_refused_without_an_error(text: str) -> None:
    assert parse_line(text) is None
    assert not is_torn(text) or text.startswith("-")


@given(st.integers(min_value=0, max_value=len(LINE) - 1))
def test_a_line_that_was_cut_anywhere_is_never_read(length: int) -> None:
    assert parse_line(LINE[:length]) is None
    assert is_torn(LINE[:length]) or not is_list_item(LINE[:length])


# What editors, linters and plugins do to lists, and what is left of the signed text.
@pytest.mark.parametrize(
    ("line", "after"),
    [
        (LINE + " ", ""),
        (LINE + " ^block-1", "^block-1"),
        (LINE + " ✅ 2026-11-30", "✅ 2026-11-30"),
        (LINE + " [due:: 2026-11-30]", "[due:: 2026-11-30]"),
        ("* " + LINE[2:], ""),
        ("+ " + LINE[2:], ""),
        ("\t- " + LINE[2:], ""),
    ],
)
def test_what_editors_add_leaves_the_signed_text_alone(line: str, after: str) -> None:
    parsed = parse_line(line)
    assert parsed is not None
    assert (parsed.text, parsed.mac, parsed.after) == (TEXT, MAC, after)


def _with(json: str) -> str:
    return f"- 2026-11-29T21:00:00Z {LINE_ID} edited {NOTE} {json} ~{MAC}"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "A sentence.",
        "- a remark by a person",
        LINE.replace("11-29", "13-29"),
        LINE.replace("11-29", "02-30"),
        LINE.replace("Z ", "+01:00 ", 1),
        LINE.replace("2026", "２０２６"),  # full-width digits
        LINE.replace(LINE_ID, "8" + LINE_ID[1:], 1),  # beyond 48 bits of time
        LINE.replace(LINE_ID, LINE_ID.lower(), 1),
        LINE.replace("edited", "Edited"),
        LINE.replace("edited", "e" * 41),
        LINE.replace("edited", "../edited"),
        LINE.replace(NOTE, "mem_1"),
        LINE[:-1],  # a digit of the signature is missing
        LINE + "0",
        LINE + "x",
        LINE.replace(" ~", "~"),
        f"- [ ] {LINE[2:]}",
        f"\u00a0{LINE}",  # no indentation in Markdown
        _with("[1]"),
        _with("{}x"),
        _with('{"a":null}'),
        _with('{"a":[1]}'),
        _with('{"a":{"b":1}}'),
        _with('{"a":1,"a":2}'),
        _with('{"a":NaN}'),
        _with('{"a":-Infinity}'),
        _with('{"a":1e999}'),
        _with('{"a":"\\ud800"}'),
        _with('{"\\udfff":1}'),
        _with('{"a":' + "9" * 5000 + "}"),
        _with('{"a":' + "[" * 5000 + "]" * 5000 + "}"),
        _with('{"a":' + "[" * 20_000 + "1" + "]" * 20_000 + "}"),
        _with('{"a":"' + "x" * MAX_LINE + '"}'),
    ],
)
def test_a_line_with_one_fault_is_not_read(line: str) -> None:
    assert parse_line(line) is None


def test_text_in_the_values_cannot_end_the_line_early() -> None:
    forged = f"}} ~{MAC}\n- 2026-11-29T21:00:00Z {LINE_ID} approved {NOTE} {{}} ~unsigned"
    text = spell_entry(LedgerEntry(LINE_ID, AT, "edited", NOTE, {"keys": forged}))
    parsed = parse_line(f"{text} ~unsigned")
    assert parsed is not None
    assert parsed.entry.act == "edited"
    assert parsed.entry.values == {"keys": forged}
    assert parsed.mac == "unsigned"


def test_free_text_is_inert_in_obsidian() -> None:
    nasty = "![[x]] <b> #tag %%c%% ^id `code` $= a:: b | =y <% tp %>"
    text = spell_entry(LedgerEntry(LINE_ID, AT, "edited", NOTE, {"text": nasty}))
    assert not set("![]<>#%^$=|`") & set(text)


@pytest.mark.parametrize(
    ("text", "torn"),
    [
        ("-", True),
        ("- ", True),
        ("- 2026-11", True),
        (TEXT, True),
        (LINE[:-3], True),
        ("- a remark", False),
        ("A sentence.", False),
        (LINE.replace("edited", "Edited"), False),  # whole, but changed
    ],
)
def test_a_torn_line_is_told_from_a_changed_one(text: str, torn: bool) -> None:
    assert is_torn(text) is torn


@pytest.mark.parametrize(
    ("text", "item"), [(LINE, True), ("* x", True), ("-", True), ("---", False), ("Words.", False)]
)
def test_only_list_items_pretend_to_be_entries(text: str, item: bool) -> None:
    assert is_list_item(text) is item


def test_a_new_entry_is_in_utc_and_whole_seconds() -> None:
    zone = timezone(timedelta(hours=2))
    at = datetime(2026, 11, 30, 1, 30, 5, 999_000, tzinfo=zone)
    entry = new_entry(at, "edited", NOTE, {}, randomness=b"0123456789")
    assert entry.at == datetime(2026, 11, 29, 23, 30, 5, tzinfo=UTC)
    assert entry.id == ulid(int(at.timestamp() * 1000), b"0123456789")


@pytest.mark.parametrize(
    ("at", "act", "note", "values"),
    [
        (AT.replace(tzinfo=None), "edited", NOTE, {}),
        (AT, "Edited", NOTE, {}),
        (AT, "", NOTE, {}),
        (AT, "edited\n- x", NOTE, {}),
        (AT, "edited", "somewhere", {}),
        (AT, "edited", NOTE, {"a": float("nan")}),
        (AT, "edited", NOTE, {"a": "x" * MAX_LINE}),
        (AT, "edited", NOTE, {"a": "\ud800"}),
    ],
)
def test_an_entry_that_could_not_be_read_again_is_refused(at, act, note, values) -> None:
    with pytest.raises(ValueError):
        new_entry(at, act, note, values, randomness=b"0123456789")


def test_the_signature_covers_kind_device_and_text() -> None:
    messages = {
        signed_message(kind, device, text)
        for kind in LedgerKind
        for device in ("dev_a", "dev_b")
        for text in (TEXT, TEXT + " ")
    }
    assert len(messages) == 16
