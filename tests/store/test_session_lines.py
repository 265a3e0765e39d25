"""What a session was told survives the process, is bounded, and holds ids only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.rows import ident
from vaultmem.store import session_lines
from vaultmem.store.session_lines import (
    FOLDER,
    MAX_BYTES,
    MOST_SESSIONS,
    SessionLines,
    compacted,
    erase_lines,
    keep_contextual,
    keep_reminded,
    read_lines,
)

if TYPE_CHECKING:
    from pathlib import Path

A, B, C = ident(1), ident(2), ident(3)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    return folder


def files(cache: Path) -> list[Path]:
    return sorted((cache / FOLDER).iterdir())


def test_places_keep_their_order(cache: Path) -> None:
    assert read_lines(cache, "s1") == SessionLines()
    keep_contextual(cache, "s1", [A, B])
    keep_contextual(cache, "s1", [B, C])
    assert read_lines(cache, "s1").contextual == (B, C)
    keep_contextual(cache, "s1", [B, C, A])
    assert read_lines(cache, "s1").contextual == (B, C, A)
    assert read_lines(cache, "s2") == SessionLines()


def test_reminders_are_known_until_the_session_compacts(cache: Path) -> None:
    keep_contextual(cache, "s1", [C])
    keep_reminded(cache, "s1", [A])
    keep_reminded(cache, "s1", [B, A])
    assert read_lines(cache, "s1").reminded == (A, B)
    compacted(cache, "s1")
    assert read_lines(cache, "s1") == SessionLines((C,), ())
    before = files(cache)[0].read_bytes()
    compacted(cache, "s1")
    assert files(cache)[0].read_bytes() == before


def test_nothing_new_writes_nothing(cache: Path) -> None:
    keep_contextual(cache, "s1", [])
    keep_reminded(cache, "s1", [])
    assert not (cache / FOLDER).exists()


def test_the_file_is_private_and_its_name_tells_nothing(cache: Path) -> None:
    keep_contextual(cache, "../../secret project", [A])
    (file,) = files(cache)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert "secret" not in file.name
    assert file.read_text() == f"+{A}\n"


@pytest.mark.parametrize(
    "damage",
    [b"+mem_01JDR", b"rubbish\n", b"+not an id\n", b"\xff\xfe\n", b"?" + A.encode() + b"\n"],
)
def test_a_line_that_is_none_is_passed_over(cache: Path, damage: bytes) -> None:
    keep_contextual(cache, "s1", [A])
    with files(cache)[0].open("ab") as file:
        file.write(damage)
    keep_contextual(cache, "s1", [A, B])
    assert read_lines(cache, "s1").contextual == (A, B)


def test_a_long_session_is_written_anew_with_what_counts(cache: Path) -> None:
    for number in range(1_500):
        keep_contextual(cache, "s1", [ident(number)])
    keep_reminded(cache, "s1", [A])
    assert files(cache)[0].stat().st_size <= MAX_BYTES
    assert read_lines(cache, "s1") == SessionLines((ident(1_499),), (A,))


def test_of_many_sessions_the_latest_are_kept(cache: Path) -> None:
    for number in range(MOST_SESSIONS + 5):
        keep_contextual(cache, f"s{number}", [A])
        os.utime(session_lines._file(cache, f"s{number}"), (number, number))
    assert len(files(cache)) == MOST_SESSIONS
    assert read_lines(cache, "s4") == SessionLines()
    assert read_lines(cache, "s5").contextual == (A,)


def test_where_nothing_can_be_written_nothing_is_kept(cache: Path) -> None:
    keep_contextual(cache, "s1", [A])
    file = files(cache)[0]
    file.unlink()
    file.mkdir()
    keep_contextual(cache, "s1", [B])
    assert read_lines(cache, "s1") == SessionLines()
    file.rmdir()
    outside = cache / "outside"
    outside.write_text(f"+{A}\n")
    file.symlink_to(outside)
    assert read_lines(cache, "s1") == SessionLines()
    keep_contextual(cache, "s1", [B])
    assert outside.read_text() == f"+{A}\n", "a link is not followed"


def test_a_purge_takes_a_memory_out_of_every_session(cache: Path) -> None:
    erase_lines(cache, {A})
    keep_contextual(cache, "s1", [A, B])
    keep_reminded(cache, "s2", [A, C])
    keep_contextual(cache, "s3", [B])
    erase_lines(cache, {A})
    assert read_lines(cache, "s1").contextual == (B,)
    assert read_lines(cache, "s2").reminded == (C,)
    assert all(A.encode() not in file.read_bytes() for file in files(cache))


@given(st.binary(max_size=300))
def test_no_bytes_can_break_it(tmp_path_factory, data: bytes) -> None:
    cache = tmp_path_factory.mktemp("cache")
    keep_contextual(cache, "s", [A])
    files(cache)[0].write_bytes(data)
    read_lines(cache, "s")
    keep_contextual(cache, "s", [B])
    assert B in read_lines(cache, "s").contextual
