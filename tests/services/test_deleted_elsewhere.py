"""A memory that is deleted on one device and changed, or brought back, on another: both agree.

The devices are a desk and a laptop; each ledger and the note arrive by themselves, in any order.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.services.test_devices import Synced
from tests.world import codes
from vaultmem.core.model import Category, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.apply import apply_all
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.lookup import find_memory
from vaultmem.services.purge import purge
from vaultmem.services.ratify import ratify
from vaultmem.services.revert import revert
from vaultmem.services.standing_change import contest, deprecate
from vaultmem.services.syncing import deleted
from vaultmem.services.tombstones import signed_tombstone, withdraw
from vaultmem.services.undo import undo
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of

SAYS = "Use UTC everywhere."


class Apart(Synced):
    """The two devices, and a memory of the desk's that both know."""

    def __init__(self, folder):
        super().__init__(folder)
        self._add(self.laptop, "Something of the laptop's.")
        self.tell("activity", self.laptop)
        self.desk.here.sync()
        self.id, self.path = self._add(self.desk, SAYS)
        self.deliver(self.path, *self.ledgers(self.desk))
        self.laptop.here.sync()

    @staticmethod
    def _add(world, text):
        app = world.here.app()
        done = add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))
        return done.id, done.path

    @property
    def both(self):
        return (self.desk, self.laptop)

    def other(self, world):
        return self.laptop if world is self.desk else self.desk

    def tell(self, kind, source):
        """A device's own ledgers of a kind arrive at the other."""
        own = [one for one in self.ledgers(source) if one.endswith(f"{source.here.id}.md")]
        names = [one for one in own if f" {kind} " in one]
        self.deliver(*names, source=source, target=self.other(source))

    def carry(self, source):
        """The note arrives as it is on a device."""
        self.deliver(self.path, source=source, target=self.other(source))

    def arrive(self, what, *, newest):
        """One thing arrives, and both devices look; the note is the `newest` device's."""
        if what == "note":
            self.carry(newest)
        else:
            kind, _, name = what.partition(" of the ")
            self.tell(kind, getattr(self, name))
        self.look(seconds=30)

    def settle(self):
        """All ledgers are there, and no change waits to be explained."""
        for _ in range(3):
            for world in self.both:
                for kind in ("activity", "tombstones", "force"):
                    self.tell(kind, world)
            self.look(minutes=11)
        self.look()

    def look(self, **later):
        for world in self.both:
            world.here.pass_time(**later)
            world.here.sync()

    def in_force(self, world):
        """The status of the memory on a device, "" where it is out of use."""
        standing = world.here.call().vault.baseline.live_standing(self.id)
        status = standing.status if standing is not None else Status.DELETED
        return "" if status == Status.DELETED else status

    def told(self, world):
        return {one.code for one in world.here.sync().findings if one.path == self.path}

    def set_status(self, world, status):
        """A person writes it into the note, and no command of ours runs."""
        data = world.path(self.path).read_bytes()
        world.path(self.path).write_bytes(set_properties(data, {"status": status}))


@pytest.fixture
def apart(tmp_path):
    made = Apart(tmp_path)
    yield made
    made.close()


def _contested(apart):
    contest(apart.laptop.here.call(), apart.id)


def _deprecated(apart):
    deprecate(apart.laptop.here.call(), apart.id)


def _contested_by_hand(apart):
    apart.set_status(apart.laptop, "contested")
    apart.laptop.here.sync()


def _contested_by_hand_unseen(apart):
    apart.set_status(apart.laptop, "contested")


def _reworded(apart):
    apart.laptop.replace(apart.path, SAYS, "Use UTC in every table.")
    apart.laptop.here.sync()


LEDGERS = ("tombstones of the desk", "activity of the desk", "activity of the laptop")
ORDERS = [*permutations((*LEDGERS, "note"))]
SOME = [ORDERS[0], ORDERS[7], ORDERS[18], ORDERS[23]]
"""With the note as the last, the third and, twice, the first to arrive."""


def _name(value):
    if isinstance(value, tuple):
        return "-".join(one.replace(" of the ", "@") for one in value)
    return getattr(value, "__name__", str(value)).strip("_")


@pytest.mark.parametrize(
    ("change", "order"),
    [(_contested, order) for order in ORDERS]
    + [
        (change, order)
        for change in (_deprecated, _contested_by_hand, _contested_by_hand_unseen, _reworded)
        for order in SOME
    ],
    ids=_name,
)
def test_a_change_made_before_the_deletion_was_known_brings_nothing_back_however_it_arrives(
    apart, change, order
):
    forget(apart.desk.here.call(), apart.id)
    change(apart)
    changed = apart.laptop.read(apart.path)
    for what in order:
        apart.arrive(what, newest=apart.laptop)
    apart.settle()
    assert [apart.in_force(world) for world in apart.both] == ["", ""]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == ({"VM313"}, {"VM311"})
    assert apart.laptop.read(apart.path) == changed, "what the person wrote stays"
    assert " withdrawn " not in apart.desk.ledger("tombstones")
    ratify(apart.laptop.here.call(), apart.path)
    apart.settle()
    status = changed.partition("status: ")[2].partition("\n")[0] or "active"
    assert [apart.in_force(world) for world in apart.both] == [status, status]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == (set(), set())


@pytest.mark.parametrize(
    ("change", "builds_on"),
    [(_contested_by_hand, deprecate), (_reworded, contest), (_reworded, deprecate)],
    ids=_name,
)
def test_a_version_that_another_device_changes_further_is_still_told_to_be_this_persons(
    apart, change, builds_on
):
    """Else the device of the deletion takes it for its own person's, and the memory is back."""
    forget(apart.desk.here.call(), apart.id)
    change(apart)
    apart.carry(apart.laptop)
    apart.look(seconds=30)
    builds_on(apart.desk.here.call(), apart.id)
    apart.carry(apart.desk)
    apart.look(seconds=30)
    apart.tell("activity", apart.desk)
    apart.look(seconds=30)
    apart.settle()
    assert [apart.in_force(world) for world in apart.both] == ["", ""]
    assert " withdrawn " not in apart.desk.ledger("tombstones")
    assert apart.desk.read(apart.path) == apart.laptop.read(apart.path)
    ratify(apart.desk.here.call(), apart.path)
    apart.settle()
    assert "" not in [apart.in_force(world) for world in apart.both]


@pytest.mark.parametrize("order", SOME, ids=_name)
@pytest.mark.parametrize("change", [_contested, _contested_by_hand_unseen], ids=_name)
def test_the_deleted_note_is_deleted_on_both_however_it_arrives(apart, change, order):
    forget(apart.desk.here.call(), apart.id)
    change(apart)
    for what in order:
        apart.arrive(what, newest=apart.desk)
    apart.settle()
    assert [apart.in_force(world) for world in apart.both] == ["", ""]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == (set(), set())


@pytest.mark.parametrize("torn", ["", "---\nid: log_01"])
def test_a_device_of_which_no_line_has_arrived_whole_is_known_by_its_ledgers_name(tmp_path, torn):
    two = Synced(tmp_path)
    said = two.desk.here.call().vault.baseline.standings()[0]
    path = said.path
    forget(two.desk.here.call(), said.id)
    contest(two.laptop.here.call(), said.id)
    for name in two.ledgers(two.laptop):
        two.desk.write(name, torn)
    two.deliver(path, source=two.laptop, target=two.desk)
    two.desk.here.sync()
    assert " withdrawn " not in two.desk.ledger("tombstones")
    two.deliver(*two.ledgers(two.laptop), source=two.laptop, target=two.desk)
    two.desk.here.sync()
    assert two.desk.here.call().vault.baseline.standing(said.id).status == "deleted"
    two.close()


@pytest.mark.parametrize("between", [2, 11])
def test_every_version_that_a_person_saved_is_known_for_one_from_before_the_deletion(
    apart, between
):
    forget(apart.desk.here.call(), apart.id)
    _contested_by_hand(apart)
    apart.arrive("note", newest=apart.laptop)
    assert apart.in_force(apart.desk) == "contested", "nobody has said yet whose it is"
    apart.laptop.here.pass_time(minutes=between)
    apart.laptop.replace(apart.path, SAYS, "Use UTC in every table.")
    apart.laptop.here.sync()
    apart.laptop.here.pass_time(minutes=11)
    apart.laptop.here.sync()
    assert apart.laptop.ledger(device=apart.laptop.here).count(f" edited {apart.id} ") == 2
    for _ in range(3):
        apart.arrive("activity of the laptop", newest=apart.laptop)
    assert (apart.in_force(apart.desk), apart.told(apart.desk)) == ("", {"VM313"})


def test_a_version_that_was_saved_before_one_of_another_devices_is_still_signed_for(apart):
    _contested_by_hand(apart)
    edit(apart.desk.here.call(), apart.id, statement="Use UTC at all times.", properties={})
    apart.carry(apart.desk)
    apart.laptop.here.sync()
    apart.tell("activity", apart.desk)
    apart.laptop.here.pass_time(minutes=11)
    apart.laptop.here.sync()
    (line,) = (
        one
        for one in apart.laptop.ledger(device=apart.laptop.here).splitlines()
        if f" edited {apart.id} " in one
    )
    assert '"keys":"status statement"' in line
    assert apart.laptop.here.call().vault.baseline.pending.all() == []


@pytest.mark.parametrize("torn", ["", "---\nstatus: active\n---\n"])
def test_a_memory_is_forgotten_although_its_note_has_arrived_only_in_part(apart, torn):
    _contested(apart)
    apart.desk.write(apart.path, torn)
    apart.desk.here.sync()
    forget(apart.desk.here.call(), apart.id)
    assert apart.in_force(apart.desk) == ""
    apart.settle()
    apart.carry(apart.laptop)
    apart.settle()
    assert [apart.in_force(world) for world in apart.both] == ["", ""]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == ({"VM313"}, {"VM313"})


def test_a_version_that_a_sync_program_kept_beside_the_deleted_note_brings_nothing_back(apart):
    forget(apart.desk.here.call(), apart.id)
    _contested(apart)
    theirs = apart.laptop.read(apart.path)
    apart.tell("tombstones", apart.desk)
    apart.carry(apart.desk)
    apart.laptop.write(apart.path.replace(".md", " 2.md"), theirs)
    apart.laptop.here.sync()
    apart.settle()
    assert [apart.in_force(world) for world in apart.both] == ["", ""]
    row = apart.laptop.here.call().vault.baseline.memory(apart.id)
    assert (row.path, row.state) == (apart.path, "live")


def test_a_device_without_a_change_of_its_own_is_told_until_the_deleted_note_arrives(apart):
    forget(apart.desk.here.call(), apart.id)
    apart.tell("tombstones", apart.desk)
    done = apart.laptop.here.sync()
    assert codes(done) == ["VM313"]
    assert "deleted on another device" in done.findings[0].message
    apart.tell("activity", apart.desk)
    apart.carry(apart.desk)
    assert codes(apart.laptop.here.sync()) == []


def test_a_deletion_that_both_know_is_settled_and_later_lines_about_it_change_nothing(apart):
    forget(apart.desk.here.call(), apart.id)
    apart.settle()
    apart.carry(apart.desk)
    apart.settle()
    apart.desk.replace(apart.path, SAYS, "Use UTC in every table.")
    apart.desk.here.sync()
    apart.desk.here.pass_time(minutes=11)
    apart.desk.here.sync()
    apart.tell("activity", apart.desk)
    assert apart.laptop.here.sync().changes == ()
    assert apart.laptop.here.call().vault.baseline.memory(apart.id).state == "live"


# brought back


def _by_edit(apart, world):
    edit(world.here.call(), apart.id, properties={"status": "active"})


def _by_hand(apart, world):
    apart.set_status(world, "active")
    world.here.sync()
    world.here.pass_time(minutes=21)
    world.here.sync()


def _by_ratify(apart, world):
    """An agent wrote it, and the person accepts that."""
    apart.set_status(world, "active")
    world.here.sync(agent="pi")
    ratify(world.here.call(), apart.path)


def _forgotten_here(apart):
    forget(apart.desk.here.call(), apart.id)
    apart.settle()
    apart.carry(apart.desk)
    apart.settle()


RETURNS = [*permutations(("activity", "tombstones", "note"))]


@pytest.mark.parametrize(
    ("way", "name", "order"),
    [(_by_edit, "desk", order) for order in RETURNS]
    + [
        (way, name, order)
        for way, name in (
            (_by_edit, "laptop"),
            (_by_hand, "desk"),
            (_by_hand, "laptop"),
            (_by_ratify, "laptop"),
        )
        for order in RETURNS[::3]
    ],
    ids=_name,
)
def test_what_a_person_brings_back_is_back_on_both_however_it_arrives(apart, way, name, order):
    _forgotten_here(apart)
    world = getattr(apart, name)
    way(apart, world)
    for what in order:
        if what == "note":
            apart.carry(world)
        else:
            apart.tell(what, world)
        apart.look(seconds=30)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["active", "active"]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == (set(), set())
    assert f" restored {apart.id} " in world.ledger(device=world.here)
    assert f" withdrawn {apart.id} " in world.ledger("tombstones", device=world.here)


@pytest.mark.parametrize("back", [undo, None])
def test_a_patch_that_deleted_and_is_taken_back_says_restored(apart, back):
    call = apart.desk.here.call()
    memory = find_memory(call, apart.id).decoded.memory
    operation = Operation(op=Op.DELETE, target=memory.id, reason="It is wrong.", selected=True)
    done = apply_all(call, [(operation, memory)], applier=Applier.PERSON, via="patch")
    apart.settle()
    apart.carry(apart.desk)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]
    call = apart.desk.here.call()
    if back is None:
        revert(call, done.id)
    else:
        back(call)
    assert f" restored {apart.id} " in apart.desk.ledger(device=apart.desk.here)
    apart.tell("activity", apart.desk)
    apart.carry(apart.desk)
    assert codes(apart.laptop.here.sync()) == [], "before the withdrawal has arrived"
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["active", "active"]


@pytest.mark.parametrize("order", RETURNS, ids=_name)
def test_a_ledger_without_the_act_is_believed_once_its_withdrawal_is_there(apart, order):
    _forgotten_here(apart)
    call = apart.desk.here.call()
    with call.vault.lock():  # as `revert` wrote before there was the act
        withdraw(call, apart.id)
        old = apart.desk.path(apart.path).read_bytes()
        new = set_properties(old, {"status": None})
        more = ("edited", "person", "revert", "status")
        write_notes(call, [Write(apart.path, new, etag_of(old), apart.id, *more)])
    for what in order:
        if what == "note":
            apart.carry(apart.desk)
        else:
            apart.tell(what, apart.desk)
        apart.look(seconds=30)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["active", "active"]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == (set(), set())


def test_an_edit_after_the_memory_was_brought_back_is_in_force_before_the_withdrawal(apart):
    _forgotten_here(apart)
    _by_edit(apart, apart.desk)
    contest(apart.desk.here.call(), apart.id)
    apart.tell("activity", apart.desk)
    apart.carry(apart.desk)
    apart.laptop.here.sync()
    assert apart.in_force(apart.laptop) == "contested"


def test_an_older_version_than_the_one_brought_back_is_held_before_the_withdrawal(apart):
    old = apart.laptop.read(apart.path)
    _forgotten_here(apart)
    _by_edit(apart, apart.desk)
    contest(apart.desk.here.call(), apart.id)
    apart.tell("activity", apart.desk)
    apart.laptop.write(apart.path, old)
    assert codes(apart.laptop.here.sync()) == ["VM313"]


@pytest.mark.parametrize("early", [True, False])
def test_a_device_that_joins_takes_what_was_brought_back(apart, tmp_path, early):
    _forgotten_here(apart)
    apart.desk.path(apart.path).unlink()
    third = apart.another(tmp_path / "third")
    apart.desk.write(apart.path, apart.laptop.read(apart.path))
    apart.desk.here.sync()
    _by_edit(apart, apart.desk)
    names = [one for one in apart.ledgers(apart.desk) if " activity " in one or not early]
    if early:
        apart.deliver(*names, target=third)
    apart.deliver(apart.path, target=third)
    done = third.here.sync()
    assert codes(done) == ([] if early else ["VM311"]), "a note whose ledgers are late is held"
    apart.deliver(*apart.ledgers(apart.desk), target=third)
    third.here.sync()
    assert codes(third.here.sync()) == []
    assert apart.in_force(third) == "active"
    third.close()


def test_lines_about_a_memory_that_was_brought_back_change_nothing_before_the_withdrawal(apart):
    _forgotten_here(apart)
    _by_edit(apart, apart.desk)
    apart.tell("activity", apart.desk)
    apart.carry(apart.desk)
    apart.laptop.here.sync()
    contest(apart.desk.here.call(), apart.id)
    apart.tell("activity", apart.desk)
    assert apart.laptop.here.sync().changes == ()
    assert apart.in_force(apart.laptop) == "active"


def test_a_note_that_came_before_the_word_that_brought_it_back_is_in_force_with_it(apart):
    _forgotten_here(apart)
    _by_edit(apart, apart.desk)
    for what in ("note", "activity of the desk"):
        apart.arrive(what, newest=apart.desk)
        assert apart.told(apart.laptop) == set()
        assert apart.in_force(apart.laptop) == "active"
    assert " restored " not in apart.laptop.ledger(device=apart.laptop.here)


# a note that is held


def _held_at_the_laptop(apart):
    forget(apart.desk.here.call(), apart.id)
    _contested(apart)
    apart.settle()
    assert apart.told(apart.laptop) == {"VM311"}


def test_the_word_that_brings_a_held_note_back_is_heard_before_the_withdrawal(apart):
    _held_at_the_laptop(apart)
    apart.carry(apart.laptop)
    apart.desk.here.sync()
    assert apart.told(apart.desk) == {"VM313"}
    ratify(apart.laptop.here.call(), apart.path)
    apart.tell("activity", apart.laptop)
    apart.desk.here.sync()
    assert (apart.in_force(apart.desk), apart.told(apart.desk)) == ("contested", set())


def test_a_note_that_another_device_lets_go_of_is_not_signed_for_as_the_persons(apart):
    forget(apart.desk.here.call(), apart.id)
    _contested_by_hand(apart)
    apart.tell("tombstones", apart.desk)
    apart.laptop.here.sync()
    assert apart.told(apart.laptop) == {"VM311"}
    _by_edit(apart, apart.desk)
    apart.tell("tombstones", apart.desk)
    (change,) = apart.laptop.here.sync().changes
    assert (change.change, change.by) == ("restored", "device")
    apart.settle()
    assert " restored " not in apart.laptop.ledger(device=apart.laptop.here)


def test_a_deleted_note_that_vanished_is_deleted_for_good_with_the_next_word_about_it(apart):
    _forgotten_here(apart)
    apart.laptop.path(apart.path).unlink()
    apart.laptop.here.sync()
    assert apart.laptop.here.call().vault.baseline.memory(apart.id).state == "missing"
    apart.desk.replace(apart.path, SAYS, "Use UTC in every table.")
    apart.desk.here.sync()
    apart.desk.here.pass_time(minutes=11)
    apart.desk.here.sync()
    apart.tell("activity", apart.desk)
    apart.laptop.here.sync()
    assert apart.laptop.here.call().vault.baseline.memory(apart.id).state == "gone"


def _saved_again(apart):
    apart.laptop.replace(apart.path, SAYS, "Use UTC in every table.")


def _set_active(apart):
    apart.set_status(apart.laptop, "active")


def _dragged(apart):
    place = apart.laptop.path(apart.path)
    apart.path = apart.path.replace("Use UTC", "Always UTC")
    place.rename(apart.laptop.path(apart.path))


@pytest.mark.parametrize("deed", [_saved_again, _set_active, _dragged], ids=_name)
def test_a_held_note_is_not_brought_back_by_another_change_of_it(apart, deed):
    _held_at_the_laptop(apart)
    deed(apart)
    apart.laptop.here.sync()
    apart.settle()
    assert apart.told(apart.laptop) == {"VM311"}
    assert apart.in_force(apart.laptop) == ""
    ratify(apart.laptop.here.call(), apart.path)
    assert apart.in_force(apart.laptop) != ""


def test_a_note_held_at_the_device_of_the_deletion_is_not_brought_back_by_an_edit(apart):
    _held_at_the_laptop(apart)
    apart.carry(apart.laptop)
    apart.desk.here.sync()
    apart.set_status(apart.desk, "active")
    done = apart.desk.here.sync()
    assert codes(done) == ["VM311"]
    assert "another device" not in done.findings[0].message
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]


def test_a_held_note_that_is_put_back_or_deleted_is_the_persons_word(apart):
    _held_at_the_laptop(apart)
    text = apart.laptop.read(apart.path)
    apart.set_status(apart.laptop, "deleted")
    apart.laptop.here.sync()
    apart.settle()
    assert apart.told(apart.laptop) == set()
    assert f" restored {apart.id} " not in apart.laptop.ledger(device=apart.laptop.here)
    apart.laptop.path(apart.path).unlink()
    apart.laptop.here.sync()
    apart.laptop.write(apart.path, text)
    apart.laptop.here.sync()
    apart.settle()
    apart.carry(apart.laptop)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["contested", "contested"]


def test_an_old_note_that_arrives_after_the_deleted_one_has_vanished_stays_out(apart):
    old = apart.laptop.read(apart.path)
    _forgotten_here(apart)
    apart.laptop.path(apart.path).unlink()
    apart.laptop.here.sync()
    apart.laptop.write(apart.path, old)
    assert codes(apart.laptop.here.sync()) == ["VM313"]
    assert apart.in_force(apart.laptop) == ""


def test_what_an_agent_did_to_a_note_as_the_deletion_arrived_is_held_as_an_agents(apart):
    forget(apart.desk.here.call(), apart.id)
    apart.tell("tombstones", apart.desk)
    apart.laptop.replace(apart.path, SAYS, "Use local time.")
    assert apart.laptop.here.sync(agent="pi").external == 1
    assert apart.told(apart.laptop) == {"VM310"}
    assert apart.in_force(apart.laptop) == ""


def test_devices_that_disagree_since_an_older_version_agree_with_the_next_change(
    apart, monkeypatch
):
    forget(apart.desk.here.call(), apart.id)
    _contested(apart)
    apart.tell("activity", apart.laptop)
    apart.carry(apart.laptop)
    with monkeypatch.context() as before:  # any newer line was a wish to have it back
        before.setattr(deleted, "is_wanted_back", lambda *_: True)
        apart.desk.here.sync()
    assert apart.in_force(apart.desk) == "contested"
    apart.laptop.replace(apart.path, SAYS, "Use UTC in every table.")
    apart.settle()
    apart.carry(apart.laptop)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]
    assert (apart.told(apart.desk), apart.told(apart.laptop)) == ({"VM313"}, {"VM311"})


# a word that waits to be signed


def _restored_by_hand(apart):
    """The person at the desk sets the status in the note; other devices may explain that yet."""
    _forgotten_here(apart)
    apart.desk.here.pass_time(minutes=1)
    apart.set_status(apart.desk, "active")
    apart.desk.here.sync()


def test_what_is_brought_back_by_hand_is_in_force_at_once_and_signed_after_twenty_minutes(apart):
    _restored_by_hand(apart)
    assert apart.in_force(apart.desk) == "active"
    contest(apart.desk.here.call(), apart.id)
    for minutes, signed in ((11, False), (10, True)):
        apart.desk.here.pass_time(minutes=minutes)
        apart.desk.here.sync()
        assert (signed_tombstone(apart.desk.here.call(), apart.id) is None) is signed
        assert (f" restored {apart.id} " in apart.desk.ledger()) is signed
        assert apart.in_force(apart.desk) == "contested"


def test_a_deletion_takes_back_what_waits_to_be_brought_back(apart):
    _restored_by_hand(apart)
    forget(apart.desk.here.call(), apart.id)
    apart.settle()
    apart.carry(apart.desk)
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]
    assert f" restored {apart.id} " not in apart.desk.ledger()


@pytest.mark.parametrize("deletion", [forget, purge])
def test_a_later_deletion_on_another_device_wins_over_what_waits(apart, deletion):
    _restored_by_hand(apart)
    apart.carry(apart.desk)
    apart.laptop.here.pass_time(minutes=2)
    edit(apart.laptop.here.call(), apart.id, properties={"status": "active"})
    apart.laptop.here.pass_time(minutes=2)
    deletion(apart.laptop.here.call(), apart.id)
    stones = apart.laptop.ledger("tombstones")
    apart.tell("tombstones", apart.laptop)
    apart.desk.here.sync()
    assert apart.in_force(apart.desk) == ""
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]
    assert apart.laptop.ledger("tombstones", apart.laptop.here) in stones
    assert f" restored {apart.id} " not in apart.desk.ledger(device=apart.desk.here)


def test_a_purge_is_final_also_for_what_waits(apart):
    _forgotten_here(apart)
    purge(apart.desk.here.call(), apart.id)
    apart.laptop.here.pass_time(minutes=1)
    apart.set_status(apart.laptop, "active")
    apart.laptop.here.sync()
    assert apart.in_force(apart.laptop) == "active", "it does not know of the purge yet"
    apart.tell("tombstones", apart.desk)
    apart.laptop.here.sync()
    assert not apart.laptop.path(apart.path).exists()
    apart.settle()
    assert " withdrawn " not in apart.laptop.ledger("tombstones")


@pytest.mark.parametrize("gone", [True, False])
def test_what_an_agent_brought_back_on_another_device_is_deleted_again(apart, gone):
    old = apart.laptop.read(apart.path)
    if gone:
        apart.desk.path(apart.path).unlink()
        apart.desk.here.sync()
    forget(apart.desk.here.call(), apart.id)
    apart.settle()
    apart.carry(apart.desk)
    apart.settle()
    apart.laptop.write(
        apart.path, old.replace("category: lesson", "category: lesson\npinned: true")
    )
    apart.laptop.here.sync(agent="pi")
    apart.carry(apart.laptop)
    apart.desk.here.sync()
    apart.settle()
    assert [apart.in_force(one) for one in apart.both] == ["", ""]
    assert apart.told(apart.desk) == {"VM310"}


def test_doctor_tells_of_a_change_that_is_out_of_force(apart, tmp_path):
    _held_at_the_laptop(apart)
    found = doctor(apart.laptop.here.call(), set_up=(), crash_log=tmp_path / "none").findings
    assert ("VM311", apart.path) in [(one.code, one.path) for one in found]
