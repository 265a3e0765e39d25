"""Walking a vault: notes with their stat, nothing through links, nothing hidden."""

from __future__ import annotations

import os
import sys

import pytest

from vaultmem.store.walk import stat_of, walk


def _tree(root, *paths):
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x")


def test_lists_notes_and_skips_what_obsidian_skips(tmp_path):
    _tree(tmp_path, "a.md", "b/c.MD", "b/d.txt", ".obsidian/e.md", "b/.f.md", "b/.g/h.md")
    assert sorted(walk(tmp_path).notes) == ["a.md", "b/c.MD"]


def test_a_stat_is_what_stat_of_says(tmp_path):
    _tree(tmp_path, "b/c.md")
    assert walk(tmp_path).notes["b/c.md"] == stat_of(tmp_path, "b/c.md")


def test_links_are_reported_and_never_followed(tmp_path):
    outside = tmp_path / "outside"
    _tree(outside, "secret.md")
    vault = tmp_path / "vault"
    _tree(vault, "a.md")
    (vault / "folder").symlink_to(outside)
    (vault / "note.md").symlink_to(outside / "secret.md")
    (vault / "loop").symlink_to(vault)
    found = walk(vault)
    assert list(found.notes) == ["a.md"]
    assert found.links == ["folder", "loop", "note.md"]


def test_a_folder_that_cannot_be_listed_is_reported(tmp_path):
    _tree(tmp_path, "a.md")
    assert walk(tmp_path / "none").unreadable == [""]


@pytest.mark.parametrize("name", [b"\xff.md", b"caf\xe9.md"])
def test_a_name_that_is_no_unicode_is_reported(tmp_path, name):
    if sys.platform == "darwin":
        return  # the file system refuses such names itself
    (tmp_path / os.fsdecode(name)).write_text("x")
    found = walk(tmp_path)
    assert found.notes == {}
    assert len(found.unreadable) == 1


def test_temporaries_of_ours_are_told_apart_from_other_hidden_files(tmp_path):
    from vaultmem.store.temporaries import temporary_beside

    ours = temporary_beside(tmp_path / "a.md")
    _tree(tmp_path, "a.md", ours.name, ".b.md.tmp", ".DS_Store")
    assert walk(tmp_path).leftovers == [ours.name]
