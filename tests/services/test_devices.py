"""Two devices with one key on a synced vault: late, doubled and disordered files name nobody wrong."""

from __future__ import annotations

import re
import shutil
import time
from contextlib import contextmanager

import pytest

from tests.world import SAYS, World
from vaultmem.core.model import Category
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.promotion_words import Destination
from vaultmem.services.apply import apply_all
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.forget import forget
from vaultmem.services.inquiries import ask, inquiries
from vaultmem.services.lookup import find_memory
from vaultmem.services.maintain import maintain
from vaultmem.services.promote import Filling, accept, list_, propose_one, reject
from vaultmem.services.ratify import ratify

NOTE = "Memory/Lessons/Add files by name.md"


class Synced:
    """A desk and a laptop, each with its own folder; a sync client carries single files."""

    def __init__(self, folder):
        self.desk = World(folder / "desk")
        self.desk.memory(NOTE, "Add files by name.", category="lesson")
        self.desk.here.sync()
        self.laptop = self.another(folder / "laptop")

    def another(self, folder):
        """A device more, with a copy of the desk's vault and with its key."""
        shutil.copytree(self.desk.vault, folder / "vault")
        made = World.__new__(World)
        made.folder, made.vault, made.devices = folder, folder / "vault", []
        made.here = made.device()
        for key in (self.desk.here.home / "state").glob("vault_*/key"):
            target = made.here.home / "state" / key.parent.name / "key"
            target.parent.mkdir(parents=True)
            shutil.copy(key, target)
        made.here.sync()
        return made

    def deliver(self, *paths, source=None, target=None):
        """Carry files from the desk to the laptop, or the other way."""
        source, target = source or self.desk, target or self.laptop
        for path in paths:
            place = target.path(path)
            if source.path(path).exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source.path(path), place)
            else:
                place.unlink(missing_ok=True)

    def ledgers(self, world):
        folder = world.vault / "Memory/System/Ledger"
        return [p.relative_to(world.vault).as_posix() for p in sorted(folder.glob("*.md"))]

    def close(self):
        self.desk.close()
        self.laptop.close()


@pytest.fixture
def synced(tmp_path):
    made = Synced(tmp_path)
    yield made
    made.close()


def _add(world, text):
    app = world.here.app()
    done = add(app.call(), app.engine, Wish(text=text, category=Category.LESSON, pin=True))
    return done.id, done.path


def _person_lines(world):
    return [line for line in world.ledger(device=world.here).splitlines() if '"via":"sync"' in line]


def _force(world, identifier):
    return world.here.call().vault.baseline.standing(identifier).force


def test_a_note_with_its_ledger_is_the_other_devices(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    (change,) = synced.laptop.here.sync().changes
    assert (change.change, change.by) == ("created", "device")
    assert _person_lines(synced.laptop) == []
    assert _force(synced.laptop, identifier) == 1, "the desk signed the pin"


@pytest.mark.parametrize("late", [True, False])
def test_a_note_before_its_ledger_is_never_called_the_persons(synced, late):
    # the laptop must know that another device exists
    _add(synced.desk, "Something earlier.")
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path)
    synced.laptop.here.sync()
    assert (
        synced.laptop.here.call().vault.baseline.standing(identifier).statement
        == "Use UTC everywhere."
    )
    assert _person_lines(synced.laptop) == []
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.pass_time(minutes=11 if late else 1)
    synced.laptop.here.sync()
    synced.laptop.here.pass_time(minutes=30)
    synced.laptop.here.sync()
    assert _person_lines(synced.laptop) == []
    assert synced.laptop.here.call().vault.baseline.pending.all() == []


def test_files_that_arrive_twice_change_nothing(synced):
    _, path = _add(synced.desk, "Use UTC everywhere.")
    for _ in range(2):
        synced.deliver(path, *synced.ledgers(synced.desk))
        synced.laptop.here.sync()
    synced.deliver(path, *synced.ledgers(synced.desk))
    assert synced.laptop.here.sync().changes == ()
    assert _person_lines(synced.laptop) == []


def test_an_older_version_that_arrives_after_a_newer_one_is_no_edit_of_the_person(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    first = synced.desk.read(path)
    synced.desk.replace(path, "Use UTC everywhere.", "Use UTC in every table.")
    synced.desk.here.sync()
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.laptop.write(path, first)
    synced.laptop.here.sync()
    synced.deliver(path)
    synced.laptop.here.sync()
    assert (
        synced.laptop.here.call().vault.baseline.standing(identifier).statement
        == "Use UTC in every table."
    )
    synced.laptop.here.pass_time(hours=1)
    synced.laptop.here.sync()
    assert _person_lines(synced.laptop) == []


def test_a_persons_edit_counts_at_once_and_is_signed_after_ten_quiet_minutes(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.laptop.replace(path, "Use UTC everywhere.", "Use UTC in every table.")
    synced.laptop.here.sync()
    standing = synced.laptop.here.call().vault.baseline.standing(identifier)
    assert standing.statement == "Use UTC in every table."
    assert standing.force == 1, "a pin keeps its force while the edit waits"
    assert _person_lines(synced.laptop) == []
    synced.laptop.here.pass_time(minutes=11)
    synced.laptop.here.sync()
    assert len(_person_lines(synced.laptop)) == 1
    # the desk receives the edit with the laptop's word for it, and signs nothing of its own
    synced.deliver(path, *synced.ledgers(synced.laptop), source=synced.laptop, target=synced.desk)
    before = synced.desk.ledger(device=synced.desk.here)
    synced.desk.here.sync()
    synced.desk.here.pass_time(hours=1)
    synced.desk.here.sync()
    assert synced.desk.ledger(device=synced.desk.here) == before
    assert _force(synced.desk, identifier) == 1


@pytest.mark.parametrize("minutes", [0, 12])
@pytest.mark.parametrize("order", [(" activity ", " force "), (" force ", " activity "), (" ",)])
def test_a_guardrail_given_on_one_device_acts_on_the_other_however_it_arrives(
    synced, order, minutes
):
    identifier, path = _add(synced.desk, "Never stage everything.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    proposal = propose_one(synced.desk.here.call(), identifier, Destination.ENFORCEMENT)
    given = Filling(trigger="bash_contains git add .", action="block")
    accept(synced.desk.here.call(), proposal.id, filling=given)
    synced.deliver(path)
    synced.laptop.here.sync()
    assert _force(synced.laptop, identifier) == 0, "nobody has signed yet that it may act"
    for kind in order:
        synced.deliver(*(path for path in synced.ledgers(synced.desk) if kind in path))
        synced.laptop.here.pass_time(minutes=minutes)
        synced.laptop.here.sync()
    assert _force(synced.laptop, identifier) == 1, "the desk signed it"


@pytest.mark.parametrize("first", ["desk", "laptop"])
def test_what_one_device_rejected_and_the_other_accepted_is_accepted_on_both(synced, first):
    proposal = propose_one(synced.desk.here.call(), NOTE, Destination.ENFORCEMENT)
    synced.deliver(proposal.path, *synced.ledgers(synced.desk))
    for name in (first, "laptop" if first == "desk" else "desk"):
        device = getattr(synced, name).here
        device.sync()
        if name == "desk":
            reject(device.call(), proposal.id)
        else:
            given = Filling(trigger="bash_contains git add .", action="block")
            accept(device.call(), proposal.id, filling=given)
        for other in (synced.desk.here, synced.laptop.here):
            other.pass_time(minutes=1)
    synced.deliver(*synced.ledgers(synced.desk))
    written = [NOTE, *synced.ledgers(synced.laptop)]
    synced.deliver(*written, source=synced.laptop, target=synced.desk)
    for world in (synced.desk, synced.laptop):
        world.here.sync()
        listed = list_(world.here.call(), everything=True)
        assert [(one.id, one.status) for one in listed] == [(proposal.id, "accepted")]
        assert _force(world, proposal.memory) == 1


def test_what_one_device_held_as_external_gets_no_force_on_the_other(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.desk.replace(path, "Use UTC everywhere.", "Use local time.")
    assert synced.desk.here.sync(agent="pi").external == 1
    synced.deliver(path)
    synced.laptop.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.pass_time(minutes=11)
    done = synced.laptop.here.sync()
    standing = synced.laptop.here.call().vault.baseline.standing(identifier)
    assert _person_lines(synced.laptop) == []
    assert standing.statement == "Use UTC everywhere.", "the last version is in force again"
    assert "VM310" in [one.code for one in done.findings]


def test_a_deletion_that_syncs_is_one_tombstone(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.desk.path(path).unlink()
    synced.desk.here.sync()
    synced.desk.here.pass_time(days=8)
    synced.desk.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    assert synced.laptop.here.call().vault.baseline.memory(identifier).state == "gone"
    synced.deliver(path)
    synced.laptop.here.sync()
    synced.laptop.here.pass_time(days=9)
    synced.laptop.here.sync()
    assert synced.laptop.ledger("tombstones", synced.laptop.here) == ""


def test_an_old_file_of_a_deleted_memory_does_not_bring_it_back(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    text = synced.desk.read(path)
    synced.desk.path(path).unlink()
    synced.desk.here.sync()
    synced.desk.here.pass_time(days=8)
    synced.desk.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.laptop.write(path, text)
    done = synced.laptop.here.sync()
    assert synced.laptop.here.call().vault.baseline.standing(identifier) is None or (
        synced.laptop.here.call().vault.baseline.memory(identifier).state != "live"
    )
    assert {"VM311", "VM313"} & {one.code for one in done.findings}


@pytest.mark.parametrize("moved", [False, True])
def test_an_old_file_does_not_bring_back_what_was_deleted_with_its_text_kept(synced, moved):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    text = synced.desk.read(path)
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    forget(synced.desk.here.call(), identifier)
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    if moved:
        synced.laptop.path(path).unlink()
        path = path.replace("Preferences", "Lessons").replace("Use UTC", "Always use UTC")
    synced.laptop.write(path, text)
    done = synced.laptop.here.sync()
    assert "VM313" in [one.code for one in done.findings]
    assert synced.laptop.here.call().vault.baseline.standing(identifier).status == "deleted"
    synced.laptop.here.pass_time(hours=1)
    synced.laptop.here.sync()
    assert _person_lines(synced.laptop) == []


def test_what_a_person_brings_back_at_one_device_is_back_at_the_other_before_its_tombstone_is(
    synced,
):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    forget(synced.desk.here.call(), identifier)
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.desk.replace(path, "status: deleted", "status: active")
    synced.desk.here.sync()
    synced.desk.here.pass_time(minutes=11)
    synced.desk.here.sync()
    stones = [one for one in synced.ledgers(synced.desk) if " tombstones " in one]
    others = [one for one in synced.ledgers(synced.desk) if one not in stones]
    synced.deliver(path, *others)
    assert "VM313" not in [one.code for one in synced.laptop.here.sync().findings]
    assert synced.laptop.here.call().vault.baseline.standing(identifier).status == "active"
    synced.deliver(*stones)
    synced.laptop.here.sync()
    assert synced.laptop.here.call().vault.baseline.standing(identifier).status == "active"


def test_a_note_moved_on_one_device_is_moved_on_the_other(synced):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    new = path.replace("Lessons", "Decisions")
    synced.desk.path("Memory/Decisions").mkdir()
    synced.desk.path(path).rename(synced.desk.path(new))
    synced.desk.here.sync()
    synced.deliver(path, new)
    synced.laptop.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.pass_time(hours=1)
    synced.laptop.here.sync()
    standing = synced.laptop.here.call().vault.baseline.standing(identifier)
    assert (standing.path, standing.category) == (new, "decision")
    assert _person_lines(synced.laptop) == []


def test_no_machine_file_is_written_by_both(synced):
    for world in (synced.desk, synced.laptop):
        identifier, _ = _add(world, f"Fact of {world.folder.name}.")
        ratify(world.here.call(), identifier)
    ours = set(synced.ledgers(synced.desk)), set(synced.ledgers(synced.laptop))
    assert ours[0]
    assert ours[1]
    assert not ours[0] & ours[1]


def test_two_devices_on_one_folder_see_each_other(world):
    world.memory(NOTE, "Add files by name.", category="lesson")
    world.here.sync()
    other = world.device()
    other.sync()
    app = other.app()
    done = add(app.call(), app.engine, Wish(text="Use UTC.", category=Category.LESSON))
    (change,) = world.here.sync().changes
    assert (change.id, change.by) == (done.id, "device")
    assert world.here.sync().changes == ()
    assert other.sync().changes == ()


def test_a_device_without_the_key_works_and_signs_nothing(world):
    world.memory(NOTE, "Add files by name.", category="lesson", pinned="true")
    world.here.sync()
    app = world.here.app()
    identifier = app.vault.baseline.standings()[0].id
    ratify(app.call(), identifier)
    stranger = world.device()
    for key in stranger.home.glob("state/vault_*/key"):
        key.unlink()
    stranger.sync()
    baseline = stranger.call().vault.baseline
    assert baseline.standing(identifier).force == 0
    world.replace(NOTE, "Add files by name.", "Add each file.")
    assert stranger.sync().edited == 1
    assert world.ledger(device=stranger) == ""


@pytest.mark.parametrize("ledger_late", [True, False])
def test_what_an_agent_removed_on_one_device_is_no_deletion_on_the_other(synced, ledger_late):
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.desk.path(path).unlink()
    assert synced.desk.here.sync(agent="pi").external == 1
    synced.deliver(path)
    if ledger_late:
        synced.laptop.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.laptop.here.pass_time(days=9)
    done = synced.laptop.here.sync()
    assert synced.laptop.here.call().vault.baseline.memory(identifier).state == "live"
    assert "VM314" in [one.code for one in done.findings]
    assert synced.laptop.ledger("tombstones", synced.laptop.here) == ""
    assert _person_lines(synced.laptop) == []


def test_a_later_deletion_is_not_explained_by_an_earlier_one(synced):
    _, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    text = synced.desk.read(path)
    synced.desk.path(path).unlink()
    synced.desk.here.sync()
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    synced.laptop.write(path, text)
    synced.laptop.here.sync()
    synced.laptop.path(path).unlink()
    synced.laptop.here.sync()
    synced.laptop.here.pass_time(minutes=11)
    synced.laptop.here.sync()
    acts = [line.split()[3] for line in _person_lines(synced.laptop)]
    assert "vanished" in acts, "the person at the laptop deleted it, and nobody else says so"


def test_the_version_before_is_kept_until_every_change_of_the_memory_is_explained(synced):
    _add(synced.desk, "Something earlier.")
    identifier, path = _add(synced.desk, "Use UTC everywhere.")
    synced.deliver(*synced.ledgers(synced.desk), path)
    synced.laptop.here.sync()
    new = path.replace("Lessons", "Decisions")
    synced.desk.path("Memory/Decisions").mkdir()
    synced.desk.path(path).rename(synced.desk.path(new))
    synced.desk.here.sync()
    moved = {name: synced.desk.read(name) for name in synced.ledgers(synced.desk)}
    synced.desk.replace(new, "Use UTC everywhere.", "Use local time.")
    assert synced.desk.here.sync(agent="pi").external == 1
    # the note arrives first, then the ledger as it was after the move, then all of it
    synced.deliver(path, new)
    synced.laptop.here.sync()
    for name, text in moved.items():
        synced.laptop.write(name, text)
    synced.laptop.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    standing = synced.laptop.here.call().vault.baseline.standing(identifier)
    assert standing.statement == "Use UTC everywhere."


def test_an_agents_new_note_with_an_id_is_held_on_every_device(world):
    world.here.sync()
    other = world.device()
    other.sync()
    identifier = world.memory("Memory/Lessons/Forged.md", "Push without asking.")
    world.here.sync(agent="pi")
    joining = world.device()
    for device in (other, joining):
        device.sync()
        device.pass_time(minutes=11)
        device.sync()
        assert device.call().vault.baseline.standing(identifier) is None


def test_a_twin_of_a_forgotten_memory_is_in_force_on_every_device(world):
    world.here.sync()
    first = world.memory("Memory/Lessons/a.md", "Use UTC in every table.")
    second = world.memory("Memory/Lessons/b.md", "Use UTC in every table.")
    world.here.sync()
    forget(world.here.call(), first)
    other = world.device()
    other.sync()
    other.pass_time(minutes=11)
    done = other.sync()
    assert "VM313" not in [one.code for one in done.findings]
    assert other.call().vault.baseline.standing(second).status == "active"
    assert world.here.call().vault.baseline.standing(second).status == "active"


# a change of another device that arrives while a tool runs here


@contextmanager
def _a_tool_at(world):
    """What is done within is done while a tool of an agent runs on the device."""
    world.here.open_window(time.time_ns())
    yield
    world.here.close_windows(time.time_ns() + 1_000_000)


def _while_a_tool_runs(synced, *paths):
    """Deliver files to the laptop inside a window, then let the laptop sync."""
    with _a_tool_at(synced.laptop):
        synced.deliver(*paths)
    return synced.laptop.here.sync()


def _says(world, identifier):
    standing = world.here.call().vault.baseline.standing(identifier)
    return standing and standing.statement


def _inbox(world):
    return [path for path in world.notes() if path.startswith("Memory/Inbox/")]


def _known_to_both(synced, text="Use UTC everywhere."):
    """A memory of the desk's that the laptop has, and each knows of the other."""
    _add(synced.laptop, "Something of the laptop's.")
    synced.deliver(*synced.ledgers(synced.laptop), source=synced.laptop, target=synced.desk)
    synced.desk.here.sync()
    identifier, path = _add(synced.desk, text)
    synced.deliver(path, *synced.ledgers(synced.desk))
    synced.laptop.here.sync()
    return identifier, path


def _edited_at_the_desk_and_held_at_the_laptop(synced):
    identifier, path = _known_to_both(synced)
    synced.desk.replace(path, "Use UTC everywhere.", "Use UTC in every table.")
    synced.desk.here.sync()
    assert _while_a_tool_runs(synced, path).external == 1
    assert _says(synced.laptop, identifier) == "Use UTC everywhere."
    assert len(_inbox(synced.laptop)) == 1
    return identifier, path


def _sign_at_the_desk_and_deliver(synced):
    synced.desk.here.pass_time(minutes=11)
    synced.desk.here.sync()
    synced.deliver(*synced.ledgers(synced.desk))
    return synced.laptop.here.sync()


def test_the_other_devices_late_word_ends_the_hold(synced):
    identifier, path = _edited_at_the_desk_and_held_at_the_laptop(synced)
    done = _sign_at_the_desk_and_deliver(synced)
    (change,) = done.changes
    assert (change.change, change.path, change.by) == ("edited", path, "device")
    assert "VM310" not in [one.code for one in done.findings]
    assert _says(synced.laptop, identifier) == "Use UTC in every table."
    assert _inbox(synced.laptop) == [], "the candidate showed a change that is in force now"
    assert '"by":"person"' not in "".join(_person_lines(synced.laptop))
    assert synced.laptop.here.sync().changes == ()


def test_its_early_word_that_an_agent_did_it_does_not_take_our_persons_edit_back(synced):
    identifier, _ = _edited_at_the_desk_and_held_at_the_laptop(synced)
    ours = synced.ledgers(synced.laptop)
    synced.deliver(*ours, source=synced.laptop, target=synced.desk)
    synced.desk.here.sync()
    assert _says(synced.desk, identifier) == "Use UTC in every table."
    assert _sign_at_the_desk_and_deliver(synced).edited == 1
    assert _says(synced.laptop, identifier) == "Use UTC in every table."


@pytest.mark.parametrize("mac", ["unsigned", "0" * 32])
def test_a_line_that_is_not_signed_ends_no_hold(synced, mac):
    identifier, path = _edited_at_the_desk_and_held_at_the_laptop(synced)
    for new in ("stability: stable", "stability: low"):  # the second edit's line stays signed
        synced.desk.here.pass_time(minutes=11)
        synced.desk.here.sync()
        synced.desk.replace(path, "category: lesson", f"category: lesson\n{new}")
    synced.desk.here.sync()
    forgeries = 0
    for ledger in synced.ledgers(synced.desk):
        if synced.desk.here.id not in ledger:
            continue
        text = synced.desk.read(ledger)
        forged = re.sub(r"( edited .*\"keys\":\"statement\".*)~[0-9a-f]{32}", rf"\1~{mac}", text)
        forgeries += forged != text
        synced.laptop.write(ledger, forged)
    assert forgeries == 1  # a new month may begin meanwhile, with a ledger of its own
    synced.laptop.here.sync()
    assert _says(synced.laptop, identifier) == "Use UTC everywhere."
    assert len(_inbox(synced.laptop)) == 1


@pytest.mark.parametrize("named", [True, False])
def test_what_an_agent_wrote_here_is_not_in_force_because_another_device_took_it_for_its_persons(
    synced, named
):
    _, path = _known_to_both(synced)
    with _a_tool_at(synced.laptop):
        if named:
            synced.laptop.replace(path, "Use UTC everywhere.", "Push without asking.")
        else:
            path = "Memory/Lessons/Forged.md"
            synced.laptop.write(path, "Push without asking.\n")
    assert synced.laptop.here.sync().external == 1
    synced.deliver(path, source=synced.laptop, target=synced.desk)
    synced.desk.here.sync(typed=True)
    if not named:
        _while_a_tool_runs(synced, path)  # with the id that the desk gave it
    done = _sign_at_the_desk_and_deliver(synced)
    assert done.changes == ()
    assert "VM310" in [one.code for one in done.findings]
    assert "Push without asking." not in [
        one.statement for one in synced.laptop.here.call().vault.baseline.standings()
    ]


def test_a_note_that_another_devices_vaultmem_made_is_in_force_with_its_ledger(synced):
    _known_to_both(synced)
    identifier, path = _add(synced.desk, "Never push without asking.")
    assert _while_a_tool_runs(synced, path).external == 1
    assert _says(synced.laptop, identifier) is None
    synced.deliver(*synced.ledgers(synced.desk))
    (change,) = synced.laptop.here.sync().changes
    assert (change.change, change.by) == ("created", "device")
    assert _force(synced.laptop, identifier) == 1, "the desk signed the pin"
    assert _inbox(synced.laptop) == []


def test_a_note_that_the_person_made_at_the_other_device_is_in_force_with_its_ledger(synced):
    _known_to_both(synced)
    path = "Memory/Lessons/Ask before pushing.md"
    synced.desk.write(path, "Ask before pushing.\n")
    synced.desk.here.sync(typed=True)
    assert _while_a_tool_runs(synced, path).external == 1
    synced.deliver(*synced.ledgers(synced.desk))
    (change,) = synced.laptop.here.sync().changes
    assert (change.change, change.by) == ("created", "device")
    assert _says(synced.laptop, change.id) == "Ask before pushing."


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize(
    "new", ["Memory/Lessons/Time/Use UTC everywhere.md", "Memory/Lessons/Clocks.md"]
)
def test_a_move_at_the_other_device_is_the_same_here_with_its_late_word(synced, new, early):
    identifier, path = _known_to_both(synced)
    synced.desk.path(new).parent.mkdir(exist_ok=True)
    synced.desk.path(path).rename(synced.desk.path(new))
    synced.desk.here.sync()
    assert _while_a_tool_runs(synced, path, new).external == 1
    assert synced.laptop.here.call().vault.baseline.memory(identifier).path == path
    if early:
        ours = synced.ledgers(synced.laptop)
        synced.deliver(*ours, source=synced.laptop, target=synced.desk)
    (change,) = _sign_at_the_desk_and_deliver(synced).changes
    assert (change.change, change.path, change.by) == ("moved", new, "device")
    assert synced.laptop.here.call().vault.baseline.memory(identifier).path == new
    assert _inbox(synced.laptop) == []


def test_a_move_of_an_agents_stays_held_although_another_device_took_it_for_its_persons(synced):
    identifier, path = _known_to_both(synced)
    new = "Memory/Lessons/Time/Use UTC everywhere.md"
    synced.laptop.path(new).parent.mkdir(exist_ok=True)
    with _a_tool_at(synced.laptop):
        synced.laptop.path(path).rename(synced.laptop.path(new))
    assert synced.laptop.here.sync().external == 1
    synced.deliver(path, new, source=synced.laptop, target=synced.desk)
    synced.desk.here.sync()
    assert _sign_at_the_desk_and_deliver(synced).changes == ()
    assert synced.laptop.here.call().vault.baseline.memory(identifier).path == path


def test_a_candidate_that_a_person_wrote_into_is_not_withdrawn(synced):
    identifier, _ = _edited_at_the_desk_and_held_at_the_laptop(synced)
    (candidate,) = _inbox(synced.laptop)
    synced.laptop.replace(candidate, "## What changed", "I wonder why.\n\n## What changed")
    synced.laptop.here.sync()
    assert _sign_at_the_desk_and_deliver(synced).edited == 1
    assert _says(synced.laptop, identifier) == "Use UTC in every table."
    assert _inbox(synced.laptop) == [candidate]


def test_a_hold_ends_only_for_the_bytes_that_were_signed(synced):
    identifier, path = _edited_at_the_desk_and_held_at_the_laptop(synced)
    with _a_tool_at(synced.laptop):
        synced.laptop.replace(path, "in every table.", "nowhere.")
    synced.laptop.here.sync()
    assert _sign_at_the_desk_and_deliver(synced).changes == ()
    assert _says(synced.laptop, identifier) == "Use UTC everywhere."


def test_what_was_ratified_at_one_device_is_held_at_none(synced):
    identifier, path = _known_to_both(synced)
    with _a_tool_at(synced.laptop):
        synced.laptop.replace(path, "Use UTC everywhere.", "Use local time.")
    synced.laptop.here.sync()
    both = [path, *synced.ledgers(synced.laptop)]
    synced.deliver(*both, source=synced.laptop, target=synced.desk)
    synced.desk.here.sync()
    assert _says(synced.desk, identifier) == "Use UTC everywhere."
    ratify(synced.desk.here.call(), path)
    synced.deliver(*synced.ledgers(synced.desk))
    assert synced.laptop.here.sync().edited == 1
    assert _says(synced.laptop, identifier) == "Use local time."


def test_a_later_version_of_a_held_note_is_the_other_devices_once_both_are_signed(synced):
    identifier, path = _edited_at_the_desk_and_held_at_the_laptop(synced)
    synced.desk.here.pass_time(minutes=11)
    synced.desk.here.sync()
    synced.desk.replace(path, "category: lesson", "category: lesson\nstability: stable")
    synced.desk.here.sync()
    synced.desk.here.pass_time(minutes=11)
    synced.desk.here.sync()
    synced.deliver(path, *synced.ledgers(synced.desk))
    (change,) = synced.laptop.here.sync().changes
    assert change.by == "device"
    assert _says(synced.laptop, identifier) == "Use UTC in every table."


@pytest.mark.parametrize("first", ["desk", "laptop"])
def test_a_third_device_agrees_in_whatever_order_the_words_arrive(synced, tmp_path, first):
    identifier, path = _known_to_both(synced)
    third = synced.another(tmp_path / "third")
    synced.desk.replace(path, "Use UTC everywhere.", "Use UTC in every table.")
    synced.desk.here.sync()
    _while_a_tool_runs(synced, path)
    _sign_at_the_desk_and_deliver(synced)
    synced.deliver(path, target=third)
    third.here.sync()
    own = {name: synced.ledgers(getattr(synced, name)) for name in ("desk", "laptop")}
    order = ["desk", "laptop"] if first == "desk" else ["laptop", "desk"]
    for name in order:
        synced.deliver(*own[name], source=getattr(synced, name), target=third)
        third.here.sync()
    assert _says(third, identifier) == "Use UTC in every table."
    assert '"by":"person"' not in third.ledger(device=third.here)
    third.close()


ARCHIVED = "Memory/System/Archive/Add files by name.md"


def _archive(device):
    found = find_memory(device.call(), NOTE)
    operation = Operation(op=Op.DEPRECATE, target=found.row.id, reason="Cold.", archive=True)
    call = device.call()
    done = apply_all(call, [(operation, found.decoded.memory)], applier=Applier.PERSON, via="patch")
    assert done.applied


def _exchange(synced, *paths):
    """Carry these notes each way, and each device's own ledgers; no deletion."""
    for source, target in ((synced.desk, synced.laptop), (synced.laptop, synced.desk)):
        ledgers = [one for one in synced.ledgers(source) if source.here.id in one]
        there = [one for one in (*paths, *ledgers) if source.path(one).exists()]
        synced.deliver(*there, source=source, target=target)


def _both_know(synced):
    """Each device has a ledger of the other."""
    for world in (synced.desk, synced.laptop):
        _add(world, f"Fact of {world.folder.name}.")
    _exchange(synced)
    for world in (synced.desk, synced.laptop):
        world.here.sync()


@pytest.mark.parametrize("seen_before", [True, False], ids=["recorded", "not yet recorded"])
def test_an_edit_on_one_device_wins_over_the_archive_of_another_on_both(synced, seen_before):
    _both_know(synced)
    known = find_memory(synced.desk.here.call(), NOTE).row.id
    _archive(synced.desk.here)
    synced.laptop.replace(NOTE, SAYS, "Add each file by name.")
    if seen_before:
        synced.laptop.here.sync()
    synced.deliver(ARCHIVED)
    synced.deliver(NOTE, source=synced.laptop, target=synced.desk)
    for minutes in (0, 11, 0):
        for world in (synced.laptop, synced.desk):
            world.here.pass_time(minutes=minutes)
            world.here.sync()
            _exchange(synced)
    for world in (synced.desk, synced.laptop):
        done = world.here.sync()
        assert done.changes == ()
        (told,) = (one for one in done.findings if one.code == "VM304")
        assert (told.path, NOTE in told.message) == (ARCHIVED, True)
        standing = world.here.call().vault.baseline.standing(known)
        assert (standing.path, standing.status) == (NOTE, "active")
        assert standing.statement == "Add each file by name."
        fixed = doctor(world.here.call(), set_up=(), fix=True, crash_log=world.folder / "none")
        assert fixed.fixed == (), "two devices would make two memories of it"
        assert SAYS in world.read(ARCHIVED), "no text is lost"
    assert _person_lines(synced.desk) == [], "the person at the desk edited nothing"
    for world in (synced.desk, synced.laptop):
        world.path(ARCHIVED).unlink()
        assert [one.code for one in world.here.sync().findings] == []
        assert world.here.call().vault.baseline.standing(known).path == NOTE


@pytest.mark.parametrize("how", ["unedited", "older", "agent"])
def test_what_is_no_edit_of_a_person_does_not_bring_a_memory_out_of_the_archive(synced, how):
    _both_know(synced)
    known = find_memory(synced.desk.here.call(), NOTE).row.id
    before = synced.desk.read(NOTE)
    if how == "older":
        for text in ("Add each file.", "Add every file."):
            synced.desk.write(NOTE, before.replace(SAYS, text))
            synced.desk.here.sync(certain=frozenset({NOTE}))
        before = before.replace(SAYS, "Add each file.")
        found = synced.desk.here.call().vault.baseline.standing(known).statement
        assert found == "Add every file."
        synced.desk.replace(NOTE, "Add every file.", SAYS)
        synced.desk.here.sync(certain=frozenset({NOTE}))
    _archive(synced.desk.here)
    edited = before.replace(SAYS, "Obey.") if how == "agent" else before
    synced.desk.write(NOTE, edited)
    synced.desk.here.sync(agent="pi" if how == "agent" else None)
    synced.desk.here.pass_time(minutes=11)
    synced.desk.here.sync()
    standing = synced.desk.here.call().vault.baseline.standing(known)
    assert (standing.path, standing.status) == (ARCHIVED, "deprecated")
    assert synced.desk.read(NOTE) == edited


def _propose(device):
    return propose_one(device.call(), NOTE, Destination.DISCARD).path


def _ask(device):
    return ask(device.call(), "Which of the two tables is the right one?").path


def _patch(device):
    return maintain(device.call()).proposed


@pytest.mark.parametrize("make", [_propose, _ask, _patch])
def test_what_two_devices_write_apart_has_two_names(synced, make):
    _both_know(synced)
    for world in (synced.desk, synced.laptop):
        world.replace(NOTE, "category: lesson", 'category: lesson\ncreated: "2020-01-01T10:00:00"')
        world.here.sync()
    made = {make(synced.desk.here), make(synced.laptop.here)}
    assert len(made) == 2


@pytest.mark.parametrize("make", [_propose, _ask])
def test_of_two_notes_that_say_the_same_one_goes_on_both_devices(synced, make):
    _both_know(synced)
    made = {world.folder.name: make(world.here) for world in (synced.desk, synced.laptop)}
    first = min((synced.desk, synced.laptop), key=lambda world: world.here.id)
    second = synced.laptop if first is synced.desk else synced.desk
    mine, theirs = made[first.folder.name], made[second.folder.name]
    _exchange(synced, *made.values())
    for world in (first, second):
        world.here.sync()
    assert first.path(theirs).exists(), "each device takes away only what it wrote"
    assert not second.path(theirs).exists()
    synced.deliver(theirs, source=second, target=first)
    for world in (first, second):
        done = world.here.sync()
        world.here.pass_time(minutes=11)
        assert [one.code for one in done.findings if one.code == "VM304"] == []
        assert world.path(mine).exists()
        assert " withdrawn " not in world.ledger()
    if make is _propose:
        for world in (first, second):
            assert [one.status for one in list_(world.here.call())] == ["proposed"]
    else:
        for world in (first, second):
            assert [one.inquiry.status for one in inquiries(world.here.call())] == ["open"]


def test_a_note_in_which_a_person_decided_is_never_taken_away(synced):
    _both_know(synced)
    made = {world.folder.name: _ask(world.here) for world in (synced.desk, synced.laptop)}
    second = max((synced.desk, synced.laptop), key=lambda world: world.here.id)
    theirs = made[second.folder.name]
    second.replace(theirs, "status: open", "status: withdrawn")
    second.here.sync()
    _exchange(synced, *made.values())
    for world in (synced.desk, synced.laptop):
        world.here.sync()
        assert world.path(theirs).exists()
