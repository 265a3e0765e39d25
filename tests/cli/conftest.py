"""Terminals for the tests of commands: a small vault, the example vault, one with a notebook."""

from __future__ import annotations

import pytest

from tests.cli.noting import SESSION, Reader, answer
from tests.cli.terminal import Terminal, copy_example, small_vault
from tests.pi.model_server import ModelServer, says
from tests.services.notebook.rewriting import good


@pytest.fixture
def terminal(tmp_path) -> Terminal:
    """In a small vault that was synced once."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("--vault", ".", "trust", ".")
    made.ok("sync")
    return made


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Terminal:
    """In a copy of the example vault whose memories are ratified; tests only read it."""
    folder = tmp_path_factory.mktemp("example")
    made = Terminal(copy_example(folder / "tide-notes"), folder / "home")
    made.ok("trust", ".")
    made.ok("sync")
    made.ok("ratify", "--review", "--yes")
    made.ok("search", "migration")  # or the first test that searches makes the index
    return made


@pytest.fixture
def own(tmp_path) -> Terminal:
    """In a copy of the example vault of its own."""
    made = Terminal(copy_example(tmp_path / "tide-notes"), tmp_path / "home")
    made.ok("trust", ".")
    made.ok("sync")
    return made


@pytest.fixture
def server():
    """A scripted model, which is asked nothing that was not foreseen."""
    with ModelServer() as made:
        yield made
        assert made.unexpected == []


@pytest.fixture
def reader(tmp_path, server):
    """A person in a project with one rested session, where the notebook is on."""
    made = Reader(tmp_path, server)
    made.ok("notebook", "on")
    return made


@pytest.fixture
def published(reader, server):
    """The same with a published notebook, and the agreement to the destination."""
    server.script(says(answer()))
    reader.ok("notebook", "extract", "--yes")
    server.script(*good(reader.cards()[SESSION]))
    reader.ok("notebook", "consolidate")
    return reader
