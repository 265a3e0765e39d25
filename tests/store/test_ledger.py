"""Ledgers: each device appends to its own, signs each line, and reads everybody's with suspicion."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.store.faults import disk
from vaultmem.core.ledger import LedgerEntry, LedgerKind, LedgerLine, new_entry
from vaultmem.errors import BusyError, NoteChangedError, ReadOnlyError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.store.key import Key
from vaultmem.store.ledger import Author, LedgerWriter, named_by, read_ledger
from vaultmem.store.lock import VaultLock

if TYPE_CHECKING:
    from pathlib import Path

DEVICE = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
OTHER = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W3"
NOTE = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
AT = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)
KEY, WRONG = Key(b"k" * 32), Key(b"w" * 32)
PATH = f"Memory/System/Ledger/2026-11 activity {DEVICE}.md"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def writer(vault: Path, *, device: str = DEVICE, key: Key | None = KEY) -> LedgerWriter:
    lock = VaultLock(vault.parent / "lock", timeout=0.05)
    return LedgerWriter(vault, "Memory", device=device, key=key, lock=lock)


def entry(number: int = 0, at: datetime = AT) -> LedgerEntry:
    values = {"keys": "tags, [[x]] `y` ~ } é", "n": number, "ratio": 0.5, "ok": True}
    return new_entry(at, "edited", NOTE, values, randomness=os.urandom(10))


def read(vault: Path, path: str = PATH, key: Key | None = KEY):
    return read_ledger((vault / path).read_bytes(), key, path=path)


def ledgers(vault: Path) -> list[str]:
    return sorted(path.relative_to(vault).as_posix() for path in (vault / PATH).parent.iterdir())


def codes(findings) -> list[str]:
    return [found.code for found in findings]


def change(vault: Path, old: bytes, new: bytes) -> None:
    data = (vault / PATH).read_bytes()
    assert old in data
    (vault / PATH).write_bytes(data.replace(old, new, 1))


# Writing


def test_what_was_appended_is_read_back_signed(vault: Path) -> None:
    first = writer(vault).append(LedgerKind.ACTIVITY, [entry(1), entry(2)])
    second = writer(vault).append(LedgerKind.ACTIVITY, [entry(3)])
    assert ledgers(vault) == [PATH]
    assert read(vault) == ((*first, *second), ())
    assert [line.values["n"] for line in (*first, *second)] == [1, 2, 3]
    assert {(line.kind, line.device, line.signed) for line in first} == {
        (LedgerKind.ACTIVITY, DEVICE, True)
    }


def test_the_note_says_what_it_is(vault: Path) -> None:
    (line,) = writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    data = (vault / PATH).read_bytes()
    assert get_properties(data) == {
        "id": f"log_{line.id}",
        "type": "ledger",
        "kind": "activity",
        "device": DEVICE,
        "month": "2026-11",
    }
    body = data.decode().split("---\n", 2)[2].splitlines()
    assert body[0].startswith("Written by vaultmem")
    assert body[1] == ""
    assert body[2].startswith(f"- 2026-11-29T21:00:00Z {line.id} edited {NOTE} {{")


def test_an_append_changes_no_byte_before_it(vault: Path) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    before = (vault / PATH).read_bytes()
    writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    after = (vault / PATH).read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1


def test_each_kind_month_and_device_has_its_own_note(vault: Path) -> None:
    december = entry(2, AT + timedelta(days=2))
    lines = writer(vault).append(LedgerKind.ACTIVITY, [december, entry(1)])
    assert [line.values["n"] for line in lines] == [2, 1]
    writer(vault).append(LedgerKind.FORCE, [entry()])
    writer(vault, device=OTHER).append(LedgerKind.ACTIVITY, [entry()])
    names = [path.rpartition("/")[2] for path in ledgers(vault)]
    assert names == [
        f"2026-11 activity {DEVICE}.md",
        f"2026-11 activity {OTHER}.md",
        f"2026-11 force {DEVICE}.md",
        f"2026-12 activity {DEVICE}.md",
    ]


def test_nothing_to_append_writes_nothing(vault: Path) -> None:
    assert writer(vault).append(LedgerKind.ACTIVITY, []) == ()
    assert list(vault.iterdir()) == []


def test_appending_takes_the_lock(vault: Path) -> None:
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with VaultLock(vault.parent / "lock"):
            inside.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    try:
        with pytest.raises(BusyError):
            writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    finally:
        done.set()
        thread.join()
    assert list(vault.iterdir()) == []


@pytest.mark.parametrize("torn", [b"-", b"- 2026-11-29T21:00", b"half of someth"])
def test_a_line_that_was_cut_short_does_not_take_the_next_with_it(vault: Path, torn: bytes) -> None:
    first = writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    with (vault / PATH).open("ab") as file:
        file.write(torn)
    second = writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])
    lines, findings = read(vault)
    assert lines == (*first, *second)
    assert codes(findings) == ([] if torn.startswith(b"half") else ["VM408"])


def test_a_lost_final_line_end_is_put_back(vault: Path) -> None:
    first = writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    (vault / PATH).write_bytes((vault / PATH).read_bytes().rstrip(b"\n"))
    assert read(vault) == (first, ())
    second = writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])
    assert read(vault) == ((*first, *second), ())


def test_an_empty_file_is_filled_and_read_by_its_name(vault: Path) -> None:
    (vault / PATH).parent.mkdir(parents=True)
    (vault / PATH).write_bytes(b"")
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    found, findings = read(vault)
    assert found == lines
    assert codes(findings) == ["VM410"]


def test_lines_go_to_the_file_that_a_sync_client_put_there_meanwhile(vault: Path) -> None:
    first = writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    data = (vault / PATH).read_bytes()

    def replace(name: str) -> None:
        (vault / "new").write_bytes(data)
        (vault / "new").replace(vault / PATH)

    with disk() as calls:
        second = writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])
    for at, step in enumerate(calls, start=1):
        with disk(at=at, act=replace):
            third = writer(vault).append(LedgerKind.ACTIVITY, [entry(3)])
        lines, _ = read(vault)
        assert lines == (*first, *third), step
    assert second[0].id not in (vault / PATH).read_text()


def test_lines_go_to_the_file_that_an_editor_wrote_back_meanwhile(vault: Path) -> None:
    first = writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    data = (vault / PATH).read_bytes()
    with disk(at=3, act=lambda name: (vault / PATH).write_bytes(data)) as calls:
        second = writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])
    assert calls[:3] == ["open_append", "write", "fsync"]
    assert read(vault) == ((*first, *second), ())


def test_a_file_that_is_replaced_for_ever_is_given_up(vault: Path, monkeypatch) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    monkeypatch.setattr(os.path, "samestat", lambda one, other: False)
    with pytest.raises(NoteChangedError):
        writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])


def test_a_file_that_arrives_while_it_is_created_is_appended_to(vault: Path) -> None:
    other = vault.parent / "other"
    other.mkdir()
    first = writer(other).append(LedgerKind.ACTIVITY, [entry(1)])

    def arrive(name: str) -> None:
        (vault / PATH).write_bytes((other / PATH).read_bytes())

    with disk() as calls:
        writer(vault).append(LedgerKind.ACTIVITY, [entry(0)])
    (vault / PATH).unlink()
    (vault / "Memory/System/Ledger").rmdir()
    (vault / "Memory/System/Ledger").mkdir()
    at = calls.index("rename_new") + 1 - 6  # the folders, each made and synced, are there now
    with disk(at=at, act=arrive) as calls:
        second = writer(vault).append(LedgerKind.ACTIVITY, [entry(2)])
    assert calls[at - 1] == "rename_new"
    assert read(vault) == ((*first, *second), ())


def test_what_is_no_file_is_not_appended_to(vault: Path) -> None:
    (vault / PATH).parent.mkdir(parents=True)
    os.mkfifo(vault / PATH)
    with pytest.raises(ReadOnlyError, match="something else lies in its place"):
        writer(vault).append(LedgerKind.ACTIVITY, [entry()])


def test_a_link_is_not_appended_to(vault: Path) -> None:
    (vault.parent / "outside.md").write_bytes(b"outside")
    (vault / PATH).parent.mkdir(parents=True)
    (vault / PATH).symlink_to(vault.parent / "outside.md")
    with pytest.raises(ReadOnlyError, match="something else lies in its place"):
        writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    assert (vault.parent / "outside.md").read_bytes() == b"outside"


def test_a_full_disk_is_reported_with_the_note(vault: Path) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry()])

    def act(name: str) -> None:
        raise OSError(30, "Read-only file system")

    with disk(at=1, act=act), pytest.raises(ReadOnlyError, match="2026-11 activity"):
        writer(vault).append(LedgerKind.ACTIVITY, [entry()])


# Reading what others did to it


def test_without_a_key_nothing_is_signed_and_nothing_is_said(vault: Path) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    found, findings = read(vault, key=None)
    assert found == tuple(line._replace(signed=False) for line in lines)
    assert findings == ()


def test_an_unsigned_line_is_read_and_reported(vault: Path) -> None:
    lines = writer(vault, key=None).append(LedgerKind.ACTIVITY, [entry()])
    assert lines[0].signed is False
    found, findings = read(vault)
    assert found == lines
    assert codes(findings) == ["VM406"]


def test_a_line_of_another_key_is_read_and_reported(vault: Path) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    writer(vault, key=WRONG).append(LedgerKind.ACTIVITY, [entry(2), entry(3)])
    lines, findings = read(vault)
    assert [line.signed for line in lines] == [True, False, False]
    (found,) = findings
    assert (found.code, found.path, found.line) == ("VM405", PATH, 11)
    assert "There are 2 such lines" in found.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"edited", b"deleted"),
        (b"21:00:00Z", b"21:00:01Z"),
        (b'"n":0', b'"n":1'),
        (b'"n":0', b'"n":0.0'),
        (b'"ok":true', b'"ok": true'),
        (b"edited mem_", b"edited cand_"),
    ],
)
def test_a_changed_line_has_a_wrong_signature(vault: Path, old: bytes, new: bytes) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry(0)])
    change(vault, old, new)
    lines, findings = read(vault)
    assert [line.signed for line in lines] == [False]
    assert codes(findings) == ["VM405"]


def test_a_line_moved_to_another_device_or_kind_counts_for_nothing(vault: Path) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    writer(vault, device=OTHER).append(LedgerKind.ACTIVITY, [entry(2)])
    writer(vault).append(LedgerKind.FORCE, [entry(3)])
    stolen = (vault / PATH).read_bytes().splitlines(keepends=True)[-1]
    for path in (PATH.replace(DEVICE, OTHER), PATH.replace("activity", "force")):
        with (vault / path).open("ab") as file:
            file.write(stolen)
        lines, findings = read(vault, path)
        assert [line.signed for line in lines] == [True, False]
        assert codes(findings) == ["VM405"]


def test_a_line_that_arrives_twice_counts_once(vault: Path) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry(1), entry(2)])
    with (vault / PATH).open("ab") as file:
        file.write((vault / PATH).read_bytes().splitlines(keepends=True)[-1])
    assert read(vault) == (lines, ())


@pytest.mark.parametrize("forged_first", [True, False])
def test_a_forged_line_with_the_same_id_hides_no_true_one(vault: Path, forged_first: bool) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry(1)])
    data = (vault / PATH).read_bytes()
    head, true = data.rsplit(b"\n", 2)[0], data.splitlines()[-1]
    forged = true.replace(b"edited", b"deleted")
    both = [forged, true] if forged_first else [true, forged]
    (vault / PATH).write_bytes(b"\n".join([head, *both, b""]))
    found, findings = read(vault)
    assert found == lines
    assert codes(findings) == ["VM405"]


def test_what_plugins_and_people_write_is_passed_over(vault: Path) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry(1), entry(2)])
    data = (vault / PATH).read_bytes()
    first, second = data.splitlines()[-2:]
    marked = first + "  ✅ 2026-11-30 ^abc".encode()
    new = b"\r\n".join([b"# A heading", b"", marked, b"<<<<<<< HEAD", b"Words.", second, b""])
    (vault / PATH).write_bytes(data.replace(first + b"\n" + second + b"\n", new))
    found, findings = read(vault)
    assert found == lines
    assert codes(findings) == ["VM409"]


@pytest.mark.parametrize("text", [b"- a remark", b"* \xc3\xa4", b"- [ ] a task"])
def test_a_list_item_of_somebody_else_is_reported_once(vault: Path, text: bytes) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    with (vault / PATH).open("ab") as file:
        file.write(text + b"\n")
    found, findings = read(vault)
    assert found == lines
    assert [(found.code, found.line) for found in findings] == [("VM407", 11)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"device: dev_", b"device: dave_"),
        (b"device: ", b"gadget: "),
        (b"kind: activity", b"kind: force"),
        (b"kind: activity", b"kind: [activity]"),
        (b"kind: activity", b"kind: other"),
        (b"---\n", b""),  # no properties at all
        (b"type: ledger", b"type: ["),  # no valid properties
        (b"type: ledger", b"kind: activity"),  # a name twice
        (b"type: ledger", b"type: \xff"),
    ],
)
def test_damaged_properties_do_not_lose_the_lines(vault: Path, old: bytes, new: bytes) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry(1), entry(2)])
    change(vault, old, new)
    found, findings = read(vault)
    assert found == lines
    assert codes(findings) == ["VM410"]
    assert findings[0].path == PATH


def test_a_byte_that_is_no_text_costs_no_line(vault: Path) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry(1), entry(2)])
    change(vault, b"\n\n", b"\n- \xff\n")
    found, findings = read(vault)
    assert found == lines
    assert [(found.code, found.line) for found in findings] == [("VM410", 9), ("VM407", 9)]


def test_a_renamed_ledger_keeps_its_author(vault: Path) -> None:
    lines = writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    found, findings = read_ledger((vault / PATH).read_bytes(), KEY, path="Memory/My ledger.md")
    assert found == lines
    assert codes(findings) == ["VM410"]


def test_a_note_of_nobody_has_no_lines(vault: Path) -> None:
    writer(vault).append(LedgerKind.ACTIVITY, [entry()])
    change(vault, b"type: ledger", b"type: [")
    found, findings = read_ledger((vault / PATH).read_bytes(), KEY, path="Memory/My ledger.md")
    assert found == ()
    assert codes(findings) == ["VM410"]


def test_unsigned_lines_take_the_authors_word_for_it(vault: Path) -> None:
    writer(vault, key=None).append(LedgerKind.ACTIVITY, [entry()])
    (line,), _ = read(vault)
    assert isinstance(line, LedgerLine)
    assert (line.kind, line.device) == (LedgerKind.ACTIVITY, DEVICE)


# Finding them


@pytest.mark.parametrize(
    "name",
    [
        f"2026-11 force {DEVICE} (Conflicted copy laptop 202611292100).md",
        f"2026-11 force {DEVICE}.sync-conflict-20261129-210000-ABCDEFG.md",
        f"2026-11 force {DEVICE} 2.md",
        f".2026-11 force {DEVICE}.md",
        f"2026-11 gossip {DEVICE}.md",
        "Notes.md",
    ],
)
def test_only_a_true_ledger_names_a_month_and_an_author(name: str) -> None:
    assert named_by(f"Memory/System/Ledger/{name}") is None
    assert named_by(PATH) == ("2026-11", Author(LedgerKind.ACTIVITY, DEVICE))
