"""A disk that is full, read-only or failing while a verb writes: said, nothing lost, mended by a sync."""

from __future__ import annotations

import pytest

from tests.faults.catalogue import fault
from tests.faults.failing import KINDS, fail_at, moments, steps_of
from tests.faults.governed_scenes import EVERY_SCENE
from tests.faults.trial import Trial

CASES = [
    pytest.param(scene, kind, id=f"{scene.name}-{kind.name}", marks=fault(kind.name))
    for scene in EVERY_SCENE
    for kind in KINDS
]


@pytest.mark.parametrize(("scene", "kind"), CASES)
def test_where_the_disk_fails_at_a_step_no_note_is_torn_and_one_sync_mends_it(
    memory, scene, kind, effort, trials
):
    trial = Trial(memory, scene)
    trial.begin(1)
    steps = steps_of(trial.act)
    assert steps, "it writes nothing"
    for at in moments(steps, effort.faults, begin=sum(scene.name.encode())):
        trial.under(lambda verb, at=at: fail_at(verb, at, kind, trial.vault), number=at)
        trials.add()
