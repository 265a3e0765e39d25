"""Which vault a command works on, and that a stranger's files never decide it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from vaultmem.config import Environment, TrustedVault, UserConfig, home_dirs
from vaultmem.errors import VaultNotFoundError, VaultNotTrustedError
from vaultmem.store.discovery import (
    FoundVault,
    Rule,
    find_root,
    find_vault,
    trusted_entry,
)
from vaultmem.store.project import locate
from vaultmem.store.settings import new_settings
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import trust

if TYPE_CHECKING:
    from pathlib import Path

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
OTHER_ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W3"
NONE = UserConfig()
NO_ENV = Environment()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def make(vault: Path, *, root: str = "Memory", vault_id: str | None = None) -> Path:
    (vault / root).mkdir(parents=True)
    (vault / root / "Settings.md").write_bytes(new_settings(root, vault_id=vault_id))
    return vault


def project(folder: Path, vault: object) -> Path:
    (folder / ".pi").mkdir(parents=True)
    (folder / ".pi" / "settings.json").write_text(json.dumps({"vaultmem": {"vault": vault}}))
    return folder


def trusting(*vaults: TrustedVault | Path, default: Path | None = None) -> UserConfig:
    entries = (v if isinstance(v, TrustedVault) else TrustedVault(v) for v in vaults)
    return UserConfig(trusted=tuple(entries), vault=default)


def codes(found: FoundVault) -> list[str]:
    return [finding.code for finding in found.findings]


# --- the order


def test_each_rule_in_its_order(tmp_path: Path) -> None:
    vaults = {name: make(tmp_path / name) for name in ("a", "b", "c", "d", "e", "f")}
    cwd = project(vaults["d"] / "code", "../../c")
    config = trusting(vaults["c"], vaults["d"], default=vaults["e"])
    env = Environment(vault=str(vaults["b"]), pi_vault_path=str(vaults["f"]))

    def found(explicit: Path | None, env: Environment, cwd: Path, config: UserConfig) -> FoundVault:
        return find_vault(explicit, env, cwd, config)

    expected = FoundVault(vaults["a"], "Memory", Rule.OPTION)
    assert found(vaults["a"], env, cwd, config) == expected
    expected = FoundVault(vaults["b"], "Memory", Rule.VARIABLE)
    assert found(None, env, cwd, config) == expected
    env = env._replace(vault=None)
    assert found(None, env, cwd, config) == FoundVault(vaults["c"], "Memory", Rule.PROJECT)
    (cwd / ".pi" / "settings.json").unlink()
    assert found(None, env, cwd, config) == FoundVault(vaults["d"], "Memory", Rule.PARENT)
    assert found(None, env, tmp_path, config) == FoundVault(vaults["e"], "Memory", Rule.CONFIG)
    assert found(None, env, tmp_path, NONE) == FoundVault(vaults["f"], "Memory", Rule.PI)


def test_where_nothing_names_a_vault_the_sentence_lists_what_was_tried(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFoundError) as caught:
        find_vault(None, NO_ENV, tmp_path, NONE)
    sentence = str(caught.value)
    for part in ("--vault was not given", "VAULTMEM_VAULT is not set", "project's settings"):
        assert part in sentence
    for part in ("no parent folder", "user config", "PI_VAULT_PATH", "`vaultmem init PATH`"):
        assert part in sentence


def test_paths_are_seen_from_where_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = make(tmp_path / "home" / "v")
    cwd = tmp_path / "work"
    cwd.mkdir()
    monkeypatch.chdir("/")
    assert find_vault("../home/v", NO_ENV, cwd, NONE).path == vault
    assert find_vault("~/v", NO_ENV, cwd, NONE).path == vault
    assert find_vault(None, Environment(vault="~/v"), cwd, NONE).path == vault
    assert find_vault(None, Environment(pi_vault_path="~/v"), cwd, NONE).path == vault
    inner = project(tmp_path / "home" / "code", "../v")
    (inner / "src").mkdir()
    (inner / "package.json").write_text("{}")
    found = find_vault(None, NO_ENV, inner / "src", trusting(vault))
    assert (found.path, found.why) == (vault, Rule.PROJECT)


def test_the_real_path_is_given(tmp_path: Path) -> None:
    vault = make(tmp_path / "v")
    (tmp_path / "link").symlink_to(vault)
    assert find_vault(tmp_path / "link", NO_ENV, tmp_path, NONE).path == vault


@pytest.mark.parametrize("rule", [Rule.OPTION, Rule.VARIABLE, Rule.CONFIG])
def test_a_vault_that_the_person_named_and_is_none_is_an_error(tmp_path: Path, rule: Rule) -> None:
    def find(path: Path) -> FoundVault:
        explicit = path if rule is Rule.OPTION else None
        env = Environment(vault=str(path) if rule is Rule.VARIABLE else None)
        return find_vault(explicit, env, tmp_path, trusting(default=path))

    with pytest.raises(VaultNotFoundError, match=f"{rule} names .*gone, which is no folder"):
        find(tmp_path / "gone")
    (tmp_path / "empty").mkdir()
    with pytest.raises(VaultNotFoundError, match=f"{rule} names .*empty, which holds no memory"):
        find(tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(VaultNotFoundError, match="no folder"):
        find(tmp_path / "file")
    root = make(tmp_path / "v") / "Memory"
    with pytest.raises(VaultNotFoundError, match=f"but lies in the vault {root.parent}"):
        find(root)


@pytest.mark.parametrize("text", ["x" * 5000, "a\x00b", "~nobody-of-that-name/x", "\n"])
def test_an_absurd_path_is_an_error_with_a_sentence(tmp_path: Path, text: str) -> None:
    with pytest.raises(VaultNotFoundError):
        find_vault(text, NO_ENV, tmp_path, NONE)
    with pytest.raises(VaultNotFoundError):
        find_vault(None, Environment(pi_vault_path=text), tmp_path, NONE)


def test_pi_vault_path_counts_only_with_a_memory_root(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    env = Environment(pi_vault_path=str(tmp_path / "v"))
    with pytest.raises(VaultNotFoundError, match=r"PI_VAULT_PATH names .*v, which holds no memory"):
        find_vault(None, env, tmp_path, NONE)
    make(tmp_path / "v")
    assert find_vault(None, env, tmp_path, NONE).why is Rule.PI


# --- trust


def test_a_project_that_names_an_untrusted_vault_gets_a_finding_and_the_next_rule(
    tmp_path: Path,
) -> None:
    evil, mine = make(tmp_path / "evil"), make(tmp_path / "mine")
    cwd = project(tmp_path / "repo", str(evil))
    found = find_vault(None, NO_ENV, cwd, trusting(default=mine))
    assert (found.path, found.why, codes(found)) == (mine, Rule.CONFIG, ["VM205"])
    assert found.findings[0].remedy == f"If it is yours, run `vaultmem trust {evil}`."
    with pytest.raises(VaultNotTrustedError, match=r"does not trust.*vaultmem trust .*evil"):
        find_vault(None, NO_ENV, cwd, NONE)
    found = find_vault(None, NO_ENV, cwd, trusting(evil, default=mine))
    assert (found.path, codes(found)) == (evil, [])


def test_a_folder_around_us_that_is_an_untrusted_vault_is_not_used(tmp_path: Path) -> None:
    evil, mine = make(tmp_path / "repo"), make(tmp_path / "mine")
    (evil / "src").mkdir()
    found = find_vault(None, NO_ENV, evil / "src", trusting(default=mine))
    assert (found.path, codes(found)) == (mine, ["VM206"])
    with pytest.raises(VaultNotTrustedError, match=r"vaultmem trust .*repo"):
        find_vault(None, NO_ENV, evil / "src", NONE)


def test_the_nearest_vault_decides_even_inside_a_trusted_one(tmp_path: Path) -> None:
    mine = make(tmp_path / "mine")
    evil = make(mine / "clones" / "evil")
    other = make(tmp_path / "other")
    found = find_vault(None, NO_ENV, evil, trusting(mine, default=other))
    assert (found.path, codes(found)) == (other, ["VM206"])
    found = find_vault(None, NO_ENV, mine / "clones", trusting(mine, default=other))
    assert (found.path, found.why) == (mine, Rule.PARENT)


def test_option_and_variable_need_no_trust(tmp_path: Path) -> None:
    vault = make(tmp_path / "v", vault_id=ID)
    wrong = trusting(TrustedVault(vault, "Memory", OTHER_ID))
    for config in (NONE, wrong):
        assert find_vault(vault, NO_ENV, tmp_path, config).path == vault
        assert find_vault(None, Environment(vault=str(vault)), tmp_path, config).path == vault


@pytest.mark.parametrize("now", [OTHER_ID, None, "broken", "gone"])
def test_another_vault_at_a_trusted_path_is_not_used(tmp_path: Path, now: str | None) -> None:
    vault, mine = tmp_path / "v", make(tmp_path / "mine")
    make(vault, vault_id=now if now in (OTHER_ID, None) else ID)
    settings = vault / "Memory" / "Settings.md"
    if now == "broken":
        settings.write_text("---\nid: [\n")
    elif now == "gone":
        settings.unlink()
    config = trusting(TrustedVault(vault, "Memory", ID), default=mine)
    (vault / "src").mkdir()
    found = find_vault(None, NO_ENV, vault / "src", config)
    assert (found.path, codes(found)) == (mine, ["VM207"])
    cwd = project(tmp_path / "repo", str(vault))
    assert codes(find_vault(None, NO_ENV, cwd, config)) == ["VM207"]


def test_the_same_vault_at_a_trusted_path_is_used(tmp_path: Path) -> None:
    vault = make(tmp_path / "v", vault_id=ID)
    (tmp_path / "link").symlink_to(vault)
    for path in (vault, tmp_path / "link"):
        config = trusting(TrustedVault(path, "Memory", ID))
        found = find_vault(None, NO_ENV, vault, config)
        assert (found.path, found.why, codes(found)) == (vault, Rule.PARENT, [])


def test_a_trusted_path_that_is_gone_names_nothing(tmp_path: Path) -> None:
    cwd = project(tmp_path / "repo", str(tmp_path / "gone"))
    with pytest.raises(VaultNotFoundError, match="holds no memory root any more"):
        find_vault(None, NO_ENV, cwd, trusting(tmp_path / "gone"))


def test_the_entry_of_a_vault_is_found_past_those_that_are_gone(tmp_path: Path) -> None:
    vault = make(tmp_path / "v")
    assert trusted_entry(vault, trusting(tmp_path / "gone", vault)) == TrustedVault(vault)
    assert trusted_entry(tmp_path, trusting(vault)) is None


# --- the memory root


def test_the_trusted_root_is_used(tmp_path: Path) -> None:
    vault = make(make(tmp_path / "v"), root="Notes/Brain")
    config = trusting(TrustedVault(vault, "Notes/Brain"))
    assert find_vault(None, NO_ENV, vault / "Notes", config).root_name == "Notes/Brain"
    assert find_vault(vault, NO_ENV, tmp_path, config).root_name == "Notes/Brain"
    assert find_vault(vault, NO_ENV, tmp_path, NONE).root_name == "Memory"


def test_a_trusted_root_without_its_settings_stays_the_root(tmp_path: Path) -> None:
    vault = make(tmp_path / "v", root="Brain")
    (vault / "Brain" / "Settings.md").unlink()
    found = find_vault(None, NO_ENV, vault, trusting(TrustedVault(vault, "Brain")))
    assert found.root_name == "Brain"


def test_a_root_of_another_name_is_found_by_its_mark(tmp_path: Path) -> None:
    vault = tmp_path / "v"
    for name, text in {
        "Admin": "Settings of my heating.\n",
        "Broken": "---\na: b: c\n---\n",
        "Huge": "x" * 2_000_000,
        "Plain": "---\ntype: note\n---\n",
        ".hidden": "---\ntype: settings\n---\n",
    }.items():
        (vault / name).mkdir(parents=True)
        (vault / name / "Settings.md").write_text(text)
    (vault / "Loose.md").write_text("x")
    assert find_root(vault, NONE) == (None, ())
    make(vault, root="Brain")
    assert find_root(vault, NONE) == ("Brain", ())
    make(vault)
    assert find_root(vault, NONE) == ("Memory", ())


def test_a_root_keeps_its_settings_even_where_they_are_broken(tmp_path: Path) -> None:
    vault = make(tmp_path / "v")
    (vault / "Memory" / "Settings.md").write_text("---\na: b: c\n---\n")
    assert find_root(vault, NONE) == ("Memory", ())


def test_a_folder_that_cannot_be_listed_holds_no_root(tmp_path: Path) -> None:
    assert find_root(tmp_path / "gone", NONE) == (None, ())


@pytest.mark.parametrize("linked", ["Memory", "Memory/Settings.md"])
def test_a_linked_root_is_a_finding_and_never_followed(tmp_path: Path, linked: str) -> None:
    secret = make(tmp_path / "secret", vault_id=ID)
    vault = tmp_path / "v"
    (vault / linked).parent.mkdir(parents=True)
    (vault / linked).symlink_to(secret / linked)
    root, findings = find_root(vault, NONE)
    assert (root, [(item.code, item.path) for item in findings]) == (None, [("VM209", linked)])
    with pytest.raises(VaultNotFoundError, match="symbolic link"):
        find_vault(vault, NO_ENV, tmp_path, NONE)
    config = trusting(TrustedVault(vault, "Memory", ID))
    with pytest.raises(VaultNotTrustedError):  # the id is behind the link: it cannot be checked
        find_vault(None, NO_ENV, vault, config)


def test_a_trusted_root_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = make(tmp_path / "secret")
    vault = tmp_path / "v"
    vault.mkdir()
    (vault / "Brain").symlink_to(secret / "Memory")
    with pytest.raises(VaultNotFoundError):
        find_vault(vault, NO_ENV, tmp_path, trusting(TrustedVault(vault, "Brain")))


def test_a_link_beside_a_marked_root_is_reported_with_it(tmp_path: Path) -> None:
    vault = make(tmp_path / "v", root="Brain")
    (vault / "Memory").symlink_to(tmp_path)
    found = find_vault(vault, NO_ENV, tmp_path, NONE)
    assert (found.root_name, codes(found)) == ("Brain", ["VM209"])


# --- a hostile clone


@pytest.mark.parametrize(
    "text",
    [
        '{"vaultmem": {"vault": 7}}',
        '{"vaultmem": {"vault": ["/v"]}}',
        '{"vaultmem": {"vault": {"path": "/v"}}}',
        '{"vaultmem": {"vault": ""}}',
        '{"vaultmem": {"vault": "' + "x" * 5000 + '"}}',
        '{"vaultmem": "/v"}',
        "[1]",
        "{",
        '{"vaultmem": ' + "[" * 200_000,
        " " * 10_000_000,
    ],
)
def test_absurd_project_settings_are_one_finding(tmp_path: Path, text: str) -> None:
    mine = make(tmp_path / "mine")
    cwd = project(tmp_path / "repo", "x")
    (cwd / ".pi" / "settings.json").write_text(text)
    found = find_vault(None, NO_ENV, cwd, trusting(mine, default=mine))
    assert (found.path, codes(found)) == (mine, ["VM208"])


@pytest.mark.parametrize("value", ["a\x00b", "~nobody-of-that-name", "/" + "../" * 500, "\n", "."])
def test_a_vault_setting_that_is_no_vault_is_one_finding(tmp_path: Path, value: str) -> None:
    mine = make(tmp_path / "mine")
    cwd = project(tmp_path / "repo", value)
    found = find_vault(None, NO_ENV, cwd, trusting(mine, default=mine))
    assert (found.path, len(found.findings)) == (mine, 1)


def test_links_and_circles_in_a_clone_lead_nowhere(tmp_path: Path) -> None:
    mine, secret = make(tmp_path / "mine"), project(tmp_path / "secret", str(tmp_path / "mine"))
    cwd = tmp_path / "repo"
    cwd.mkdir()
    config = trusting(mine, default=make(tmp_path / "default"))
    (cwd / ".pi").symlink_to(secret / ".pi")
    assert codes(find_vault(None, NO_ENV, cwd, config)) == ["VM208"]
    (cwd / ".pi").unlink()
    (cwd / ".pi").symlink_to(cwd / ".pi")
    assert codes(find_vault(None, NO_ENV, cwd, config)) == ["VM208"]
    (cwd / ".pi").unlink()
    (cwd / ".pi").mkdir()
    os.mkfifo(cwd / ".pi" / "settings.json")
    assert codes(find_vault(None, NO_ENV, cwd, config)) == ["VM208"]
    (cwd / "Memory").symlink_to(mine / "Memory")
    found = find_vault(None, NO_ENV, cwd, config)
    assert (found.path, codes(found)) == (tmp_path / "default", ["VM208", "VM206"])


def test_a_huge_settings_note_in_a_clone_is_not_even_read(tmp_path: Path) -> None:
    mine = make(tmp_path / "mine")
    cwd = tmp_path / "repo"
    (cwd / "Memory").mkdir(parents=True)
    (cwd / "Memory" / "Settings.md").write_bytes(b"---\n" + b"a: b\n" * 250_000 + b"---\n")
    found = find_vault(None, NO_ENV, cwd, trusting(default=mine))
    assert (found.path, codes(found)) == (mine, ["VM206"])


def test_settings_that_were_read_already_are_not_read_again(tmp_path: Path) -> None:
    vault = make(tmp_path / "v")
    cwd = project(tmp_path / "repo", str(vault))
    settings = locate(cwd).settings
    (cwd / ".pi" / "settings.json").unlink()
    found = find_vault(None, NO_ENV, cwd, trusting(vault), settings=settings)
    assert found.why is Rule.PROJECT


# --- further vaults


def test_a_cold_start_finds_vault_project_and_settings_without_slow_imports(tmp_path: Path) -> None:
    vault = make(tmp_path / "v", vault_id=ID)
    home = home_dirs(Environment(home=str(tmp_path / "vm")))
    trust(home, vault, vault_id=ID)
    read_user_config(home)
    cwd = project(tmp_path / "repo", "../v")
    (cwd / ".git" / "refs").mkdir(parents=True)
    (cwd / ".git" / "objects").mkdir()
    (cwd / ".git" / "HEAD").write_text("ref: refs/heads/main")
    (cwd / ".git" / "config").write_text('[remote "origin"]\n\turl = git@h.example:a/b.git\n')
    script = (
        "import sys; from pathlib import Path\n"
        "from vaultmem.config import home_dirs, read_environment\n"
        "from vaultmem.store.user_config import read_user_config\n"
        "from vaultmem.store.project import project_identity\n"
        "from vaultmem.store.discovery import find_vault\n"
        "from vaultmem.store.settings import read_settings\n"
        "import vaultmem.store.obsidian, vaultmem.store.excluded, vaultmem.store.user_config_edit\n"
        "env = read_environment(); cwd = Path(sys.argv[1])\n"
        "config = read_user_config(home_dirs(env)).config\n"
        "project = project_identity(cwd)\n"
        "found = find_vault(None, env, cwd, config, settings=project.settings)\n"
        "settings = read_settings(found.path, found.root_name).settings\n"
        "print(project.id, found.why, settings.id)\n"
        "slow = 'ruamel markdown_it rich filelock logging subprocess numpy whoosh fastembed re2'\n"
        "slow += ' dulwich platformdirs dataclasses tomllib'\n"
        "print(sorted(set(slow.split()) & set(sys.modules)))\n"
    )
    env = {**os.environ, "VAULTMEM_HOME": str(tmp_path / "vm")}
    done = subprocess.run(
        [sys.executable, "-c", script, str(cwd)],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [f"h.example/a/b project settings {ID}", "[]"]
