"""A verb that is done while this machine's clock is wrong."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from tests.services.crash_driver import Ended, in_child
from tests.world import Device

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Jump(NamedTuple):
    """How wrong the clock is.

    Attributes:
        name: for the id of a test.
        span: added to the time.
        zone: the time zone that is set; empty for the one that is.
    """

    name: str
    span: timedelta = timedelta()
    zone: str = ""


JUMPS = (
    Jump("back a year", timedelta(days=-365)),
    Jump("ahead ten years", timedelta(days=3_650)),
    Jump("summer time ends", zone="HERE+1"),  # POSIX counts westward: an hour earlier
    Jump("another day's zone", zone="THERE-14"),
)


def at_another_time(verb: Callable[[], object], jump: Jump) -> Ended:
    """Run `verb` in a child whose clock has jumped."""
    return in_child(verb, lambda: _set(jump))


def _set(jump: Jump) -> None:
    real = Device.__init__

    def begin(self: Device, vault: Path, home: Path, *, seed: int) -> None:
        real(self, vault, home, seed=seed)
        self.ahead += jump.span

    Device.__init__ = begin
    if jump.zone:
        os.environ["TZ"] = jump.zone
        time.tzset()
