"""What killed writes left in this machine's folders is gone after `vaultmem doctor`."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.cli.terminal import Terminal, files, small_vault, write
from vaultmem.config import HomeDirs
from vaultmem.services.machine_leftovers import clear_machine
from vaultmem.store.disk import DISK, Disk
from vaultmem.store.etag import etag_of
from vaultmem.store.temporaries import kept_beside, temporary_beside

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def person(tmp_path):
    """At home in a small vault; their user config is a link to a folder that they keep in git."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    write(tmp_path / "dotfiles/vaultmem.yaml", "# mine\n")
    (tmp_path / "home/config").mkdir(parents=True)
    (tmp_path / "home/config/config.yaml").symlink_to(tmp_path / "dotfiles/vaultmem.yaml")
    (tmp_path / "home/agent").mkdir()
    made.ok("trust", ".")
    made.ok("sync")
    made.ok("pi", "install")
    return made


def later(left: Path, **span: float) -> datetime:
    """So long after `left` was written, by the clock of its disk."""
    return datetime.fromtimestamp(left.stat().st_ctime, UTC) + timedelta(**span)


def leftovers(person: Terminal) -> list[Path]:
    """One in each place outside the vault that is written in one step."""
    home = person.home
    written = [
        home.parent / "dotfiles/vaultmem.yaml",
        home / "config/pi/runtime.json",
        home / "state/windows/tool",
        next(home.glob("state/vault_*")) / "key",
        home / "cache/model.json",
        home / "agent/settings.json",
    ]
    return [write(temporary_beside(path), "half of a wri") for path in written]


def test_leftovers_of_killed_writes_are_cleared_and_nothing_else(person):
    write(person.home / "config/.mine.tmp", "a temporary of something else")
    before = {place: files(place) for place in (person.home, person.home.parent / "dotfiles")}
    left = leftovers(person)

    person.now = later(left[-1], minutes=2)
    person.ok("doctor")

    assert [path for path in left if path.exists()] == []
    for place, there in before.items():
        now = files(place)
        assert {name: now[name] for name in there if name.endswith((".yaml", ".tmp", ".md"))} == {
            name: data for name, data in there.items() if name.endswith((".yaml", ".tmp", ".md"))
        }


def test_a_write_that_may_be_under_way_is_left_alone(person):
    left = leftovers(person)

    person.now = later(left[0], seconds=50)
    person.ok("doctor")

    assert all(path.exists() for path in left)


def test_what_an_editor_had_saved_into_the_user_config_is_put_back_and_told(person):
    config = person.home.parent / "dotfiles/vaultmem.yaml"
    new = config.read_bytes()
    kept = kept_beside(temporary_beside(config), new=etag_of(new), old=etag_of(b"older"))
    write(kept, "# saved meanwhile\n")

    person.now = later(kept, minutes=2)
    done = person.run("doctor", "--json").json

    assert config.read_text() == "# saved meanwhile\n"
    assert not kept.exists()
    assert ("VM411", str(config)) in {(one["code"], one["path"]) for one in done["findings"]}


def test_a_leftover_that_cannot_be_removed_stops_nothing(tmp_path, monkeypatch):
    home = HomeDirs(tmp_path / "config", tmp_path / "state", tmp_path / "cache")
    left = [write(temporary_beside(folder / "a"), "x") for folder in home]

    def refuse(_disk: Disk, path: Path) -> None:
        if path.parent == home.config:
            raise PermissionError(13, os.strerror(13))
        path.unlink()

    monkeypatch.setattr(type(DISK), "unlink", refuse)
    assert clear_machine(home, later(left[0], minutes=2)) == []
    assert [path.exists() for path in left] == [True, False, False]
