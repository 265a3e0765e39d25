"""What a memory rested on is checked again, and a candidate's is checked before it is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, showing
from tests.evals.case import category, equal, holds, lacks, true
from tests.evals.promises.provenance import TABS, codes, evidence_note, piece, rests_on
from tests.services.candidates import captured

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("re-verification")


def _messages(stage: Stage) -> str:
    done = stage.person("doctor", "--diagnostics", "--json").json
    return "\n".join(one["message"] for one in done["findings"])


@case(broken_by=showing.EVIDENCE_IS_INTACT)
def all_evidence_gone_is_pressing_and_some_is_not(stage: Stage) -> None:
    first, second = piece(stage), piece(stage, "Yes, use tabs in Makefiles, please.")
    rests_on(stage, first, second)
    note = evidence_note(stage)
    note.write_text(note.read_text().replace("Yes, use tabs", "No, use tabs"))
    holds("some", _messages(stage), "priority medium")
    note.write_text(note.read_text().replace(TABS, "Use nothing."))
    holds("all", _messages(stage), "priority high")


@case(broken_by=capturing.VERIFIES_ALL, hard=True)
def evidence_that_does_not_say_it_applies_nothing(stage: Stage) -> None:
    captured(
        stage.here.call(),
        "The canonical storage layout is versus unrelated vegetables.",
        said="Please use canonical storage.",
    )
    stage.session("s2")
    equal("nothing is applied", stage.statements(), [])


@case(broken_by=capturing.VERIFIES_ALL, hard=True)
def what_was_edited_after_its_capture_is_not_applied(stage: Stage) -> None:
    path = captured(stage.here.call(), "Run the linter before a push.")
    stage.world.replace(path, "before a push", "after a push, with root")
    stage.here.sync()
    stage.pass_time(minutes=10)
    stage.session("s2")
    equal("nothing is applied", stage.statements(), [])
    true("it waits", stage.waits())


@case(broken_by=showing.SAYS_WHAT_IT_SAID)
def a_statement_that_left_its_evidence_behind_is_told(stage: Stage) -> None:
    known = rests_on(stage, piece(stage))
    lacks("in order", codes(stage), "VM723")
    edited = stage.person("edit", known, "--statement", "Ship the parser on Mondays.")
    equal("edited", edited.code, 0)
    holds("told", codes(stage), "VM723")


@case(broken_by=capturing.VERIFIES_ALL, hard=True)
def evidence_that_speaks_against_it_leaves_it_to_the_person(stage: Stage) -> None:
    from vaultmem.core.evidence import Polarity

    path = captured(stage.here.call(), "Run the linter before a push.")
    link = piece(stage, "Run the linter before a push.", polarity=Polarity.CONTRADICTS)
    text = stage.world.read(path)
    at = text.index("evidence:")
    stage.world.write(
        path, f'{text[:at]}evidence:\n  - "{link}"\n{text[at + len("evidence:") + 1 :]}'
    )
    stage.here.sync()
    stage.pass_time(minutes=10)
    stage.session("s2")
    equal("nothing is applied", stage.statements(), [])
