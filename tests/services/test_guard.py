"""The guard on real folders: links, spellings and the machine's own places."""

from __future__ import annotations

import pytest

from vaultmem.config import HomeDirs, TrustedVault, UserConfig
from vaultmem.core.agent_guard import Protected
from vaultmem.services.guarding.guard import guard, protected_places


@pytest.fixture
def place(tmp_path):
    """A home with a vault behind a link, a second trusted vault, and our own folders."""
    home = tmp_path / "home"
    for folder in (
        "disk/vault/Memory/Lessons",
        "other/Mem",
        "code",
        ".cfg/vm/pi",
        "state",
        "cache",
    ):
        (home / folder).mkdir(parents=True)
    (home / "vault").symlink_to(home / "disk/vault")
    (home / "disk/vault/Memory/Lessons/x.md").write_text("Obey.\n")
    (home / "disk/vault/notes.md").write_text("x\n")
    return home


@pytest.fixture
def ask(world, place):
    """What the guard says to a call, in this home."""
    dirs = HomeDirs(place / ".cfg/vm", place / "state", place / "cache")
    config = UserConfig(
        trusted=(TrustedVault(place / "vault"), TrustedVault(place / "other", "Mem"))
    )
    vault = world.here.call().vault
    known = protected_places(
        dirs, config, vault, extension=[place / ".cfg/vm/pi"], user_home=str(place)
    )

    def asked(tool, cwd="code", **arguments):
        where = str(place / cwd)
        return guard(known, tool, arguments, cwd=where, variables={"HOME": str(place)})

    return asked


@pytest.mark.parametrize(
    "command",
    [
        "sed -i s/O/o/ {0}/disk/vault/Memory/Lessons/x.md",
        "cat {0}/vault/Memory/Lessons/x.md",
        "cat ~/vault/memory/lessons/x.md",
        "cat ../vault/Memory/Lessons/x.md",
        "cat ../other/Mem/new.md",
        "cd ~/vault && rm -f Memory/Lessons/*",
        "cat ~/disk/../vault/Memory/x.md",
        "ln -s ~/vault/Memory m",
        "python -c \"open('{0}/vault/Memory/Lessons/x.md', 'w')\"",
        "perl -e 'open F, \"~/vault/Memory/x\"'",
        "cat {0}/disk/vau*/Mem*/x",
        "rm -rf ~/disk",
        "cat ../vault/./Memory",
    ],
)
def test_a_command_is_stopped_by_where_its_paths_lie(ask, place, command):
    assert "memory_search" in (ask("bash", command=command.format(place)) or "")


def test_the_vault_in_use_is_protected_without_being_trusted(ask, world):
    reason = ask("bash", command=f"cat {world.vault}/Memory/Settings.md")
    assert "holds the memory" in reason


def test_what_acts_in_the_persons_obsidian_is_not_touched(ask, place, world):
    for vault in (place / "vault", place / "other", world.vault):
        main = f"{vault}/.obsidian/plugins/vaultmem/main.js"
        assert "Ask the person" in (ask("write", path=main) or ""), vault
        assert "Ask the person" in (ask("bash", command=f"echo x >> {main}") or ""), vault
    assert ask("read", path=str(place / "vault/.obsidian/app.json")) is None


def test_a_link_that_was_made_before_leads_to_the_same_place(ask, place):
    (place / "code/link").symlink_to(place / "vault")
    (place / "code/inner").symlink_to(place / "vault/Memory/Lessons/x.md")
    (place / "code/up").symlink_to("../vault/Memory")
    for path in ("link/Memory/Lessons/x.md", "inner", "up/new.md", "link/../vault/Memory/x.md"):
        assert ask("edit", path=path) is not None, path
        assert ask("bash", command=f"cat {path}") is not None, path


def test_a_link_that_leads_to_itself_is_nowhere(ask, place):
    (place / "code/loop").symlink_to("loop")
    assert ask("bash", command="cat loop/x 'a\0b'") is None
    assert ask("edit", path="loop\0") is None


def test_a_folder_is_known_again_by_whatever_way_it_is_reached(place):
    """As on a disk that is mounted twice, or that does not tell upper from lower case."""
    root = place / "disk/vault/Memory"
    known = Protected(memory=(f"/proc/self/root{root}",))
    for path, met in ((root / "Lessons/new.md", True), (place / "code/new.md", False)):
        reason = guard(known, "write", {"path": str(path)}, cwd="/", variables={})
        assert (reason is not None) is met


def test_a_link_of_the_system_is_followed_like_any_other(ask, place, monkeypatch):
    assert ask("bash", command="cat /proc/self/cwd/Lessons/x.md") is None
    monkeypatch.chdir(place / "disk/vault/Memory")
    assert ask("bash", command="cat /proc/self/cwd/Lessons/x.md") is not None


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cat ~/.cfg/vm/config.yaml", "keeps for itself"),
        ("cat ~/state/vault_x/key", "keeps for itself"),
        ("rm -r ../cache/*", "keeps for itself"),
        ("sed -i s/block/x/ ~/.cfg/vm/pi/extensions/vaultmem.ts", "extension"),
    ],
)
def test_our_own_folders_are_left_alone(ask, command, told):
    assert told in ask("bash", command=command)


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("ls; cat ../vault/notes.md; git status", "code"),
        ("grep -rn memory .", "code"),
        ("vaultmem search rules", "code"),
        ("cat notes.md; ls", "vault"),
        ("ls", "vault/Memory"),
    ],
)
def test_other_work_goes_on(ask, command, cwd):
    assert ask("bash", cwd, command=command) is None


def test_an_agent_may_read_a_note_of_the_memory_but_write_none(ask):
    note = "../vault/Memory/Lessons/x.md"
    assert ask("read", path=note) is None
    for tool in ("write", "edit", "grep", "ls", "find", "mcp__fs__move"):
        assert ask(tool, path=note) is not None
    assert ask("write", path="../vault/notes.md", content="x") is None


def test_without_a_vault_the_trusted_ones_are_protected(place):
    dirs = HomeDirs(place / ".cfg/vm", place / "state", place / "cache")
    config = UserConfig(trusted=(TrustedVault(place / "other", "Mem"),))
    known = protected_places(dirs, config, None)
    call = {"command": "cat ~/other/Mem/x"}
    assert guard(known, "bash", call, cwd="/", variables={"HOME": str(place)}) is not None


def test_the_agents_settings_are_guarded_where_they_lie_and_where_a_link_leads_to_them(place):
    (place / ".pi").mkdir()
    (place / "dotfiles.json").write_text("{}")
    (place / ".pi/settings.json").symlink_to(place / "dotfiles.json")
    dirs = HomeDirs(place / ".cfg/vm", place / "state", place / "cache")
    host = [place / ".pi/settings.json"]
    known = protected_places(dirs, UserConfig(), None, host=host, user_home=str(place))
    for command in ("rm ~/.pi/settings.json", "rm -r ~/.pi", "echo > ../dotfiles.json"):
        call = {"command": command}
        told = guard(known, "bash", call, cwd=str(place / "code"), variables={"HOME": str(place)})
        assert "lists the extension" in (told or ""), command
