"""A vault for each test, and vaults in which everything hostile was said, for all of them."""

from __future__ import annotations

import pytest

from tests.acceptance.capturing import AGENT, Kept, capture
from tests.acceptance.making import adds, proposed, say
from tests.acceptance.payloads import PAYLOADS
from tests.cli.terminal import Terminal, small_vault
from tests.world import World
from vaultmem.core.model import Category
from vaultmem.services.inbox import waiting


@pytest.fixture
def vault(world):
    """A vault that its device knows."""
    world.here.sync()
    return world


@pytest.fixture
def terminal(tmp_path):
    """A person at the command line, with a vault that they trust."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("--vault", ".", "trust", ".")
    made.ok("sync")
    return made


@pytest.fixture
def pinned(vault):
    """A memory that the person pinned."""
    return say(vault, "Ask before you push.", category=Category.PREFERENCE, pin=True)


@pytest.fixture(scope="session")
def places(tmp_path_factory) -> dict[str, Terminal]:
    """Vaults in which a person says all of it, in which an agent does, with decisions, with a patch."""
    made = {}
    for who in ("person", "agent", "decided", "patched"):
        folder = tmp_path_factory.mktemp(who)
        one = Terminal(small_vault(folder / "vault"), folder / "home")
        one.ok("--vault", ".", "trust", ".")
        one.ok("sync")
        made[who] = one
    return made


@pytest.fixture(scope="session")
def memories(places) -> dict[str, Kept]:
    return {one.name: capture(places["person"], one.text) for one in PAYLOADS}


@pytest.fixture(scope="session")
def candidates(places) -> dict[str, Kept]:
    return {one.name: capture(places["agent"], one.text, env=AGENT) for one in PAYLOADS}


@pytest.fixture(scope="session")
def decided(places) -> dict[str, Kept]:
    """Proposed by an agent, approved by the person, and then contested for a hostile reason."""
    terminal = places["decided"]
    kept = {one.name: capture(terminal, one.text, env=AGENT) for one in PAYLOADS}
    terminal.ok("inbox", "approve", *(one.id for one in kept.values()))
    waits = terminal.ok("inbox", "--json").json["candidates"]
    assert waits == []
    for one in PAYLOADS:
        terminal.ok("contest", _memory_id(kept[one.name]), f"--reason={one.text}")
    return {
        name: Kept(terminal, shown["id"], shown["path"])
        for name, one in kept.items()
        if (shown := terminal.ok("show", _memory_id(one), "--json").json)
    }


@pytest.fixture(scope="session")
def patched(places) -> tuple[Terminal, str, str]:
    """An open patch that would add everything that an agent proposed."""
    terminal = places["patched"]
    for one in PAYLOADS:
        capture(terminal, one.text, env=AGENT)
    world = World.attach(terminal.cwd, terminal.home, seed=5)
    found = waiting(world.here.call())
    assert len(found) == len(PAYLOADS)
    opened = proposed(world, *(adds(one) for one in found))
    world.close()
    return terminal, opened.id, opened.path


def _memory_id(kept: Kept) -> str:
    return kept.id.replace("cand_", "mem_")
