"""Several processes extract the same sessions at once, each for real."""

from __future__ import annotations

from tests.services.notebook.reading_together import TASK, read_together
from vaultmem.services.inbox import waiting

SESSIONS, PROCESSES = 40, 4
"""The benchmark has 200."""


def test_four_processes_extract_each_session_once_and_double_nothing(world):
    world.here.sync()
    read = read_together(world, processes=PROCESSES, sessions=SESSIONS)
    tasks = [TASK.format(number) for number in range(SESSIONS)]
    assert [sum(task in prompt for prompt in read.prompts) for task in tasks] == [1] * SESSIONS
    assert sum(read.written) == len(read.cards) == len(read.prompts) == SESSIONS
    assert sum(count > 0 for count in read.written) > 1, "they did share the work"
    notes = list(world.path("Memory/System/Sessions").rglob("*.md"))
    assert len(notes) == SESSIONS
    waits = [one.candidate.memory.statement for one in waiting(world.here.call())]
    assert waits.count("The tasks of the list are numbered.") == 1
    assert world.here.sync().findings == ()
