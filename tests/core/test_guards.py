"""The guards in their order, and sentences that say what to do next."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from vaultmem.core.contradiction import Contradiction
from vaultmem.core.finding import CODES
from vaultmem.core.guards import (
    GUARDS,
    Guard,
    TextRefusal,
    first_refusal,
    refuse_contradiction,
    refuse_grant,
    refuse_secret,
    refuse_task,
)
from vaultmem.core.model import Scope

TOKEN = "gh" + "p_" + fake(36)
FOUND = Contradiction("Push to main", "Never push to main", ("main", "push"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"Use {TOKEN} for this PR", "VM601"),
        (f"You can merge this PR with {TOKEN}", "VM601"),
        ("You can merge this PR for now", "VM602"),
        ("For this PR, use npm.", "VM603"),
        ("Always use uv.", None),
    ],
)
def test_the_first_guard_that_refuses_speaks(text: str, code: str | None) -> None:
    refusal = first_refusal(text)

    assert (refusal and refusal.code) == code


def test_the_order_of_the_guards() -> None:
    assert (refuse_secret, refuse_grant, refuse_task) == GUARDS


@pytest.mark.parametrize(
    ("scope", "refused"), [(scope, scope not in ("task", "session")) for scope in Scope]
)
def test_what_ends_by_itself_may_hold_for_a_task(scope: Scope, refused: bool) -> None:
    assert (first_refusal("For this PR, use npm.", scope=scope) is not None) is refused
    assert first_refusal("You can merge this PR", scope=scope) is not None


def test_a_refusal_never_shows_the_secret() -> None:
    refusal = refuse_secret(f"{TOKEN} and password: hunter2x9")

    assert refusal is not None
    assert TOKEN not in refusal.sentence + refusal.remedy
    assert "hunter2x9" not in refusal.sentence
    assert "github_token ghp_…" in refusal.sentence
    assert "assigned_secret [redacted]" in refusal.sentence


def test_many_secrets_are_counted() -> None:
    refusal = refuse_secret(" ".join("gh" + "p_" + fake(36, seed=n) for n in range(5)))

    assert refusal is not None
    assert "and 2 more" in refusal.sentence


@pytest.mark.parametrize(
    ("pinned", "overridden", "code"),
    [(False, False, "VM604"), (False, True, None), (True, False, "VM605"), (True, True, "VM605")],
    ids=["row_011", "row_012", "pinned", "row_013"],
)
def test_contradictions_ask_the_user(pinned: bool, overridden: bool, code: str | None) -> None:
    refusal = refuse_contradiction(FOUND, identifier="8T9S", pinned=pinned, overridden=overridden)

    assert (refusal and refusal.code) == code
    if refusal is not None:
        assert refusal.remedy.startswith("Ask the user")
        assert '"Push to main" contradicts "Never push to main" (8T9S)' in refusal.sentence


def test_long_clauses_are_shortened() -> None:
    long = FOUND._replace(new="Push " + "x" * 200)
    refusal = refuse_contradiction(long, identifier="8T9S", pinned=False)

    assert refusal is not None
    assert "x" * 100 not in refusal.sentence
    assert "…" in refusal.sentence


@pytest.mark.parametrize(
    "refusal",
    [refuse_secret(TOKEN), refuse_grant("go ahead"), refuse_task("for now use npm")],
)
def test_every_refusal_says_one_sentence_and_the_next_step(refusal: TextRefusal) -> None:
    assert refusal.code in CODES
    for part in (refusal.sentence, refusal.remedy):
        assert part.endswith(".")
        assert "\n" not in part


WITHOUT = "Say it without the secret: name where it is kept instead."


@pytest.mark.parametrize(
    ("guard", "text", "refusal"),
    [
        (
            refuse_secret,
            f"{TOKEN} and password: hunter2x9",
            TextRefusal(
                "VM601",
                f"The text holds a secret (github_token ghp_…{TOKEN[-4:]}, "
                "assigned_secret [redacted]), and secrets are never remembered.",
                WITHOUT,
            ),
        ),
        (
            refuse_grant,
            "You can merge this PR for now",
            TextRefusal(
                "VM602",
                '"You can merge this PR for now" gives permission for once, and a memory would '
                "give it for ever.",
                "Use the permission now; if it should always hold, ask the user to say so in "
                "those words.",
            ),
        ),
        (
            refuse_task,
            "For this PR, use npm.",
            TextRefusal(
                "VM603",
                "That is bounded to the work at hand, and a memory would outlive it.",
                "Follow it now, remember it with the scope `task`, or say the rule behind it.",
            ),
        ),
    ],
)
def test_each_guard_refuses_in_these_words(guard: Guard, text: str, refusal: TextRefusal) -> None:
    assert guard(text) == refusal
    assert refusal.text == f"{refusal.sentence} {refusal.remedy}"


@pytest.mark.parametrize(
    ("pinned", "refusal"),
    [
        (
            False,
            TextRefusal(
                "VM604",
                '"Push to main" contradicts "Never push to main" (8T9S).',
                "Ask the user which of the two holds; to replace the old one, add it again with "
                "`override_conflicts` (`--override-conflicts`).",
            ),
        ),
        (
            True,
            TextRefusal(
                "VM605",
                '"Push to main" contradicts "Never push to main" (8T9S), which is pinned.',
                "Ask the user: only they can edit or unpin it, in its note or with "
                "`vaultmem edit`.",
            ),
        ),
    ],
)
def test_a_contradiction_is_refused_in_these_words(pinned: bool, refusal: TextRefusal) -> None:
    assert refuse_contradiction(FOUND, identifier="8T9S", pinned=pinned) == refusal


@pytest.mark.parametrize(("count", "more"), [(3, ")"), (4, " and 1 more)"), (6, " and 3 more)")])
def test_three_secrets_are_named_and_the_others_counted(count: int, more: str) -> None:
    tokens = ["gh" + "p_" + fake(36, seed=n) for n in range(count)]
    named = ", ".join(f"github_token ghp_…{token[-4:]}" for token in tokens[:3])
    refusal = refuse_secret(" ".join(tokens))

    assert refusal is not None
    assert refusal.sentence.startswith(f"The text holds a secret ({named}{more}, and")


@pytest.mark.parametrize("guard", GUARDS)
def test_an_ordinary_rule_passes_each_guard(guard) -> None:
    assert guard("Always run the tests before pushing to main.") is None
