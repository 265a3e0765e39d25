"""Which guardrail a statement spells out, and which only look as if they did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.enforcement.trigger_advice import advise
from vaultmem.core.inference import Guardrail, infer


def blocks(command: str) -> Guardrail:
    return Guardrail(f"bash_contains {command}", "block")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param("Never use `git add .`", blocks("git add ."), id="topic_60"),
        pytest.param("Never run git add . in this repo", blocks("git add ."), id="topic_61"),
        pytest.param("Never git add ./src", blocks("git add ./src"), id="topic_68"),
        ("Never run git push --force.", blocks("git push --force")),
        ("Don't run `npm install`; use `pnpm install`.", blocks("npm install")),
        ("Do not use npm install, use pnpm install.", blocks("npm install")),
        ("In this repo: never run rm -rf build/", blocks("rm -rf build/")),
        ("Never run `docker compose down -v` here.", blocks("docker compose down -v")),
        ("Don’t ever run 'git reset --hard' because it loses work.", blocks("git reset --hard")),
        ("Never use the web_search tool.", Guardrail("tool_name web_search", "block")),
        ("Don't call the `deploy` tool.", Guardrail("tool_name deploy", "block")),
        pytest.param(
            "Always ask_user before gh pr merge",
            Guardrail(verifier="tool_called ask_user before gh pr merge"),
            id="topic_62",
        ),
        pytest.param(
            "Warn when modifying Dockerfile",
            Guardrail("file_modified Dockerfile", "warn"),
            id="topic_64",
        ),
        pytest.param(
            "warn when modifying *.py", Guardrail("file_modified *.py", "warn"), id="topic_66"
        ),
        ("Warn me before editing `schema.sql`.", Guardrail("file_modified schema.sql", "warn")),
    ],
)
def test_a_mechanical_rule_is_inferred(statement, expected):
    assert infer(statement) == expected


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("buildah chown breaks cache mounts", id="topic_63"),
        pytest.param("warn when modifying src/**/*.py", id="topic_65"),
        pytest.param("Never use mutable default arguments", id="topic_67"),
        "Never use pip",
        "Never use pip install targets",
        "Always ask_user before running anything",
        "Always ask_user before bash",
        "Never use the any type",
        "Don't call the database from views",
        "Don't use curl to fetch secrets",
        "Never use `any`",
        "Never use `make`",
        "Never run tests in parallel",
        "Never run git push without the tests",
        "Never run `git push` unless I ask.",
        "Never run git push --force on main",
        "Never use make install targets",
        "Don't use `npm install` or `yarn install`.",
        "Never run `git push` if CI is red.",
        "Never run `npm install`, and never on CI.",
        "Never use the bash tool.",
        "Never call the deploy tool before noon.",
        "Always ask_user before big changes",
        "Always ask_user before git push and git tag",
        "Always use uv before pip",
        "I never run out of ideas",
        "Always run `git add .`",
        "Never run `" + "git " + "x" * 300 + "`",
        "Never use python as a joke",
        "Never commit secrets",
        "",
    ],
)
def test_what_the_runtime_could_not_match_or_would_match_too_often_is_not_inferred(statement):
    assert infer(statement) is None


@given(st.text(max_size=120))
def test_whatever_is_inferred_would_fire(statement):
    for text in (statement, f"Never run {statement}", f"Never use `{statement}`"):
        found = infer(text)
        assert found is None or advise(*found) == ()
