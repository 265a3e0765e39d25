"""What people do in their first hours: rename folders, damage the settings, leave notes anywhere."""

from __future__ import annotations

import pytest

from tests.world import NOTE, codes
from vaultmem.core.finding import Severity
from vaultmem.errors import RootNotOursError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode
from vaultmem.services.init import plan_init
from vaultmem.services.note_property import put
from vaultmem.services.search import search


def _state(world, identifier):
    return world.here.call().vault.baseline.memory(identifier).state


def test_a_broken_note_that_is_moved_and_moved_back_keeps_its_memory_in_force(world, known):
    world.replace(NOTE, "\n---\n", "\n")
    world.here.sync()
    for source, target in (("Lessons", "Lektionen"), ("Lektionen", "Lessons")):
        world.path(f"Memory/{source}").rename(world.path(f"Memory/{target}"))
        done = world.here.sync()
        assert done.deleted == 0
        assert _state(world, known) == "live"
    world.memory(NOTE, "Add them by name.", id=known, category="lesson")
    assert world.here.sync().edited == 1


def test_a_broken_note_that_comes_back_brings_its_memory_back(world, known):
    text = world.read(NOTE)
    world.path(NOTE).unlink()
    world.here.sync()
    assert _state(world, known) == "missing"
    world.write(NOTE, text.replace("\n---\n", "\n"))
    done = world.here.sync()
    assert "VM102" in codes(done)
    assert _state(world, known) == "live"


def test_damaged_settings_stop_nothing_and_are_named_with_their_line(world, known):
    world.replace("Memory/Settings.md", "type: settings", "type: settings\nroot: [")
    call = world.here.call()
    assert [one.code for one in call.vault.findings] == ["VM210"]
    assert call.vault.findings[0].line
    assert call.vault.baseline.standing(known) is not None
    world.replace(NOTE, "by name", "one by one")
    assert world.here.sync().edited == 1


def test_renaming_the_memory_root_loses_no_ledger(world, known):
    world.replace(NOTE, "by name", "one by one")
    world.here.sync()
    for source, target in (("Memory", "Brain"), ("Brain", "Memory")):
        world.path(source).rename(world.path(target))
        done = world.here.sync()
        assert "VM316" not in codes(done)
        assert _state(world, known) == "live"


def test_a_vault_has_one_memory_root(world, known):
    app = world.here.app()
    with pytest.raises(RootNotOursError, match="already: Memory"):
        plan_init(app.home, world.vault, "Brain")


def test_a_note_in_no_category_folder_is_told_and_found(world, known):
    world.write("Memory/Ideas/idea.md", "A loose idea about kites.\n")
    done = world.here.sync()
    assert "VM305" in codes(done)
    app = world.here.app()
    found = search(app.call(), app.engine, "kites", mode=Mode.KEYWORD, sources=(Source.VAULT,))
    assert [hit.path for hit in found.hits] == ["Memory/Ideas/idea.md"]


def test_what_cannot_be_read_of_the_persons_own_is_information(world, known):
    world.write("Notes/mine.md", "---\na: [\n---\nText\n")
    (found,) = [one for one in world.here.sync().findings if one.path == "Notes/mine.md"]
    assert found.severity is Severity.INFO


@pytest.mark.parametrize("key", ["tags", "aliases", "cssclasses"])
def test_obsidians_own_lists_are_lists_in_every_vault(world, known, key):
    world.write("Notes/mine.md", "Text\n")
    put(world.here.call(), "Notes/mine.md", key, ["one"])
    assert world.read("Notes/mine.md") == f"---\n{key}:\n  - one\n---\nText\n"


def test_a_finding_about_a_kept_property_names_the_note(world, known):
    world.replace(NOTE, "category: lesson", "category: lesson\nevidence_count: 99")
    (found,) = [one for one in world.here.sync().findings if one.code == "VM312"]
    assert found.path == NOTE
