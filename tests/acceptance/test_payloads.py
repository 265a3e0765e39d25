"""Captured text is inert in every note that it comes to stand in, and a person can still read it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.capturing import capture
from tests.acceptance.inertness import acting, fences, invisible, outside_fences, split
from tests.acceptance.payloads import PAYLOADS
from tests.cli.terminal import Terminal, files
from tests.core.patches import DEVICE, NEW, NOW, PATCH, TARGET, operation
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.inert import clean, escape_inline, fence
from vaultmem.core.ledger import LedgerKind, parse_line
from vaultmem.core.naming import title_of
from vaultmem.core.operation import Op
from vaultmem.core.patch import new_patch
from vaultmem.core.trust import TrustClass
from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.codec import decode_memory
from vaultmem.notes.markdown import structure
from vaultmem.notes.patch import decode_patch, encode_patch
from vaultmem.services import evidence
from vaultmem.services.write import entry

CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]"
each = pytest.mark.parametrize("payload", PAYLOADS, ids=lambda one: one.name)


def test_there_are_thirty_texts_and_more():
    assert len(PAYLOADS) >= 30
    assert len({one.sign for one in PAYLOADS}) == len(PAYLOADS)
    for one in PAYLOADS:
        assert one.sign in clean(one.text).text, one.name


HARMLESS_AS_WORDS = {"json_breaker", "yaml_value", "yaml_key", "long_line", "wide_tag"}
"""They would break what holds them: a property, a line of JSON, a tag of the report."""


@each
def test_written_as_it_came_each_text_acts_or_hides_and_the_checks_see_it(payload):
    found = [*acting(payload.text, payload.sign), *invisible(payload.text), *fences(payload.text)]
    assert bool(found) is (payload.name not in HARMLESS_AS_WORDS)


@each
def test_as_a_statement_it_is_one_paragraph_of_words_in_the_memorys_note(memories, payload):
    kept = memories[payload.name]
    note = split(kept.data)
    assert acting(note.body, payload.sign) == []
    assert fences(note.body) == []
    assert "pinned" not in note.properties
    assert "layer" not in note.properties
    assert set(note.properties) == set(split(memories["zero_width"].data).properties)
    read = decode_memory(kept.data, path=kept.path)
    assert read.memory.statement == clean(payload.text).text


@each
def test_as_a_statement_it_waits_in_the_inbox_and_decides_nothing(candidates, payload):
    kept = candidates[payload.name]
    note = split(kept.data)
    embeds = re.findall(r"!\[\[[^\[\]|#^]* evidence dev_\w+#\^ev-\w+\]\]", note.body)
    assert acting(note.body, payload.sign, links=embeds) == []
    assert note.properties["type"] == "candidate"
    assert note.properties["decision"] == ""
    assert set(note.properties) == set(split(candidates["zero_width"].data).properties)
    candidate, _ = decode_candidate(kept.data, path=kept.path)
    assert candidate.memory.statement == clean(payload.text).text


@each
def test_as_a_title_it_is_a_file_name_and_a_link_to_it_is_one_link(memories, payload):
    path = memories[payload.name].path
    name = Path(path).name
    assert len(name.encode()) <= 120
    assert not set(name) & set('\\/:*?"<>|#^[]')
    assert "%%" not in name
    assert invisible(name) == []
    assert name == name.strip().lstrip(".")
    assert Path(path).parent.as_posix() == "Memory/Lessons"
    link = f"[[{title_of(path)}]]"
    assert acting(f"See {link}, it is about this.\n", payload.sign, links=[link]) == []


@each
def test_as_a_tag_it_is_one_plain_value_of_the_list(places, payload):
    text = f"Tagged {payload.sign} stays in one piece."
    kept = capture(places["person"], text, f"--tag={payload.text}")
    note = split(kept.data)
    (tag,) = note.properties["tags"]
    assert invisible(tag) == []
    assert "<%" not in tag
    assert not re.search(r"\s", tag)
    assert payload.sign in tag
    assert "pinned" not in note.properties
    assert decode_memory(kept.data, path=kept.path).memory.tags == (tag,)


@each
def test_a_patch_note_holds_as_many_boxes_and_blocks_as_operations(payload):
    statement = clean(payload.text).text
    add = replace(
        operation(Op.ADD, reason=payload.text),
        memory=replace(TARGET, id=NEW, statement=statement, exceptions=(payload.text,)),
    )
    contest = operation(Op.CONTEST, reason=payload.text)
    target = replace(TARGET, statement=statement)
    patch = new_patch(PATCH, [(add, None), (contest, target)], created=NOW, device=DEVICE)
    data = encode_patch(patch)
    note = split(data)
    assert set(note.properties) == {"id", "type", "decision", "status", "created", "device"}
    assert note.properties["decision"] == ""
    assert [info for info, _ in fences(note.body)] == ["yaml", "yaml"]
    boxes = re.findall(r"^- \[(.)\] (op_\d+) · ", outside_fences(note.body), re.M)
    assert boxes == [(" ", "op_001"), (" ", "op_002")]
    found = acting(note.body, payload.sign, where={"list_item"})
    assert [
        one for one in found if not one.startswith(("ticks a task:  op_00", "ticks a task:   "))
    ] == []
    read = decode_patch(data, path="Memory/Inbox/x.md")
    assert [one.op for one in read.patch.operations] == [Op.ADD, Op.CONTEST]
    assert read.altered == ()
    first, second = read.patch.operations
    assert first.memory is not None
    assert first.memory.statement == second.before["statement"] == statement
    assert payload.sign in first.memory.exceptions[0]
    for one in read.patch.operations:
        assert one.reason.split() == patch.operations[0].reason.split()
        assert not one.selected
    for _, block in fences(note.body):
        assert invisible(block) == []
        assert not re.search(r"<%|\[\[|!\[|%%|```|https?://", block)


@each
def test_in_a_ledger_it_is_one_line_that_reads_back(world, payload):
    call = world.here.call()
    line = entry(call, "contested", "-", {"reason": payload.text, payload.text[:30]: 1})
    call.vault.append(LedgerKind.ACTIVITY, [line])
    (written,) = world.ledger().splitlines()
    assert invisible(written) == []
    assert acting(written + "\n", payload.sign, where={"list_item"}) == []
    read = parse_line(written)
    assert read is not None
    assert read.entry.values["reason"] == payload.text
    assert world.here.sync().findings == ()


@each
def test_as_a_line_of_the_log_it_is_words_behind_a_list_mark(payload):
    line = f"- 21:05 {escape_inline(payload.text)}\n- {escape_inline(payload.text)}\n"
    assert acting(line, payload.sign, where={"list_item"}) == []
    assert line.count("\n") == 2


@each
def test_in_the_evidence_of_the_day_it_stays_whole_inside_a_callout(world, payload):
    call = world.here.call()
    piece = new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=TrustClass.USER_CORRECTION,
        excerpt=payload.text,
        session=payload.text[:200],
        source_ref=payload.text[:200],
        project=clean(payload.text).text[:80],
    )
    (link,) = evidence.record(call, [piece])
    path = next(one for one in world.snapshot() if one.startswith("Memory/System/Evidence/"))
    note = split(world.path(path).read_bytes())
    plain = outside_fences(note.body)
    assert acting(note.body, payload.sign, where={"blockquote", "list_item"}) == []
    assert "<%" not in world.read(path)
    assert re.findall(r"\^ev-\w+", plain) == [link.split("#")[1].rstrip("]")]
    assert len([one for one in plain.split("\n") if re.match(r"> \[!", one)]) == 1
    assert evidence.find(call, [piece.id]) == (piece,)
    assert world.here.sync().findings == ()


@each
def test_in_an_excerpt_it_stays_whole_inside_its_fence(payload):
    body = f"Before.\n\n{fence(payload.text)}\n\nAfter {payload.sign}.\n"
    assert acting(body, payload.sign) == []
    ((_, content),) = fences(body)
    assert payload.sign in content
    assert set(re.findall(r"\w+", payload.text)) <= set(re.findall(r"\w+", content))
    assert not re.search(CONTROLS, content)


@pytest.mark.parametrize("who", ["person", "agent", "decided"])
def test_no_note_of_the_vault_acts_whatever_was_captured_and_decided(
    places, memories, candidates, decided, who
):
    notes = _notes(places[who])
    assert len(notes) > len(PAYLOADS)
    for path, data in notes.items():
        assert b"<%" not in data, path
        note = split(data)
        embeds = re.findall(r"!?\[\[[^\[\]|#^]*(?:#\^ev-\w+)?\]\]", note.body)
        for one in (one for one in PAYLOADS if one.sign in note.body):
            assert acting(note.body, one.sign, links=embeds) == [], (path, one.name)


@each
def test_approved_and_contested_for_a_hostile_reason_it_says_what_it_said(decided, payload):
    kept = decided[payload.name]
    note = split(kept.data)
    assert note.properties["status"] == "contested"
    assert "pinned" not in note.properties
    assert "layer" not in note.properties
    read = decode_memory(kept.data, path=kept.path)
    assert read.memory.statement == clean(payload.text).text
    done = kept.terminal.ok("why", kept.id)
    assert invisible(done.out + done.err) == []


def test_a_patch_of_all_of_it_has_one_box_and_one_block_for_each(patched):
    terminal, identifier, path = patched
    note = split((terminal.cwd / path).read_bytes())
    assert (note.properties["id"], note.properties["decision"]) == (identifier, "")
    assert [info for info, _ in fences(note.body)] == ["yaml"] * len(PAYLOADS)
    boxes = re.findall(r"^- \[(.)\] (op_\d+) · add", outside_fences(note.body), re.M)
    assert boxes == [(" ", f"op_{number:03}") for number in range(1, len(PAYLOADS) + 1)]
    assert len(structure(note.body).tasks) == len(PAYLOADS)
    for one in PAYLOADS:
        found = acting(note.body, one.sign, where={"list_item"})
        assert [what for what in found if not what.startswith("ticks a task:  op_")] == []


def _notes(terminal: Terminal) -> dict[str, bytes]:
    """Every note of the memory root but ledgers, settings and the reports that others save there."""
    return {
        path: data
        for path, data in files(terminal.cwd).items()
        if data
        and path.endswith(".md")
        and path.startswith("Memory/")
        and not re.search("/Ledger/|/Reports/", path)
    }
