"""What nobody does: time passes, a machine joins, a process dies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.faults.base import MACHINE, PICK, open_pairs, statement_in, tell
from tests.faults.governed import Governed
from tests.faults.station import Station
from tests.faults.words import STATEMENTS
from tests.services.crash_driver import DONE
from vaultmem.core.model import Category
from vaultmem.core.normal import statement_key
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Wish, add
from vaultmem.services.curate import curate, session_end
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide
from vaultmem.services.purge import purge
from vaultmem.services.report import report
from vaultmem.services.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.services.call import Call

STEP = st.integers(1, 45)
"""Steps of a verb before which it is killed; most take 20 to 40."""


class Accidents(Governed):
    """Rules of the world around."""

    @rule(at=MACHINE)
    def looks(self, at: int) -> None:
        """Every note parses, nothing reported is lost, a second sync has nothing to do."""
        self.look(self.at(at))

    @rule(at=MACHINE)
    def reports(self, at: int) -> None:
        here = self.at(at)
        told = report(here.person())
        assert told.tokens <= told.budget

    @rule(span=st.sampled_from([{"minutes": 3}, {"minutes": 11}, {"days": 8}]))
    def time_passes(self, span: dict[str, int]) -> None:
        self.pass_time(**span)
        if "days" in span:
            for here in self.stations:
                here.sync()
            self._graces_are_over()

    def _graces_are_over(self) -> None:
        """What was missing for seven days is deleted, and may not come back by the machine."""
        here = self.stations[0]
        for identifier, (_, data) in sorted(self.vanished.items()):
            row = here.baseline.memory(identifier)
            if row is not None and row.state == "gone":
                self.deleted(here, identifier, statement_in(data))

    @precondition(lambda self: len(self.stations) == 1)
    @rule()
    def another_machine_joins(self) -> None:
        self.stations.append(Station(self.world.device()))
        self.stations[-1].device.ahead = self.stations[0].device.ahead
        self.stations[-1].sync()

    # kill -9

    @rule(at=MACHINE, text=PICK, step=STEP)
    def dies_adding(self, at: int, text: int, step: int) -> None:
        words = STATEMENTS[text]
        self.told.say(words)

        def verb(here: Station) -> str:
            wish = Wish(text=words, category=Category.LESSON)
            return add(here.person(), here.app.engine, wish).outcome

        if self._dies(at, step, verb) == "added":
            assert words in {one.statement for one in self.at(at).live()}

    @rule(at=MACHINE, step=STEP)
    def dies_syncing(self, at: int, step: int) -> None:
        self._dies(at, step, lambda here: here.sync().created)

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE, one=PICK, decision=st.sampled_from(Decision), step=STEP)
    def dies_deciding(self, at: int, one: int, decision: Decision, step: int) -> None:
        here = self.at(at)
        here.sync()
        waits = self.pick(one, self.candidates(here))
        if waits is None:
            return
        statement = waits.candidate.memory.statement
        if decision is Decision.APPROVE:
            self.told.want_back(statement)
            for identifier in self.told.kept:
                self.told.may_be(identifier, open_pairs(statement))
        said = self._dies(
            at, step, lambda here: decide(here.person(), waits.path, decision).outcome
        )
        if said == "approved":
            there = {statement_key(one.statement) for one in here.live()}
            assert statement_key(statement) in there

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK, verb=st.sampled_from(["forget", "purge"]), step=STEP)
    def dies_deleting(self, at: int, one: int, verb: str, step: int) -> None:
        here = self.at(at)
        here.sync()
        row = self.settled(at, one)
        if row is None:
            return
        statement = here.baseline.standing(row.id).statement
        before = {place for place in self.places_of(statement) if place.endswith(".md")}
        act = forget if verb == "forget" else purge
        said = self._dies(at, step, lambda here: act(here.person(), row.id))
        over = "deleted" if verb == "forget" else ""
        live = [one for one in here.live() if one.id == row.id and one.status != over]
        assert not (said and live), "it was reported"
        if live:
            return
        self.deleted(here, row.id, statement)
        if verb == "purge":
            assert not self.world.path(row.path).exists()
            self.forget_bytes(row.id, statement)
            alone = before == {self.world.path(row.path).as_posix()} and len(self.stations) == 1
            assert not alone or not self.places_of(statement), self.places_of(statement)

    @rule(at=MACHINE, step=STEP)
    def dies_undoing(self, at: int, step: int) -> None:
        self._dies(at, step, lambda here: undo(here.person()))

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE, verb=st.sampled_from([session_end, curate]), step=STEP)
    def dies_curating(self, at: int, verb: Callable[[Call], object], step: int) -> None:
        here = self.at(at)
        with self.policy_at(here):
            tell(f"{here.killed(lambda here: verb(here.person()), step)}")
            here.sync()
            self._is_settled(here)

    def _dies(self, at: int, step: int, verb: Callable[[Station], object]) -> str:
        """What the verb reported, empty where it was killed; the next sync puts all in order."""
        here = self.at(at)
        with self.person_at(here):
            ended = here.killed(verb, step)
            tell(f"{ended}")
            here.sync()
            self._is_settled(here)
        return ended.said if ended.code == DONE else ""

    @staticmethod
    def _is_settled(here: Station) -> None:
        again = here.sync()
        assert (again.changes, again.applied) == ((), 0), again
