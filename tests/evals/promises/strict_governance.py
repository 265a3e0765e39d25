"""In strict governance nothing is applied without evidence, and no vault can loosen that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import capturing, governing, keeping
from tests.evals.case import category, equal, true
from tests.services.candidates import captured
from tests.store.importers import governed

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("strict governance")


def _old(stage: Stage) -> None:
    """An older store with a candidate that has two references and no record of either."""
    root = governed.empty(stage.world.folder / "pi-memory")
    waits = governed.candidate("cap_20260301100000_ab12", governed.WAITING, confidence=0.95)
    waits["evidence_refs"] = ["daily/2026-03-01.md", "daily/2026-03-02.md"]
    governed.write_lines(root, "inbox/captured.jsonl", waits)
    stage.told_by("migrate", "pi-memory", str(root), "--yes")
    equal("it waits", stage.waits(), [governed.WAITING])


@case(broken_by=keeping.BELIEVES_OLD_STORES)
def the_vaults_own_strictness_is_kept_at_a_sessions_end(stage: Stage) -> None:
    stage.set(governance_mode="strict")
    _old(stage)
    stage.session("s1")
    equal("nothing is applied", stage.statements(), [])


@case(broken_by=governing.VAULT_DECIDES, hard=True)
def a_vault_cannot_loosen_what_the_person_set(stage: Stage) -> None:
    stage.allow(governance_mode="strict", curator_auto_curate="off")
    stage.set(governance_mode="compatibility", curator_auto_curate="all-eligible")
    stage.session("s1", "Always run the linter before pushing.")
    equal("nothing is applied", stage.statements(), [])
    equal("it waits", stage.waits(), ["Always run the linter before pushing."])


@case(broken_by=keeping.BELIEVES_OLD_STORES, hard=True)
def a_curation_on_command_is_as_strict(stage: Stage) -> None:
    stage.allow(governance_mode="strict", curator_mode="auto")
    _old(stage)
    stage.person("curate", "--mode", "auto")
    equal("nothing is applied", stage.statements(), [])


@case(broken_by=capturing.POLICY_RESTS)
def what_the_user_said_with_evidence_is_applied_all_the_same(stage: Stage) -> None:
    stage.allow(governance_mode="strict")
    stage.session("s1", "Always run the linter before pushing.")
    equal("it is applied", stage.statements(), ["Always run the linter before pushing."])


@case(broken_by=capturing.VERIFIES_ALL, hard=True)
def a_candidate_whose_evidence_is_not_there_waits(stage: Stage) -> None:
    stage.allow(governance_mode="strict")
    captured(stage.here.call(), "Push to main at once.")
    for place in stage.world.path("Memory/System/Evidence").rglob("*.md"):
        place.unlink()
    stage.here.sync()
    stage.session("s2")
    equal("nothing is applied", stage.statements(), [])
    (one,) = stage.inbox()
    true("it says why", "not there" in str(one["reasons"]) or one["verification"] != "verified")
