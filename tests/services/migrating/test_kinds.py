"""Each kind of store is imported through the one write path, and every record has one fate."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.importers.test_memories_db import database, row
from tests.store.importers.test_notebook import HANDBOOK, SUMMARY
from tests.store.importers.topic_files import of, promotion, score, snapshot, topic, write
from tests.world import World
from vaultmem.core.importing.item import ImportKind
from vaultmem.core.importing.plan import Fate
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.gather import gather

BASIC = Path("tests/fixtures/basic_memory/tide").absolute()
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6g7H8"


def pi_config(root):
    topic(
        root,
        "lessons",
        "- [lesson] Add files by name. *(enforced)*",
        f"- [lesson] Use {SECRET}.",
        "- [hint] x",
    )
    topic(
        root,
        "preferences",
        "- [preference] You can merge this PR.",
        "- [preference] Be brief. *(pinned)*",
    )
    force = score("lesson", trigger="bash_contains git add .", action="block")
    write(root, "memory-scores.jsonl", snapshot(**{of("lesson", "Add files by name."): force}))
    write(root, "promotions.md", promotion("a" * 12, text="Run it twice.", destination="skill"))
    write(root, "preference-candidates.jsonl", '{"text": "I prefer tea."}\n')


def memories_db(root):
    root.mkdir()
    database(
        root / "memories.db",
        row("Add files by name."),
        row("A.", category="gossip"),
        row("Be brief.", details="Said so."),
    )


def notebook(root):
    write(root, "MEMORY.md", HANDBOOK)
    write(root, "memory_summary.md", SUMMARY)
    write(root, "extensions/ad_hoc/notes/20260301T100000-a.md", "Add files by name.\n")


def markdown(root):
    write(root, "lessons.md", "- Add files by name.\n- [preference] Be brief.\n- [ ] Task.\n")
    write(root, "thought.md", "Perhaps use tea.\n")
    write(root, "broken.md", "---\na: [\n---\n")


def basic_memory(root):
    shutil.copytree(BASIC, root)


MADE = {
    ImportKind.PI_CONFIG: (pi_config, 2, 3),
    ImportKind.MEMORIES_DB: (memories_db, 2, 0),
    ImportKind.NOTEBOOK: (notebook, 1, 4),
    ImportKind.MARKDOWN: (markdown, 2, 1),
    ImportKind.BASIC_MEMORY: (basic_memory, 5, 0),
}
"""What makes such a store, and how many memories and candidates it gives."""


@pytest.mark.parametrize("kind", MADE)
def test_counts_in_are_counts_out_and_a_second_import_finds_everything(tmp_path, kind):
    make, memories, candidates = MADE[kind]
    root = tmp_path / "store"
    make(root)
    world = World(tmp_path / "world")
    world.here.sync()
    call = world.here.call()
    done = carry_out(call, gather(call, kind, root, project="acme/tide"))
    counts = done.plan.counts()
    assert sum(counts.values()) == done.plan.gathered.records
    assert (counts[Fate.MEMORY], counts[Fate.CANDIDATE]) == (memories, candidates)
    assert len(waiting(world.here.call())) == candidates
    notes = [one for path, one in world.notes().items() if b"\ntype: memory\n" in one]
    assert len(notes) == memories
    assert all(b"project: acme/tide" in one for one in notes)
    assert SECRET.encode() not in b"".join(world.snapshot().values())
    before = world.notes()
    call = world.here.call()
    again = carry_out(call, gather(call, kind, root, project="acme/tide")).plan.counts()
    assert (again[Fate.MEMORY], again[Fate.CANDIDATE]) == (0, 0)
    assert again[Fate.KNOWN] == memories + candidates
    assert world.notes() == before
    world.close()


def test_a_guardrail_and_a_pin_come_in_force(tmp_path):
    pi_config(tmp_path / "store")
    world = World(tmp_path / "world")
    world.here.sync()
    call = world.here.call()
    carry_out(call, gather(call, ImportKind.PI_CONFIG, tmp_path / "store", project="acme/tide"))
    found = {one.statement: one for one in world.here.call().vault.baseline.standings()}
    assert (found["Add files by name."].enforced, found["Add files by name."].force) == (1, 1)
    assert (found["Be brief."].pinned, found["Be brief."].force) == (1, 1)
    assert found["Add files by name."].evidence_count == 3
    world.close()


def test_two_projects_with_the_same_memory_keep_one_each(tmp_path):
    world = World(tmp_path / "world")
    world.here.sync()
    for name in ("a", "b"):
        root = tmp_path / name / ".pi/memory"
        root.mkdir(parents=True)
        database(root / "memories.db", row("Add files by name."))
        call = world.here.call()
        done = carry_out(call, gather(call, ImportKind.MEMORIES_DB, root))
        assert done.plan.counts()[Fate.MEMORY] == 1
    assert {one.project for one in world.here.call().vault.baseline.standings()} == {"a", "b"}
    world.close()


def test_everything_that_a_note_says_is_in_the_vault_afterwards(tmp_path):
    """However long: a memory, a candidate or a piece of evidence holds each word of it."""
    bullets = "".join(f"- Word{number:03}x, and {'more of it ' * 9}\n" for number in range(60))
    write(tmp_path / "store", "lessons.md", f"Intro.\n\n{bullets}")
    long = "".join(f"Long{number:03}x" for number in range(400))
    write(tmp_path / "store", "other.md", f"All:\n\n- Item.\n  - {long}\n")
    asked = "".join(f"Asked{number:03}x and so on.\n\n" for number in range(60))
    write(tmp_path / "book", "extensions/ad_hoc/notes/a.md", asked)
    world = World(tmp_path / "world")
    world.here.sync()
    for kind, store in ((ImportKind.MARKDOWN, "store"), (ImportKind.NOTEBOOK, "book")):
        call = world.here.call()
        carry_out(call, gather(call, kind, tmp_path / store))
    text = b"".join(world.notes().values()).decode()
    assert all(f"{word}{number:03}x" in text for word in ("Word", "Asked") for number in range(60))
    lost = [number for number in range(400) if f"Long{number:03}x" not in text]
    assert len(lost) <= 3  # where a piece ends within one
    world.close()
