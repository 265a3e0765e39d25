"""Notes of every type, changed by people, plugins and broken disks: read, or a finding, never more."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC

from hypothesis import strategies as st

from tests.core.patches import NOW
from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import mutants, texts
from vaultmem.core.evidence import is_intact
from vaultmem.core.finding import CODES
from vaultmem.core.inert import clean
from vaultmem.core.operation import operation_hash
from vaultmem.errors import EditRefusedError, NoteError, NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.body import append_callout, append_line, replace_statement, tick_task
from vaultmem.notes.candidate import (
    decode_candidate,
    encode_candidate,
    with_evidence,
    without_notice,
)
from vaultmem.notes.canvas import decode_canvas, encode_canvas
from vaultmem.notes.codec import decode_memory, encode_memory, finding_of
from vaultmem.notes.evidence import callout_spans, decode_evidence_day
from vaultmem.notes.hints import Hint, hints_in, with_hints, without_hints
from vaultmem.notes.inquiry import decode_inquiry
from vaultmem.notes.knowledge_draft import Draft, knowledge_draft
from vaultmem.notes.markdown import structure
from vaultmem.notes.patch import decode_patch
from vaultmem.notes.patch_cut import without_operations
from vaultmem.notes.patch_day import decode_patch_day
from vaultmem.notes.promotion import decode_promotion
from vaultmem.notes.review import add_to_review, decode_review
from vaultmem.notes.session import decode_session
from vaultmem.notes.skill import check_skill
from vaultmem.notes.statement import find_statement

PATH = "Memory/Lessons/x.md"
ANY = mutants([*seeds.OURS, *seeds.BLOCKS])


def check_findings(findings, data: bytes) -> None:
    """Each says where in the note, what and what next."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for one in findings:
        assert one.code in CODES
        assert one.path == PATH
        assert one.line is None or 1 <= one.line <= lines, (one, lines)
        assert one.message
        assert one.remedy
        str(one).encode("utf-8", "surrogatepass")


def read_or_finding(decode, data: bytes):
    """What a decoder makes of the bytes; None for a note that is a finding instead."""
    try:
        found = decode(data)
    except NoteUnreadableError as error:
        check_findings([finding_of(error, PATH)], data)
        return None
    return found


@fuzz(mutants(seeds.MEMORIES), examples=50)
def test_a_memory_is_read_or_a_finding_and_what_was_read_can_be_written(data):
    found = read_or_finding(lambda data: decode_memory(data, path=PATH), data)
    if found is None:
        return
    check_findings(found.findings, data)
    if found.statement_span is None:
        assert (found.memory.statement, found.usable) == ("", False)
        return
    start, end = found.statement_span
    assert 0 <= found.body_start <= start < end <= len(data)
    if clean(found.memory.statement).text != found.memory.statement:
        return
    again = decode_memory(encode_memory(found.memory), path=PATH)
    assert again.memory.statement == found.memory.statement
    once_more = decode_memory(encode_memory(again.memory), path=PATH)
    assert once_more.memory == again.memory
    assert not {one.code for one in again.findings} - {"VM118", "VM113"}


@fuzz(mutants(seeds.CANDIDATES), examples=60)
def test_a_candidate_is_read_or_a_finding_and_what_was_read_can_be_written(data):
    read = read_or_finding(lambda data: decode_candidate(data, path=PATH), data)
    if read is None:
        return
    candidate, decoded = read
    check_findings(decoded.findings, data)
    if clean(candidate.memory.statement).text:
        again, _ = decode_candidate(encode_candidate(candidate), path=PATH)
        assert decode_candidate(encode_candidate(again), path=PATH)[0] == again
    with suppress(NoteError):
        more = with_evidence(data, "[[day#^ev-2]]")
        _keeps_body_but(data, more, added=True)
    _keeps_body_but(data, without_notice(data), added=False)


def _keeps_body_but(data: bytes, changed: bytes, *, added: bool) -> None:
    """One part was put into the body, or cut out; every other byte is there."""
    long, short = (changed, data) if added else (data, changed)
    long, short = (one[frontmatter.read(one).body_start :] for one in (long, short))
    head = next(
        (at for at, (a, b) in enumerate(zip(long, short, strict=False)) if a != b), len(short)
    )
    assert long.endswith(short[head:])


@fuzz(mutants([*seeds.INQUIRIES, *seeds.PROMOTIONS, *seeds.SESSION_NOTES]), examples=40)
def test_other_notes_are_read_or_a_finding_whatever_type_they_are(data):
    for decode in (
        lambda data: decode_inquiry(data, path=PATH).findings,
        lambda data: decode_promotion(data, path=PATH).findings,
        lambda data: decode_session(data, UTC, path=PATH).findings,
    ):
        if (found := read_or_finding(decode, data)) is not None:
            check_findings(found, data)


@fuzz(mutants([seeds.EVIDENCE_DAY]), examples=60)
def test_changed_evidence_supports_nothing_and_what_is_intact_says_what_it_said(data):
    read = read_or_finding(lambda data: decode_evidence_day(data, path=PATH), data)
    if read is None:
        return
    pieces, findings = read
    check_findings(findings, data)
    said = {one.id: one.text.split() for one in seeds.PIECES}
    for one in pieces:
        if is_intact(one):
            assert one.text.split() == said[one.id]
    was = [one.id for one in pieces]
    for identifier, start, end in callout_spans(data):
        assert 0 <= start < end <= len(data)
        left = data[:start] + data[end:]
        read = read_or_finding(lambda data: decode_evidence_day(data, path=PATH), left)
        if read is not None:
            assert [one.id for one in read[0]].count(identifier) <= was.count(identifier)


@fuzz(mutants(seeds.PATCHES), examples=25)
def test_a_patch_edited_by_hand_selects_only_what_was_proposed_and_ticked(data):
    found = read_or_finding(lambda data: decode_patch(data, path=PATH), data)
    if found is None:
        return
    check_findings(found.findings, data)
    known = {one.id: operation_hash(seeds.PATCH, one) for one in seeds.OPERATIONS}
    ids = [one.id for one in found.patch.operations]
    assert len(ids) == len(set(ids))
    for one in found.patch.operations:
        assert found.patch.id == seeds.PATCH
        assert operation_hash(seeds.PATCH, one) == known[one.id]
        assert one.id in found.lines or not one.selected
    lines = data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for identifier, line in found.lines.items():
        assert identifier in lines[line - 1]
        with suppress(EditRefusedError):
            ticked = tick_task(data, line, identifier)
            assert len(ticked) == len(data)
            assert sum(a != b for a, b in zip(ticked, data, strict=True)) <= 1
    if not found.usable:
        assert found.decision is None


@fuzz(mutants(seeds.PATCHES), st.sampled_from(seeds.OPERATIONS), examples=40)
def test_an_operation_is_cut_out_of_any_patch_with_all_its_words(data, doomed):
    try:
        cut = without_operations(data, lambda text: doomed.id in text)
    except NoteUnreadableError:
        return
    left = iter(cut.data.splitlines())
    every = data.splitlines()
    assert sum(1 for line in every if line) >= sum(1 for line in cut.data.splitlines() if line)
    wanted = next(left, None)
    for line in every:
        if wanted is not None and line == wanted:
            wanted = next(left, None)
    assert wanted is None, "a line that was not there before"
    with suppress(NoteUnreadableError):  # what stood below the lines that went is on top now
        assert without_operations(cut.data, lambda text: doomed.id in text).gone == ()


@fuzz(mutants([seeds.PATCH_DAY]), examples=80)
def test_a_day_of_decided_patches_is_read_or_a_finding(data):
    read = read_or_finding(lambda data: decode_patch_day(data, path=PATH), data)
    if read is not None:
        check_findings(read[1], data)


@fuzz(mutants([*seeds.REVIEWS, *seeds.SKILLS]), texts, examples=60)
def test_reviews_and_skills_are_read_or_refused_and_keep_their_other_lines(data, text):
    with suppress(NoteError):
        check_skill(data, "add-files")
    try:
        before = decode_review(data)
    except NoteUnreadableError:
        return
    words = clean(text).text
    if not words:
        return
    for proposed in (True, False):
        after = add_to_review(data, words, proposed=proposed)
        told = decode_review(after)
        assert told.project == before.project
        assert len(told.guidelines) in (len(before.guidelines), len(before.guidelines) + 1)
        assert add_to_review(after, words, proposed=True) == after


@fuzz(ANY, texts, examples=35)
def test_a_change_of_the_body_changes_its_own_bytes_only(data, text):
    try:
        block = frontmatter.read(data)
    except NoteUnreadableError:
        block = None
    try:
        longer = append_line(data, "one more")
        assert longer.startswith(data)
        longer = append_callout(data, ["> [!note] x"], "ev-1")
        assert longer.startswith(data)
    except NoteUnreadableError:
        assert block is None
        return
    assert block is not None
    found = find_statement(block.body)
    try:
        changed = replace_statement(data, text)
    except EditRefusedError:
        return
    assert found is not None
    start = block.body_start + len(block.body[: found.start].encode())
    end = block.body_start + len(block.body[: found.end].encode())
    assert changed[:start] == data[:start]
    assert changed.endswith(data[end:])
    assert decode_memory(changed, path=PATH).memory.statement == clean(text).text


@fuzz(ANY, texts, examples=35)
def test_hints_are_put_in_and_taken_out_without_another_byte_of_the_body(data, text):
    hints_in(data.decode("utf-8", "replace"))
    try:
        block = frontmatter.read(data)
        told = with_hints(data, [Hint("[[Git worktrees]]", 0.5, text)])
    except (NoteUnreadableError, EditRefusedError):
        return
    if hints_in(block.body):
        return
    after = frontmatter.read(told)
    assert after.body.startswith(block.body)
    assert [one.link for one in hints_in(after.body)] == ["[[Git worktrees]]"]
    left = frontmatter.read(without_hints(told)).body
    assert left.startswith(block.body)
    assert not left[len(block.body) :].strip()


@fuzz(mutants([*seeds.TEMPLATES, *seeds.BLOCKS]), texts, examples=80)
def test_any_template_makes_a_draft_that_is_a_note(template, text):
    words = clean(text).text or "x"
    draft = knowledge_draft(Draft(words, words, ("[[A]]",), NOW), template)
    assert frontmatter.read(draft.encode("utf-8", "replace")).body.strip()


@fuzz(mutants(seeds.CANVASES), examples=60)
def test_a_canvas_is_read_or_refused_and_written_again(data):
    try:
        canvas = decode_canvas(data, path=PATH)
    except NoteError:
        return
    assert repr(decode_canvas(encode_canvas(canvas), path=PATH)) == repr(canvas)


@fuzz(ANY, examples=35)
def test_the_structure_of_any_text_lies_in_it(data):
    text = data.decode("utf-8", "replace")
    lines = text.count("\n") + text.count("\r") + 1
    for parts in structure(text):
        assert all(1 <= part.line <= lines for part in parts)
