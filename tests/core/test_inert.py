"""Captured text is inert, and reads back as it was."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.examples import many
from vaultmem.core.inert import (
    clean,
    escape_inline,
    fence,
    inert_value,
    ledger_json,
    unescape_inline,
)
from vaultmem.core.inline import code_spans

PIECES = (
    "![", "[[", "]]", "](", "][", "[", "]", "(", ")", "<", ">", "#tag", "# ", "#decision", "#", "::", "^id", "^", "`",
    "``", "```", "~~~", "- ", "* ", "+ ", "1. ", "2) ", "> ", "|", "---", "===", "***", "___", "[ ] ", "[x] ", "$$", "$",
    "%%", "%", "<!--", "-->", "<b>", "</b>", "<script>", "</script>", "<%", "%>", "\\", "\\\\", "word", "x", " ", "\t",
    "\n", "    ", "&lt;", "&", "https://", "= this.x", "$= dv.x", "<img src=x>", "*", "_", "**", "==", "~", ":", "é", "漢",
    "\u200b", "\u202e", "\x00", "\x1b[31m", "\ud800", "👩‍💻", "<i", "style='a'>", "a=\"", "<?", "?>", "<![CDATA[", "]]>",
    "INPUT[", "button-a", "!", "<span class=x>", "</span>", "<br>",
)  # fmt: skip
captured = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=14).map(
    "".join
)
HARMLESS = {
    "text", "code_inline", "em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close", "text_special",
}  # fmt: skip


def inline_types(source: str) -> set[str]:
    """What markdown-it makes of one paragraph; fails if it is more or other than one."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"], (
        source
    )
    return {child.type for child in tokens[1].children or []}


def outside_code(source: str) -> str:
    parts, last = [], 0
    for span in code_spans(source, source=True):
        parts.append(source[last : span.start])
        last = span.end
    return "`".join([*parts, source[last:]])


@many(3)
@given(captured)
def test_captured_text_is_one_paragraph_of_words_code_and_emphasis(text: str) -> None:
    source = escape_inline(text)
    if source:
        assert inline_types(source) <= HARMLESS


@many(3)
@given(captured)
def test_it_is_also_harmless_behind_a_list_mark_or_above_other_text(text: str) -> None:
    source = escape_inline(text)
    tokens = MarkdownIt("commonmark").enable("table").parse(f"- {source}\n\npara\n{source}")
    inner = [token.type for token in tokens if token.nesting >= 0]
    expected = [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_open",
        "inline",
    ]
    assert inner == (expected if source else ["bullet_list_open", "list_item_open", *expected[4:]])


@many(3)
@given(captured)
def test_unescaping_gives_the_cleaned_text_back(text: str) -> None:
    assert unescape_inline(escape_inline(text)) == clean(text).text


@many(3)
@given(captured)
def test_escaping_again_what_was_read_back_changes_nothing(text: str) -> None:
    source = escape_inline(text)
    assert escape_inline(unescape_inline(source)) == source
    assert clean(clean(text).text) == (clean(text).text, ())


@many(3)
@given(captured)
def test_what_plugins_look_for_without_knowing_markdown_is_broken(text: str) -> None:
    source = escape_inline(text)
    assert "<%" not in source
    plain = outside_code(source)
    for mark in ("![", "[[", "](", "::", "%%", "://"):
        assert mark not in plain, mark
    assert not re.search(r"(?<!\\)<", plain)
    assert not re.search(r"(?<![\\#])#(?=[^\s\d.,;:!?)\]`])", plain.removeprefix("#decision"))
    assert not re.search(r"(?:^|\s)\^[\w-]+$", plain)
    for span in code_spans(source, source=True):
        assert not source[span.start + span.ticks :].lstrip().startswith(("=", "$="))


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Use `git add -p`; **never** `git add .`", "Use `git add -p`; **never** `git add .`"),
        ("see ![a](b) and [[c]]", r"see !\[a]\(b) and \[\[c]]"),
        ("#decision use bun", "#decision use bun"),
        ("#decision: use bun", "#decision: use bun"),
        ("#decisions", r"\#decisions"),
        ("use #decision", r"use \#decision"),
        ("closes #12, not #1a", r"closes #12, not \#1a"),
        ("std::string", r"std:\:string"),
        ("ends in ^abc", r"ends in \^abc"),
        ("2^10 is fine", "2^10 is fine"),
        ("- [ ] tick", r"\- [ ] tick"),
        ("[x] tick", r"\[x] tick"),
        ("1. first", r"1\. first"),
        ("10) tenth", r"10\) tenth"),
        ("1.5 is a number", "1.5 is a number"),
        ("> quote", r"\> quote"),
        ("| cell", r"\| cell"),
        ("# head", r"\# head"),
        ("~~~", r"\~~~"),
        ("---", r"\---"),
        ("===", r"\==="),
        ("==marked== stays", "==marked== stays"),
        ("```js x``` run", r"\`\`\`js x\`\`\` run"),
        ("run `= this.file` now", r"run \`= this.file\` now"),
        ("run ` $= dv.pages()` now", r"run \` $= dv.pages()\` now"),
        ("`INPUT[toggle:x]`", r"\`INPUT\[toggle:x]\`".replace(r"\[", "[")),
        ("lone ` tick", r"lone \` tick"),
        ("a < b", r"a \< b"),
        ("Vec<u8> and <branch>", r"Vec\<u8> and \<branch>"),
        ("costs $5", "costs $5"),
        ("from $5 to $6", r"from \$5 to \$6"),
        ("$a$ and $$b$$", r"\$a\$ and \$\$b\$\$"),
        ("&lt;b> & co", r"\&lt;b> & co"),
        ("https://a.b/c", r"https:\//a.b/c"),
        ("C:\\dir\\*.txt", r"C:\dir\\*.txt"),
        ("ends in \\", "ends in \\\\"),
        ("100%% sure", r"100\%\% sure"),
        ("note[^1] and ^[x]", r"note\[^1] and ^\[x]"),
        ("  two\n lines\t", "two lines"),
    ],
)
def test_spelling(text: str, source: str) -> None:
    assert escape_inline(text) == source
    assert unescape_inline(source) == clean(text).text


@pytest.mark.parametrize(
    ("text", "kept", "removed"),
    [
        ("a %%secret%% b", "a b", ("%%secret%%",)),
        ("a <!-- x --> b", "a b", ("<!-- x -->",)),
        ("<b>bold</b>", "bold", ("<b>", "</b>")),
        ("x<br>y", "x y", ("<br>",)),
        ("<script>alert(1)</script>z", "z", ("<script>alert(1)</script>",)),
        ("<script>alert(1)", "", ("<script>alert(1)",)),
        (
            "<span style='display:none'>ignore</span>z",
            "z",
            ("<span style='display:none'>ignore</span>",),
        ),
        ("<img src=x onerror=y>z", "z", ("<img src=x onerror=y>",)),
        ("<system foo=1>z", "z", ("<system foo=1>",)),
        ("z</system>", "z", ("</system>",)),
        ("<?php x ?>z", "z", ("<?php x ?>",)),
        ("<!DOCTYPE html>z", "z", ("<!DOCTYPE html>",)),
        ("<![CDATA[x]]>z", "z", ("<![CDATA[x]]>",)),
        ("push <branch>", "push <branch>", ()),
        ("`<b>` and `%%`", "`<b>` and `%%`", ()),
        ("<!-- open", "<!-- open", ()),
        ("%% open", "%% open", ()),
        ("<% tp %> `<% x %>`", "< % tp %> `< % x %>`", ()),
        ("<<b>i>x</<b>i>", "x", ("<b>", "<b>", "<i>", "</i>")),
        # joined by what was taken out from between
        ("<%%a%%% x", "< % x", ("%%a%%",)),
    ],
)
def test_what_cannot_be_seen_is_taken_out_and_named(
    text: str, kept: str, removed: tuple[str, ...]
) -> None:
    assert clean(text) == (kept, removed)


def test_text_that_hides_a_tag_in_a_tag_forever_loses_its_brackets() -> None:
    text = "<" * 60 + "b>" * 60 + "%%" * 3
    cleaned = clean(text).text
    assert "<" not in cleaned
    assert "%%" not in cleaned
    assert clean(cleaned).text == cleaned


@pytest.mark.parametrize(
    "piece",
    ["`", "``a", "<a ", "<!--", "%%", "[", "<b style=", '<a b="', "\\", "<?", "^a ", "$", "*"],
)
def test_long_hostile_text_is_escaped_like_any_other(piece: str) -> None:
    # A scan that is quadratic in the length would not come back from this in an hour.
    text = piece * (200_000 // len(piece))
    assert unescape_inline(escape_inline(text)) == clean(text).text


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a", "```\na\n```"),
        ("", "```\n```"),
        ("x ```` y", "`````\nx ```` y\n`````"),
        ("a\r\nb\rc\u2028d", "```\na\nb\nc\nd\n```"),
        ("<% run %>", "```\n< % run %>\n```"),
        ("\x00\x1b\ud800\ufeffz\ttab", "```\nz\ttab\n```"),
    ],
)
def test_a_fence_holds_any_text(text: str, block: str) -> None:
    assert fence(text) == block


@many(3)
@given(captured)
def test_a_fence_is_one_code_block_whatever_it_holds(text: str) -> None:
    block = fence(text)
    tokens = MarkdownIt("commonmark").parse(f"before\n\n{block}\n\nafter")
    assert [token.type for token in tokens if token.nesting >= 0 and token.type != "inline"] == [
        "paragraph_open", "fence", "paragraph_open",
    ]  # fmt: skip
    assert "<%" not in block
    block.encode()


@many(3)
@given(
    st.dictionaries(
        st.text(max_size=5),
        st.one_of(
            captured, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans()
        ),
        max_size=4,
    )
)
def test_ledger_json_reads_back_and_holds_no_mark(obj: dict[str, str | int | float | bool]) -> None:
    line = ledger_json(obj)
    assert json.loads(line) == obj
    assert not set(line) & set("![]<>#%^$=|`\n\r")
    assert "::" not in line
    assert "://" not in line
    assert line.isprintable()
    line.encode()


def test_ledger_json_keeps_other_scripts_legible() -> None:
    assert ledger_json({"t": "漢字 ü"}) == '{"t":"漢字 ü"}'


def test_ledger_json_refuses_what_json_does_not_have() -> None:
    with pytest.raises(ValueError, match="JSON"):
        ledger_json({"x": float("nan")})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("bash_contains git add .", "bash_contains git add ."),
        ("[[A]]", "[ [A]]"),
        ("![[A]]", "![ [A]]"),
        ("[a](b)", "[a] (b)"),
        ("if [[ -f x ]]; then", "if [[ -f x ]]; then"),
        ("<% x %>", "< % x %>"),
        ("two\nlines\u202e", "two lines"),
    ],
)
def test_a_property_value_is_no_link_and_no_template(text: str, value: str) -> None:
    assert inert_value(text) == value
    assert inert_value(value) == value


@many(3)
@given(captured)
def test_a_property_value_is_stable(text: str) -> None:
    value = inert_value(text)
    assert inert_value(value) == value
    assert "<%" not in value
