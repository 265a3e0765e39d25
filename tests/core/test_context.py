"""A person's phrase meets the words of prompt, project and paths."""

from __future__ import annotations

import pytest

from tests.core.rows import NOW
from vaultmem.core.context import Context, Surroundings, in_project

HERE = Context(
    NOW,
    project="github.com/acme/billing-web",
    prompt="Publish the package and add a migration for the users table",
    paths=("src/deploy/handlers.py", "docs/日本語.md"),
)


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        ("publishing", True),
        ("writing SQL migrations", True),
        ("working on the billing service", True),
        ("deploying to production", True),
        ("editing Python files in handlers", True),
        ("drawing charts\npublishing", True),
        # A third of the telling words is not enough.
        ("painting the users yellow", False),
        ("writing tests", False),
        # The host of a project is at hand everywhere, so it does not count.
        ("github", False),
        ("日本", True),
        ("한국", False),
        ("🚀", False),
        ("the", True),
    ],
)
def test_half_of_the_telling_words_hold(phrases: str, expected: bool) -> None:
    assert Surroundings(HERE).holds(phrases) is expected


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        ("publishing", "publishing"),
        ("publishing packages", "publishing packages"),
        ("publishing to GitHub", ""),
        ("deploying to production", ""),
        ("drawing charts\nuser tables\npublishing", "user tables"),
        ("日本語", "日本語"),
        ("🚀", ""),
    ],
)
def test_all_of_the_telling_words_exclude(phrases: str, expected: str) -> None:
    assert Surroundings(HERE).excludes(phrases) == expected


def test_a_project_without_a_host_counts_whole() -> None:
    assert Surroundings(Context(NOW, project="billing")).excludes("billing") == "billing"


def test_an_empty_context_holds_nothing() -> None:
    assert not Surroundings(Context(NOW)).holds("publishing")


def test_a_phrase_without_words_is_looked_for_as_it_is() -> None:
    assert Surroundings(Context(NOW, prompt="ship it 🚀 now")).holds("🚀")


def test_only_the_beginning_of_a_long_prompt_is_compared() -> None:
    assert not Surroundings(Context(NOW, prompt="x " * 20_000 + "publish")).holds("publishing")


def test_a_phrase_of_many_memories_gets_the_same_answer_each_time() -> None:
    here = Surroundings(HERE)
    assert [here.holds("publishing") for _ in range(3)] == [True] * 3
    assert [here.excludes("publishing to GitHub") for _ in range(3)] == [""] * 3


@pytest.mark.parametrize(
    ("project", "fits"),
    [
        ("github.com/acme/billing-web", True),
        ("GitHub.com/Acme/Billing-Web", True),
        ("github.com/acme/billing", False),
        ("gitlab.com/acme/billing-web", False),
        ("", False),
    ],
)
def test_a_named_project_is_that_one_whatever_the_prompt_says(project: str, fits: bool) -> None:
    prompt = "Open github.com/acme/billing-web and bill the web."
    phrase = in_project("github.com/acme/billing-web")
    here = Surroundings(Context(NOW, project=project, prompt=prompt))
    assert here.excludes(phrase) == (phrase if fits else "")
    assert here.holds("project: github.com/acme/billing-web") is fits
