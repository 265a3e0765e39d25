"""What a session is told beside the report, by a model: near the prompt, and of changed files."""

from __future__ import annotations

import pytest

from tests.hooks.serving import Serving
from tests.index.fake import FakeEmbedder
from vaultmem.hooks.looking import keep_up

PATH = "db/migrations/staging.sql"
OF_THE_FILE = f"Files modified: {PATH}"
"""What a memory says that is near the file's name."""
NEAR = "Deploy the billing service with helm."
MORE = "Before the traffic of a Monday morning comes, look at what every queue holds."
WRITES = [{"tool": "write", "call": "c1", "input": {"path": PATH, "content": "x"}}]


@pytest.fixture
def serving(world):
    """A process whose model has read every memory; the report has room for the pinned ones only."""
    world.write("Memory/Settings.md", "---\ntype: settings\nreport_budget: 200\n---\nSettings.\n")
    for number in range(5):
        world.memory(f"Memory/Lessons/{number}.md", f"{MORE} It is rule {number}.", pinned="true")
    world.memory("Memory/Lessons/Near.md", NEAR, category="lesson")
    world.memory("Memory/Lessons/File.md", OF_THE_FILE, category="lesson")
    world.here.sync()
    made = Serving(world, model=FakeEmbedder(dimension=256))
    keep_up(made.here)
    made.here.engine.embed()
    yield made
    made.close()
    assert made.crash == ""


def told(serving, **payload):
    """The messages at the end of a turn."""
    return [one["content"] for one in serving.ask("turn_end", **payload)["messages"]]


def reminder(serving, **payload):
    """The one message of a turn that wrote the file; "" for none."""
    return "".join(told(serving, tools=WRITES, **payload))


def test_a_memory_near_the_prompt_has_a_section_of_its_own(serving):
    sections = serving.ask("before_agent_start", prompt=NEAR)["sections"]

    assert list(sections) == ["project_memory", "contextual_memories"]
    assert NEAR not in sections["project_memory"]
    assert NEAR in sections["contextual_memories"]
    again = serving.ask("before_agent_start", prompt="thanks")["sections"]
    assert again["contextual_memories"] == sections["contextual_memories"]


def test_a_sub_agent_is_told_nothing_that_is_near(serving):
    sections = serving.ask("before_agent_start", prompt=NEAR, sub_agent=True)["sections"]

    assert list(sections) == ["project_memory"]


def test_a_file_that_a_turn_wrote_calls_its_memory_to_mind_once(serving):
    assert OF_THE_FILE in reminder(serving)
    assert reminder(serving, turn=1) == ""


@pytest.mark.parametrize("tool", ["write", "edit"])
def test_each_tool_that_writes_calls_to_mind(serving, tool):
    used = {"tool": tool, "call": "c1", "input": {"path": PATH}}

    (message,) = told(serving, tools=[used])

    assert OF_THE_FILE in message


@pytest.mark.parametrize("payload", [{"path": 7}, {}, {"path": "src/unrelated.py"}])
def test_what_names_no_file_that_is_near_calls_nothing_to_mind(serving, payload):
    assert told(serving, tools=[{"tool": "write", "call": "c1", "input": payload}]) == []


def test_a_file_that_was_only_read_calls_nothing_to_mind(serving):
    assert told(serving, tools=[{"tool": "read", "call": "c1", "input": {"path": PATH}}]) == []


def test_a_turn_that_was_aborted_calls_to_mind_all_the_same(serving):
    assert OF_THE_FILE in reminder(serving, outcome="aborted")


def test_after_a_compaction_the_same_file_calls_to_mind_again(serving):
    first = reminder(serving)
    assert serving.ask("session_before_compact", reason="manual") == {}
    assert reminder(serving) == "", "nothing is forgotten yet"

    assert serving.ask("session_compact", reason="manual", summary="x") == {}

    assert reminder(serving) == first != ""


def test_a_compaction_of_another_session_makes_nothing_forgotten(serving):
    reminder(serving)
    serving.ask("session_compact", session="another")

    assert reminder(serving) == ""


def test_the_summary_of_a_compaction_is_read_unless_it_is_to_be_tried_again(serving):
    serving.talk("How does the pooler work in transaction mode?")

    assert serving.ask("session_compact", reason="overflow", will_retry=True) == {}
    serving.settle()
    assert not serving.here.past.catalog.exists

    assert serving.ask("session_compact", reason="overflow") == {}
    serving.settle()
    assert serving.here.past.catalog.exists
