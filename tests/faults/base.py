"""The stage of the state machine: a vault, its machines, and what must hold after every step."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant

from tests.faults.inert import live_markup
from tests.faults.station import Station
from tests.faults.told import IN_FORCE, Told
from tests.world import World
from vaultmem.core.context import Context
from vaultmem.core.model import Status
from vaultmem.core.normal import statement_key
from vaultmem.core.report import build_report
from vaultmem.errors import VaultmemError
from vaultmem.notes.codec import decode_memory
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.doctor import doctor
from vaultmem.services.inbox import Waiting, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.faults.tally import Trials
    from vaultmem.core.standing import Standing

Live: TypeAlias = "dict[str, Standing]"
"""The memories in force on a machine, by id."""

MACHINE = st.integers(0, 1)
PICK = st.integers(0, 5)
"""One of what is there, counted round."""

UNREADABLE = frozenset(f"VM{number}" for number in range(101, 112))
"""Findings of a note that cannot be read; in these plays nobody breaks one."""
NOT_CLEAN = frozenset({"VM405", "VM407", "VM412", "VM652", "VM653", "VM654", "VM655"})
"""Findings that only an agent's forgery can be the reason of."""


class Stage(RuleBasedStateMachine):
    """Sets the stage, watches every step, and looks at everything at the end."""

    place: ClassVar[str | None] = None
    """Where the vaults are made; None for the system's temporary folder."""
    trials: ClassVar[Trials | None] = None
    """Counts the plays."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="vaultmem-play-", dir=self.place))
        self.world = World(self.folder)
        self.stations = [Station(self.world.here)]
        self.told = Told()
        self.forged = False
        self.broken: dict[str, bytes] = {}
        """By path, what a note held that the person broke by hand."""
        self.copied = False
        self.vanished: dict[str, tuple[str, bytes]] = {}
        """By id, where a note was that the person deleted by hand, and its bytes."""
        self.stations[0].sync()

    # what rules use

    def at(self, number: int) -> Station:
        """One of the machines."""
        return self.stations[number % len(self.stations)]

    @staticmethod
    def pick(number: int, things: Sequence[object]):
        """One of what is there; None where nothing is."""
        return things[number % len(things)] if things else None

    def settled(self, at: int, one: int):
        """A memory that can be edited by hand: its note says what is in force."""
        return self.pick(one, self.at(at).settled())

    def candidates(self, here: Station) -> list[Waiting]:
        """What waits in the inbox."""
        return waiting(here.person())

    def has_memories(self) -> bool:
        """Whether anything is in force."""
        return bool(self.stations[0].live())

    def has_candidates(self) -> bool:
        """Whether anything waits."""
        return any(self.world.path("Memory/Inbox").glob("*.md"))

    def has_notes(self) -> bool:
        """Whether there is a memory or something that waits."""
        return bool(self.own_notes())

    def own_notes(self) -> list[str]:
        """The notes of memories and of what waits, by path."""
        return sorted(
            place.relative_to(self.world.vault).as_posix()
            for place in self.world.path("Memory").glob("*/*.md")
        )

    def deleted(self, here: Station, identifier: str, statement: str) -> None:
        """A person deleted a memory here; the other machines know it at their next look."""
        self.told.delete(identifier, statement, here.live())
        for other in self.stations:
            other.behind = other is not here

    def is_broken(self, path: str | None) -> bool:
        """Whether the person broke the note that lies there, or lay elsewhere before."""
        names = {broken.rpartition("/")[2] for broken in self.broken}
        return (path or "").rpartition("/")[2] in names

    def keep(self, here: Station, identifier: str, statement: str, status: str = "active") -> None:
        """A verb reported here that the memory holds this from now on."""
        self.told.keep(identifier, statement, status)
        here.seen.add(identifier)

    @contextmanager
    def live_around(self, here: Station) -> Iterator[tuple[Live, Live]]:
        """What is in force here before an act, and after it, which is filled when it is over."""
        here.sync()
        before = {one.id: one for one in here.live()}
        after: Live = {}
        try:
            yield before, after
        except VaultmemError as error:
            tell(f"refused: {error}")
        after |= {one.id: one for one in here.live()}

    @contextmanager
    def person_at(self, here: Station) -> Iterator[None]:
        """A verb of the person's: what it changes, it may; the words must be theirs all the same."""
        with self.live_around(here) as (before, after):
            yield
        for identifier in before.keys() | after.keys():
            self._trust(identifier, before.get(identifier), after.get(identifier))

    def _trust(self, identifier: str, old: Standing | None, new: Standing | None) -> None:
        if new is not None and new.force and not (old is not None and old.force):
            self.told.acting.add(identifier)
        if _pair(old) == _pair(new):
            return
        if new is None:
            self.told.loosen(identifier)
        elif identifier in self.told.kept:
            self.told.keep(identifier, new.statement, new.status)

    @contextmanager
    def nobody_at(self, here: Station, *, who: str) -> Iterator[None]:
        """What an agent does, or policy may not do: nothing in force is another afterwards."""
        here.sync()
        before = [_without_counts(one) for one in here.live()]
        try:
            yield
        except VaultmemError as error:
            tell(f"refused: {error}")
        after = [_without_counts(one) for one in here.live()]
        assert after == before, f"{who} changed what is in force: {set(before) ^ set(after)}"

    # what must hold after every step

    @invariant()
    def only_what_people_said_is_in_force(self) -> None:
        """DESIGN §12 nos. 4, 5, 6, 17."""
        for here in self.stations:
            live = here.live()
            assert not (faults := self.told.faults(live, behind=here.behind)), faults
            self._report_tells_the_truth(here, live)

    def _report_tells_the_truth(self, here: Station, live: list[Standing]) -> None:
        """DESIGN §12 nos. 8, 9."""
        told = build_report(live, Context(now=here.person().seconds))
        by_id = {one.id: one for one in live}
        for section in told.sections:
            for identifier in section.ids:
                one = by_id[identifier]
                assert one.status in ("active", "contested"), (section.name, one)
                if section.name in ("hard_rules", "identity", "pinned"):
                    assert one.force, (section.name, one)
                    assert one.status == "active" or section.name != "hard_rules", one
                assert (one.status == "contested") == (section.name == "contested"), one

    # what must hold at the end, and where a rule asks for it

    def look(self, here: Station) -> None:
        """Sync one machine: every note parses, nothing reported is lost, nothing is left to do."""
        done = here.sync()
        codes = {one.code for one in done.findings if not self.is_broken(one.path)}
        assert not codes & UNREADABLE, done.findings
        assert self.forged or not codes & NOT_CLEAN, done.findings
        again = here.sync()
        assert (again.changes, again.applied) == ((), 0), again
        live = here.live()
        here.seen |= {one.id for one in live}
        assert not (lost := self.told.lost(live, here.seen)), lost
        self._notes_are_inert()

    def _notes_are_inert(self) -> None:
        """DESIGN §12 nos. 2, 16."""
        for path, data in self.world.notes().items():
            if path.endswith(".md") and not self.is_broken(path):
                get_properties(data)
                assert not (found := live_markup(data)), (path, found)

    def teardown(self) -> None:
        """Look at everything once more, unless a step failed; then clear the stage."""
        if self.trials is not None:
            self.trials.add()
        try:
            if sys.exc_info()[0] is None:
                self._last_look()
        finally:
            for here in self.stations:
                here.stop()
            self.world.close()
            shutil.rmtree(self.folder)

    def _last_look(self) -> None:
        for _ in range(2):  # each machine sees what the others wrote
            for here in self.stations:
                here.sync()
            self.pass_time(minutes=11)
        for here in self.stations:
            self.look(here)
            self.only_what_people_said_is_in_force()
        self._machines_agree()
        self._purged_is_gone()
        for here in self.stations:
            found = doctor(here.person(), set_up=(), crash_log=self.folder / "none")
            codes = {one.code for one in found.findings if not self.is_broken(one.path)}
            assert not codes & UNREADABLE, found.findings

    def pass_time(self, **span: float) -> None:
        """All clocks go on."""
        for here in self.stations:
            here.device.pass_time(**span)

    def _machines_agree(self) -> None:
        if self.forged or self.broken:
            return  # a machine that never saw the version before cannot keep it in force
        if self.copied:
            return  # which of two equal notes came first, only a machine that saw it knows
        first, *others = (self._shared(here) for here in self.stations)
        for other in others:
            assert other == first, set(first) ^ set(other)

    def _shared(self, here: Station) -> list[tuple[str, ...]]:
        """What is in force; of a deleted text a machine may spare a twin that another never saw."""
        return [
            (one.id, one.statement, one.status, one.layer, one.path)
            for one in here.live()
            if one.status in IN_FORCE and statement_key(one.statement) not in self.told.deleted
        ]

    def _purged_is_gone(self) -> None:
        """DESIGN §12 no. 7."""
        for statement in self.told.purged:
            if statement_key(statement) in self.told.stones:
                assert not (left := self.places_of(statement)), (statement, left)

    def places_of(self, statement: str) -> list[str]:
        """Every file below vault and homes that holds the statement, or is named after it."""
        words = statement.rstrip(".").encode()
        return [
            place.as_posix()
            for place in self.folder.rglob("*")
            if statement.rstrip(".") in place.name
            or (place.is_file() and words in place.read_bytes())
        ]


def tell(text: str) -> None:
    """Say what happened; a play that fails shows it between its steps."""
    if currently_in_test_context():
        note(text)
    else:
        print(text)


def statement_in(data: bytes) -> str:
    """What a memory's note says."""
    return decode_memory(data, path="Memory/Lessons/x.md").memory.statement


def open_pairs(statement: str) -> set[tuple[str, str]]:
    """A memory that holds this statement in any status."""
    return {(statement_key(statement), status.value) for status in Status}


def _pair(one: Standing | None) -> tuple[str, str] | None:
    return None if one is None else (statement_key(one.statement), one.status)


def _without_counts(one: Standing) -> Standing:
    return one._replace(evidence_count=0.0, reinforced=0.0)
