"""A change in a note's body moves no other byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_inert import captured
from tests.examples import many
from tests.notes.test_statement import bodies
from vaultmem.core.inert import clean
from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.body import append_callout, append_line, replace_statement, tick_task
from vaultmem.notes.candidate import with_evidence
from vaultmem.notes.codec import decode_memory
from vaultmem.notes.frontmatter import read, with_body
from vaultmem.notes.hints import Hint, with_hints
from vaultmem.notes.review import add_to_review

HEAD = b"\xef\xbb\xbf---\r\nid: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2 # mine\r\ntype:   memory\r\n---\r\n"


@many(3)
@given(bodies, captured, st.sampled_from([b"", HEAD]))
def test_only_the_statement_changes(body: str, text: str, head: bytes) -> None:
    data = head + body.encode()
    try:
        before = decode_memory(data, path="a.md")
        after = replace_statement(data, text)
    except (EditRefusedError, NoteUnreadableError):
        return
    assert before.statement_span is not None
    start, end = before.statement_span
    assert after[:start] == data[:start]
    assert after[len(after) - len(data) + end :] == data[end:]
    again = decode_memory(after, path="a.md")
    assert again.memory.statement.startswith(clean(text).text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Old words.\n", "New \\[\\[words]].\n"),
        ("# T\n\nOld\nwords. ^id\nkey:: v\n", "# T\n\nNew \\[\\[words]]. ^id\nkey:: v\n"),
        ("%%a%% Old. %%b%%\r\n\r\nMore.", "%%a%% Old. %%b%%\r\n\r\nMore."),
        ("Old", "New \\[\\[words]]."),
    ],
)
def test_a_statement_is_replaced_in_its_place(before: str, after: str) -> None:
    if before == after:
        with pytest.raises(EditRefusedError, match="Hidden text"):
            replace_statement(HEAD + before.encode(), "New [[words]].")
    else:
        assert replace_statement(HEAD + before.encode(), "New [[words]].") == HEAD + after.encode()


@pytest.mark.parametrize(
    ("body", "statement", "says", "line"),
    [
        (b"- list\n", "New.", "no statement", 5),
        (b"\nOld %%hidden%% words.\n", "New.", "Hidden text", 6),
        (b"Old.\n", " \x00", "nothing that can be seen", None),
    ],
)
def test_a_statement_that_cannot_be_replaced_is_refused(
    body: bytes, statement: str, says: str, line: int | None
) -> None:
    with pytest.raises(EditRefusedError, match=says) as caught:
        replace_statement(HEAD + body, statement)
    assert caught.value.line == line


@pytest.mark.parametrize("data", [b"---\nWords.\n", b"\xef\xbb\xbf---\nWords.\n"])
def test_a_statement_below_a_line_of_dashes_makes_no_properties(data: bytes) -> None:
    assert replace_statement(data, "Other words.") == data.replace(b"Words.", b"Other words.")
    with pytest.raises(EditRefusedError, match="read as a property"):
        replace_statement(data, "status: deleted")


TASKS = "Intro.\n\n- [ ] op_001 · add: one 📅 2026-11-29\n  * [x] op_002 · update\n> 1. [-] op_003 · delete\n+ [X] op_0011\n- op_004\n```\n- [ ] op_005\n```\n"


@pytest.mark.parametrize(
    ("line", "item", "done", "old", "new"),
    [
        (3, "op_001", True, "- [ ] op_001", "- [x] op_001"),
        (3, "op_001", False, "", ""),
        (4, "op_002", False, "* [x] op_002", "* [ ] op_002"),
        (4, "op_002", True, "", ""),
        (5, "op_003", False, "[-] op_003", "[ ] op_003"),
        (5, "op_003", True, "", ""),
        (6, "op_0011", False, "[X] op_0011", "[ ] op_0011"),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_one_task_is_ticked(line: int, item: str, done: bool, old: str, new: str, eol: str) -> None:
    before = TASKS.replace("\n", eol)
    after = before.replace(old, new) if old else before
    assert tick_task(HEAD + before.encode(), line + 4, item, done=done) == HEAD + after.encode()


@pytest.mark.parametrize(
    ("line", "item"),
    [
        (3, "op_002"),
        (3, "op_0"),
        (6, "op_001"),
        (7, "op_004"),
        (1, "Intro"),
        (0, "id"),
        (99, "op_001"),
        (-3, "op_001"),
    ],
)
def test_a_line_that_is_not_that_task_is_refused(line: int, item: str) -> None:
    with pytest.raises(EditRefusedError, match="not the task"):
        tick_task(HEAD + TASKS.encode(), line + 4, item)


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"", b"new\n"),
        (b"a", b"a\nnew\n"),
        (b"a\n", b"a\nnew\n"),
        (b"a\r\n", b"a\r\nnew\r\n"),
        (b"a\r\nb", b"a\r\nb\r\nnew\r\n"),
        (HEAD, HEAD + b"new\r\n"),
        (HEAD + b"a", HEAD + b"a\r\nnew\r\n"),
        (HEAD + b"a\n", HEAD + b"a\nnew\n"),
    ],
)
def test_a_line_is_added_at_the_end_in_the_notes_own_line_ends(data: bytes, after: bytes) -> None:
    assert append_line(data, "new") == after


@pytest.mark.parametrize("text", ["a\nb", "a\rb"])
def test_one_line_is_one_line(text: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        append_line(b"", text)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("eol", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    "more",
    [
        lambda data: append_line(data, "A word."),
        lambda data: append_callout(data, ["> [!quote] A word."], "a"),
        lambda data: add_to_review(data, "A word.", proposed=True),
        lambda data: with_evidence(data, "[[A word.]]"),
        lambda data: with_hints(data, [Hint("[[A word.]]", 0.5, "why")]),
        lambda data: with_body(data, read(data), "A word.\n"),
    ],
    ids=["line", "callout", "guideline", "evidence", "hints", "body"],
)
def test_the_first_text_below_a_last_fence_without_a_line_end_is_no_property(
    more, eol: bytes, bom: bytes
) -> None:
    head = bom + b"---\nid: x\n---".replace(b"\n", eol)
    after = more(head)
    assert after.startswith(bom)
    assert read(after).properties["id"] == "x"
    assert "A word." in read(after).body
    assert read(after).body_line >= 4


def test_a_body_for_a_note_without_properties_follows_nothing() -> None:
    for head in (b"", b"\xef\xbb\xbf"):
        data = head + b"Old."
        assert with_body(data, read(data), "New.") == head + b"New."
    assert with_body(HEAD, read(HEAD), "") == HEAD
    assert with_body(HEAD[:-2], read(HEAD[:-2]), "") == HEAD[:-2]
