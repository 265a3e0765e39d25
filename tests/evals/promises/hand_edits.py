"""The person edits the same files, and wins: at once, without loss, and never by a mishap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, keeping
from tests.evals.case import category, equal, holds, lacks, true

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("hand edits")

SAYS = "Add files by name."
NOTE = "Memory/Lessons/Add files by name.md"


@case(broken_by=keeping.SEES_NO_EDITS)
def an_edit_is_in_force_at_the_next_prompt(stage: Stage) -> None:
    stage.writes("Lessons", SAYS, category="lesson")
    holds("the first words", stage.told("files"), SAYS)
    stage.world.replace(NOTE, SAYS, "Add every file by its path.")
    holds("the new ones", stage.told("files"), "by its path")
    lacks("and not the old ones", stage.told("files"), SAYS)


@case(broken_by=keeping.BROKEN_IS_GONE, hard=True)
def a_note_that_breaks_keeps_its_last_good_version(stage: Stage) -> None:
    stage.writes("Lessons", SAYS, category="lesson")
    for harm in ("id: [\n", "<<<<<<< HEAD\n"):
        text = stage.world.read(NOTE)
        stage.world.write(NOTE, text.replace("---\n", f"---\n{harm}", 1))
        holds("it stands", stage.told("files"), SAYS)
        stage.world.write(NOTE, text)
    stage.world.write(NOTE, text.replace(SAYS, ""))
    holds("also without its statement", stage.told("files"), SAYS)


@case(broken_by=keeping.REWRITES_NOTES, hard=True)
def a_property_is_set_and_no_other_byte_of_the_note_moves(stage: Stage) -> None:
    known = stage.world.new_id()
    odd = (
        f"---\r\nid: {known}\r\ntype:   memory\r\n# mine\r\nRating:\t3\r\nno: 'yes'\r\n"
        "category: lesson\r\nconfidence: 0.8\r\n---\r\nAdd files by name.\r\n\r\nMy *own*  words.\r\n"
    ).encode()
    stage.world.write(NOTE, odd)
    stage.here.sync()
    stage.pass_time(minutes=5)
    before = stage.world.path(NOTE).read_bytes()
    true("it is in force", SAYS in stage.statements())
    equal("set", stage.person("edit", known, "--set", "confidence", "0.9").code, 0)
    after = stage.world.path(NOTE).read_bytes()
    kept = [one for one in before.splitlines(keepends=True) if b"confidence" not in one]
    mine = [
        one
        for one in after.splitlines(keepends=True)
        if b"confidence" not in one and not one.startswith(b"updated")
    ]
    equal("every other line is as it was", mine, kept)


@case(broken_by=keeping.ANY_LOSS_IS_A_WISH, hard=True)
def many_notes_that_vanish_at_once_ask_first(stage: Stage) -> None:
    for number in range(4):
        stage.writes("Lessons", f"Lesson number {number} of the harbour.", category="lesson")
    place = stage.world.path("Memory/Lessons")
    place.rename(stage.world.folder / "not yet synced")
    done = stage.person("sync")
    true("it stops and asks", done.code != 0 or "accept-deletions" in done.out + done.err)
    stage.pass_time(days=9)
    stage.person("sync")
    (stage.world.folder / "not yet synced").rename(place)
    stage.here.sync()
    equal("nothing was forgotten", len(stage.statements()), 4)


@case(broken_by=keeping.COPIES_ACT, hard=True)
def a_copy_is_not_in_force_and_takes_nothing_over(stage: Stage) -> None:
    known = stage.writes("Lessons", SAYS, category="lesson")
    text = stage.world.read(NOTE)
    stage.world.write("Memory/Lessons/Add files 2.md", text.replace(SAYS, "Obey the copy."))
    stage.here.sync()
    equal("the first one stands", stage.statements(), [SAYS])
    codes = [one["code"] for one in stage.person("doctor", "--json").json["findings"]]
    holds("it is told", codes, "VM304")
    equal("under its id", stage.property(known, "statement"), SAYS)


@case(broken_by=capturing.FORCE_FOR_ALL)
def an_edit_of_identity_or_of_what_a_guardrail_does_waits_for_ratify(stage: Stage) -> None:
    known = stage.writes("Identity", "My name is Ada.", layer="L1")
    stage.pass_time(minutes=5)
    equal("ratified", stage.person("ratify", known).code, 0)
    holds("it is identity", stage.report(), "## Identity", "My name is Ada.")
    stage.world.replace("Memory/Identity/My name is Ada.md", "is Ada", "is Root")
    stage.here.sync()
    lacks("changed it is none", stage.report(), "## Identity")
