"""A version that this machine keeps of a memory and cannot read: told as what it is, and no obstacle."""

from __future__ import annotations

import pytest

from tests.world import NOTE
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError
from vaultmem.index.hybrid import Mode
from vaultmem.services.lookup import find_memory
from vaultmem.services.search import search

OTHER = "Memory/Lessons/Sign the files of a release.md"


@pytest.fixture(params=["UPDATE contents SET bytes = x'ff'", "DELETE FROM contents"])
def harmed(world, known, request):
    """The world in which what is kept of `known` is damaged, before anything was searched."""
    world.memory(OTHER, "Sign the files of a release.")
    world.here.sync()
    sql = world.here.call().vault.baseline.connection
    sql.execute(f"{request.param} WHERE id = ?", (known,))
    return world


def test_the_error_names_the_note_and_what_mends_it(harmed, known):
    with pytest.raises(NoteUnreadableError) as told:
        find_memory(harmed.here.call(), known)
    assert str(told.value) == (
        f"{NOTE}: What this machine keeps of a memory is damaged. "
        "Run `vaultmem doctor --diagnostics --fix`, which reads its note again."
    )


def test_a_search_goes_on_without_it(harmed):
    app = harmed.here.app()
    found = search(app.call(), app.engine, "files", mode=Mode.KEYWORD)
    assert [hit.path for hit in found.hits] == [OTHER]


def test_a_memory_that_was_deleted_has_no_text(world, known):
    baseline = world.here.call().vault.baseline
    baseline.set_state(known, "gone", 0.0)
    baseline.connection.execute("DELETE FROM contents")
    with pytest.raises(NoteNotFoundError, match="was deleted and has no text any more"):
        find_memory(world.here.call(), known)
