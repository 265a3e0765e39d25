"""Reading an open patch as people and plugins leave it; only what is as proposed can be selected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.patches import (
    DEVICE,
    FRESH,
    NOW,
    PATCH,
    TARGET,
    memories,
    operation,
    operations,
    patch_of,
)
from tests.examples import many
from vaultmem.core.operation import Deletion, Op, operation_hash
from vaultmem.core.patch import Patch, new_patch
from vaultmem.core.patch_rules import RULES
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.body import tick_task
from vaultmem.notes.frontmatter import get_properties, set_property
from vaultmem.notes.markdown import structure
from vaultmem.notes.patch import (
    INTRODUCTION,
    DecodedPatch,
    PatchDecision,
    decode_patch,
    encode_patch,
    read_patch_decision,
)

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation

THREE = patch_of(
    operation(Op.SUPERSEDE, reason="They differ."),
    replace(operation(Op.UPDATE), selected=True),
    operation(Op.DECAY),
)
NOTE = encode_patch(THREE).decode()


def decoded(note: str | bytes) -> DecodedPatch:
    return decode_patch(
        note if isinstance(note, bytes) else note.encode(), path="Memory/Inbox/p.md"
    )


def selected(note: str) -> list[str]:
    return [one.id for one in decoded(note).patch.operations if one.selected]


def codes(note: str) -> list[str]:
    return [found.code for found in decoded(note).findings]


def entry(number: int) -> str:
    """The box and the block of one operation, as written."""
    parts = NOTE.split("- [")
    return f"- [{parts[number]}"


def test_the_note_of_a_patch_is_one_that_a_person_can_decide_on() -> None:
    digest = operation_hash(PATCH, THREE.operations[1])
    assert (
        encode_patch(replace(THREE, operations=(THREE.operations[1],))).decode()
        == f"""\
---
id: {PATCH}
type: patch
decision:
status: proposed
created: 2026-11-29T21:05:00
device: {DEVICE}
---
{INTRODUCTION}

- [x] op_002 · update · medium: Use npm 11 for installs.

```yaml
id: op_002
op: update
target: {TARGET.id}
risk: medium
changes:
  statement: "Use npm 11 for installs."
  tags: ["memory/npm", "memory/tool"]
before:
  statement: "Use npm for installs."
  tags: ["memory/npm"]
hash: {digest}
```
"""
    )


def test_what_was_written_is_read_back() -> None:
    found = decoded(NOTE)
    assert found.patch == THREE
    assert (found.decision, found.altered, found.findings) == (None, (), ())
    assert found.usable
    assert {name: NOTE.splitlines()[line - 1][6:12] for name, line in found.lines.items()} == {
        "op_001": "op_001",
        "op_002": "op_002",
        "op_003": "op_003",
    }
    assert found.properties["status"] == "proposed"


def test_a_patch_without_time_and_device_has_no_such_properties() -> None:
    bare = Patch(id=PATCH, operations=())
    assert get_properties(encode_patch(bare)).keys() == {"id", "type", "decision", "status"}
    assert decoded(encode_patch(bare)).patch == bare


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("apply", PatchDecision.APPLY),
        ("Apply.", PatchDecision.APPLY),
        ("OK", PatchDecision.APPLY),
        (" yes! ", PatchDecision.APPLY),
        ("applied", PatchDecision.APPLY),
        ("REJECT", PatchDecision.REJECT),
        ("rejected", PatchDecision.REJECT),
        ("defer", PatchDecision.DEFER),
        ("deferred", PatchDecision.DEFER),
        ("approve", None),
        ("apply op_001", None),
        ("y", None),
        ("true", None),
        ("", None),
        (None, None),
    ],
)
def test_which_words_decide(word: str | None, expected: PatchDecision | None) -> None:
    assert read_patch_decision(word) is expected


@pytest.mark.parametrize(
    ("word", "decision", "found"),
    [
        ("apply", PatchDecision.APPLY, []),
        ("approve", None, ["VM650"]),
        (True, None, ["VM650"]),
        (None, None, []),
    ],
)
def test_the_decision_is_the_property(
    word: object, decision: PatchDecision | None, found: list[str]
) -> None:
    note = set_property(NOTE.encode(), "decision", word)
    assert decoded(note).decision is decision
    assert [one.code for one in decoded(note).findings] == found
    assert all(one.line == 4 for one in decoded(note).findings)


def test_ticks_select_and_clearing_one_unselects() -> None:
    assert selected(NOTE) == ["op_002"]
    data = tick_task(NOTE.encode(), decoded(NOTE).lines["op_003"], "op_003")
    data = tick_task(data, decoded(NOTE).lines["op_002"], "op_002", done=False)
    assert selected(data.decode()) == ["op_003"]


@pytest.mark.parametrize("mark", [*"-></?!*Xx 1✓", "\u00a0"])
def test_only_an_x_is_a_tick_and_another_mark_is_reported(mark: str) -> None:
    note = NOTE.replace("- [ ] op_003", f"- [{mark}] op_003")
    assert ("op_003" in selected(note)) == (mark in "xX")
    assert codes(note) == ([] if mark in "xX \u00a0" else ["VM651"])
    if codes(note):
        line = decoded(note).findings[0].line
        assert line is not None
        assert "op_003" in note.splitlines()[line - 1]


@pytest.mark.parametrize(
    "box",
    [
        "* [x] op_003 · decay · low",
        "+ [x] op_003",
        "1. [x] op_003 and text that I typed",
        "- [x] op_003 · decay · low: Use npm for installs. ✅ 2026-11-30 ^abc123",
        "- [x] op_003 [due:: 2026-12-01] #task ⏳ 2026-12-01 🔁 every week",
        "- [x] 🔺 **op_003** · decay",
        "    - [x] op_003",
        "> - [x] op_003",
        "- [x]  op_003: op_001 op_002",
    ],
)
def test_what_plugins_and_people_make_of_a_box_still_selects(box: str) -> None:
    lines = NOTE.splitlines()
    lines[decoded(NOTE).lines["op_003"] - 1] = box
    note = "\n".join(lines)
    if box.startswith("    "):
        note = note.replace(box, f"- mine\n{box}")
    assert selected(note) == ["op_002", "op_003"]
    assert codes(note) == []


@pytest.mark.parametrize(
    "box",
    [
        "- [x ] op_003",
        "- [] op_003",
        "-[x] op_003",
        "- x op_003",
        "- [x]op_003",
        "- [x] do op_003",
        "- [x] op_0034567",
        "- [x] op_3",
        "- [x] op_003a",
        "`- [x] op_003`",
        "%% - [x] op_003 %%",
        "<!-- - [x] op_003 -->",
        "```\n- [x] op_003\n```",
        "",
    ],
)
def test_what_is_no_box_selects_nothing_and_is_reported(box: str) -> None:
    lines = NOTE.splitlines()
    lines[decoded(NOTE).lines["op_003"] - 1] = box
    note = "\n".join(lines)
    assert selected(note) == ["op_002"]
    assert "VM654" in codes(note)


def test_boxes_and_blocks_belong_together_by_id_wherever_they_stand() -> None:
    head = NOTE[: NOTE.index("- [")]
    note = head + entry(3) + "My own words.\n\n" + entry(1) + entry(2)
    assert decoded(note).patch == THREE
    boxes = [line for line in NOTE.splitlines() if line.startswith("- [")]
    blocks = "".join(entry(number).split("\n", 1)[1] for number in (2, 3, 1))
    apart = head + "\n".join(reversed(boxes)) + "\n\n" + blocks
    assert decoded(apart).patch == THREE
    assert codes(apart) == []


@pytest.mark.parametrize(
    "restyled",
    [
        NOTE.replace("\n", "\r\n"),
        "\ufeff" + NOTE,
        NOTE.replace("```yaml", "~~~~").replace("```", "~~~~"),
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("\n```yaml", "\n```yml title=x"),
        NOTE.replace("hash: ", "hash:   "),
        NOTE.replace('"They differ."', "They differ."),
        NOTE.replace("confidence: 0.75", "confidence: 0.750"),
        NOTE + "\n```yaml\nid: mine\n```\n\n```\nop_001\n```\n",
        NOTE.replace("  tags: [", "  tags:\n    [").replace("risk: medium\n", "risk: 'medium'\n"),
    ],
)
def test_another_spelling_of_the_same_values_is_no_edit(restyled: str) -> None:
    assert restyled != NOTE
    found = decoded(restyled)
    assert found.patch == THREE
    assert found.findings == ()


def test_a_block_that_a_list_swallowed_is_read() -> None:
    indented = entry(3).replace("\n", "\n  ").rstrip() + "\n"
    note = NOTE.replace(entry(3), indented)
    assert note != NOTE
    assert decoded(note).patch == THREE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("op: update\n", "op: delete\n"),
        ("op: update\n", "op: nonsense\n"),
        ("op: update\n", ""),
        ('  statement: "Use npm 11 for installs."\n', '  statement: "Run curl | sh."\n'),
        ("changes:\n", 'changes:\n  layer: "L1"\n'),
        ("changes:\n", 'changes:\n  nonsense: "L1"\n'),
        ("changes:\n", "changes:\n  pinned: maybe\n"),
        ("changes:\n", "changes:\n  review_days: 0\n"),
        ("changes:\n", "changes: 7\nextra:\n"),
        ("changes:\n", "changes: 7\nbefore_that:\n"),
        (
            f"target: {TARGET.id}\nrisk: medium\nchanges",
            f"target: {FRESH.id}\nrisk: medium\nchanges",
        ),
        (f"target: {TARGET.id}\nrisk: medium\nchanges", "target: x\nrisk: medium\nchanges"),
        ("risk: medium\nchanges", "risk: low\nchanges"),
        ("risk: medium\nchanges", "risk: [low, high]\nchanges"),
        ("risk: medium\nchanges", "risk: medium\nselected: true\nchanges"),
        ("risk: medium\nchanges", "risk: medium\ncandidate: nobody\nchanges"),
        ("risk: medium\nchanges", "risk: medium\nreason: 'because'\nchanges"),
        ("risk: medium\nchanges", "risk: medium\nrisk: medium\nchanges"),
        ("risk: medium\nchanges", "risk: medium\n\tchanges"),
        ("id: op_002\n", "- id: op_002\n"),
        ("id: op_002\n", "id: op_002x\n"),
        ("id: op_002\n", "x:\n  id: op_002\nid: op_003\n"),
    ],
)
def test_an_edited_block_is_not_applied_and_is_reported(old: str, new: str) -> None:
    note = NOTE.replace(old, new)
    assert note != NOTE
    found = decoded(note)
    assert "op_002" not in selected(note)
    assert {"VM652", "VM653"} & set(codes(note))
    assert "op_002" in found.altered
    assert [one for one in found.patch.operations if one.id == "op_001"] == [THREE.operations[0]]


def test_a_block_that_pretends_to_be_another_operation_is_not_applied() -> None:
    # the wrapped text is read as one line, so the hash holds
    one = replace(THREE.operations[1], reason="a id: op_001 b")
    note = encode_patch(replace(THREE, operations=(one,))).decode()
    block = note[note.index("id: op_002") : note.rindex("```")]
    wrapped = 'reason: "a\n  id: op_001 b"\n' + block.replace('reason: "a id: op_001 b"\n', "")
    assert selected(note) == ["op_002"]
    assert selected(note.replace(block, wrapped)) == []
    assert codes(note.replace(block, wrapped)) == ["VM652", "VM653", "VM654"]
    assert "names another operation" in decoded(note.replace(block, wrapped)).findings[0].message


def test_an_operation_of_another_patch_is_not_applied() -> None:
    other = replace(THREE, id=PATCH[:-1] + "9")
    stolen = NOTE.replace(
        entry(2), "".join(encode_patch(other).decode().partition("- [x")[1:]).split("- [ ]")[0]
    )
    assert stolen != NOTE
    assert selected(stolen) == []
    assert codes(stolen) == ["VM652"]


def test_a_wrong_hash_says_so_with_the_line_of_the_block() -> None:
    note = NOTE.replace("Use npm 11", "Use npm 12")
    [found] = decoded(note).findings
    assert found.message == "The block of op_002 does not match its hash."
    assert found.line is not None
    assert note.splitlines()[found.line - 1] == "```yaml"
    assert found.path == "Memory/Inbox/p.md"


def test_a_deleted_block_and_a_deleted_box_are_reported() -> None:
    box, block = entry(2).split("\n", 1)
    assert codes(NOTE.replace(block, "\n")) == ["VM653"]
    assert selected(NOTE.replace(block, "\n")) == []
    assert codes(NOTE.replace(box, "")) == ["VM654"]
    assert selected(NOTE.replace(box, "")) == []
    gone = NOTE.replace(entry(2), "")
    assert (codes(gone), selected(gone)) == ([], [])


def test_equal_copies_count_once() -> None:
    twice = NOTE + "\n" + entry(2)
    assert selected(twice) == ["op_002"]
    assert codes(twice) == ["VM655", "VM655"]
    assert len(decoded(twice).patch.operations) == 3


def test_of_boxes_that_differ_none_counts() -> None:
    twice = NOTE + "\n- [ ] op_002 a copy that a recurrence made\n"
    assert selected(twice) == []
    assert codes(twice) == ["VM655"]


def test_of_blocks_that_differ_none_counts() -> None:
    forged = encode_patch(
        replace(THREE, operations=(replace(THREE.operations[1], reason="Forged."),))
    ).decode()
    twice = NOTE + "\n" + forged[forged.index("```") :]
    assert selected(twice) == []
    assert decoded(twice).altered == ("op_002",)
    assert codes(twice) == ["VM655"]


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (NOTE.replace("type: patch", "type: memory"), "VM117"),
        (NOTE.replace(f"id: {PATCH}", "id: mine"), "VM113"),
        (NOTE.replace(f"id: {PATCH}\n", ""), "VM118"),
        (NOTE + "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "VM108"),
    ],
)
def test_in_a_note_that_is_not_whole_nothing_is_decided(broken: str, code: str) -> None:
    found = decoded(broken.replace("decision:", "decision: apply"))
    assert code in [one.code for one in found.findings]
    assert not found.usable
    assert found.decision is None
    assert decoded(NOTE.replace("decision:", "decision: apply")).decision is PatchDecision.APPLY


def test_an_unreadable_note_is_named() -> None:
    with pytest.raises(NoteUnreadableError) as caught:
        decoded(b"---\nid: [\n---\n")
    assert caught.value.path == "Memory/Inbox/p.md"


def test_the_status_is_read_and_a_wrong_one_is_a_finding() -> None:
    assert decoded(encode_patch(replace(THREE, status=PatchStatus.APPLYING))).patch.status == (
        PatchStatus.APPLYING
    )
    wrong = NOTE.replace("status: proposed", "status: done")
    assert decoded(wrong).patch.status is PatchStatus.PROPOSED
    assert codes(wrong) == ["VM110"]


@pytest.mark.parametrize("broken", [{"id": ""}, {"id": "op_1"}, {"target": "x"}])
def test_an_operation_that_could_not_be_read_back_is_not_written(broken: dict[str, str]) -> None:
    one = replace(THREE.operations[1], **broken)
    with pytest.raises(ValueError, match=r"wrong form|no id"):
        encode_patch(replace(THREE, operations=(one,)))


@pytest.mark.parametrize(
    ("one", "label"),
    [
        (operation(Op.DELETE, deletion=Deletion.PURGE), TARGET.id),
        (operation(Op.DELETE, deletion=Deletion.PURGE, reason="Private."), "Private."),
        (operation(Op.REJECT_CANDIDATE), operation(Op.REJECT_CANDIDATE).candidate),
        (operation(Op.CONTEST), TARGET.statement),
        (
            operation(Op.ADD, memory=replace(FRESH, statement="Pay 📅 2026-01-01 🔁 daily 🔺")),
            "Pay 2026-01-01 daily",
        ),
        (
            operation(Op.ADD, memory=replace(FRESH, statement="word " * 98 + "end")),
            "word " * 40 + "…",
        ),
    ],
)
def test_the_line_of_a_box_says_what_it_is_about(one: Operation, label: str) -> None:
    note = encode_patch(patch_of(one)).decode()
    line = note.splitlines()[decoded(note).lines["op_001"] - 1]
    assert line.split(": ", 1)[1] == label
    assert decoded(note).patch == patch_of(one)


HOSTILE = [
    "<% tp.file.delete() %>",
    "```dataviewjs\nalert(1)\n```",
    "`= this.file`",
    "![x](http://evil.example/x.png)",
    "![[Secret]]",
    "[[Secret]] [a](javascript:x)",
    "- [x] op_001 · delete",
    "x\n- [x] op_001 · delete\n",
    "```\n\n- [x] op_002\n\n```yaml\nid: op_002",
    "hash: 0\nid: op_009",
    "<!-- hidden --> %%hidden%%",
    '"}\nselected: true',
    "\u202e\u200b\U000e0041 bidi",
    "due:: 2026-01-01 #tag ^abc",
    "$x$ $$y$$ <img src=x>",
    "---\nid: x\n---",
    "'; \"\\ \\u0000 *a &a !!python/object",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", ["statement", "reason", "tag", "before"])
def test_captured_text_is_inert_in_a_patch(text: str, place: str) -> None:
    words = " ".join(text.split())
    memory = replace(TARGET, statement=words) if place == "before" else TARGET
    one = {
        "statement": operation(Op.ADD, memory=replace(FRESH, statement=words)),
        "reason": operation(Op.ADD, reason=words),
        "tag": operation(Op.ADD, memory=replace(FRESH, domains=(words,))),
        "before": operation(Op.CONTEST),
    }[place]
    patch = patch_of(one, memory=memory)
    note = encode_patch(patch)
    found = decoded(note)
    assert found.patch == patch
    assert found.findings == ()
    body = note.decode().partition("\n---\n")[2]
    parts = structure(body)
    assert len(parts.tasks) == len(parts.fences) == 1
    assert parts.links == parts.tags == parts.block_ids == parts.headings == ()
    assert "<%" not in body
    assert not set("![]<>#%^$=|`").intersection(
        "".join(
            line.partition(": ")[2].strip("[]") for line in parts.fences[0].content.splitlines()
        )
    )


pairs = st.lists(st.tuples(operations(), memories), min_size=1, max_size=4)


def patch_from(found: list[tuple[Operation, Memory]]) -> Patch:
    targets = [(one, memory if RULES[one.op].statuses else None) for one, memory in found]
    return new_patch(PATCH, targets, created=NOW, device=DEVICE)


@many(2)
@given(pairs)
def test_any_patch_is_read_back_from_its_note(found: list[tuple[Operation, Memory]]) -> None:
    note = encode_patch(patch_from(found))
    once = decode_patch(note, path="p.md")
    assert once.findings == ()
    assert [one.id for one in once.patch.operations] == [
        one.id for one in patch_from(found).operations
    ]
    again = decode_patch(encode_patch(once.patch), path="p.md")
    assert again.patch == once.patch
    assert encode_patch(once.patch) == note
    for one, two in zip(once.patch.operations, patch_from(found).operations, strict=True):
        assert (one.op, one.target, one.selected, one.risk) == (
            two.op,
            two.target,
            two.selected,
            two.risk,
        )
        assert one.changes.keys() == two.changes.keys()


LINES = NOTE.splitlines(keepends=True)
edits = st.lists(
    st.one_of(
        st.tuples(st.just("delete"), st.integers(0, 80), st.just("")),
        st.tuples(st.just("copy"), st.integers(0, 80), st.just("")),
        st.tuples(st.just("swap"), st.integers(0, 80), st.just("")),
        st.tuples(
            st.just("insert"),
            st.integers(0, 80),
            st.sampled_from(
                [
                    *("```\n", "~~~\n", "%%\n", "<!--\n", "$$\n", "---\n", "> \n", "    "),
                    *("- [x] op_001\n", "- [x] op_003 x\n", "id: op_001\n"),
                    *("hash: 0\n", "op: delete\n"),
                ]
            ),
        ),
        st.tuples(
            st.just("replace"),
            st.integers(0, 80),
            st.text(st.sampled_from("x[]-` op_0123:\n\r\t'\"{}#|>"), max_size=12),
        ),
    ),
    max_size=6,
)


def edited(changes: list[tuple[str, int, str]]) -> bytes:
    lines = list(LINES)
    for kind, number, text in changes:
        place = number % len(lines)
        if kind == "delete" and len(lines) > 1:
            del lines[place]
        elif kind == "copy":
            lines.insert(place, lines[place])
        elif kind == "swap":
            lines[place], lines[0 - place] = lines[0 - place], lines[place]
        elif kind == "insert":
            lines.insert(place, text)
        elif kind == "replace":
            lines[place] = f"{text}{lines[place][len(text) :]}"
    return "".join(lines).encode()


@many(4)
@given(edits)
def test_no_edit_by_hand_selects_what_was_not_proposed(changes: list[tuple[str, int, str]]) -> None:
    try:
        found = decode_patch(edited(changes), path="p.md")
    except NoteUnreadableError:
        return
    known = {one.id: operation_hash(PATCH, one) for one in THREE.operations}
    for one in found.patch.operations:
        assert found.patch.id == PATCH
        assert operation_hash(PATCH, one) == known[one.id]
    ids = [one.id for one in found.patch.operations]
    assert len(ids) == len(set(ids))
    assert not set(ids) & set(found.altered)
    assert {one.id for one in found.patch.operations if one.selected} <= found.lines.keys()


@many(2)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for whole in (data, NOTE.encode()[:200] + data, NOTE.encode() + data):
        try:
            found = decode_patch(whole, path="p.md")
        except NoteUnreadableError:
            continue
        assert len(found.patch.operations) <= 3
