"""A dream through the real Pi: isolated, without tools, and with nothing of the person's own set-up."""

from __future__ import annotations

from tests.llm.conftest import installed, model, pi_environment, start_pi, version
from tests.pi.model_server import says
from tests.services.notebook.dreams import MAKE, Sleeper, answer
from vaultmem.services.notebook.dream import DreamOutcome

__all__ = ["installed", "model", "pi_environment", "start_pi", "version"]


def test_a_dream_runs_through_the_real_pi(world, model, start_pi):
    world.here.sync()
    sleeper = Sleeper(world, model)
    sleeper.lessons()
    said = [{"id": sleeper.shown(MAKE), "reason": "Over."}]
    model.script(says("No JSON."), says(f"```json\n{answer(stale=said)}\n```"))
    done = sleeper.dream(model=start_pi())
    assert done.outcome is DreamOutcome.DONE
    assert [one.kind for one in done.proposals] == ["stale"]
    assert len(model.requests) == 2
    for request in model.requests:
        assert MAKE in request.newest_text
        assert "You look after the long-term memory" in request.system_prompt
        assert "PLANTED" not in request.text
        assert request.tool_names == []
    assert done.usage.input > 0
