"""Several machines share one vault: late, doubled and half-synced files name nobody wrong."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.acceptance.forging import append_line, ledger_note, spelled
from tests.acceptance.making import say
from tests.evals.broken import keeping
from tests.evals.case import category, equal, holds, lacks, true
from tests.services.candidates import captured
from tests.services.purging import places_with
from tests.services.test_correction_to_report import hear
from tests.services.test_devices import NOTE, Synced
from tests.world import codes
from vaultmem.services.curate import session_end
from vaultmem.services.forget import forget
from vaultmem.services.purge import purge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.evals.stage import Stage

case = category("synced devices")


@contextmanager
def _two(stage: Stage) -> Iterator[Synced]:
    """A desk and a laptop, each with a folder of its own."""
    made = Synced(stage.world.folder / "two")
    try:
        yield made
    finally:
        made.close()


@case(broken_by=keeping.READS_CONFLICT_COPIES)
def a_conflict_copy_is_reported_and_never_read(stage: Stage) -> None:
    stage.writes("Lessons", "Add files by name.", category="lesson")
    text = stage.world.read("Memory/Lessons/Add files by name.md")
    fresh = "\n".join(line for line in text.split("\n") if not line.startswith("id:"))
    copy = "Memory/Lessons/Add files by name (Ada's conflicted copy 2026-11-29).md"
    stage.world.write(copy, fresh.replace("by name", "by conflict"))
    stage.here.sync()
    equal("it is not in force", stage.statements(), ["Add files by name."])
    done = stage.person("doctor", "--json").json
    true("it is told", copy in [one["path"] for one in done["findings"]])


@case(broken_by=keeping.DEVICES_ARE_NOBODY, hard=True)
def what_the_person_wrote_at_one_device_is_no_edit_at_the_other(stage: Stage) -> None:
    with _two(stage) as two:
        two.desk.replace(NOTE, "Add files by name.", "Add each file by name.")
        two.desk.here.sync()
        two.desk.here.pass_time(minutes=11)
        two.desk.here.sync()
        two.deliver(NOTE, *two.ledgers(two.desk))
        before = two.laptop.ledger(device=two.laptop.here)
        two.laptop.here.sync()
        two.laptop.here.pass_time(hours=1)
        two.laptop.here.sync()
        equal("it is in force there", stage.statements(two.laptop.here), ["Add each file by name."])
        after = two.laptop.ledger(device=two.laptop.here)
        equal("and not signed for again", after, before)


@case(broken_by=keeping.DECIDES_EVERYWHERE, hard=True)
def a_decision_is_applied_once_and_by_the_device_that_made_the_candidate(stage: Stage) -> None:
    done = stage.agent("add", "Use UTC in every table.", "--category", "pattern", "--json").json
    stage.here.sync()
    other = stage.world.device()
    other.sync()
    stage.world.replace(done["path"], "decision:", "decision: approve")
    equal("not by another at once", other.sync().applied, 0)
    equal("by the one that made it", stage.here.sync().applied, 1)
    other.sync()
    equal("one memory here", stage.statements(), ["Use UTC in every table."])
    equal("the same there", stage.statements(other), ["Use UTC in every table."])


@case(broken_by=keeping.NO_TOMBSTONES, hard=True)
def an_old_file_of_a_deleted_memory_does_not_bring_it_back(stage: Stage) -> None:
    with _two(stage) as two:
        known = say(two.desk, "Use UTC everywhere.")
        path, old = str(known.path), two.desk.read(str(known.path))
        two.deliver(path, *two.ledgers(two.desk))
        two.laptop.here.sync()
        holds("it is there", stage.statements(two.laptop.here), "Use UTC everywhere.")
        forget(two.desk.here.call(), str(known.id))
        two.deliver(path, *two.ledgers(two.desk))
        two.laptop.here.sync()
        lacks("it is gone there", stage.statements(two.laptop.here), "Use UTC everywhere.")
        two.laptop.write(path, old)  # a third machine had it still
        two.laptop.here.sync()
        lacks("and stays so", stage.statements(two.laptop.here), "Use UTC everywhere.")


@case(broken_by=keeping.ACTS_WITHOUT_KEY, hard=True)
def without_the_key_nothing_is_applied_by_itself(stage: Stage) -> None:
    other = stage.world.device()
    for key in (other.home / "state").glob("vault_*/key"):
        key.unlink()
    other.sync()
    captured(other.call(), "Always run the linter.")
    done = session_end(other.call())
    equal("nothing is applied", done.applied, ())
    true("it says why", done.kept_back)
    equal("nothing is in force", stage.statements(other), [])


@case(broken_by=keeping.SIGNS_NOTHING, hard=True)
def a_force_line_without_the_key_gives_no_force(stage: Stage) -> None:
    known = stage.writes("Lessons", "Never run sudo.", rule="avoid_pattern", confidence=0.95)
    lacks("it is no rule", stage.report(), "Hard rules")
    line = spelled("force", known, {"after": "0" * 64, "by": "person", "via": "ratify"}, "0" * 64)
    append_line(stage.world, ledger_note(stage.world, "force", device=stage.here.id), line)
    done = stage.here.sync()
    lacks("it is none now", stage.report(), "Hard rules")
    true("the line is told", codes(done))


@case(broken_by=keeping.ANY_LOSS_IS_A_WISH, hard=True)
def a_half_synced_vault_forgets_nothing(stage: Stage) -> None:
    with _two(stage) as two:
        for number in range(12):
            two.desk.memory(f"Memory/Lessons/{number}.md", f"Lesson {number} of the harbour.")
        two.desk.here.sync()
        paths = [f"Memory/Lessons/{number}.md" for number in range(12)]
        two.deliver(*paths, *two.ledgers(two.desk))
        two.laptop.here.sync()
        equal("all are there", len(stage.statements(two.laptop.here)), 13)
        kept = {path: two.laptop.read(path) for path in paths}
        for path in paths:
            two.laptop.path(path).unlink()
        done = two.laptop.here.sync()
        holds("it stops and asks", " ".join(codes(done)), "VM")
        two.laptop.here.pass_time(days=9)
        two.laptop.here.sync()
        for path, text in kept.items():
            two.laptop.write(path, text)
        two.laptop.here.sync()
        equal("nothing was forgotten", len(stage.statements(two.laptop.here)), 13)


@case(broken_by=keeping.COUNTS_ITS_OWN, hard=True)
def what_two_devices_count_adds_up_on_both(stage: Stage) -> None:
    with _two(stage) as two:
        said = "Always run the linter before pushing."
        known = say(two.desk, said)
        two.deliver(str(known.path), *two.ledgers(two.desk))
        two.laptop.here.sync()
        for world, session in ((two.desk, "s1"), (two.laptop, "s2"), (two.laptop, "s3")):
            hear(world, said, session=session)
            session_end(world.here.call(agent="pi"))
        two.deliver(*two.ledgers(two.desk))
        two.deliver(*two.ledgers(two.laptop), source=two.laptop, target=two.desk)
        for world in (two.desk, two.laptop):
            world.here.sync()
            now = world.here.call().vault.baseline.standing(str(known.id))
            equal("three beside the two of a statement", now.evidence_count, 5)


@case(broken_by=keeping.PURGES_AT_HOME, hard=True)
def a_purge_on_one_device_leaves_no_word_on_the_other(stage: Stage) -> None:
    with _two(stage) as two:
        done = say(two.desk, "Rotate the zyzzyva keys on Monday.")
        two.deliver(str(done.path), *two.ledgers(two.desk))
        two.laptop.here.sync()
        holds(
            "it is there", stage.statements(two.laptop.here), "Rotate the zyzzyva keys on Monday."
        )
        purge(two.desk.here.call(), str(done.id))
        two.deliver(*two.ledgers(two.desk))  # the note itself is still there
        two.laptop.here.sync()
        places = [two.laptop.vault, two.laptop.here.home]
        equal("no word is left", places_with(places, ["zyzzyva"]), set())
