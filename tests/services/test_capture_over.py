"""A memory whose time has passed neither repeats nor contradicts what is said now."""

from __future__ import annotations

import pytest

from vaultmem.core.model import Category, Scope
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.inbox import decide
from vaultmem.services.report import report

TEXT = "Always squash the commits before merging."
AGAINST = "Never squash the commits before merging."

OVER = [
    ({"scope": "session"}, {"hours": 25}),
    ({"scope": "task"}, {"days": 15}),
    ({"expires": "2020-01-01T00:00:00"}, {}),
    ({"valid_to": "2020-01-01"}, {}),
]


def said(world, text, *, agent=None, scope="global"):
    world.here.sync()
    app = world.here.app(agent=agent)
    wish = Wish(text=text, category=Category.LESSON, scope=Scope(scope))
    return add(app.call(), app.engine, wish)


def told(world):
    return report(world.here.call()).text


@pytest.fixture(params=OVER, ids=lambda row: next(iter(row[0])))
def over(request, world):
    """The scope of a memory that held once."""
    properties, span = request.param
    first = said(world, TEXT, scope=properties.get("scope", "global"))
    for key, value in properties.items():
        if key != "scope":
            world.replace(first.path, "type: memory", f"type: memory\n{key}: {value}")
    world.here.pass_time(**span)
    world.here.sync()
    assert TEXT not in told(world)
    return properties.get("scope", "global")


def test_it_is_remembered_anew_where_it_is_said_again(world, over):
    done = said(world, TEXT, scope=over)
    assert done.outcome == "added"
    assert TEXT in told(world)
    found = doctor(world.here.call(), set_up=(), crash_log=world.folder / "none").findings
    assert "VM331" not in [one.code for one in found]


def test_its_opposite_is_no_contradiction(world, over):
    assert said(world, AGAINST, scope=over).outcome == "added"


def test_an_approved_candidate_that_says_it_again_is_in_force(world, over):
    proposed = said(world, TEXT, agent="pi", scope=over)
    assert proposed.outcome == "candidate"
    world.here.sync()
    assert decide(world.here.call(), proposed.id, Decision.APPROVE).outcome == "approved"
    assert TEXT in told(world)


def test_what_does_not_hold_yet_is_known_all_the_same(world):
    first = said(world, TEXT)
    world.replace(first.path, "type: memory", "type: memory\nvalid_from: 2999-01-01")
    assert said(world, TEXT).outcome == "reinforced"
