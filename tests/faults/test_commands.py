"""Commands that are killed and typed again; and every verb that writes has a scene."""

from __future__ import annotations

import pytest

from tests.acceptance.test_agent_verbs import AS_OPTIONS, MAY
from tests.faults.catalogue import fault
from tests.faults.command_scenes import COMMAND_SCENES
from tests.faults.command_trial import WRITES, CommandTrial
from tests.faults.failing import moments, steps_of
from tests.faults.governed_scenes import EVERY_SCENE
from tests.faults.verbs import NEEDS_NONE, READS, SCENES_OF

OF_NO_COMMAND = {"override"}
"""An option of `add`."""


@fault("kill_command")
@pytest.mark.parametrize("scene", COMMAND_SCENES, ids=lambda scene: scene.name)
def test_a_command_that_was_killed_does_the_same_when_it_is_typed_again(
    memory, scene, effort, trials
):
    trial = CommandTrial(memory, scene)
    trial.begin()
    steps = steps_of(trial.act, steps=WRITES)
    assert steps, "it writes nothing"
    for at in moments(steps, effort.faults, begin=sum(scene.name.encode())):
        trial.run(at)
        trials.add()


def _names(scenes: str) -> set[str]:
    return {one.strip() for one in scenes.split(",")}


def test_every_command_that_writes_has_a_scene():
    commands = {*MAY, *AS_OPTIONS}
    assert commands == SCENES_OF.keys() | NEEDS_NONE.keys() | READS
    assert not SCENES_OF.keys() & (NEEDS_NONE.keys() | READS)


def test_every_scene_is_of_a_command():
    made = {one.name for one in EVERY_SCENE} | {f"$ {one.name}" for one in COMMAND_SCENES}
    assert set().union(*(_names(one) for one in SCENES_OF.values())) == made - OF_NO_COMMAND


def test_what_a_person_or_a_policy_may_do_is_no_reading_command():
    assert not [one for one in READS & MAY.keys() if MAY[one][0] not in ("reads",)]
