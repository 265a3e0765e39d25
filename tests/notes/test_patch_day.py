"""The day's note of decided patches holds ids, and every entry can be linked to and read back."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.patches import CANDIDATE, DEVICE, NEW, NOW, OLD, PATCH
from tests.examples import many
from vaultmem.core.operation import Op, operation_id
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.markdown import structure
from vaultmem.notes.patch_day import (
    Decided,
    DecidedOperation,
    Result,
    append_decided,
    decode_patch_day,
    new_patch_day,
)

DAY = new_patch_day(PATCH, device=DEVICE, day=date(2026, 11, 29))
DONE = Decided(
    id=PATCH,
    status=PatchStatus.PARTIALLY_APPLIED,
    at=NOW,
    by="person",
    operations=(
        DecidedOperation("op_001", Op.SUPERSEDE, Result.APPLIED, target=OLD, memory=NEW),
        DecidedOperation("op_002", Op.ADD, Result.REFUSED, "tombstoned", candidate=CANDIDATE),
        DecidedOperation("op_003", Op.DECAY, Result.LEFT, target=OLD),
    ),
)
REJECTED = Decided(id=CANDIDATE, status=PatchStatus.REJECTED, at=NOW, by="policy")


def read(data: bytes) -> tuple[Decided, ...]:
    decided, findings = decode_patch_day(data, path="day.md")
    assert findings == ()
    return decided


def test_a_decided_patch_is_a_callout_with_a_block_id() -> None:
    data = append_decided(append_decided(DAY, DONE), REJECTED)
    assert (
        data.decode()
        == f"""\
---
id: {PATCH}
type: patch
device: {DEVICE}
date: 2026-11-29
---
# Decided patches

> [!warning]- {PATCH} partially_applied 2026-11-29T21:05:00 by person
> - op_001 supersede applied target {OLD} memory {NEW}
> - op_002 add refused (tombstoned) candidate {CANDIDATE}
> - op_003 decay left target {OLD}

^{PATCH.lower().replace("_", "-")}-partially-applied

> [!failure]- {CANDIDATE} rejected 2026-11-29T21:05:00 by policy

^{CANDIDATE.lower().replace("_", "-")}-rejected
"""
    )
    assert read(data) == (DONE, REJECTED)


def test_the_block_ids_are_ids_to_obsidian_and_none_is_there_twice() -> None:
    data = DAY
    for status in PatchStatus:
        data = append_decided(data, Decided(id=PATCH, status=status, at=NOW, by="person"))
    body = data.decode().partition("\n---\n")[2]
    found = [one.id for one in structure(body).block_ids]
    assert len(found) == len(set(found)) == len(PatchStatus)
    assert DONE.block_id in found
    assert [one.status for one in read(data)] == list(PatchStatus)


@pytest.mark.parametrize(
    "restyled",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("> - op", ">   * op"),
        lambda text: text.replace("]- ", "]+ ").replace("!warning", "!done"),
        lambda text: text.replace("by person", "by person ✅ 2026-11-30"),
        lambda text: (
            text.replace("op_003 decay", "op_003 decay") + "\nMy own words.\n\n> A quote.\n"
        ),
        lambda text: text.replace("> - op_003", "> I remember this.\n> - op_003"),
        lambda text: text.replace("\n\n^", "\n^"),
        lambda text: text.rstrip("\n"),
    ],
)
def test_what_editors_do_to_a_callout_is_tolerated(restyled) -> None:
    text = append_decided(DAY, DONE).decode()
    assert read(restyled(text).encode()) == (DONE,)
    again = append_decided(restyled(text).encode(), REJECTED)
    assert read(again) == (DONE, REJECTED)
    assert again.startswith(restyled(text).encode())
    assert (b"\r\n" in again) == (b"\r\n" in restyled(text).encode())
    assert again.count(b"\r\n") in (0, again.count(b"\n"))


def test_callouts_that_touch_each_other_are_two() -> None:
    text = append_decided(append_decided(DAY, DONE), REJECTED).decode()
    touching = text.replace(f"\n\n^{DONE.block_id}\n\n", "\n")
    assert touching != text
    assert read(touching.encode()) == (DONE, REJECTED)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PATCH + " partially", "patch_x partially"),
        ("partially_applied 2026", "somehow 2026"),
        ("2026-11-29T21:05:00", "2026-13-29T21:05:00"),
        ("2026-11-29T21:05:00", "yesterday"),
        ("by person", ""),
        ("op_001 supersede", "op_001 supersedes"),
        ("op_001 supersede", "op_1 supersede"),
        ("supersede applied", "supersede done"),
        (f"target {OLD} memory", f"target {OLD}x memory"),
    ],
)
def test_a_damaged_entry_is_a_finding_and_the_others_are_read(old: str, new: str) -> None:
    text = append_decided(append_decided(DAY, DONE), REJECTED).decode()
    # the note's own id stands in the first hundred characters
    broken = text[:100] + text[100:].replace(old, new, 1)
    assert broken != text
    decided, findings = decode_patch_day(broken.encode(), path="day.md")
    assert decided == (REJECTED,)
    assert [(one.code, one.line) for one in findings] == [("VM656", 9)]


def test_a_note_of_another_type_is_reported_and_an_unreadable_one_named() -> None:
    _, findings = decode_patch_day(DAY.replace(b"type: patch", b"type: log"), path="day.md")
    assert [one.code for one in findings] == ["VM117"]
    with pytest.raises(NoteUnreadableError) as caught:
        decode_patch_day(b"---\nid: [\n---\n", path="day.md")
    assert caught.value.path == "day.md"


@pytest.mark.parametrize(
    "broken",
    [
        Decided(id="patch_x", status=PatchStatus.APPLIED, at=NOW, by="person"),
        Decided(id=PATCH, status=PatchStatus.APPLIED, at=NOW, by="a person"),
        Decided(id=PATCH, status=PatchStatus.APPLIED, at=NOW.replace(microsecond=1), by="person"),
        Decided(
            id=PATCH,
            status=PatchStatus.APPLIED,
            at=NOW,
            by="person",
            operations=(DecidedOperation("op_001", Op.ADD, Result.REFUSED, "a b"),),
        ),
    ],
)
def test_what_could_not_be_read_back_is_not_written(broken: Decided) -> None:
    with pytest.raises(ValueError, match="cannot be spelled"):
        append_decided(DAY, broken)


def test_an_empty_note_takes_an_entry_too() -> None:
    assert read(append_decided(b"", DONE)) == (DONE,)
    assert read(append_decided(b"Mine", DONE)) == (DONE,)


ids = st.sampled_from([OLD, NEW])
made = st.builds(
    DecidedOperation,
    id=st.integers(1, 9999).map(operation_id),
    op=st.sampled_from(Op),
    result=st.sampled_from(Result),
    why=st.sampled_from(["", "stale", "tombstoned"]),
    target=st.none() | ids,
    memory=st.none() | ids,
    candidate=st.none() | st.just(CANDIDATE),
)
entries = st.builds(
    Decided,
    id=st.sampled_from([PATCH, CANDIDATE]),
    status=st.sampled_from(PatchStatus),
    at=st.datetimes(datetime(1970, 1, 1)).map(lambda moment: moment.replace(microsecond=0)),
    by=st.sampled_from(["person", "policy"]),
    operations=st.lists(made, max_size=3).map(tuple),
)


@many(2)
@given(st.lists(entries, max_size=4))
def test_a_day_is_read_back_in_its_order(decided: list[Decided]) -> None:
    data = DAY
    for one in decided:
        data = append_decided(data, one)
    assert read(data) == tuple(decided)


@many(2)
@given(st.text(st.sampled_from("> -[!]op_01^\n ad:x"), max_size=60))
def test_no_text_in_the_note_breaks_the_reader(text: str) -> None:
    decided, findings = decode_patch_day(DAY + text.encode(), path="day.md")
    assert decided == ()
    assert all(one.code == "VM656" for one in findings)
