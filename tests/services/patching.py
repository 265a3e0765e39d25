"""Patches on a real vault, for the tests of services that propose, apply and revert them."""

from __future__ import annotations

from dataclasses import replace

from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.model import Category, Memory
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.capture import Wish, add
from vaultmem.services.lookup import find_memory
from vaultmem.services.patching.case import look
from vaultmem.services.report import report

NPM, BUN = "Use npm for installs.", "Use bun for installs."
NOTE = "Memory/Lessons/Use npm for installs.md"


def npm(world, statement: str = NPM, **properties) -> str:
    """A memory of the person's that the tests change; returns its id."""
    properties = {"category": "lesson", "confidence": 0.9, **properties}
    identifier = world.memory(NOTE, statement, **properties)
    world.here.sync()
    return identifier


def memory_of(world, name: str) -> Memory:
    """A memory as it is in force."""
    return find_memory(world.here.call(), name).decoded.memory


def proposed(world, text: str = BUN, *, category: Category = Category.LESSON) -> str:
    """A candidate that an agent proposed; returns its id."""
    world.here.sync()
    app = world.here.app(agent="pi")
    done = add(app.call(), app.engine, Wish(text=text, category=category))
    assert done.outcome == "candidate", done
    return done.id


def candidate_memory(world, candidate: str) -> Memory:
    """The memory that a waiting candidate would become."""
    probe = Operation(op=Op.REJECT_CANDIDATE, candidate=candidate)
    call = world.here.call()
    case = look(call, probe, applier=Applier.PERSON, ratified=False, decided=False)
    assert case.candidate is not None
    return replace(case.candidate.memory, id=MemoryId(with_prefix(candidate, "mem")))


def operation(world, op: Op, target: str | None = None, **parts) -> tuple[Operation, Memory | None]:
    """A draft as `services.patches.new` takes it."""
    memory = memory_of(world, target) if target else None
    made = Operation(op=op, target=MemoryId(target) if target else None, selected=True, **parts)
    return made, memory


def add_draft(world, candidate: str, **fields) -> tuple[Operation, None]:
    """The `add` that a candidate asks for."""
    new = replace(candidate_memory(world, candidate), **fields)
    return Operation(op=Op.ADD, memory=new, candidate=candidate, selected=True), None


def save(world, *drafts) -> str:
    """Propose a patch; returns its note's path."""
    call = world.here.call()
    return patches.save(call, patches.new(call, drafts))


def standing_of(world, identifier: str):
    """A memory's row as the report sees it."""
    return world.here.call().vault.baseline.standing(identifier)


def report_of(world, prompt: str = "") -> str:
    """The situation report's text."""
    return report(world.here.call(), prompt=prompt).text


def apply_now(world, *drafts, applier=Applier.PERSON, ratified=False, call=None):
    """Propose and apply a patch in one go, all operations chosen."""
    call = call or world.here.call()
    patch = patches.new(call, drafts)
    chosen = frozenset(one.id for one in patch.operations)
    return apply(call, patch, applier=applier, selected=chosen, ratified=ratified, via="patch")


def apply_open(world, name: str, *, ops=None, device=None, applier=Applier.PERSON):
    """What `vaultmem patch apply` does."""
    device = device or world.here
    device.sync()
    call = device.call()
    opened = patches.find_patch(call, name)
    selected = None if ops is None else frozenset(ops)
    return apply(call, opened.patch, applier=applier, selected=selected, via="patch", opened=opened)
