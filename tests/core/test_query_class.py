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
    "review it",
    "pull reqest from Dana",
    "draft MR is open",
    "the reviewer wants smaller functions",
    "look over my changes",
    "what is unrelated in the diff?",
    "he requested changes",
    "critique my code",
    "une revue du code",
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
    "comit and push",
    "commit to the main branch",
    "git bisect says it is this one",
    "stash my changes",
    "check out the branch",
    "create a branch for it",
    "fast-forward develop",
    "revert the last change",
    "amend it",
    "a hotfix for 1.8",
    "roll back production",
    "ship it",
    "sync my fork",
    "unstage that file",
    "what is the next version?",
    "veröffentliche das Package",
    "il faut déployer",
    "sign the tags",
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
    "I get an error message when I save",
    "it throws on an empty list",
    "the worker keeps restarting",
    "the process died",
    "it exits immediately",
    "it worked yesterday",
    "it used to work",
    "it works no longer",
    "I get NaN",
    "returns 404 now",
    "I get a 500",
    "permission denied",
    "command not found",
    "no such file or directory",
    "unable to resolve host",
    "it could not find the module",
    "it prints 0 instead of 5",
    "it shows nothing",
    "nothing happens",
    "what is going on?",
    "it does not compile",
    "a race condition in the cache",
    "a data race",
    "an infinite loop",
    "find the root cause",
    "track it down",
    "reproduce it locally",
    "strange behaviour at midnight",
    "what's wrong here?",
    "why is the list empty?",
    "I see timeouts",
    "fix the tests",
    "unhandled promise rejection",
    "troubleshoot the proxy",
    "es funktioniert nicht",
    "das schlägt fehl",
    "ça ne marche plus",
    "no funciona",
    "здесь ошибка",
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
    "commit to one style",
    "two-phase commit",
    "compiled in release mode",
    "fast forward the video",
    "an else branch",
    "shipping address",
    "check out the docs",
    "a flaming diff viewer",
    "call session.commit() once",
    "committee meeting notes",
    "publish the event on the bus",
    "a bump in the chart",
    "cherry trees",
    # debugging
    "make it error-free",
    "handle network failures gracefully",
    "handle the errors in the client",
    "an error message that people understand",
    "the exception hierarchy",
    "0 errors",
    "return 404 if it is not found",
    "it should throw on bad input",
    "set a timeout of 3 seconds",
    "500 rows of test data",
    "a line breaks here",
    "do not run the slow ones",
    "use the old name no longer",
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
    assert classify(prompt.upper()) is classify(prompt)


# The rows of the topic files' facts about the class, as ours are: 37 and 38 are gaps there.
TOPIC_ROWS = [
    (28, "Please review this PR", "pr_review"),
    (29, "gh pr create", "pr_review"),
    (30, "git commit and push", "git_release"),
    (31, "prepare the release", "git_release"),
    (32, "git push and tag release", "git_release"),
    (33, "fix this stack trace error", "debug"),
    (34, "the build failed", "debug"),
    (35, "add a button to the form", "general"),
    (35, "", "general"),
    (36, "the pull request has a bug", "pr_review"),
    (37, "review my PR", "pr_review"),
    (38, "errors in log", "debug"),
    (38, "it fails on CI", "debug"),
    (38, "debugging the parser", "debug"),
    (38, "deploying to prod", "git_release"),
    (38, "git status", "general"),
    (39, "update the CHANGELOG", "git_release"),
]


@pytest.mark.parametrize(("number", "prompt", "kind"), TOPIC_ROWS)
def test_topic_rows_28_to_39_of_the_query_class(number: int, prompt: str, kind: str) -> None:
    assert classify(prompt).value == kind, number


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
