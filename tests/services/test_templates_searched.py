"""A folder of templates that the person names, or no more, is out of search, or in it, at once."""

from __future__ import annotations

import pytest

from vaultmem.index.documents import Source
from vaultmem.services.indexing import feed
from vaultmem.services.search import search
from vaultmem.store.apart import TEMPLATES_FOLDER

NOTE, MEMORY = "Notes/Zebra form.md", "Memory/Lessons/Zebras.md"
SETTINGS = ".obsidian/templates.json"


@pytest.fixture
def zebras(world):
    """A memory and a note about zebras, both in the index."""
    world.memory(MEMORY, "Zebras are striped.", category="lesson")
    world.write(NOTE, "Zebra: {{title}}\n")
    assert found(world) == {NOTE, MEMORY}
    return world


def found(world):
    world.here.sync()
    app = world.here.app()
    every = search(app.call(), app.engine, "zebra", sources=tuple(Source), knowledge=("",))
    return {one.path for one in every.hits}


def test_the_setting_counts_though_no_note_changed(zebras):
    zebras.write(SETTINGS, '{"folder": "Notes"}')
    assert found(zebras) == {MEMORY}
    zebras.write(SETTINGS, '{"folder": "Forms"}')
    assert found(zebras) == {NOTE, MEMORY}
    zebras.write(SETTINGS, '{"folder": "Memory/Lessons"}')
    assert found(zebras) == {NOTE, MEMORY}, "a memory is none"


def parts(world):
    """The stamp of now: the baseline's mark with the number of its last change, and the folders."""
    uid, number, folders = feed(world.here.call(), None).stamp.split(":", 2)
    return f"{uid}:{number}", folders


def told(world, stamp):
    made = feed(world.here.call(), stamp)
    return made.complete, set(made.removals), {one.path for one in made.upserts}


def test_an_index_of_before_left_no_template_out(zebras):
    zebras.write(SETTINGS, '{"folder": "Notes"}')
    zebras.write(f"{TEMPLATES_FOLDER}/Plain.md", "Zebra.\n")
    zebras.here.sync()
    old, folders = parts(zebras)
    assert told(zebras, old) == (False, {NOTE}, set())
    assert told(zebras, f"{old}:{folders}") == (False, set(), set())


@pytest.mark.parametrize("odd", ["x", "[1]", '"Notes"', "[" * 5000, '["Notes"', "null"])
def test_folders_that_cannot_be_understood_feed_every_note_again(zebras, odd):
    stamp, _ = parts(zebras)
    assert told(zebras, f"{stamp}:{odd}") == (False, {NOTE}, {NOTE})
