"""The notebook is on where the person said so on this machine, and one device rewrites it."""

from __future__ import annotations

import pytest

from tests.world import World
from vaultmem.config import UserConfig
from vaultmem.errors import AgentRefusedError, ConfigError, NotebookOffError
from vaultmem.services.notebook.enable import (
    disable,
    enable,
    is_consolidating,
    is_enabled,
    refuse_disabled,
)
from vaultmem.services.settings_in_force import set_notebook_device
from vaultmem.store.notebook_agreed import agree_destination, agreed_destinations, is_agreed


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.close()


def config_of(device):
    return device.app().config.config


def switch(device, how, project="acme/billing", **options):
    app = device.app()
    return how(device.call(**options), app.home, project)


def test_it_is_off_until_the_person_says_so(world):
    assert config_of(world.here).notebook == ()
    with pytest.raises(NotebookOffError, match="vaultmem notebook on"):
        refuse_disabled(config_of(world.here), "acme/billing")


def test_switched_on_it_is_on_in_that_project_alone(world):
    done = switch(world.here, enable)

    config = config_of(world.here)
    assert (done.on, done.changed, done.projects) == (True, True, ("acme/billing",))
    assert is_enabled(config, "Acme/Billing")
    assert not is_enabled(config, "acme/bill")
    assert not is_enabled(config, "")
    refuse_disabled(config, "acme/billing")


def test_the_first_device_rewrites_the_notebook_and_a_second_one_leaves_it(world):
    first = switch(world.here, enable)
    other = world.device()
    second = switch(other, enable)

    assert (first.device, first.is_here) == (world.here.id, True)
    assert (second.device, second.is_here) == (world.here.id, False)
    assert f"notebook_device: {world.here.id}" in world.read("Memory/Settings.md")
    assert is_consolidating(world.here.call())
    assert not is_consolidating(other.call())


def test_the_device_holds_at_once_and_no_finding_waits(world):
    switch(world.here, enable)

    assert [one.code for one in world.here.call().vault.findings] == []
    assert "VM224" not in [one.code for one in world.here.sync().findings]


def test_a_persons_command_holds_also_while_an_agents_tool_runs(world):
    world.here.sync()
    world.here.open_window(world.here.call().nanoseconds - 1_000_000_000)
    switch(world.here, enable)

    call = world.here.call()
    assert call.vault.settings.notebook_device == world.here.id
    assert [one.code for one in call.vault.findings] == []


def test_comments_of_the_user_config_stay(world):
    config = world.here.app().home.config_file
    config.parent.mkdir(parents=True)
    config.write_text("# mine\nnotebook: tide # one\n")

    switch(world.here, enable)
    assert config.read_text().startswith("# mine\n")
    assert config_of(world.here).notebook == ("tide", "acme/billing")

    switch(world.here, disable)
    switch(world.here, disable, "TIDE")
    assert config.read_text() == "# mine\n"


def test_twice_is_no_change(world):
    switch(world.here, enable)

    assert switch(world.here, enable, "ACME/billing").changed is False
    assert config_of(world.here).notebook == ("acme/billing",)
    assert switch(world.here, disable).changed is True
    assert switch(world.here, disable).changed is False


@pytest.mark.parametrize("how", [enable, disable])
def test_an_agent_is_refused(world, how):
    world.here.sync()

    with pytest.raises(AgentRefusedError, match="for the person"):
        switch(world.here, how, agent="pi")
    assert config_of(world.here).notebook == ()


def test_an_agents_edit_of_the_device_waits_for_the_person(world):
    switch(world.here, enable)
    world.here.sync()
    now = world.here.call().nanoseconds
    world.here.open_window(now - 1_000_000_000)
    world.replace("Memory/Settings.md", world.here.id, "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2")

    call = world.here.call()
    assert call.vault.settings.notebook_device == world.here.id
    assert [one.code for one in call.vault.findings] == ["VM224"]

    with pytest.raises(ConfigError, match="vaultmem ratify"):
        set_notebook_device(call)


def test_a_person_may_name_another_device(world):
    switch(world.here, enable)
    world.here.sync()
    world.replace("Memory/Settings.md", world.here.id, "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2")

    assert not is_consolidating(world.here.call())
    assert UserConfig().notebook == ()


def test_a_destination_is_agreed_to_once_and_by_its_name(tmp_path):
    assert agreed_destinations(tmp_path) == frozenset()
    agree_destination(tmp_path, "https://models.example/v1")
    agree_destination(tmp_path, "pi  provider/model\n")

    assert is_agreed(tmp_path, "pi provider/model")
    assert is_agreed(tmp_path, "https://models.example/v1")
    assert not is_agreed(tmp_path, "https://models.example")


def test_without_settings_nothing_is_set(world):
    call = world.here.call()
    world.path("Memory/Settings.md").unlink()

    with pytest.raises(ConfigError, match="Put the note back"):
        set_notebook_device(call)
