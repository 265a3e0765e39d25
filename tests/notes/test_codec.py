"""A memory survives its note; a wrong property is a finding and never more."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.test_inert import captured
from tests.examples import many
from vaultmem.core.ids import CROCKFORD, MemoryId
from vaultmem.core.inert import clean, inert_value
from vaultmem.core.model import (
    Category,
    Cue,
    Layer,
    Memory,
    RuleType,
    Scope,
    Stability,
    Status,
)
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.candidate import (
    Candidate,
    Decision,
    State,
    decode_candidate,
    encode_candidate,
    read_decision,
)
from vaultmem.notes.codec import decode_memory, encode_memory, finding_of, property_changes
from vaultmem.notes.merge import conflict_line
from vaultmem.notes.reading import Reader
from vaultmem.notes.schema import DURABILITIES, TRUST_CLASSES, VERIFICATIONS, NoteType

ID = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
PATH = "Memory/Lessons/A note.md"

moments = st.datetimes(datetime(1970, 1, 1), datetime(2200, 12, 31)).map(
    lambda t: t.replace(microsecond=0)
)
days = st.dates(date(1970, 1, 1), date(2200, 12, 31))
texts = captured.map(inert_value).filter(bool)
lists = st.lists(texts, max_size=3).map(tuple)
links = st.lists(
    st.sampled_from(["[[A]]", "[[Folder/B|b]]", "[[C#^ev-1]]", "plain"]), max_size=3
).map(tuple)
tags = st.lists(st.sampled_from(["memory/git", "memory/test", "x"]), max_size=3).map(tuple)
statements = captured.map(lambda text: clean(text).text).filter(bool)
ulids = st.text(CROCKFORD, min_size=25, max_size=25).map(lambda tail: f"0{tail}")


def maybe(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.none(), strategy)


def memories(prefix: str = "mem") -> st.SearchStrategy[Memory]:
    return st.builds(
        Memory,
        id=ulids.map(lambda tail: MemoryId(f"{prefix}_{tail}")),
        statement=statements,
        layer=st.sampled_from(Layer),
        category=st.sampled_from(Category),
        rule=maybe(st.sampled_from(RuleType)),
        status=st.sampled_from(Status),
        scope=st.sampled_from(Scope),
        project=maybe(texts),
        domains=lists,
        cue=st.sampled_from(Cue),
        confidence=st.floats(0, 1).map(lambda x: round(x, 4)),
        stability=st.sampled_from(Stability),
        evidence_count=st.integers(0, 10**6),
        pinned=st.booleans(),
        tags=tags,
        created=maybe(moments),
        updated=maybe(moments),
        reinforced=maybe(moments),
        review=maybe(days),
        review_days=st.integers(1, 3650),
        change_condition=maybe(texts),
        evidence=links,
        supersedes=links,
        superseded_by=links,
        vault_ref=maybe(st.sampled_from(["[[A]]", "[[F/B|b]]"])),
        applies_when=lists,
        not_when=lists,
        exceptions=lists,
        valid_from=maybe(moments),
        valid_to=maybe(moments),
        expires=maybe(moments),
        trigger=maybe(texts),
        action=maybe(texts),
        verifier=maybe(texts),
        source_session=maybe(texts),
        derived_from=links,
        informs=links,
    )


def test_the_strategy_fills_every_field() -> None:
    drawn = {"trigger", "pinned"} | {field.name for field in fields(Memory)}
    assert drawn == {field.name for field in fields(Memory)}


@pytest.mark.parametrize("statement", ["", "%%out of sight%%"])
def test_a_statement_that_nobody_can_see_makes_no_note(statement):
    with pytest.raises(ValueError, match="statement"):
        encode_memory(Memory(id=ID, statement=statement))


@many(2)
@given(memories(), st.sampled_from(["", "## Why\n\nBecause.\n", "- [ ] x", "%%x%%\n"]))
def test_a_memory_survives_its_note(memory: Memory, body: str) -> None:
    decoded = decode_memory(encode_memory(memory, body=body), path=PATH)
    assert decoded.memory == memory
    assert decoded.findings == ()
    assert decoded.usable
    assert decoded.title == "A note"


@many(2)
@given(captured, st.lists(captured, max_size=2))
def test_any_captured_text_makes_a_note_that_reads_back_what_can_be_seen(
    text: str, more: list[str]
) -> None:
    memory = Memory(id=ID, statement=text, applies_when=tuple(more), change_condition=text)
    if not clean(text).text:
        with pytest.raises(ValueError, match="needs a statement"):
            encode_memory(memory)
        return
    decoded = decode_memory(encode_memory(memory), path=PATH)
    assert decoded.memory.statement == clean(text).text
    assert decoded.memory.change_condition == inert_value(text)
    assert decoded.memory.applies_when == tuple(
        value for item in more if (value := inert_value(item))
    )
    assert decoded.findings == ()


@settings(max_examples=60, deadline=None)
@given(memories(), memories())
def test_the_changes_of_a_memory_make_its_note_the_other(old: Memory, new: Memory) -> None:
    new = replace(new, id=old.id, statement=old.statement)
    data = frontmatter.set_properties(encode_memory(old), property_changes(old, new))
    assert decode_memory(data, path=PATH).memory == new


def test_no_change_is_no_change() -> None:
    memory = Memory(id=ID, statement="x")
    assert property_changes(memory, replace(memory, statement="y")) == {}


def test_a_new_note_looks_as_the_format_says() -> None:
    memory = Memory(
        id=ID,
        statement="Never stage everything at once; add files by name.",
        scope=Scope.PROJECT,
        project="github.com/acme/billing-web",
        confidence=0.95,
        evidence_count=2,
        tags=("memory/git",),
        created=datetime(2026, 9, 3, 10, 12),
        reinforced=datetime(2026, 11, 20, 9),
        review=date(2026, 12, 20),
        superseded_by=("[[Other]]",),
    )
    assert encode_memory(memory, body="## Why\n").decode() == (
        "---\n"
        "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\n"
        "type: memory\n"
        "category: lesson\n"
        "scope: project\n"
        "project: github.com/acme/billing-web\n"
        "confidence: 0.95\n"
        "evidence_count: 2\n"
        "tags:\n"
        "  - memory/git\n"
        "created: 2026-09-03T10:12:00\n"
        "reinforced: 2026-11-20T09:00:00\n"
        "review: 2026-12-20\n"
        "superseded_by:\n"
        '  - "[[Other]]"\n'
        "---\n"
        "Never stage everything at once; add files by name.\n"
        "\n"
        "## Why\n"
    )


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_span_is_the_statements_bytes(eol: str, bom: bytes) -> None:
    text = f"---\nid: {ID}\ntype: memory\n---\n\n# Täglich\n\nÜben, üben.\nImmer. ^id\n\nMehr.\n"
    data = bom + text.replace("\n", eol).encode()
    decoded = decode_memory(data, path=PATH)
    assert decoded.statement_span is not None
    start, end = decoded.statement_span
    assert data[start:end].decode() == f"Üben, üben.{eol}Immer."
    assert data[decoded.body_start :].decode() == decoded.body
    assert decoded.statement_line == 8
    assert decoded.memory.statement == "Üben, üben. Immer."


def note(properties: str, body: str = "Words.\n") -> bytes:
    return f"---\nid: {ID}\ntype: memory\n{properties}\n---\n{body}".encode()


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ("status: Deprecated", "status", Status.DEPRECATED),
        ("status: [contested]", "status", Status.CONTESTED),
        ("layer: l1", "layer", Layer.IDENTITY),
        ("status:", "status", Status.ACTIVE),
        ("confidence: '0.9'", "confidence", 0.9),
        ("confidence: 1", "confidence", 1.0),
        ("evidence_count: 3.0", "evidence_count", 3),
        ("pinned: TRUE", "pinned", True),
        ("tags: '#a'", "tags", ("a",)),
        ("domains: x", "domains", ("x",)),
        ("created: 2026-09-03", "created", datetime(2026, 9, 3)),
        ("created: 2026-09-03T10:12", "created", datetime(2026, 9, 3, 10, 12)),
        ("review: 2026-09-03T10:12:00", "review", date(2026, 9, 3)),
        ("vault_ref: [[A]]", "vault_ref", "[[A]]"),
        ("supersedes: '[[A]]'", "supersedes", ("[[A]]",)),
        ("project: 42", "project", "42"),
        ("mine: 1", "status", Status.ACTIVE),
    ],
)
def test_other_spellings_of_a_property_are_read_without_a_word(
    written: str, name: str, value: object
) -> None:
    decoded = decode_memory(note(written), path=PATH)
    assert getattr(decoded.memory, name) == value
    assert decoded.findings == ()


@pytest.mark.parametrize(
    ("written", "name", "value", "code", "says"),
    [
        ("status: gone", "status", Status.ACTIVE, "VM110", "must be one of active, contested"),
        ("confidence: 2", "confidence", 0.75, "VM110", "from 0 to 1; until then `0.75` holds"),
        ("confidence: high", "confidence", 0.75, "VM110", "must be a number"),
        ("evidence_count: -1", "evidence_count", 1, "VM110", "whole number"),
        ("review_days: 0", "review_days", 30, "VM110", "from 1 to 3650"),
        ("pinned: maybe", "pinned", False, "VM110", "true or false; until then false holds"),
        ("review: soon", "review", None, "VM110", "must be a date such as 2026-11-29"),
        ("created: 2026-13-45", "created", None, "VM110", "left out"),
        ("project: [a, b]", "project", None, "VM110", "one value"),
        ("domains: {a: 1}", "domains", (), "VM110", "list of texts"),
        ("rule: rude", "rule", None, "VM110", "must be one of avoid_pattern"),
        (
            "expires: 2026-09-03T10:12:00Z",
            "expires",
            datetime(2026, 9, 3, 10, 12),
            "VM119",
            "time zone",
        ),
        ("Pinned: true", "pinned", True, "VM120", "`Pinned` is read as `pinned`"),
    ],
)
def test_a_wrong_property_is_a_finding_and_its_default_holds(
    written: str, name: str, value: object, code: str, says: str
) -> None:
    decoded = decode_memory(note(written), path=PATH)
    assert getattr(decoded.memory, name) == value
    (found,) = decoded.findings
    assert (found.code, found.path, found.line) == (code, PATH, 4)
    assert says in found.message
    assert found.remedy
    assert decoded.usable


@pytest.mark.parametrize(
    ("id_line", "code"),
    [
        ("", "VM118"),
        ("id:", "VM118"),
        ("id: 42", "VM113"),
        ("id: mem_lower01jdr3z8q4m5n6p7r8", "VM113"),
        ("id: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "VM113"),
        ("id: [a, b]", "VM110"),
    ],
)
def test_a_note_without_an_id_of_the_right_form_is_read_with_none(id_line: str, code: str) -> None:
    decoded = decode_memory(f"---\n{id_line}\ntype: memory\n---\nWords.\n".encode(), path=PATH)
    assert decoded.memory.id == ""
    assert code in [found.code for found in decoded.findings]
    assert decoded.usable


def test_the_folder_says_the_category_where_the_note_does_not() -> None:
    assert (
        decode_memory(note("x: 1"), path=PATH, folder_category=Category.MISTAKE).memory.category
        is Category.MISTAKE
    )
    assert (
        decode_memory(
            note("category: done"), path=PATH, folder_category=Category.MISTAKE
        ).memory.category
        is Category.DONE
    )
    assert decode_memory(note("x: 1"), path=PATH).memory.category is Category.LESSON


def test_a_note_without_properties_is_a_memory_without_an_id() -> None:
    decoded = decode_memory(b"Just words.\n", path=PATH)
    assert (decoded.memory.id, decoded.memory.statement) == ("", "Just words.")
    assert [found.code for found in decoded.findings] == ["VM118"]


def test_the_persons_own_properties_are_kept_as_they_were_read() -> None:
    decoded = decode_memory(note("mine: [1, two]\naliases: x"), path=PATH)
    assert decoded.properties["mine"] == [1, "two"]
    assert decoded.properties["aliases"] == "x"


def test_an_unreadable_note_is_an_error_that_names_it_and_becomes_a_finding() -> None:
    with pytest.raises(NoteUnreadableError) as caught:
        decode_memory(b"---\na: b: c\n---\n", path=PATH)
    assert caught.value.path == PATH
    found = finding_of(caught.value, PATH)
    assert (found.code, found.path, found.line) == ("VM103", PATH, 2)
    assert found.message
    assert found.remedy
    assert finding_of(NoteUnreadableError("a", "b"), PATH).code == "VM103"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("Words.\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", 3),
        ("<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n", 1),
        ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 2),
        ("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", None),
        ("~~~\n```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n~~~\n", None),
        ("```\n``` js\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", None),
        ("```a``` b\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", 2),
        ("```\ncode\n```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", 4),
        ("<<<<<<< HEAD\n>>>>>>> x\n=======\n", None),
        ("=======\n>>>>>>> x\n<<<<<<< HEAD\n", None),
        ("Title\n=======\n\nWords.\n", None),
        ("<<<<<<< a\n" * 50_000, None),
    ],
)
def test_an_unresolved_merge_is_seen_where_it_is_no_example(body: str, line: int | None) -> None:
    assert conflict_line(body) == line


def test_the_table_of_a_type_is_asked_only_for_what_it_has() -> None:
    with pytest.raises(KeyError):
        Reader({}, NoteType.MEMORY, data=b"", path=PATH).text("colour")


candidates = st.builds(
    Candidate,
    memory=memories("cand"),
    state=st.sampled_from(State),
    device=maybe(texts),
    decision=maybe(st.sampled_from(["approve", "Reject", "DEFER", "ok"])),
    trust=maybe(st.sampled_from(TRUST_CLASSES)),
    durability=st.sampled_from(DURABILITIES),
    verification=st.sampled_from(VERIFICATIONS),
    reasons=lists,
    matched=links,
    vault_ref_suggestions=links,
)


@settings(max_examples=50, deadline=None)
@given(candidates)
def test_a_candidate_survives_its_note(candidate: Candidate) -> None:
    found, decoded = decode_candidate(encode_candidate(candidate), path="Memory/Inbox/x.md")
    assert found == candidate
    assert decoded.findings == ()


def test_a_fresh_candidate_has_an_empty_decision_near_its_top() -> None:
    memory = Memory(id=MemoryId("cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2"), statement="Use bun.")
    lines = (
        encode_candidate(Candidate(memory=memory, device="dev_x"), body="![[evidence]]\n")
        .decode()
        .splitlines()
    )
    assert lines == [
        "---", "id: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "type: candidate", "decision:", "category: lesson", "device: dev_x", "---",
        "Use bun.", "", "![[evidence]]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "decision"),
    [
        ("approve", Decision.APPROVE), ("Approved.", Decision.APPROVE), ("OK", Decision.APPROVE), ("yes!", Decision.APPROVE),
        ("Reject", Decision.REJECT), (" DEFER ", Decision.DEFER), ("maybe", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_words_that_decide(word: str | None, decision: Decision | None) -> None:
    assert read_decision(word) is decision


def test_a_word_that_decides_nothing_is_a_finding() -> None:
    data = b"---\nid: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: candidate\ndecision: perhaps\ntrust: total\n---\nUse bun.\n"
    candidate, decoded = decode_candidate(data, path="Memory/Inbox/x.md")
    assert candidate.decision == "perhaps"
    assert candidate.trust is None
    assert sorted((found.code, found.line) for found in decoded.findings) == [
        ("VM110", 5),
        ("VM122", 4),
    ]
