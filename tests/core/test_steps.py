"""Which statements tell a procedure, what its steps are, and what its skill is called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.steps import MAX_SLUG, slug, steps_of, title_of_procedure


@pytest.mark.parametrize(
    ("statement", "steps"),
    [
        ("Deploy workflow: build → test → tag → push", ("Build", "Test", "Tag", "Push")),
        ("Run `make build` -> `make test` -> tag", ("Run `make build`", "`make test`", "Tag")),
        ("Lint => test", ("Lint", "Test")),
        (
            "Build the image, then push it, and then restart the service.",
            ("Build the image", "Push it", "Restart the service"),
        ),
        (
            "First run the tests, after that tag the release and finally publish it.",
            ("Run the tests", "Tag the release", "Publish it"),
        ),
        ("Step 1: build. Step 2: test.", ("Build", "Test")),
        ("Release: 1. bump 2. tag 3) push", ("Bump", "Tag", "Push")),
        (
            "Migrations follow expand and contract: add, backfill, switch the readers, drop it.",
            ("Add", "Backfill", "Switch the readers", "Drop it"),
        ),
        (
            "The release process: bump the version; tag it; push, and write the notes.",
            ("Bump the version", "Tag it", "Push", "Write the notes"),
        ),
    ],
)
def test_a_procedure_is_told_in_steps(statement, steps):
    assert steps_of(statement) == steps


@pytest.mark.parametrize(
    "statement",
    [
        "Use UTC.",
        "",
        " → ",
        "The pipeline refuses a tag that is not signed",
        "If it fails then retry.",  # an answer to a condition
        "When the build is red, then look at the log.",
        "A function `a -> b` maps keys.",  # code parts nothing
        "Use Node 18. Avoid Node 20. It crashes",  # numbers that end sentences
        "Workflow: build, test",  # two items are no list
        "Colours: red, green, blue",
    ],
)
def test_what_is_no_procedure_has_no_steps(statement):
    assert steps_of(statement) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Deploy workflow", "deploy-workflow"),
        ("Größe & Maß prüfen!", "groe-ma-prufen"),
        # No word that folders can be called by: the category and the id make the name.
        ("潮位", ""),
        ("潮位 3 x", ""),
        ("", ""),
        ("word " * 20, "word-word-word-word-word-word-word-word"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_skill_has_a_name_that_folders_can_have(text, name):
    assert slug(text) == name


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        ("Deploy workflow: build → test", "Deploy workflow"),
        ("Step 1: build. Step 2: test.", "Build"),
        ("Build it, then push it.", "Build it"),
        ("Use UTC.", "Use UTC."),
    ],
)
def test_a_procedure_is_called_by_what_stands_before_its_steps(statement, title):
    assert title_of_procedure(statement) == title


@given(st.text(max_size=200))
def test_any_text_has_a_name_and_steps_or_none(text):
    name = slug(text)
    assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*)?", name)
    assert len(name) <= MAX_SLUG
    assert len(steps_of(text)) != 1
