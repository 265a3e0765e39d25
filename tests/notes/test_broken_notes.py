"""A broken note is a finding with path, line and remedy; nothing else stops working."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import many
from tests.notes.broken_notes import FOLDER, KINDS, Broken, files
from vaultmem.core.finding import CODES, Finding
from vaultmem.errors import NoteError, NoteUnreadableError
from vaultmem.notes.body import append_line, replace_statement, tick_task
from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.codec import decode_memory, finding_of
from vaultmem.notes.markdown import structure

if TYPE_CHECKING:
    from pathlib import Path

PATH = "Memory/Lessons/Broken.md"


def findings_of(data: bytes) -> tuple[Finding, ...]:
    """What a reader of the vault would report for a note with these bytes."""
    try:
        return decode_memory(data, path=PATH).findings
    except NoteUnreadableError as error:
        return (finding_of(error, PATH),)


def test_there_are_kinds_enough() -> None:
    assert len(KINDS) >= 40


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_it_becomes_its_finding(kind: Broken) -> None:
    found = [found for found in findings_of(kind.data) if found.code == kind.code]
    assert len(found) == 1, findings_of(kind.data)
    assert found[0].path == PATH
    assert found[0].message
    assert found[0].remedy
    assert found[0].severity is CODES[kind.code].severity
    if kind.line is not None:
        assert found[0].line == kind.line


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_it_is_readable_or_refused_and_nothing_else(kind: Broken) -> None:
    if not kind.readable:
        with pytest.raises(NoteUnreadableError):
            decode_memory(kind.data, path=PATH)
    else:
        decoded = decode_memory(kind.data, path=PATH)
        assert decoded.usable is (kind.code not in {"VM108", "VM109", "VM117"})


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_reader_or_writer_stumbles_over_it(kind: Broken) -> None:
    for attempt in (
        lambda: decode_candidate(kind.data, path=PATH),
        lambda: replace_statement(kind.data, "Other words."),
        lambda: tick_task(kind.data, 5, "op_001"),
        lambda: append_line(kind.data, "one more"),
    ):
        with suppress(NoteError):
            attempt()
    structure(kind.data.decode(errors="replace"))


def test_one_broken_note_does_not_hide_the_others(tmp_path: Path) -> None:
    for name, data in files().items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good.md").write_text(
        "---\nid: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\n---\nGood words.\n"
    )
    reported = {path.stem for path in tmp_path.iterdir() if findings_of(path.read_bytes())}
    assert reported == {name.removesuffix(".md") for name in files()}


def test_the_files_are_the_table() -> None:
    on_disk = {path.name: path.read_bytes() for path in FOLDER.glob("*.md")}
    assert on_disk == files()


@many(4)
@given(st.one_of(st.binary(max_size=60), st.lists(st.sampled_from([b"---\n", b"id: x\n", b"type: memory\n", b"tags:\n", b"  - a\n", b"\xff", b"\x00", b"a: [", b"Words.\n", b"%%", b"<b", b"\r", b"`", b"[[", b"- "]), max_size=12).map(b"".join)))  # fmt: skip
def test_any_bytes_are_a_note_or_a_refusal(data: bytes) -> None:
    for found in findings_of(data):
        assert found.code in CODES
