"""What follows from accepting a proposal; everything that changes a memory goes through a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.trigger_advice import advise
from vaultmem.core.inference import Guardrail
from vaultmem.core.knowledge_link import elsewhere, without_part
from vaultmem.core.ledger import NO_NOTE
from vaultmem.core.model import Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.place import SKILLS
from vaultmem.core.promotion_words import Destination
from vaultmem.errors import CaptureRefusedError, EditRefusedError, NoteNotFoundError
from vaultmem.notes.skill import check_skill
from vaultmem.services.apply import apply_all
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.named_note import is_in, link_to_note, the_link_in
from vaultmem.services.promoting.proposals import VIA
from vaultmem.services.write import Write, write_notes
from vaultmem.store.files import read_note
from vaultmem.store.linear_pattern import search

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.knowledge_link import Elsewhere
    from vaultmem.core.operation import Changes
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory

KEPT = frozenset((Destination.PROJECT_RULE, Destination.VAULT_REF))
"""Destinations whose notes stay when they are accepted: the person still uses their text."""


def carry_out(call: Call, promotion: Promotion, found: FoundMemory) -> tuple[str, str]:
    """Do what a person accepted; what is done already is not done twice.

    Args:
        call: the circumstances; the caller holds the lock, and a person decided.
        promotion: as its note says it.
        found: the memory, as it is in force.

    Returns:
        The patch that did it, "" where none was needed, and the note that was made or linked.

    Raises:
        CaptureRefusedError: if what is to be written holds a secret.
        EditRefusedError: if something is missing, could never work, or the patch is refused.
        NoteNotFoundError: if the knowledge note that it links is not there.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    return _EFFECTS[promotion.destination](call, promotion, found)


def _enforce(call: Call, promotion: Promotion, found: FoundMemory) -> tuple[str, str]:
    trigger, action, verifier = promotion.guardrail
    if not ((trigger and action) or verifier):
        raise EditRefusedError(
            "The proposal does not say what to look for and what to do.",
            "Write a `trigger` and an `action` into its note, such as `bash_contains git add .` "
            "and `block`.",
        )
    if faults := advise(trigger, action, verifier, search=search):
        raise EditRefusedError(
            " ".join(one.message for one in faults), " ".join(one.remedy for one in faults)
        )
    memory = found.decoded.memory
    has = Guardrail(memory.trigger, memory.action, memory.verifier)
    values = {"trigger": trigger, "action": action, "verifier": verifier}
    changes = {key: value for key, value in values.items() if value}
    if all(getattr(has, key) == value for key, value in changes.items()) and found.standing.force:
        return "", found.row.path
    return _patched(call, found, Op.UPDATE, changes, promotion), found.row.path


def _skill(call: Call, promotion: Promotion, _found: FoundMemory) -> tuple[str, str]:
    name = promotion.skill
    data = check_skill(promotion.draft.encode(), name)
    if refusal := refuse_fields(promotion.draft):
        raise CaptureRefusedError(refusal.text)
    path = f"{call.vault.root}/{SKILLS}/{name}/SKILL.md"
    try:
        there = read_note(call.vault.path, path)
    except NoteNotFoundError:
        write_notes(call, [Write(path, data, None, NO_NOTE, "created", "person", VIA)])
        return "", path
    if there != data:
        raise EditRefusedError(
            "A skill of that name is there, and it says something else.",
            "Write another name as `skill` and into the text, or delete the old skill.",
            path=path,
        )
    return "", path


def _link(call: Call, promotion: Promotion, found: FoundMemory) -> tuple[str, str]:
    if not promotion.note:
        raise EditRefusedError(
            "The proposal does not say which knowledge note you wrote.",
            "Write the note, then link it as `note`, or name it with `--note`.",
        )
    named = the_link_in(promotion.note)
    other = elsewhere(named)
    if other is not None:
        _refuse_unknown(call, other)
        link, path = promotion.note, promotion.note
    else:
        link = link_to_note(call, named)
        path = f"{without_part(the_link_in(link))[0]}.md"
    memory = found.decoded.memory
    if memory.status is Status.PROMOTED and memory.vault_ref == link:
        return "", path
    return _patched(call, found, Op.PROMOTE, {"vault_ref": link}, promotion), path


def _refuse_unknown(call: Call, named: Elsewhere) -> None:
    """Refuse a note of another vault that is not there: its memory leaves the report for it."""
    vault = call.vault.knowledge().get(named.vault)
    if vault is None:
        raise EditRefusedError(
            f"This machine knows no vault {named.vault[:80]!r}, so nobody can tell whether the "
            "note is there.",
            "Name the vault's folder as `knowledge_vaults` in the user config, or link a note of "
            "this vault.",
        )
    if not is_in(vault, named.path):
        raise NoteNotFoundError(
            f"The vault {named.vault[:80]} has no note {named.path[:80]}.", "Correct the link."
        )


def _keep(_call: Call, _promotion: Promotion, found: FoundMemory) -> tuple[str, str]:
    return "", found.row.path


def _discard(call: Call, promotion: Promotion, found: FoundMemory) -> tuple[str, str]:
    if found.decoded.memory.status is Status.DEPRECATED:
        return "", found.row.path
    return _patched(call, found, Op.DEPRECATE, {}, promotion), found.row.path


def _patched(call: Call, found: FoundMemory, op: Op, changes: Changes, promotion: Promotion) -> str:
    memory = found.decoded.memory
    operation = Operation(
        op=op,
        target=memory.id,
        changes=changes,
        reason=promotion.reason or "The person accepted the promotion.",
        selected=True,
    )
    done = apply_all(call, [(operation, memory)], applier=Applier.PERSON, via=VIA)
    if done.applied:
        return done.id
    why = " ".join(skipped.reason for skipped in done.skipped)
    raise EditRefusedError(
        "Nothing was changed.",
        why or "Run `vaultmem sync`, then accept it again.",
        path=found.row.path,
    )


_EFFECTS: dict[Destination, Callable[[Call, Promotion, FoundMemory], tuple[str, str]]] = {
    Destination.MEMORY: _keep,
    Destination.ENFORCEMENT: _enforce,
    Destination.SKILL: _skill,
    Destination.PROJECT_RULE: _keep,
    Destination.VAULT_REF: _link,
    Destination.DISCARD: _discard,
}
