"""What a user says in several sessions, and the promotions that follow, for tests of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import with_prefix
from vaultmem.core.model import Category
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.services.capture import Channel, Source, Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.lookup import find_memory
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.promoting.listing import list_

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.core.model import Memory
    from vaultmem.core.promotion import Heard
    from vaultmem.services.promoting.listing import Listed

BAN = "Never use `git add .`"
"""A rule that spells out its own guardrail."""
DEPLOY = "Deploy workflow: build → test → tag → push"
"""A procedure."""
CONVENTION = "Always follow the project release convention"
"""A rule of a project that no machine can check."""
FACT = "Postgres keeps dead rows until a vacuum removes them"
"""General knowledge."""


def heard(
    world: World,
    text: str,
    *sessions: str,
    project: str | None = None,
    category: Category = Category.LESSON,
    trust: TrustClass = TrustClass.USER_CORRECTION,
) -> str:
    """The user says the same in each of the sessions; the id of the memory.

    Policy applies it at the end of the first one, and is not asked again at the end of the others.
    """
    done = None
    for session in sessions:
        app = world.here.app()
        wish = Wish(text=text, category=category, confidence=0.9, durability=Durability.USER_GLOBAL)
        source = Source(
            channel=Channel.MESSAGE, session=session, ref="m1", trust=trust, project=project
        )
        world.here.sync()
        done = add(app.call(), app.engine, wish, source=source)
        if done.outcome == "candidate":
            session_end(world.here.call())
        world.here.pass_time(minutes=5)
    assert done is not None
    assert done.id is not None
    return with_prefix(done.id, "mem")


def memory_of(world: World, name: str) -> Memory:
    """A memory as it is in force."""
    return find_memory(world.here.call(), name).decoded.memory


def path_of(world: World, name: str) -> str:
    """Where the note of a memory lies."""
    return find_memory(world.here.call(), name).row.path


def heard_now(world: World, name: str) -> Heard:
    """What the user said of a memory until now."""
    world.here.sync()
    memory = memory_of(world, name)
    return heard_of(world.here.call(), [memory])[memory.id]


def listed(world: World, *, everything: bool = False) -> list[Listed]:
    """The proposals, as `vaultmem promote list` has them."""
    world.here.sync()
    return list_(world.here.call(), everything=everything)
