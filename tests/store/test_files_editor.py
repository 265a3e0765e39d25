"""An editor that saves while we write is never overwritten; our write is then reported as lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.store.faults import disk
from vaultmem.errors import NoteChangedError, NoteNotFoundError
from vaultmem.store.disk import DISK
from vaultmem.store.files import create_file, etag_of, is_temporary, remove_file, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable

NOTE = "Memory/Note.md"
OLD, NEW, EDITED, AGAIN = b"old version\n", b"new version\n", b"by the person\n", b"once more\n"


def _in_place(path: Path, data: bytes) -> None:
    """As Obsidian saves: the same file, emptied and written."""
    path.write_bytes(data)


def _by_rename(path: Path, data: bytes) -> None:
    """As vim and sync clients save: a new file takes the name."""
    other = path.with_name("~editor.tmp")
    other.write_bytes(data)
    other.replace(path)


SAVES: dict[str, Callable[[Path, bytes], None]] = {"in place": _in_place, "by rename": _by_rename}
each_way_to_save = pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)

HOLES = {("links", "by rename"), ("plain", "in place"), ("plain", "by rename")}
"""Without a rename that exchanges, the moment between the last look and the rename stays open."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    create_file(tmp_path, NOTE, OLD)
    return tmp_path


def _only_file(vault: Path) -> bytes:
    (path,) = (path for path in vault.rglob("*") if path.is_file())
    assert path == vault / NOTE
    return path.read_bytes()


def _steps(file_system: str, tmp_path: Path) -> list[str]:
    create_file(tmp_path, "try/Note.md", OLD)
    with disk(file_system) as calls:
        replace_file(tmp_path, "try/Note.md", NEW, expected=etag_of(OLD))
    (tmp_path / "try/Note.md").unlink()
    (tmp_path / "try").rmdir()
    return calls


@pytest.mark.parametrize("way", SAVES)
@pytest.mark.parametrize("file_system", ["exchange", "links", "plain"])
def test_a_save_between_any_two_steps_survives(file_system: str, way: str, vault: Path) -> None:
    steps = _steps(file_system, vault)
    hole = max(at for at, step in enumerate(steps, start=1) if step == "replace")
    lost_to_us = 0
    for at, step in enumerate(steps, start=1):
        if (file_system, way) in HOLES and at == hole:
            continue
        (vault / NOTE).write_bytes(OLD)
        with disk(file_system, at=at, act=lambda name: SAVES[way](vault / NOTE, EDITED)):
            try:
                replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
            except NoteChangedError:
                lost_to_us += 1
        assert _only_file(vault) == EDITED, (at, step)
    assert lost_to_us >= 4


@each_way_to_save
def test_a_save_before_the_write_is_kept(vault: Path, save: Callable[[Path, bytes], None]) -> None:
    save(vault / NOTE, EDITED)
    with pytest.raises(NoteChangedError):
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _only_file(vault) == EDITED


@each_way_to_save
@pytest.mark.parametrize("file_system", ["exchange", "links"])
def test_the_newest_of_two_saves_stands(
    vault: Path, file_system: str, save: Callable[[Path, bytes], None], monkeypatch
) -> None:
    """The first save comes just before our version takes the name, the second just after."""
    call = "exchange" if file_system == "exchange" else "replace"
    with disk(file_system):
        real = getattr(DISK, call)

        def between(old: Path, new: Path) -> None:
            if Path(new) != vault / NOTE or _only_file_is(vault, AGAIN):
                real(old, new)
                return
            _in_place(vault / NOTE, EDITED)
            real(old, new)
            save(vault / NOTE, AGAIN)

        monkeypatch.setattr(DISK, call, between)
        with pytest.raises(NoteChangedError):
            replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
        monkeypatch.undo()
    assert _only_file(vault) == AGAIN


def _only_file_is(vault: Path, data: bytes) -> bool:
    return any(path.read_bytes() == data for path in vault.rglob("*") if path.is_file())


def test_an_editor_that_emptied_the_file_writes_into_the_file_that_stays(vault: Path) -> None:
    """It has the old file open when we take the name: its bytes must not go to nowhere."""
    editor: list[int] = []

    def open_and_empty(name: str) -> None:
        editor.append(os.open(vault / NOTE, os.O_WRONLY | os.O_TRUNC))

    at = _steps("exchange", vault).index("exchange") + 1
    with disk(at=at, act=open_and_empty), pytest.raises(NoteChangedError):
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    os.write(editor[0], EDITED)
    os.close(editor[0])
    assert _only_file(vault) == EDITED


def test_a_link_put_in_the_place_of_the_note_is_given_back(vault: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()

    def link(name: str) -> None:
        (vault / NOTE).unlink()
        (vault / NOTE).symlink_to(target)

    at = _steps("exchange", vault).index("exchange") + 1
    with disk(at=at, act=link), pytest.raises(NoteChangedError):
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert (vault / NOTE).readlink() == target
    assert [path for path in vault.rglob(".*") if is_temporary(path.name)] == []


@pytest.mark.parametrize("file_system", ["exchange", "links", "plain"])
def test_a_removal_by_the_person_is_not_undone(file_system: str, vault: Path) -> None:
    steps = _steps(file_system, vault)
    stop = steps.index("exchange") + 1
    (vault / NOTE).unlink()
    for at in range(1, stop + 1):
        create_file(vault, NOTE, OLD)
        with (
            disk(file_system, at=at, act=lambda name: (vault / NOTE).unlink()),
            pytest.raises(NoteNotFoundError),
        ):
            replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
        assert [path for path in vault.rglob("*") if path.is_file()] == []


@each_way_to_save
@pytest.mark.parametrize("file_system", ["exchange", "links", "plain"])
def test_a_save_before_a_removal_survives(
    file_system: str, vault: Path, save: Callable[[Path, bytes], None]
) -> None:
    with (
        disk(file_system, at=1, act=lambda name: save(vault / NOTE, EDITED)),
        pytest.raises(NoteChangedError),
    ):
        remove_file(vault, NOTE, expected=etag_of(OLD))
    assert _only_file(vault) == EDITED


@pytest.mark.parametrize("file_system", ["exchange", "links", "plain"])
def test_the_newest_of_two_saves_survives_a_removal(file_system: str, vault: Path) -> None:
    with disk(file_system) as calls:
        real = DISK.replace

        def replace(old: Path, new: Path) -> None:
            if "replace" not in calls:
                _in_place(vault / NOTE, EDITED)
                real(old, new)
                _in_place(vault / NOTE, AGAIN)
            else:
                real(old, new)

        DISK.replace = replace  # type: ignore[method-assign]
        with pytest.raises(NoteChangedError):
            remove_file(vault, NOTE, expected=etag_of(OLD))
    assert _only_file(vault) == AGAIN


def test_a_note_that_changed_before_is_not_taken_away_for_a_moment(vault: Path) -> None:
    with (
        disk(at=2, act=lambda name: _in_place(vault / NOTE, EDITED)) as calls,
        pytest.raises(NoteChangedError),
    ):
        replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert "exchange" not in calls


def test_a_file_that_takes_the_name_after_the_link_is_not_overwritten(vault: Path) -> None:
    with disk("links"):
        real = DISK.link

        def link(old: Path, new: Path) -> None:
            real(old, new)
            _by_rename(vault / NOTE, EDITED)

        DISK.link = link  # type: ignore[method-assign]
        with pytest.raises(NoteChangedError):
            replace_file(vault, NOTE, NEW, expected=etag_of(OLD))
    assert _only_file(vault) == EDITED
