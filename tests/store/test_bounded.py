"""Files that somebody else may have made are read within limits, and nothing about them raises."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from vaultmem.store import bounded
from vaultmem.store.bounded import Unread, read_bounded, read_inside

if TYPE_CHECKING:
    from pathlib import Path


def test_reads_up_to_the_limit_and_not_a_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * 2048)
    assert read_bounded(path, limit=2048) == b"x" * 2048
    assert read_bounded(path, limit=2047) == Unread("is larger than 1 KiB")
    path.write_bytes(b"x" * 200_000)
    assert read_bounded(path, limit=200_000) == b"x" * 200_000


@pytest.mark.parametrize("name", ["gone", "gone/deeper", "file/below", "a\x00b", "x" * 5000])
def test_what_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    found = read_bounded(tmp_path / name, limit=10)
    assert isinstance(found, Unread)
    assert found.missing is (len(name) < 100)  # of a name too long only the system knows


def test_folders_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("", "pipe", "zero"):
        assert read_bounded(tmp_path / name, limit=10) == Unread("is no regular file")


def test_a_link_is_followed_only_where_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to("real")
    assert read_bounded(tmp_path / "link", limit=10) == b"x"
    found = read_bounded(tmp_path / "link", limit=10, follow=False)
    assert isinstance(found, Unread)
    assert "cannot be opened" in found.why


def test_below_a_root_no_part_may_be_a_link(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".real" / "in").mkdir(parents=True)
    (root / ".real" / "in" / "f").write_text("x")
    (root / "linked").symlink_to(root / ".real")
    (tmp_path / "way-in").symlink_to(root)
    assert read_inside(root, ".real/in/f", limit=10) == b"x"
    assert read_inside(tmp_path / "way-in", ".real/in/f", limit=10) == b"x"
    for relative in ("linked/in/f", "../root/.real/in/f", "/etc/passwd", ".real/../.real/in/f"):
        found = read_inside(root, relative, limit=10)
        assert isinstance(found, Unread)
        assert not found.missing
    assert read_inside(root, ".real/gone", limit=10) == Unread("is not there", missing=True)


def test_a_file_that_fails_while_it_is_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f").write_text("x")

    def fail(descriptor: int, size: int) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(bounded.os, "read", fail)
    found = read_bounded(tmp_path / "f", limit=10)
    monkeypatch.undo()
    assert found == Unread(f"cannot be read ({os.strerror(errno.EIO)})")
