"""The callout that names knowledge notes in a candidate's note comes, changes and goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.frontmatter import read
from vaultmem.notes.hints import TITLE, Hint, hints_in, with_hints, without_hints

NOTE = (
    "---\nid: cand_01KAX3F7QH5J8M2N4P6R7S9T0V\ntype: candidate\ncategory: lesson\ndecision:\n---\n"
    "Retry with a random gap.\n\n> [!info] It touches\n> - [[A]]: Retry.\n\n![[E#^ev-1]]\n"
)
ONE = Hint("[[Notes/Retries|Retries]]", 0.71, "words: retry, gap; meaning 0.50")
TWO = Hint("[Wind](obsidian://open?vault=W&file=Wind)", 1.2, "words: a [[x]] #y")

reasons = st.text(st.characters(codec="utf-8"), max_size=40)
hints = st.lists(
    st.builds(
        Hint,
        st.sampled_from([ONE.link, TWO.link]),
        st.integers(0, 170).map(lambda part: part / 100),
        reasons.map(lambda text: " ".join(text.split())),
    ),
    max_size=3,
)


def decoded(data):
    return decode_candidate(data, path="x.md")


@pytest.mark.parametrize("note", [NOTE, NOTE.rstrip("\n"), NOTE.replace("\n", "\r\n")])
def test_hints_are_in_the_properties_and_below_the_rest(note):
    data = with_hints(note.encode(), [ONE, TWO])
    candidate, read_note = decoded(data)
    assert candidate.vault_ref_suggestions == (ONE.link, TWO.link)
    assert candidate.memory.statement == "Retry with a random gap."
    assert hints_in(read_note.body) == (ONE, TWO)
    body = read(note.encode()).body
    assert read_note.body.startswith(body)
    assert (b"\r\n" in data) == ("\r\n" in note)


def test_a_reason_makes_no_link_and_no_tag():
    text = with_hints(NOTE.encode(), [TWO]).decode()
    assert "> - [Wind](obsidian://open?vault=W&file=Wind) (1.20): words: a " in text
    assert text.count("[[x]]") == 0
    assert "\\#y" in text


def test_hints_that_are_there_are_replaced_where_they_stand():
    first = with_hints(NOTE.encode(), [ONE]) + b"\nMy own words.\n"
    second = with_hints(first, [TWO])
    assert hints_in(read(second).body) == (TWO,)
    assert second.count(TITLE.encode()) == 1
    assert second.endswith(b"\n\nMy own words.\n")
    assert with_hints(second, [TWO]) == second


@pytest.mark.parametrize("note", [NOTE, NOTE.replace("\n", "\r\n")])
def test_no_hints_leave_the_note_as_it_was(note):
    data = note.encode()
    assert with_hints(data, []) == data
    assert with_hints(with_hints(data, [ONE, TWO]), []) == data


@given(hints)
def test_what_is_written_is_read_again(some):
    data = with_hints(NOTE.encode(), some)
    found = hints_in(read(data).body)
    assert [one.link for one in found] == [one.link for one in some]
    assert [one.score for one in found] == [one.score for one in some]
    assert decoded(data)[0].memory.statement == "Retry with a random gap."


def test_a_decided_candidate_loses_the_callout_and_keeps_what_people_wrote():
    data = with_hints(NOTE.encode(), [ONE]) + b"Mine.\n"
    left = without_hints(data)
    assert TITLE.encode() not in left
    assert left.endswith(b"![[E#^ev-1]]\nMine.\n")
    assert without_hints(NOTE.encode()) == NOTE.encode()


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_callout_that_a_person_moved_up_to_the_text_goes_alone(eol):
    data = with_hints(NOTE.encode(), [ONE]).replace(b"]]\n\n> [!info] Kn", b"]]\n> [!info] Kn")
    data = data.replace(b"\n", eol.encode())
    assert without_hints(data).endswith(f"![[E#^ev-1]]{eol}".encode())


def test_lines_that_say_something_else_are_no_hints():
    body = f"{TITLE}\n> - [[A]] is right\n> - [[Notes/Retries|Retries]] (0.71): words: a\n"
    assert [one.link for one in hints_in(body)] == [ONE.link]
    assert hints_in(f"{TITLE}\nNothing.\n") == ()
