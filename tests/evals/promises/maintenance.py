"""Maintenance proposes what is due, once, and changes nothing by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.evals.broken import governing
from tests.evals.case import category, equal, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("maintenance")


def _overdue(stage: Stage, statement: str, *, days: int = 1, **properties: object) -> str:
    """A memory of today whose review was missed by some days."""
    now = stage.here.call().local
    usual: dict[str, object] = {
        "category": "lesson",
        "confidence": 0.9,
        "created": now.isoformat(),
        "reinforced": now.isoformat(),
        "evidence_count": 2,
        "review": str(now.date() - timedelta(days=days)),
    }
    folder = str(properties.pop("folder", "Lessons"))
    return stage.writes(folder, statement, **(usual | properties))


def _run(stage: Stage) -> dict:
    return stage.told_by("maintain", "run")


@case(broken_by=governing.APPLIES_MAINTENANCE)
def a_missed_review_is_proposed_and_only_the_person_applies_it(stage: Stage) -> None:
    known = _overdue(stage, "Add files by name.")
    done = _run(stage)
    equal("it is proposed", [one["op"] for one in done["planned"]], ["decay"])
    stage.session("s1")
    equal("nothing changed", stage.property(known, "confidence"), 0.9)
    equal("applied", stage.person("patch", "apply", done["patch"], "--yes").code, 0)
    equal("now it did", stage.property(known, "confidence"), 0.75)


@case(broken_by=governing.PROPOSES_AGAIN, hard=True)
def a_second_run_proposes_nothing_whatever_became_of_the_first(stage: Stage) -> None:
    known = _overdue(stage, "Add files by name.")
    done = _run(stage)
    equal("not the same day", _run(stage)["planned"], [])
    equal("rejected", stage.person("patch", "reject", done["patch"]).code, 0)
    equal("nor after a rejection", _run(stage)["planned"], [])
    stage.pass_time(days=20)
    equal("nor in its period", _run(stage)["planned"], [])
    equal("and it is what it was", stage.property(known, "confidence"), 0.9)


@case(broken_by=governing.TODAY_IS_LATE)
def on_the_day_of_its_review_there_is_still_time(stage: Stage) -> None:
    _overdue(stage, "Add files by name.", days=0)
    equal("nothing is proposed", _run(stage)["planned"], [])


@case(broken_by=governing.ARCHIVES_ALL, hard=True)
def what_acts_is_never_proposed_for_the_archive(stage: Stage) -> None:
    old = {"created": "2020-01-01T10:00:00", "reinforced": "2020-01-01T10:00:00"}
    cold = _overdue(stage, "Old ways of the harbour.", **old)
    pinned = _overdue(stage, "Ask before a push.", **old, pinned="true")
    guards = _overdue(
        stage, "Never stage all.", **old, trigger="bash_contains git add .", action="block"
    )
    me = _overdue(stage, "My name is Ada.", **old, layer="L1", folder="Identity")
    archived = [one["target"] for one in _run(stage)["planned"] if one["archive"]]
    true("what nobody needs is", cold in archived)
    lacks("what acts is not", archived, pinned, guards, me)


@case(broken_by=governing.SELECTS_ALL, hard=True)
def identity_is_never_ticked(stage: Stage) -> None:
    known = _overdue(stage, "My name is Ada.", layer="L1", folder="Identity")
    stage.pass_time(minutes=5)
    stage.person("ratify", known)
    done = _run(stage)
    ticked = [one["target"] for one in done["planned"] if one["selected"]]
    true("it is proposed", known in [one["target"] for one in done["planned"]])
    lacks("not ticked", ticked, known)
