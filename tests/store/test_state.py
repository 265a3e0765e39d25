"""The state folder: private, bound to the vault's id and real path, with the device's id."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.store.faults import disk
from vaultmem.config import HomeDirs
from vaultmem.core.ids import is_id
from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError, VaultIdError
from vaultmem.store.private import (
    create_private,
    private_file,
    private_folder,
    read_private,
    write_private,
)
from vaultmem.store.state import Binding, VaultState, read_binding

if TYPE_CHECKING:
    from pathlib import Path

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
OTHER_ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W3"


@pytest.fixture
def home(tmp_path: Path) -> HomeDirs:
    return HomeDirs(tmp_path / "h/config", tmp_path / "h/state", tmp_path / "h/cache")


def make_vault(folder: Path, identifier: str = ID, root: str = "Memory") -> Path:
    (folder / root).mkdir(parents=True)
    settings = f"---\nid: {identifier}\ntype: settings\n---\nSettings.\n"
    (folder / root / "Settings.md").write_text(settings)
    return folder


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _codes(state: VaultState) -> list[str]:
    return [found.code for found in state.findings]


# Opening


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_folders_are_0700_and_files_0600_whatever_the_umask(
    home: HomeDirs, tmp_path: Path, umask: int
) -> None:
    vault = make_vault(tmp_path / "vault")
    before = os.umask(umask)
    try:
        state = VaultState.open(home, ID, vault)
        state.key_file.create()
    finally:
        os.umask(before)
    assert state.findings == ()
    assert (state.folder, state.cache) == (home.state / ID, home.cache / ID)
    for folder in (home.state, home.cache, state.folder, state.cache):
        assert _mode(folder) == 0o700, folder
    files = [path for path in home.state.rglob("*") if path.is_file()]
    assert sorted(path.name for path in files) == ["binding.json", "device", "key"]
    assert {_mode(path) for path in files} == {0o600}


def test_opening_again_writes_nothing_and_finds_the_same(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    first = VaultState.open(home, ID, vault)
    with disk() as calls:
        assert VaultState.open(home, ID, vault) == first
    assert calls == []


@pytest.mark.parametrize(
    "identifier",
    [
        "",
        "..",
        "vault_../../etc",
        "vault_1",
        "/etc",
        ID + "/",
        ID.lower(),
        "mem" + ID[5:],
        ID + "\n",
    ],
)
def test_a_malformed_id_builds_no_path(home: HomeDirs, tmp_path: Path, identifier: str) -> None:
    with pytest.raises(VaultIdError, match="Correct or remove the `id` line"):
        VaultState.open(home, identifier, tmp_path)
    assert not home.state.exists()


def test_two_vaults_share_the_device_and_nothing_else(home: HomeDirs, tmp_path: Path) -> None:
    one = VaultState.open(home, ID, make_vault(tmp_path / "one"))
    two = VaultState.open(home, OTHER_ID, make_vault(tmp_path / "two", OTHER_ID))
    assert is_id(one.device, "dev")
    assert one.device == two.device
    assert one.folder != two.folder


def test_two_machines_have_two_devices(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    other = HomeDirs(tmp_path / "o/config", tmp_path / "o/state", tmp_path / "o/cache")
    assert VaultState.open(home, ID, vault).device != VaultState.open(other, ID, vault).device


def test_processes_that_start_together_agree_on_the_device(home: HomeDirs, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from vaultmem.config import HomeDirs; "
        "from vaultmem.store.state import VaultState; "
        "a = [Path(x) for x in sys.argv[1:]]; "
        f"print(VaultState.open(HomeDirs(*a[:3]), '{ID}', a[3]).device)"
    )
    command = [sys.executable, "-c", script, *map(str, home), str(make_vault(tmp_path / "vault"))]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    devices = {process.communicate()[0] for process in running}
    assert len(devices) == 1
    assert is_id(devices.pop().strip(), "dev")


def test_a_damaged_device_id_is_replaced_and_reported(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    VaultState.open(home, ID, vault)
    (home.state / "device").write_bytes(b"dev_../../\xff")
    state = VaultState.open(home, ID, vault)
    assert _codes(state) == ["VM413"]
    assert VaultState.open(home, ID, vault).device == state.device


def test_a_device_that_another_process_made_meanwhile_is_taken_over(
    home: HomeDirs, tmp_path: Path
) -> None:
    vault = make_vault(tmp_path / "vault")
    VaultState.open(home, ID, vault)
    device = home.state / "device"
    text = device.read_text()
    device.unlink()
    with disk() as calls:
        VaultState.open(home, ID, vault)
    device.unlink()
    at = calls.index("rename_new") + 1
    with disk(at=at, act=lambda name: device.write_text(text)):
        assert VaultState.open(home, ID, vault).device == text.strip()


# The binding


def test_the_binding_names_id_real_path_and_root(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault", root="Notes/Memory")
    (tmp_path / "link").symlink_to(vault)
    state = VaultState.open(home, ID, tmp_path / "link", root="Notes/Memory")
    binding = Binding(ID, os.path.realpath(vault), "Notes/Memory")
    assert read_binding(state.folder) == binding
    assert json.loads((state.folder / "binding.json").read_text()) == binding._asdict()


def test_a_vault_that_moved_takes_its_state_along(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "old")
    VaultState.open(home, ID, vault)
    vault.rename(tmp_path / "new")
    state = VaultState.open(home, ID, tmp_path / "new")
    assert _codes(state) == ["VM402"]
    assert str(tmp_path / "new") in state.findings[0].message
    assert VaultState.open(home, ID, tmp_path / "new").findings == ()


def test_an_old_path_that_is_another_vault_now_does_not_matter(
    home: HomeDirs, tmp_path: Path
) -> None:
    vault = make_vault(tmp_path / "old")
    VaultState.open(home, ID, vault)
    vault.rename(tmp_path / "new")
    make_vault(tmp_path / "old", OTHER_ID)
    assert _codes(VaultState.open(home, ID, tmp_path / "new")) == ["VM402"]


def test_a_second_live_vault_with_the_id_asks(home: HomeDirs, tmp_path: Path) -> None:
    old, new = make_vault(tmp_path / "old"), make_vault(tmp_path / "new")
    VaultState.open(home, ID, old)
    with pytest.raises(VaultIdError) as caught:
        VaultState.open(home, ID, new)
    assert str(caught.value) == (
        f"The vaults at {old} and {new} have the same id. "
        f"If this one was moved, run `vaultmem trust {new} --moved`; "
        f"if it is a copy, run `vaultmem trust {new} --copied`, which gives it an own id."
    )
    assert VaultState.open(home, ID, old).findings == ()
    assert _codes(VaultState.open(home, ID, new, moved=True)) == ["VM402"]
    with pytest.raises(VaultIdError):
        VaultState.open(home, ID, old)


@pytest.mark.parametrize("damage", ["unreadable", "link", "folder"])
def test_an_old_vault_that_cannot_be_read_asks(home: HomeDirs, tmp_path: Path, damage: str) -> None:
    old, new = make_vault(tmp_path / "old"), make_vault(tmp_path / "new")
    VaultState.open(home, ID, old)
    settings = old / "Memory/Settings.md"
    settings.unlink()
    if damage == "unreadable":
        settings.write_text("---\nid: [\n---\n")
    elif damage == "link":
        settings.symlink_to(new / "Memory/Settings.md")
    else:
        settings.mkdir()
    with pytest.raises(VaultIdError):
        VaultState.open(home, ID, new)


def test_the_same_folder_by_another_path_is_no_copy(
    home: HomeDirs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a bind mount, or another spelling on a file system that ignores case."""
    vault = make_vault(tmp_path / "vault")
    (tmp_path / "mount").symlink_to(vault)
    VaultState.open(home, ID, vault)
    monkeypatch.setattr(os.path, "realpath", str)
    assert _codes(VaultState.open(home, ID, tmp_path / "mount")) == ["VM402"]


def test_a_renamed_memory_root_is_recorded_without_a_word(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    VaultState.open(home, ID, vault)
    state = VaultState.open(home, ID, vault, root="Brain")
    assert state.findings == ()
    assert read_binding(state.folder) == Binding(ID, str(vault), "Brain")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b"null", b'"x"', b"\xff"])
def test_a_damaged_binding_is_made_anew(home: HomeDirs, tmp_path: Path, data: bytes) -> None:
    vault = make_vault(tmp_path / "vault")
    folder = VaultState.open(home, ID, vault).folder
    (folder / "binding.json").write_bytes(data)
    assert read_binding(folder) is None
    assert _codes(VaultState.open(home, ID, vault)) == ["VM402"]
    assert read_binding(folder) == Binding(ID, str(vault), "Memory")


def test_no_binding_is_none(tmp_path: Path) -> None:
    assert read_binding(tmp_path) is None


def test_the_lock_is_in_the_state_folder(home: HomeDirs, tmp_path: Path) -> None:
    state = VaultState.open(home, ID, make_vault(tmp_path / "vault"))
    with state.lock(timeout=1) as lock:
        assert lock.held
        assert (state.folder / "lock").exists()
    assert not any("lock" in path.name for path in (tmp_path / "vault").rglob("*"))


# Private folders and files


def test_a_folder_open_to_others_is_corrected_and_reported(home: HomeDirs, tmp_path: Path) -> None:
    vault = make_vault(tmp_path / "vault")
    state = VaultState.open(home, ID, vault)
    state.folder.chmod(0o770)
    again = VaultState.open(home, ID, vault)
    assert [(found.code, found.path) for found in again.findings] == [("VM401", str(state.folder))]
    assert _mode(state.folder) == 0o700


@pytest.mark.parametrize("what", ["state", "vault", "cache"])
def test_a_state_folder_that_is_a_link_is_refused(
    home: HomeDirs, tmp_path: Path, what: str
) -> None:
    folder = {"state": home.state, "vault": home.state / ID, "cache": home.cache / ID}[what]
    folder.parent.mkdir(parents=True, mode=0o700)
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError, match="no real folder"):
        VaultState.open(home, ID, make_vault(tmp_path / "vault"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_state_folder_that_is_a_junction_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultmem.store.private.is_link", lambda found: True)
    with pytest.raises(UnsafePathError, match="no real folder"):
        private_folder(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(UnsafePathError, match="no real folder"):
        private_folder(tmp_path / "state")


def test_what_belongs_to_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    for check, path in ((private_folder, tmp_path), (private_file, tmp_path / "file")):
        with pytest.raises(UnsafePathError, match="belongs to another user"):
            check(path)


def test_missing_parents_are_private_too(tmp_path: Path) -> None:
    assert private_folder(tmp_path / "a/b/c") is False
    assert {_mode(tmp_path / name) for name in ("a", "a/b", "a/b/c")} == {0o700}


def test_a_private_file_is_corrected(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert private_file(path) is False
    path.write_text("x")
    path.chmod(0o644)
    assert private_file(path) is True
    assert private_file(path) is False
    assert _mode(path) == 0o600
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(UnsafePathError, match="no regular file"):
        private_file(tmp_path / "link")


def test_a_private_file_is_written_over_a_link_and_never_through_it(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"untouched")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(UnsafePathError, match="symbolic link"):
        read_private(tmp_path / "link")
    assert create_private(tmp_path / "link", b"new") is False
    write_private(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_bytes() == b"untouched"
    assert read_private(tmp_path / "link") == b"new"


def test_a_private_file_is_created_once(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert read_private(path) is None
    assert create_private(path, b"one") is True
    assert create_private(path, b"two") is False
    assert read_private(path) == b"one"
    assert _mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("code", "error"), [(28, DiskFailedError), (30, ReadOnlyError)])
@pytest.mark.parametrize("write", [write_private, create_private])
def test_a_failing_disk_names_the_file_and_leaves_nothing(
    tmp_path: Path, write, code: int, error: type[Exception]
) -> None:
    def act(name: str) -> None:
        raise OSError(code, os.strerror(code))

    with disk() as calls:
        write(tmp_path / "try", b"x")
    (tmp_path / "try").unlink()
    for at, step in enumerate(calls, start=1):
        with disk(at=at, act=act), pytest.raises(error, match="file"):
            write(tmp_path / "file", b"x")
        left = [path.name for path in tmp_path.iterdir()]
        assert left == [] or step in ("sync_folder", "unlink"), step
        for path in tmp_path.iterdir():
            path.unlink()
