"""The look for knowledge notes, which writes into candidates, to be killed as in `scenes`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.scenes import Scene
from tests.services.candidates import captured
from vaultmem.notes.hints import TITLE
from vaultmem.services.curating.hinting import find_hints, hints_of
from vaultmem.services.inbox import waiting

if TYPE_CHECKING:
    from tests.world import World

SAYS = "Weigh rare words more than common ones in the ranking of notes."
LINK = "[[Notes/BM25 Ranking|BM25 Ranking]]"


def _waits(world: World) -> str:
    """A candidate, and a knowledge note among others that says more about it."""
    for name in ("Apples", "Berries", "Cherries", "Dates", "Elderberries", "Figs"):
        world.write(f"Fruit/{name}.md", f"{name} are eaten raw; each of them has a season.\n")
    world.write("Notes/BM25 Ranking.md", f"{SAYS}\n")
    world.here.sync()
    return captured(world.here.call(), SAYS)


def _look(world: World, _: str = "") -> str:
    app = world.here.app()
    return str([*find_hints(app.call(), lambda: app.engine).values()])


def _told(world: World, path: str) -> bool:
    (one,) = waiting(world.here.call())
    hints = hints_of(world.here.call(), one)
    return one.path == path and [hint.link for hint in hints] == [LINK]


def _untold(world: World, path: str) -> bool:
    (one,) = waiting(world.here.call())
    return one.path == path and TITLE not in world.read(path)


KNOWLEDGE = (
    Scene(name="inbox looks", prepare=_waits, act=_look, kept=_told, undone=_untold, answers=True),
)
