"""A person and an agent do anything to the notes, in any order: what must hold, holds after each."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.world import World
from vaultmem.core.model import Category
from vaultmem.errors import VaultmemError
from vaultmem.notes.codec import decode_memory
from vaultmem.services.capture import Wish, add
from vaultmem.services.ratify import ratify

PLACES = st.sampled_from(
    [
        f"Memory/{folder}/{name}.md"
        for folder in ("Lessons", "Decisions", "Identity")
        for name in "abc"
    ]
)
AGENT_ACTS = ("edit", "create", "delete", "move", "copy", "restore", "restyle")


class Vault(RuleBasedStateMachine):
    """One vault; `dirty` while the person's last act has not been synced."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.world = World(self.folder)
        self.world.here.sync()
        self.numbers = itertools.count()
        self.by_agent: set[str] = set()
        self.ratified: set[str] = set()
        self.trash: list[tuple[Path, bytes]] = []
        self.dirty = False

    def teardown(self) -> None:
        self.world.close()
        shutil.rmtree(self.folder)

    # helpers

    def notes(self) -> list[Path]:
        every = self.world.vault.glob("Memory/*/*.md")
        return sorted(place for place in every if place.parent.name not in ("System", "Inbox"))

    def pick(self, data) -> Path | None:
        found = self.notes()
        return data.draw(st.sampled_from(found)) if found else None

    def free(self, relative: str) -> Path | None:
        place = self.world.path(relative)
        place.parent.mkdir(exist_ok=True)
        return None if place.exists() else place

    def words(self, who: str) -> str:
        return f"{who} states the fact number {next(self.numbers)}."

    def restate(self, place: Path, words: str) -> None:
        text = place.read_text()
        head = text[: text.rfind("---\n") + 4] if text.startswith("---\n") else ""
        place.write_text(f"{head}{words}\n")

    def baseline(self):
        return self.world.here.call().vault.baseline

    def in_force(self):
        rows = self.baseline().standings()
        return {row.id: row[1:] for row in rows}

    # the person

    @rule(place=PLACES, pinned=st.booleans())
    def creates(self, place, pinned):
        if (new := self.free(place)) is not None:
            block = "---\npinned: true\n---\n" if pinned else ""
            new.write_text(f"{block}{self.words('Person')}\n")
            self.dirty = True

    @rule(data=st.data())
    def edits(self, data):
        if (place := self.pick(data)) is not None:
            self.restate(place, self.words("Person"))
            self.dirty = True

    @rule(data=st.data())
    def breaks(self, data):
        place = self.pick(data)
        if place is not None and place.read_text().startswith("---\n"):
            place.write_text(place.read_text().replace("---\n", "---\nbroken: [\n", 1))
            self.dirty = True

    @rule(data=st.data())
    def mends(self, data):
        if (place := self.pick(data)) is not None:
            place.write_text(place.read_text().replace("broken: [\n", ""))
            self.dirty = True

    @rule(data=st.data())
    def restyles(self, data):
        if (place := self.pick(data)) is not None:
            text = place.read_text()
            place.write_text(text.replace("type: memory", "type: 'memory'", 1) + "\n")
            self.dirty = True

    @rule(data=st.data())
    def drops_the_id(self, data):
        if (place := self.pick(data)) is not None:
            lines = place.read_text().splitlines(keepends=True)
            place.write_text("".join(line for line in lines if not line.startswith("id:")))
            self.dirty = True

    @rule(data=st.data())
    def deletes(self, data):
        if (place := self.pick(data)) is not None:
            self.trash.append((place, place.read_bytes()))
            place.unlink()
            self.dirty = True

    @rule()
    def restores(self):
        if self.trash:
            place, text = self.trash.pop()
            if not place.exists():
                place.write_bytes(text)
                self.dirty = True

    @rule(data=st.data(), to=PLACES)
    def moves(self, data, to):
        self.syncs()
        place, new = self.pick(data), self.free(to)
        if place is not None and new is not None:
            place.rename(new)
            self.syncs()

    @rule(data=st.data(), to=PLACES)
    def copies(self, data, to):
        self.syncs()
        place, new = self.pick(data), self.free(to)
        if place is not None and new is not None:
            shutil.copy(place, new)
            self.syncs()

    @rule()
    def adds(self):
        app = self.world.here.app()
        wish = Wish(text=self.words("Person"), category=Category.LESSON, pin=True)
        add(app.call(), app.engine, wish)
        self.dirty = False

    @rule(data=st.data())
    def ratifies(self, data):
        if (place := self.pick(data)) is not None:
            name = place.relative_to(self.world.vault).as_posix()
            with suppress(VaultmemError):  # nothing there to accept
                self.ratified.add(ratify(self.world.here.call(), name).statement)
            self.dirty = False

    @rule()
    def syncs(self):
        self.world.here.sync(accept_deletions=True)
        self.dirty = False

    @rule(days=st.sampled_from([1, 8]))
    def waits(self, days):
        self.world.here.pass_time(days=days)

    # the agent

    @rule(data=st.data(), act=st.sampled_from(AGENT_ACTS), to=PLACES)
    def agent(self, data, act, to):
        if self.dirty:
            self.syncs()
        place, new = self.pick(data), self.free(to)
        before = self.in_force()
        if act == "create" and new is not None:
            words = self.words("Agent")
            self.by_agent.add(words)
            new.write_text(f"---\npinned: true\n---\n{words}\n")
        elif act == "restore" and self.trash:
            back, text = self.trash[-1]
            if not back.exists():
                back.write_bytes(text)
        elif place is not None:
            self._agent_does(act, place, new)
        done = self.world.here.sync(agent="pi")
        assert [one for one in done.changes if one.by == "person"] == []
        # time may end a grace, which takes nothing into force
        assert {key: row for key, row in self.in_force().items() if before.get(key) != row} == {}
        assert before.keys() == self.in_force().keys()
        assert self.world.here.sync().changes == ()
        assert before == self.in_force()

    def _agent_does(self, act: str, place: Path, new: Path | None) -> None:
        if act == "edit":
            words = self.words("Agent")
            self.by_agent.add(words)
            self.restate(place, words)
        elif act == "delete":
            place.unlink()
        elif act == "restyle":
            place.write_text(place.read_text() + "\n")
        elif act == "move" and new is not None:
            place.rename(new)
        elif act == "copy" and new is not None:
            shutil.copy(place, new)

    # what must hold

    @invariant()
    def nothing_of_the_agents_is_in_force(self):
        for row in self.baseline().standings():
            assert row.statement not in self.by_agent - self.ratified
            assert row.layer != "L1" or not row.force or row.statement in self.ratified

    @rule()
    def a_second_sync_is_quiet_and_the_notes_are_what_is_in_force(self):
        self.world.here.sync(accept_deletions=True)
        self.dirty = False
        bytes_before = self.world.snapshot()
        again = self.world.here.sync(accept_deletions=True)
        assert (again.changes, again.applied) == ((), 0)
        assert self.world.snapshot() == bytes_before
        reported = {one.path for one in again.findings} | self.baseline().external()
        live = {row.path: row for row in self.baseline().standings()}
        for path, row in live.items():
            if path not in reported:
                memory = decode_memory(self.world.path(path).read_bytes(), path=path).memory
                assert (memory.id, memory.statement) == (row.id, row.statement)
        for place in self.notes():
            path = place.relative_to(self.world.vault).as_posix()
            assert path in live or path in reported, "what the person wrote is in force, or told"


TestVault = Vault.TestCase
TestVault.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
