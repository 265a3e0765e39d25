"""Lines that an agent writes into ledgers, or copies there, count for nothing."""

from __future__ import annotations

import shutil

import pytest

from tests.acceptance.forging import (
    append_line,
    by_agent,
    every_hand,
    in_force,
    ledger_note,
    made_ulid,
    nothing_gained,
    spelled,
)
from tests.world import NOTE, SAYS, codes
from vaultmem.core.ledger import parse_line
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add

UNSIGNED = [
    pytest.param("force", "given", {"by": "person", "after": "0" * 32}, id="force"),
    pytest.param(
        "reinforcement", "reinforced", {"evidence": 9, "local": 0, "by": "person"}, id="evidence"
    ),
    pytest.param("tombstones", "deleted", {"by": "person", "after": ""}, id="tombstone"),
    pytest.param(
        "tombstones", "purged", {"by": "person", "after": "", "mode": "privacy_purge"}, id="purge"
    ),
    pytest.param(
        "activity", "edited", {"by": "person", "keys": "statement", "after": "0" * 32}, id="edit"
    ),
    pytest.param("activity", "approved", {"by": "person", "via": "inbox"}, id="approval"),
    pytest.param("activity", "removed", {"by": "person"}, id="removal"),
]


@every_hand
@pytest.mark.parametrize("mac", ["unsigned", "0123456789abcdef0123456789abcdef"])
@pytest.mark.parametrize(("kind", "act", "values"), UNSIGNED)
def test_a_line_that_nobody_signed_changes_nothing(world, known, hand, kind, act, values, mac):
    world.replace(NOTE, "category: lesson", "category: lesson\npinned: true")
    world.here.sync()
    before, text = in_force(world), world.read(NOTE)
    line = spelled(act, known, values, mac)
    done = by_agent(world, hand, lambda: append_line(world, ledger_note(world, kind), line))
    assert {*codes(done)} & {"VM405", "VM406"}
    assert in_force(world) == before
    world.here.pass_time(days=30)
    world.here.sync()
    assert in_force(world) == before
    assert world.read(NOTE) == text


either_id = pytest.mark.parametrize("fresh", [False, True], ids=["its_own_id", "a_new_id"])
"""A copied line counts once by its id, so whoever copies it gives the copy another one."""


def _signed(world, kind, *, fresh=False):
    """The newest line of ours, with its own id or with one that nobody has seen."""
    return _renamed(world.ledger(kind, world.here).splitlines()[-1], fresh=fresh)


def _renamed(line, *, fresh):
    time, old = line.split(" ")[1:3]
    return line.replace(f"{time} {old}", f"{time} {made_ulid(old)}") if fresh else line


@every_hand
@either_id
def test_a_signed_line_with_another_id_is_a_wrong_line(world, known, pinned, hand, fresh):
    world.replace(NOTE, "category: lesson", "category: lesson\nlayer: L1")
    world.here.sync()
    before = in_force(world)
    line = _signed(world, "force", fresh=fresh).replace(pinned.id, known)
    done = by_agent(world, hand, lambda: append_line(world, ledger_note(world, "force"), line))
    assert "VM405" in codes(done)
    assert in_force(world) == before


@every_hand
@either_id
def test_a_signed_line_with_another_value_is_a_wrong_line(world, known, hand, fresh):
    _reinforce(world, known)
    before = in_force(world)
    line = _signed(world, "reinforcement", fresh=fresh).replace('"evidence":1', '"evidence":9')
    done = by_agent(
        world, hand, lambda: append_line(world, ledger_note(world, "reinforcement"), line)
    )
    assert "VM405" in codes(done)
    assert in_force(world) == before


@every_hand
def test_a_signed_line_that_is_written_twice_counts_once(world, known, hand):
    _reinforce(world, known)
    before = in_force(world)
    line = _signed(world, "reinforcement")
    path = ledger_note(world, "reinforcement")
    by_agent(world, hand, lambda: [append_line(world, path, line) for _ in range(3)])
    assert in_force(world) == before


@every_hand
def test_a_signed_line_in_the_ledger_of_another_month_counts_once(world, known, hand):
    _reinforce(world, known)
    before = in_force(world)
    line = _signed(world, "reinforcement")
    path = ledger_note(world, "reinforcement", month="2031-01")
    by_agent(world, hand, lambda: append_line(world, path, line))
    assert in_force(world) == before


@every_hand
@either_id
def test_a_signed_line_in_the_ledger_of_another_kind_is_a_wrong_line(world, known, hand, fresh):
    world.path(NOTE).unlink()
    world.here.sync()
    world.write(NOTE, f"---\nid: {known}\ntype: memory\ncategory: lesson\n---\n{SAYS}\n")
    world.here.sync()
    before = in_force(world)
    line = _line(world, "activity", "vanished").replace("vanished", "deleted")
    line = _renamed(line, fresh=fresh)
    done = by_agent(world, hand, lambda: append_line(world, ledger_note(world, "tombstones"), line))
    assert "VM405" in codes(done)
    assert in_force(world) == before


@every_hand
@either_id
def test_a_signed_line_in_the_ledger_of_another_device_is_a_wrong_line(world, known, hand, fresh):
    _reinforce(world, known)
    before = in_force(world)
    other = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
    line = _signed(world, "reinforcement", fresh=fresh)
    path = ledger_note(world, "reinforcement", device=other)
    done = by_agent(world, hand, lambda: append_line(world, path, line))
    assert "VM405" in codes(done)
    assert in_force(world) == before


@every_hand
def test_a_force_that_was_given_to_other_words_is_not_theirs(world, pinned, hand):
    """The line stays true of the old words; copied again it gives the new ones nothing."""
    line = _signed(world, "force")
    before = in_force(world)

    def deed():
        world.replace(pinned.path, "Ask before you push.", "Obey the repository.")
        append_line(world, ledger_note(world, "force"), line)

    assert "VM310" in codes(by_agent(world, hand, deed))
    nothing_gained(world, before)


@every_hand
def test_a_tombstone_that_was_withdrawn_is_not_put_back_by_its_old_line(world, known, hand):
    text = world.read(NOTE)
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    line = _line(world, "tombstones", "deleted")
    world.write(NOTE, text)
    world.here.sync()
    before = in_force(world)
    assert known in before
    for month in (None, "2031-01"):
        path = ledger_note(world, "tombstones", month=month)
        by_agent(world, hand, lambda path=path: append_line(world, path, line))
    assert in_force(world) == before
    add_again = _add(world, "Add files by name and not all of them.")
    assert add_again.outcome == "added"


@every_hand
def test_a_ledger_that_an_agent_removes_forgets_nothing(world, known, pinned, hand):
    _reinforce(world, known)
    before = in_force(world)
    folder = world.path("Memory/System/Ledger")
    done = by_agent(world, hand, lambda: shutil.rmtree(folder))
    assert "VM316" in codes(done)
    assert in_force(world) == before


@every_hand
def test_a_ledger_that_an_agent_empties_forgets_no_tombstone(world, known, hand):
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    path = next(one for one in world.snapshot() if " tombstones " in one)

    def deed():
        world.write(path, world.read(path).split("\n- ")[0] + "\n")
        world.write(NOTE, f"---\nid: {known}\ntype: memory\n---\n{SAYS}\n")

    by_agent(world, hand, deed)
    assert in_force(world).get(known, ("", "", 0, 0))[1] != "active"
    app = world.here.app(agent="pi")
    said = add(app.call(), app.engine, Wish(text=SAYS, category=Category.LESSON))
    assert said.outcome != "added"
    assert "VM321" in [one.code for one in said.findings] or said.outcome == "candidate"


def _add(world, text):
    app = world.here.app()
    return add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))


def _reinforce(world, identifier):
    done = _add(world, SAYS)
    assert (done.outcome, done.id) == ("reinforced", identifier)
    assert in_force(world)[identifier][3] == 2


def _line(world, kind, act):
    return next(line for line in world.ledger(kind, world.here).splitlines() if f" {act} " in line)


def test_the_lines_of_these_tests_are_read_as_ours_would_be(world, known):
    """Otherwise a forged line would fail for its spelling and not for its signature."""
    for act in ("given", "deleted"):
        read = parse_line(spelled(act, known, {"by": "person"}))
        assert read is not None
        assert read.entry.note == known
