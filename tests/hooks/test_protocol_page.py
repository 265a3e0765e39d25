"""The page about the protocol and the extension's table of tools are what the code says."""

from __future__ import annotations

import dataclasses
import json

import pytest

from tests.hooks import protocol
from vaultmem.core.agent_guard import OUR_TOOLS
from vaultmem.core.enforcement.literal import BlockRule
from vaultmem.hooks import answers
from vaultmem.hooks.parsing import READERS
from vaultmem.hooks.tools import SUBCOMMANDS, TOOLS, tool_named

SAME = "run `python -m tests.hooks.protocol --write`"


def test_the_page_says_what_the_code_does():
    assert protocol.PAGE.read_text(encoding="utf-8") == protocol.page(), SAME


def test_the_extension_has_the_tools_that_we_answer():
    assert protocol.TOOLS_FILE.read_text(encoding="utf-8") == protocol.tools_text(), SAME


@pytest.mark.parametrize("event", READERS)
def test_every_event_has_examples_of_its_own(event):
    told = protocol.example(event)

    assert told["event"] == event
    for case in told["cases"]:
        assert case["about"]
        assert case["request"]["event"] == event
        assert case["request"]["id"] == case["answer"]["id"]


_RESULTS = {
    "session_start": answers.Started,
    "input": answers.Done,
    "before_agent_start": answers.Sections,
    "tool_call": answers.Verdict,
    "tool_result": answers.Appended,
    "message_end": answers.Message,
    "turn_end": answers.Reminding,
    "session_before_compact": answers.Done,
    "session_compact": answers.Done,
    "session_shutdown": answers.Done,
    "tool": answers.ToolText,
    "command": answers.Said,
    "ui": answers.Said,
    "rules": answers.RulesTold,
}


def _rules(told):
    block = tuple(BlockRule(**one) for one in told["block"])
    return answers.Rules(
        version=told["version"], block=block, result_seconds=told["result_seconds"]
    )


def _panel(told):
    rows = tuple(
        answers.Row(
            one["id"],
            one["label"],
            tuple(one["detail"]),
            tuple(answers.Action(**action) for action in one["actions"]),
        )
        for one in told["rows"]
    )
    return answers.Panel(told["name"], told["title"], rows, told["more"])


_READ = {
    "rules": _rules,
    "panel": _panel,
    "notices": tuple,
    "level": answers.Level,
    "messages": lambda told: tuple(one["content"] for one in told),
}


@pytest.mark.parametrize("event", READERS)
def test_every_answer_of_the_examples_is_spelled_as_we_spell_it(event):
    told = protocol.example(event)
    for case in told["cases"]:
        result = case["answer"]["result"]
        values = {name: _READ.get(name, lambda one: one)(value) for name, value in result.items()}

        assert _RESULTS[event](**values).json() == result


def test_every_tool_has_a_name_of_its_own_and_says_what_it_does():
    names = [one.name for one in TOOLS]

    assert len(set(names)) == len(names)
    for tool in TOOLS:
        assert tool.doc.endswith("."), tool.name
        assert not tool.snippet.endswith("."), tool.name
        assert len({one.name for one in tool.parameters}) == len(tool.parameters)
        for one in tool.parameters:
            assert one.doc.endswith("."), (tool.name, one.name)
            assert one.default is None or not one.choices or one.default in one.choices


def test_the_design_s_tools_are_there():
    # DESIGN 8
    wanted = """memory_search memory_read memory_list memory_write memory_add memory_add_note
        memory_reinforce memory_edit memory_remove memory_reflect memory_topics
            memory_consolidate session_search
        session_list session_read session_decisions scratchpad"""

    assert {one.name for one in TOOLS} == set(wanted.split()) == OUR_TOOLS


def test_the_schema_of_a_tool_allows_what_its_parameters_say_and_nothing_else():
    tool = tool_named("memory_search")
    schema = tool.json()["parameters"]

    assert schema["additionalProperties"] is False
    assert schema["properties"]["in"]["enum"] == [
        *("memory", "vault", "log", "sessions", "notebook", "all")
    ]
    assert schema["properties"]["queries"] == {
        "type": "array",
        "description": "Several questions at once, answered together.",
        "items": {"type": "string"},
        "maxItems": 5,
    }
    assert schema["properties"]["limit"]["minimum"] == 1
    assert tool_named("nothing") is None


def test_the_words_after_memory_have_names_of_their_own():
    told = json.loads(protocol.tools_text())["commands"]
    names = [one["name"] for one in told]

    assert len(set(names)) == len(names)
    assert all(one["description"] for one in told)
    assert names[: len(SUBCOMMANDS)] == [one.name for one in SUBCOMMANDS]
    assert {"off write", "enforce", "enforce audit", "session search", "patch revert"} <= set(names)
    assert not {"serve", "init", "pi install", "key import"} & set(names)


def test_the_fields_of_a_result_are_told_by_its_class():
    for kind in set(_RESULTS.values()):
        named = dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
        assert named, kind
