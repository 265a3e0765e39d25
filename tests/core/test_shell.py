"""What a reader of shell sees: the commands of a script, with quotes removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.shell import MAX_SCRIPTS, commands
from vaultmem.core.shell_reader import MAX_DEPTH

KNOWN = {"HOME": "/home/ann", "V": "/vault"}


def _words(text):
    return [[word.text for word in one.words] for one in commands(text, KNOWN) if one.words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git add .", [["git", "add", "."]]),
        ("a  b\tc\r", [["a", "b", "c"]]),
        ("a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]),
        ("va''ult\"mem\" x", [["vaultmem", "x"]]),
        ("a \\\n b", [["a", "b"]]),
        ('a "b\\"c\\$d\\e"', [["a", 'b"c$d\\e']]),
        ("a $'b\\n\\x41\\101\\u00e9\\q' $\"c\"", [["a", "b\nAA\xe9q", "c"]]),
        ("a ''", [["a", ""]]),
        ("a # b; c\nd", [["a"], ["d"]]),
        ("a b#c", [["a", "b#c"]]),
        ("a; b & c && d || e | f |& g\nh;; i", [[x] for x in "abcdefghi"]),
        ("(a b); { c; }", [["a", "b"], ["c"]]),
        ("if a; then b; else c; fi", [["a"], ["b"], ["c"]]),
        ("while ! a; do b; done", [["a"], ["b"]]),
        ("for x in 1 2; do rm $x; done", [["for", "x", "in", "1", "2"], ["rm", "$x"]]),
        ("a $(b c) d", [["b", "c"], ["a", "", "d"]]),
        ('a "x $(b "c d") y"', [["b", "c d"], ["a", "x  y"]]),
        ('a "x `b c` y"', [["b", "c"], ["a", "x  y"]]),
        ("a `b \\`c\\`` d", [["c"], ["b", ""], ["a", "", "d"]]),
        ("diff <(a b) >(c)", [["a", "b"], ["c"], ["diff"]]),
        ("a $((1 + 2)) b", [["a", "$((1", "+", "2"], ["b"]]),
        ("a ~ ~/x ~bob/x x~ --to=~/y", [["a", "/home/ann", "/home/ann/x", "~bob/x", "x~", "--to=/home/ann/y"]]),
        ("a $HOME/x ${V}y '$V' $OTHER $ $1", [["a", "/home/ann/x", "/vaulty", "$V", "$OTHER", "$", "$1"]]),
        ("W=/w; a $W/x", [["a", "/w/x"]]),
        ("W+=/w", []),
        ("W=/w a $W", [["a", "$W"]]),
        # what the shell itself would refuse is read to its end all the same
        ("a 'b", [["a", "b"]]),
        ('a "b', [["a", "b"]]),
        ("a $(b", [["b"], ["a", ""]]),
        ("a `b", [["b"], ["a", ""]]),
        ("a $'b", [["a", "b"]]),
        ("a ) b", [["a"], ["b"]]),
        ("a \\", [["a", ""]]),
        ("", []),
        ("   \n", []),
    ],
)  # fmt: skip
def test_a_script_is_read_into_the_words_of_its_commands(text, words):
    assert _words(text) == words


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("a > f", ["f"]),
        ("a >f 2>>g <h", ["f", "g", "h"]),
        ("a &> f; b >| g; c <> h", ["f", "g", "h"]),
        ("a 2>&1 >&- <&3 > f", ["f"]),
        ("a >& f", ["f"]),
        ("> 'f g'", ["f g"]),
        ("a >", []),
        ("a > ; b", []),
        ("a 2> $V/x", ["/vault/x"]),
    ],
)
def test_the_files_of_redirections_are_no_arguments(text, files):
    found = commands(text, KNOWN)
    assert [word.text for one in found for word in one.files] == files
    assert {word.text for one in found for word in one.words} <= set("abc")


@pytest.mark.parametrize(
    ("text", "fed"),
    [
        ("cat <<E\nx y\n  E\nE\nb", ["x y\n  E", ""]),
        ("cat <<-'E' > f\n\tx\n\tE\nb", ["\tx", ""]),
        ("a <<E; b <<F\n1\nE\n2\nF\nc", ["1", "2", ""]),
        ("a <<E | b\n1\nE\nc", ["1", "", ""]),
        ("a <<< 'x y'", ["x y"]),
        ("a <<E\nx", ["x"]),
        ("a <<E", [""]),
        ("x=$(a <<E\n1\nE\n); b", ["1", "", ""]),
    ],
)
def test_a_here_document_belongs_to_its_command(text, fed):
    assert [one.fed for one in commands(text)] == fed


@pytest.mark.parametrize(
    "text",
    [
        "bash -c 'rm x'",
        "sudo -u ann /bin/sh -lc 'rm x'",
        "su ann --command 'rm x'",
        "eval rm x",
        "eval 'rm x'",
        "ssh -T host 'rm x'",
        "sh <<E\nrm x\nE",
        "bash <<< 'rm x'",
        "echo 'rm x' | sh",
        "cat <<E | sh -s\nrm x\nE",
        "bash -c \"bash -c 'rm x'\"",
        "A=$(sh -c 'rm x')",
        "nohup env B=1 dash -e -c 'rm x'",
    ],
)
def test_a_script_for_another_shell_is_looked_into(text):
    words = [word for one in _words(text) for word in one]
    assert "rm" in words
    assert "x" in words


@pytest.mark.parametrize(
    "text", ["git commit -m 'rm x'", "cat <<E > f\nrm x\nE", "echo 'rm x' | cat"]
)
def test_other_text_is_no_script(text):
    assert not any(one[0] == "rm" for one in _words(text))


@pytest.mark.parametrize("text", ["sh -c", "sh -c -x", "sh x -", "| sh", "eval"])
def test_a_shell_without_a_script_runs_none(text):
    assert len(commands(text)) == 1


def test_a_word_says_whether_names_nobody_knows_are_in_it():
    (found,) = commands("rm a* 'b*' c? [d] {e,f} g")
    assert [word.glob for word in found.words] == [False, True, False, True, True, True, False]


@pytest.mark.parametrize(
    ("word", "name"),
    [("/usr/bin/Git", "git"), ("C:\\x\\vaultmem.EXE", "vaultmem"), ("sh", "sh"), ("/", "")],
)
def test_a_program_is_named_by_the_end_of_its_path(word, name):
    assert commands(f"'{word}'")[0].words[0].name == name


def test_a_pipe_is_told_from_the_other_ends_of_a_command():
    assert [one.piped for one in commands("a | b |& c || d; e & f")] == [
        *(False, True, True),
        *(False, False, False),
    ]


def test_hostile_nesting_is_read_only_so_deep():
    deep = "$(" * 4_000 + "a" + ")" * 4_000
    assert commands(deep)
    assert commands("`" * 4_001)
    in_backticks = _words("$(" * MAX_DEPTH + "a `rm x`")
    assert in_backticks[0] == ["a", "`rm x`"]
    quotes = "rm x"
    for _ in range(MAX_DEPTH):
        quotes = f"eval {quotes} | sh"
    assert len(commands(quotes)) <= 40 * MAX_SCRIPTS


@pytest.mark.parametrize(
    "part", ["a <<E\n", "$(", '"$(', "`", "eval a | sh; ", "<<<", "~:", "\\", "a=b; "]
)
def test_a_long_text_is_read_to_its_end(part):
    assert commands(part * 20_000 + "\n") is not None


@given(st.text(alphabet="ab $(){}[]<>|&;'\"`\\\n#~=*?-c2EshH"))
def test_any_text_is_read(text):
    for one in commands(text):
        assert any(one)


@given(st.lists(st.text(min_size=1).filter(lambda word: "\0" not in word), min_size=1, max_size=4))
def test_quoted_words_are_read_as_they_were(words):
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    first, *_ = commands(f"x {quoted}")
    assert [word.text for word in first.words[1:]] == words
