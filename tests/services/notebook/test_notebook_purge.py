"""A purge reaches the notebook: its files, every version, cards, copies; what stays is listed."""

from __future__ import annotations

import shutil

import pytest

from tests.services.crash_driver import KILLED, kill_at
from tests.services.notebook.noting import (
    FILES,
    HANDBOOK,
    SUMMARY,
    in_force,
    log,
    put,
    switch_on,
)
from tests.services.notebook.rewriting import a_card
from tests.services.purging import places_with
from tests.world import World
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.purge import purge
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook_copies import Consumed, fresh_copy, write_consumed
from vaultmem.store.notebook_record import read_summary

TEXT = "Never paste quokka rosters into zeppelin tables."
WORDS = ("quokka", "zeppelin")
NOTE = f"Memory/Lessons/{TEXT[:-1]}.md"
SAYING = FILES | {
    "MEMORY.md": FILES["MEMORY.md"] + f"- {TEXT} [Task 1]\n".encode(),
    "memory_summary.md": FILES["memory_summary.md"] + f"- {TEXT} [ab12]\n".encode(),
    "Skills/tag-it/SKILL.md": FILES["Skills/tag-it/SKILL.md"] + f"{TEXT}\n".encode(),
}
SESSION = "0194f5a6-89ab-7cde-8123-456789abcdef"
THEIRS = "Memory/Skills/theirs/SKILL.md"


def _memory(world) -> str:
    identifier = world.memory(NOTE, TEXT, category="lesson")
    world.here.sync()
    return identifier


def _card(world, device=None) -> None:
    device = device or world.here
    call = device.call()
    catalog = NotebookCatalog(call.vault.state.folder)
    now = call.now.timestamp()
    card = a_card(
        SESSION,
        device=device.id,
        project="example.org/team/app",
        watermark=now,
        slug=None,
        summary=f"Rosters.\n{TEXT}\n",
        card=f"# Rosters\n- {TEXT}\n- Keep.\n",
        made=now,
    )
    catalog.cards.put(card, now)
    settle_notes(call, catalog)
    catalog.close()


def _left(world) -> set[str]:
    world.close()
    return {path.removeprefix(f"{world.folder}/") for path in places_with([world.folder], WORDS)}


@pytest.fixture
def saying(noted):
    """A notebook that says what a memory says, as older versions do; the memory's id."""
    identifier = _memory(noted)
    _card(noted)
    put(noted.here, SAYING)
    put(noted.here, SAYING | {"MEMORY.md": SAYING["MEMORY.md"] + b"- More. [Task 1]\n"})
    state = noted.here.call().vault.state.folder
    fresh_copy(state, SAYING)
    write_consumed(state, Consumed(SAYING, None))
    noted.here.sync()
    return identifier


def test_nothing_is_left_of_it_in_files_versions_cards_and_copies(noted, saying):
    done = purge(noted.here.call(), saying)
    assert done.finished
    assert [one for one in done.left if one.certain] == []
    assert {HANDBOOK, SUMMARY, "Memory/Skills/tag-it/SKILL.md"} <= {*done.cut}
    assert in_force(noted.here) == FILES | {"MEMORY.md": FILES["MEMORY.md"] + b"- More. [Task 1]\n"}
    assert noted.path(HANDBOOK).read_bytes() == in_force(noted.here)["MEMORY.md"]
    assert (
        read_summary(noted.here.call().vault.state.folder).text
        == FILES["memory_summary.md"].decode()
    )
    assert len(log(noted.here)) == 2
    assert noted.here.sync().findings == ()
    assert len(log(noted.here)) == 2
    assert _left(noted) == set()


def test_a_persons_skill_is_listed_and_kept_out_of_the_versions_until_it_is_edited(noted, saying):
    noted.write(THEIRS, f"---\nname: theirs\n---\n{TEXT}\nMine.\n")
    noted.here.sync()
    done = purge(noted.here.call(), saying)
    assert [one.path for one in done.left if one.certain] == [THEIRS]
    assert noted.here.sync().findings == ()
    assert b"quokka" not in in_force(noted.here)["Skills/theirs/SKILL.md"]
    assert _left(noted) == {f"vault/{THEIRS}"}
    put(noted.here, in_force(noted.here) | {"MEMORY.md": b"# New\n"})
    assert TEXT in noted.read(THEIRS)
    noted.write(THEIRS, "---\nname: theirs\n---\nMine.\n")
    assert noted.here.sync().findings == ()
    assert in_force(noted.here)["Skills/theirs/SKILL.md"].endswith(b"---\nMine.\n")


def test_a_skill_whose_name_says_it_is_in_no_version_any_more(noted, saying):
    path = "Memory/Skills/never-paste-quokka-rosters-into-zeppelin-tables/SKILL.md"
    noted.write(path, "---\nname: it\n---\nMine.\n")
    noted.here.sync()
    purge(noted.here.call(), saying)
    noted.here.sync()
    assert path.removeprefix("Memory/") not in in_force(noted.here)
    assert noted.path(path).exists()
    assert [one for one in _left(noted) if "history.git" in one] == []


def test_what_an_agent_planted_in_the_handbook_is_cut_and_the_rest_stays_held(published):
    identifier = _memory(published)
    published.write(HANDBOOK, FILES["MEMORY.md"] + f"- {TEXT}\n- Push.\n".encode())
    published.here.sync(agent="pi")
    purge(published.here.call(), identifier)
    published.here.sync()
    assert in_force(published.here) == FILES
    assert published.path(HANDBOOK).read_bytes() == FILES["MEMORY.md"] + b"- Push.\n"
    assert _left(published) == set()


def test_damaged_versions_go_with_the_purge(noted, saying):
    state = noted.here.call().vault.state.folder
    (state / "history.git/refs/heads/main").write_bytes(b"nonsense\n")
    assert purge(noted.here.call(), saying).finished
    noted.here.sync()
    assert in_force(noted.here)["MEMORY.md"] == FILES["MEMORY.md"] + b"- More. [Task 1]\n"
    assert _left(noted) == {"vault/Memory/Skills/tag-it/SKILL.md"}  # nobody knows whose it is


def test_another_device_forgets_its_versions_too(noted, saying):
    other = noted.device()
    switch_on(other)
    other.sync()
    assert b"quokka" in in_force(other)["MEMORY.md"]
    purge(noted.here.call(), saying)
    other.sync()
    other.sync()
    assert b"quokka" not in b"".join(in_force(other).values())
    assert _left(noted) == set()


def test_a_session_note_that_arrives_after_the_purge_is_told_until_its_device_cuts_it(noted):
    other = noted.device()
    switch_on(other)
    other.sync()
    identifier = _memory(noted)
    _card(noted, other)
    (note,) = noted.path("Memory/System/Sessions").rglob("*.md")
    late = note.read_bytes()
    note.unlink()  # it is under way
    purge(noted.here.call(), identifier)
    note.write_bytes(late)
    for _ in range(2):
        (found,) = noted.here.sync().findings
        assert (found.code, found.path) == ("VM342", note.relative_to(noted.vault).as_posix())
        assert TEXT in note.read_text().splitlines()[found.line - 1]
        assert "`vaultmem sync` on the device that the note names" in found.remedy
    assert note.read_bytes() == late
    other.sync()
    assert noted.here.sync().findings == ()
    assert _left(noted) == set()


def test_a_purge_that_is_killed_anywhere_is_finished_by_the_next_sync(tmp_path):
    start = World(tmp_path / "start")
    switch_on(start.here)
    start.here.sync()
    identifier = _memory(start)
    put(start.here, SAYING)
    start.write(THEIRS, f"---\nname: theirs\n---\n{TEXT}\nMine.\n")
    start.here.sync()
    start.close()
    for at in range(1, 600, 13):
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "start", folder)
        for binding in (folder / "home0" / "state").glob("vault_*/binding.json"):
            binding.write_text(binding.read_text().replace(str(tmp_path / "start"), str(folder)))
        world = World.attach(folder / "vault", folder / "home0", seed=at)
        ended = kill_at(lambda: purge(world.here.call(), identifier) and None, at)  # noqa: B023
        world.here.sync()
        if world.path(NOTE).exists():  # it was not begun
            purge(world.here.call(), identifier)
        world.here.sync()
        assert world.read(THEIRS).endswith(f"{TEXT}\nMine.\n"), at
        assert _left(world) == {f"vault/{THEIRS}"}, at
        if ended.code != KILLED:
            break
    assert at > 50
