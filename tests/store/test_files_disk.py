"""The system calls on the systems that this one is not, and when they answer something rare."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import pytest

from vaultmem.store.disk import DISK

if TYPE_CHECKING:
    from pathlib import Path


class Library:
    """A C library with macOS's call; it answers what it is told."""

    def __init__(self, answer: int = 0) -> None:
        self.calls: list[tuple[object, ...]] = []
        self._answer = answer

    def renamex_np(self, *arguments: object) -> int:
        self.calls.append(arguments)
        return self._answer


def test_macos_exchanges_and_renames_by_its_own_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library()
    monkeypatch.setattr("ctypes.CDLL", lambda name, use_errno: library)
    monkeypatch.setattr(sys, "platform", "darwin")
    DISK.exchange(tmp_path / "a", tmp_path / "b")
    DISK.rename_new(tmp_path / "a", tmp_path / "b")
    one, other = os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "b")
    assert library.calls == [(one, other, 2), (one, other, 4)]  # RENAME_SWAP, RENAME_EXCL


def test_a_failing_call_is_an_error_with_both_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name, use_errno: Library(-1))
    monkeypatch.setattr("ctypes.get_errno", lambda: errno.EEXIST)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(FileExistsError) as caught:
        DISK.rename_new(tmp_path / "a", tmp_path / "b")
    assert (caught.value.filename, caught.value.filename2) == (
        str(tmp_path / "a"),
        str(tmp_path / "b"),
    )


def test_windows_renames_plainly_and_syncs_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("a")
    monkeypatch.setattr(sys, "platform", "win32")
    DISK.rename_new(tmp_path / "a", tmp_path / "b")
    DISK.sync_folder(tmp_path / "not there, and not asked for")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_folder_whose_sync_fails_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(descriptor: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="broken"):
        DISK.sync_folder(tmp_path)


def test_what_is_there_or_gone_already_is_no_error(tmp_path: Path) -> None:
    DISK.make_folder(tmp_path)
    DISK.unlink(tmp_path / "gone")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        DISK.make_folder(tmp_path / "file")


def test_exchanging_swaps_two_files_here(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    DISK.exchange(tmp_path / "a", tmp_path / "b")
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("b", "a")
    with pytest.raises(FileExistsError):
        DISK.rename_new(tmp_path / "a", tmp_path / "b")
    with pytest.raises(FileNotFoundError):
        DISK.exchange(tmp_path / "a", tmp_path / "c")
