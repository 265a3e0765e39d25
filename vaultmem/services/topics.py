"""Topics: what the memories are about, and how hot each topic is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.topics import Tagged, Topic, topics
from vaultmem.services.diagnosing.examined import load_live
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def list_topics(call: Call, *, project: str | None = None) -> list[Topic]:
    """The topics, the hottest first; what a person edited since the last sync counts already.

    Args:
        call: the circumstances.
        project: count only this project's memories and those of none; None for all.
    """
    catch_up(call)
    found, _ = load_live(call)
    places = None if project is None else {"", project.casefold()}
    tagged = (
        Tagged(one.standing, one.decoded.memory.tags)
        for one in found
        if places is None or one.standing.project.casefold() in places
    )
    return topics(tagged, now=call.seconds)
