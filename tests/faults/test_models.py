"""A model that lies, hangs or drips: a dream ends, and nothing is in force that a person did not say."""

from __future__ import annotations

import random

import pytest

from tests.faults.catalogue import fault
from tests.faults.dream_scenes import _prepare
from tests.faults.inert import live_markup
from tests.faults.models import SECRET, Impatient, Liar, server
from tests.faults.trial import every_note_parses
from tests.services.notebook.dreams import PROJECT
from tests.world import World
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.errors import VaultmemError
from vaultmem.services.notebook.dream import dream
from vaultmem.services.patches import open_patches

PATIENCE = 0.7
"""Seconds that the endpoint gets."""


def _dream(world, model) -> str:
    world.here.pass_time(hours=3)
    app = world.here.app()
    try:
        done = dream(
            app.call(), app.engine, model, app.notebook, NotebookSettings(),
            projects=(PROJECT,), worker="faults", force=True,
        )  # fmt: skip
    except VaultmemError as error:
        return str(error)
    return done.outcome.value


def _in_force(world) -> list[tuple[object, ...]]:
    return sorted(
        (one.id, one.statement, one.status, one.layer, one.force, one.path)
        for one in world.here.call().vault.baseline.standings()
    )


def _nothing_came_of_it(world, before) -> None:
    """DESIGN §12 nos. 4, 5, 12, 16, 18."""
    world.here.sync()
    assert _in_force(world) == before
    every_note_parses(world)
    for path, data in world.notes().items():
        assert not (found := live_markup(data) if path.endswith(".md") else []), (path, found)
    for place in world.folder.rglob("*"):
        assert not place.is_file() or SECRET.encode() not in place.read_bytes(), place
    assert not any(one.op == "delete" for each in open_patches(world.here.call())
                   for one in each.patch.operations)  # fmt: skip


@fault("model_lies")
def test_what_a_lying_model_says_changes_nothing_that_is_in_force(
    memory, effort, play_seed, trials
):
    outcomes = set()
    for number in range(effort.lies):
        world = World(memory / str(number))
        _prepare(world)
        world.here.sync()
        before = _in_force(world)
        outcomes.add(_dream(world, Liar(random.Random(play_seed + number))))
        _nothing_came_of_it(world, before)
        trials.add()
        world.close()
    assert {"done", "without_model"} <= outcomes, "some lies were believed, and some could not be"


@fault("model_hangs")
@pytest.mark.parametrize("kind", ["hangs", "drips"])
def test_a_dream_ends_although_the_endpoint_does_not_answer(memory, kind):
    world = World(memory)
    _prepare(world)
    world.here.sync()
    before = _in_force(world)
    with server(kind) as url:
        told = _dream(world, Impatient(url, PATIENCE))
    assert told == "without_model"
    _nothing_came_of_it(world, before)
    world.close()
