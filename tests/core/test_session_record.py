"""A session's record, entry by entry: turns, summaries, files, decisions, retried compactions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.session_entry import (
    Answered,
    Entry,
    Header,
    Named,
    Other,
    Said,
    Summary,
    SummaryKind,
    ToolDone,
    ToolUse,
)
from vaultmem.core.session_record import (
    FIRST_MESSAGE,
    MOST_DECISIONS,
    Decision,
    Piece,
    PieceKind,
    SessionRecord,
    Span,
    begin,
    fold,
)

HEADER = Header(id="s1", at=100.0, cwd="/p", parent="")


def said(text: str, name: str = "u1", parent: str = "") -> Said:
    return Said(id=name, parent=parent, at=101.0, text=text)


def answered(text: str, name: str = "a1", parent: str = "", **more: object) -> Answered:
    values = {"failed": False, "model": "m", "tools": (), "cost": 0.5, "tokens": 10, **more}
    return Answered(id=name, parent=parent, at=102.0, text=text, **values)  # type: ignore[arg-type]


def tool(call: str, path: str = "", *, failed: bool = False) -> ToolDone:
    return ToolDone(
        id="t1", parent="", at=103.0, call=call, name="edit", path=path, failed=failed, text=""
    )


def compacted(text: str, name: str = "c1", parent: str = "", kept: str = "") -> Summary:
    return Summary(
        id=name, parent=parent, at=104.0, text=text, kind=SummaryKind.COMPACTION, first_kept=kept
    )


def branch(text: str) -> Summary:
    return Summary(id="b1", parent="", at=105.0, text=text, kind=SummaryKind.BRANCH, first_kept="")


def read(*entries: Entry) -> tuple[SessionRecord, dict[int, Piece]]:
    """The record and its pieces after these entries, ten bytes each."""
    record, pieces = begin(HEADER), {}
    for number, entry in enumerate(entries, 1):
        folded = fold(
            record, entry, Span(10 * number, 10), lambda text: text.replace("s3cr3t", "*")
        )
        record = folded.record
        if folded.piece is not None:
            pieces[folded.piece.number] = folded.piece
        if folded.dropped is not None:
            del pieces[folded.dropped]
    return record, pieces


def test_a_turn_is_a_message_with_the_last_answer_to_it():
    record, pieces = read(
        said("Why is it slow?"), answered("Looking."), answered("The index.", "a2"), said("Fix it!")
    )

    assert pieces == {
        1: Piece(
            number=1,
            kind=PieceKind.TURN,
            entry="u1",
            at=101.0,
            said=Span(10, 10),
            answer=Span(30, 10),
        ),
        2: Piece(number=2, kind=PieceKind.TURN, entry="u1", at=101.0, said=Span(40, 10)),
    }
    assert (record.messages, record.models, record.cost, record.tokens) == (2, ("m",), 1.0, 20)
    assert (record.started, record.ended, record.cwd, record.id) == (100.0, 102.0, "/p", "s1")


@pytest.mark.parametrize(
    "noise", ["ok", "/reload", "  ", "[IMPORTANT: read this]", "[SYSTEM: go on]", "thanks!"]
)
def test_what_says_nothing_is_no_turn_but_its_answer_is(noise):
    record, pieces = read(said(noise), answered("Here you are."), answered("And more.", "a2"))

    assert record.first == ""
    assert record.messages == 1
    assert pieces == {
        1: Piece(number=1, kind=PieceKind.TURN, entry="a1", at=102.0, answer=Span(30, 10))
    }


@pytest.mark.parametrize("answer", [answered(""), answered("Half an", failed=True)])
def test_an_answer_without_words_or_that_failed_is_not_told(answer):
    _, pieces = read(said("Why is it slow?"), answer)

    assert pieces[1].answer is None


def test_the_title_is_the_name_else_the_beginning_of_the_first_message():
    long = "Why is the s3cr3t index\nso slow? " + 100 * "Really. "
    record, _ = read(said("ok"), said(long), said("Another thing"))
    named, _ = read(said(long), Named(id="n", parent="", at=0.0, name="Slow  s3cr3t"))

    assert record.title == record.first
    assert record.first.startswith("Why is the * index so slow? Really.")
    assert len(record.first) == FIRST_MESSAGE
    assert named.title == "Slow *"


def test_governed_row_103_a_user_decides_with_a_tag():
    record, _ = read(said("#decision use patch files before mutation"))

    assert record.decisions == (
        Decision(entry="u1", at=101.0, text="#decision use patch files before mutation"),
    )


def test_decisions_have_no_secret_and_are_bounded():
    many = "\n".join(f"#decision s3cr3t {number}" for number in range(40))
    record, _ = read(said(many), said("#decision one more"))

    assert len(record.decisions) == MOST_DECISIONS
    assert record.decisions[0].text == "#decision * 0"


def test_an_agent_decides_nothing():
    record, _ = read(said("What now?"), answered("#decision use tabs"))

    assert record.decisions == ()


def test_governed_row_104_files_are_those_that_a_tool_says_it_changed():
    record, _ = read(tool("c0", "src/a.py"))

    assert record.files == ("src/a.py",)


def test_a_call_names_the_file_where_the_result_does_not():
    uses = (
        ToolUse(call="c1", name="write", path="src/b.py"),
        ToolUse(call="c2", name="edit", path="src/c.py"),
        ToolUse(call="c3", name="bash", path=""),
    )
    record, _ = read(
        answered("", tools=uses), tool("c1"), tool("c2", failed=True), tool("c3"), tool("c9")
    )

    assert record.files == ("src/b.py",)
    assert record.tools == ("write", "edit", "bash")


def test_summaries_are_pieces_of_their_own():
    _, pieces = read(said("Start"), compacted("First part."), branch("Other way."))

    assert [(one.kind, one.kind.is_summary) for one in pieces.values()] == [
        (PieceKind.TURN, False),
        (PieceKind.COMPACTION, True),
        (PieceKind.BRANCH, True),
    ]


def test_a_summary_without_text_or_that_was_there_is_no_piece():
    _, pieces = read(
        compacted("Part."), compacted("  "), compacted(" Part.\n", "c2"), branch("Part.")
    )

    assert list(pieces) == [1]


def test_a_compaction_that_is_made_again_takes_the_place_of_the_first():
    _, pieces = read(
        said("Start", "u"),
        compacted("First try.", "c1", "u", "k1"),
        answered("", "a1", "c1", failed=True),
        Other(id="x1", parent="a1", at=0.0),
        compacted("Second try.", "c2", "x1", "k2"),
    )

    assert [one.entry for one in pieces.values()] == ["u", "c2"]


def test_compactions_that_keep_the_same_part_are_one():
    _, pieces = read(
        compacted("First.", "c1", "", "k"), said("More"), compacted("Second.", "c2", "u1", "k")
    )

    assert [one.entry for one in pieces.values()] == ["u1", "c2"]


@pytest.mark.parametrize("work", [said("Go on", "w", "c1"), answered("Done.", "w", "c1")])
def test_a_compaction_after_more_work_stands_beside_the_one_before(work):
    _, pieces = read(
        compacted("First.", "c1", "", "k1"), work, compacted("Second.", "c2", "w", "k2")
    )

    assert {"c1", "c2"} <= {one.entry for one in pieces.values()}


def test_compactions_of_two_branches_stand_beside_each_other():
    _, pieces = read(
        said("Start", "u"),
        compacted("One way.", "c1", "u", "k1"),
        compacted("Another way.", "c2", "u", "k2"),
        compacted("Without a branch.", "c3", "", ""),
    )

    assert [one.entry for one in pieces.values()] == ["u", "c1", "c2", "c3"]


texts = st.sampled_from(["", "ok", "Why is it slow?", "#decision x", "/cmd", "Sum one", "Sum two"])
names = st.sampled_from(["", "a", "b", "c"])


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    name, parent, text = draw(names), draw(names), draw(texts)
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return said(text, name, parent)
    if kind == 1:
        return answered(text, name, parent, failed=draw(st.booleans()))
    if kind == 2:
        return compacted(text, name, parent, draw(names))
    if kind == 3:
        return branch(text)
    if kind == 4:
        return tool(name, text)
    return Other(id=name, parent=parent, at=0.0)


@given(st.lists(entries(), max_size=25))
def test_pieces_are_numbered_in_order_and_only_living_ones_are_dropped(given_entries):
    record, pieces = read(*given_entries)  # `del` fails for one that is not there

    assert record.pieces >= max(pieces, default=0)
    assert all(one.said is not None or one.answer is not None for one in pieces.values())
