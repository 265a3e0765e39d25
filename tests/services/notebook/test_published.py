"""Publishing: a version first, then the files; what lies in between is finished, and people win."""

from __future__ import annotations

import errno
import os
import shutil

import pytest

from tests.services.crash_driver import KILLED, kill_at
from tests.services.notebook.noting import (
    CONSOLIDATION,
    FILES,
    HANDBOOK,
    NEXT,
    SCRIPT,
    SKILL,
    SUMMARY,
    in_force,
    log,
    on_disk,
    put,
    switch_on,
)
from tests.world import World, codes
from vaultmem.errors import (
    HistoryDamagedError,
    NotebookChangedError,
    NotebookInvalidError,
    NoteNotFoundError,
)
from vaultmem.services.doctor import doctor
from vaultmem.services.notebook.published import (
    finish_publication,
    publish,
    versions,
)
from vaultmem.services.notebook.restore import restore
from vaultmem.services.notebook.versions import history, show
from vaultmem.store.disk import DISK
from vaultmem.store.notebook_record import read_summary

NAME = "history.git"


def _summary(device) -> str:
    found = read_summary(device.call().vault.state.folder)
    assert found is not None
    return found.text


def test_a_published_notebook_lies_in_the_vault_and_is_nobodys_edit(noted):
    made = put(noted.here)
    assert on_disk(noted) == FILES == in_force(noted.here)
    assert _summary(noted.here) == FILES["memory_summary.md"].decode()
    assert read_summary(noted.here.call().vault.state.folder).commit == made
    done = noted.here.sync()
    assert (done.findings, done.edited, log(noted.here)) == (
        (),
        0,
        [(CONSOLIDATION, "Consolidated")],
    )


def test_a_second_version_replaces_the_first_and_takes_its_lost_skills_away(published):
    files = {path: data for path, data in NEXT.items() if not path.startswith("Skills/")}
    put(published.here, files)
    assert on_disk(published) == files
    assert not published.path("Memory/Skills/tag-it").exists()
    assert published.path("Memory").is_dir()
    assert published.here.sync().findings == ()


def test_the_same_files_are_no_new_version(published):
    assert put(published.here) == put(published.here)
    assert len(log(published.here)) == 1


def test_only_the_version_that_was_read_is_replaced(published):
    with pytest.raises(NotebookChangedError, match="anew"):
        publish(published.here.call(), NEXT, before="0" * 40, by=CONSOLIDATION, message="Late")
    assert in_force(published.here) == FILES


def test_what_is_no_notebook_is_not_published(published):
    with pytest.raises(NotebookInvalidError, match="is missing"):
        put(published.here, {"MEMORY.md": b"# One\n"})
    assert on_disk(published) == FILES == in_force(published.here)


@pytest.mark.parametrize("path", [HANDBOOK, SKILL, SCRIPT])
def test_a_file_that_was_edited_and_not_synced_is_not_written_over(published, path):
    published.write(path, b"v1\nmine\n")
    with pytest.raises(NotebookChangedError, match="vaultmem sync"):
        put(published.here, NEXT)
    assert published.path(path).read_bytes() == b"v1\nmine\n"
    assert in_force(published.here) == FILES


def test_a_file_that_a_person_deleted_is_not_brought_back_by_a_rewrite(published):
    published.path(HANDBOOK).unlink()
    published.here.sync()
    with pytest.raises(NotebookChangedError, match="was deleted"):
        put(published.here, NEXT)
    assert not published.path(HANDBOOK).exists()


def test_a_persons_save_between_the_version_and_the_file_wins(published, monkeypatch):
    mine = FILES["MEMORY.md"] + b"- Typed in between.\n"
    write = DISK.write

    def write_then_save(descriptor: int, data: bytes) -> None:
        write(descriptor, data)
        if data == NEXT["MEMORY.md"]:
            published.write(HANDBOOK, mine)

    monkeypatch.setattr(DISK, "write", write_then_save)
    put(published.here, NEXT)
    monkeypatch.undo()
    assert published.path(HANDBOOK).read_bytes() == mine
    assert in_force(published.here) == NEXT
    published.here.sync()
    assert in_force(published.here) == NEXT | {"MEMORY.md": mine}
    assert [by for by, _ in log(published.here)] == ["person", CONSOLIDATION, CONSOLIDATION]


def test_skills_from_before_the_first_version_stay_and_are_whose_they_are(noted):
    noted.write("Memory/Skills/mine/SKILL.md", "---\nname: mine\n---\nMine.\n")
    noted.write(SKILL, "My own skill of that name.\n")
    noted.here.sync()
    put(noted.here)
    assert noted.read(SKILL) == "My own skill of that name.\n"
    assert noted.here.sync().findings == ()
    assert {"Skills/mine/SKILL.md", "Skills/tag-it/SKILL.md"} < in_force(noted.here).keys()
    assert in_force(noted.here)["Skills/tag-it/SKILL.md"] == b"My own skill of that name.\n"
    assert [by for by, _ in log(noted.here)] == ["person", CONSOLIDATION]


def test_secrets_in_a_summary_do_not_reach_the_copy_for_the_report(noted):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "abcdef"
    put(noted.here, FILES | {"memory_summary.md": f"v1\n- The token is {secret}.\n".encode()})
    assert secret not in _summary(noted.here)
    assert "The token is" in _summary(noted.here)


def test_a_copy_that_lags_is_repaired(published):
    folder = published.here.call().vault.state.folder / "notebook"
    (folder / "summary.md").write_bytes(b"0000\nv1\nold\n")
    assert finish_publication(published.here.call())
    assert _summary(published.here) == FILES["memory_summary.md"].decode()
    (folder / "summary.md").unlink()
    assert finish_publication(published.here.call())
    assert not finish_publication(published.here.call())


def test_a_lost_record_is_made_again_without_any_write(published):
    (published.here.call().vault.state.folder / "notebook" / "published.json").write_text("{]")
    before = published.notes()
    assert published.here.sync().findings == ()
    assert published.notes() == before
    assert len(log(published.here)) == 1


def test_a_kill_at_any_write_leaves_the_old_notebook_or_the_new_one(tmp_path):
    start = World(tmp_path / "start")
    switch_on(start.here)
    start.here.sync()
    put(start.here)
    start.here.sync()
    start.close()
    outcomes = set()
    for at in range(1, 500, 3):
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "start", folder)
        world = World.attach(folder / "vault", folder / "home0", seed=at)
        world.here.app().home  # noqa: B018
        for binding in (folder / "home0" / "state").glob("vault_*/binding.json"):
            binding.write_text(binding.read_text().replace(str(tmp_path / "start"), str(folder)))
        ended = kill_at(lambda: put(world.here, NEXT), at)  # noqa: B023
        assert in_force(world.here) in (FILES, NEXT)
        assert _summary(world.here) in {FILES[SUMMARY[7:]].decode(), NEXT[SUMMARY[7:]].decode()}
        done = world.here.sync()
        assert done.findings == (), at
        assert on_disk(world) == in_force(world.here)
        assert _summary(world.here) == in_force(world.here)["memory_summary.md"].decode()
        assert {by for by, _ in log(world.here)} == {CONSOLIDATION}, at
        outcomes.add(in_force(world.here) == NEXT)
        put(world.here, NEXT)
        assert on_disk(world) == NEXT
        world.close()
        if ended.code != KILLED:
            break
    assert outcomes == {True, False}


def test_a_persons_save_after_a_kill_between_the_version_and_the_files_wins(published):
    mine = FILES["MEMORY.md"] + b"- Typed after the crash.\n"
    at = 1
    while in_force(published.here) == FILES:
        assert kill_at(lambda: put(published.here, NEXT), at).code == KILLED
        at += 1
    assert on_disk(published) == FILES
    published.write(HANDBOOK, mine)
    published.here.sync()
    assert on_disk(published) == NEXT | {"MEMORY.md": mine} == in_force(published.here)
    assert [by for by, _ in log(published.here)] == ["person", CONSOLIDATION, CONSOLIDATION]


def test_a_damaged_history_is_set_aside_and_begun_anew_from_the_notes(published):
    folder = published.here.call().vault.state.folder
    (folder / NAME / "refs/heads/main").write_bytes(b"nonsense\n")
    done = published.here.sync()
    assert codes(done) == ["VM970"]
    assert (folder / f"{NAME}.broken").is_dir()
    assert in_force(published.here) == FILES == on_disk(published)
    assert published.here.sync().findings == ()


def test_damage_that_a_reader_meets_is_mended_by_the_next_sync(published):
    folder = published.here.call().vault.state.folder
    shutil.rmtree(folder / NAME / "objects")
    with pytest.raises(HistoryDamagedError), versions(published.here.call()) as history:
        history.files()
    assert codes(published.here.sync()) == []
    assert in_force(published.here) == FILES


def test_a_history_that_is_gone_is_begun_anew(published):
    shutil.rmtree(published.here.call().vault.state.folder / NAME)
    published.here.sync()
    assert in_force(published.here) == FILES == on_disk(published)


def _doctor(device, *, deep):
    app = device.app()
    done = doctor(
        app.call(),
        set_up=(),
        crash_log=app.home.crash_log,
        deep=app.engine if deep else None,
    )
    return [one.code for one in done.findings if one.code.startswith("VM97")]


def test_doctor_reads_the_versions_and_tells_what_was_set_aside(published):
    assert _doctor(published.here, deep=True) == []
    objects = published.here.call().vault.state.folder / NAME / "objects"
    shutil.rmtree(objects)
    assert _doctor(published.here, deep=False) == []
    assert _doctor(published.here, deep=True) == ["VM970"]
    assert _doctor(published.here, deep=False) == ["VM976"]


def test_a_vault_that_cannot_be_written_is_told_and_made_good_later(published, monkeypatch):
    published.write(HANDBOOK, NEXT["MEMORY.md"])

    def full(path, data, **_options):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    link = DISK.link

    def refuse(old, new):
        if NAME in str(new):
            full(new, b"")
        link(old, new)

    def refuse_rename(old, new):
        if NAME in str(new):
            full(new, b"")
        rename(old, new)

    rename = DISK.rename_new
    monkeypatch.setattr(DISK, "link", refuse)
    monkeypatch.setattr(DISK, "rename_new", refuse_rename)
    assert "VM971" in codes(published.here.sync())
    monkeypatch.undo()
    assert in_force(published.here) == FILES
    published.write("Memory/Lessons/a.md", "---\ntype: memory\n---\nOther.\n")
    assert "VM971" not in codes(published.here.sync())
    assert in_force(published.here) == FILES | {"MEMORY.md": NEXT["MEMORY.md"]}


def test_what_is_no_regular_file_is_neither_read_nor_called_gone(published):
    published.path(HANDBOOK).unlink()
    os.mkfifo(published.path(HANDBOOK))
    assert "VM973" not in codes(published.here.sync())
    put(published.here, NEXT)
    assert in_force(published.here) == NEXT
    assert published.path(HANDBOOK).is_fifo()


def test_before_the_first_version_there_is_nothing_to_show_or_restore(noted):
    with pytest.raises(NoteNotFoundError, match="notebook status"):
        show(noted.here.call())
    with pytest.raises(NoteNotFoundError, match="notebook status"):
        restore(noted.here.call())
    assert history(noted.here.call()) == ()


def test_the_first_version_shows_all_of_its_files_as_changed(published):
    assert set(show(published.here.call()).changed) == FILES.keys()


def test_a_damaged_catalog_keeps_no_edit_from_being_published(published):
    (published.here.call().vault.state.folder / "catalog.sqlite").write_bytes(b"no database" * 999)
    published.write(HANDBOOK, NEXT["MEMORY.md"])
    published.here.sync()
    assert in_force(published.here)["MEMORY.md"] == NEXT["MEMORY.md"]
