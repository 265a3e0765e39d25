"""What people, editors, plugins and broken disks do to a file, and what an enemy would put into it."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TOKENS: tuple[bytes, ...] = (
    *(b"\x00", b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\n\n", b"\t", b"\x1b[2J", b"\x7f", b"\x85"),
    *(b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8", b"\xc2\x85"),
    *("\u2029 \u202e \u200b \u2066 \ufeff \ufffe \u00ad \ue000 \U000e0041 \u0301 \u30fb".encode()).split(b" "),
    *("🧠 👩‍👩‍👧 שלום é e\u0301 ﬁ İ ß ς １２ ٣ 潮位".encode()).split(b" "),
    *(b"---\n", b"---", b"...\n", b"----\n", b" ---\n", b"--- # x\n", b"%YAML 1.1\n", b"!!python/object:os.system x"),
    *(b"&a ", b"*a", b"<<: *a\n", b"&a [*a]", b"!!binary aGk=", b"!!set {a}", b"? a\n: b\n", b"- - - a"),
    *(b"a: b: c", b"key:value", b": ", b" #", b"# ", b"'", b'"', b"`", b"@x", b"|\n  x\n", b">-\n  x\n"),
    *(b"[", b"]", b"{", b"}", b"[[", b"]]", b"[" * 120, b"{a: " * 120, b"[" * 5_000, b"[" * 960 + b"]" * 960, b"- " * 120, b"> " * 200),
    *(b"0000-00-00", b"0000-01-01T00:00:00", b"0001-01-01", b"9999-12-31T23:59:59", b"10000-01-01"),
    *(b"2026-02-30", b"2026-11-29T24:00:00", b"2026-11-29T21:05:00.123456789+99:99", b"12:30", b"1_000"),
    *(b"9" * 400, b"9" * 5_000, b"1e999", b"-1e999", b".inf", b".nan", b"NaN", b"Infinity", b"-0", b"0x1F", b"1e-400"),
    *(b"0x" + b"F" * 4_000, b"0o" + b"7" * 6_000, b"? 0x" + b"F" * 4_000 + b"\n: x\n", b"1" + b"0" * 308 + b".0"),
    *(b"null", b"~", b"true", b"Yes", b"[]", b"{}", b'""', b"9223372036854775808", b"-9223372036854775809"),
    *(b"\\ud800", b"\\udfff\\ud800", b'"\\ud83e"', b"\\u0000", b'"\\x00"', b"\\q", b"\\"),
    *(b"%%", b"<!--", b"-->", b"<b", b"</memory>", b"<% tp.x %>", b"{{date}}", b"$$", b"::", b"^x", b"![[a]]"),
    *(b"- [ ] ", b"- [x] op_001 \xc2\xb7 add", b"- [X]", b"- [/] ", b"> [!note] ", b"> ", b">", b"    ", b"~~~\n"),
    *(b"```\n", b"````\n", b"```yaml\n", b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> x\n", b"||||||| x\n"),
    *(b"id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\n", b"type: memory\n", b"type: [memory]\n", b"status: deleted\n"),
    *(b"layer: L1\n", b"pinned: true\n", b"decision: approve\n", b"decision: apply\n", b"tags:\n  - \n", b"Type: x\n"),
    *(b"../../etc/passwd", b"/dev/zero", b"C:\\x", b"~root", b"a/" * 200, b"x" * 300, b".hidden", b"CON"),
    *(b"a b c OR NOT", b"(a AND b)", b"*", b"?", b'"a" NEAR/2 b', b"title:x", b"a^2", b"[a TO b]", b"';--", b"%s %n {0}"),
)  # fmt: skip
"""Bytes that begin, end or escape something in one of the formats that we read."""

_END = 65_535


class Change(NamedTuple):
    """One change of a text: what, at which two places of all (0 to 65,535), with which bytes."""

    what: str
    one: int
    other: int
    token: bytes


def _at(data: bytes, place: int) -> int:
    return place * len(data) // _END


def _line_starts(data: bytes) -> list[int]:
    return [0, *(at + 1 for at, byte in enumerate(data) if byte == 10)]


def _line(data: bytes, place: int) -> tuple[int, int]:
    """A line with its end."""
    starts = _line_starts(data)
    number = place * (len(starts) - 1) // _END
    end = starts[number + 1] if number + 1 < len(starts) else len(data)
    return starts[number], end


def _span(data: bytes, one: int, other: int) -> tuple[int, int]:
    start = _at(data, one)
    return start, min(len(data), start + other % 64)


def _insert(data: bytes, change: Change) -> bytes:
    at = _at(data, change.one)
    return data[:at] + change.token + data[at:]


def _insert_line(data: bytes, change: Change) -> bytes:
    at, _ = _line(data, change.one)
    return data[:at] + change.token + (b"" if change.other % 3 == 0 else b"\n") + data[at:]


def _behind_colon(data: bytes, change: Change) -> bytes:
    """Another value for the property, or the field, of a line."""
    start, end = _line(data, change.one)
    at = data.find(b":", start, end)
    if at < 0:
        return _insert(data, change)
    last = end - 1 if data[end - 1 : end] == b"\n" else end
    return data[: at + 1] + (b" " if change.other % 4 else b"") + change.token + data[last:]


def _cut(data: bytes, change: Change) -> bytes:
    start, end = _span(data, change.one, change.other)
    return data[:start] + data[end:]


def _replace(data: bytes, change: Change) -> bytes:
    start, end = _span(data, change.one, change.other)
    return data[:start] + change.token + data[end:]


def _truncate(data: bytes, change: Change) -> bytes:
    return data[: _at(data, change.one)]


def _drop_line(data: bytes, change: Change) -> bytes:
    start, end = _line(data, change.one)
    return data[:start] + data[end:]


def _copy_line(data: bytes, change: Change) -> bytes:
    start, end = _line(data, change.one)
    at, _ = _line(data, change.other)
    return data[:at] + data[start:end] + data[at:]


def _swap_lines(data: bytes, change: Change) -> bytes:
    first, second = sorted((_line(data, change.one), _line(data, change.other)))
    if first == second:
        return data
    (a, b), (c, d) = first, second
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _indent(data: bytes, change: Change) -> bytes:
    at, _ = _line(data, change.one)
    return data[:at] + b" " * (change.other % 9) + data[at:]


def _flip(data: bytes, change: Change) -> bytes:
    at = _at(data, change.one)
    if at >= len(data):
        return data
    return data[:at] + bytes([data[at] ^ (1 << change.other % 8)]) + data[at + 1 :]


def _repeat(data: bytes, change: Change) -> bytes:
    at = _at(data, change.one)
    return data[:at] + change.token[:200] * (1 + change.other % 300) + data[at:]


def _whole(data: bytes, change: Change) -> bytes:
    """What an editor or a sync client does to a whole file."""
    match change.other % 8:
        case 0:
            return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        case 1:
            return data.replace(b"\n", b"\r")
        case 2:
            return b"\xef\xbb\xbf" + data
        case 3:
            return data.rstrip(b"\n")
        case 4:
            return unicodedata.normalize("NFD", data.decode("utf-8", "replace")).encode()
        case 5:
            return data.decode("utf-8", "replace").encode("utf-16")
        case 6:
            return data + data
    return data.swapcase()


CHANGES: dict[str, Callable[[bytes, Change], bytes]] = {
    "insert": _insert,
    "insert a line": _insert_line,
    "behind a colon": _behind_colon,
    "cut": _cut,
    "replace": _replace,
    "drop a line": _drop_line,
    "copy a line": _copy_line,
    "swap lines": _swap_lines,
    "indent": _indent,
    "flip": _flip,
    "truncate": _truncate,
    "repeat": _repeat,
    "whole": _whole,
}

_PLACES = st.integers(0, _END)
_KNOWN = st.integers(0, len(TOKENS) - 1).map(lambda number: TOKENS[number])  # its repr is short
_TOKENS = st.one_of(_KNOWN, _KNOWN, st.binary(max_size=8))
changes = st.lists(
    st.builds(Change, st.sampled_from(list(CHANGES)), _PLACES, _PLACES, _TOKENS),
    min_size=1,
    max_size=5,
)


def changed(data: bytes, done: Sequence[Change]) -> bytes:
    """The bytes after these changes."""
    for one in done:
        data = CHANGES[one.what](data, one)
    return data


@st.composite
def mutants(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """A real example with some changes; one in eight is the head of one and the tail of another."""
    data = draw(st.sampled_from(seeds))
    if draw(st.integers(0, 7)) == 0:
        other, at = draw(st.sampled_from(seeds)), draw(_PLACES)
        start, _ = _line(other, at)
        data = data[: _line(data, at)[0]] + other[start:]
    return changed(data, draw(changes))


texts = st.one_of(
    _KNOWN.map(lambda token: token.decode("utf-8", "surrogateescape")),
    st.lists(_KNOWN, max_size=6).map(lambda parts: b" ".join(parts).decode("utf-8", "replace")),
    st.text(max_size=12),
)
"""Texts as JSON may hold them, halves of characters included."""

values = st.recursive(
    st.one_of(
        texts,
        st.sampled_from([None, True, False, 0, -1, 1, 2**53, 2**63, -(2**63) - 1, 10**400]),
        st.sampled_from([0.5, -0.0, 1e308, 1e-320, float("inf"), float("-inf"), float("nan")]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
"""What a field of JSON may hold where another one is expected."""


class Graft(NamedTuple):
    """One change of a JSON value: at which of its places, what, with which value or key."""

    place: int
    what: str
    value: object
    key: str


grafts = st.lists(
    st.builds(
        Graft,
        _PLACES,
        st.sampled_from(
            ["replace", "replace", "replace", "drop", "wrap", "rename", "add", "twice"]
        ),
        values,
        texts,
    ),
    min_size=1,
    max_size=4,
)


def _places(value: object) -> list[tuple[object, object]]:
    """Every place inside a value: what holds it, and its key or number there."""
    found: list[tuple[object, object]] = []
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in pairs:
        found.append((value, key))
        found += _places(inner)
    return found


def grafted(value: object, done: Sequence[Graft]) -> object:
    """A copy of a JSON value after these changes; none of them has to fit."""
    whole = [json.loads(json.dumps(value))]
    for one in done:
        places = [(whole, 0), *_places(whole[0])]
        held, key = places[one.place * (len(places) - 1) // _END]
        inner = held[key]
        match one.what:
            case "replace":
                held[key] = one.value
            case "drop" if held is not whole:
                del held[key]
            case "wrap":
                held[key] = [inner] if one.place % 2 else {one.key: inner}
            case "rename" if isinstance(held, dict):
                held[one.key] = held.pop(key)
            case "add" if isinstance(inner, dict):
                inner[one.key] = one.value
            case "twice" if isinstance(inner, list):
                inner += json.loads(json.dumps(inner[:5]))
    return whole[0]


@st.composite
def json_mutants(draw: st.DrawFn, seeds: Sequence[object]) -> object:
    """A real JSON value with some changes inside."""
    return grafted(draw(st.sampled_from(seeds)), draw(grafts))
