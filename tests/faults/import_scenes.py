"""An import to be killed: all of it is there after the next sync, or nothing of it has happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import STATEMENT, Scene, known, standing, statements
from tests.store.importers import governed
from tests.store.importers.governed import candidate, memory, write_lines
from vaultmem.core.importing.item import ImportKind
from vaultmem.services.inbox import waiting
from vaultmem.services.inquiries import inquiries
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.gather import gather
from vaultmem.services.scratchpad import scratchpad

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

BROUGHT = [f"Rule number {number} is about case {number}." for number in range(9)]
"""So many that their notes are created together."""
GONE, WAITS = "The old wiki is the truth.", "Name branches after the ticket."
QUESTION, TASK = "Which port is right?", "Ask about the port"


def _source(world: World) -> Path:
    return world.folder / "pi-memory"


def _store(world: World) -> str:
    identifier = known(world)
    root = governed.empty(_source(world))
    rules = (memory(f"mem_{number}", text) for number, text in enumerate(BROUGHT))
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        *rules,
        memory("mem_gone", GONE, status="deleted"),
        memory("mem_same", STATEMENT),
    )
    write_lines(root, "memory/inquiries.jsonl", {"question": QUESTION, "status": "open"})
    write_lines(root, "inbox/captured.jsonl", candidate("cap_waits", WAITS))
    (root / "scratchpad.md").write_text(f"- [ ] {TASK}\n")
    return identifier


def _import(world: World, _: str) -> str | None:
    call = world.here.call()
    return carry_out(call, gather(call, ImportKind.PI_MEMORY, _source(world))).report


def _brought(world: World, identifier: str) -> list[bool]:
    """Whether each thing that an import brings is there."""
    call = world.here.call()
    there = statements(world)
    return [
        *(text in there for text in BROUGHT),
        any(one.statement == GONE for one in call.vault.baseline.standings()),
        " deleted " in world.ledger("tombstones"),
        standing(world, identifier).evidence_count == 2,
        [one.candidate.memory.statement for one in waiting(call)] == [WAITS],
        [one.inquiry.question for one in inquiries(call)] == [QUESTION],
        [one.text for one in scratchpad(call).items] == [TASK],
        any(world.vault.glob("Memory/System/Reports/* import *.md")),
    ]


IMPORT_SCENES: tuple[Scene, ...] = (
    Scene(
        name="import",
        prepare=_store,
        act=_import,
        kept=lambda world, name: all(_brought(world, name)),
        undone=lambda world, name: not any(_brought(world, name)),
    ),
)
