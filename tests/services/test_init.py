"""Making a memory root, and what happens when its settings are lost."""

from __future__ import annotations

import re

import pytest

from vaultmem.errors import VaultError, VaultIdError
from vaultmem.services.init import init, plan_init


def test_a_vault_that_lost_its_settings_gets_its_old_id_and_key_back(world):
    identifier = world.memory("Memory/Lessons/a.md", "Use UTC.", pinned="true")
    world.here.sync()
    before = world.here.app().vault.state.vault_id
    world.path("Memory/Settings.md").unlink()
    with pytest.raises(VaultError, match="vaultmem init"):
        world.here.call()
    app = world.here.app()
    plan = plan_init(app.home, world.vault, "Memory")
    state = init(app.home, app.config.config, plan, now=app.now, random=app.random)
    assert state.vault_id == before
    assert world.here.sync().changes == ()
    assert world.here.call().vault.baseline.standing(identifier) is not None


def test_a_vault_whose_id_line_was_removed_gets_it_back(world):
    world.here.sync()
    before = world.here.app().vault.state.vault_id
    world.replace("Memory/Settings.md", f"id: {before}\n", "")
    world.here.sync()
    assert f"id: {before}" in world.read("Memory/Settings.md")


def test_settings_that_cannot_take_the_id_are_named_with_the_line_to_correct(world):
    world.here.sync()
    before = world.here.app().vault.state.vault_id
    world.replace("Memory/Settings.md", f"id: {before}\n", f"ID: {before}\n")
    said = world.read("Memory/Settings.md")
    line = said[: said.index("ID:")].count("\n") + 1
    named = re.escape(f"Memory/Settings.md, line {line}: ") + ".*`ID`.*Correct that line"
    with pytest.raises(VaultIdError, match=named):
        world.here.sync()
    assert world.read("Memory/Settings.md") == said
    world.replace("Memory/Settings.md", "ID:", "id:")
    assert world.here.sync().changes == ()
