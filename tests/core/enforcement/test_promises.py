"""What inference and advice promise, the run time keeps: no rule is made that could never fire."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vaultmem.core.enforcement.matching import matching
from vaultmem.core.enforcement.rule import Action, TriggerKind, rule_of
from vaultmem.core.enforcement.tool_call import ToolCall, read_call
from vaultmem.core.enforcement.trigger_advice import advise
from vaultmem.core.enforcement.turn import Called, Turn, failures
from vaultmem.core.ids import MemoryId
from vaultmem.core.inference import infer


def rule_for(statement):
    found = infer(statement)
    assert found is not None
    return rule_of(
        MemoryId("mem_1"),
        statement,
        trigger=found.trigger,
        action=found.action,
        verifier=found.verifier,
    )


def meets(rule, call):
    found = matching([rule], call, files=call.files, search=re.search)
    return bool(found)


def bash(command):
    return read_call("bash", {"command": command})


@pytest.mark.parametrize(
    ("statement", "does", "does_not"),
    [
        ("Never use `git add .`", "git add . && git commit", "git add a.py"),
        ("Never run git add . in this repo", "cd app; git add .", "git add .gitignore"),
        ("Never git add ./src", "git add src/", "git add ."),
        ("Never run git push --force.", "git push origin main --force", "git push origin main"),
        ("Don't run `npm install`; use `pnpm install`.", "npm install lodash", "pnpm install"),
        ("In this repo: never run rm -rf build/", "rm -fr ./build", "rm -rf dist"),
        ("Never run `docker compose down -v` here.", "docker compose down -v", "docker compose down"),
        ("Don’t ever run 'git reset --hard'.", "git reset --hard HEAD~1", "git reset --soft HEAD~1"),
    ],
)  # fmt: skip
def test_a_command_that_a_statement_forbids_is_blocked(statement, does, does_not):
    rule = rule_for(statement)

    assert rule.does(Action.BLOCK)
    assert meets(rule, bash(does))
    assert not meets(rule, bash(does_not))


def test_a_tool_that_a_statement_forbids_is_blocked():
    rule = rule_for("Never use the web_search tool.")

    assert meets(rule, ToolCall("web_search"))
    assert not meets(rule, ToolCall("search"))


@pytest.mark.parametrize(
    ("statement", "path"),
    [
        ("Warn when modifying Dockerfile", "docker/Dockerfile"),
        ("warn when modifying *.py", "src/a.py"),
        ("Warn me before editing `schema.sql`.", "db/schema.sql"),
    ],
)
def test_a_file_that_a_statement_is_about_is_warned_of(statement, path):
    rule = rule_for(statement)

    assert rule.does(Action.WARN)
    assert meets(rule, ToolCall("edit", files=(path,)))
    assert not meets(rule, ToolCall("edit", files=("other.txt",)))


def test_a_tool_that_is_to_be_asked_first_is_missed():
    rule = rule_for("Always ask_user before gh pr merge")
    merge = Called("bash", "gh pr merge 12 --squash")

    assert failures([rule], Turn("x", (merge,)))
    assert not failures([rule], Turn("x", (Called("ask_user"), merge)))


@given(st.text(max_size=80))
def test_whatever_is_inferred_meets_what_it_names(text):
    for statement in (
        text,
        f"Never run {text}",
        f"Never use `{text}`",
        f"Warn when editing {text}",
    ):
        found = infer(statement)
        if found is not None and found.trigger is not None:
            assert meets(rule_for(statement), fitting(*found.trigger.split(" ", 1)))


NEEDLES = st.text(
    st.characters(categories=("L", "N", "P", "S"), include_characters=" "), max_size=40
)


@given(
    st.sampled_from([kind.value for kind in TriggerKind if kind is not TriggerKind.BASH_REGEX]),
    NEEDLES,
)
def test_whatever_the_advice_lets_pass_meets_something(kind, needle):
    assume(not advise(f"{kind} {needle}", "warn"))
    rule = rule_of(MemoryId("mem_1"), "Rule.", trigger=f"{kind} {needle}", action="warn")

    assert meets(rule, fitting(kind, needle.strip()))


def fitting(kind, needle):
    """A call that the needle is about."""
    if kind == "tool_name":
        return ToolCall(needle)
    if kind == "file_modified":
        assume(not set(needle) & set("?[]{}"))  # a path for them would need their own reader
        return ToolCall("edit", files=(needle.replace("\\", "/").replace("*", "x"),))
    return bash(needle)
