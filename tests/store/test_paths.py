"""No path leaves its folder, by spelling or by link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem.core.path_key import path_key
from vaultmem.errors import UnsafePathError
from vaultmem.store.paths import is_link, is_within, resolve_inside

if TYPE_CHECKING:
    from pathlib import Path

NFC, NFD = "Caf\u00e9", "Cafe\u0301"


@pytest.mark.parametrize(
    "relative",
    [
        "Note.md",
        "Memory/Lessons/Note.md",
        "Memory/Häßlich – schön 🙂.md",
        "Memory/a: b.md",
        "Memory/a..b/c...md",
        "Memory/\udcff.md",  # a byte that is not UTF-8, as Linux allows
    ],
)
def test_an_ordinary_path_is_below_the_root(tmp_path: Path, relative: str) -> None:
    assert resolve_inside(tmp_path, relative) == tmp_path / relative


@pytest.mark.parametrize(
    "relative",
    [
        "",
        "/",
        "/etc/passwd",
        "//host/share",
        "..",
        "../other.md",
        "Memory/../../other.md",
        "Memory/..",
        ".",
        "./Note.md",
        "Memory/./Note.md",
        "Memory//Note.md",
        "Memory/",
        "Memory\\..\\..\\other.md",
        "..\\other.md",
        "\\\\host\\share",
        "C:/other.md",
        "c:other.md",
        "Memory/No\0te.md",
        "Memory/\ud800.md",  # no file name has this
        "n" * 300 + ".md",
    ],
)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_path_that_leaves_or_cannot_be_is_refused(
    tmp_path: Path, relative: str, hidden: bool
) -> None:
    with pytest.raises(UnsafePathError):
        resolve_inside(tmp_path, relative, hidden=hidden)


@pytest.mark.parametrize("relative", [".obsidian/types.json", "Memory/.git/x.md", "Memory/.n.md"])
def test_hidden_places_are_only_for_those_who_say_so(tmp_path: Path, relative: str) -> None:
    assert resolve_inside(tmp_path, relative, hidden=True) == tmp_path / relative
    with pytest.raises(UnsafePathError, match="hidden place"):
        resolve_inside(tmp_path, relative)


@pytest.mark.parametrize(
    "link", ["Memory", "Memory/Lessons", "Memory/Lessons/Note.md", "Memory/Lessons/gone.md"]
)
def test_a_link_anywhere_below_the_root_is_refused(tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    (outside / "Lessons").mkdir(parents=True)
    (outside / "Note.md").write_text("secret")
    vault = tmp_path / "vault"
    place = vault / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside / "nothing" if link.endswith("gone.md") else outside)
    with pytest.raises(UnsafePathError, match="symbolic link"):
        resolve_inside(vault, link if link.endswith(".md") else f"{link}/Note.md")


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "vault").symlink_to(tmp_path / "real")
    assert resolve_inside(tmp_path / "vault", "Note.md") == tmp_path / "vault" / "Note.md"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "Memory").write_text("a file")
    with pytest.raises(UnsafePathError, match="is a file, not a folder"):
        resolve_inside(tmp_path, "Memory/Note.md")


def test_the_error_names_the_part_and_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "Memory").symlink_to(tmp_path)
    with pytest.raises(UnsafePathError) as caught:
        resolve_inside(tmp_path, "Memory/Note.md")
    assert str(caught.value) == (
        "Memory is a symbolic link, which is never followed. "
        "Put a real file or folder in its place."
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.text(st.sampled_from("ab./\\\0:~ C"), max_size=12))
def test_what_is_accepted_is_always_below_the_root(tmp_path: Path, relative: str) -> None:
    root = os.path.realpath(tmp_path)
    try:
        found = resolve_inside(tmp_path, relative, hidden=True)
    except UnsafePathError:
        return
    assert os.path.commonpath([os.path.realpath(found), root]) == root
    assert os.path.realpath(found) != root


@pytest.mark.parametrize(
    ("folder", "relative", "inside"),
    [
        ("Memory", "Memory/Note.md", True),
        ("Memory", "Memory", True),
        ("Memory/", "Memory/Note.md", True),
        ("Memory", "memory/Note.md", True),
        ("MEMORY", "Memory/Note.md", True),
        ("Notes/Memory", "notes/memory/Note.md", True),
        (NFC, f"{NFD}/Note.md", True),
        (NFD, f"{NFC.upper()}/Note.md", True),
        ("Straße", "STRASSE/Note.md", True),
        ("Memory", "Memory 2/Note.md", False),
        ("Memory", "Memoryx.md", False),
        ("Memory", "Other/Memory/Note.md", False),
        ("Memory/System", "Memory/Note.md", False),
    ],
)
def test_the_memory_root_is_recognised_in_any_spelling(
    folder: str, relative: str, inside: bool
) -> None:
    assert is_within(folder, relative) is inside


@given(st.text())
def test_the_key_of_a_path_is_its_own_key(text: str) -> None:
    assert path_key(path_key(text)) == path_key(text)


def test_a_junction_counts_as_a_link(tmp_path: Path) -> None:
    class Junction:
        st_mode = 0o040000
        st_reparse_tag = 0xA0000003

    assert is_link(Junction()) is True
    assert is_link(tmp_path.lstat()) is False
