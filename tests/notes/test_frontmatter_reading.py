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
from vaultmem.notes.frontmatter.fence import Parts, split
from vaultmem.notes.frontmatter.scalars import same


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
        ("{{}: c}", {"{}": "c"}), ("{{a: 1, b: 2}: c}", {"{ a: 1, b: 2 }": "c"}), ("{{a, b}: c}", {"{ a, b }": "c"}), ("{{[a]: b}: c}", {"{ ? [ a ]: b }": "c"}),
        ("a # comment", "a"), ("# comment", None), ("\ta\t", "a"), ("a\tb", "a\tb"), ("a\t# c", "a"),
        ("|\n  a\n  b\n", "a\nb\n"), (">-\n  a\n  b\n", "a b"), ("a\n  b", "a b"),
        ("a\u2028b", "a\u2028b"), ("a\x85b", "a\x85b"), ("'a\u2029b'", "a\u2029b"), ("\ue000\u2028", "\ue000\u2028"),
        ("!!str 1", "1"), ('!!int "3"', 3), ("!!float 1.5", 1.5), ("!!bool yes", "yes"), ("!!null ~", None),
        ("!!float 1", "1"), ("!!int 1.0", "1.0"), ("!!bool true", True), ('!!null ""', None),
        ('"x\n\n  y"', "x\ny"), ('"x\ty"', "x\ty"), ("'x\ty'", "x\ty"), ("\t[x\ty]", ["x\ty"]), ("[\tb\t,\tc ]", ["b", "c"]), ("\t!t x", "x"),
        ('"\\udfff"', "\ufffd"), ('"\\ud800"', "\ufffd"), ('"é\\ud83d\\ude00"', "é😀"), ("\ue000\x85\u2029\ue001", "\ue000\x85\u2029\ue001"),
        ("|\n  x\n   \n", "x\n \n"), ("|2\n   x\n", " x\n"), ("[b, &x c, *x]", ["b", "c", "c"]),
        ("9" * 4300, int("9" * 4300)), ("9" * 4301, math.inf), ("0" * 4301, 0.0),
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
    assert value_of("0x" + "F" * 4000) == math.inf
    assert value_of("0o" + "7" * 6000) == math.inf
    assert value_of("0x" + "F" * 3500) == int("F" * 3500, 16)
    assert value_of("0x" + "F" * 3501) == math.inf


def test_a_key_too_long_to_be_spelled_is_infinite_as_well() -> None:
    text = f"---\n? 0x{'F' * 4000}\n: x\n---\n"
    assert get_properties(text.encode()) == {"inf": "x"}


def test_no_text_uses_up_the_characters_that_stand_for_breaks() -> None:
    private = "".join(map(chr, range(0xE000, 0xF900)))
    text = f"---\na: >-\n  {private}\u2028x\n---\n"
    assert get_properties(text.encode()) == {"a": f"{private}\u2028x"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("my key", "my key"), ('"q:k"', "q:k"), ("'s'", "s"), ("a/b.c", "a/b.c"), ("2024", "2024"),
        ("012", "12"), ("1.0", "1"), ("1.5", "1.5"), ("true", "true"), ("FALSE", "false"), ("~", ""), ('""', ""),
        (".inf", "inf"), ("-x", "-x"), ("é", "é"), ("? long\n", "long"), ("? [a, b]\n", "[ a, b ]"), ("&k x", "x"),
        ("{{x}}", "{ ? { x } }"), ("? 2.0\n", "2"), ("? -0.0\n", "0"), ("? {a: }\n", "{ a }"), ('? {"": b}\n', "{ : b }"),
        ("? {a: ''}\n", "{ a:  }"), ("? &x {a: b}\n", "{ a: b }"), ("? [[a], {b: c}]\n", "[ [ a ], { b: c } ]"),
        ("? {? [a] : b}\n", "{ ? [ a ]: b }"), ("? {a: [b, c]}\n", "{ a: [ b, c ] }"), ("? {a: {b: c}}\n", "{ a: { b: c } }"),
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
        (b"---\n!!null\n---\nb", Block({}, "b", 4, 15, "\n")),
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
    ("comment glued to brackets in brackets", body("b: 1\na: [[q]#c\n  ]"), "VM103", 3),
    ("quoted text too far left", body('a: "x\ny"'), "VM103", 2),
    ("quoted text too far left in a map", body('a:\n  b: "x\n  y"'), "VM103", 3),
    ("lone dash", body("a: [-, b]"), "VM103", 2),
    ("question mark in brackets", body("a: [?x]"), "VM103", 2),
    ("colon before comma", body("a: [b:, c]"), "VM103", 2),
    ("tabs everywhere", body('a:\t"x\ty"'), "VM103", 2),
    ("tabs and a tag", body("a:\t!t x\ty"), "VM103", 2),
    ("tabs and an anchor", body("b: 1\na:\t&x p\tq"), "VM103", 3),
    ("tabs and two lines", body("a:\tx\ty\n  z"), "VM103", 2),
    ("tabs and a block", body("a:\t|\n  x\ty"), "VM103", 2),
    ("quoted text indented by a tab", body('a: "x\n\ty"'), "VM103", 2),
    ("blank line first in the block", body("\nb: @x"), "VM103", 3),
    ("two ends", body("a: 1\n...\n..."), "VM107", 4),
    ("dots first", body("...\na: 1"), "VM103", 2),
    ("duplicate key", body("a: 1\nb: 2\na: 3"), "VM104", 4),
    ("duplicate by spelling", body('a: 1\n"a": 2'), "VM104", 3),
    ("duplicate inside", body("x:\n  a: 1\n  a: 2"), "VM104", 4),
    ("case clash", body("Status: 1\nx: 2\nstatus: 3"), "VM105", 4),
    ("case clash below a blank line", body("\nStatus: 1\nstatus: 3"), "VM105", 4),
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


UTF8 = "Save it as UTF-8 in your editor."
CLOSE = "Write exactly `---` there, without blanks before it."
YAML = "The properties are not valid YAML: "
CORRECT = "Correct the line; Obsidian's source mode shows it."
OPEN = (
    "The properties do not begin with `---` alone in the first line.",
    "Make `---` the first line, with nothing before it and Unix or Windows line ends.",
)
NO_LIST = (
    "The properties are not a list of `name: value` lines.",
    "Write each property as `name: value`, with a blank after the colon.",
)
WORDS = {
    "latin1": ("The note is not valid UTF-8.", UTF8),
    "UTF-16 without mark": ("The note holds NUL bytes, so it is not UTF-8 text.", UTF8),
    "unclosed": ("The properties block is not closed.", "Add a line `---` after the properties."),
    "closed by dots": (
        "The properties block is not closed; `...` in line 3 does not close it.",
        CLOSE,
    ),
    "closed with blanks": (
        "The properties block is not closed; `---` in line 3 does not close it.",
        CLOSE,
    ),
    "closed with four": (
        "The properties block is not closed; `----` in line 3 does not close it.",
        CLOSE,
    ),
    "colon in plain": (f"{YAML}mapping values are not allowed here.", CORRECT),
    "undefined alias": (f"{YAML}`*no` stands for nothing.", CORRECT),
    "huge character": (f"{YAML}a value that cannot be read.", CORRECT),
    "bell": (f"{YAML}a control character.", CORRECT),
    "lone CR": (
        "The properties hold a line end of the old Macintosh kind (CR alone).",
        "Save the note with Unix or Windows line ends.",
    ),
    "comment glued to quotes": (f"{YAML}a comment without a blank before it.", CORRECT),
    "quoted text too far left": (f"{YAML}a quoted text that goes on too far left.", CORRECT),
    "lone dash": (f"{YAML}`-` could be read in two ways.", CORRECT),
    "colon before comma": (f"{YAML}`b:` could be read in two ways.", CORRECT),
    "tabs everywhere": (f"{YAML}tabs that cannot be read safely.", CORRECT),
    "duplicate key": (
        "The property `a` is written twice; first in line 2.",
        "Keep one of the two lines.",
    ),
    "duplicate inside": (
        "The property `a` is written twice; first in line 3.",
        "Keep one of the two lines.",
    ),
    "case clash": (
        "The properties `Status` and `status` differ only in case.",
        "Keep one of the two names.",
    ),
    "too large": ("The properties are longer than 256 KiB.", "Move the text into the body."),
    "too deep in brackets": (
        "The properties are nested more than 100 deep.",
        "Move the text into the body.",
    ),
    "a list": NO_LIST,
    "text": NO_LIST,
    "second document": (
        "The properties are more than one YAML document.",
        "Keep one block, without `---` or `...` inside it.",
    ),
    "blank line first": OPEN,
    "classic Mac": OPEN,
    "conflict": (
        "The note holds git conflict markers.",
        "Resolve the conflict and remove the markers.",
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_broken_note_is_told_in_these_words(name: str) -> None:
    (data,) = (row[1] for row in BROKEN if row[0] == name)
    with pytest.raises(NoteUnreadableError) as caught:
        read(data)
    assert (caught.value.problem, caught.value.remedy) == WORDS[name]


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        # only what comes after the opening line may close the block, or seem to
        (b"----\nx\n", None, None),
        (b"\n ---\na: 1\n", "VM107", 2),
        (b"---\na: 1\n\nx\n....\n--- x\n", "VM102", 1),
        (b"---\n...\na: 1\n", None, None),
        # the last byte of what is decoded, and the first of what is not
        (b"---\na: 1\n---\n\xff", "VM101", 4),
        (b"---\na: \xff\n---\n\xff", "VM101", 2),
        (b"\xff", "VM101", 1),
        (b"a\n\0", "VM101", 2),
        # markers and lone line ends in the body are text
        (b"---\na: 1\n---\n=======\n", None, None),
        (b"---\na: 1\n---\nx\ry\n", None, None),
        (b"---\r\na: 1\r\n---\r\nx\ry\r\n", None, None),
        (b"---\na: 1\n\n=======\n---\n", "VM108", 4),
        (b"---\r\na: 1\r\r\n---\n", "VM103", 2),
        (b"---\na: ======\nb: =======x\n---\n", None, None),
    ],
)
def test_only_the_block_itself_is_judged(data: bytes, code: str | None, line: int | None) -> None:
    if code is None:
        assert read(data).body.encode() == data[read(data).body_start :]
        return
    with pytest.raises(NoteUnreadableError) as caught:
        read(data)
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", Parts(False, 0, 0, 0, "\n")),
        (b"\r\n", Parts(False, 0, 0, 0, "\r\n")),
        (b"\xef\xbb\xbfx", Parts(False, 3, 3, 3, "\n")),
        (b"---\nx\n", Parts(False, 0, 0, 0, "\n")),
        (b"---\n---\n", Parts(True, 4, 4, 8, "\n")),
        (b"\xef\xbb\xbf--- \r\na: 1\r\n---", Parts(True, 9, 15, 18, "\r\n")),
    ],
)
def test_the_parts_of_a_note_are_byte_offsets(data: bytes, parts: Parts) -> None:
    assert split(data) == parts


@pytest.mark.parametrize(("size", "reads"), [(262_144, True), (262_145, False)])
def test_a_block_may_be_as_large_as_the_limit_and_no_larger(size: int, reads: bool) -> None:
    comment = "#" * (size - 1) + "\n"
    if reads:
        assert read(f"---\n{comment}---\n".encode()).properties == {}
        assert parse_yaml(comment) is None
        return
    with pytest.raises(NoteUnreadableError):
        read(f"---\n{comment}---\n".encode())
    with pytest.raises(NoteUnreadableError) as caught:
        parse_yaml(comment)
    assert caught.value.problem == "The properties are longer than 256 KiB."


@pytest.mark.parametrize("depth", [99, 100])
def test_a_block_may_be_as_deep_as_the_limit(depth: int) -> None:
    # the map of the properties is one of the hundred
    text = "a: " + "[" * depth + "]" * depth + "\n"
    if depth < 100:
        assert parse_yaml(text)
        return
    with pytest.raises(NoteUnreadableError) as caught:
        parse_yaml(text)
    assert (caught.value.code, caught.value.line) == ("VM106", 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("", None), ("# c\n", None), ("a: 1\n", {"a": 1}), ("- 1\n- x\n", [1, "x"]), ("7", 7), ("[a]", ["a"]),
     ('{a: "x\ny"}', {"a": "x y"}), ('"x\n y"', "x y"), ("--- \na: 1\n", {"a": 1}), ("a:\n  b: [1]\n", {"a": {"b": [1]}})],
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


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (False, 0.0, False),
        (True, True, True),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (1.0, math.nan, False),
        (math.nan, "x", False),
        ("x", "x", True),
        ("1", 1, False),
        (None, "", False),
        (None, False, False),
        ([1, "a"], [1.0, "a"], True),
        ([1], [True], False),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
        ([math.nan], [math.nan], True),
        (["a"], "a", False),
        ([], [], True),
    ],
)
def test_values_are_the_same_by_value_and_kind(one: object, other: object, equal: bool) -> None:
    assert same(one, other) is equal
    assert same(other, one) is equal
