"""What was deleted is gone at once, everywhere, and does not come back by the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import keeping
from tests.evals.case import category, equal, holds, lacks, true
from tests.store.importers import topic_files

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("deletion and forgetting")

SAYS = "Always rotate the zyzzyva keys on Monday."


@case(broken_by=keeping.DELETED_IS_IN_USE)
def a_forgotten_memory_is_in_no_report_and_no_search(stage: Stage) -> None:
    known = stage.says(SAYS)["id"]
    holds("it was told", stage.told("rotate the keys"), "zyzzyva")
    equal("it was found", stage.found("zyzzyva keys"), [known])
    equal("forgotten", stage.person("forget", known, "--yes").code, 0)
    lacks("it is not told", stage.told("rotate the zyzzyva keys", session="s2"), "zyzzyva")
    equal("it is not found", stage.found("zyzzyva keys"), [])


@case(broken_by=keeping.NO_TOMBSTONES, hard=True)
def the_same_words_do_not_come_back_by_user_message_agent_or_import(stage: Stage) -> None:
    known = stage.says(SAYS)["id"]
    equal("forgotten", stage.person("forget", known, "--yes").code, 0)
    stage.session("s2", SAYS, "No! Always rotate the  zyzzyva keys on Monday!")
    stage.tool("memory_add", text=SAYS.upper(), category="lesson")
    old = stage.world.folder / "shop" / ".pi" / "memory"
    topic_files.topic(old, "lessons", f"- [lesson] {SAYS}", "- [lesson] Add files by name.")
    stage.told_by("migrate", "pi-config", str(old), "--yes")
    equal("only what is new is in force", stage.statements(), ["Add files by name."])
    equal("nothing waits", stage.waits(), [])


@case(broken_by=keeping.NO_TOMBSTONES, hard=True)
def the_persons_own_words_wait_and_their_approval_withdraws_the_tombstone(stage: Stage) -> None:
    known = stage.says(SAYS)["id"]
    stage.person("forget", known, "--yes")
    again = stage.says(SAYS)
    equal("it waits for a second word", again["outcome"], "candidate")
    equal("approved", stage.person("inbox", "approve", again["id"]).code, 0)
    equal("it is back", stage.statements(), [SAYS])


@case(broken_by=keeping.PURGE_SPARES_STATE, hard=True)
def a_purge_leaves_no_word_in_any_file_of_vault_or_machine(stage: Stage) -> None:
    stage.session("s1", SAYS, "Always run the linter before pushing.")
    memory = next(one for one in stage.standing() if one.statement == SAYS)
    holds("it was told", stage.told("rotate the keys"), "zyzzyva")
    equal("it was found", stage.found("zyzzyva keys"), [memory.id])
    true("it lies in several files", len(stage.files("zyzzyva")) > 2)
    done = stage.person("forget", "--purge", memory.id, "--yes")
    equal("purged", done.code, 0)
    stage.here.sync()
    equal("no word is left", stage.files("zyzzyva"), [])
    stage.session("s3", SAYS)
    equal("nor does it come back", stage.waits(), [])
    equal("the rest stands", stage.statements(), ["Always run the linter before pushing."])


@case(broken_by=keeping.LOSS_IS_NOTHING, hard=True)
def a_note_that_the_person_deletes_is_out_at_once_and_forgotten_after_a_week(stage: Stage) -> None:
    path = "Memory/Lessons/Keys.md"
    stage.world.memory(path, SAYS, category="lesson")
    stage.here.sync()
    data = stage.world.read(path)
    stage.world.path(path).unlink()
    lacks("it is out at once", stage.told("rotate the keys"), "zyzzyva")
    stage.world.write(path, data)
    stage.pass_time(minutes=3)
    holds("and back with its note", stage.told("rotate the keys", session="s2"), "zyzzyva")
    stage.world.path(path).unlink()
    stage.here.sync()
    stage.pass_time(days=8)
    stage.here.sync()
    stage.session("s3", SAYS)
    equal("after a week it is forgotten", stage.statements() + stage.waits(), [])
