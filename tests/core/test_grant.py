"""A permission for once is told from a standing one, a fact and a rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grant import grant_phrase

GRANTS = [
    "you can merge it now", "You may push it.", "you can force-push this branch",
    "yes, go ahead", "ok go ahead and merge", "Sure, proceed.", "ship it", "LGTM, merge it",
    "do it", "approved", "You have my permission to delete that branch.", "permission granted",
    "it's fine to skip docs for this PR", "It’s ok to force-push this branch.",
    "feel free to close this issue", "You're good to go.", "i allow you to deploy this release",
    "just this once skip the test", "Only this time, push to main.", "Skip the hook for once, just this once.",
    "You can commit these changes.", "you can delete the old one, merge #42 and you can close #41",
    "You are free to drop those migrations.", "one-time exception: push to main",
    "you can ignore that check on this PR", "u can merge PR 12", "You can deploy now.",
    "I'm fine with you to merge this PR", "Looks good to me, go for it!", "You can restart it.",
    "As an exception, commit to main.", "green light", "go on", "You can continue.",
    "You can merge this PR with squash.", "yep, you may go ahead",
    "The tests pass. You can merge this PR if CI is green.",
]  # fmt: skip
NO_GRANTS = [
    "You can run tests with `tox -e py`.", "You can always merge dependabot PRs.",
    "You may push to feature branches without asking.", "Never merge this kind of PR without review.",
    "You can find the config in settings.py.", "Any time a build fails you can restart it.",
    "From now on you can merge your own PRs.", "You can deploy with `make deploy`.",
    "You can restart it with systemctl.", "You can install it once via npm.", "In this repo you can push to main.",
    "You can use this project's Makefile for builds.", "Go is our backend language.",
    "Approved PRs are merged by the bot.".replace("Approved", "Reviewed"), "Proceedings are stored in docs/.",
    'Do not treat "go ahead" as permission to push.', "Don't skip hooks, not even just this once.",
    "The merge button is on the right.", "You can merge PRs once CI is green.", "Run it before pushing.",
    "By default you may merge docs PRs.", "`you can merge this PR` is what the bot says",
    "> you can merge this PR", "Each reviewer can approve this PR.", "I prefer uv over pip",
    "Always use uv run.", "Merge with squash.", "you may always push to feature branches",
    "Migrations can be run by the deploy job.", "", "   ", "You can reach it at localhost:8000.",
    "Whenever CI is green you can merge this PR yourself.", "Ship small changes.", "Good names matter.",
]  # fmt: skip


@pytest.mark.parametrize("text", ["you can merge this PR", "go ahead", "just this once"])
def test_rows_001_to_003(text: str) -> None:
    assert grant_phrase(text) == text


@pytest.mark.parametrize("text", GRANTS)
def test_a_permission_for_once_is_a_grant(text: str) -> None:
    assert grant_phrase(text)


@pytest.mark.parametrize("text", NO_GRANTS)
def test_a_standing_permission_a_fact_and_a_rule_are_none(text: str) -> None:
    assert grant_phrase(text) is None


def test_the_phrase_is_what_gives_it_away() -> None:
    assert (
        grant_phrase("All done.  You   can merge this PR, thanks!")
        == "You can merge this PR, thanks"
    )


def test_a_very_long_text_is_a_file_and_no_permission() -> None:
    assert grant_phrase("x " * 20_000 + "\ngo ahead") is None
    assert grant_phrase("go ahead\n" + "x " * 20_000) == "go ahead"


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        # what points at something at hand decides, however the thing is done
        ("You can merge this PR with squash.", "You can merge this PR with squash"),
        ("You can deploy with make, on this branch.", "You can deploy with make, on this branch"),
        ("You can merge it now with squash.", None),
        ("You can merge it now.", "You can merge it now"),
        ("You can deploy.", None),
        # the second permission counts where the first is a fact, and so does the second sentence
        ("You can run it with tox. You can close #41.", "You can close #41"),
        ("You can always merge. Go ahead.", "Go ahead"),
    ],
)
def test_what_points_at_the_work_at_hand_is_for_once(text: str, phrase: str | None) -> None:
    assert grant_phrase(text) == phrase


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    found = grant_phrase(text)

    assert found is None or found
