"""What the person does: by command, and by hand in the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.faults.base import MACHINE, PICK, Stage, open_pairs, statement_in, tell
from tests.faults.words import SECOND_THOUGHTS, STATEMENTS
from vaultmem.core.ids import with_prefix
from vaultmem.core.model import Category
from vaultmem.core.normal import statement_key
from vaultmem.notes.body import replace_statement
from vaultmem.notes.candidate import Decision
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.capture import Wish, add
from vaultmem.services.inbox import decide
from vaultmem.services.ratify import ratify

if TYPE_CHECKING:
    from vaultmem.services.candidates import Waiting

CATEGORIES = (Category.LESSON, Category.DECISION)
FOLDERS = ("Lessons", "Decisions", "Preferences")
BROKEN = b"broken: [\n"  # a line that no reader of properties gets past


class Person(Stage):
    """Rules of the person."""

    # by command

    @rule(
        at=MACHINE, text=PICK, category=st.sampled_from(CATEGORIES), pin=st.booleans(),
        override=st.booleans(),
    )  # fmt: skip
    def adds(self, at: int, text: int, category: Category, pin: bool, override: bool) -> None:
        here, words = self.at(at), STATEMENTS[text]
        self.told.say(words)
        with self.person_at(here):
            done = add(
                here.person(), here.app.engine, Wish(text=words, category=category, pin=pin),
                override_conflicts=override,
            )  # fmt: skip
            tell(f"add: {done.outcome} {done.id}")
            if done.outcome == "added":
                assert statement_key(words) not in self.told.stones, "a deleted text needs approval"
                self.keep(here, done.id, words)

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE, one=PICK, decision=st.sampled_from(Decision))
    def decides(self, at: int, one: int, decision: Decision) -> None:
        here = self.at(at)
        here.sync()
        waits = self.pick(one, self.candidates(here))
        if waits is None:
            return
        if decision is Decision.APPROVE:
            self._stands_behind(here, waits)
        with self.person_at(here):
            done = decide(here.person(), waits.path, decision)
            tell(f"{decision}: {done}")
            if done.outcome == "approved":
                self._approved(here, done.id)

    @precondition(lambda self: self.has_candidates())
    @rule(at=MACHINE, one=PICK, word=st.sampled_from(["approve", "Reject", "DEFER", "ok", "maybe"]))
    def decides_in_the_note(self, at: int, one: int, word: str) -> None:
        here = self.at(at)
        here.sync()
        waits = self.pick(one, self.candidates(here))
        if waits is None:
            return
        if word in ("approve", "ok"):
            self._stands_behind(here, waits)
        place = self.world.path(waits.path)
        with self.person_at(here):
            place.write_bytes(set_properties(place.read_bytes(), {"decision": word}))
            here.sync()

    def _stands_behind(self, here, waits) -> None:
        """An approval stands behind the words, and behind the note that an external one shows."""
        self.told.want_back(waits.candidate.memory.statement)
        self.told.acting.add(with_prefix(waits.id, "mem"))  # another machine may do it later
        if _is_external(waits):
            for identifier in self.told.kept:
                self.told.may_be(identifier, open_pairs(waits.candidate.memory.statement))

    def _approved(self, here, identifier: str) -> None:
        self.told.gone.discard(identifier)
        standing = here.baseline.standing(identifier)
        assert standing is not None, "it was reported"
        self.told.acting.add(identifier)
        self.keep(here, identifier, standing.statement, standing.status)

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def ratifies(self, at: int, one: int) -> None:
        here = self.at(at)
        row = self.pick(one, here.baseline.memories(state="live"))
        if row is None:
            return
        for held in here.baseline.notes_with_id(row.id):
            self._stands_behind_note(row.id, held.path)
        self.told.identity.add(row.id)
        self.told.acting.add(row.id)
        with self.person_at(here):
            tell(f"ratify: {ratify(here.person(), row.id)}")

    def _stands_behind_note(self, identifier: str, path: str) -> None:
        place = self.world.path(path)
        if path in self.broken:
            return
        if place.exists():
            words = statement_in(place.read_bytes())
            self.told.want_back(words, identifier)
            self.told.may_be(identifier, open_pairs(words))
        else:
            self.told.loosen(identifier)

    # by hand

    @rule(
        at=MACHINE, text=PICK, folder=st.sampled_from((*FOLDERS, "Inbox")), pinned=st.booleans(),
        number=st.integers(1, 3),
    )  # fmt: skip
    def writes_a_note(self, at: int, text: int, folder: str, pinned: bool, number: int) -> None:
        here = self.at(at)
        path = f"Memory/{folder}/hand {number}.md"
        if self.world.path(path).exists():
            return
        self.told.say(STATEMENTS[text])
        front = "---\npinned: true\n---\n" if pinned else ""
        with self.person_at(here):
            self.world.write(path, f"{front}{STATEMENTS[text]}\n")
            here.sync()

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK, words=st.sampled_from(SECOND_THOUGHTS + STATEMENTS))
    def edits_a_statement(self, at: int, one: int, words: str) -> None:
        row = self.settled(at, one)
        if row is None:
            return
        self.told.say(words)
        self.told.spare(words, row.id)
        place = self.world.path(row.path)
        place.write_bytes(replace_statement(place.read_bytes(), words))
        statuses = {status for _, status in self.told.kept.get(row.id, set())}
        self.told.may_be(row.id, {(statement_key(words), status) for status in statuses})

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK, status=st.sampled_from(["contested", "deprecated", "active"]))
    def edits_a_status(self, at: int, one: int, status: str) -> None:
        row = self.settled(at, one)
        if row is None:
            return
        place = self.world.path(row.path)
        place.write_bytes(set_properties(place.read_bytes(), {"status": status}))
        if row.id in self.told.gone:  # it was forgotten: the person wants it back
            self.told.want_back(statement_in(place.read_bytes()), row.id)
        keys = {key for key, _ in self.told.kept.get(row.id, set())}
        self.told.may_be(row.id, {(key, status) for key in keys})

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def pins_by_hand(self, at: int, one: int) -> None:
        row = self.settled(at, one)
        if row is None:
            return
        place = self.world.path(row.path)
        place.write_bytes(set_properties(place.read_bytes(), {"pinned": True}))
        self.told.acting.add(row.id)

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK, folder=st.sampled_from(FOLDERS))
    def moves_a_note(self, at: int, one: int, folder: str) -> None:
        row = self.settled(at, one)
        if row is None:
            return
        target = self.world.path(f"Memory/{folder}/{row.path.rpartition('/')[2]}")
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            self.world.path(row.path).rename(target)

    @precondition(lambda self: self.has_notes())
    @rule(one=PICK)
    def saves_a_note_again(self, one: int) -> None:
        """A linter or a plugin adds a line below; that is no decision and accepts nothing."""
        path = self.pick(one, self.own_notes())
        place = self.world.path(path)
        place.write_bytes(place.read_bytes().rstrip() + b"\n\nSeen.\n")

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def breaks_a_note(self, at: int, one: int) -> None:
        """The last good version stays in force; the next step may be anything."""
        row = self.settled(at, one)
        if row is None or row.path in self.broken:
            return
        for other in self.stations:  # each machine keeps the last good version that it saw
            other.sync()
        place = self.world.path(row.path)
        self.broken[row.path] = place.read_bytes()
        place.write_bytes(place.read_bytes().replace(b"---\n", b"---\n" + BROKEN, 1))

    @precondition(lambda self: self.broken)
    @rule(one=PICK)
    def mends_a_note(self, one: int) -> None:
        """Where it lies now: an agent or the machine may have moved it since it was broken."""
        broken = self.pick(one, sorted(self.broken))
        data = self.broken.pop(broken)
        for path, found in self.world.notes().items():
            if BROKEN in found and path.rpartition("/")[2] == broken.rpartition("/")[2]:
                self.told.say(statement_in(data))
                self.world.path(path).write_bytes(data)

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def copies_a_note(self, at: int, one: int) -> None:
        """A second note with the same id is not in force."""
        row = self.settled(at, one)
        if row is None:
            return
        copy = self.world.path(row.path.removesuffix(".md") + " again.md")
        if not copy.exists():
            self.copied = True
            copy.write_bytes(self.world.path(row.path).read_bytes())

    @precondition(lambda self: self.has_memories())
    @rule(at=MACHINE, one=PICK)
    def deletes_a_note(self, at: int, one: int) -> None:
        here = self.at(at)
        here.sync()
        row = self.settled(at, one)
        if row is None:
            return
        self.vanished[row.id] = (row.path, self.world.path(row.path).read_bytes())
        self.told.loosen(row.id)
        self.world.path(row.path).unlink()
        here.sync()
        assert row.id not in {standing.id for standing in here.live()}, "it is out of force at once"

    @precondition(lambda self: self.vanished)
    @rule(at=MACHINE, one=PICK)
    def brings_a_note_back(self, at: int, one: int) -> None:
        here = self.at(at)
        here.sync()
        identifier = self.pick(one, sorted(self.vanished))
        path, data = self.vanished.pop(identifier)
        if self.world.path(path).exists():
            return
        self.told.want_back(statement_in(data), identifier)
        self.told.acting.add(identifier)
        with self.person_at(here):
            self.world.write(path, data)
            here.sync()


def _is_external(waits: Waiting) -> bool:
    """Whether a candidate shows what an agent did to a note."""
    return any(reason.startswith("external") for reason in waits.candidate.reasons)
