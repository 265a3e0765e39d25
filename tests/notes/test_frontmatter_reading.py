"""What a note's properties mean, and what is said where they mean nothing."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from vaultmem.core.finding import CODES
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.frontmatter import Block, get_properties, parse_yaml, read, read_or_plain


def value_of(text: str) -> object:
    return get_properties(f"---\nx: {text}\n---\n".encode())["x"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None), ("nULL", "nULL"),
        ("true", True), ("True", True), ("TRUE", True), ("tRUE", "tRUE"), ("false", False),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"),
        ("12", 12), ("-12", -12), ("+1", 1), ("012", 12), ("01234", 1234), ("-0", 0),
        ("0o17", 15), ("0o18", "0o18"), ("0x1F", 31), ("0xG", "0xG"), ("0b11", "0b11"),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1_000", "1_000"), ("12:30", "12:30"), ("12:30:45", "12:30:45"), ("1.10.0", "1.10.0"),
        ("1.5", 1.5), ("1.50", 1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("1.5E-3", 0.0015),
        ("e3", "e3"), (".", "."), ("+", "+"), (".inf", math.inf), ("-.INF", -math.inf),
        ("2024-01-01", "2024-01-01"), ("2024-13-45", "2024-13-45"),
        ("2024-01-01T10:30:00+02:00", "2024-01-01T10:30:00+02:00"),
        ("=", "="), ("<<", "<<"), ("50%", "50%"), ("C:\\temp", "C:\\temp"), ("a#b", "a#b"),
        ('"yes"', "yes"), ("'12'", "12"), ("'it''s'", "it's"), ('"a\\tb"', "a\tb"), ('""', ""),
        ('"\\ud83d\\ude00"', "😀"), ('"\\ud83d"', "\ufffd"), ('"\\/"', "/"), ('"a: b # c"', "a: b # c"),
        ("[]", []), ("[a, 1, true]", ["a", 1, True]), ("[[Note]]", [["Note"]]), ("{}", {}),
        ("{a: 1}", {"a": 1}), ("{{date}}", {"{ date }": None}), ("[{a: b}, c]", [{"a": "b"}, "c"]),
        ("{{a: b}: c}", {"{ a: b }": "c"}), ("{[a, b]: c}", {"[ a, b ]": "c"}), ("{[]: c}", {"[]": "c"}),
        ("{{}: c}", {"{}": "c"}), ("{{[a]: b}: c}", {"{ ? [ a ]: b }": "c"}),
        ("a # comment", "a"), ("# comment", None), ("\ta\t", "a"), ("a\tb", "a\tb"), ("a\t# c", "a"),
        ("|\n  a\n  b\n", "a\nb\n"), (">-\n  a\n  b\n", "a b"), ("a\n  b", "a b"),
        ("a\u2028b", "a\u2028b"), ("a\x85b", "a\x85b"), ("'a\u2029b'", "a\u2029b"), ("\ue000\u2028", "\ue000\u2028"),
        ("!!str 1", "1"), ('!!int "3"', 3), ("!!float 1.5", 1.5), ("!!bool yes", "yes"), ("!!null ~", None),
        ("!!int true", "true"), ("!custom 1", "1"), ("! 12", "12"), ("!custom {a: 1}", {"a": 1}),
    ],
)  # fmt: skip
def test_a_value_means_what_it_means_in_obsidian(text: str, value: object) -> None:
    got = value_of(text)
    assert got == value
    assert type(got) is type(value)


def test_nan_is_a_number() -> None:
    got = value_of(".nan")
    assert isinstance(got, float)
    assert math.isnan(got)


def test_a_number_too_long_to_be_one_is_infinite_as_in_javascript() -> None:
    assert value_of("9" * 5000) == math.inf


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("my key", "my key"), ('"q:k"', "q:k"), ("'s'", "s"), ("a/b.c", "a/b.c"), ("2024", "2024"),
        ("012", "12"), ("1.0", "1"), ("1.5", "1.5"), ("true", "true"), ("FALSE", "false"), ("~", ""), ('""', ""),
        (".inf", "inf"), ("-x", "-x"), ("é", "é"), ("? long\n", "long"), ("? [a, b]\n", "[ a, b ]"), ("&k x", "x"),
        ("{{x}}", "{ ? { x } }"),
    ],
)  # fmt: skip
def test_a_name_is_what_obsidian_shows(text: str, key: str) -> None:
    assert get_properties(f"---\n{text}: v\n---\n".encode()) == {key: "v"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x one\nb: *x", {"a": "one", "b": "one"}),
        ("a: &x 1\nb: [*x, *x]", {"a": 1, "b": [1, 1]}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": "*x"}),
        ("a: &x {k: *x}\nb: 1", {"a": {"k": "*x"}, "b": 1}),
        ("a: &x one\nb: &x two\nc: *x", {"a": "one", "b": "two", "c": "two"}),
        ("a: &x k\n*x : v", {"a": "k", "k": "v"}),
        ("a: &x [1]\n? {b: *x}\n: v", {"a": [1], "{ b: *x }": "v"}),
        ("a: 1\n<<: {b: 2}", {"a": 1, "<<": {"b": 2}}),
    ],
)
def test_aliases_of_scalars_are_followed_and_others_are_text(
    text: str, expected: dict[str, object]
) -> None:
    assert get_properties(f"---\n{text}\n---\n".encode()) == expected


def test_an_alias_bomb_stays_small() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    got = parse_yaml("\n".join(lines))
    assert isinstance(got, dict)
    assert got["a29"] == ["*a28"] * 9


@pytest.mark.parametrize(
    ("data", "block"),
    [
        (b"", Block({}, "", 1, 0, "\n")),
        (b"\xef\xbb\xbfbody\r\n", Block({}, "body\r\n", 1, 3, "\r\n")),
        (b"\nbody", Block({}, "\nbody", 1, 0, "\n")),
        (b"---\n---\n", Block({}, "", 3, 8, "\n")),
        (b"---\na: 1\n---", Block({"a": 1}, "", 3, 12, "\n")),
        (b"---  \r\na: 1\r\n--- \t\r\nx\r\n", Block({"a": 1}, "x\r\n", 4, 20, "\r\n")),
        (b"\xef\xbb\xbf---\na: 1\n---\nb\n", Block({"a": 1}, "b\n", 4, 16, "\n")),
        (b"---\n\n---\n\nb", Block({}, "\nb", 4, 9, "\n")),
        (b"---\n# c\n---\nb", Block({}, "b", 4, 12, "\n")),
        (b"---\n{}\n---\nb", Block({}, "b", 4, 11, "\n")),
        (b"---\na: |\n  ---\n  x\n---\nb", Block({"a": "---\nx\n"}, "b", 6, 23, "\n")),
        (b"---\na: 1\n...\n---\nb", Block({"a": 1}, "b", 5, 17, "\n")),
        # a rule, not a block
        (b"---\n\nJust text.\n", Block({}, "---\n\nJust text.\n", 1, 0, "\n")),
        (b"---\n- item\n", Block({}, "---\n- item\n", 1, 0, "\n")),
        (b"----\n\ntext\n", Block({}, "----\n\ntext\n", 1, 0, "\n")),
        (b"+++\na = 1\n+++\n", Block({}, "+++\na = 1\n+++\n", 1, 0, "\n")),
        (b"{\n}\n", Block({}, "{\n}\n", 1, 0, "\n")),
        # conflict markers in the body, and things in the block that only look like them
        (b"---\na: ======= x\n---\n", Block({"a": "======= x"}, "", 4, 21, "\n")),
        (b"---\na: <<<<<<< x\n---\n<<<<<<< HEAD\n", Block({"a": "<<<<<<< x"}, "<<<<<<< HEAD\n", 4, 21, "\n")),
    ],
)  # fmt: skip
def test_a_note_is_taken_apart(data: bytes, block: Block) -> None:
    assert read(data) == block
    assert data[block.body_start :].decode() == block.body
    assert read_or_plain(data) == block


def test_a_note_whose_block_cannot_be_read_is_plain_text() -> None:
    data = b"---\na: [1\n---\nbody \xff\n"
    with pytest.raises(NoteUnreadableError):
        read(data)

    assert read_or_plain(data) == Block({}, "---\na: [1\n---\nbody \ufffd\n", 1, 0, "\n")


def body(text: str) -> bytes:
    return f"---\n{text}\n---\nbody\n".encode()


BROKEN = [
    ("latin1", b"---\na: caf\xe9\n---\n", "VM101", 2),
    ("latin1 in the body", b"---\na: 1\n---\n\nca\xe9\n", "VM101", 5),
    ("latin1, no block", b"x\nca\xe9\n", "VM101", 2),
    ("UTF-16", "---\na: 1\n---\n".encode("utf-16"), "VM101", 1),
    ("UTF-16 without mark", "x\ny".encode("utf-16-le"), "VM101", 1),
    ("unclosed", b"---\na: 1\n\nbody\n", "VM102", 1),
    ("unclosed after comment", b"---\n\n# c\n\"a b\": 1\nbody\n", "VM102", 1),
    ("closed by dots", b"---\na: 1\n...\nbody\n", "VM102", 1),
    ("closed with blanks", b"---\na: 1\n ---\nbody\n", "VM102", 1),
    ("closed with four", b"---\r\na: 1\r\n----\r\nbody\r\n", "VM102", 1),
    ("unclosed, empty value", b"---\na:", "VM102", 1),
    ("tab indent", body("a:\n\t- b"), "VM103", 3),
    ("colon in plain", body("a: b: c"), "VM103", 2),
    ("at sign", body("a: 1\nb: @me"), "VM103", 3),
    ("backtick", body("a: `x`"), "VM103", 2),
    ("two links", body("a: [[A]] [[B]]"), "VM103", 2),
    ("emphasis", body("a: *x*"), "VM103", 2),
    ("undefined alias", body("a: 1\nb: *no"), "VM103", 3),
    ("alias before anchor", body("a: *x\nb: &x 1"), "VM103", 2),
    ("bad escape", body('a: "C:\\Users"'), "VM103", 2),
    ("no character", body('a: "\\U00110000"'), "VM103", None),
    ("huge character", body('a: "\\UFFFFFFFF"'), "VM103", None),
    ("open quote", body('b: 1\na: "x\nc: 1'), "VM103", 3),
    ("open bracket", body("b: 1\na: [x\n  c"), "VM103", 3),
    ("bell", body("a: 1\nb: x\x07y"), "VM103", 3),
    ("NUL", body("a: x\0y"), "VM103", 2),
    ("lone CR", body("a: 1\rb: 2"), "VM103", 2),
    ("key without blank", body("a: 1\nb:2"), "VM103", None),
    ("directive", b"---\n%YAML 1.1\n---\na: 1\n---\n", "VM103", None),
    ("undefined tag handle", body("a: !h!x y"), "VM103", 2),
    ("comment glued to quotes", body('a: "q"#c'), "VM103", 2),
    ("comment glued to brackets", body("a: [q]#c"), "VM103", 2),
    ("quoted text too far left", body('a: "x\ny"'), "VM103", 2),
    ("quoted text too far left in a map", body('a:\n  b: "x\n  y"'), "VM103", 3),
    ("lone dash", body("a: [-, b]"), "VM103", 2),
    ("question mark in brackets", body("a: [?x]"), "VM103", 2),
    ("colon before comma", body("a: [b:, c]"), "VM103", 2),
    ("tabs everywhere", body('a:\t"x\ty"'), "VM103", 2),
    ("duplicate key", body("a: 1\nb: 2\na: 3"), "VM104", 4),
    ("duplicate by spelling", body('a: 1\n"a": 2'), "VM104", 3),
    ("duplicate inside", body("x:\n  a: 1\n  a: 2"), "VM104", 4),
    ("case clash", body("Status: 1\nx: 2\nstatus: 3"), "VM105", 4),
    ("NFC clash", body("\u00e9: 1\ne\u0301: 2"), "VM105", 3),
    ("too large", body("a: " + "x" * 262144), "VM106", 1),
    ("too deep in brackets", body("b: 1\na: " + "[" * 101 + "]" * 101), "VM106", 3),
    ("too deep in lists", body("a: " + "\n" + "- " * 101 + "x"), "VM106", 3),
    ("a list", body("- a\n- b"), "VM107", 2),
    ("text", body("just text"), "VM107", 2),
    ("rule, prose, rule", b"---\n\nprose\n\n---\n", "VM107", 3),
    ("quoted nothing", body('""'), "VM107", 2),
    ("second document", body("a: 1\n--- b"), "VM107", 3),
    ("after dots", body("a: 1\n...\nb: 2"), "VM107", 4),
    ("blank line first", b"\n---\na: 1\n---\n", "VM107", 2),
    ("blank before fence", b" ---\na: 1\n---\n", "VM107", 1),
    ("four dashes", b"----\na: 1\n----\n", "VM107", 1),
    ("classic Mac", b"---\ra: 1\r---\r", "VM107", 1),
    ("conflict", body("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other"), "VM108", 3),
    ("conflict, rest", body("a: 1\n>>>>>>> other"), "VM108", 3),
    ("conflict, ancestor", body("a: 1\n||||||| base\nb: 2"), "VM108", 3),
    ("conflict before the block", b"<<<<<<< HEAD\n---\na: 1\n---\n=======\n", "VM108", 1),
    ("conflict, nothing else", b"\xef\xbb\xbf<<<<<<< HEAD", "VM108", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "code", "line"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN]
)
def test_a_broken_note_says_what_where_and_what_to_do(
    data: bytes, code: str, line: int | None
) -> None:
    with pytest.raises(NoteUnreadableError) as caught:
        read(data)
    error = caught.value
    assert (error.code, error.code in CODES) == (code, True)
    if line is not None:
        assert error.line == line
    assert error.problem.endswith(".")
    assert "\n" not in str(error)
    moved = error.at("Memory/x.md")
    assert (moved.code, moved.line, moved.path) == (error.code, error.line, "Memory/x.md")
    assert str(moved).startswith("Memory/x.md")


@pytest.mark.parametrize(
    ("text", "value"),
    [("", None), ("# c\n", None), ("a: 1\n", {"a": 1}), ("- 1\n- x\n", [1, "x"]), ("7", 7), ("[a]", ["a"]),
     ("--- \na: 1\n", {"a": 1}), ("a:\n  b: [1]\n", {"a": {"b": [1]}})],
)  # fmt: skip
def test_yaml_outside_frontmatter_may_be_any_value(text: str, value: object) -> None:
    assert parse_yaml(text) == value


def test_yaml_outside_frontmatter_has_the_same_limits_and_its_own_lines() -> None:
    with pytest.raises(NoteUnreadableError) as caught:
        parse_yaml("a: 1\nb: @x\n")
    assert (caught.value.code, caught.value.line) == ("VM103", 2)
    with pytest.raises(NoteUnreadableError) as caught:
        parse_yaml("#" * 300_000)
    assert caught.value.code == "VM106"


def test_a_hostile_block_of_the_largest_size_ends_in_an_answer() -> None:
    for unit in ("[", "- ", "{a: ", "&a ", "a: *b\n", "? ", "'", '"\\', "!!x ", "---\r", ": "):
        data = body(unit * (200_000 // len(unit)))
        with pytest.raises(NoteUnreadableError):
            read(data)
    for blank in ("#", "\t", "\n"):
        assert read(body(blank * 200_000)).properties == {}


def test_the_package_offers_what_it_says_and_nothing_else() -> None:
    assert all(getattr(frontmatter, name) for name in frontmatter.__all__)
    with pytest.raises(AttributeError, match="no attribute 'dump'"):
        frontmatter.dump  # noqa: B018


def test_reading_our_own_notes_imports_no_yaml_library() -> None:
    code = (
        "import sys; from vaultmem.notes import frontmatter as f;"
        "assert f.get_properties(b'---\\na: 1\\ntags:\\n  - x\\n---\\n') == {'a': 1, 'tags': ['x']};"
        "print([m for m in ('ruamel.yaml', 'yaml', 'frontmatter', 'json', 'dataclasses') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
