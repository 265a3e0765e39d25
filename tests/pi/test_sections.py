"""What the agent is told reaches the model's system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from tests.world import SAYS

if TYPE_CHECKING:
    from tests.pi.driver import Pi
    from tests.pi.model_server import ModelServer
    from tests.world import World


@BOTH
def test_sections_reach_the_system_prompt_and_stay_the_same_while_nothing_changes(
    pi: Pi, model: ModelServer, known: str
):
    asked = "how do I add files to a commit?"
    model.script(calls("read", path="README.md"), says("Read."), says("Again."))
    ran = pi.run(asked, asked)
    assert (ran.stdout, ran.stderr, ran.code) == ("Again.\n", "", 0)
    prompts = [request.system_prompt for request in model.requests]
    assert len(prompts) == 3
    for name in ("project_memory", "contextual_memories"):
        sections = {section(prompt, name) for prompt in prompts}
        assert len(sections) == 1, name
        assert name == "contextual_memories" or SAYS in sections.pop()
    assert prompts[0].count("<project_memory>") == 1


def test_a_trivial_prompt_gets_the_report_and_no_search(
    pi: Pi, model: ModelServer, world: World, known: str
):
    model.script(says("Fine."))
    pi.run("thanks")
    assert SAYS in section(model.last.system_prompt, "project_memory")
    assert "<contextual_memories>" not in model.last.system_prompt
    assert "<past_sessions>" not in model.last.system_prompt


def section(prompt: str, name: str) -> str:
    """The text of a section of a system prompt."""
    return prompt.partition(f"<{name}>\n")[2].partition(f"\n</{name}>")[0]
