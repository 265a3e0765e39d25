"""The class of a prompt: a labelled table, with every inflection and the traps beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.model import Category
from vaultmem.core.query_class import BOOSTED, READ_AT_MOST, QueryClass, classify

PR_REVIEW = (
    "Please review this PR",
    "gh pr create",
    "review my PR",
    "PR review for the parser",
    "can you do a code review of src/app.py",
    "I am reviewing the pull request",
    "open a pull request",
    "open two PRs, one per package",
    "look at the pull requests of last week",
    "the merge request is ready",
    "pr #42 has conflicts",
    "review the diff before I commit",
    "review the changes on my branch",
    "address the review comments",
    "answer the reviewer's feedback",
    "Code Reviews should be short",
    # The first class wins.
    "the pull request has a bug",
    "the PR for the release fails",
    # A question in another language still names it.
    "bitte den PR ansehen",
)

GIT_RELEASE = (
    "git commit and push",
    "prepare the release",
    "git push and tag release",
    "update the CHANGELOG",
    "commit this",
    "commits should be small",
    "I committed the wrong file",
    "before committing, run the linter",
    "write a commit message",
    "rebase onto main",
    "rebasing went well",
    "I rebased the branch",
    "releases are cut on Mondays",
    "we released yesterday",
    "releasing version 2",
    "it deploys to staging",
    "deploying to prod",
    "deployed on Friday",
    "the deployment needs a secret",
    "redeploy the worker",
    "push to origin",
    "push it",
    "force push the branch",
    "pushing to main",
    "tag v1.2.0",
    "tag the release",
    "push the tags",
    "bump the version",
    "bump to 1.4.0",
    "publish the package to npm",
    "merge main into the feature branch",
    "resolve the merge conflicts",
    "merging the branches",
    "cherry-pick that one",
    "squash the last two commits",
    "semver says this is a minor",
    "git log of the release branch",
    # The first class wins.
    "the release build crashes",
    "git push fails with an error",
)

DEBUG = (
    "fix this stack trace error",
    "the build failed",
    "errors in log",
    "it fails on CI",
    "debugging the parser",
    "why is the test failing?",
    "there was a failure in the queue",
    "a traceback appears",
    "look at these tracebacks",
    "stacktraces from yesterday",
    "the worker crashes at start",
    "it crashed again",
    "it keeps crashing",
    "segfault in the parser",
    "it segfaults",
    "segmentation fault when closing",
    "the kernel panics",
    "panicked at src/main.rs:3",
    "found a bug",
    "bugs everywhere",
    "debug this",
    "an exception is raised",
    "exceptions in the log",
    "raise KeyError: 'id'",
    "java.lang.NullPointerException at Main",
    "the request hangs",
    "the threads deadlock",
    "it leaks memory",
    "that test is flaky",
    "the page is broken",
    "it doesn't work any more",
    "it doesn’t work",
    "login isn't working",
    "search is not working",
    "the server won't start",
    "the request times out",
    "stack overflow in the recursion",
    "this is a regression since Monday",
)

GENERAL = (
    "add a button to the form",
    "",
    "   \n",
    "git status",
    "explain the architecture",
    # review
    "review",
    "review my essay about trees",
    "a preview of the page",
    "prepare the slides",
    "approximate the price",
    # git and releases
    "release the lock",
    "release all held locks before returning",
    "releasing the mutex is wrong",
    "implement a merge sort",
    "merge two lists in order",
    "merge the dictionaries",
    "a tag cloud for the blog",
    "strip HTML tags from the text",
    "send a push notification",
    "push the value onto the stack",
    "commit the transaction",
    "call session.commit() once",
    "committee meeting notes",
    "publish the event on the bus",
    "a bump in the chart",
    "cherry trees",
    # debugging
    "make it error-free",
    "add error handling to the client",
    "it runs without errors",
    "a full-stack application",
    "the stack of plates",
    "fail fast on bad input",
    "with the exception of Mondays",
    "an exceptional result",
    "plot a linear regression",
    "add a regression test",
    "hang on a second",
    "the mirror and the terror",
    "do not work on this file",
    "ladybugs are insects",
    "three times faster",
    "a span of time",
)

TABLE = [
    (prompt, wanted)
    for wanted, prompts in (
        (QueryClass.PR_REVIEW, PR_REVIEW),
        (QueryClass.GIT_RELEASE, GIT_RELEASE),
        (QueryClass.DEBUG, DEBUG),
        (QueryClass.GENERAL, GENERAL),
    )
    for prompt in prompts
]


@pytest.mark.parametrize(("prompt", "expected"), TABLE)
def test_the_class_of_a_prompt(prompt: str, expected: QueryClass) -> None:
    assert classify(prompt) is expected


@pytest.mark.parametrize("prompt", [prompt for prompt, _ in TABLE if prompt.isascii()])
def test_case_does_not_matter(prompt: str) -> None:
    # Names of exceptions are written in one way only.
    if "Error" not in prompt and "Exception" not in prompt:
        assert classify(prompt.upper()) is classify(prompt)


def test_only_the_beginning_of_a_long_prompt_is_read() -> None:
    assert classify("x " * READ_AT_MOST + "crash") is QueryClass.GENERAL
    assert classify("crash" + " x" * READ_AT_MOST) is QueryClass.DEBUG


@given(st.text(max_size=200))
def test_any_text_has_a_class(prompt: str) -> None:
    assert classify(prompt) in QueryClass


def test_boosts_name_categories_once_and_general_has_none() -> None:
    assert set(BOOSTED) == set(QueryClass)
    assert BOOSTED[QueryClass.GENERAL] == ()
    for names in BOOSTED.values():
        assert set(names) <= set(Category)
        assert len(set(names)) == len(names)
