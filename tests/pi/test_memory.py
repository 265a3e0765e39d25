"""The model's side of the memory: what it finds, cites, and what it hears from the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.driver import texts
from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from tests.pi.test_sections import section
from tests.world import SAYS
from vaultmem.core.ids import MemoryId, short_id
from vaultmem.services.telemetry import usage_of

if TYPE_CHECKING:
    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer
    from tests.world import World


@BOTH
def test_the_model_finds_a_memory_and_nobody_but_us_sees_that_it_cites_it(
    pi: Pi, model: ModelServer, world: World, known: str
):
    block = f"<vaultmem-citation>\n{short_id(MemoryId(known))}\n</vaultmem-citation>"
    model.script(
        calls("memory_search", query="how to add files"),
        says(f"By name.\n\n{block}"),
        says(f"Again.\n\n{block}"),
    )
    ran = pi.run("what do I know of adding files?", "and once more, how do I add files?")
    assert SAYS in model.requests[1].results()[0]
    assert ran.stdout == "Again.\n"
    assert [text for text in texts(pi.session(), "assistant") if text] == ["By name.", "Again."]
    said = [one for one in model.last.messages if one["role"] != "system"]
    assert "By name." in str(said)
    assert block.splitlines()[0] not in str(said)
    assert usage_of(world.here.call(), known).cited == 2


def test_a_correction_is_applied_and_told_in_the_next_session(
    pi: Pi, model: ModelServer, world: World, known: str
):
    model.script(says("I used npm."), says("Understood."))
    pi.run("install the packages", "Never use npm for installs, use pnpm instead.")
    assert "pnpm" not in model.last.system_prompt
    model.script(says("With pnpm."))
    pi.run("install the packages again")
    assert "pnpm" in section(model.last.system_prompt, "project_memory")
    assert len(pi.sessions()) == 2
