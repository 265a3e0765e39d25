"""One machine of the state machine: its app is built once, and anew after a crash."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.services.crash_driver import Ended, kill_at
from vaultmem.cli.opening import open_or_adopt
from vaultmem.services.call import Actor, Call
from vaultmem.services.sync import SyncResult, sync
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import Device
    from vaultmem.app import App
    from vaultmem.core.standing import Standing
    from vaultmem.store.baseline import Baseline
    from vaultmem.store.baseline_rows import MemoryRow

AGENT = "pi"


class Station:
    """A device with a person and an agent before it."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.behind = False
        """Whether another machine deleted something since this one looked."""
        self.seen: set[str] = set()
        """Ids of the memories that were in force here at some look."""
        self._app: App | None = None
        self._crashes = 0

    @property
    def app(self) -> App:
        """The process that runs now."""
        if self._app is None:
            self._app = self.device.app()
            open_or_adopt(self._app)
        return self._app

    @property
    def baseline(self) -> Baseline:
        """What the machine knows."""
        return self.app.vault.baseline

    def person(self) -> Call:
        """The circumstances of a verb that a person types."""
        return self.app.call()

    def agent(self) -> Call:
        """Those of a verb that an agent calls."""
        return self.person()._replace(actor=Actor.AGENT, agent=AGENT)

    def sync(self, *, agent: bool = False) -> SyncResult:
        """What `vaultmem sync` does; the person meant every deletion."""
        call = self.agent() if agent else self.person()
        done = sync(call, accept_deletions=not agent)
        self.behind = False
        return done

    def live(self) -> list[Standing]:
        """Every memory in force in some form."""
        return sorted(self.baseline.standings())

    def settled(self) -> list[MemoryRow]:
        """The memories whose note is as it was seen and nothing about it waits, by id."""
        rows = self.baseline.memories(state="live")
        return [row for row in rows if self._is_settled(row)]

    def _is_settled(self, row: MemoryRow) -> bool:
        note, place = self.baseline.note(row.path), self.device.vault_path / row.path
        return (
            note is not None
            and (note.id, note.state) == (row.id, "live")
            and len(self.baseline.notes_with_id(row.id)) == 1
            and place.exists()
            and etag_of(place.read_bytes()) == note.etag
        )

    def stop(self) -> None:
        """End the process; the next use starts another one."""
        if self._app is not None:
            self._app.__exit__(None, None, None)
            self.device._apps.remove(self._app)
            self._app = None

    def killed(self, verb: Callable[[Station], object], at: int) -> Ended:
        """Run a verb in a process that dies before its `at`th step, then start anew."""
        self.stop()
        self._crashes += 1
        return kill_at(lambda: verb(self._twin()), at)

    def _twin(self) -> Station:
        self.device._random = Random(f"{self.device.home} {self._crashes}")
        return Station(self.device)
