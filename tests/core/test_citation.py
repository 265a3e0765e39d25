"""Citations of a reply: what they name, what is left of the reply, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.citation import INSTRUCTION, MAX_IDS, TAG, Cited, CitedPlace, parse, resolve
from vaultmem.core.ids import MemoryId, short_id

ONE, TWO = "s8t9v0w1", "k2m3n4p5"
OPEN, CLOSE = f"<{TAG}>", f"</{TAG}>"
WHOLE = "mem_01JDR3Z8Q4M5N6P7R8S8T9V0W1"


@pytest.mark.parametrize(
    ("reply", "ids", "left"),
    [
        pytest.param(f"Done.\n\n{OPEN}\n{ONE}\n{TWO}\n{CLOSE}\n", (ONE, TWO), "Done.", id="usual"),
        pytest.param(f"Done. {OPEN}{ONE}{CLOSE}", (ONE,), "Done.", id="on one line"),
        pytest.param(f"{OPEN}{ONE}, {TWO}; {ONE}{CLOSE}", (ONE, TWO), "", id="each once"),
        pytest.param(f"Done.{OPEN}\n- [{ONE}]\n* `{TWO}`\n{CLOSE}", (ONE, TWO), "Done.", id="list"),
        pytest.param(f"Done.{OPEN}\n{ONE.upper()}\n{CLOSE}", (ONE,), "Done.", id="any case"),
        pytest.param(f"Done.\n{OPEN}\n{WHOLE}\n{CLOSE}", (ONE,), "Done.", id="a whole id"),
        pytest.param(f"Done.\n{OPEN}\n{WHOLE[4:]}\n{CLOSE}", (ONE,), "Done.", id="a ULID"),
        pytest.param(f"Done.\n{OPEN}{CLOSE}", (), "Done.", id="nothing cited"),
        pytest.param(
            f"Done.\n{OPEN}\n<memory_ids>\n{ONE}\n</memory_ids>\n"
            f"MEMORY.md:3-9|note=[how tests run]\n{CLOSE}",
            (ONE,),
            "Done.",
            id="with parts that name files",
        ),
        pytest.param(f"A\n{OPEN}{ONE}{CLOSE}\nB", (ONE,), "A\nB", id="in the middle"),
        pytest.param(f"A\n{OPEN}{ONE}{CLOSE}\n{OPEN}{TWO}{CLOSE}", (ONE, TWO), "A", id="two"),
        pytest.param(f"A\n{OPEN}{ONE}\n{OPEN}{TWO}{CLOSE}{CLOSE}", (ONE, TWO), "A", id="nested"),
        pytest.param(
            f"A\n< VaultMem-Citation >{ONE}</ {TAG} >", (ONE,), "A", id="spelled otherwise"
        ),
        pytest.param(f"A\n{OPEN}\n{ONE}\n{TWO[:5]}", (ONE,), "A", id="cut off"),
        pytest.param(f"A\n{OPEN}{ONE}</vaultmem-ci", (ONE,), "A", id="cut off in the tag"),
        pytest.param(f"A\n{OPEN}", (), "A", id="cut off at once"),
        pytest.param(f"A\n{OPEN}{ONE}\n{OPEN}{TWO}{CLOSE}", (ONE, TWO), "A", id="nested, cut off"),
        pytest.param(f"A\n{OPEN}\nI used {ONE} here\n{CLOSE}", (), "A", id="words name nothing"),
    ],
)
def test_a_citation_names_memories_and_is_taken_out(reply, ids, left):
    assert parse(reply)[:2] == (ids, left)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("No citation at all.  \n", id="none"),
        pytest.param("", id="nothing"),
        pytest.param(f"Write `{OPEN}{ONE}{CLOSE}` at the end.", id="code span"),
        pytest.param(f"```\n{OPEN}{ONE}{CLOSE}\n```\n", id="fence"),
        pytest.param(f"~~~ xml\n```\n{OPEN}{ONE}{CLOSE}\n~~~\n", id="fence of tildes"),
        pytest.param(f"````\n```\n{OPEN}{ONE}{CLOSE}\n````\n", id="a longer fence"),
        pytest.param(f"```\n{OPEN}{ONE}{CLOSE}\n", id="a fence that stays open"),
        pytest.param(f"> {OPEN}{ONE}{CLOSE}\n", id="quoted"),
        pytest.param(f"The tag {OPEN} begins a block.\nThen come words.", id="only an opening tag"),
        pytest.param(f"The tag {CLOSE} ends one.", id="only a closing tag"),
        pytest.param(f"A <{TAG}-x>{ONE}</{TAG}-x>", id="another tag"),
    ],
)
def test_what_is_no_citation_stays_as_it_is(reply):
    found = parse(reply)
    assert found.ids == ()
    assert found.text is reply


def test_a_citation_behind_code_counts():
    reply = f"Use `a` and ``b`` {OPEN}{ONE}{CLOSE}\n"
    assert parse(reply)[:2] == ((ONE,), "Use `a` and ``b``")
    fenced = f"```py\nx = 1\n```\n\n{OPEN}{ONE}{CLOSE}"
    assert parse(fenced)[:2] == ((ONE,), "```py\nx = 1\n```")


def test_a_tag_between_two_code_spans_counts_and_one_within_does_not():
    reply = f"`{OPEN}` {OPEN}{ONE}{CLOSE} `{CLOSE}`"
    assert parse(reply)[:2] == ((ONE,), f"`{OPEN}`\n `{CLOSE}`")


def test_ten_thousand_ids_are_no_more_than_a_hundred():
    ids = "\n".join(f"{number:08d}" for number in range(10_000))
    found = parse(f"Done.\n{OPEN}\n{ids}\n{CLOSE}")
    assert len(found.ids) == MAX_IDS
    assert found.text == "Done."


STEM = "2025-02-11T15-35-19-jqmb"
UUID = "0194f5a6-89ab-7cde-8123-456789abcdef"


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("MEMORY.md:3-9|note=[how tests run]", ("MEMORY.md", 3, 9, "how tests run")),
        ("  MEMORY.md:7-7|note=[]  ", ("MEMORY.md", 7, 7, "")),
        ("a:b.md:1-2|note=[x|note=[y]]", ("a:b.md", 1, 2, "x|note=[y]")),
    ],
)
def test_a_line_names_a_place_of_the_notebook(line, place):
    found = parse(f"Done.\n{OPEN}\n<citation_entries>\n{line}\n</citation_entries>\n{CLOSE}")
    assert found == ((), "Done.", (CitedPlace(*place),), ())


@pytest.mark.parametrize(
    "line",
    [
        "MEMORY.md:3|note=[x]",
        "MEMORY.md:9-3|note=[x]",
        "MEMORY.md:0-3|note=[x]",
        "MEMORY.md:3-9|note=[x",
        "MEMORY.md:3-9",
        "MEMORY.md:a-b|note=[x]",
        " :1-2|note=[x]",
        "2025-02-11-jqmb",
        f"see {STEM}",
        f"{STEM}-Über",
        "0194f5a6",
    ],
)
def test_a_malformed_line_names_nothing_and_stops_no_other(line):
    found = parse(f"Done.\n{OPEN}\n{line}\n{STEM}\n{CLOSE}")
    assert (found.places, found.sessions) == ((), (STEM,))


def test_sessions_are_named_by_stem_or_id_each_once():
    lines = (
        f"{STEM}-green_tests, {UUID.upper()}",
        f"- `rollout_summaries/{STEM}.md`",
        "<rollout_ids>",
        f"{STEM}",
        "</rollout_ids>",
    )
    found = parse(f"Done.\n{OPEN}\n{chr(10).join(lines)}\n{CLOSE}")
    assert found.sessions == (f"{STEM}-green_tests", UUID, STEM)


@pytest.mark.parametrize(
    "end",
    [
        "MEMORY.md:3",
        "MEMORY.md:3-9|no",
        "MEMORY.md:3-9|note=[how tests",
        STEM[:12],
        f"{STEM}-gre",
        UUID[:20],
        f"{UUID}\n{ONE[:3]}",
        f"{ONE}, {STEM}",
    ],
)
def test_a_block_that_is_cut_off_in_a_place_or_session_is_taken_out(end):
    assert parse(f"Done.\n{OPEN}\n{ONE}\n{end}").text == "Done."


def test_a_block_that_is_not_closed_keeps_words_that_follow():
    reply = f"Write {OPEN}\nMEMORY.md:3-9|note=[x]\nand go on."
    assert parse(reply).text is reply


@pytest.mark.parametrize(
    "hostile",
    [
        OPEN * 20_000,
        CLOSE * 20_000,
        f"{OPEN}x" * 20_000,
        "`" * 100_000 + OPEN,
        f"` {OPEN} `` " * 10_000,
        "<" * 100_000 + TAG,
        f"{OPEN}" + "a:1-2|note=[" * 20_000,
        f"{OPEN}{CLOSE}" * 10_000,
        "```\n~~~\n" * 20_000 + OPEN,
        OPEN + "a:1-" * 50_000,
        OPEN + "2025-02-" * 20_000,
        OPEN + "a" * 200_000,
    ],
    ids=range(12),
)
def test_a_hostile_reply_is_read_once(hostile):
    found = parse(hostile)
    assert found.ids == ()
    assert len(found.text) <= len(hostile)


_PARTS = st.sampled_from(
    [
        OPEN,
        CLOSE,
        OPEN.upper(),
        ONE,
        TWO,
        "\n",
        "`",
        "```\n",
        "~~~",
        "> ",
        " ",
        "word",
        f"<{TAG[:9]}",
    ]
)


@given(st.lists(_PARTS, max_size=30).map("".join))
def test_taking_out_leaves_no_citation_and_loses_no_word(reply):
    found = parse(reply)
    assert len(found.ids) <= MAX_IDS
    assert set(found.ids) <= {ONE, TWO}
    if found.text is not reply:
        assert f"{OPEN}{ONE}{CLOSE}" not in found.text
    again = parse(found.text)
    assert set(again.ids) <= set(found.ids)


@given(st.text())
def test_reading_never_fails(reply):
    assert parse(reply) == Cited((), reply)
    parse(f"{OPEN}{reply}")
    assert parse(f"{OPEN}{reply}{CLOSE}").text in ("", f"{OPEN}{reply}{CLOSE}") or "`" in reply


def test_short_ids_mean_what_was_shown():
    mine = MemoryId(WHOLE)
    twin = MemoryId("mem_01JDR3Z8Q4M5N6P7R9S8T9V0W1")
    other = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S8T9V0W2")
    assert short_id(mine) == short_id(twin) == ONE
    assert resolve((ONE, short_id(other)), (mine, other, mine)) == (mine, other)
    assert resolve((short_id(other), ONE, ONE), (mine, other)) == (other, mine)
    assert resolve((ONE, TWO), ()) == ()
    assert resolve((ONE, short_id(other)), (mine, twin, other)) == (other,), (
        "an end of two names none"
    )


def test_the_instruction_shows_a_citation_that_would_be_read():
    assert f"<{TAG}>" in INSTRUCTION
    assert f"</{TAG}>" in INSTRUCTION
    assert len(INSTRUCTION) < 200
