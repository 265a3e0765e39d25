"""Looser settings that an agent may have written wait for a person; the last ones stay."""

from __future__ import annotations

import errno
import time

import pytest

from tests.services.test_full_disk import no_room_at_all
from vaultmem.errors import AgentRefusedError, NoteNotFoundError
from vaultmem.services.ratify import ratify
from vaultmem.store.disk import DISK
from vaultmem.store.settings import MAX_SETTINGS

NOTE = "Memory/Settings.md"
STRICT = "type: settings\ngovernance_mode: strict\nreport_budget: 900\n"


@pytest.fixture
def strict(world):
    """A vault whose person asked for more care than the defaults do."""
    world.replace(NOTE, "type: settings\n", STRICT)
    world.here.sync()
    return world


def _loosen(world):
    world.replace(NOTE, "governance_mode: strict\n", "")


def _mode(call):
    return call.governance.mode


def _told(call):
    return [one.message for one in call.vault.findings if one.code == "VM224"]


def test_a_stricter_key_that_an_agent_removes_stays_in_force(strict):
    _loosen(strict)
    assert _mode(strict.here.call(agent="pi")) == "strict"
    for _ in range(2):
        call = strict.here.call()
        assert _mode(call) == "strict", "nor does it count at the person's next command"
        (told,) = _told(call)
        assert told.startswith("`governance_mode` changed while an agent could write")
    assert "VM224" in [one.code for one in strict.here.sync().findings]
    assert strict.ledger().count(" external ") == 1


def test_a_larger_budget_inside_a_window_is_held_for_anybody(strict):
    strict.here.open_window(time.time_ns() - 50_000_000)
    strict.replace(NOTE, "report_budget: 900", "report_budget: 9000")
    strict.here.close_windows(time.time_ns() + 1_000_000)
    call = strict.here.call()
    assert call.vault.settings.report_budget == 900
    assert "`report_budget`" in _told(call)[0]


def test_the_person_may_loosen_what_they_asked_for(strict):
    _loosen(strict)
    call = strict.here.call()
    assert (_mode(call), _told(call)) == ("compatibility", [])
    assert _mode(strict.here.call(agent="pi")) == "compatibility"
    assert " edited " in strict.ledger()


def test_more_care_holds_at_once_whoever_asks_for_it(world):
    world.here.sync()
    world.replace(NOTE, "type: settings\n", STRICT)
    assert _mode(world.here.call(agent="pi")) == "strict"


def test_a_person_ratifies_held_settings(strict):
    _loosen(strict)
    strict.here.call(agent="pi")
    with pytest.raises(AgentRefusedError):
        ratify(strict.here.call(agent="pi"), NOTE)
    assert ratify(strict.here.call(), NOTE).accepted == "version"
    call = strict.here.call(agent="pi")
    assert (_mode(call), _told(call)) == ("compatibility", [])


def test_settings_that_nobody_held_are_no_memory_to_ratify(strict):
    with pytest.raises(NoteNotFoundError):
        ratify(strict.here.call(), NOTE)


def test_a_person_who_edits_held_settings_decides(strict):
    _loosen(strict)
    strict.here.call(agent="pi")
    strict.replace(NOTE, "report_budget: 900", "report_budget: 800")
    call = strict.here.call()
    assert (_mode(call), call.vault.settings.report_budget) == ("compatibility", 800)


def test_held_settings_that_are_put_right_are_forgotten(strict):
    before = strict.read(NOTE)
    _loosen(strict)
    strict.here.call(agent="pi")
    strict.write(NOTE, before)
    call = strict.here.call()
    assert (_mode(call), _told(call)) == ("strict", [])


@pytest.mark.parametrize("damage", ["broken", "large"])
def test_settings_that_cannot_be_read_leave_the_last_ones_in_force(strict, damage):
    if damage == "large":
        strict.write(NOTE, strict.read(NOTE) + "x" * MAX_SETTINGS)
    else:
        strict.replace(NOTE, "type: settings", "type: settings\nroot: [")
    call = strict.here.call(agent="pi")
    assert (_mode(call), call.vault.settings.report_budget) == ("strict", 900)
    assert [one.code for one in call.vault.findings] == ["VM210"]


def test_what_a_person_loosened_on_one_device_holds_on_the_other(strict):
    other = strict.device()
    other.sync()
    _loosen(strict)
    assert _mode(other.call(agent="pi")) == "strict"
    strict.here.call()
    other.sync()
    assert _mode(other.call(agent="pi")) == "compatibility"


def test_a_device_without_the_key_holds_them_too(strict):
    for key in (strict.here.home / "state").glob("vault_*/key"):
        key.unlink()
    _loosen(strict)
    assert _mode(strict.here.call(agent="pi")) == "strict"
    assert _mode(strict.here.call()) == "strict"


def test_a_full_vault_makes_nothing_looser(strict, monkeypatch):
    _loosen(strict)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(DISK, "open_append", full)
    assert _mode(strict.here.call(agent="pi")) == "strict"
    assert _mode(strict.here.call()) == "strict"


def test_a_full_state_folder_makes_nothing_looser(strict):
    strict.here.close()
    _loosen(strict)
    with no_room_at_all():
        assert _mode(strict.here.call(agent="pi")) == "strict"
    strict.here.close()
