"""What stands below a candidate's statement, and how evidence is added without moving a byte."""

from __future__ import annotations

import pytest

from vaultmem.notes.candidate import (
    Touched,
    candidate_body,
    decode_candidate,
    with_evidence,
    without_notice,
)

ONE = "[[2026-11-29 evidence dev_A#^ev-01jdr3z8q4m5n6p7r8s9t0v1w2]]"
TWO = "[[2026-11-30 evidence dev_A#^ev-01jdr3z8q4m5n6p7r8s9t0v1w3]]"
HEAD = "---\nid: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: candidate\n"


def cited(data: bytes) -> tuple[str, ...]:
    return decode_candidate(data, path="Memory/Inbox/X.md")[0].memory.evidence


def test_the_body_shows_what_it_touches_and_embeds_its_evidence() -> None:
    touched = [Touched("[[Use npm]]", "Use ![[npm]] for #installs."), Touched("[[B]]", "b")]
    assert candidate_body([ONE, TWO], touched) == (
        "> [!info] It touches\n"
        "> - [[Use npm]]: Use !\\[\\[npm]] for \\#installs.\n"
        "> - [[B]]: b\n"
        f"\n!{ONE}\n\n!{TWO}\n"
    )
    assert candidate_body([], []) == ""


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("Use UTC.\n", f"Use UTC.\n\n!{TWO}\n"),
        ("Use UTC.", f"Use UTC.\n\n!{TWO}\n"),
        (f"Use UTC.\n\n!{ONE}\n\nMine.\n", f"Use UTC.\n\n!{ONE}\n\n!{TWO}\n\nMine.\n"),
        (f"Use UTC.\n\n!{ONE}", f"Use UTC.\n\n!{ONE}\n\n!{TWO}"),
    ],
)
def test_a_piece_more_is_cited_and_embedded_behind_the_others(
    body: str, after: str, eol: str
) -> None:
    note = f'{HEAD}evidence:\n  - "{ONE}"\nmine: 1\n---\n{body}'.replace("\n", eol)
    changed = with_evidence(note.encode(), TWO)
    assert cited(changed) == (ONE, TWO)
    text = changed.decode().split(f"---{eol}")[2]
    assert text == after.replace("\n", eol)


def test_the_first_piece_makes_the_list() -> None:
    assert cited(with_evidence(f"{HEAD}---\nUse UTC.\n".encode(), ONE)) == (ONE,)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_the_list_of_what_it_touches_goes_when_it_is_decided(eol: str) -> None:
    body = candidate_body([ONE], [Touched("[[A]]", "a"), Touched("[[B]]", "b")])
    note = f"{HEAD}---\nUse UTC.\n\n{body}\nMine.\n".replace("\n", eol).encode()
    left = without_notice(note)
    assert left.decode() == f"{HEAD}---\nUse UTC.\n\n!{ONE}\n\nMine.\n".replace("\n", eol)
    assert without_notice(left) == left


@pytest.mark.parametrize(
    "body",
    [
        "Use UTC.\n\n> [!info] It touches\n",
        "Use UTC.\n\n> [!info] It touches\n> what I think\n",
        "Use UTC.\n\n> [!note] It touches\n> - [[A]]: a\n",
    ],
)
def test_what_a_person_made_of_the_list_stays(body: str) -> None:
    note = f"{HEAD}---\n{body}".encode()
    assert without_notice(note) == note
