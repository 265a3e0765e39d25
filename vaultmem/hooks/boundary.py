"""The hook boundary: what goes wrong here breaks no turn of the agent, and a bug leaves a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from vaultmem.errors import VaultError, VaultmemError
from vaultmem.store.crash_log import log_crash

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.hooks.here import Here

T = TypeVar("T")
R = TypeVar("R")


def guarded(
    here: Here,
    work: Callable[[], T],
    *,
    failed: Callable[[VaultmemError], R],
    bug: Callable[[], R],
) -> T | R:
    """Do it; where that fails, say what comes instead.

    Args:
        here: the thread's view, which is opened anew where it may be what is wrong.
        work: what may fail.
        failed: for an error that somebody can mend.
        bug: for anything else, which was logged.
    """
    try:
        return work()
    except VaultmemError as error:
        if isinstance(error, VaultError):
            here.forget()
        return failed(error)
    except Exception:  # noqa: BLE001 - the boundary (EXAMPLES 6): logged, and `doctor` names the log
        here.forget()
        log_crash(here.shared.home.crash_log)
        return bug()


def or_else(here: Here, work: Callable[[], T], otherwise: T) -> T:
    """A part of an answer; where it fails the rest is answered without it."""
    return guarded(here, work, failed=lambda _: otherwise, bug=lambda: otherwise)
