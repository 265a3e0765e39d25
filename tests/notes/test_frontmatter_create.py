"""New notes, and python-frontmatter reading and writing by our rules."""

from __future__ import annotations

from datetime import date, datetime

import frontmatter
import pytest

from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties, new_note, read
from vaultmem.notes.frontmatter.handler import NoteHandler

MEMORY = b"""---
id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2
type: memory
confidence: 0.95
evidence_count: 2
pinned: true
tags:
  - memory/git
evidence:
  - "[[2026-11-20 evidence d1#^ev-1]]"
created: 2026-09-03T10:12:00
review: 2026-12-20
decision:
domains: []
action: "block: rm -rf"
---
Never stage everything at once; add files by name.
"""


def test_a_new_note_is_spelled_as_obsidian_spells_it() -> None:
    properties = {
        "id": "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2",
        "type": "memory",
        "confidence": 0.95,
        "evidence_count": 2,
        "pinned": True,
        "tags": ("memory/git",),
        "evidence": ["[[2026-11-20 evidence d1#^ev-1]]"],
        "created": datetime(2026, 9, 3, 10, 12),
        "review": date(2026, 12, 20),
        "decision": None,
        "domains": [],
        "action": "block: rm -rf",
    }
    made = new_note(properties, "Never stage everything at once; add files by name.\n")
    assert made == MEMORY
    assert list(get_properties(made)) == list(properties)


@pytest.mark.parametrize(
    "body", ["", "x", "\n\nx\n\n", "---\nrule first\n---\n", "a\r\nb", "+++\n", "\u2028x\n"]
)
def test_the_body_stays_as_it_is(body: str) -> None:
    assert read(new_note({"a": 1}, body)).body == body


def test_without_properties_there_is_no_block() -> None:
    assert new_note({}, "text\n") == b"text\n"


def test_properties_may_be_named_like_the_arguments_of_a_post() -> None:
    made = new_note({"content": "c", "handler": "h"}, "b")
    assert made == b"---\ncontent: c\nhandler: h\n---\nb"


@pytest.mark.parametrize(
    ("properties", "body"),
    [
        ({}, "---\na: 1\n---\n"),
        ({}, "---\na: 1\n"),
        ({}, "\ufefftext"),
        ({"a": 1}, "\ud800"),
        ({"a": {"b": 1}}, ""),
        ({"a": 1, "A": 2}, ""),
        ({"": 1}, ""),
        ({"a": "x" * 300_000}, ""),
    ],
)
def test_a_note_that_would_read_differently_is_not_made(
    properties: dict[str, object], body: str
) -> None:
    with pytest.raises(EditRefusedError):
        new_note(properties, body)


@pytest.mark.parametrize(
    ("properties", "body"), [({"a": 1}, "\ud800"), ({}, "---\na: 1\n---\n"), ({}, "---\na: 1\n")]
)
def test_a_body_that_would_read_differently_is_refused_in_these_words(
    properties: dict[str, object], body: str
) -> None:
    with pytest.raises(EditRefusedError) as caught:
        new_note(properties, body)
    assert caught.value.problem == (
        "The text cannot follow its properties without being read as part of them."
    )
    assert caught.value.remedy == (
        "Begin it with a line that is not made of dashes, in Unicode without lone surrogates."
    )


def test_the_handler_takes_a_note_apart_and_says_where_there_is_no_block() -> None:
    handler = NoteHandler()
    assert handler.split("---\na: 1\n---\nbody\n") == ("a: 1\n", "body\n")
    with pytest.raises(ValueError, match=r"^the note has no properties block$"):
        handler.split("body\n")


def test_python_frontmatter_reads_by_our_rules() -> None:
    post = frontmatter.loads(
        "---\na: yes\nb: 012\nc: 2026-01-02\n---\nbody\n", handler=NoteHandler()
    )
    assert post.metadata == {"a": "yes", "b": 12, "c": "2026-01-02"}
    assert post.content == "body"
    assert frontmatter.dumps(post) == "---\na: yes\nb: 12\nc: 2026-01-02\n---\nbody".replace(
        "yes", '"yes"'
    )


def test_python_frontmatter_sees_no_properties_where_there_are_none() -> None:
    post = frontmatter.loads("----\n\ntext", handler=NoteHandler())
    assert (post.metadata, post.content) == ({}, "----\n\ntext")


def test_python_frontmatter_raises_our_errors() -> None:
    with pytest.raises(NoteUnreadableError, match="written twice"):
        frontmatter.loads("---\na: 1\na: 2\n---\n", handler=NoteHandler())
