"""What older tools kept comes over whole, loses nothing, and gains no trust on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import keeping
from tests.evals.case import category, equal, holds, lacks, true
from tests.store.importers import governed, topic_files

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("legacy compatibility")


def _bring(stage: Stage, kind: str, place: object, *more: str) -> dict:
    return stage.told_by("migrate", kind, str(place), "--yes", *more)


@case(broken_by=keeping.ALL_IS_BROUGHT_ANEW)
def an_import_comes_once_and_a_second_one_brings_nothing(stage: Stage) -> None:
    root = governed.lived_in(stage.world.folder / "pi-memory")
    first = _bring(stage, "pi-memory", root)
    true("memories came", first["memories"] >= 5)
    standing = stage.standing()
    again = _bring(stage, "pi-memory", root)
    equal("nothing is new", (again["memories"], again["patch"]), (0, None))
    equal("nothing was strengthened", stage.standing(), standing)


@case(broken_by=keeping.ALL_IS_IMPORTED_ACTIVE, hard=True)
def identity_and_doubt_come_over_as_what_they_are_and_act_by_themselves_never(stage: Stage) -> None:
    root = governed.lived_in(stage.world.folder / "pi-memory")
    stage.person("migrate", "pi-memory", str(root), "--yes")
    report = stage.report()
    lacks("identity waits for the person", report, "## Identity")
    doubt = [one for one in stage.standing() if one.statement == governed.DOUBTED]
    equal("a doubt stays one", [one.status for one in doubt], ["contested"])
    lacks("what was deleted stays so", report, governed.FORGOTTEN)
    lacks("what was superseded too", report, governed.OLD_PORT)
    holds("what replaced it is told", report, governed.NEW_PORT)


@case(broken_by=keeping.BELIEVES_OLD_STORES, hard=True)
def a_candidate_without_evidence_is_applied_in_compatibility_only(stage: Stage) -> None:
    stage.allow(governance_mode="strict")
    root = governed.empty(stage.world.folder / "pi-memory")
    waits = governed.candidate("cap_20260301100000_ab12", governed.WAITING, confidence=0.95)
    waits["evidence_refs"] = ["daily/2026-03-01.md", "daily/2026-03-02.md"]
    governed.write_lines(root, "inbox/captured.jsonl", waits)
    _bring(stage, "pi-memory", root)
    equal("it waits", stage.waits(), [governed.WAITING])
    stage.session("s1")
    equal("and is not applied", stage.statements(), [])


@case(broken_by=keeping.DROPS_BAD_RECORDS, hard=True)
def a_broken_record_is_told_and_takes_nothing_else_down(stage: Stage) -> None:
    root = governed.lived_in(stage.world.folder / "pi-memory")
    before = {place: place.read_bytes() for place in root.rglob("*") if place.is_file()}
    told = _bring(stage, "pi-memory", root)
    reasons = str(told["quarantined"])
    equal("each is told", len(told["quarantined"]), 3)
    holds("with its place", reasons, "L2.playbooks.jsonl")
    true("the rest came", governed.UV in stage.statements())
    after = {place: place.read_bytes() for place in root.rglob("*") if place.is_file()}
    true("the source is untouched", before == after)


@case(broken_by=keeping.READS_OTHER_KEYS)
def topic_files_come_with_pins_dates_and_counts(stage: Stage) -> None:
    root = stage.world.folder / "shop" / ".pi" / "memory"
    text = "Always use uv run"
    topic_files.topic(root, "preferences", f"- [preference] {text} *(pinned)*", "", "- broken line")
    topic_files.topic(root, "lessons", "- [lesson] Add files by name")
    scores = topic_files.snapshot(
        **{topic_files.of("lesson", "Add files by name"): topic_files.score("lesson")}
    )
    topic_files.write(root, "memory-scores.jsonl", scores + "\n")
    told = _bring(stage, "pi-config", root)
    equal("both came", told["memories"], 2)
    lesson = next(one for one in stage.standing() if one.statement == "Add files by name")
    equal("with its count", lesson.evidence_count, 3)
    pinned = next(one for one in stage.standing() if one.statement == text)
    true("the pin came", pinned.pinned)
