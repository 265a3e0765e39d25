"""A Pi that another agent started is told the report, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.model_server import calls, says
from tests.pi.processes import serving
from tests.pi.test_enforcement import block_marker

if TYPE_CHECKING:
    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer
    from tests.world import World


def test_a_sub_agent_gets_the_report_and_its_rules_and_starts_no_serve(
    pi: Pi, model: ModelServer, world: World
):
    block_marker(world)
    pi.variables["PI_SUBAGENT_CHILD"] = "1"
    model.script(calls("bash", command="touch marker"), says("Done."))
    with pi.rpc() as talk:
        talk.prompt("how do I touch the marker?")
        assert serving(world.here.home) == []
    first = model.requests[0]
    assert "<project_memory>" in first.system_prompt
    assert "<contextual_memories>" not in first.system_prompt
    assert not [name for name in first.tool_names if name.startswith(("memory", "session"))]
    assert not (pi.project / "marker").exists()
