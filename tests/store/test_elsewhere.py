"""Other people's files are looked into, within bounds, and never followed or written."""

from __future__ import annotations

import os

import pytest

from vaultmem.store import elsewhere
from vaultmem.store.elsewhere import Occurrence, occurrences


def _find(folder, *, skipped=frozenset()):
    return list(
        occurrences(
            folder,
            lambda data: tuple(
                number for number, line in enumerate(data.split(b"\n"), 1) if b"quokka" in line
            ),
            lambda name: "quokka" in name,
            skipped=skipped,
        )
    )


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "vault"
    (made / ".hidden/deep").mkdir(parents=True)
    (made / "a.md").write_bytes(b"one\nquokka\n")
    (made / "b.md").write_bytes(b"nothing\n")
    (made / "quokka.png").write_bytes(b"\0\1")
    (made / ".hidden/deep/c.json").write_bytes(b"quokka\nquokka")
    return made


def test_every_file_is_found_by_its_bytes_or_its_name(folder):
    assert _find(folder) == [
        Occurrence("a.md", (2,)),
        Occurrence("quokka.png", ()),
        Occurrence(".hidden/deep/c.json", (1, 2)),
    ]


def test_folders_that_are_left_out_are_not_entered(folder):
    assert ".hidden/deep/c.json" not in [one.path for one in _find(folder, skipped={".hidden"})]


def test_links_and_pipes_are_not_opened(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/d.md").write_bytes(b"quokka")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "d.md").symlink_to(tmp_path / "outside/d.md")
    os.mkfifo(folder / "pipe")
    assert len(_find(folder)) == 3


def test_a_file_that_is_too_large_is_named_unread(folder, monkeypatch):
    monkeypatch.setattr(elsewhere, "MAX_FILE", 10)
    found = {one.path: one.read for one in _find(folder)}
    assert found["a.md"] is False
    assert found["quokka.png"] is True


def test_the_number_of_files_has_a_bound(folder, monkeypatch):
    monkeypatch.setattr(elsewhere, "MAX_FILES", 2)
    assert [one.path for one in _find(folder)] == ["a.md"]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path):
    assert _find(tmp_path / "no") == []
