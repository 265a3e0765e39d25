"""Two small files of this machine: what was shown to an agent, and what is switched off."""

from __future__ import annotations

import errno

import pytest

from vaultmem.store.disk import DISK
from vaultmem.store.shown import KEPT, NAME, add_shown, read_shown
from vaultmem.store.switches import NAME as SWITCHES
from vaultmem.store.switches import Switch, read_switches, write_switches


def hashes(first, count):
    return [f"{number:016x}" for number in range(first, first + count)]


def test_hashes_are_kept_once_in_a_private_file(tmp_path):
    assert read_shown(tmp_path) == []
    add_shown(tmp_path, hashes(0, 3))
    add_shown(tmp_path, [*hashes(1, 3), *hashes(1, 3)])
    assert read_shown(tmp_path) == hashes(0, 4)
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600


def test_nothing_new_is_nothing_to_write(tmp_path, monkeypatch):
    add_shown(tmp_path, hashes(0, 3))
    monkeypatch.setattr(DISK, "write", None)
    add_shown(tmp_path, hashes(0, 3))
    add_shown(tmp_path, [])


def test_a_report_does_not_wait_for_the_disk(tmp_path, monkeypatch):
    add_shown(tmp_path, hashes(0, 3))
    monkeypatch.setattr(DISK, "fsync", None)
    add_shown(tmp_path, hashes(3, 3))
    assert read_shown(tmp_path) == hashes(0, 6)


def test_the_newest_are_kept(tmp_path):
    for first in range(0, 3 * KEPT, 1000):
        add_shown(tmp_path, hashes(first, 1000))
        assert len(read_shown(tmp_path)) <= 2 * KEPT
    assert read_shown(tmp_path)[-KEPT:] == hashes(first + 1000 - KEPT, KEPT)


def test_a_cache_that_cannot_be_written_stops_nothing(tmp_path, monkeypatch):
    add_shown(tmp_path, hashes(0, 1))

    def full(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(DISK, "write", full)
    add_shown(tmp_path, hashes(1, 1))
    add_shown(tmp_path / "new", hashes(1, 1))
    monkeypatch.undo()
    assert read_shown(tmp_path) == hashes(0, 1)
    assert read_shown(tmp_path / "new") == []


def test_what_is_off_is_kept_and_read_again(tmp_path):
    assert read_switches(tmp_path) == frozenset()
    off = {Switch("write", "all", ""), Switch("read", "session", "s1")}
    write_switches(tmp_path, off)
    assert read_switches(tmp_path) == off
    assert (tmp_path / SWITCHES).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[1]", '[["write"]]', "null", "[" * 100_000])
def test_a_damaged_file_switches_all_off_since_something_was(tmp_path, text):
    (tmp_path / SWITCHES).write_text(text)
    assert {(one.what, one.where) for one in read_switches(tmp_path)} == {
        ("read", "all"),
        ("write", "all"),
    }
