"""kill -9 before every step of every verb: no note is torn, no success is lost, one sync mends all."""

from __future__ import annotations

import pytest

from tests.faults.catalogue import fault
from tests.faults.governed_scenes import EVERY_SCENE
from tests.faults.trial import Trial
from tests.services.crash_driver import DONE

MOST = 1_000
"""No verb takes so many steps."""
FEWEST = 7
"""Every verb takes more."""


@fault("kill_step")
@pytest.mark.parametrize("scene", EVERY_SCENE, ids=lambda scene: scene.name)
def test_killed_before_a_step_every_note_is_old_or_new_and_one_sync_mends_it(
    memory, scene, effort, trials
):
    trial = Trial(memory, scene)
    spread = min(effort.every, FEWEST)  # not the same steps of every verb
    first = 1 + sum(scene.name.encode()) % spread
    for at in range(first, MOST, effort.every):
        ended = trial.run(at)
        if not ended.killed:
            break
        trials.add()
    assert ended.code == DONE
    assert at > first, "it was never killed"
