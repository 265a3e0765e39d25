"""`config.yaml` is read with its findings, and by its parsed copy where nothing changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.config import Environment, HomeDirs, TrustedVault, UserConfig, home_dirs
from vaultmem.store import user_config
from vaultmem.store.user_config import COPY_NAME, MAX_CONFIG, LoadedConfig, read_user_config

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
FULL = f"""\
# mine
trusted:
  - path: /v/one   # the big one
    root: Notes/Memory
    id: {ID}
vault: /v/two
knowledge: [Notes]
"""


@pytest.fixture
def home(tmp_path: Path) -> HomeDirs:
    return home_dirs(Environment(home=str(tmp_path / "home")))


def write(home: HomeDirs, text: str | bytes) -> Path:
    path = home.config_file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def codes(loaded: LoadedConfig) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.line) for finding in loaded.findings]


def test_no_file_means_the_defaults_and_makes_nothing(home: HomeDirs, tmp_path: Path) -> None:
    assert read_user_config(home) == LoadedConfig(UserConfig())
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_read_twice_alike_from_yaml_and_from_the_copy(home: HomeDirs) -> None:
    write(home, FULL)
    first = read_user_config(home)
    assert first.config == UserConfig(
        trusted=(TrustedVault(Path("/v/one"), "Notes/Memory", ID),),
        vault=Path("/v/two"),
        knowledge=("Notes",),
    )
    assert first.findings == ()
    assert read_user_config(home) == first


def test_the_copy_serves_without_yaml_and_is_the_users_alone(home: HomeDirs) -> None:
    write(home, FULL)
    first = read_user_config(home)
    copy = home.state / COPY_NAME
    assert copy.stat().st_mode & 0o777 == 0o600
    assert home.state.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in home.state.iterdir()] == [COPY_NAME]
    script = (
        "import sys\n"
        "from vaultmem.config import home_dirs, read_environment\n"
        "from vaultmem.store.user_config import read_user_config\n"
        "print(read_user_config(home_dirs(read_environment())).config.vault)\n"
        "heavy = {'ruamel', 'platformdirs', 'logging', 'dataclasses'} & set(sys.modules)\n"
        "print(sorted(heavy), [m for m in sys.modules if m.startswith('vaultmem.notes')])\n"
    )
    env = {**os.environ, "VAULTMEM_HOME": str(home.config.parent)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(first.config.vault), "[] []"]


def test_an_edit_by_hand_is_seen_at_once(home: HomeDirs) -> None:
    path = write(home, "vault: /v/one\n")
    assert read_user_config(home).config.vault == Path("/v/one")
    path.write_text("vault: /v/two\n")
    assert read_user_config(home).config.vault == Path("/v/two")


def test_the_copy_of_another_version_of_the_file_does_not_count(home: HomeDirs) -> None:
    path = write(home, "vault: /v/one\n")
    read_user_config(home)
    old = path.stat()
    path.write_text("vault: /v/two\n")
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))  # same size, time and inode
    assert read_user_config(home).config.vault == Path("/v/two")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda copy: copy.write_text("{"),
        lambda copy: copy.write_text("[1]"),
        lambda copy: copy.write_text("[" * 100_000),
        lambda copy: copy.write_text(copy.read_text().replace('"values"', '"x"')),
        lambda copy: copy.write_text(copy.read_text().replace('"lines"', '"x"')),
        lambda copy: copy.write_text(copy.read_text().replace('"version": 1', '"version": 0')),
        lambda copy: copy.unlink(),
        lambda copy: copy.rename(copy.with_name("kept")) and copy.symlink_to("kept"),
    ],
)
def test_a_spoilt_copy_is_made_anew(home: HomeDirs, spoil: object) -> None:
    write(home, FULL)
    first = read_user_config(home)
    copy = home.state / COPY_NAME
    good = copy.read_text()
    spoil(copy)  # type: ignore[operator]
    assert read_user_config(home) == first
    assert copy.read_text() == good
    assert not copy.is_symlink()


def test_what_the_copy_holds_is_checked_like_the_file(home: HomeDirs) -> None:
    write(home, "vault: /v/one\n")
    read_user_config(home)
    copy = home.state / COPY_NAME
    held = json.loads(copy.read_text())
    held["values"] = {"vault": "relative", "nonsense": 1}
    held["lines"] = {"vault": 3, "nonsense": "x"}
    copy.write_text(json.dumps(held))
    loaded = read_user_config(home)
    assert loaded.config == UserConfig()
    assert codes(loaded) == [("VM203", 3), ("VM202", None)]


def test_findings_come_from_the_copy_too(home: HomeDirs) -> None:
    write(home, "# one\nvualt: /v\nvault: here\n")
    for _ in range(2):
        assert codes(read_user_config(home)) == [("VM203", 3), ("VM202", 2)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a: 1\nb: [\n", "VM201", None),
        ("a: 1\na: 2\n", None, None),
        ("- /v/one\n", "VM201", 1),
        ("just words\n", "VM201", 1),
        ("a: b: c\n", "VM201", 1),
        (b"vault: /v\nx: \xff\n", "VM204", 2),
        (b"x" * (MAX_CONFIG + 1), "VM204", None),
        ("a: " + "[" * 5000 + "]" * 5000, "VM201", None),
    ],
)
def test_a_broken_file_is_a_finding_and_the_defaults_hold(
    home: HomeDirs, text: str | bytes, code: str | None, line: int | None
) -> None:
    path = write(home, text)
    loaded = read_user_config(home)
    assert loaded.config == UserConfig()
    first = loaded.findings[0]
    assert code is None or first.code == code
    assert line is None or first.line == line
    assert first.path == str(path)
    assert first.remedy


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n", "\ufeff"])
def test_an_empty_file_means_the_defaults(home: HomeDirs, text: str) -> None:
    write(home, text)
    assert read_user_config(home) == LoadedConfig(UserConfig())


def test_a_byte_order_mark_and_windows_lines_do_not_matter(home: HomeDirs) -> None:
    write(home, "\ufeffvault: /v\r\nnope: 1\r\n")
    loaded = read_user_config(home)
    assert loaded.config.vault == Path("/v")
    assert codes(loaded) == [("VM202", 2)]


def test_a_folder_or_a_pipe_in_its_place_is_a_finding(home: HomeDirs) -> None:
    home.config_file.mkdir(parents=True)
    assert codes(read_user_config(home)) == [("VM204", None)]
    home.config_file.rmdir()
    os.mkfifo(home.config_file)
    assert codes(read_user_config(home)) == [("VM204", None)]


def test_a_link_is_followed_and_one_in_a_circle_is_a_finding(
    home: HomeDirs, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_text("vault: /v\n")
    home.config.mkdir(parents=True)
    home.config_file.symlink_to(real)
    assert read_user_config(home).config.vault == Path("/v")
    home.config_file.unlink()
    home.config_file.symlink_to(home.config_file)
    assert codes(read_user_config(home)) == [("VM204", None)]


def test_where_no_copy_can_be_kept_the_file_is_read_each_time(home: HomeDirs) -> None:
    write(home, "vault: /v\n")
    home.state.parent.mkdir(exist_ok=True)
    home.state.write_text("a file in the place of the folder")
    for _ in range(2):
        assert read_user_config(home).config.vault == Path("/v")
    assert home.state.read_text() == "a file in the place of the folder"


def test_a_file_that_is_saved_while_it_is_read_is_not_kept_as_a_copy(
    home: HomeDirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "vault: /v/one\n")
    read = user_config.read_bounded

    def read_then_save(target: Path, *, limit: int, follow: bool = True) -> object:
        data = read(target, limit=limit, follow=follow)
        if target == path:
            path.write_text("vault: /v/two\n")
        return data

    monkeypatch.setattr(user_config, "read_bounded", read_then_save)
    assert read_user_config(home).config.vault == Path("/v/one")
    monkeypatch.undo()
    assert not (home.state / COPY_NAME).exists()
    assert read_user_config(home).config.vault == Path("/v/two")


@pytest.mark.parametrize("number", ["0x" + "f" * 9_000, "9" * 9_000])
def test_a_number_that_python_cannot_spell_is_told_also_from_the_copy(
    home: HomeDirs, number: str
) -> None:
    write(home, f"vault: /v\nreport_budget: {number}\n")
    for _ in range(2):
        loaded = read_user_config(home)
        assert loaded.config.vault == Path("/v")
        assert codes(loaded) == [("VM203", 2)]
    assert (home.state / COPY_NAME).exists()


def test_a_state_folder_that_cannot_be_made_costs_only_time(home: HomeDirs) -> None:
    write(home, FULL)
    home.state.write_text("a file")
    assert read_user_config(home).config.vault == Path("/v/two")
    assert home.state.read_text() == "a file"
