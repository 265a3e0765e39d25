"""A clock that jumps back or ahead while a verb writes: it is done, and nothing else is changed."""

from __future__ import annotations

import pytest

from tests.faults.catalogue import fault
from tests.faults.clocks import JUMPS, at_another_time
from tests.faults.governed_scenes import EVERY_SCENE
from tests.faults.trial import Trial
from tests.services.crash_driver import DONE


@fault("clock")
@pytest.mark.parametrize("scene", EVERY_SCENE, ids=lambda scene: scene.name)
def test_what_is_done_under_a_wrong_clock_holds_when_it_is_right_again(
    memory, scene, effort, trials
):
    trial = Trial(memory, scene)
    first = sum(scene.name.encode())
    for number in range(first, first + min(effort.faults, len(JUMPS))):
        jump = JUMPS[number % len(JUMPS)]
        ended = trial.under(lambda verb, jump=jump: at_another_time(verb, jump), number=number)
        assert ended.code == DONE, (jump.name, ended.said)
        trials.add()
