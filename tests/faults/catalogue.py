"""What the campaign lets go wrong: each fault with the invariants of DESIGN §12 that it tests."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Fault(NamedTuple):
    """One row of the table that a campaign ends with.

    Attributes:
        what: goes wrong.
        invariants: numbers of DESIGN §12.
    """

    what: str
    invariants: tuple[int, ...]


FAULTS: dict[str, Fault] = {
    "play": Fault("Person, agent, policy, second machine and kill -9", (4, 5, 6, 7, 8, 9, 16, 17)),
    "kill_step": Fault("kill -9 before a step of a verb", (1, 2)),
    "kill_command": Fault("kill -9 before a step of a command", (2, 13, 18)),
    "kill_moment": Fault("kill -9 of a process at a random moment", (2,)),
    "full": Fault("Disk full from a step on", (2, 18)),
    "read_only": Fault("Vault read-only from a step on", (2, 18)),
    "failing": Fault("One disk error at a step", (2, 18)),
    "clock": Fault("Clock back a year, ahead ten years, summer time", (4, 6, 8, 10, 18)),
    "synced": Fault("Two devices: late, torn and doubled files", (1, 2, 3, 6, 17)),
    "editor_saves": Fault("An editor saves while a verb writes", (1, 3)),
    "editor_holds": Fault("An editor writes old bytes later", (1, 3, 6)),
    "writers": Fault("8 processes write while others read", (3,)),
    "links": Fault("Symbolic links: loops, out of the vault", (13, 18)),
    "names": Fault("Names that differ in case or NFC and NFD only", (2, 3, 18)),
    "long_names": Fault("Names of 255 bytes", (2, 18)),
    "many_notes": Fault("A vault of many notes", (10, 18)),
    "large_note": Fault("One note of many megabytes", (1, 18)),
    "properties": Fault("5,000 properties in a note", (1, 18)),
    "model_hangs": Fault("A model endpoint that hangs or is slow", (14, 18)),
    "model_lies": Fault("A model endpoint that lies", (4, 5, 12, 16, 18)),
    "agent_dies": Fault("An agent that dies in the middle of a turn", (2, 4, 5, 17)),
}
"""By the name that a test gives with `fault`."""


def fault(name: str) -> pytest.MarkDecorator:
    """Mark a test as trials of this fault."""
    return pytest.mark.fault(FAULTS[name] and name)
