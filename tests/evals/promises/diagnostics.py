"""A vault in order has no finding, one that is not has the right one, and nothing stops at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import showing
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("clean diagnostics")


def _found(stage: Stage, *options: str) -> list[str]:
    done = stage.person("doctor", "--diagnostics", *options, "--json")
    return [one["code"] for one in done.json["findings"]]


@case(broken_by=showing.CRIES_WOLF)
def a_fresh_vault_has_no_finding(stage: Stage) -> None:
    stage.found("anything")  # the index is built by whoever searches first
    equal("nothing is found", _found(stage), [])


@case(broken_by=showing.CRIES_WOLF, hard=True)
def a_vault_that_was_used_in_every_way_has_no_finding(stage: Stage) -> None:
    first = stage.says("Add files by name.")["id"]
    stage.says("Never push on Fridays.", "--pin")
    stage.session("s1", "Always run the linter before pushing.", "I prefer dark themes.")
    stage.tool("memory_add", text="The build takes an hour.", category="lesson")
    stage.pass_time(minutes=10)
    waits = stage.inbox()
    stage.person("inbox", "approve", waits[0]["id"])
    stage.person("inbox", "reject", waits[1]["id"])
    stage.person("edit", str(first), "--set", "stability", "stable")
    stage.person("undo")
    stage.pass_time(minutes=10)
    stage.here.sync()
    stage.found("linter")
    equal("nothing is found", _found(stage), [])


@case(broken_by=showing.DELETION_IS_AN_ERROR, hard=True)
def a_proper_deletion_of_either_kind_is_no_error(stage: Stage) -> None:
    kept = stage.says("Add files by name.")["id"]
    gone = stage.says("Rotate the keys on Monday.")["id"]
    equal("forgotten", stage.person("forget", kept, "--yes").code, 0)
    equal("purged", stage.person("forget", "--purge", gone, "--yes").code, 0)
    stage.here.sync()
    stage.found("files")
    equal("nothing is found", _found(stage), [])


@case(broken_by=showing.SEES_NO_TOMBSTONE_IN_FORCE, hard=True)
def what_was_deleted_and_acts_is_an_error(stage: Stage) -> None:
    from vaultmem.services.lookup import find_memory
    from vaultmem.services.tombstones import write_tombstone

    known = str(stage.says("Add files by name.")["id"])
    call = stage.here.call()
    write_tombstone(call, find_memory(call, known).decoded.memory, by="person")
    done = stage.person("doctor", "--diagnostics", "--json").json
    holds("it is found", [one["code"] for one in done["findings"]], "VM751")
    equal("and not in order", done["ok"], False)


@case(broken_by=showing.BROKEN_NOTES_VANISH, hard=True)
def a_broken_note_is_told_and_stops_nothing(stage: Stage) -> None:
    stage.writes("Lessons", "Add files by name.", category="lesson")
    path = "Memory/Lessons/Add files by name.md"
    stage.world.write("Memory/Lessons/Broken.md", "---\nid: [\n---\nNever.\n")
    stage.world.replace(path, "type: memory", "type: memory\nbroken: [")
    stage.pass_time(minutes=5)
    done = stage.person("doctor", "--json").json
    told = {one["path"] for one in done["findings"] if one["severity"] == "error"}
    equal("both are told", told, {path, "Memory/Lessons/Broken.md"})
    true("with what to do", all(one["remedy"] for one in done["findings"]))
    holds("the last good version is told", stage.told(), "Add files by name.")
    lacks("and nothing else", stage.told(), "Never.")
