"""What is kept of what agents were told: bounded, without words, whoever writes at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.core.ids import MemoryId, ulid
from vaultmem.errors import ReadOnlyError
from vaultmem.store import telemetry
from vaultmem.store.disk import DISK
from vaultmem.store.telemetry import (
    NEWER,
    OLDER,
    Doubted,
    Injected,
    Settled,
    Told,
    Used,
    add_event,
    erase_ids,
    read_events,
    read_session,
)

ONE, TWO = (MemoryId(f"mem_{ulid(1_764_000_000_000, bytes([n] * 10))}") for n in (1, 2))
INJECTED = Injected("s1", 5, "debug", (Told(ONE, "lessons"), Told(TWO, "contextual", 0.512)))
EVENTS = [INJECTED, Used("s1", 6, (ONE, TWO), (ONE,)), Doubted("s1", 7, (TWO,)), Settled("s1", 8)]


def test_events_come_back_in_their_order(tmp_path):
    assert read_events(tmp_path) == []
    for event in EVENTS:
        add_event(tmp_path, event)
    assert read_events(tmp_path) == EVENTS


def test_the_events_of_one_session_are_those_of_no_other(tmp_path):
    other = Settled("s", 1), Settled("s12", 2), Injected("s2", 3, "s1", (Told(ONE, "s1"),))
    for event in (*EVENTS[:2], *other, *EVENTS[2:]):
        add_event(tmp_path, event)
    (tmp_path / NEWER).rename(tmp_path / OLDER)
    add_event(tmp_path, Settled("s1", 9))
    assert read_session(tmp_path, "s1") == [*EVENTS, Settled("s1", 9)]
    assert read_session(tmp_path, "s3") == read_session(tmp_path / "gone", "s1") == []


def test_the_file_is_the_users_alone(tmp_path):
    add_event(tmp_path, INJECTED)
    assert (tmp_path / NEWER).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "line",
    [
        '["injected","s1",5,"debug",[["mem_01',
        "null",
        '{"injected": 1}',
        '["injected","s1","5","debug",[]]',
        '["told","s1",5]',
        '["used","s1",5,["a"]]',
        "[" * 10_000,
        "\udcff",
    ],
)
def test_a_line_that_is_none_of_ours_is_passed_over(tmp_path, line):
    add_event(tmp_path, EVENTS[0])
    with (tmp_path / NEWER).open("ab") as file:
        file.write(line.encode("utf-8", "surrogateescape"))
    add_event(tmp_path, EVENTS[1])
    assert read_events(tmp_path) == EVENTS[:2]


def test_items_that_name_no_memory_are_passed_over(tmp_path):
    told = [[ONE, "lessons", 1], ["mem_1", "lessons", None], [ONE], 7, [TWO, "lessons", "far"]]
    lines = [["injected", "s1", 5, "debug", told], ["used", "s1", 5, [ONE, "words", 3], []]]
    (tmp_path / NEWER).write_text("\n".join(map(json.dumps, lines)))
    assert read_events(tmp_path) == [
        Injected("s1", 5, "debug", (Told(ONE, "lessons", 1),)),
        Used("s1", 5, (ONE,), ()),
    ]


def test_two_files_hold_the_newest_events_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(telemetry, "MAX_BYTES", 1_000)
    for number in range(200):
        add_event(tmp_path, Settled("s1", number))
        sizes = [path.stat().st_size for path in tmp_path.iterdir()]
        assert max(sizes) <= 1_000
        assert len(sizes) <= 2
    kept = [event.at for event in read_events(tmp_path)]
    assert kept == [*range(kept[0], 200)]
    assert len(kept) > 30


def test_many_processes_append_at_once_and_no_line_is_lost(tmp_path):
    code = (
        "import sys; from pathlib import Path\n"
        "from vaultmem.store.telemetry import Settled, add_event\n"
        "for n in range(200): add_event(Path(sys.argv[1]), Settled(sys.argv[2], n))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), f"s{number}"])
        for number in range(4)
    ]
    assert [one.wait() for one in running] == [0] * 4
    found = read_events(tmp_path)
    for number in range(4):
        mine = [event.at for event in found if event.session == f"s{number}"]
        assert mine == [*range(200)]


def test_what_cannot_be_written_is_not_kept_and_stops_nothing(tmp_path, monkeypatch):
    add_event(tmp_path / "gone", INJECTED)
    assert read_events(tmp_path / "gone") == []

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DISK, "write", full)
    add_event(tmp_path, INJECTED)
    assert read_events(tmp_path) == []


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_is_no_file_of_ours_is_neither_read_nor_written(tmp_path, kind):
    import os

    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps(["settled", "s1", 1]))
    place = tmp_path / "cache" / NEWER
    place.parent.mkdir()
    if kind == "link":
        place.symlink_to(elsewhere)
    elif kind == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    add_event(place.parent, INJECTED)
    assert read_events(place.parent) == []
    assert elsewhere.read_text() == json.dumps(["settled", "s1", 1])


def test_another_process_that_makes_the_file_first_is_no_trouble(tmp_path, monkeypatch):
    real = DISK.open_new

    def late(path, mode=0o666):
        Path(path).touch(mode=0o600)
        return real(path, mode)

    monkeypatch.setattr(DISK, "open_new", late)
    add_event(tmp_path, INJECTED)
    assert read_events(tmp_path) == [INJECTED]


def test_a_purge_erases_ids_and_keeps_the_rest(tmp_path):
    for event in [
        *EVENTS,
        Used("s1", 9, (TWO,), ()),
        Injected("s2", 9, "general", (Told(TWO, "x"),)),
    ]:
        add_event(tmp_path, event)
    (tmp_path / NEWER).rename(tmp_path / OLDER)
    add_event(tmp_path, Doubted("s1", 10, (ONE, TWO)))
    with (tmp_path / NEWER).open("a") as file:
        file.write(f'["used","s1",5,["{TWO}"')
    erase_ids(tmp_path, {TWO})
    assert read_events(tmp_path) == [
        Injected("s1", 5, "debug", (Told(ONE, "lessons"),)),
        Used("s1", 6, (ONE,), (ONE,)),
        Settled("s1", 8),
        Doubted("s1", 10, (ONE,)),
    ]
    assert TWO not in "".join(path.read_text() for path in tmp_path.iterdir())
    before = (tmp_path / NEWER).stat()
    erase_ids(tmp_path, {TWO})
    assert (tmp_path / NEWER).stat() == before, "nothing to do is nothing done"


def test_a_purge_says_if_it_cannot_erase(tmp_path, monkeypatch):
    add_event(tmp_path, INJECTED)

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(DISK, "replace", refused)
    with pytest.raises(ReadOnlyError):
        erase_ids(tmp_path, {ONE})
