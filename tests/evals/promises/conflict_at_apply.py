"""Whether an operation may be done is asked again when it is applied, and it is done once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import governing
from tests.evals.case import category, equal, true
from tests.services import patching
from tests.services.patching import BUN, NPM, add_draft, operation, proposed
from vaultmem.core.operation import Op

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("conflict at apply")


def _apply(stage: Stage, name: str) -> tuple[list[str], list[str]]:
    """What a person applies of a patch: the operations that were done, and those that were not."""
    stage.here.sync()
    done = stage.person("patch", "apply", name, "--all", "--yes", "--json").json
    return [one["id"] for one in done["applied"]], [one["id"] for one in done["skipped"]]


@case(broken_by=governing.NOTHING_IS_STALE, hard=True)
def what_the_person_edited_meanwhile_is_not_written_over(stage: Stage) -> None:
    known = patching.npm(stage.world)
    change = operation(stage.world, Op.UPDATE, known, changes={"statement": BUN})
    patch = patching.save(stage.world, change)
    stage.world.replace(patching.NOTE, NPM, "Use npm for installs, but not on Fridays.")
    equal("it is skipped", _apply(stage, patch), ([], ["op_001"]))
    equal("the person's words stand", stage.statements(), [f"{NPM[:-1]}, but not on Fridays."])


@case(broken_by=governing.DELETED_MAY_CHANGE, hard=True)
def of_two_that_replace_one_memory_the_second_is_skipped(stage: Stage) -> None:
    known = patching.npm(stage.world)
    first = add_draft(stage.world, proposed(stage.world, BUN))[0].memory
    second = add_draft(stage.world, proposed(stage.world, "Use pnpm for all packages."))[0].memory
    drafts = [operation(stage.world, Op.SUPERSEDE, known, memory=one) for one in (first, second)]
    patch = patching.save(stage.world, *drafts)
    equal("one is done", _apply(stage, patch), (["op_001"], ["op_002"]))
    equal("one stands", stage.statements(), [BUN])


@case(broken_by=governing.DELETED_MAY_CHANGE)
def what_was_deleted_meanwhile_is_not_changed(stage: Stage) -> None:
    known = patching.npm(stage.world)
    change = operation(stage.world, Op.CONTEST, known)
    patch = patching.save(stage.world, change)
    stage.person("forget", known, "--yes")
    equal("it is skipped", _apply(stage, patch), ([], ["op_001"]))
    equal("and stays deleted", stage.property(known, "status"), "deleted")


@case(broken_by=governing.HASHES_ARE_NOT_LOOKED_AT, hard=True)
def an_operation_that_was_rewritten_in_its_note_is_not_applied(stage: Stage) -> None:
    known = patching.npm(stage.world)
    change = operation(stage.world, Op.UPDATE, known, changes={"statement": BUN})
    patch = patching.save(stage.world, change)
    text = stage.world.read(patch)
    true("its words stand in the note", BUN in text)
    stage.world.write(patch, text.replace(BUN, "Use sudo for installs."))
    stage.here.sync()
    stage.person("patch", "apply", patch, "--all", "--yes")
    equal("nothing changed", stage.statements(), [NPM])


@case(broken_by=governing.APPLIES_TWICE, hard=True)
def a_patch_that_comes_back_is_not_applied_again(stage: Stage) -> None:
    known = patching.npm(stage.world)
    patch = patching.save(stage.world, operation(stage.world, Op.CONTEST, known))
    note = stage.world.read(patch)
    equal("it is applied", _apply(stage, patch), (["op_001"], []))
    equal("the doubt is settled", stage.person("uncontest", known).code, 0)
    stage.world.write(patch, note)  # a sync client brings the note back
    stage.here.sync()
    stage.person("patch", "apply", patch, "--all", "--yes")
    equal("the memory stands", stage.property(known, "status"), "active")
