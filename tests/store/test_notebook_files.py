"""Which files of the vault are the notebook's, and of which nobody can tell."""

from __future__ import annotations

import os

from vaultmem.store.notebook_files import scan


def _write(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def test_the_notebook_is_two_files_and_the_skills(tmp_path):
    _write(tmp_path, "MEMORY.md", "memory_summary.md", "Skills/a/SKILL.md", "Skills/a/b/c.sh")
    _write(tmp_path, "Skills/.git/config", "Skills/a/.hidden", "Notes/a.md", "Scratchpad.md")
    seen = scan(tmp_path)
    assert list(seen.files) == [
        "MEMORY.md",
        "Skills/a/SKILL.md",
        "Skills/a/b/c.sh",
        "memory_summary.md",
    ]
    assert seen.hidden == ()
    assert seen.files["MEMORY.md"][1] == len("MEMORY.md")


def test_nothing_there_is_nothing(tmp_path):
    assert scan(tmp_path) == ({}, ())
    assert scan(tmp_path / "gone") == ({}, ())


def test_what_lies_behind_a_link_is_not_known(tmp_path):
    _write(tmp_path, "elsewhere/a/SKILL.md", "Skills/b/SKILL.md", "other.md")
    (tmp_path / "Skills/linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "MEMORY.md").symlink_to(tmp_path / "other.md")
    seen = scan(tmp_path)
    assert list(seen.files) == ["Skills/b/SKILL.md"]
    assert seen.hidden == ("MEMORY.md", "Skills/linked")
    assert seen.is_unknown("MEMORY.md")
    assert seen.is_unknown("Skills/linked/a/SKILL.md")
    assert not seen.is_unknown("Skills/b/SKILL.md")
    assert not seen.is_unknown("Skills/linkedx/SKILL.md")


def test_a_name_that_is_no_text_is_hidden(tmp_path):
    folder = os.fsencode(tmp_path / "Skills")
    os.mkdir(folder)  # noqa: PTH102 - as bytes
    with open(folder + b"/\xff.md", "w") as file:  # noqa: PTH123 - as bytes
        file.write("x")
    seen = scan(tmp_path)
    assert seen.files == {}
    assert len(seen.hidden) == 1


def test_a_folder_in_the_place_of_a_file_is_no_file(tmp_path):
    (tmp_path / "MEMORY.md").mkdir()
    (tmp_path / "memory_summary.md").mkdir()
    (tmp_path / "Skills").write_text("no folder")
    assert scan(tmp_path) == ({}, ())
