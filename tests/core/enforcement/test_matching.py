"""Which rules a call of a tool meets."""

from __future__ import annotations

import json
import re

import pytest

from tests.core.enforcement.test_contains import EXAMPLES
from vaultmem.core.enforcement.literal import literal_block_rules
from vaultmem.core.enforcement.matching import matching
from vaultmem.core.enforcement.rule import rule_of
from vaultmem.core.enforcement.tool_call import read_call
from vaultmem.core.ids import MemoryId

SHARED = json.loads((EXAMPLES / "block_rules.json").read_text(encoding="utf-8"))
RULES = [
    rule_of(MemoryId(one["id"]), "Rule.", trigger=f"{one['kind']} {one['needle']}", action="block")
    for one in SHARED["rules"]
]


def search(pattern, text):
    return re.search(pattern, text) is not None


def met(trigger, tool="bash", files=(), **given):
    """What of the call meets the trigger, "" for nothing."""
    rule = rule_of(MemoryId("mem_1"), "Rule.", trigger=trigger, action="warn")
    found = matching([rule], read_call(tool, given), files=files, search=search)
    return found[0].what if found else ""


@pytest.mark.parametrize("case", SHARED["cases"], ids=[one["why"] for one in SHARED["cases"]])
def test_the_examples_that_the_extension_reads_too(case):
    found = matching(RULES, read_call(case["tool"], case["input"]), files=(), search=search)

    assert [one.rule.memory_id for one in found] == ([case["blocked"]] if case["blocked"] else [])


def test_the_extension_is_given_those_rules():
    told = {one.id: one for one in literal_block_rules(RULES)}

    for one in SHARED["rules"]:
        rule = told[one["id"]]
        assert (rule.kind, rule.needle, rule.command) == (
            one["kind"],
            one["needle"],
            one["command"],
        )


def test_topic_row_77_add_everything_is_met_and_one_file_is_not():
    assert met("bash_contains git add .", command="git add . && git commit")
    assert not met("bash_contains git add .", command="git add src/file.py")


def test_topic_row_78_a_pattern_is_met():
    assert met(r"bash_regex git\s+add\s+\.", command="git  add  .")
    assert not met(r"bash_regex git\s+add\s+\.", tool="read", path="git  add  .")


def test_topic_row_79_a_pattern_of_201_characters_is_ignored():
    assert met("bash_regex " + "a" * 200, command="a" * 200)
    assert not met("bash_regex " + "a" * 201, command="a" * 201)


@pytest.mark.parametrize("tool", ["write", "edit"])
def test_topic_row_80_an_ending_is_met(tool):
    assert met("file_modified *.py", tool, files=("src/main.py",)) == "src/main.py"
    assert not met("file_modified *.py", tool, files=("src/main.ts",))


def test_topic_row_81_a_name_is_met_in_any_folder():
    assert met("file_modified Dockerfile", "edit", files=("path/to/Dockerfile",))


def test_topic_row_82_another_tool_is_not_met():
    assert not met("tool_name write", "read")
    assert met("tool_name write", "write") == "write"


@pytest.mark.parametrize(
    ("task", "found"),
    [
        ("Stage it all with git add . and commit.", True),
        ("Commit the change.\nRun `git add .` first", True),
        ("Never run git add . in there.", False),
        ("Add the files by name; don't git add . please.", False),
        ("Never push. Then git add . it all.", True),
        ("Look at git add .gitignore", True),
        ("", False),
    ],
)
def test_a_sub_agents_task_is_met_where_it_tells_to(task, found):
    """The topic-file memory's §10: a mention suffices; ours leaves out what forbids it."""
    for tool in ("subagent", "run_sub_agent", "task"):
        assert bool(met("bash_contains git add .", tool, task=task)) is found
    assert bool(met("bash_contains git add .", "subagent", tasks=[{"task": task}])) is found
    assert not met("bash_contains git add .", "read", task=task)


def test_a_pattern_is_met_in_a_task():
    assert met("bash_regex ^git add", "subagent", prompt="git add all")
    assert not met("bash_regex ^git push", "subagent", prompt="git add all")


@pytest.mark.parametrize(
    ("tool", "given", "files"),
    [
        ("write", {"path": "a.py"}, ("a.py",)),
        ("edit", {"file_path": "a.py", "items": [{"path": "b.py"}, {"path": "a.py"}, 3]}, ("a.py", "b.py")),
        ("apply_patch", {"files": [{"path": "c"}], "edits": "no list"}, ("c",)),
        ("multi_edit", {"edits": [{"path": "a.py", "newText": "/etc/hosts"}, {"path": "b.py"}]}, ("a.py", "b.py")),
        ("write", {"content": [{"type": "text", "text": "/etc/hosts"}, "/etc/passwd"], "path": "a.py"}, ("a.py",)),
        ("write_all", {"contents": [{"path": "a.py", "content": "/etc/hosts"}]}, ("a.py",)),
        ("read", {"path": "a.py"}, ()),
        ("memory_edit", {"path": "a.py"}, ()),
        ("write", {"path": ["a.py"]}, ("a.py",)),
        ("write", {"path": "a.py", "content": "/etc/hosts"}, ("a.py",)),
        ("write", {"path": "  "}, ()),
    ],
)  # fmt: skip
def test_the_files_that_a_tool_writes(tool, given, files):
    assert read_call(tool, given).files == files
