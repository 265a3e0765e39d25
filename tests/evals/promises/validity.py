"""A memory is told while it holds, and what is over says from when to when it held."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.evals.broken import showing
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("temporal validity")


def _day(stage: Stage, days: int) -> str:
    return str(stage.here.call().local.date() + timedelta(days=days))


@case(broken_by=showing.TIME_STANDS_STILL)
def what_is_over_or_not_yet_valid_is_not_told(stage: Stage) -> None:
    stage.writes("Lessons", "The old port is 5432.", valid_to=_day(stage, -1))
    stage.writes("Lessons", "The next port is 7432.", valid_from=_day(stage, 3))
    stage.writes("Lessons", "The port is 6432.", valid_to=_day(stage, 0))
    told = stage.told("which port?")
    holds("what holds today is told", told, "6432")
    lacks("the rest is not", told, "5432", "7432")
    stage.pass_time(days=4)
    told = stage.told("which port?", session="later")
    holds("its time comes", told, "7432")
    lacks("and goes", told, "6432")


@case(broken_by=showing.TIME_STANDS_STILL, hard=True)
def what_was_said_for_a_session_ends_with_it(stage: Stage) -> None:
    stage.session("s1")
    done = stage.says("Use the staging database.", "--scope", "session")
    equal("it is kept", done["outcome"], "added")
    holds("it is told", stage.told("which database?"), "staging database")
    stage.pass_time(hours=25)
    lacks("the next day it is not", stage.told("which database?", session="s2"), "staging")


@case(broken_by=showing.TIME_STANDS_STILL, hard=True)
def what_was_said_for_a_task_ends_after_two_weeks(stage: Stage) -> None:
    stage.says("Keep the branch of the migration.", "--scope", "task", "--project", "shop")
    shop = stage.project("shop")
    holds("it is told", stage.told("which branch?", cwd=shop), "branch of the migration")
    stage.pass_time(days=15)
    told = stage.told("which branch of the migration?", session="s2", cwd=shop)
    lacks("it is over", told, "Keep the branch")


@case(broken_by=showing.HELD_FOREVER, hard=True)
def what_was_superseded_held_until_its_successor_was_made(stage: Stage) -> None:
    old = str(stage.says("Never publish on Fridays.")["id"])
    new = str(stage.says("Publish on Fridays.", "--override-conflicts")["id"])
    told = stage.told_by("export", "timeline")
    (span,) = [one for one in told["validity"] if one["memory_id"] == old]
    true("it ended", span["valid_to"])
    equal("by its successor", span["invalidated_by"], new)


@case(broken_by=showing.HELD_FOREVER)
def what_was_deleted_held_until_then(stage: Stage) -> None:
    known = str(stage.says("Rotate the keys on Monday.")["id"])
    stage.person("forget", known, "--yes")
    told = stage.told_by("export", "timeline")
    (span,) = [one for one in told["validity"] if one["memory_id"] == known]
    true("it ended", span["valid_to"])


@case(broken_by=showing.TIME_STANDS_STILL, hard=True)
def what_is_over_neither_contradicts_nor_blocks(stage: Stage) -> None:
    old = stage.writes(
        "Lessons",
        "Never publish on Fridays.",
        category="lesson",
        trigger="bash_contains npm publish",
        action="block",
        valid_to=_day(stage, 1),
    )
    stage.pass_time(minutes=5)
    equal("it is ratified", stage.person("ratify", old).code, 0)
    true("it blocks", stage.stops("bash", command="npm publish"))
    stage.pass_time(days=3)
    equal("it does not", stage.stops("bash", command="npm publish"), "")
    equal("nor contradict", stage.says("Always publish on Fridays.")["outcome"], "added")
