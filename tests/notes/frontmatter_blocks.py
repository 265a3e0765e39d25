"""Notes to try: generated blocks, the shipped cases, and the notes of real vaults."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import set_properties, set_property

ROOT = Path(__file__).parents[2]
_SHARED = ROOT.parent / "shared"
CASES = (
    _SHARED / "frontmatter_cases"
    if (_SHARED / "frontmatter_cases").is_dir()
    else ROOT / "tests/fixtures/frontmatter_cases"
)
VAULTS = [folder for folder in (ROOT / "example-vault", _SHARED / "vaults") if folder.is_dir()]
NOTES = sorted(path for vault in VAULTS for path in vault.rglob("*.md"))


@dataclass(frozen=True)
class Case:
    id: str
    data: bytes
    key: str
    value: object
    expected: bytes | None


def cases() -> list[Case]:
    manifest = json.loads((CASES / "manifest.json").read_text("utf-8"))
    return [
        Case(
            entry["id"],
            (CASES / entry["file"]).read_bytes(),
            entry["op"]["set"],
            entry["op"]["value"],
            (CASES / entry["expect"]["file"]).read_bytes()
            if entry["expect"]["kind"] == "edit"
            else None,
        )
        for entry in manifest["cases"]
    ]


PLAIN = [
    *("open", "a b", "yes", "12:30", "1_000", "012", "7", "-5", "1e3", "0x1F", "~", "null", "true"),
    *(
        "TRUE",
        "2026-01-31",
        "2026-01-31T10:00:00",
        "https://a.b/c#d?e=f",
        "C:\\x",
        "50%",
        "é",
        "🧠",
    ),
    *("a, b", "x [y]", "<% tp.x %>", ".5", ".inf", "1.10.0", "a#b", "a:b", "(x)", "/p", ".obs"),
]
QUOTED = [
    '"q"',
    "'s'",
    "'it''s'",
    '"a\\tb"',
    '"[[A]]"',
    "'[[A|b]]'",
    '""',
    "''",
    '"# no"',
    "'a: b'",
]
FLOW = ["[]", "[a, b]", "[ a ]", '["[[A]]", 1]', "[[Note]]", "{}", "{a: 1}", "{{date}}", "[a, [b]]"]
COMMENTS = ["", "", "", " ", "  # note", " # it's"]


@st.composite
def one_line(draw: st.DrawFn) -> list[str]:
    value = draw(st.sampled_from([*PLAIN, *QUOTED, *FLOW]))
    return [f"{draw(st.sampled_from([' ', '  ']))}{value}{draw(st.sampled_from(COMMENTS))}"]


@st.composite
def block_list(draw: st.DrawFn) -> list[str]:
    indent = " " * draw(st.sampled_from([0, 1, 2, 4]))
    items = draw(st.lists(st.sampled_from([*PLAIN, *QUOTED, *FLOW, ""]), min_size=1, max_size=3))
    comments = [draw(st.sampled_from(COMMENTS)) for _ in range(len(items) + 1)]
    return [comments[0], *(f"{indent}- {i}{c}" for i, c in zip(items, comments[1:], strict=True))]


@st.composite
def block_text(draw: st.DrawFn) -> list[str]:
    head = draw(st.sampled_from(["|", ">", "|-", ">-", "|+"]))
    lines = draw(st.lists(st.sampled_from(["  x", "  # x", "  a: b", "   y", ""]), max_size=3))
    return [f" {head}", "  first", *lines]


NESTED = [
    ["", "  inner: 1", "  other:", "    - x"],
    ["", "  - a: 1", "    b: 2", "  - c"],
    [" long text", "  that goes on"],
    [' "long text', '  that goes on"'],
    [" [", "  a,  # one", "  b,", "]"],
    ["", "  below"],
]
VALUES = st.one_of(
    one_line(), one_line(), block_list(), block_text(), st.sampled_from(NESTED), st.just([""])
)
KEYS = ["a", "b", "status", "tags", "created", "my key", '"q:k"', "é", "x-y", "n_1", "Up", "2024"]
BETWEEN = ["", "# comment", "  # indented comment"]
BODIES = ["", "body\n", "\n# Title\n\ntext\n---\nmore\n", "no newline at the end", "\n\n"]


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    """A whole note, usually readable."""
    lines: list[str] = []
    for key in draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=5)):
        lines += draw(st.lists(st.sampled_from(BETWEEN), max_size=1))
        first, *rest = draw(VALUES)
        lines += [f"{key}:{first}", *rest]
    lines += draw(st.lists(st.sampled_from(BETWEEN), max_size=1))
    eol = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    fence = "---" + draw(st.sampled_from(["", "", " "]))
    text = "".join(f"{line}{eol}" for line in [fence, *lines, "---"])
    bom = draw(st.sampled_from(["", "", "\ufeff"]))
    return (bom + text + draw(st.sampled_from(BODIES))).encode()


@st.composite
def flat_notes(draw: st.DrawFn) -> bytes:
    """A note that is nearly always simple enough for the fast path."""
    lines: list[str] = []
    for key in draw(st.lists(st.sampled_from(["a", "B_1", "x-y", "b", "null", "A"]), max_size=4)):
        plain = st.sampled_from([*PLAIN, *QUOTED, "[]", "[a, 1]", "[ b c , d ]", "", "x ", "- x"])
        if draw(st.booleans()):
            lines.append(f"{key}:{' ' * draw(st.integers(0, 2))}{draw(plain)}")
            continue
        lines.append(f"{key}:")
        items = draw(st.lists(plain, min_size=1, max_size=3))
        lines += [f"{' ' * draw(st.sampled_from([2, 2, 2, 0, 3]))}- {item}" for item in items]
    eol = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return eol.join(["---", *lines, "---", "body", ""]).encode()


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from([*PLAIN, *QUOTED, "[[A|b]]", "a\nb", " x", "x ", "- a", "a: b", "# c", "yes"]),
)
NEW_VALUES = st.one_of(SCALARS, SCALARS, st.lists(SCALARS, max_size=3))
ALL_BLOCKS = [case.data for case in cases()]


def check_many(data: bytes, changes: dict[str, object]) -> None:
    """Setting many properties of a note at once gives what setting one after the other does."""
    try:
        together = set_properties(data, changes)
    except (EditRefusedError, NoteUnreadableError):
        return
    one_by_one = data
    for key, value in changes.items():
        one_by_one = set_property(one_by_one, key, value)
    assert together == one_by_one
