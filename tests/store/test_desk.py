"""The worker's desk: what its tools refuse, and what the check afterwards sees without them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem.errors import DeskRefusedError
from vaultmem.store import desk as module
from vaultmem.store.desk import Desk, Stray

if TYPE_CHECKING:
    from pathlib import Path

WRITABLE = ("MEMORY.md", "memory_summary.md", "Skills/*/**")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    folder = tmp_path / "copy"
    (folder / "Skills/one").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("old\n")
    (folder / "raw_memories.md").write_text("raw\n")
    (folder / "notes").mkdir()
    (folder / "notes/n.md").write_text("note\n")
    (tmp_path / "outside.md").write_text("private\n")
    return Desk(folder, WRITABLE)


def test_a_link_anywhere_in_a_path_is_refused_and_seen_afterwards(
    desk: Desk, tmp_path: Path
) -> None:
    (desk.folder / "memory_summary.md").symlink_to(tmp_path / "outside.md")
    (desk.folder / "Skills/link").symlink_to(tmp_path)
    for path in ("memory_summary.md", "Skills/link/outside.md"):
        for act in (
            lambda path=path: desk.read(path),
            lambda path=path: desk.write(path, "x"),
            lambda path=path: desk.edit(path, "private", "x"),
            lambda path=path: desk.remove(path),
        ):
            with pytest.raises(DeskRefusedError, match="symbolic link"):
                act()
    with pytest.raises(DeskRefusedError, match="symbolic link"):
        desk.list("Skills/link")
    assert desk.list("Skills") == (("one/",), False)
    assert (tmp_path / "outside.md").read_text() == "private\n"
    assert desk.strays() == (
        Stray("Skills/link", "is a symbolic link"),
        Stray("memory_summary.md", "is a symbolic link"),
    )


def test_the_check_sees_everything_that_was_planted_by_hand(desk: Desk, tmp_path: Path) -> None:
    folder = desk.folder
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("x")
    (folder / "Skills/one/.env").write_text("x")
    (folder / "extra.md").write_text("x")
    (folder / "Skills/loose.md").write_text("x")
    (folder / "raw_memories.md").write_text("changed")
    (folder / "notes/n.md").unlink()
    os.mkfifo(folder / "Skills/one/pipe")
    os.link(tmp_path / "outside.md", folder / "Skills/one/hard.md")
    (folder / "Skills/one/huge.md").write_bytes(b"x" * (module.MOST_FILE + 1))
    assert dict(desk.strays()) == {
        ".git": "is hidden",
        ".git/config": "is none of the files that may be written",
        "Skills/one/.env": "is hidden",
        "extra.md": "is none of the files that may be written",
        "Skills/loose.md": "is none of the files that may be written",
        "raw_memories.md": "may only be read and was changed",
        "notes/n.md": "was removed",
        "Skills/one/pipe": "is no regular file",
        "Skills/one/hard.md": "has a second name elsewhere",
        "Skills/one/huge.md": "is too large",
    }


def test_a_change_of_what_is_protected_is_a_stray_even_where_it_is_writable(desk: Desk) -> None:
    (desk.folder / "Skills/one/SKILL.md").write_text("of the person\n")
    guarded = Desk(desk.folder, WRITABLE, protected=("Skills/one/**",))
    assert guarded.strays() == ()
    (desk.folder / "Skills/one/SKILL.md").write_text("taken over\n")
    (desk.folder / "Skills/one/more.md").write_text("x\n")
    assert guarded.strays() == (
        Stray("Skills/one/SKILL.md", "may only be read and was changed"),
        Stray("Skills/one/more.md", "is none of the files that may be written"),
    )
    assert desk.strays() == ()


def test_a_file_too_large_to_read_is_refused_and_watched_by_its_size(desk: Desk) -> None:
    large = desk.folder / "diff.md"
    large.write_bytes(b"x" * (module.MOST_READ + 1))
    watching = Desk(desk.folder, WRITABLE)
    with pytest.raises(DeskRefusedError, match=r"diff\.md"):
        watching.read("diff.md")
    assert watching.strays() == ()
    large.write_bytes(b"x" * (module.MOST_READ + 2))
    assert watching.strays() == (Stray("diff.md", "may only be read and was changed"),)


def test_there_is_an_end_to_what_may_be_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeskRefusedError, match="A file may have"):
        desk.write("MEMORY.md", "é" * (module.MOST_FILE // 2 + 1))
    monkeypatch.setattr(module, "MOST_WRITTEN", 20)
    desk.write("Skills/one/a.md", "x" * 16)
    with pytest.raises(DeskRefusedError, match="too much"):
        desk.write("Skills/one/b.md", "x")
    desk.write("Skills/one/a.md", "y" * 16)  # in place of itself
    (desk.folder / "Skills/one/b.md").write_text("x")
    assert desk.strays() == (Stray(".", "is too much altogether"),)


def test_there_is_an_end_to_how_many_files_may_be_written(desk: Desk) -> None:
    for number in range(module.MOST_FILES - 1):  # MEMORY.md is there
        desk.write(f"Skills/s{number}/SKILL.md", "x")
    with pytest.raises(DeskRefusedError, match="60 files"):
        desk.write("Skills/more/SKILL.md", "x")
    desk.write("Skills/s0/SKILL.md", "y")  # in place of itself
    desk.remove("Skills/s1/SKILL.md")
    desk.write("Skills/more/SKILL.md", "x")
    assert desk.strays() == ()
    (desk.folder / "Skills/more/b.md").write_text("x")  # past the tools
    assert desk.strays() == (Stray(".", "holds more than 60 files that may be written"),)


def test_a_write_looks_at_no_other_file(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[object] = []
    real = module.walk_desk
    monkeypatch.setattr(module, "walk_desk", lambda *args: walked.append(args) or real(*args))
    desk.write("Skills/one/a.md", "x")
    desk.edit("Skills/one/a.md", "x", "y")
    desk.remove("Skills/one/a.md")
    assert walked == []


def test_folders_are_neither_written_read_nor_removed(desk: Desk) -> None:
    (desk.folder / "memory_summary.md").mkdir()
    for act in (
        lambda: desk.write("memory_summary.md", "x"),
        lambda: desk.read("memory_summary.md"),
        lambda: desk.remove("memory_summary.md"),
    ):
        with pytest.raises(DeskRefusedError, match="is a folder"):
            act()


def test_a_file_that_is_no_text_is_refused(desk: Desk) -> None:
    (desk.folder / "MEMORY.md").write_bytes(b"\xff\xfe")
    with pytest.raises(DeskRefusedError, match="no UTF-8"):
        desk.read("MEMORY.md")
    os.mkfifo(desk.folder / "pipe.md")
    with pytest.raises(DeskRefusedError, match=r"pipe\.md"):
        desk.read("pipe.md")


def test_half_a_character_is_not_written(desk: Desk) -> None:
    with pytest.raises(DeskRefusedError, match="half a character"):
        desk.write("MEMORY.md", "\ud800")
    with pytest.raises(DeskRefusedError, match="no path here"):
        desk.write("Skills/one/\ud800", "x")


def test_removing_the_last_file_removes_its_empty_folders_but_never_the_desk(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    desk = Desk(folder, WRITABLE)
    desk.write("Skills/a/b/c.md", "x")
    desk.write("Skills/a/d.md", "x")
    desk.remove("Skills/a/b/c.md")
    assert [one.name for one in (folder / "Skills/a").iterdir()] == ["d.md"]
    desk.remove("Skills/a/d.md")
    assert folder.is_dir()
    assert list(folder.iterdir()) == []


def test_a_pattern_of_everything_leaves_nothing_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path, ("**",))
    assert desk.may_write("a")
    assert desk.may_write("a/b/c")


PARTS = st.sampled_from(
    ["MEMORY.md", "Skills", "one", "a", "..", ".", "", ".git", "link", "C:", "\\", "\0", "ä", "~"]
)


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(parts=st.lists(PARTS, min_size=1, max_size=5), sure=st.booleans())
def test_no_path_whatever_leaves_the_desk_or_makes_a_stray(
    desk: Desk, parts: list[str], sure: bool
) -> None:
    outside = desk.folder.parent
    if not (desk.folder / "Skills/one/link").is_symlink():
        (desk.folder / "Skills/one/link").symlink_to(outside)
    path = ("Skills/one/" if sure else "") + "/".join(parts)
    before = sorted(outside.iterdir())
    with suppress(DeskRefusedError):
        desk.write(path, "x")
    assert sorted(outside.iterdir()) == before
    assert (outside / "outside.md").read_text() == "private\n"
    assert [one.path for one in desk.strays()] == ["Skills/one/link"]
