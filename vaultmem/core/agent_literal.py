"""What of the guard the agent's extension can hold itself, while `serve` does not answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.agent_guard import BASH, Met, reason_for_place, reason_for_verb
from vaultmem.core.agent_verbs import (
    HELPERS,
    HOST,
    HOST_VERBS,
    PERSON_OPTIONS,
    PERSON_VERBS,
    PROGRAM,
    Refused,
    Why,
)
from vaultmem.core.enforcement.literal import BlockRule
from vaultmem.core.enforcement.rule import TriggerKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.agent_guard import Protected

GUARD_ID = "guard"
"""The id of a rule that is no memory's."""
_KIND = TriggerKind.BASH_CONTAINS.value


def literal_guard_rules(protected: Protected) -> tuple[BlockRule, ...]:
    """The guard as rules that need nobody to judge them, for bash alone.

    Less than the guard itself: a verb is found in the words of a command, a place only where it is
    written as people or programs write it. The order is always the same.
    """
    return (*_verbs(), *_places(protected))


def _verbs() -> Iterator[BlockRule]:
    refused = [Refused(Why.PERSON, verb) for verb in sorted(PERSON_VERBS)]
    refused += [
        Refused(Why.PERSON, f"{verb} {option}")
        for verb, options in PERSON_OPTIONS.items()
        for option in options
    ]
    refused += [Refused(Why.HELPER, verb) for verb in sorted(HELPERS)]
    refused += [Refused(Why.HOST, verb) for verb in sorted(HOST_VERBS)]
    for one in refused:
        needle = f"{HOST if one.why is Why.HOST else PROGRAM} {one.verb}"
        yield BlockRule(GUARD_ID, _KIND, needle, command=True, reason=reason_for_verb(one))


def _places(protected: Protected) -> Iterator[BlockRule]:
    for zone, place in protected.zones():
        for needle in dict.fromkeys(protected.spellings(place)):
            reason = reason_for_place(Met(zone, place), BASH)
            yield BlockRule(GUARD_ID, _KIND, needle, command=False, reason=reason)
