"""The version of a file that grows is that of all its bytes, whoever wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultmem.store.etag import etag_of
from vaultmem.store.growing import GrowingFiles
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from pathlib import Path


def grow(vault: Path, data: bytes) -> None:
    with (vault / "a.md").open("ab") as file:
        file.write(data)


def test_each_look_gives_the_version_of_all_bytes(tmp_path: Path) -> None:
    files, before = GrowingFiles(), None
    for number in range(4):
        grow(tmp_path, f"line {number}\n".encode())
        found = files.version(tmp_path, "a.md", before=before)
        assert found.etag == etag_of((tmp_path / "a.md").read_bytes())
        assert found.stat == stat_of(tmp_path, "a.md")
        before = found.stat


@pytest.mark.parametrize("new", [b"another file\n", b"x", b"a longer one than before\n" * 9])
def test_a_file_that_somebody_replaced_is_read_whole(tmp_path: Path, new: bytes) -> None:
    files = GrowingFiles()
    grow(tmp_path, b"the first line\n")
    was = files.version(tmp_path, "a.md", before=None).stat
    (tmp_path / "b.md").write_bytes(new)
    (tmp_path / "b.md").replace(tmp_path / "a.md")
    seen = stat_of(tmp_path, "a.md")
    grow(tmp_path, b"ours\n")
    for before in (was, seen, None):
        found = files.version(tmp_path, "a.md", before=before)
        assert found.etag == etag_of(new + b"ours\n")


def test_a_file_that_was_cut_is_read_whole(tmp_path: Path) -> None:
    files = GrowingFiles()
    grow(tmp_path, b"the first line\n")
    was = files.version(tmp_path, "a.md", before=None).stat
    (tmp_path / "a.md").write_bytes(b"the")
    assert files.version(tmp_path, "a.md", before=was).etag == etag_of(b"the")
