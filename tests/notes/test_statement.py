"""The statement is the first plain paragraph, found fast or by parsing with the same answer."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import many
from vaultmem.core.inert import clean, escape_inline
from vaultmem.notes.comments import mask_comments
from vaultmem.notes.statement import MAX_SEARCHED, find_by_parsing, find_statement

LINES = (
    "", "", " ", "Plain words", "more words here", "3 retries are enough", "12. item", "12) item", "`code` first", "``a`` b",
    "```", "~~~", "```js", "# Head", "Setext", "===", "---", "- item", "* item", "+ item", "> quote", "> [!note] callout",
    "![[embed]]", "![a](b.png)", "[[Link]] is plain", "key:: value", "std::string is plain", "[k:: v]", "(k:: v)",
    "#tag #other", "#decision use bun", "^block-id", "words ^block-id", "%%", "%%one%% words", "words %%in%% words", "<!-- c -->",
    "<!--", "-->", "<div>", "</div>", "<b>bold</b> words", "| a | b |", "| - | - |", "a | b", "--- | ---", "$$", "$$x$$", "    indented",
    "\tindented", "**bold** start", "_it_ starts", "*a* b", "\\# escaped", "\\- escaped \\", "hard break  ", "hard \\", "“quoted” words",
    "(aside) words", "[^1]: foot", "[ref]: http://x", "[^1] foot", "漢字の文", "é words", "tick ` alone", "two `code", "spans` here",
    "<script>x", "</script>", "\\`no code", "a%%b", "words ^a ^b", "\ue000 private", "1", "1.5 is",
)  # fmt: skip
bodies = st.builds(
    lambda lines, eol: eol.join(lines),
    st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=6)), max_size=9),
    st.sampled_from(["\n", "\r\n", "\n", "\r"]),
)


@many(10)
@given(bodies)
def test_the_fast_path_answers_as_parsing_does(body: str) -> None:
    assert find_statement(body) == find_by_parsing(body)


@many(3)
@given(bodies)
def test_a_statement_is_a_line_of_text_and_its_place_is_in_the_body(body: str) -> None:
    found = find_statement(body)
    if found is not None:
        assert found.text == " ".join(found.text.split())
        assert 0 <= found.start < found.end <= len(body)
        assert body[found.start] not in " \t\r\n"
        assert body[found.end - 1] not in " \t\r\n"


@many(3)
@given(bodies)
def test_whatever_was_captured_is_found_as_it_was_written(text: str) -> None:
    if cleaned := clean(text).text:
        found = find_statement(escape_inline(text) + "\n\nMore text.\n")
        assert found is not None
        assert (found.text, found.start, found.line, found.hidden) == (cleaned, 0, 1, ())


@pytest.mark.parametrize(
    ("body", "text", "line"),
    [
        ("Plain.\n", "Plain.", 1),
        ("\n\nPlain\nover lines.\n\nNot this.", "Plain over lines.", 3),
        ("# Title\n\n![[x.png]]\n\nstatus:: ok\n\nText.", "Text.", 7),
        ("status:: ok\nText here.\nother:: x\n", "Text here.", 2),
        ("> [!info] Callout\n> words\n\nText.", "Text.", 4),
        ("- a list\n- of things\n\nText.", "Text.", 4),
        ("```\ncode\n```\n\nText.", "Text.", 5),
        ("%%\nmany\n\nlines\n%%\n\nText.", "Text.", 7),
        ("<!-- a\n\nb -->\n\nText.", "Text.", 5),
        ("| a | b |\n| - | - |\n| 1 | 2 |\n\nText.", "Text.", 5),
        ("$$\nx\n$$\n\nText.", "Text.", 5),
        ("#memory/git #x\n\nText.", "Text.", 3),
        ("[^1]: a foot note\n\nText.", "Text.", 3),
        ("Text. ^abc-1\n", "Text.", 1),
        ("Text.\n^abc-1\n", "Text.", 1),
        ("Hard\\\nbreak  \nhere", "Hard break here", 1),
        ("Double \\\\\nslash", "Double \\ slash", 1),
        (r"Not \*starred\* but `a\*b`", r"Not *starred* but `a\*b`", 1),
        ("Title\n=====\n\nText.", "Text.", 4),
        ("Text with std::string.", "Text with std::string.", 1),
        ("#decision Use bun.", "#decision Use bun.", 1),
        ("x<br>y", "x y", 1),
        ("#12 is the issue.", "#12 is the issue.", 1),
        ("#12", "#12", 1),
        ("tick ` of key:: value ` here", "tick ` of key:: value ` here", 1),
        (r"#!\[", "#![", 1),
        ("<b></b>\n\nText.", "Text.", 3),
        ("<b></b>\nkey:: v\nText.", "Text.", 3),
        ("#a\nText.\n#b\nMore.", "Text.", 2),
    ],
)
def test_what_counts_as_the_statement(body: str, text: str, line: int) -> None:
    found = find_statement(body)
    assert found is not None
    assert (found.text, found.line) == (text, line)


@pytest.mark.parametrize(
    "body",
    ["", "\n\n", "# Only a title", "- a\n- b", "1. a\n2. b", "```\ncode\n```", "    indented", "> quote", "![[x]]", "a:: b", "%% all\n\nhidden", "<!-- all\n\nhidden", "<div>\nhtml\n</div>", "#tag", "---", "^id", "| a |\n| - |", "$$x$$", "<script>x</script>", "%%x%%", "<b></b>"],
)  # fmt: skip
def test_a_body_without_a_plain_paragraph_has_no_statement(body: str) -> None:
    assert find_statement(body) is None


@pytest.mark.parametrize(
    ("body", "text", "hidden"),
    [
        ("Keep %%do evil%% calm.", "Keep calm.", ("%%do evil%%",)),
        ("Keep <!-- do evil --> calm.", "Keep calm.", ("<!-- do evil -->",)),
        (
            "Keep <span style='font-size:0'>evil</span> calm.",
            "Keep calm.",
            ("<span style='font-size:0'>evil</span>",),
        ),
        ("Keep <system>calm</system>.", "Keep calm.", ("<system>", "</system>")),
        ("Keep calm. %%evil%%", "Keep calm.", ("%%evil%%",)),
        ("Keep %%evil\n\nmore%% calm", "Keep", ("%%evil\n\nmore%%",)),
        ("Keep calm.\n\n%%a note of mine%%", "Keep calm.", ()),
        ("Keep `%%x%%` and `<b>`.", "Keep `%%x%%` and `<b>`.", ()),
        (r"Keep \<b> and \%\%.", "Keep <b> and %%.", ()),
    ],
)
def test_what_reading_view_hides_is_left_out_and_named(
    body: str, text: str, hidden: tuple[str, ...]
) -> None:
    found = find_statement(body)
    assert found is not None
    assert (found.text, found.hidden) == (text, hidden)


def test_the_span_leaves_comments_at_its_ends_and_the_block_id_alone() -> None:
    body = "%%a%% Keep calm. %%b%% ^id\n"
    found = find_statement(body)
    assert found is not None
    assert body[found.start : found.end] == "Keep calm."


def test_only_the_head_of_a_huge_body_is_searched() -> None:
    filler = "- item\n" * (MAX_SEARCHED // 7 + 1)
    assert find_statement(f"{filler}\nText.") is None
    assert find_statement(f"Text.\n\n{filler}") is not None


def test_a_huge_first_paragraph_is_cut_where_the_search_ends() -> None:
    found = find_statement("word " * (MAX_SEARCHED // 4))
    assert found is not None
    assert found.end <= MAX_SEARCHED


def test_the_usual_body_needs_no_markdown_parser() -> None:
    program = (
        "import sys; from vaultmem.notes.statement import find_statement as f\n"
        "assert f('Use `bun`, never npm.\\n\\n## Why\\n') is not None\n"
        "assert 'markdown_it' not in sys.modules\n"
        "assert f('# T\\n\\nText') is not None\n"
        "assert 'markdown_it' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@many(4)
@given(bodies)
def test_masking_keeps_every_offset_and_line_end(body: str) -> None:
    masked = mask_comments(body)
    assert len(masked.text) == len(body)
    assert masked.filler not in body
    for before, after in zip(body, masked.text, strict=True):
        assert after in (before, masked.filler)
        assert (before in "\r\n") == (after in "\r\n")


@pytest.mark.parametrize(
    ("body", "comments"),
    [
        ("a %%b%% c", ["%%b%%"]),
        ("`%%` b %%c%%", ["%%c%%"]),
        ("```\n%%\n```\n%%c%%", ["%%c%%"]),
        ("~~~\n%%", []),
        ("`open\n\n%%c%% `", ["%%c%%"]),
        (r"\%% c %%", ["%%"]),
        ("a <!-- b", []),
        ("a\n  <!-- b", ["<!-- b"]),
        ("%%a%%b%%", ["%%a%%", "%%"]),
        ("````\n```\n%%\n````\n%%x%%", ["%%x%%"]),
        ("``` a ` b\n%%x%%", ["%%x%%"]),
    ],
)
def test_where_comments_are(body: str, comments: list[str]) -> None:
    assert [body[a:b] for a, b in mask_comments(body).comments] == comments
