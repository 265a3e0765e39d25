"""Which projects the vault knows, and which of them a person means by a name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.errors import ProjectNotFoundError
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call

_LISTED = 12
"""Identities that an error names; `status` lists all."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
"""The identity of a project that is named by its first commit."""
_SHORT = 8
"""Digits of one that are enough, and that lists show."""


def projects(call: Call) -> tuple[str, ...]:
    """The identity of every project that a memory is of, in its first spelling, sorted."""
    return projects_of(call.vault.baseline.standings())


def projects_of(memories: Iterable[Standing]) -> tuple[str, ...]:
    """The same of memories that were looked up already."""
    return _each_once(one.project for one in memories)


def find_project(call: Call, name: str, *, here: str) -> str | None:
    """The identity that a name means: itself, or the only one that ends with `/` and the name.

    Upper and lower case count as the same. Of a first commit, eight digits are enough.

    Args:
        call: the circumstances.
        name: as it was typed, not empty.
        here: the project of the working folder, which is known whether a memory is of it or not.

    Returns:
        None for a project that is new.

    Raises:
        ProjectNotFoundError: if it may mean several.
    """
    found = meant(name, (here, *projects(call)))
    return _looked_up(call, name, here) if found is None else found


def known_project(call: Call, name: str, *, here: str) -> str:
    """The same, for a verb that only reads.

    Raises:
        ProjectNotFoundError: if nothing is of such a project, or it may mean several.
    """
    found = find_project(call, name, here=here)
    if found is None:
        there = projects(call)
        listed = f"Known are {_some(there)}." if there else "No memory is of a project yet."
        raise ProjectNotFoundError(
            f"Nothing is of a project {name!r}. {listed} Give a whole identity or its last part; "
            "`vaultmem status` lists them."
        )
    return found


def is_known(call: Call, identity: str) -> bool:
    """Whether a memory is of a project, also one that a person has just written."""
    catch_up(call)
    return identity.casefold() in map(str.casefold, projects(call))


def _looked_up(call: Call, name: str, here: str) -> str | None:
    """Look at what was edited since the last sync, and at what only waits or was asked."""
    from vaultmem.services.curating.candidates import waiting
    from vaultmem.services.inquiring.notes import inquiries
    from vaultmem.services.reviewing.guidelines import review_projects

    catch_up(call)
    proposed = (one.candidate.memory.project or "" for one in waiting(call))
    asked = (one.inquiry.project or "" for one in inquiries(call))
    reviewed = review_projects(call)
    return meant(name, (here, *projects(call), *proposed, *asked, *reviewed))


def meant(name: str, known: Iterable[str]) -> str | None:
    """Which of the known projects a name means, as `find_project` says; None for none.

    Raises:
        ProjectNotFoundError: if it may mean several.
    """
    there = _each_once(known)
    asked = name.casefold()
    exact = [one for one in there if one.casefold() == asked]
    near = exact or [one for one in there if _is_short_for(asked, one.casefold())]
    if len(near) > 1:
        raise ProjectNotFoundError(f"{name!r} may be {_some(near)}. Give the whole identity.")
    return near[0] if near else None


def _is_short_for(name: str, identity: str) -> bool:
    if _COMMIT.fullmatch(identity):
        return len(name) >= _SHORT and identity.startswith(name)
    return identity.endswith(f"/{name}")


def _each_once(identities: Iterable[str]) -> tuple[str, ...]:
    """Each once, whatever its case; the first spelling in the alphabet stands."""
    found = {one.casefold(): one for one in sorted(identities, reverse=True) if one}
    return tuple(sorted(found.values()))


def _some(identities: Iterable[str]) -> str:
    listed = list(identities)
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return ", ".join(listed[:_LISTED]) + more
