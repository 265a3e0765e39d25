"""What goes through candidates, curation and patches: messages, policy, ticks, reverts, deletions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.faults.base import MACHINE, PICK, Stage, tell
from tests.faults.words import MESSAGES
from vaultmem.core.model import Status
from vaultmem.core.normal import statement_key
from vaultmem.core.patch_rules import Applier
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services import standing_change
from vaultmem.services.apply import apply
from vaultmem.services.curate import curate, session_end
from vaultmem.services.forget import forget
from vaultmem.services.message import capture_message
from vaultmem.services.patches import open_patches, reject
from vaultmem.services.purge import purge
from vaultmem.services.revert import revert
from vaultmem.services.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.station import Station
    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call

SESSIONS = st.sampled_from(["monday", "tuesday"])
VERBS: dict[str, Callable[[Call, str], object]] = {
    "pin": standing_change.pin,
    "unpin": standing_change.unpin,
    "contest": standing_change.contest,
    "uncontest": standing_change.uncontest,
    "deprecate": standing_change.deprecate,
    "exception": lambda call, name: standing_change.add_exception(
        call, name, not_when=["on Sundays"]
    ),
}


class Governed(Stage):
    """Rules of everything that is proposed before it is done."""

    @contextmanager
    def policy_at(self, here: Station) -> Iterator[None]:
        """What policy does by itself: the user's own words, no force, no status but theirs."""
        with self.live_around(here) as (before, after):
            yield
        assert not before.keys() - after.keys(), "policy deletes nothing"
        for identifier, new in after.items():
            old = before.get(identifier)
            if old is None:
                assert not new.force, "policy gives no force"
                assert statement_key(new.statement) in self.told.user | self.told.person, new
                continue
            assert new.force <= old.force, "policy gives no force"
            assert (old.status, old.pinned, old.layer) == (new.status, new.pinned, new.layer)
            if statement_key(old.statement) != statement_key(new.statement):
                assert statement_key(new.statement) in self.told.user | self.told.person, new
                self.told.may_be(identifier, {(statement_key(new.statement), new.status)})

    @rule(at=MACHINE, message=st.sampled_from(MESSAGES), session=SESSIONS)
    def user_says(self, at: int, message: str, session: str) -> None:
        here = self.at(at)
        with self.nobody_at(here, who="a message"):
            heard = capture_message(here.person(), here.app.engine, message, session=session)
            tell(f"heard: {[one.done and one.done.outcome for one in heard]}")
            for one in heard:
                self.told.user.add(statement_key(one.signal.text))
                self.told.spoken(one.signal.text)

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE)
    def session_ends(self, at: int) -> None:
        here = self.at(at)
        with self.policy_at(here):
            tell(f"session end: {session_end(here.person())}")

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE, mode=st.sampled_from(["propose", "auto"]))
    def curates(self, at: int, mode: str) -> None:
        here = self.at(at)
        with self.policy_at(here):
            done = curate(here.person(), mode=mode)
            tell(f"curate: {done.proposed} {done.applied} {[one.hold for one in done.held]}")

    # a patch that waits

    @precondition(lambda self: self.has_patches())
    @rule(at=MACHINE, one=PICK, wanted=st.sets(PICK, min_size=1))
    def applies_a_patch(self, at: int, one: int, wanted: set[int]) -> None:
        here = self.at(at)
        here.sync()
        opened = self.pick(one, open_patches(here.person()))
        if opened is None:
            return
        chosen = [op for number, op in enumerate(opened.patch.operations) if number in wanted]
        self._stands_behind_operations(chosen)
        with self.person_at(here):
            done = apply(
                here.person(),
                opened.patch,
                applier=Applier.PERSON,
                selected=frozenset(op.id for op in chosen),
                via="patch",
                opened=opened,
            )
            tell(f"apply: {done}")

    @precondition(lambda self: self.has_patches())
    @rule(at=MACHINE, one=PICK, wanted=st.sets(PICK), mark=st.sampled_from("xX-"),
          word=st.sampled_from(["apply", "Apply", "reject", "perhaps"]))  # fmt: skip
    def ticks_a_patch(self, at: int, one: int, wanted: set[int], mark: str, word: str) -> None:
        here = self.at(at)
        here.sync()
        opened = self.pick(one, open_patches(here.person()))
        if opened is None:
            return
        data = opened.data
        for number, op in enumerate(opened.patch.operations):
            if number in wanted:
                data = data.replace(f"- [ ] {op.id} ".encode(), f"- [{mark}] {op.id} ".encode())
        if word.lower() == "apply":
            self._stands_behind_operations(opened.patch.operations)
        with self.person_at(here):
            self.world.path(opened.path).write_bytes(set_properties(data, {"decision": word}))
            here.sync()

    @precondition(lambda self: self.has_patches())
    @rule(at=MACHINE, one=PICK)
    def rejects_a_patch(self, at: int, one: int) -> None:
        here = self.at(at)
        here.sync()
        opened = self.pick(one, open_patches(here.person()))
        if opened is not None:
            with self.nobody_at(here, who="a rejection"):
                reject(here.person(), opened.id)

    @rule(at=MACHINE)
    def undoes(self, at: int) -> None:
        here = self.at(at)
        with self.person_at(here):
            tell(f"undo: {undo(here.person())}")

    @precondition(lambda self: self.stations[0].app.vault.patches.rows())
    @rule(at=MACHINE, one=PICK)
    def reverts_a_patch(self, at: int, one: int) -> None:
        here = self.at(at)
        row = self.pick(one, here.app.vault.patches.rows())
        if row is None:
            return
        with self.person_at(here):
            tell(f"revert: {revert(here.person(), row.id)}")

    # one memory

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK, verb=st.sampled_from(sorted(VERBS)))
    def says_of_a_memory(self, at: int, one: int, verb: str) -> None:
        here = self.at(at)
        here.sync()
        row = self.settled(at, one)
        if row is None:
            return
        with self.person_at(here):
            tell(f"{verb}: {VERBS[verb](here.person(), row.id)}")
        if verb == "deprecate":
            assert here.baseline.standing(row.id).status != "active"

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def forgets(self, at: int, one: int) -> None:
        here = self.at(at)
        here.sync()
        row = self.settled(at, one)
        if row is None:
            return
        statement = here.baseline.standing(row.id).statement
        done = forget(here.person(), row.id)
        tell(f"forget: {done}")
        self.deleted(here, row.id, statement)

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def purges(self, at: int, one: int) -> None:
        here = self.at(at)
        here.sync()
        row = self.settled(at, one)
        if row is None:
            return
        statement = here.baseline.standing(row.id).statement
        done = purge(here.person(), row.id)
        tell(f"purge: {done}")
        assert done.finished
        self.deleted(here, row.id, statement)
        self.forget_bytes(row.id, statement)
        assert not self.world.path(row.path).exists()
        if len(self.stations) == 1 and not done.left:
            assert not (found := self.places_of(statement)), (found, done)
        if not done.left:
            self.told.purged.append(statement)

    def forget_bytes(self, identifier: str, statement: str) -> None:
        """Nobody keeps a copy of what was purged."""
        for known, (_, data) in list(self.vanished.items()):
            if known == identifier or statement.rstrip(".").encode() in data:
                del self.vanished[known]

    # what is there

    def has_patches(self) -> bool:
        return any(self.world.path("Memory/Inbox").glob("Patch *.md"))

    def _stands_behind_operations(self, operations: list[Operation]) -> None:
        """The words of what a person applies are theirs; a tombstone stays in the way."""
        for one in operations:
            words = one.memory.statement if one.memory is not None else ""
            for text in (words, str(one.changes.get("statement") or "")):
                if text:
                    self.told.say(text)
            for identifier in [one.target] if one.target is not None else []:
                keys = {key for key, _ in self.told.kept.get(identifier, set())}
                self.told.may_be(
                    identifier, {(key, status.value) for key in keys for status in Status}
                )
