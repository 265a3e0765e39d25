"""Which project a folder belongs to, in real git repositories."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from vaultmem.errors import ConfigError
from vaultmem.store import root_commit as root_commit_module
from vaultmem.store.checkout import Checkout, find_checkout, remotes, tip
from vaultmem.store.package_name import package_name
from vaultmem.store.pi_settings import MAX_SETTINGS
from vaultmem.store.project import Project, Source, locate, project_identity
from vaultmem.store.root_commit import RootUnknown, root_commit

if TYPE_CHECKING:
    from pathlib import Path

ACME = "github.com/acme/billing-web"
URL = "https://ann:s3cret@github.com/acme/billing-web.git"


@pytest.fixture(autouse=True)
def _git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))


def git(folder: Path, *arguments: str) -> str:
    settings = ("user.name=T", "user.email=t@example.com", "protocol.file.allow=always")
    options = [part for setting in settings for part in ("-c", setting)]
    done = subprocess.run(
        ["git", *options, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def repository(folder: Path, *, url: str | None = None, commits: int = 1) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for number in range(commits):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"commit {number}")
    if url is not None:
        git(folder, "remote", "add", "origin", url)
    return folder


def first_commit(folder: Path) -> str:
    return git(folder, "rev-list", "--first-parent", "--max-parents=0", "HEAD")


def say(folder: Path, **keys: object) -> None:
    (folder / ".pi").mkdir(parents=True, exist_ok=True)
    (folder / ".pi" / "settings.json").write_text(json.dumps({"vaultmem": keys}))


def named(project: Project) -> tuple[str, Source]:
    return project.id, project.source


def codes(project: Project) -> list[str]:
    return [finding.code for finding in project.findings]


# --- the order of the rules


def test_an_origin_gives_host_owner_and_name_without_credentials(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    inner = repo / "src" / "deep"
    inner.mkdir(parents=True)
    for cwd in (repo, inner, repo / "not" / "there", repo / ".git", repo / ".git" / "refs"):
        assert project_identity(cwd) == Project(ACME, Source.ORIGIN, repo, repo)


def test_what_the_person_gave_wins(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    say(repo, project="acme/by-file")
    assert named(project_identity(repo, "acme/by-hand")) == ("acme/by-hand", Source.EXPLICIT)
    assert named(project_identity(repo)) == ("acme/by-file", Source.EXPLICIT)


@pytest.mark.parametrize("explicit", ["", "..", "a//b", "x" * 300, "a\nb"])
def test_a_malformed_id_by_hand_is_an_error(tmp_path: Path, explicit: str) -> None:
    with pytest.raises(ConfigError, match="no project id"):
        project_identity(tmp_path, explicit)


def test_without_an_origin_the_first_commit_names_the_project(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=3)
    (repo / "package.json").write_text('{"name": "web"}')
    assert named(project_identity(repo)) == (first_commit(repo), Source.ROOT_COMMIT)


def test_a_local_path_as_origin_gives_the_clone_the_identity_of_its_source(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=2)
    git(tmp_path, "clone", "-q", str(repo), "copy")
    git(tmp_path, "clone", "-q", f"file://{repo}", "copy2")
    found = {project_identity(tmp_path / name).id for name in ("r", "copy", "copy2")}
    assert found == {first_commit(repo)}


def test_before_the_first_commit_the_package_and_then_the_folder_name_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "My Tool!", commits=0)
    assert project_identity(repo) == Project("My-Tool", Source.FOLDER, repo, repo)
    (repo / "pyproject.toml").write_text('[project]\nname = "my-tool"\n')
    (repo / "src").mkdir()
    assert named(project_identity(repo / "src")) == ("my-tool", Source.PACKAGE)


def test_without_git_the_nearest_package_is_the_project(tmp_path: Path) -> None:
    folder = tmp_path / "work" / "tool"
    (folder / "src" / "x").mkdir(parents=True)
    (folder / "Cargo.toml").write_text('[package]\nname = "tool-rs"\n')
    found = project_identity(folder / "src" / "x")
    assert found == Project("tool-rs", Source.PACKAGE, folder, folder)


def test_without_anything_the_folder_is_the_project_and_home_is_never_asked(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "home"}')  # HOME is tmp_path
    folder = tmp_path / "notes"
    folder.mkdir()
    assert project_identity(folder) == Project("notes", Source.FOLDER, folder, folder)


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("Größe", "Größe"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("日本", "日本"),
        ("a:b*c", "a-b-c"),
        ("...", "root"),
        ("-", "root"),
        ("x" * 250, "x" * 200),
        ("tool.git", "tool"),
    ],
)
def test_a_folder_name_becomes_an_id(tmp_path: Path, name: str, project: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    assert project_identity(folder).id == project


def test_the_top_of_the_file_system_has_a_name() -> None:
    from pathlib import Path

    assert named(project_identity(Path("/"))) == ("root", Source.FOLDER)


def test_only_so_many_folders_above_are_looked_at(tmp_path: Path) -> None:
    near, deep = tmp_path / "p", tmp_path / "p"
    near.mkdir()
    (near / "package.json").write_text('{"name": "web"}')
    for _ in range(70):
        deep = deep / "d"
    deep.mkdir(parents=True)
    assert project_identity(deep).id == "d"
    assert project_identity(near / "d" / "d").id == "web"


# --- worktrees, submodules, bare and odd repositories


def test_worktrees_share_the_project_of_the_main_checkout(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=2)
    git(repo, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "w"))
    git(repo, "worktree", "add", "-q", "-b", "inner", str(repo / "trees" / "x"))
    (tmp_path / "w" / "sub").mkdir()
    for tree in (tmp_path / "w", tmp_path / "w" / "sub", repo / "trees" / "x"):
        found = project_identity(tree)
        assert named(found) == (first_commit(repo), Source.ROOT_COMMIT)
        assert found.main_checkout == repo
    assert project_identity(tmp_path / "w" / "sub").root == tmp_path / "w"
    git(repo, "remote", "add", "origin", URL)
    assert project_identity(tmp_path / "w").id == ACME


def test_settings_of_the_main_checkout_hold_in_its_worktrees(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    git(repo, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "w"))
    (repo / "packages" / "a").mkdir(parents=True)
    (tmp_path / "w" / "packages" / "a").mkdir(parents=True)
    say(repo, project="whole")
    say(repo / "packages" / "a", project="part")
    say(tmp_path / "w", project="other")
    for checkout in (repo, tmp_path / "w"):
        assert project_identity(checkout).id == "whole"
        assert project_identity(checkout / "packages" / "a").id == "part"
    shutil.rmtree(repo / ".pi")
    assert project_identity(tmp_path / "w").id == "other"


def test_a_worktree_without_commits_has_the_package_of_its_main_checkout(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    git(repo, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "w"))
    shutil.rmtree(repo / ".git" / "objects")
    (repo / ".git" / "objects").mkdir()
    (repo / "go.mod").write_text("// x\nmodule example.com/tool\n\ngo 1.22\n")
    found = project_identity(tmp_path / "w")
    assert named(found) == ("example.com/tool", Source.PACKAGE)
    assert codes(found) == ["VM219"]


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", commits=2)
    repo = repository(tmp_path / "r", url=URL)
    git(repo, "submodule", "add", "-q", str(library), "lib")
    found = project_identity(repo / "lib")
    assert found == Project(first_commit(library), Source.ROOT_COMMIT, repo / "lib", repo / "lib")
    git(repo / "lib", "remote", "set-url", "origin", "git@github.com:acme/lib.git")
    assert project_identity(repo / "lib").id == "github.com/acme/lib"
    assert project_identity(repo).id == ACME


def test_a_worktree_of_a_submodule_has_the_submodule_as_its_main_checkout(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    repo = repository(tmp_path / "r", url=URL)
    git(repo, "submodule", "add", "-q", str(library), "lib")
    git(repo / "lib", "worktree", "add", "-q", "-b", "feature", str(tmp_path / "w"))
    found = project_identity(tmp_path / "w")
    assert (found.id, found.main_checkout) == (first_commit(library), repo / "lib")


def test_a_bare_repository_works_and_so_do_its_worktrees(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=2)
    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    bare = tmp_path / "bare.git"
    assert project_identity(bare) == Project(first_commit(repo), Source.ROOT_COMMIT, bare, bare)
    git(bare, "worktree", "add", "-q", str(tmp_path / "w"))
    assert project_identity(tmp_path / "w").main_checkout == bare
    git(bare, "remote", "set-url", "origin", URL)
    assert project_identity(bare / "refs").id == ACME


def test_a_git_folder_elsewhere_works(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    git(tmp_path / "r", "init", "-q", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    git(tmp_path / "r", "remote", "add", "origin", URL)
    found = project_identity(tmp_path / "r")
    assert (found.id, found.main_checkout) == (ACME, tmp_path / "r")


def test_a_link_to_a_checkout_is_the_checkout(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    (tmp_path / "link").symlink_to(repo)
    assert project_identity(tmp_path / "link").root == repo


@pytest.mark.parametrize(
    "content",
    ["gitdir: /nowhere\n", "gitdir:\n", "nonsense\n", "", "gitdir: " + "x" * 5000, "\x00"],
)
def test_a_git_file_that_leads_nowhere_is_a_finding(tmp_path: Path, content: str) -> None:
    repo = repository(tmp_path / "r", url=URL)
    part = repo / "part"
    part.mkdir()
    (part / ".git").write_text(content)
    found = project_identity(part)
    assert (found.id, found.root, codes(found)) == ("part", part, ["VM219"])


def test_a_git_folder_that_is_no_repository_is_passed_over(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    (repo / "part" / ".git").mkdir(parents=True)
    assert project_identity(repo / "part").id == ACME
    assert project_identity(tmp_path).source is Source.FOLDER


def test_a_worktree_whose_repository_is_gone_is_a_finding(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    git(repo, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "w"))
    (repo / ".git" / "HEAD").unlink()
    assert codes(project_identity(tmp_path / "w")) == ["VM219"]


# --- config and refs


@pytest.mark.parametrize(
    ("config", "urls"),
    [
        ('[remote "origin"]\n\turl = git@h:a/b\n', {"origin": "git@h:a/b"}),
        ('[Remote "origin"]\nURL=x # note\n', {"origin": "x"}),
        ('[remote "o"] url = x ; note\n', {"o": "x"}),
        ('[remote "o"]\nurl = "a # b" ; c\n', {"o": "a # b"}),
        ('[remote "o"]\nurl = a\\\nb\n', {"o": "ab"}),
        ('[remote "o"]\r\n\turl = x\r\n', {"o": "x"}),
        ('[remote "o"]\nurl = x\nurl = y\n', {"o": "x"}),
        ('[remote "a \\"b\\""]\nurl = a\\"b\\t\\\\c\n', {'a "b"': 'a"b\t\\c'}),
        ('[remote "o"]\nurl\n# url = z\n[other "o"]\nurl = x\n', {}),
        ("[remote]\nurl = x\n", {}),
        ('[remote "o\nurl = x\n', {}),
        ('\ufeff[remote "o"]\nurl = x\\', {"o": "x\\"}),
    ],
)
def test_reads_the_remotes_as_git_does(tmp_path: Path, config: str, urls: dict[str, str]) -> None:
    (tmp_path / "config").write_bytes(config.encode())
    assert remotes(Checkout(tmp_path, tmp_path, tmp_path)) == urls


def test_a_config_that_cannot_be_read_names_no_remote(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    (repo / ".git" / "config").unlink()
    root = first_commit(repo)
    os.mkfifo(repo / ".git" / "config")
    assert project_identity(repo).id == root


def test_a_foreign_checked_out_branch_does_not_change_the_project(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=2)
    before = project_identity(repo).id
    git(repo, "checkout", "-q", "--orphan", "pages")
    git(repo, "commit", "-q", "--allow-empty", "-m", "other root")
    assert project_identity(repo).id == before != first_commit(repo)


def test_packed_detached_and_other_branches_are_found(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=3)
    root = first_commit(repo)
    git(repo, "branch", "-m", "main", "trunk")
    git(repo, "gc", "-q")
    git(repo, "pack-refs", "--all")
    assert not (repo / ".git" / "refs" / "heads" / "trunk").exists()
    assert project_identity(repo).id == root
    git(repo, "checkout", "-q", "--detach")
    assert project_identity(repo).id == root
    git(repo, "branch", "-q", "-f", "master", "trunk")
    assert project_identity(repo).id == root


@pytest.mark.parametrize(
    "head",
    [
        "ref: ../x",
        "ref: refs/../../x",
        "ref: refs/../x",
        "ref: x",
        "garbage",
        "",
        "ref: refs/heads/gone",
    ],
)
def test_a_head_that_names_nothing_is_no_commit(tmp_path: Path, head: str) -> None:
    repo = repository(tmp_path / "r", commits=0)
    (repo / ".git" / "HEAD").write_text(head)
    (repo / "x").write_text("0" * 40)
    (repo / ".git" / "x").write_text("0" * 40)
    checkout = find_checkout(repo)
    assert isinstance(checkout, Checkout)
    assert tip(checkout) is None


def test_refs_in_a_circle_are_no_commit(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=0)
    heads = repo / ".git" / "refs" / "heads"
    heads.mkdir(parents=True, exist_ok=True)
    (heads / "main").write_text("ref: refs/heads/other")
    (heads / "other").write_text("ref: refs/heads/main")
    assert project_identity(repo).source is Source.FOLDER


# --- the first commit


def checkout_of(folder: Path) -> Checkout:
    found = find_checkout(folder)
    assert isinstance(found, Checkout)
    return found


def test_of_merged_histories_the_first_parents_decide(tmp_path: Path) -> None:
    other = repository(tmp_path / "other", commits=0)
    git(other, "commit", "-q", "--allow-empty", "-m", "another beginning")
    repo = repository(tmp_path / "r", commits=2)
    root = first_commit(repo)
    assert root != first_commit(other)
    git(repo, "fetch", "-q", str(other), "main")
    git(repo, "merge", "-q", "--allow-unrelated-histories", "-m", "join", "FETCH_HEAD")
    assert root_commit(checkout_of(repo)) == root


def test_a_shallow_clone_does_not_take_its_oldest_commit_for_the_first(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=3)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo}", "shallow")
    assert root_commit(checkout_of(tmp_path / "shallow")) is None
    assert project_identity(tmp_path / "shallow").source is Source.FOLDER


def test_the_answer_is_remembered_and_followed_when_commits_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, cache = repository(tmp_path / "r", commits=3), tmp_path / "cache"
    root = first_commit(repo)
    assert project_identity(repo, cache=cache).id == root
    (kept,) = (cache / "projects").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(root_commit_module, "_walk", lambda *_: "0" * 40)
    assert project_identity(repo, cache=cache).id == root  # nothing was walked
    monkeypatch.undo()
    git(repo, "commit", "-q", "--allow-empty", "-m", "more")
    # only the new commit is read: what the remembered tip stands on could be gone
    monkeypatch.setattr(root_commit_module, "MAX_COMMITS", 2)
    assert project_identity(repo, cache=cache).id == root


@pytest.mark.parametrize("text", ["{", "[]", '["x", "y"]', "[1, 2]", "[" * 2000, "[" * 5000])
def test_a_spoilt_memory_is_made_anew(tmp_path: Path, text: str) -> None:
    repo, cache = repository(tmp_path / "r"), tmp_path / "cache"
    root = project_identity(repo, cache=cache).id
    (kept,) = (cache / "projects").iterdir()
    good = kept.read_text()
    kept.write_text(text)
    assert project_identity(repo, cache=cache).id == root
    assert kept.read_text() == good


def test_where_nothing_can_be_remembered_the_answer_is_the_same(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    (tmp_path / "cache").write_text("in the way")
    assert project_identity(repo, cache=tmp_path / "cache").id == first_commit(repo)


def test_a_history_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repository(tmp_path / "r", commits=3)
    monkeypatch.setattr(root_commit_module, "MAX_COMMITS", 2)
    assert root_commit(checkout_of(repo)) == RootUnknown("the history is too long")


@pytest.mark.parametrize("spoil", ["missing", "garbage", "empty", "blob"])
def test_a_broken_object_is_a_finding_and_the_next_rule_holds(tmp_path: Path, spoil: str) -> None:
    repo = repository(tmp_path / "r")
    commit = first_commit(repo)
    path = repo / ".git" / "objects" / commit[:2] / commit[2:]
    path.chmod(0o600)
    if spoil == "blob":
        (repo / "x").write_text("x")
        blob = git(repo, "hash-object", "-w", "x")
        (repo / ".git" / "refs" / "heads" / "main").write_text(blob)
    elif spoil == "missing":
        path.unlink()
    else:
        path.write_bytes(b"" if spoil == "empty" else b"no zlib at all")
    found = project_identity(repo)
    assert (named(found), codes(found)) == (("r", Source.FOLDER), ["VM219"])


def test_a_broken_pack_is_a_finding(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=3)
    git(repo, "gc", "-q")
    (pack,) = (repo / ".git" / "objects" / "pack").glob("*.pack")
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:40])
    found = project_identity(repo)
    assert (found.source, codes(found)) == (Source.FOLDER, ["VM219"])


def test_wrong_bytes_anywhere_in_the_objects_never_crash(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", commits=0)
    for number in range(6):
        (repo / "f").write_text("line\n" * 200 + str(number))
        git(repo, "add", ".")
        git(repo, "commit", "-q", "-m", "a long message " * 30 + str(number))
    git(repo, "gc", "-q", "--aggressive")
    root, checkout = first_commit(repo), checkout_of(repo)
    files = [path for path in (repo / ".git" / "objects").rglob("*") if path.is_file()]
    chance = random.Random(7)
    seen = set()
    for _ in range(40):
        path = chance.choice(files)
        path.chmod(0o600)
        good = path.read_bytes()
        bad = bytearray(good)
        if chance.random() < 0.3:
            del bad[chance.randrange(len(bad)) :]
        for _ in range(chance.randint(1, 8)):
            if bad:
                bad[chance.randrange(len(bad))] = chance.randrange(256)
        path.write_bytes(bad)
        found = root_commit(checkout)
        seen.add(type(found))
        assert isinstance(found, RootUnknown) or found == root
        path.write_bytes(good)
    assert seen == {str, RootUnknown}


# --- what a project says of itself


def test_both_spellings_of_the_keys_are_read(tmp_path: Path) -> None:
    (tmp_path / "p" / ".pi").mkdir(parents=True)
    path = tmp_path / "p" / ".pi" / "settings.json"
    path.write_text('{"vaultmem.project": "dotted", "vaultmem.vault": "../v"}')
    settings = locate(tmp_path / "p").settings
    assert settings.project is not None
    assert settings.vault is not None
    assert (settings.project.value, settings.vault.value) == ("dotted", "../v")
    assert settings.vault.folder == tmp_path / "p"
    path.write_text('{"vaultmem.project": "dotted", "vaultmem": {"project": "nested"}}')
    assert project_identity(tmp_path / "p").id == "nested"


def test_the_settings_of_an_inner_folder_win(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    (repo / "a" / "b").mkdir(parents=True)
    say(repo, project="outer", vault="/outer")
    say(repo / "a", project="inner")
    settings = locate(repo / "a" / "b").settings
    assert settings.project is not None
    assert settings.vault is not None
    assert (settings.project.value, settings.vault.value) == ("inner", "/outer")


def test_settings_outside_of_the_checkout_do_not_count(tmp_path: Path) -> None:
    repo = repository(tmp_path / "work" / "r", url=URL)
    say(tmp_path / "work", project="around")
    assert project_identity(repo).id == ACME


def test_a_clone_cannot_claim_the_memories_of_another_repository(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url="https://github.com/evil/tool.git")
    say(repo, project=ACME)
    found = project_identity(repo)
    assert (found.id, codes(found)) == ("github.com/evil/tool", ["VM218"])
    git(repo, "remote", "add", "upstream", "git@github.com:acme/billing-web.git")
    found = project_identity(repo)
    assert (named(found), codes(found)) == ((ACME, Source.EXPLICIT), [])


def test_where_there_is_no_remote_to_compare_the_settings_are_believed(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    say(tmp_path / "p", project=ACME)
    assert named(project_identity(tmp_path / "p")) == (ACME, Source.EXPLICIT)
    repo = repository(tmp_path / "r")
    say(repo, project=ACME)
    assert project_identity(repo).id == ACME


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"vaultmem": 3}',
        '{"vaultmem": ["x"]}',
        '{"vaultmem": {"project": 3}}',
        '{"vaultmem": {"project": ""}}',
        '{"vaultmem": {"project": ["a"]}}',
        '{"vaultmem": {"project": "../up"}}',
        '{"vaultmem": {"project": "a\\nb"}}',
        '{"vaultmem": {"project": "' + "a" * 5000 + '"}}',
        '{"vaultmem": ' + "[" * 100_000 + "]" * 100_000 + "}",
        " " * (MAX_SETTINGS + 1),
        "\udcff",
    ],
)
def test_hostile_settings_are_a_finding_and_nothing_else(tmp_path: Path, text: str) -> None:
    repo = repository(tmp_path / "r", url=URL)
    (repo / ".pi").mkdir()
    (repo / ".pi" / "settings.json").write_bytes(text.encode(errors="surrogateescape"))
    found = project_identity(repo)
    assert (found.id, codes(found)) == (ACME, ["VM208"])
    assert found.findings[0].path == str(repo / ".pi" / "settings.json")


def test_settings_behind_a_link_are_not_read(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    say(tmp_path / "elsewhere", project="linked")
    (repo / ".pi").symlink_to(tmp_path / "elsewhere" / ".pi")
    assert (project_identity(repo).id, codes(project_identity(repo))) == (ACME, ["VM208"])
    (repo / ".pi").unlink()
    (repo / ".pi").mkdir()
    for target in (
        tmp_path / "elsewhere" / ".pi" / "settings.json",
        repo / ".pi" / "settings.json",
    ):
        (repo / ".pi" / "settings.json").symlink_to(target)
        assert (project_identity(repo).id, codes(project_identity(repo))) == (ACME, ["VM208"])
        (repo / ".pi" / "settings.json").unlink()


def test_a_link_as_inner_folder_leads_to_the_real_place(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", url=URL)
    other = tmp_path / "other"
    other.mkdir()
    (repo / "out").symlink_to(other)
    assert project_identity(repo / "out").id == "other"


# --- package files


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("pyproject.toml", '[project]\nname = "a-b"\n', "a-b"),
        ("pyproject.toml", '[tool.poetry]\nname = "poet"\n', "poet"),
        ("pyproject.toml", "[tool.ruff]\n", None),
        ("pyproject.toml", "tool = 3\nproject = []\n", None),
        ("pyproject.toml", "not toml", None),
        ("pyproject.toml", "a = " + "[" * 50_000, None),
        ("package.json", '{"name": "@acme/web"}', "@acme/web"),
        ("package.json", '\ufeff{"name": " web "}', "web"),
        ("package.json", '{"name": 3}', None),
        ("package.json", '{"name": ""}', None),
        ("package.json", "[]", None),
        ("package.json", "{", None),
        ("package.json", "[" * 100_000, None),
        ("Cargo.toml", '[package]\nname = "crate"\n', "crate"),
        ("Cargo.toml", "[workspace]\nmembers = []\n", None),
        ("go.mod", "module example.com/x // note\n", "example.com/x"),
        ("go.mod", 'module "example.com/y"\n', "example.com/y"),
        ("go.mod", "go 1.22\n", None),
    ],
)
def test_reads_the_name_of_a_package(
    tmp_path: Path, file: str, text: str, name: str | None
) -> None:
    (tmp_path / file).write_text(text)
    assert package_name(tmp_path) == name


def test_a_package_file_without_a_name_leaves_it_to_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.ruff]\n")
    (folder / "package.json").write_text('{"name": "web"}')
    assert named(project_identity(folder)) == ("web", Source.PACKAGE)
    (folder / "package.json").write_text('{"name": "../up"}')
    assert named(project_identity(folder)) == ("p", Source.FOLDER)
