"""Reading, replacing, creating, moving and removing files of a vault."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.faults import FILE_SYSTEMS, disk
from vaultmem.errors import (
    DiskFailedError,
    NameTakenError,
    NoteChangedError,
    NoteNotFoundError,
    NoteUnreadableError,
    ReadOnlyError,
    UnsafePathError,
    VaultmemError,
    VaultNotFoundError,
)
from vaultmem.store.append import append_lines
from vaultmem.store.disk import DISK, STEPS, Disk
from vaultmem.store.files import (
    Etag,
    clean_temporaries,
    create_file,
    create_files,
    etag_of,
    is_temporary,
    move_file,
    move_files,
    read_note,
    remove_file,
    replace_file,
    replace_files,
)
from vaultmem.store.private import create_private, write_private
from vaultmem.store.temporaries import kept_beside, kept_name, temporary_beside

NOTE = "Memory/Lessons/Note.md"
OTHER = "Memory/Patterns/Other.md"
OLD, NEW, EDITED = b"old\r\n\xff\0", b"new version\n", b"by the person\n"
WRONG = Etag("0" * 64)

each_file_system = pytest.mark.parametrize("file_system", FILE_SYSTEMS)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    note = tmp_path / "vault" / NOTE
    note.parent.mkdir(parents=True)
    note.write_bytes(OLD)
    return tmp_path / "vault"


def _files(vault: Path) -> dict[str, bytes]:
    found = (path for path in vault.rglob("*") if path.is_file())
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in found}


# Reading


@given(data=st.binary(max_size=200_000))
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_file_is_read_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "Note.md").write_bytes(data)
    assert read_note(tmp_path, "Note.md") == data


def test_a_missing_file_is_said_to_be_missing(vault: Path) -> None:
    for relative in ("Memory/Gone.md", "Gone/Gone.md"):
        with pytest.raises(NoteNotFoundError) as caught:
            read_note(vault, relative)
        assert caught.value.path == relative


def test_what_is_no_file_is_not_read(vault: Path) -> None:
    os.mkfifo(vault / "pipe.md")
    with pytest.raises(NoteUnreadableError, match="cannot be opened"):
        read_note(vault, "pipe.md")
    with pytest.raises(NoteUnreadableError, match="directory"):
        read_note(vault, "Memory")


def test_a_link_is_not_read(vault: Path) -> None:
    (vault / "link.md").symlink_to(vault / NOTE)
    with pytest.raises(UnsafePathError):
        read_note(vault, "link.md")


def test_a_link_that_appears_after_the_check_is_not_followed(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "link.md").symlink_to(vault / NOTE)
    monkeypatch.setattr(
        "vaultmem.store.files.resolve_inside", lambda root, name, hidden: root / name
    )
    with pytest.raises(NoteUnreadableError):
        read_note(vault, "link.md")


# Replacing


@each_file_system
def test_a_replaced_file_has_the_new_bytes_and_nothing_is_left_beside(
    vault: Path, file_system: str
) -> None:
    with disk(file_system):
        assert replace_file(vault, NOTE, NEW, expected=etag_of(OLD)) == etag_of(NEW)
    assert _files(vault) == {NOTE: NEW}


@each_file_system
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o755])
def test_the_mode_of_a_replaced_file_stays(vault: Path, file_system: str, mode: int) -> None:
    (vault / NOTE).chmod(mode)
    before = os.umask(0o077)
    try:
        with disk(file_system):
            replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    finally:
        os.umask(before)
    assert stat.S_IMODE((vault / NOTE).stat().st_mode) == mode


def test_the_owner_of_a_replaced_file_stays_where_we_may(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    def chown(path: Path, user: int, group: int) -> None:
        asked.append((user, group))
        raise PermissionError(errno.EPERM, "not root")

    monkeypatch.setattr(os, "chown", chown)
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = real(path)
        if path.name == "Note.md":
            found = os.stat_result((*found[:4], 4711, 4712, *found[6:]))
        return found

    monkeypatch.setattr(Path, "lstat", lstat)
    replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert asked == [(4711, 4712)]
    assert _files(vault) == {NOTE: NEW}


def test_the_same_bytes_are_not_written_again(vault: Path) -> None:
    def stamp() -> tuple[int, ...]:  # without the time of access, which reading moves
        stat = (vault / NOTE).stat()
        return stat.st_ino, stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns

    before = stamp()
    with disk() as calls:
        assert replace_file(vault, NOTE, OLD, expected=etag_of(OLD)) == etag_of(OLD)
    assert calls == []
    assert stamp() == before


def test_another_version_is_not_replaced(vault: Path) -> None:
    with pytest.raises(NoteChangedError) as caught:
        replace_file(vault, NOTE, NEW, expected=WRONG)
    assert str(caught.value) == (
        f"{NOTE}: It changed since it was read; the newer version was kept. Run the command again."
    )
    assert _files(vault) == {NOTE: OLD}


def test_a_file_that_is_gone_is_not_replaced(vault: Path) -> None:
    with pytest.raises(NoteNotFoundError):
        replace_file(vault, OTHER, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: OLD}


def test_a_read_only_file_is_not_replaced(vault: Path) -> None:
    (vault / NOTE).chmod(0o444)
    with pytest.raises(ReadOnlyError, match=NOTE):
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: OLD}


def test_a_file_with_two_names_loses_neither(vault: Path) -> None:
    os.link(vault / NOTE, vault / "Second.md")
    replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: NEW, "Second.md": OLD}


@each_file_system
@pytest.mark.parametrize("length", [100, 143, 250])
def test_a_long_name_does_not_matter(vault: Path, file_system: str, length: int) -> None:
    name = ("é" * 130)[: (length - 3) // 2] + ".md"
    with disk(file_system):
        create_file(vault, name, OLD)
        replace_file(vault, name, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: OLD, name: NEW}


def test_obsidians_own_files_are_written_only_on_demand(vault: Path) -> None:
    types = ".obsidian/types.json"
    with pytest.raises(UnsafePathError):
        create_file(vault, types, OLD)
    create_file(vault, types, OLD, hidden=True)
    replace_file(vault, types, NEW, expected=etag_of(OLD), hidden=True)
    assert read_note(vault, types, hidden=True) == NEW
    move_file(vault, types, ".obsidian/t.json", expected=etag_of(NEW), hidden=True)
    remove_file(vault, ".obsidian/t.json", expected=etag_of(NEW), hidden=True)
    assert _files(vault) == {NOTE: OLD}


# Creating


@each_file_system
def test_a_created_file_has_its_bytes_and_folders(vault: Path, file_system: str) -> None:
    with disk(file_system):
        assert create_file(vault, "A/B/C.md", NEW) == etag_of(NEW)
    assert _files(vault) == {NOTE: OLD, "A/B/C.md": NEW}


def test_a_created_file_follows_the_umask(vault: Path) -> None:
    before = os.umask(0o027)
    try:
        create_file(vault, "A/B.md", NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((vault / "A/B.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((vault / "A").stat().st_mode) == 0o750


@each_file_system
def test_a_file_that_is_there_is_never_overwritten(vault: Path, file_system: str) -> None:
    with disk(file_system), pytest.raises(NameTakenError) as caught:
        create_file(vault, NOTE, NEW)
    assert caught.value.path == NOTE
    assert _files(vault) == {NOTE: OLD}


@each_file_system
def test_a_folder_of_that_name_is_never_overwritten(vault: Path, file_system: str) -> None:
    (vault / "Folder.md").mkdir()
    with disk(file_system), pytest.raises(NameTakenError):
        create_file(vault, "Folder.md", NEW)
    assert _files(vault) == {NOTE: OLD}


@each_file_system
@pytest.mark.parametrize("at", range(1, 12))
def test_a_file_that_appears_while_we_create_it_stays(
    vault: Path, file_system: str, at: int
) -> None:
    with (
        disk(file_system, at=at, act=lambda name: (vault / "Memory/A.md").write_bytes(EDITED)),
        suppress(NameTakenError),
    ):
        create_file(vault, "Memory/A.md", NEW)
    files = _files(vault)
    assert files.pop("Memory/A.md", EDITED) in (EDITED, NEW)
    assert files == {NOTE: OLD}


def test_a_vault_whose_drive_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFoundError, match="drive"):
        create_file(tmp_path / "unplugged", NOTE, NEW)
    assert list(tmp_path.iterdir()) == []


# Moving and removing


@each_file_system
def test_a_moved_file_keeps_its_bytes(vault: Path, file_system: str) -> None:
    with disk(file_system):
        move_file(vault, NOTE, OTHER, expected=etag_of(OLD))
    assert _files(vault) == {OTHER: OLD}


@each_file_system
def test_a_move_never_overwrites(vault: Path, file_system: str) -> None:
    create_file(vault, OTHER, EDITED)
    with disk(file_system), pytest.raises(NameTakenError):
        move_file(vault, NOTE, OTHER, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: OLD, OTHER: EDITED}


@each_file_system
def test_a_removed_file_is_gone(vault: Path, file_system: str) -> None:
    with disk(file_system):
        remove_file(vault, NOTE, expected=etag_of(OLD))
    assert _files(vault) == {}


def test_another_version_is_neither_moved_nor_removed(vault: Path) -> None:
    with pytest.raises(NoteChangedError):
        move_file(vault, NOTE, OTHER, expected=WRONG)
    with pytest.raises(NoteChangedError):
        remove_file(vault, NOTE, expected=WRONG)
    assert _files(vault) == {NOTE: OLD}


# What is durable when


def test_bytes_are_durable_before_they_take_the_name_and_the_name_before_we_return(
    vault: Path,
) -> None:
    with disk() as calls:
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    named = "open_new set_mode write fsync replace exchange unlink unlink sync_folder"
    assert calls == named.split()
    with disk() as calls:
        create_file(vault, "Memory/A.md", NEW)
    assert calls == ["open_new", "write", "fsync", "rename_new", "unlink", "sync_folder"]
    with disk() as calls:
        create_file(vault, "New/A.md", NEW)
    assert calls[:3] == ["make_folder", "sync_folder", "open_new"]
    with disk() as calls:
        remove_file(vault, "New/A.md", expected=etag_of(NEW))
    assert calls == ["replace", "unlink", "sync_folder"]
    with disk() as calls:
        move_file(vault, NOTE, "New/B.md", expected=etag_of(NEW))
    assert calls == ["rename_new", "sync_folder", "sync_folder"]
    with disk() as calls:
        write_private(vault / "state", NEW)
    assert calls == ["open_new", "set_mode", "write", "fsync", "replace", "sync_folder"]
    with disk() as calls:
        create_private(vault / "key", NEW)
    named = "open_new set_mode write fsync rename_new unlink sync_folder"
    assert calls == named.split()
    with disk() as calls:
        append_lines(vault, "New/B.md", b"line\n")
    assert calls == ["open_append", "write", "fsync"]


# When the disk fails

OPERATIONS = {
    "replace": lambda vault: replace_file(vault, NOTE, NEW, expected=etag_of(OLD)),
    "create": lambda vault: create_file(vault, OTHER, NEW),
    "move": lambda vault: move_file(vault, NOTE, OTHER, expected=etag_of(OLD)),
    "remove": lambda vault: remove_file(vault, NOTE, expected=etag_of(OLD)),
}
OUTCOMES: dict[str, list[dict[str, bytes]]] = {
    "replace": [{NOTE: OLD}, {NOTE: NEW}],
    "create": [{NOTE: OLD}, {NOTE: OLD, OTHER: NEW}],
    "move": [{NOTE: OLD}, {OTHER: OLD}],
    "remove": [{NOTE: OLD}, {}],
}


def _fail(code: int):
    def act(name: str) -> None:
        raise OSError(code, os.strerror(code))

    return act


def _refusal(operation: str, vault: Path, error: type[VaultmemError]) -> str | None:
    try:
        OPERATIONS[operation](vault)
    except error as caught:
        return str(caught)
    return None


@each_file_system
@pytest.mark.parametrize(
    ("code", "error"),
    [
        (errno.ENOSPC, DiskFailedError),
        (errno.EIO, DiskFailedError),
        (errno.EROFS, ReadOnlyError),
    ],
)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_failing_disk_is_reported_and_tears_nothing(
    vault: Path, operation: str, code: int, error: type[VaultmemError], file_system: str
) -> None:
    at = 0
    failed = True
    while failed:
        at += 1
        (vault / NOTE).write_bytes(OLD)
        (vault / OTHER).unlink(missing_ok=True)
        with disk(file_system, at=at, act=_fail(code)) as calls:
            said = _refusal(operation, vault, error)
        failed = said is not None
        assert said is None or "Memory/" in said
        clean = calls[at - 1 : at] not in (["unlink"], ["replace"])
        if not clean:  # the very call that cleans up, or that goes back, failed
            clean_temporaries(vault, older_than_seconds=60, now=4e9)
        assert _files(vault) in OUTCOMES[operation], calls
    assert at > 3


def test_a_disk_that_fails_gives_a_next_step(vault: Path) -> None:
    with disk(at=2, act=_fail(errno.ENOSPC)), pytest.raises(DiskFailedError) as caught:
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert str(caught.value) == (
        f"{NOTE} could not be written, because the disk is full (No space left on device). "
        "Free some space, then run the command again."
    )


def test_every_call_that_changes_something_is_a_step() -> None:
    assert set(STEPS) == {name for name in vars(Disk) if not name.startswith("_")}


def test_short_writes_are_continued(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:3]))
    replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: NEW}


def test_a_folder_that_cannot_be_synced_is_no_failure(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no fsync for folders here")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: NEW}


def test_a_c_library_without_the_call_is_a_file_system_without_it(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name, use_errno: object())
    with pytest.raises(OSError) as caught:
        DISK.exchange(vault / NOTE, vault / NOTE)
    assert caught.value.errno == errno.ENOSYS
    replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _files(vault) == {NOTE: NEW}


# What a killed process left


def test_names_of_temporaries_are_recognised(tmp_path: Path) -> None:
    temporary = temporary_beside(tmp_path / "Note.md")
    kept = kept_beside(temporary, new=etag_of(NEW), old=etag_of(OLD))
    assert temporary.parent == kept.parent == tmp_path
    assert temporary.name.startswith(".Note.md.")
    assert temporary.name.endswith(".tmp")
    assert is_temporary(temporary.name)
    assert is_temporary(kept.name)
    assert kept_name(temporary.name) is None
    assert kept_name(kept.name) == ("Note.md", etag_of(NEW)[:12], etag_of(OLD)[:12])
    assert temporary != temporary_beside(tmp_path / "Note.md")


@pytest.mark.parametrize(
    "name",
    ["Note.md", ".Note.md.tmp", ".Note.md.swp", ".Note.md.abcdef.tmp", "x.vm0123456789ab.tmp"],
)
def test_files_of_others_are_no_temporaries(name: str) -> None:
    assert not is_temporary(name)


def _leave(vault: Path, data: bytes, *, new: bytes | None, old: bytes = OLD) -> Path:
    """A file that a replacement (or, without `new`, a removal) of `old` left beside the note."""
    version = Etag("0" * 64) if new is None else etag_of(new)
    path = kept_beside(temporary_beside(vault / NOTE), new=version, old=etag_of(old))
    path.write_bytes(data)
    return path


def test_old_leftovers_go_and_young_ones_stay(vault: Path) -> None:
    leftover = temporary_beside(vault / NOTE)
    leftover.write_bytes(b"ha")
    now = leftover.stat().st_ctime
    assert clean_temporaries(vault, older_than_seconds=60, now=now + 59).removed == ()
    cleaned = clean_temporaries(vault, older_than_seconds=60, now=now + 61)
    assert cleaned == ((leftover.relative_to(vault).as_posix(),), ())
    assert _files(vault) == {NOTE: OLD}


@pytest.mark.parametrize("data", [OLD, NEW])
def test_a_leftover_that_is_known_elsewhere_goes(vault: Path, data: bytes) -> None:
    _leave(vault, data, new=NEW)
    assert clean_temporaries(vault, older_than_seconds=60, now=4e9).findings == ()
    assert _files(vault) == {NOTE: OLD}


def test_an_editors_version_that_our_write_overtook_is_put_back(vault: Path) -> None:
    (vault / NOTE).write_bytes(NEW)
    _leave(vault, EDITED, new=NEW)
    cleaned = clean_temporaries(vault, older_than_seconds=60, now=4e9)
    assert [(found.code, found.path) for found in cleaned.findings] == [("VM411", NOTE)]
    assert _files(vault) == {NOTE: EDITED}


def test_an_editors_version_that_our_removal_overtook_is_put_back(vault: Path) -> None:
    (vault / NOTE).unlink()
    _leave(vault, EDITED, new=None)
    cleaned = clean_temporaries(vault, older_than_seconds=60, now=4e9)
    assert [(found.code, found.path) for found in cleaned.findings] == [("VM411", NOTE)]
    assert _files(vault) == {NOTE: EDITED}


@pytest.mark.parametrize("new", [NEW, None])
def test_an_editors_version_of_a_note_that_changed_again_is_kept_and_reported(
    vault: Path, new: bytes | None
) -> None:
    (vault / NOTE).write_bytes(b"changed again")
    leftover = _leave(vault, EDITED, new=new).relative_to(vault).as_posix()
    cleaned = clean_temporaries(vault, older_than_seconds=60, now=4e9)
    assert [(found.code, found.path) for found in cleaned.findings] == [("VM412", leftover)]
    assert _files(vault) == {NOTE: b"changed again", leftover: EDITED}


def test_cleaning_enters_neither_links_nor_hidden_folders(vault: Path, tmp_path: Path) -> None:
    names = [".obsidian", ".git", "outside"]
    for folder in (vault / ".obsidian", vault / ".git", tmp_path / "outside"):
        folder.mkdir()
        temporary_beside(folder / "x").write_bytes(b"x")
    (vault / "link").symlink_to(tmp_path / "outside")
    removed = clean_temporaries(vault, older_than_seconds=60, now=4e9).removed
    assert [path.split("/")[0] for path in removed] == names[:1]


def test_a_temporary_whose_writer_finishes_meanwhile_is_passed_over(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leftover = temporary_beside(vault / NOTE)
    leftover.write_bytes(b"x")

    def finish(name: str) -> bool:
        leftover.unlink(missing_ok=True)
        return is_temporary(name)

    monkeypatch.setattr("vaultmem.store.leftovers.is_temporary", finish)
    assert clean_temporaries(vault, older_than_seconds=60, now=4e9) == ((), ())


def test_a_leftover_that_cannot_be_removed_is_an_error_that_names_it(vault: Path) -> None:
    leftover = temporary_beside(vault / NOTE)
    leftover.write_bytes(b"x")
    with disk(at=1, act=_fail(errno.EROFS)), pytest.raises(ReadOnlyError, match=leftover.name):
        clean_temporaries(vault, older_than_seconds=60, now=4e9)


def test_a_folder_that_is_gone_meanwhile_is_passed_over(tmp_path: Path) -> None:
    assert clean_temporaries(tmp_path / "gone", older_than_seconds=60, now=4e9) == ((), ())


MANY = [(f"Memory/New/{number}.md", f"note {number}\n".encode()) for number in range(5)]


@each_file_system
def test_many_files_are_created_with_all_their_bytes(vault: Path, file_system: str) -> None:
    with disk(file_system) as calls:
        made = create_files(vault, MANY)
    assert made == (tuple(name for name, _ in MANY), None)
    assert {name: (vault / name).read_bytes() for name, _ in MANY} == dict(MANY)
    assert [path.name for path in vault.rglob(".*")] == []
    assert calls.count("sync_system") == 1
    assert calls.count("fsync") == (5 if file_system == "plain" else 0)


def test_a_name_that_is_taken_ends_many_and_what_stands_before_it_stays(vault: Path) -> None:
    create_file(vault, MANY[2][0], EDITED)
    made = create_files(vault, MANY)
    assert made.paths == (MANY[0][0], MANY[1][0])
    assert isinstance(made.error, NameTakenError)
    left = {path.name for path in (vault / "Memory/New").iterdir()}
    assert left == {"0.md", "1.md", "2.md"}
    assert (vault / MANY[2][0]).read_bytes() == EDITED


@each_file_system
def test_many_files_that_fail_at_any_step_leave_whole_notes_and_nothing_else(
    tmp_path: Path, file_system: str
) -> None:
    def fail(_: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for at in range(1, 60):
        vault = tmp_path / f"vault{at}"
        vault.mkdir()
        with disk(file_system, at=at, act=fail) as calls, suppress(DiskFailedError):
            create_files(vault, MANY)
        for path in vault.rglob("*.md"):
            assert path.read_bytes() in dict(MANY).values() or not path.read_bytes()
        if len(calls) < at:
            return
    raise AssertionError("it never came to an end")


def test_many_files_need_no_folder_outside(vault: Path) -> None:
    with pytest.raises(UnsafePathError):
        create_files(vault, [*MANY, ("../out.md", NEW)])
    assert not (vault / MANY[0][0]).exists()


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_cannot_make_them_durable_is_told(
    vault: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fail(_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(DISK, "sync_system", fail)
    with pytest.raises(DiskFailedError):
        create_files(vault, MANY)
    assert not (vault / MANY[0][0]).exists()


def test_a_system_without_the_call_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(OSError, match="not implemented"):
        DISK.sync_system(tmp_path)


def test_a_folder_that_is_gone_cannot_be_made_durable(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        DISK.sync_system(tmp_path / "gone")


# ---- many notes that are there


def stored(vault: Path) -> list[tuple[str, bytes, Etag]]:
    """Five notes as they are, with their next versions."""
    assert create_files(vault, MANY).error is None
    return [(name, data + b"more\n", etag_of(data)) for name, data in MANY]


@each_file_system
def test_many_files_are_replaced_in_one_wait(vault: Path, file_system: str) -> None:
    files = stored(vault)
    (vault / MANY[0][0]).chmod(0o640)
    with disk(file_system) as calls:
        made = replace_files(vault, files)
    assert made == (tuple(name for name, *_ in files), None)
    assert {name: (vault / name).read_bytes() for name, *_ in files} == {
        name: data for name, data, _ in files
    }
    assert stat.S_IMODE((vault / MANY[0][0]).stat().st_mode) == 0o640
    assert [path.name for path in vault.rglob(".*")] == []
    assert calls.count("sync_system") == 1


@pytest.mark.parametrize("while_written", [False, True])
def test_a_file_that_changed_ends_many_and_what_stands_before_it_stays(
    vault: Path, monkeypatch: pytest.MonkeyPatch, while_written: bool
) -> None:
    files = stored(vault)
    if while_written:
        real = DISK.sync_system
        monkeypatch.setattr(
            DISK,
            "sync_system",
            lambda place: (real(place), (vault / MANY[2][0]).write_bytes(EDITED)),
        )
    else:
        (vault / MANY[2][0]).write_bytes(EDITED)
    made = replace_files(vault, files)
    assert made.paths == (MANY[0][0], MANY[1][0])
    assert isinstance(made.error, NoteChangedError)
    assert [(vault / name).read_bytes() for name, _ in MANY] == [
        *(data for _, data, _ in files[:2]),
        EDITED,
        *(data for _, data in MANY[3:]),
    ]
    assert [path.name for path in vault.rglob(".*")] == []


def test_many_files_of_which_one_is_read_only_stay_as_they_are(vault: Path) -> None:
    files = stored(vault)
    (vault / MANY[2][0]).chmod(0o440)
    with pytest.raises(ReadOnlyError):
        replace_files(vault, files)
    assert [(vault / name).read_bytes() for name, _ in MANY] == [data for _, data in MANY]
    assert [path.name for path in vault.rglob(".*")] == []


@each_file_system
def test_many_replaced_files_that_fail_at_any_step_are_the_old_or_the_new_ones(
    tmp_path: Path, file_system: str
) -> None:
    def fail(_: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for at in range(1, 120):
        vault = tmp_path / f"vault{at}"
        vault.mkdir()
        files = stored(vault)
        with disk(file_system, at=at, act=fail) as calls, suppress(DiskFailedError):
            replace_files(vault, files)
        clean_temporaries(vault, 0, 2**40)
        for (name, new, _), (_, old) in zip(files, MANY, strict=True):
            assert (vault / name).read_bytes() in (old, new)
        if len(calls) < at:
            return
    raise AssertionError("it never came to an end")


@each_file_system
def test_many_files_are_moved_until_one_cannot_be(vault: Path, file_system: str) -> None:
    stored(vault)
    moves = [(name, f"Memory/Old/{name[-4:]}", etag_of(data)) for name, data in MANY]
    with disk(file_system):
        made = move_files(vault, moves[:2])
    assert made == ((MANY[0][0], MANY[1][0]), None)
    assert {path.name for path in (vault / "Memory/Old").iterdir()} == {"0.md", "1.md"}
    (vault / "Memory/Old/3.md").write_bytes(EDITED)
    taken = move_files(vault, moves[2:])
    assert taken.paths == (MANY[2][0],)
    assert isinstance(taken.error, NameTakenError)
    assert (vault / "Memory/Old/3.md").read_bytes() == EDITED
    assert (vault / MANY[3][0]).exists()
    assert isinstance(move_files(vault, [(MANY[4][0], "x.md", WRONG)]).error, NoteChangedError)
    gone = move_files(vault, [("Memory/gone.md", "x.md", WRONG)])
    assert gone.error is not None
