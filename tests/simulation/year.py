"""Live a year with a vault: sessions that are told, cite and correct, and a person who decides.

Every day has a session on each of two machines that share the vault; each asks for what matters
now, is told what vaultmem tells, cites what helped and says what is new. In between the person
writes, renames and deletes by hand, and on Sundays decides about promotions and applies what
maintenance proposes. At the end of each month the vault is measured.
"""

from __future__ import annotations

import os
import random
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.no_disk import wait_for_no_disk
from tests.simulation.person import Person, memories
from tests.simulation.stream import Fact, facts
from tests.simulation.upkeep import Costs, Upkeep
from tests.world import World
from vaultmem.app import App
from vaultmem.cli.opening import open_or_adopt
from vaultmem.config import Environment
from vaultmem.core.citation import TAG
from vaultmem.core.patch_rules import Applier
from vaultmem.core.report import CATEGORIES
from vaultmem.core.scoring import HALF_LIFE
from vaultmem.core.selection import CATEGORY_BUDGET, OVERFLOW
from vaultmem.core.standing import DAY
from vaultmem.errors import CaptureRefusedError, EditRefusedError
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.models import embedded_model
from vaultmem.services.apply import apply
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import session_end
from vaultmem.services.inject import inject
from vaultmem.services.maintaining.daily import maintain_daily
from vaultmem.services.message import capture_message
from vaultmem.services.patches import open_patches
from vaultmem.services.promote import accept, list_
from vaultmem.services.report import report
from vaultmem.services.session_start import session_start
from vaultmem.services.sync import ensure_current, sync
from vaultmem.services.telemetry import replied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.world import Device
    from vaultmem.core.report import Report
    from vaultmem.services.call import Call

BEGIN = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
SESSIONS = 2
"""A day, each on another machine."""
MONTH = 30
COLD = 3
"""Half-lives without use after which a memory should have left the report."""


class Measure(NamedTuple):
    """The vault at the end of a month.

    Attributes:
        day: from 0.
        known: memories that were ever captured.
        standing: those that the report holds.
        fresh, recalled: cited within the last half-life; those of them that the report holds or a
            search for what the user asks finds among its first ten.
        cold, gone: never cited for three half-lives; those of them that the report does not hold.
        forced, kept: pinned or enforced; those of them that the report holds.
        notes: Markdown files in the memory root.
        deleted: captured memories whose note the person deleted.
        files: the others of them whose note is still there.
        words, lost_words: sentences that the person wrote into notes; those that are gone.
        promoted: proposals that the person accepted.
        archived: memories in the archive.
        overflow: memories by which the categories exceed their budgets and the pool together.
        tokens: of the report.
        upkeep: what the vault weighs and what the month cost.
    """

    day: int
    known: int
    standing: int
    fresh: int
    recalled: int
    cold: int
    gone: int
    forced: int
    kept: int
    notes: int
    deleted: int
    files: int
    words: int
    lost_words: int
    promoted: int
    archived: int
    overflow: int
    tokens: int
    upkeep: Upkeep


@dataclass(slots=True)
class Lived:
    """One fact's life so far: its memory and the days on which a reply used it."""

    fact: Fact
    id: str
    used: list[int] = field(default_factory=list)

    def rests(self, day: int) -> float:
        """Half-lives since it was last used or else captured."""
        last = self.used[-1] if self.used else self.fact.born
        return (day - last) * DAY / HALF_LIFE[self.fact.category.value]


class Year:
    """The vault, its person and the agent; `live` yields a measure a month."""

    def __init__(self, folder: Path, *, days: int, per_day: float, seed: int = 1) -> None:
        """Take the length of the year in days and the facts that a day brings on average."""
        self.world = World(folder)
        self._days = days
        self._chance = random.Random(seed)
        self._facts = facts(seed, days, per_day=per_day)
        self._lives: dict[int, Lived] = {}
        self._now = BEGIN
        self._person = Person(self.world.vault, random.Random(seed))
        self._promoted = 0
        self._costs = Costs()
        self._embedder = FastEmbedder(embedded_model(), threads=1)

    def live(self) -> Iterator[Measure]:
        """Every day in turn."""
        with self._process() as app:
            sync(app.call())  # a person's first command gives the vault its id and key
        self.world.device()
        for day in range(self._days):
            self._now = BEGIN + timedelta(days=day)
            self._by_hand(day)
            for number, device in enumerate(self.world.devices):
                self._session(day, f"day{day}-{number}", device)
                self._now += timedelta(hours=3)
            with self._process() as app:
                session_start(app.call())
                maintain_daily(app.call())
                if day % 7 == 6:
                    self._decide(app.call())
                    self._promote(app.call())
            if day % MONTH == MONTH - 1 or day == self._days - 1:
                yield self._measure(day)

    def close(self) -> None:
        """End what the world began."""
        self.world.close()

    def _process(self, device: Device | None = None) -> App:
        home = (device or self.world.here).home
        app = App(
            env=Environment(home=str(home)),
            cwd=self.world.vault,
            vault=str(self.world.vault),
            now=lambda: self._now,
            random=self._chance.randbytes,
            embedder=lambda: self._embedder,
        )
        open_or_adopt(app)
        return app

    def _by_hand(self, day: int) -> None:
        """What the person did in the vault since yesterday, and the first sync of the day."""
        self._person.live(day, self._now, spared=frozenset(one.id for one in self._forced(day)))
        _age(self.world.vault, self._now - timedelta(hours=1))
        with self._process() as app:
            self._costs.sync(lambda: sync(app.call()))

    def _session(self, day: int, session: str, device: Device) -> None:
        """One on a device; the agent's events are policy's, as in `vaultmem serve`."""
        with self._process(device) as app:
            touched = self._touched(day)
            for fact in touched:
                self._now += timedelta(minutes=5)
                call = app.call().by_policy()
                told = inject(call, app.engine, prompt=fact.prompt, session=session)
                life = self._lives.get(fact.number)
                if life is None:
                    self._learn(fact)
                elif fact.wrong_on == day:
                    text = fact.statement.replace("Use ", "No, never use ")
                    capture_message(call, app.engine, text, session=session)
                elif any(one.id == life.id for one in told.told):
                    text = f"Done.\n<{TAG}>\n{life.id}\n</{TAG}>"
                    if life.id in replied(call, text, session=session).used:
                        life.used.append(day)
            session_end(app.call().by_policy())

    def _touched(self, day: int) -> list[Fact]:
        """What the session is about: what is new today, what is wrong, and what it happens to use."""
        return [
            fact
            for fact in self._facts
            if fact.born <= day < fact.over
            and not self._is_deleted(fact)
            and (
                fact.number not in self._lives
                or fact.wrong_on == day
                or self._chance.random() < fact.rate / SESSIONS
            )
        ]

    def _is_deleted(self, fact: Fact) -> bool:
        life = self._lives.get(fact.number)
        return life is not None and life.id in self._person.deleted

    def _learn(self, fact: Fact) -> None:
        wish = Wish(
            text=fact.statement,
            category=fact.category,
            pin=fact.pinned,
            trigger=f"bash_contains {fact.statement.split()[1]} --force" if fact.enforced else None,
            action="warn" if fact.enforced else None,
        )
        with self._process() as app:
            done = add(app.call(), app.engine, wish)
        assert done.outcome == "added", (fact, done)
        self._lives[fact.number] = Lived(fact, str(done.id))

    def _decide(self, call: Call) -> None:
        """What the person does with the patches that wait: all of what is proposed."""
        for opened in open_patches(call):
            apply(
                call,
                opened.patch,
                applier=Applier.PERSON,
                selected=opened.every,
                via="patch",
                opened=opened,
            )

    def _promote(self, call: Call) -> None:
        """The person accepts each promotion that is proposed and needs no more words."""
        ensure_current(call)
        for one in list_(call):
            with suppress(EditRefusedError, CaptureRefusedError):
                self._promoted += accept(call, one.id).outcome == "accepted"

    def _live(self, day: int) -> list[Lived]:
        """What was captured, never said to be wrong, and not deleted."""
        return [
            one
            for one in self._lives.values()
            if (one.fact.wrong_on is None or one.fact.wrong_on > day)
            and one.id not in self._person.deleted
        ]

    def _forced(self, day: int) -> list[Lived]:
        return [one for one in self._live(day) if one.fact.pinned or one.fact.enforced]

    def _measure(self, day: int) -> Measure:
        _age(self.world.vault, self._now - timedelta(hours=1))
        with self._process() as app:
            sync(app.call())  # nothing is new to the report, as at most times of a day
            made = report(app.call())
            standing = {name for section in made.sections for name in section.ids}
            live, forced = self._live(day), self._forced(day)
            fresh = [one for one in live if one.used and one.rests(day) <= 1]
            cold = [one for one in live if one.rests(day) >= COLD and one not in forced]
            kept = memories(self.world.vault)
            notes = list((self.world.vault / "Memory").rglob("*.md"))
            return Measure(
                day=day,
                known=len(self._lives),
                standing=len(standing),
                fresh=len(fresh),
                recalled=sum(one.id in standing or self._found(app, one) for one in fresh),
                cold=len(cold),
                gone=sum(one.id not in standing for one in cold),
                forced=len(forced),
                kept=sum(one.id in standing for one in forced),
                notes=len(notes),
                deleted=len(self._person.deleted & {one.id for one in self._lives.values()}),
                files=len(kept.keys() & {one.id for one in self._lives.values()}),
                words=len(self._person.words),
                lost_words=self._person.lost_words(kept),
                promoted=self._promoted,
                archived=sum(note.parent.name == "Archive" for note in notes),
                overflow=_overflow(made),
                tokens=made.tokens,
                upkeep=self._costs.upkeep(
                    self.world.vault, self.world.here.home / "state", lambda: report(app.call())
                ),
            )

    def _found(self, app: App, life: Lived) -> bool:
        """Whether the memory is told to whoever asks for what it is about."""
        told = inject(app.call(), app.engine, prompt=life.fact.prompt)
        return any(one.id == life.id for one in told.told)


def _overflow(made: Report) -> int:
    held = {one.name: len(one.ids) for one in made.sections}
    beyond = (
        max(held.get(section.name, 0) - CATEGORY_BUDGET[category], 0)
        for category, section in CATEGORIES.items()
    )
    return max(sum(beyond) - OVERFLOW, 0)


def _age(vault: Path, at: datetime) -> None:
    """Let what was saved since be of `at`: files of a later day than today's are read at each look."""
    for place in vault.rglob("*"):
        if place.is_file() and place.stat().st_mtime > at.timestamp():
            os.utime(place, (at.timestamp(), at.timestamp()))


@contextmanager
def no_disk() -> Iterator[None]:
    """Wait for no disk: a year has some ten thousand writes."""
    with pytest.MonkeyPatch.context() as patched:
        wait_for_no_disk(patched)
        yield
