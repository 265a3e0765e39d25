"""How long an import of a whole store takes, against the first sync and index of the same notes."""

from __future__ import annotations

import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.benchmarks.figure import Figure
from tests.benchmarks.vaults import NEW_SETTINGS, SPAN, Site, memory_notes
from vaultmem.cli.opening import open_or_adopt
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportKind,
)
from vaultmem.core.model import Category, Memory
from vaultmem.services.indexing import refresh
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 3
"""Times the first sync and keyword index of the same notes that an import may take."""


def store(count: int) -> Gathered:
    """A governed store of so many memories, a piece of evidence each, made evenly over the year."""
    begin = datetime.now().replace(hour=9, minute=0, second=0, microsecond=0) - SPAN
    items = []
    for number, (path, text) in enumerate(memory_notes(count)):
        statement = text.rpartition("---\n")[2].strip()
        made = begin + SPAN * (number / count)
        said = ImportedEvidence(excerpt=statement, session=f"session {number}", created=made)
        memory = Memory(
            id=NO_ID,
            statement=statement,
            category=list(Category)[number % len(Category)],
            evidence_count=1 + number % 9,
            tags=(path.partition("/")[0].casefold(),),
            created=made,
            reinforced=made + timedelta(hours=1),
        )
        where = f"memory/L2.playbooks.jsonl:{number + 1}"
        items.append(
            ImportedItem(key=f"mem_{number}", where=where, memory=memory, evidence=(said,))
        )
    return Gathered(kind=ImportKind.PI_MEMORY, items=tuple(items))


def measure(site: Site) -> Iterator[Figure]:
    """The import into an empty vault, and the first look at the vault that it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        gathered = store(site.memories)
        vault = Path(folder) / "vault"
        settings = vault / NEW_SETTINGS[0]
        settings.parent.mkdir(parents=True)
        settings.write_text(NEW_SETTINGS[1], "utf-8")
        here = Site(Path(folder), site.memories)
        with here.app() as app:
            open_or_adopt(app)
            clock = _Clock()
            done = carry_out(app.call(), gathered)
            taken = clock.read()
        if done.skipped or len(done.plan.planned) != site.memories:
            raise SystemExit("the import left something out")
        here.home = Path(folder) / "another"
        with here.app() as app:
            open_or_adopt(app)
            clock = _Clock()
            sync(app.call())
            refresh(app.call(), app.engine)
            first = clock.read()
        of, size = "first sync + index", f"{site.memories:,}"
        goal = MOST * first.cpu  # what others do on the machine moves only the other figure
        yield Figure(f"import, CPU, {size}", taken.cpu, "s", goal, first.cpu, of)
        yield Figure(f"import, {size}", taken.wall, "s", None, first.wall, of)


class _Taken(NamedTuple):
    """Seconds of this process on a core, and by the wall clock."""

    cpu: float
    wall: float


class _Clock:
    """Begins when it is made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> _Taken:
        """What has passed since."""
        return _Taken(time.process_time() - self._cpu, time.perf_counter() - self._wall)
