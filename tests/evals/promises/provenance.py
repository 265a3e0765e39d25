"""Every memory says where it comes from, and what no longer holds is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, showing
from tests.evals.case import category, equal, holds, lacks, true
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.trust import TrustClass
from vaultmem.services.evidence import record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.evals.stage import Stage

case = category("provenance liveness")

TABS = "Use tabs in Makefiles."


def piece(stage: Stage, excerpt: str = TABS, **parts: object) -> str:
    """A recorded piece of evidence; the link to it."""
    values: dict[str, object] = {
        "source_kind": SourceKind.CONVERSATION,
        "trust": TrustClass.DIRECT_USER_INSTRUCTION,
        "session": "s1",
        "created": stage.here.call().local,
        **parts,
    }
    (link,) = record(stage.here.call(), [new_evidence(excerpt=excerpt, **values)])
    return link


def rests_on(stage: Stage, *links: str, statement: str = TABS) -> str:
    """A memory that cites these pieces; its id."""
    path = "Memory/Lessons/Tabs.md"
    known = stage.world.memory(path, statement, category="lesson")
    lines = "".join(f'\n  - "{link}"' for link in links)
    stage.world.replace(path, "category: lesson", f"category: lesson\nevidence:{lines}")
    stage.here.sync()
    return known


def evidence_note(stage: Stage) -> Path:
    """The note that holds the pieces of today."""
    return next(stage.world.vault.rglob("* evidence dev_*.md"))


def codes(stage: Stage) -> list[str]:
    """What the diagnostics find."""
    done = stage.person("doctor", "--diagnostics", "--json").json
    return [one["code"] for one in done["findings"]]


@case(broken_by=capturing.DEAF)
def a_memory_tells_who_said_it_where_and_who_approved_it(stage: Stage) -> None:
    stage.session("s1", "Always run the linter before pushing.")
    (memory,) = stage.standing() or [None]
    true("it is there", memory)
    name = memory.id if memory else ""
    words = str(stage.told_by("evidence", "list", name)["evidence"])
    holds("the words", words, "run the linter", "user_correction", "s1")
    holds("and policy approved it", str(stage.told_by("why", name)), "policy")


@case(broken_by=showing.SOURCES_ARE_THERE, hard=True)
def a_source_file_that_is_gone_is_noticed(stage: Stage) -> None:
    source = stage.world.folder / "Makefile"
    source.write_text("all:\n")
    rests_on(stage, piece(stage, source_kind=SourceKind.FILE, source_ref=f"{source}:12"))
    lacks("there it is in order", codes(stage), "VM714")
    source.unlink()
    holds("gone it is told", codes(stage), "VM714", "VM721")


@case(broken_by=showing.EVIDENCE_IS_INTACT, hard=True)
def words_that_were_changed_in_the_evidence_support_nothing(stage: Stage) -> None:
    stage.hears("Always use tabs in Makefiles.")
    note = evidence_note(stage)
    waits = stage.inbox()
    equal("it waits", len(waits), 1)
    note.write_text(note.read_text().replace("Always use tabs", "Always, always use tabs"))
    stage.here.sync()
    stage.session("s1")
    equal("nothing is applied", stage.statements(), [])
    holds("it is told", codes(stage), "VM622")


@case(broken_by=showing.EVERYTHING_IS_RECORDED, hard=True)
def a_piece_that_no_device_recorded_supports_nothing(stage: Stage) -> None:
    stage.hears("Always use tabs in Makefiles.")
    note = evidence_note(stage)
    made = new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=TrustClass.USER_CORRECTION,
        excerpt="Never use spaces in Makefiles.",
        session="s9",
        created=stage.here.call().local,
    )
    from vaultmem.notes.evidence import append_evidence

    note.write_bytes(append_evidence(note.read_bytes(), made))
    stage.here.sync()
    holds("it is told", codes(stage), "VM712")


@case(broken_by=showing.LINKS_LEAD_SOMEWHERE)
def a_link_to_evidence_that_is_not_there_is_told(stage: Stage) -> None:
    rests_on(stage, piece(stage))
    evidence_note(stage).unlink()
    stage.here.sync()
    holds("it is told", codes(stage), "VM711")
