"""Reset: what goes, what stays, what is asked first, and what is refused."""

from __future__ import annotations

import shutil
from contextlib import closing

import pytest

from tests.services.crash_driver import KILLED, kill_at
from tests.services.notebook.noting import (
    FILES,
    HANDBOOK,
    SKILL,
    in_force,
    on_disk,
    put,
    switch_on,
)
from tests.services.notebook.rewriting import a_card
from tests.world import World
from vaultmem.errors import (
    AgentRefusedError,
    BusyError,
    NotConfirmedError,
    UnsafePathError,
    VaultError,
)
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.reset import foresee_reset, reset
from vaultmem.services.notebook.versions import history
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, JobKind
from vaultmem.store.notebook_record import read_summary

SESSION = "0194f5a6-89ab-7cde-8123-456789abcdef"
MINE = "Memory/Skills/mine/SKILL.md"


def _catalog(world) -> NotebookCatalog:
    return NotebookCatalog(world.here.call().vault.state.folder)


def _reset(world, **options):
    with closing(_catalog(world)) as catalog:
        return reset(world.here.call(), catalog, **options)


def _foreseen(world):
    with closing(_catalog(world)) as catalog:
        return foresee_reset(world.here.call(), catalog)


def _card(world) -> str:
    """A card with its note; where that lies."""
    call = world.here.call()
    now = call.now.timestamp()
    card = a_card(
        SESSION,
        device=world.here.id,
        project="example.org/team/app",
        watermark=now,
        slug=None,
        summary="Rosters.",
        card="# Rosters\n",
        made=now,
    )
    with closing(_catalog(world)) as catalog:
        catalog.cards.put(card, now)
        settle_notes(call, catalog)
    (path,) = (path for path in world.snapshot() if "/Sessions/" in path)
    return path


@pytest.fixture
def full(published):
    """A notebook with a card, a skill of the person's and an ad-hoc note."""
    _card(published)
    published.write(MINE, "---\nname: mine\n---\nMine.\n")
    published.write("Memory/Notes/2026-11-30T09-00-00-keep.md", "Keep this.\n")
    published.here.sync()
    return published


def test_a_reset_removes_what_the_machine_made_and_keeps_the_persons(full):
    before = full.notes()
    reach = _foreseen(full)
    assert reach.files == (
        "MEMORY.md",
        "Skills/tag-it/SKILL.md",
        "Skills/tag-it/scripts/go.sh",
        "memory_summary.md",
    )
    assert (reach.edited, reach.kept, reach.cards, reach.versions) == ((), ("mine",), 1, 2)
    assert full.notes() == before
    done = _reset(full)
    assert (done.reach, done.findings) == (reach, ())
    assert on_disk(full) == {"Skills/mine/SKILL.md": b"---\nname: mine\n---\nMine.\n"}
    assert not full.path("Memory/Skills/tag-it").exists()
    assert [path for path in full.snapshot() if "/Sessions/" in path] == []
    assert full.path("Memory/Notes/2026-11-30T09-00-00-keep.md").exists()
    state = full.here.call().vault.state.folder
    assert not (state / "history.git").exists()
    assert read_summary(full.here.call().vault.state.folder) is None
    assert history(full.here.call()) == ()
    assert full.here.sync().findings == ()
    with closing(_catalog(full)) as catalog:
        assert catalog.cards.all() == []
    put(full.here, FILES)
    assert on_disk(full) == FILES | {MINE.removeprefix("Memory/"): full.path(MINE).read_bytes()}


def test_a_reset_of_nothing_is_no_error(noted):
    assert _reset(noted).reach.files == ()
    assert _reset(noted).reach.files == ()


@pytest.mark.parametrize("synced", [True, False])
def test_what_a_person_wrote_in_is_told_and_needs_a_yes(published, synced):
    published.write(HANDBOOK, FILES["MEMORY.md"] + b"- Mine.\n")
    if synced:
        published.here.sync()
    with pytest.raises(NotConfirmedError, match=r"MEMORY\.md.*--yes"):
        _reset(published)
    assert HANDBOOK in published.snapshot()
    assert _foreseen(published).edited == ("MEMORY.md",)
    _reset(published, yes=True)
    assert on_disk(published) == {}


def test_an_unpublished_change_counts_as_written_in_and_keeps_a_skill(published):
    published.write(HANDBOOK, b"")
    published.write(SKILL, "Planted.\n")
    published.here.sync(agent="pi")
    reach = _foreseen(published)
    assert (reach.edited, reach.kept) == (("MEMORY.md",), ("tag-it",))


@pytest.mark.parametrize(
    "place", ["Memory", "Memory/Skills", "Memory/System", "Memory/System/Sessions"]
)
def test_notebook_row_37_a_reset_through_a_link_is_refused_and_the_target_kept(full, place):
    state = full.here.call().vault.state.folder
    target = full.folder / "elsewhere"
    full.path(place).rename(target)
    full.path(place).symlink_to(target)
    kept = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    with pytest.raises(VaultError, match="link"):
        _reset(full, yes=True)
    assert {path: path.read_bytes() for path in kept} == kept
    assert (state / "history.git").exists()


@pytest.mark.parametrize("name", ["history.git", "notebook"])
def test_notebook_row_37_a_link_in_the_state_folder_is_refused(full, name):
    place = full.here.call().vault.state.folder / name
    target = full.folder / "elsewhere"
    place.rename(target)
    place.symlink_to(target)
    with pytest.raises(UnsafePathError, match="link"):
        _reset(full, yes=True)
    assert target.is_dir()
    assert any(target.iterdir())


def test_only_a_person_resets(full):
    with closing(_catalog(full)) as catalog, pytest.raises(AgentRefusedError):
        reset(full.here.call(agent="pi"), catalog, yes=True)
    with closing(_catalog(full)) as catalog, pytest.raises(AgentRefusedError):
        foresee_reset(full.here.call(agent="pi"), catalog)


def test_a_reset_waits_for_no_job_and_refuses(full):
    now = full.here.call().now.timestamp()
    with closing(_catalog(full)) as catalog:
        catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, now, now, "worker")
        with pytest.raises(BusyError):
            reset(full.here.call(), catalog)
    assert in_force(full.here)["MEMORY.md"] == FILES["MEMORY.md"]


def test_a_damaged_history_keeps_every_skill(full):
    (full.here.call().vault.state.folder / "history.git/refs/heads/main").write_bytes(b"x\n")
    reach = _foreseen(full)
    assert (reach.files, reach.kept) == (("MEMORY.md", "memory_summary.md"), ("mine", "tag-it"))


def test_a_reset_that_is_killed_anywhere_is_done_by_running_it_again(tmp_path):
    start = World(tmp_path / "start")
    switch_on(start.here)
    start.here.sync()
    put(start.here)
    _card(start)
    start.here.sync()
    start.close()
    for at in range(1, 400, 4):
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "start", folder)
        for binding in (folder / "home0" / "state").glob("vault_*/binding.json"):
            binding.write_text(binding.read_text().replace(str(tmp_path / "start"), str(folder)))
        world = World.attach(folder / "vault", folder / "home0", seed=at)
        ended = kill_at(lambda: _reset(world) and None, at)  # noqa: B023
        world.here.sync()
        done = on_disk(world) == {}
        assert done or on_disk(world) == FILES, at
        _reset(world)
        assert on_disk(world) == {}, at
        assert [path for path in world.snapshot() if "/Sessions/" in path] == [], at
        assert not (world.here.call().vault.state.folder / "history.git").exists()
        assert world.here.sync().findings == (), at
        world.close()
        if ended.code != KILLED:
            break
    assert at > 20
