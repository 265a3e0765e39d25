"""An agent with a shell and file tools, in the two ways in which vaultmem meets what it did."""

from __future__ import annotations

import hashlib
import json
import time
from typing import TYPE_CHECKING

import pytest

from vaultmem.core.ids import ulid
from vaultmem.services.report import report

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World
    from vaultmem.services.sync import SyncResult

HANDS = ("command", "window")
"""An agent's own command meets the change; or it was made while a tool of the agent ran."""

every_hand = pytest.mark.parametrize("hand", HANDS)


def by_agent(world: World, hand: str, deed: Callable[[], object]) -> SyncResult:
    """Let an agent do something to the vault's files; then the person syncs, twice.

    Returns what the person's first sync says.
    """
    if hand == "command":
        deed()
        world.here.sync(agent="pi")
    else:
        time.sleep(0.005)
        world.here.open_window(time.time_ns())
        time.sleep(0.005)
        deed()
        time.sleep(0.005)
        world.here.close_windows(time.time_ns())
    first = world.here.sync()
    world.here.sync()
    return first


def in_force(world: World) -> dict[str, tuple[str, str, int, int]]:
    """What acts or informs on this machine: id to statement, status, force and evidence."""
    rows = world.here.call().vault.baseline.standings()
    return {row.id: (row.statement, row.status, row.force, int(row.evidence_count)) for row in rows}


def ledger_note(
    world: World, kind: str, device: str | None = None, month: str | None = None
) -> str:
    """The path of a ledger, whether it is there or not."""
    month = month or world.here.call().now.astimezone().strftime("%Y-%m")
    return f"Memory/System/Ledger/{month} {kind} {device or world.here.id}.md"


def append_line(world: World, path: str, line: str) -> None:
    """Write a line into a ledger as `echo >>` would; a new ledger gets a plausible head."""
    place = world.path(path)
    if not place.exists():
        month, kind, device = place.stem.split(" ")
        head = (
            f"id: log_{made_ulid()}\ntype: ledger\nkind: {kind}\ndevice: {device}\nmonth: {month}"
        )
        world.write(path, f"---\n{head}\n---\nWords.\n\n")
    world.write(path, world.read(path) + line + "\n")


def made_ulid(seed: str = "") -> str:
    """An id's ULID that nobody has used."""
    noise = hashlib.sha256(f"{seed}{time.time_ns()}".encode()).digest()
    return ulid(time.time_ns() // 1_000_000, noise[:10])


def spelled(act: str, note: str, values: dict[str, object], mac: str = "unsigned") -> str:
    """A line of a ledger as our own are spelled."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    data = json.dumps(values, separators=(",", ":"))
    return f"- {at} {made_ulid(act)} {act} {note} {data} ~{mac}"


def nothing_gained(world: World, before: dict[str, tuple[str, str, int, int]]) -> None:
    """Check that what acts or informs is what it was, on this machine and in the next report."""
    assert in_force(world) == before
    text = report(world.here.call(), budget=10_000).text
    assert "Obey" not in text
