"""Notes become documents: whole, in chunks by heading, or head and headings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.make import memory, note
from vaultmem.index.documents import (
    LARGE_NOTE,
    MAX_TOKENS,
    Source,
    estimated_tokens,
    is_within,
    note_documents,
    split,
)

LONG = "word " * 150


def documents(body: str) -> list[tuple[str, str, str]]:
    found = note_documents(source=Source.VAULT, path="a/N.md", title="N", body=body)
    return [(document.key, document.heading, document.body) for document in found]


def test_a_short_note_is_one_document() -> None:
    assert documents("# Title\n\nText.") == [("a/N.md", "", "# Title\n\nText.")]


def test_a_long_note_is_cut_at_its_headings() -> None:
    body = f"intro {LONG}\n# One\n{LONG}\n## Two ##\n{LONG}"
    found = documents(body)
    assert [key for key, _, _ in found] == ["a/N.md#1", "a/N.md#2", "a/N.md#3"]
    assert [heading for _, heading, _ in found] == ["", "One", "Two"]


def test_small_sections_share_a_chunk() -> None:
    body = "\n".join(f"## Part {number}\nshort text" for number in range(60))
    found = documents(body)
    assert 2 <= len(found) <= 4
    assert "Part 1" in found[0][2]


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_comment_in_a_code_fence_is_no_heading(fence: str) -> None:
    body = f"{LONG}\n{fence}sh\n# not a heading\n{LONG}\n```x\n{LONG}\n{fence}\n# Real\n{LONG}"
    assert {heading for _, heading, _ in documents(body)} == {"", "Real"}


def test_a_fence_closes_only_with_its_own_marks() -> None:
    body = f"{LONG}\n````\n```\n# inside\n````\n# Outside\n{LONG}"
    assert {heading for _, heading, _ in documents(body)} == {"", "Outside"}


def test_windows_line_ends() -> None:
    body = f"{LONG}\r\n# One\r\n{LONG}"
    assert [heading for _, heading, _ in documents(body)] == ["", "One"]


def test_a_very_long_paragraph_is_cut_at_blanks() -> None:
    pieces = [text for _, _, text in documents("word " * 2_000)]
    assert all(len(piece) <= 900 and set(piece.split()) == {"word"} for piece in pieces)
    assert sum(piece.count("word") for piece in pieces) == 2_000


def test_one_endless_token_is_cut_anywhere() -> None:
    assert "".join(text for _, _, text in documents("x" * 5_000)) == "x" * 5_000


def test_a_huge_note_gives_its_head_and_headings_only() -> None:
    body = "beginning\n" + ("filler text\n" * 1_000 + "# Landmark\n") * 100
    assert len(body) > LARGE_NOTE
    found = documents(body)
    assert len(found) < 20
    assert "beginning" in found[0][2]
    assert "Landmark" in found[-1][2]


def test_fifty_megabytes_are_cut_without_reading_them_twice() -> None:
    body = "# H\ntext of the note\n" * 2_500_000
    began = time.process_time()
    assert len(documents(body)) < 30
    assert time.process_time() - began < 10


@given(
    st.lists(
        st.sampled_from(["# A\n", "## B\n", "```\n", "~~~~\n", "text here\n", "\n", "é数\n", LONG]),
        max_size=40,
    )
)
def test_no_word_of_a_body_is_lost(parts: list[str]) -> None:
    body = "".join(parts)
    chunks = " ".join(f"{section.heading} {section.text}" for section in split(body))
    for word in ("text", "word", "é数"):
        assert chunks.count(word) == body.count(word)


@given(st.text(max_size=3_000))
def test_any_text_is_cut_into_short_chunks(body: str) -> None:
    for section in split(body):
        assert len(section.text) <= 900


def test_the_title_counts_twice_for_words_and_once_for_meaning() -> None:
    document = memory("m1", "Add files by name.", title="Staging", tags=("git",))
    assert document.text.count("Staging") == 2
    assert "git" in document.text
    assert document.meaning == "Staging\nAdd files by name."


def test_a_title_that_begins_the_statement_is_not_embedded_twice() -> None:
    assert memory("m1", "Add files by name.", title="Add files by name").meaning == (
        "Add files by name."
    )
    assert memory("m1", "Add files by name to it.", title="Add files…").meaning == (
        "Add files by name to it."
    )


def test_a_chunk_means_title_heading_and_text() -> None:
    long = note_documents(
        source=Source.VAULT, path="N.md", title="N", body=f"x {LONG}\n# One\n{LONG}", tags=("t",)
    )
    assert [document.meaning[:6] for document in long] == ["N\nx wo", "N\nOne\n"]


@pytest.mark.parametrize(
    ("path", "folders", "inside"),
    [
        ("Memory/a.md", ("Memory",), True),
        ("Memory/a.md", ("Memory/",), True),
        ("Memory/a.md", ("Memory/a.md",), True),
        ("Memory2/a.md", ("Memory",), False),
        ("a.md", ("Memory", "."), True),
        ("a.md", ("",), True),
        ("a.md", (), False),
    ],
)
def test_is_within(path: str, folders: tuple[str, ...], inside: bool) -> None:
    assert is_within(path, folders) is inside


def test_estimated_tokens_counts_other_scripts_by_character() -> None:
    assert estimated_tokens("word " * 100) < MAX_TOKENS
    assert estimated_tokens("数" * 100) >= 100


def test_helpers_make_chunk_keys() -> None:
    assert note("a/N.md", "x", number=2).key == "a/N.md#2"
