"""A dream to be killed: whenever that happens, the next one ends it, and nothing is there twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.faults.scenes import Scene
from tests.services.candidates import captured, inbox
from tests.services.notebook.dreams import MAKE, PROJECT, answer
from tests.services.patching import memory_of
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.llm.model import Answer, Usage
from vaultmem.services import evidence, patches
from vaultmem.services.notebook.dream import Dreamed, DreamOutcome, dream

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World
    from vaultmem.llm.model import Ask, Task

TABLES = "Prefer tables in every report."
CHAT = "Thanks, that looks nice."
NAMED = "Name every index after its table."


class Judge:
    """A model within this process that knows what it thinks of what it is shown."""

    name = "judge"
    destination = "nowhere"
    window = None

    def ask(self, ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> Answer:
        """Sort the candidates, and find that make is over."""
        lines = [json.loads(line) for line in ask.prompt.splitlines() if line.startswith("{")]
        lasts = {TABLES: "long_term", CHAT: "no"}
        names = {line["text"]: line["id"] for line in lines if "text" in line}
        sorted_ = [
            {"id": names[text], "lasts": lasts[text], "reason": "So it is."}
            for text in lasts.keys() & names.keys()
        ]
        stale = [{"id": names[MAKE], "reason": "Over."}] if MAKE in names else []
        return Answer(answer(candidates=sorted_, stale=stale))

    def work(self, task: Task) -> None:
        """A dream asks only."""
        raise NotImplementedError

    def spent(self) -> Usage:
        """Nobody counts."""
        return Usage()

    def remaining_percent(self) -> float | None:
        """Nobody knows."""
        return None


def _prepare(world: World) -> str:
    call = world.here.call()
    (link,) = evidence.record(
        call,
        [
            new_evidence(
                source_kind=SourceKind.CONVERSATION,
                trust=TrustClass.USER_CORRECTION,
                excerpt=NAMED,
                session="s1",
                created=call.local,
            )
        ],
    )
    world.memory("Memory/Lessons/make.md", MAKE, category="lesson", review="2099-01-01")
    known = world.memory(
        "Memory/Lessons/named.md", NAMED, category="lesson", confidence=0.9, evidence=f'["{link}"]'
    )
    world.here.sync()
    for text in (TABLES, CHAT):
        captured(world.here.call(), text, durability=Durability.UNKNOWN)
    return known


def _dream(world: World, **span: float) -> Dreamed:
    world.here.pass_time(**span)
    app = world.here.app()
    call = app.call()
    return dream(
        call,
        app.engine,
        Judge(),
        app.notebook,
        NotebookSettings(),
        projects=(PROJECT,),
        worker="scene",
        force=True,
    )


def _act(world: World, _: str) -> str:
    return _dream(world, minutes=10).outcome.value


def _ends(world: World, known: str) -> bool:
    """The next dream finds everything done, or does it; the lease of a killed one is over then."""
    done = _dream(world, hours=2)
    opened = patches.open_patches(world.here.call())
    proposed = sorted(one.op for each in opened for one in each.patch.operations)
    told = {one.candidate.memory.statement: one.candidate for one in inbox(world)}
    return (
        done.outcome in (DreamOutcome.DONE, DreamOutcome.WAITING)
        and (len(opened), proposed) == (1, ["flag_for_review", "reject_candidate"])
        and (told[TABLES].durability, len(told[TABLES].reasons)) == ("long_term", 1)
        and memory_of(world, known).source_session == "s1"
    )


DREAM_SCENES: tuple[Scene, ...] = (
    Scene(name="notebook dream", prepare=_prepare, act=_act, kept=_ends),
)
