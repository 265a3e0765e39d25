"""What the agent is told reaches the model's system prompt."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from tests.pi.processes import eventually
from tests.world import SAYS

if TYPE_CHECKING:
    from tests.pi.driver import Pi, Rpc
    from tests.pi.model_server import ModelServer
    from tests.world import World

STAGING, THANKS = "Staging runs on SQLite until March.", "Thanks go to the reviewers."
OF_STAGING, OF_THANKS = "what does staging run on?", "how do I say thanks to the reviewers?"


@pytest.fixture
def faint(world: World, known: str) -> None:
    """Two memories in force, too old for the report, that a prompt near them still recalls."""
    then = (datetime.now() - timedelta(days=75)).isoformat(timespec="seconds")
    for text in (STAGING, THANKS):
        world.memory(f"Memory/Lessons/{text[:-1]}.md", text, category="lesson", reinforced=then)
    world.here.sync()


@BOTH
def test_sections_reach_the_system_prompt_and_stay_the_same_while_nothing_changes(
    pi: Pi, model: ModelServer, faint: None
):
    with pi.rpc() as talk:
        recall(talk, model, OF_STAGING, STAGING)
        before = len(model.requests)
        model.script(calls("read", path="README.md"), says("Read."), says("Again."))
        talk.prompt(OF_STAGING)
        talk.prompt(OF_STAGING)
    prompts = [request.system_prompt for request in model.requests[before:]]
    assert len(prompts) == 3
    for name, text in (("project_memory", SAYS), ("contextual_memories", STAGING)):
        (told,) = {section(prompt, name) for prompt in prompts}
        assert text in told
        assert prompts[0].count(f"<{name}>") == 1
    assert prompts[0].count(STAGING) == 1


def test_a_trivial_prompt_gets_the_report_and_no_search(pi: Pi, model: ModelServer, faint: None):
    with pi.rpc() as talk:
        recall(talk, model, OF_THANKS, THANKS)  # it has its vector from here on
        talk.ask("new_session")
        recall(talk, model, OF_STAGING, STAGING)  # and the new process has its model
        before = sections(model)
        model.script(says("Fine."), says("By name."))
        talk.prompt("thanks")
        trivial = sections(model)
        talk.prompt(OF_THANKS)
    assert trivial == before
    assert SAYS in trivial["project_memory"]
    assert THANKS not in "".join(trivial.values())
    assert THANKS in sections(model)["contextual_memories"]


def recall(talk: Rpc, model: ModelServer, prompt: str, text: str) -> None:
    """Ask until a memory is recalled: a prompt waits neither for the model nor for a vector."""

    def is_told() -> bool:
        model.script(says("Hm."))
        talk.prompt(prompt)
        return text in sections(model)["contextual_memories"]

    assert eventually(is_told)


def sections(model: ModelServer) -> dict[str, str]:
    """What the last request told of the memory."""
    names = ("project_memory", "contextual_memories", "past_sessions")
    return {name: section(model.last.system_prompt, name) for name in names}


def section(prompt: str, name: str) -> str:
    """The text of a section of a system prompt."""
    return prompt.partition(f"<{name}>\n")[2].partition(f"\n</{name}>")[0]
