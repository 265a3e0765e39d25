"""The first version of the notebook, where its files are there before any version is.

So it is on a device that comes later, and on one whose versions were lost. Several may have
written in the files, and what one of them changed is no notebook alone: all is judged together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.notebook.own import PERSON
from vaultmem.core.notebook.validation import BACK, HANDBOOK, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.validation import Problem
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.difference import Difference
    from vaultmem.store.notebook_history import History


def begin(call: Call, history: History, found: Sequence[Difference], message: str) -> str:
    """Begin the history with files that together are a notebook; the first version's id.

    It is the person's where any of the files is; `core.notebook.own` then knows by its sources what
    of it a machine wrote.

    The caller holds the lock.

    Raises:
        ReadOnlyError, DiskFailedError, UnsafePathError: as `History.commit`.
    """
    files = {one.path: one.data for one in found if one.data is not None}
    authors = {one.by for one in found}
    by = PERSON if PERSON in authors else min(authors, default=PERSON)
    return history.commit(files, message=message[:200], when=call.now, by=by)


def no_first(wrong: Problem, place: str, there: AbstractSet[str]) -> Finding:
    """Why the files that are there are no first version.

    Args:
        wrong: one of the problems.
        place: the path of the file that it is about.
        there: the files that there are, relative to the memory root.
    """
    message = wrong.message
    if wrong.path not in there:
        other = min(there & {HANDBOOK, SUMMARY}, default=wrong.path)
        message = f"`{other}` is there, and `{wrong.path}` is missing, so this is no notebook."
    return finding("VM972", message, path=place, line=wrong.line, remedy=first_remedy(wrong))


def first_remedy(wrong: Problem) -> str:
    """What to do about a problem before the first version: there is none to have back."""
    return _BOTH if wrong.remedy == BACK else wrong.remedy


_BOTH = (
    "Write both `MEMORY.md` and `memory_summary.md`, or move what is there out of the memory root; "
    "until then no notebook is made."
)
