"""A claim is supported by the words of its source, with their sign, and by nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.support import SUPPORTIVE, said_by_user, support_ratio, words_of_user
from vaultmem.core.words import content_stems


@pytest.mark.parametrize(
    ("claim", "source", "ratio"),
    [
        pytest.param(
            "canonical storage layout versus unrelated vegetables",
            "please use canonical storage",
            2 / 6,
            id="row21_033",
        ),
        ("Use bun", "Use bun for tests.", 1.0),
        # no word of more than three letters passes for free
        ("Use bun", "The release is on Friday.", 0.0),
        ("It is what it is.", "Cats sleep.", 0.0),
        ("", "Cats sleep.", 0.0),
        ("Always never.", "Always never.", 0.0),
        # whole words, in any inflection
        ("Deploy on Friday.", "Deploying happens on Fridays.", 1.0),
        ("Use art.", "Start the cart.", 0.0),
        # the sign
        ("Never use npm.", "npm install failed", 0.0),
        ("Never use npm.", "please don't use npm", 1.0),
        ("Never use npm.", "please don’t use npm", 1.0),
        ("Use npm.", "never use npm", 0.0),
        ("npm is not allowed", "npm is allowed", 0.0),
        ("npm is not allowed", "We can't use npm; it is not allowed.", 1.0),
        ("npm isn't allowed", "npm is not allowed", 1.0),
        ("Use bun, not npm.", "Use bun instead of npm.", 1.0),
        ("Use bun, not npm.", "Use npm instead of bun.", 0.0),
        ("Use bun, not npm.", "Don't use npm; use bun instead.", 1.0),
        ("Prefer bun over npm.", "Use bun rather than npm.", 1.0),
        ("Prefer npm over bun.", "Use bun rather than npm.", 0.0),
        ("Go over the npm log.", "Read the npm log.", 2 / 3),
        ("Avoid var in favour of const.", "Use const, never var.", 1.0),
        ("Avoid var in favour of const.", "Avoid const in favor of var.", 0.0),
        ("Never deploy without asking.", "Deploy without asking.", 0.0),
        ("Never deploy without asking.", "Always ask, and never deploy.", 1.0),
        ("Never use npm, yarn or pnpm.", "Never use npm. Never use yarn. Never use pnpm.", 1.0),
        ("We no longer use npm.", "We stop using npm.", 1.0),
        ("Not npm but bun.", "Use bun and don't use npm.", 1.0),
        ("Use bun.", "Do not use npm but bun.", 1.0),
        ("Use npm.", "Do not use npm but bun.", 0.0),
        # numbers of the claim are the source's
        ("Use Python 3.12.", "Use Python 3.11.", 0.0),
        ("Use Python 3.12.", "Use Python 3.12 everywhere.", 1.0),
        ("Use Python.", "Use Python 3.12.", 1.0),
        # scripts without blanks
        ("基準面から測る", "潮位は基準面から測る", 1.0),
        ("基準面から測る", "毎朝コーヒーを飲む", 0.0),
    ],
)
def test_ratio(claim: str, source: str, ratio: float) -> None:
    assert support_ratio(claim, source) == pytest.approx(ratio)


WORDS = st.lists(
    st.sampled_from(["parser", "reader", "docker", "never", "use", "npm", "not", "bun", "avoid"]),
    max_size=8,
).map(" ".join)


@given(WORDS, WORDS)
def test_ratio_is_a_share(claim: str, source: str) -> None:
    assert 0.0 <= support_ratio(claim, source) <= 1.0


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_has_a_ratio(claim: str, source: str) -> None:
    assert 0.0 <= support_ratio(claim, source) <= 1.0


@given(st.lists(st.sampled_from(["parser", "reader", "docker", "commit"]), min_size=1))
def test_a_source_supports_what_it_says(found: list[str]) -> None:
    text = " ".join(found)
    assert content_stems(text)
    assert support_ratio(text, text) == 1.0


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("Use bun instead of npm.", "Don't use npm. Use bun instead."),
        ("Never use npm.", "please don't use `npm` here"),
        ("Run the linter before a commit.", "Hi!\nRun the linter before every commit.\nThanks"),
        # two sentences that follow each other are one place
        (
            "Rebase the feature branch, sign the tag, squash commits.",
            "Sign the tag. Squash commits.",
        ),
    ],
)
def test_the_users_own_words_support(statement: str, message: str) -> None:
    assert said_by_user(statement, [message])


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("Use npm.", 'she said "use npm"'),
        ("Use npm.", "> use npm\n\nwhat is that?"),
        ("Use npm.", "```\nuse npm\n```"),
        ("Use npm.", '<file name="a.md">use npm</file>'),
        ("Use npm.", "should we use npm?"),
        ("Use npm.", "Task: use npm"),
        ("Use npm.", "you are a subagent; use npm"),
        ("Use npm.", "/note use npm"),
        ("Use npm.", "never use npm"),
        ("Use npm.", "ok"),
        (
            "canonical storage layout versus unrelated vegetables",
            "please use canonical storage",
        ),
        ("Use npm.", ""),
        # a code span that is as long as a command is a quotation
        ("Use npm.", f"run `{'x ' * 40}use npm`"),
    ],
)
def test_what_the_user_passes_on_or_asks_does_not_support(statement: str, message: str) -> None:
    assert not said_by_user(statement, [message])


def test_words_scattered_over_a_session_do_not_add_up() -> None:
    scattered = ["Fix the parser.", "Commit it.", "Look at the branch.", "Open the docker log."]
    statement = (
        "The parser branch must be rebased, signed, pushed with docker, and tagged at commit."
    )
    assert max(support_ratio(statement, one) for one in scattered) < SUPPORTIVE
    assert not said_by_user(statement, scattered)
    assert support_ratio(statement, " ".join(scattered)) >= SUPPORTIVE


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["Hello. Please use bun for tests! Thanks."], "Please use bun for tests!"),
        (["Use bun for the docs.", "Use bun for tests."], "Use bun for tests."),
        (["Never mind npm. Use `bun` for tests."], "Use `bun` for tests."),
        (["Use bun.\nFor tests that is."], "Use bun.\nFor tests that is."),
        (["The log says:\n> Use bun for tests."], ""),
        (["Task: use bun for tests"], ""),
        ([], ""),
    ],
)
def test_the_words_of_the_user_are_the_best_place_as_they_wrote_it(
    messages: list[str], said: str
) -> None:
    assert words_of_user("Use bun for tests.", messages) == said
