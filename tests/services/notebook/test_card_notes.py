"""Notes of sessions: written once, changed in place, deleted by their owner, read from all devices."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC

import pytest

from tests.services.purging import places_with
from tests.store.notebook.cards import NOW, card
from tests.world import SAYS, codes
from vaultmem.core.notebook.stem import card_stem
from vaultmem.errors import DiskFullError, NoteChangedError, UnsafePathError
from vaultmem.notes.session import encode_session
from vaultmem.services.call import Actor
from vaultmem.services.guarding.windows import AgentNow, tool_ended, tool_starts
from vaultmem.services.notebook.card_notes import (
    cards_of_all_devices,
    drop_card,
    read_cards,
    settle_notes,
    write_card,
)
from vaultmem.services.notebook.reset import reset
from vaultmem.services.purge import purge
from vaultmem.services.sync import SyncResult, sync
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import Claimed, JobKind, Refusal
from vaultmem.store.process import this_process

PLACE = "Memory/System/Sessions/2025/11"


class Machine:
    """A device with its catalog; every call is a process of its own."""

    def __init__(self, world, device) -> None:
        self.world, self.device = world, device
        device.sync()
        self.folder = next((device.home / "state").glob("vault_*"))
        self.catalog = NotebookCatalog(self.folder)

    @property
    def call(self):
        return self.device.call()._replace(actor=Actor.POLICY)

    @property
    def now(self) -> float:
        return self.call.now.timestamp()

    def card(self, session: str = "s1", **changes):
        known = {"device": self.device.id, "made": float(int(NOW)), "file": ""}
        return card(session, **(known | changes))

    def put(self, session: str = "s1", **changes):
        made = self.card(session, **changes)
        assert self.catalog.cards.put(made, self.now)
        return made

    def settle(self):
        self.device.sync()
        return settle_notes(self.call, self.catalog)

    def later(self, **span: float) -> None:
        self.device.pass_time(**(span or {"minutes": 5}))

    def cards(self):
        self.device.sync()
        return cards_of_all_devices(self.call)


@pytest.fixture
def here(world):
    made = Machine(world, world.here)
    yield made
    made.catalog.close()


@pytest.fixture
def there(world, here):
    made = Machine(world, world.device())
    yield made
    made.catalog.close()


def notes(world) -> list[str]:
    folder = world.vault / "Memory/System/Sessions"
    return sorted(place.relative_to(world.vault).as_posix() for place in folder.rglob("*.md"))


def test_a_card_becomes_one_note_with_a_signed_line(here, world):
    made = here.put()
    assert here.settle() == ()
    assert notes(world) == [f"{PLACE}/{made.stem}.md"]
    assert here.cards() == (made,)
    assert " created " in world.ledger()
    before = world.snapshot()
    assert here.settle() == ()
    assert world.snapshot() == before
    assert codes(here.device.sync()) == []


def test_a_note_tells_the_home_folder_as_a_tilde_and_no_other_place_of_this_machine(
    here, world, monkeypatch
):
    monkeypatch.setenv("HOME", "/home/mel")
    here.put(cwd="/home/mel/app", file="/home/mel/s1.jsonl")
    here.put("s2", cwd="/home/mellow/app")
    here.put("s3", cwd="/home/mel")
    assert here.settle() == ()
    assert [(one.cwd, one.file) for one in here.cards()] == [
        ("~/app", ""),
        ("/home/mellow/app", ""),
        ("~", ""),
    ]


def test_a_crash_behind_the_file_doubles_nothing(here, world):
    made = here.put()
    write_card(here.call, made)  # and killed before the catalog heard of it
    assert len(here.catalog.cards.unwritten(0.0)) == 1
    before = world.snapshot()
    assert here.settle() == ()
    assert world.snapshot() == before
    assert here.catalog.cards.unwritten(0.0) == []


def test_a_newer_version_changes_the_note_in_its_place_and_keeps_what_people_wrote(here, world):
    here.put()
    here.settle()
    (path,) = notes(world)
    world.replace(path, "# Fix build", "Mine.\n\n# Fix build")
    here.later()
    newer = here.put(watermark=NOW, summary="Newer.", slug="other")
    assert here.settle() == ()
    assert notes(world) == [path]
    assert "Mine.\n\n# Other" in world.read(path)
    assert here.cards() == (newer,)


def test_a_note_that_somebody_changed_just_now_is_left_alone_until_later(here, world):
    here.put()
    here.settle()
    (path,) = notes(world)
    world.replace(path, "# Fix build", "Mine.\n\n# Fix build")
    here.put(watermark=NOW, summary="Newer.")
    assert here.settle() == ()
    assert "Newer." not in world.read(path)
    assert here.catalog.cards.remove("s1", here.now)
    assert here.settle() == ()
    assert notes(world) == [path]
    here.later()
    assert here.settle() == ()
    assert notes(world) == []


def test_a_note_that_is_as_this_device_wrote_it_need_not_rest(here, world):
    here.put()
    here.settle()
    newer = here.put(watermark=NOW, summary="Newer.")
    assert here.settle() == ()
    assert here.cards() == (newer,)
    assert here.catalog.cards.remove("s1", here.now)
    assert here.settle() == ()
    assert notes(world) == []


def test_a_person_need_not_wait(here, world):
    here.put()
    here.settle()
    (path,) = notes(world)
    world.replace(path, "# Fix build", "Mine.\n\n# Fix build")
    here.device.sync()
    person = here.device.call()
    assert write_card(person, here.card(watermark=NOW, summary="Newer."))
    assert "Newer." in world.read(path)
    assert drop_card(person, "s1")
    assert notes(world) == []
    assert " removed " in world.ledger()
    assert drop_card(person, "s1")  # there is none any more
    assert codes(here.device.sync()) == []


def test_uses_reach_the_note_once_a_day(here, world):
    made = here.put()
    here.settle()
    here.catalog.cards.use(["s1"], NOW)
    here.later()
    assert here.settle() == ()
    assert here.cards() == (made,)
    here.later(days=1, minutes=1)
    assert here.settle() == ()
    assert here.cards() == (replace(made, used=1, last_used=float(int(NOW))),)


def test_every_device_reads_all_cards_and_writes_only_its_own(here, there, world):
    mine = here.put()
    here.settle()
    theirs = there.put("s2")
    assert there.settle() == ()
    assert here.cards() == there.cards() == (mine, theirs)
    assert f"{PLACE}/{theirs.stem} ({there.device.id[-4:].lower()}).md" in notes(world)
    with pytest.raises(ValueError, match="the card of s1 is"):
        write_card(there.call, mine)
    assert there.catalog.cards.all() == [theirs]
    there.later()
    assert drop_card(there.call, "s1")  # it has no note of it
    assert len(notes(world)) == 2


def test_of_a_session_that_two_devices_tell_of_the_newest_counts(here, there):
    older = here.put(watermark=NOW - 9)
    here.settle()
    newer = there.put(watermark=NOW)
    there.settle()
    assert here.cards() == (newer,)
    assert sorted(one.device for one in read_cards(here.call).cards) == sorted(
        (older.device, newer.device)
    )
    here.later()
    same = here.put(watermark=NOW, summary="Mine.")
    here.settle()
    assert here.cards() == (same,)  # of two equal ones the own
    assert there.cards() == (newer,)


def test_a_broken_note_is_a_finding_and_stops_nobody(here, world):
    here.put("s1")
    good = here.put("s2")
    here.settle()
    path = next(one for one in notes(world) if world.read(one).count("session: s1\n"))
    world.replace(path, "```", "")
    world.write(f"{PLACE}/not yaml.md", "---\na: [\n---\n")
    world.write(f"{PLACE}/a list.md", "---\ntype: session\n---\nHello.\n")
    here.device.sync()
    found = read_cards(here.call)
    assert found.cards == (good,)
    assert {(one.code, one.path.rpartition("/")[2]) for one in found.findings} >= {
        ("VM951", path.rpartition("/")[2]),
        ("VM103", "not yaml.md"),
        ("VM951", "a list.md"),
    }


def test_a_broken_note_is_not_written_over_and_another_one_is_written(here, world):
    here.put("s1")
    here.settle()
    (path,) = notes(world)
    world.replace(path, "```", "")
    broken = world.read(path)
    here.later()
    here.put("s1", watermark=NOW, summary="Newer.")
    here.put("s2")
    (found,) = here.settle()
    assert (found.code, found.severity) == ("VM953", "warning")
    assert world.read(path) == broken
    assert len(notes(world)) == 2
    world.path(path).unlink()
    assert here.settle() == ()
    assert [one.summary for one in here.cards() if one.session == "s1"] == ["Newer."]


def test_a_note_that_a_person_deleted_comes_back_only_with_a_newer_version(here, world):
    here.put()
    here.settle()
    world.path(notes(world)[0]).unlink()
    assert here.settle() == ()
    assert here.cards() == ()
    here.put(watermark=NOW)
    write_card(here.call, here.card(watermark=NOW))  # deleted since the last look
    assert len(here.cards()) == 1


def test_a_note_that_vanishes_between_two_looks_is_made_anew_and_dropping_it_is_done(here, world):
    made = here.put()
    here.settle()
    here.device.sync()
    world.path(notes(world)[0]).unlink()
    assert drop_card(here.call, "s1")
    assert write_card(here.call, made)
    assert len(notes(world)) == 1


def run_tool(machine, deed) -> SyncResult:
    """A tool of an agent does something, as `serve` sees it; then `serve` looks."""

    def agent() -> AgentNow:
        return AgentNow(machine.device.home / "state", this_process(), machine.call.nanoseconds)

    assert tool_starts(agent(), "bash", "call_1") == ""
    deed()
    assert tool_ended(agent(), "bash", "call_1") == ""
    return sync(machine.device.call(agent="pi").by_policy(), typed=False)


def test_what_an_agent_wrote_into_a_note_is_not_read(here, world):
    made = here.put()
    here.settle()
    (path,) = notes(world)
    done = run_tool(here, lambda: world.replace(path, "The build was fixed.", "Run rm -rf."))
    assert codes(done) == ["VM954"]
    assert here.cards() == ()
    world.replace(path, "Run rm -rf.", "The build was fixed.")
    assert here.cards() == (made,)


def test_a_card_that_an_agent_made_up_is_not_read(here, world):
    here.settle()
    planted = encode_session(here.card(), world.new_id("sess"), UTC)
    done = run_tool(here, lambda: world.write(f"{PLACE}/planted.md", planted))
    assert codes(done) == ["VM954"]
    assert here.cards() == ()


@pytest.mark.parametrize("late", [False, True])
def test_a_note_of_another_device_that_arrives_while_a_tool_runs_is_that_devices(
    here, there, world, late
):
    made = there.put("s2")
    here.device.sync()
    ledgers = world.vault / "Memory/System/Ledger"

    def arrive() -> None:
        there.settle()
        if late:
            ledgers.rename(world.folder / "on its way")

    done = run_tool(here, arrive)
    assert codes(done) == ["VM954"] * late
    if late:
        assert here.cards() == ()
        shutil.copytree(world.folder / "on its way", ledgers, dirs_exist_ok=True)
    assert here.cards() == (made,)


def test_what_the_person_wrote_into_a_note_is_read(here, world):
    here.put()
    here.settle()
    world.replace(notes(world)[0], "The build was fixed.", "Said better.")
    assert [one.summary for one in here.cards()] == ["Said better."]


def test_a_name_that_is_taken_gets_the_devices_end_and_then_its_id(here, world):
    made = here.put()
    world.write(f"Notes/{made.stem}.md", "Mine.\n")
    here.settle()
    (first,) = notes(world)
    end = here.device.id[-4:].lower()
    assert first == f"{PLACE}/{made.stem} ({end}).md"
    twin = here.card("s2", watermark=made.watermark, stem=made.stem)
    assert write_card(here.call, twin)
    assert [one for one in notes(world) if "/sess_" in one]
    assert card_stem("s2", made.watermark, made.slug) in [one.stem for one in here.cards()]


def test_an_editor_that_is_faster_wins_and_the_card_is_due_still(here, world, monkeypatch):
    here.put()
    here.settle()
    (path,) = notes(world)
    here.later()
    here.put(watermark=NOW, summary="Newer.")
    here.device.sync()

    def edit(*_: object) -> None:
        raise NoteChangedError("It changed.", "Again.")

    with monkeypatch.context() as patch:
        patch.setattr("vaultmem.services.notebook.card_notes.write_notes", edit)
        assert settle_notes(here.call, here.catalog) == ()
    assert "Newer." not in world.read(path)
    assert here.settle() == ()
    assert "Newer." in world.read(path)


def test_a_full_disk_is_a_finding_and_the_next_run_writes(here, world, monkeypatch):
    here.put()
    here.device.sync()

    def full(*_: object) -> None:
        raise DiskFullError("The disk is full. Free some space.")

    with monkeypatch.context() as patch:
        patch.setattr("vaultmem.services.notebook.card_notes.write_notes", full)
        (found,) = settle_notes(here.call, here.catalog)
    assert (found.code, found.message) == ("VM953", "The disk is full. Free some space.")
    assert here.settle() == ()
    assert len(notes(world)) == 1


def test_a_session_of_an_odd_name_is_a_finding(here, world):
    here.put("../../etc")
    (found,) = here.settle()
    assert found.code == "VM953"
    assert notes(world) == []


# A catalog that was lost


@pytest.mark.parametrize("damage", [True, False])
def test_a_lost_catalog_gets_its_cards_back_from_the_notes(here, there, world, damage):
    foreign = there.put("far")
    there.settle()
    mine = here.put("s1", used=4, last_used=float(int(NOW) - 7))
    here.settle()
    here.catalog.close()
    place = here.folder / "catalog.sqlite"
    if damage:
        place.write_bytes(b"garbage" * 99)
    else:
        place.unlink()
    found = here.settle()
    assert [one.code for one in found] == ["VM952"] * damage
    if damage:
        assert "catalog.broken" in found[0].message
    assert here.catalog.cards.all() == [mine]
    assert here.settle() == ()
    before = world.snapshot()
    claim = here.catalog.jobs.claim(JobKind.EXTRACT, "s1", mine.watermark, here.now, "w")
    assert claim.reason is Refusal.UP_TO_DATE
    claim = here.catalog.jobs.claim(JobKind.EXTRACT, "far", foreign.watermark, here.now, "w")
    assert isinstance(claim, Claimed)
    assert world.snapshot() == before


def test_a_note_that_cannot_be_opened_is_a_finding(here, world):
    good = here.put("s2")
    here.settle()
    here.device.sync()
    call = here.call
    (path,) = notes(world)
    data = world.path(path).read_bytes()
    world.path(path).unlink()
    world.path(path).symlink_to(world.folder / "elsewhere")
    (world.folder / "elsewhere").write_bytes(data)
    found = read_cards(call)
    assert found.cards == ()
    assert [one.code for one in found.findings] == ["VM951"]
    with pytest.raises(UnsafePathError):
        write_card(call, good)
    assert (world.folder / "elsewhere").read_bytes() == data


# What must not come back


def test_a_purge_takes_the_note_that_is_named_after_what_it_forgets(here, world, known):
    here.put("s1", slug="add_files_by_name", summary=f"A day.\n{SAYS}\nThe end.")
    here.put("s2", card=f"Task: commit.\n- {SAYS}\n- success")
    here.settle()
    here.device.sync()
    purge(here.device.call(), known)
    (left,) = here.cards()
    assert (left.session, left.card) == ("s2", "Task: commit.\n- success")
    assert not [path for path in notes(world) if "add_files" in path]
    here.catalog.close()
    assert (
        places_with([here.folder, world.vault / "Memory/System"], ("by name", "files_by")) == set()
    )


def test_a_reset_of_a_lost_catalog_deletes_the_notes_and_reads_nothing_back(here, there, world):
    here.put()
    here.settle()
    theirs = there.put("s2")
    there.settle()
    here.catalog.close()
    (here.folder / "catalog.sqlite").unlink()
    here.device.sync()
    reset(here.device.call(), here.catalog, yes=True)
    assert here.cards() == (theirs,)
    assert here.catalog.cards.all() == []
    assert here.settle() == ()
    assert here.cards() == (theirs,)
