"""What a line of a ledger changes here when it is read, and what it does not."""

from __future__ import annotations

import pytest

from tests.world import NOTE, SAYS
from vaultmem.core.model import Category
from vaultmem.services.call import Actor
from vaultmem.services.capture import Wish, add
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.reinforce import reinforce


def _unsigned(world, identifier):
    """A line that anybody can write."""
    line = f"- 2026-11-29T10:00:00Z {world.new_id()[4:]} edited {identifier} {{}} ~unsigned\n"
    world.write(f"Memory/System/Ledger/2026-11 force {world.new_id('dev')}.md", line)


def test_no_line_takes_the_force_of_a_pin_while_the_persons_edit_waits(world):
    world.here.sync()
    other = world.device()
    app = other.app()
    other.sync()
    wish = Wish(text="Use UTC in every table.", category=Category.DECISION, pin=True)
    done = add(app.call(), app.engine, wish)
    world.here.sync()
    assert world.here.call().vault.baseline.standing(done.id).force
    world.replace(done.path, "every table", "each table")
    world.here.sync()
    assert world.here.call().vault.baseline.standing(done.id).force, "the person's own edit"
    _unsigned(world, done.id)
    world.here.sync()
    assert world.here.call().vault.baseline.standing(done.id).force
    call = other.call()
    assert reinforce(call, done.id, session="s1", evidence=[], by=Actor.PERSON, via="test")
    world.here.sync()
    assert world.here.call().vault.baseline.standing(done.id).force
    world.here.pass_time(minutes=11)
    world.here.sync()
    assert world.here.call().vault.baseline.standing(done.id).force
    assert world.ledger("force", world.here).count(f" given {done.id} ") == 1


@pytest.mark.parametrize("days", [365, 3_650])
def test_what_is_done_last_holds_although_the_clock_went_back(world, days):
    """The order of the lines is that of the acts, however wrong the clock was meanwhile."""
    world.memory(NOTE, SAYS, category="lesson")
    world.here.sync()
    identifier = world.here.call().vault.baseline.standings()[0].id
    forget(world.here.call(), identifier)
    edit(world.here.call(), identifier, properties={"status": "active"})
    world.here.pass_time(days=-days)
    forget(world.here.call(), identifier)
    world.here.pass_time(days=days)
    world.here.sync()
    assert world.here.call().vault.baseline.standing(identifier).status == "deleted"
    lines = world.ledger("tombstones").splitlines()
    assert lines == sorted(lines, key=lambda line: line.split()[2])
    other = world.device()
    other.sync()
    assert other.call().vault.baseline.standing(identifier).status == "deleted"
