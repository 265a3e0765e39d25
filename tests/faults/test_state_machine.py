"""A person, an agent, policy, a second machine and kill -9 on one vault: DESIGN §12 holds."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.faults.accidents import Accidents
from tests.faults.agent import Agent
from tests.faults.catalogue import fault
from tests.faults.person import Person


class Play(Person, Agent, Accidents):
    """All rules together."""


def _run(machine: type[Play], *, plays: int, steps: int, begin: int) -> None:
    run_state_machine_as_test(
        seed(begin)(type("Play", (machine,), {})),
        settings=settings(
            max_examples=plays,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            print_blob=True,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        ),
    )


@fault("play")
def test_whatever_happens_in_memory(monkeypatch, memory, effort, play_seed, part, trials):
    monkeypatch.setattr(Play, "place", str(memory))
    monkeypatch.setattr(Play, "trials", trials)
    _run(Play, plays=effort.plays, steps=effort.steps, begin=play_seed + part)


@fault("play")
def test_whatever_happens_on_disk(monkeypatch, tmp_path, effort, play_seed, trials):
    monkeypatch.setattr(Play, "place", str(tmp_path))
    monkeypatch.setattr(Play, "trials", trials)
    _run(Play, plays=effort.plays_on_disk, steps=effort.steps, begin=play_seed)
