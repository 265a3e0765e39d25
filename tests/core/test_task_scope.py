"""Instructions that end with their task are told from standing rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.task_scope import task_scope

DELIVERABLE = "a deliverable of this task"
VERSION = "a step of one version's migration"
BOUNDED = "bounded to the work at hand"
CHANGED = "a note about a changed value"

TASKS = [
    (DELIVERABLE, "When you're done, give me a summary."), (DELIVERABLE, "once finished, write a report in docs/"),
    (DELIVERABLE, "After you finish, send me a table of the results."), (DELIVERABLE, "At the end I need a CSV."),
    (DELIVERABLE, "I want a diagram when it is done."), (DELIVERABLE, "When everything is done, produce a PDF with charts"),
    (DELIVERABLE, "when the refactoring is finished please create a checklist"),
    (VERSION, "When upgrading to Django 5.0, remove the old middleware."), (VERSION, "after migrating to v2.1.0 delete the shim"),
    (VERSION, "Before releasing 1.4.0, drop the vendor dir."), (VERSION, "For the 2.0 release, keep the old endpoint."),
    (VERSION, "While we upgrade from 3.11 to 3.12, pin numpy."), (VERSION, "as part of bumping ruff to 0.9.1 fix the warnings"),
    (BOUNDED, "Use tables for this report."), (BOUNDED, "In this PR, squash everything."), (BOUNDED, "Always use uv for this task."),
    (BOUNDED, "until Friday use the staging key"), (BOUNDED, "For now, use npm."), (BOUNDED, "Skip the docs for the current ticket."),
    (BOUNDED, "Use the old API until further notice."), (BOUNDED, "Temporarily disable the linter."),
    (BOUNDED, "don't touch auth on this branch"), (BOUNDED, "Till tomorrow, log everything."),
    (BOUNDED, "No new dependencies during this sprint."), (BOUNDED, "use the mock server for the moment"),
    (BOUNDED, "this time, keep the commits"), (BOUNDED, "Never squash for this PR."), (BOUNDED, "Run it on staging until 2026-12-01."),
    (CHANGED, "poll every 30min (changed from 1h)"), (CHANGED, "timeout 60s (was 30s)"), (CHANGED, "Retry 5 times (up from 3)."),
    (CHANGED, "The cache TTL was raised from 5 min to 10 min."), (CHANGED, "reduced the pool from 20 workers to 8"),
    (CHANGED, "Coverage gate 90% (previously 85%)"),
]  # fmt: skip
OCCASIONS = [
    "For the demo, use port 8080", "for the demo use port 8080", "Don't use npm for the demo.", "use port 8080 for my talk",
    "For the presentation please use big fonts", "for the screenshot, hide the toolbar", "Use SQLite only for the hackathon!",
    "During the recording don't send notifications", "for tomorrow's demo use fake data", "For the demo tomorrow, use fake data.",
    "For the demo on Friday use port 8080", "For the customer demo: use port 8080", "Use the stub for the demo this week.",
    "Use port 8080 for the demo - the other one is taken", "For the duration of the workshop, use port 8080",
    "For this test, use port 8080", "Always use the mock for this test.", "for this one test run use sqlite",
    "in this screencast, type slowly", "For this demo use the light theme",
    "For the rest of the day, use npm", "use npm for the rest of this session", "For the next hour, don't deploy.",
    "For the next few days use the old key", "Don't use npm, just this once", "Never squash just this once.",
    "only this time use npm, please", "Use npm this one time", "Use npm today only", "Only today: use npm",
    "use npm just for today, please",
]  # fmt: skip
LASTING_PLACES = [
    "For the demo folder, always run the linter before a commit", "For this demo folder, use npm.", "For the demo app, use port 8080",
    "In the demo, never use live data.", "For the demo, always use port 8080", "For demos, use port 8080",
    "For the presentation layer, use React", "For the screenshot tests, use Playwright", "For the demo use case, write a test.",
    "For the weekly meeting, prepare a summary", "For the meeting notes, use Markdown", "In this test suite, use fixtures.",
    "For this test server use port 8080", "For each demo use a fresh database", "Write the date of the demo into the title.",
    "Keep logs for the next 30 days.", "Run the migration one time only", "Show today's date only.", "Only today's log is kept.",
    "For the rest of the code base, use tabs.",
]  # fmt: skip
RULES = [
    "When done, commit and push everything", "When a task is done, run the linter.",
    "Whenever you finish a task, write a summary.", "When done, always write a short summary.",
    "Don't merge until CI passes.", "In this repo use uv.", "For each PR, write a summary.",
    "When bumping versions, update the CHANGELOG.", "Always run the tests when upgrading to 3.12.",
    "Use Python 3.12.", "When running on Python 3.11, use tomllib.", "Upgraded Postgres from 14 to 16.",
    "We changed from npm to pnpm.", "In this commit hook we run ruff.", "Never write 'for this PR' in a commit message.",
    "The deploy runs every 30min.", "Poll every 30 s.", "Use `for now` comments sparingly.",
    "Write reports as HTML.", "I want short answers.", "Before releasing, tag the commit.",
    "The release process is described in RELEASING.md.", "This project uses Bun.", "Never publish on Friday.",
    "Deploy before Friday afternoon only if the tests pass.".replace("before", "earlier than"),
    "Keep functions short.", "Summaries go to docs/.", "", "Use feature flags for risky changes.",
    "Make the report readable.", "(see issue 42)", "Today's date is in the header.", "The timeout is 30 s, not 60 s.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "family"),
    [
        pytest.param("when done, I want an html report", DELIVERABLE, id="row_004"),
        pytest.param("when bumping to 1.4.0, drop the vendor dir", VERSION, id="row_005"),
        pytest.param(
            "Use the old colours for this report and drop the logo.", BOUNDED, id="row_006"
        ),
        pytest.param("every 30min (changed from 1h)", CHANGED, id="row_007"),
        pytest.param("When done, commit and push everything", None, id="row_008"),
    ],
)
def test_rows_of_the_specification(text: str, family: str | None) -> None:
    assert task_scope(text) == family


@pytest.mark.parametrize(("family", "text"), TASKS)
def test_a_bounded_instruction_is_named(family: str, text: str) -> None:
    assert task_scope(text) == family


@pytest.mark.parametrize("text", OCCASIONS)
def test_what_is_said_for_an_occasion_or_for_once_ends_with_it(text: str) -> None:
    assert task_scope(text) == BOUNDED


@pytest.mark.parametrize("text", LASTING_PLACES)
def test_a_thing_that_is_named_after_an_occasion_outlives_it(text: str) -> None:
    assert task_scope(text) is None


@pytest.mark.parametrize("text", RULES)
def test_a_standing_rule_passes(text: str) -> None:
    assert task_scope(text) is None


def test_one_bounded_sentence_binds_the_text() -> None:
    assert task_scope("Use uv. For this PR, skip the docs.") == BOUNDED


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert task_scope("x " * 20_000 + "\nfor now use npm") is None


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert task_scope(text) in {None, DELIVERABLE, VERSION, BOUNDED, CHANGED}
