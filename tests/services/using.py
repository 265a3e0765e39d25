"""What an agent is told and what it replies, as the events of a session report it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.citation import TAG
from vaultmem.core.ids import MemoryId, short_id
from vaultmem.services.outcomes import link_correction
from vaultmem.services.session_outcomes import session_ended
from vaultmem.services.telemetry import Told, injected, replied

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.services.telemetry import Replied

BUN, DOCS, LOCK = (
    "Use bun for local tests.",
    "Write the docs in plain English.",
    "Commit lock files.",
)
"""What the memories of `three` say."""


def three(world: World) -> list[MemoryId]:
    """Three memories in force that a report would tell."""
    said = (BUN, DOCS, LOCK)
    made = [
        MemoryId(world.memory(f"Memory/Lessons/{text[:-1]}.md", text, category="lesson"))
        for text in said
    ]
    world.here.sync()
    return made


def tell(world: World, *ids: str, session: str = "s1", where: str = "lessons") -> None:
    """A prompt with a section that holds these memories."""
    told = [Told(MemoryId(one), where) for one in ids]
    injected(world.here.call(agent="pi"), session=session, query_class="general", told=told)


def reply(world: World, text: str = "", *cited: str, session: str = "s1") -> Replied:
    """What the agent answers, with a citation of these memories."""
    ids = "\n".join(map(short_id, cited))
    block = f"\n<{TAG}>\n{ids}\n</{TAG}>" if cited else ""
    return replied(world.here.call(agent="pi"), f"{text}{block}", session=session)


def correct(world: World, text: str, *, session: str = "s1") -> MemoryId | None:
    """The user corrects something."""
    return link_correction(world.here.call(agent="pi"), text, session=session)


def end(world: World, session: str | None = "s1") -> tuple[MemoryId, ...]:
    """The session ends."""
    return session_ended(world.here.call(agent="pi"), session)
