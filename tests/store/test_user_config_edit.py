"""Commands change `config.yaml` without taking anything from what a person wrote in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.config import Environment, HomeDirs, TrustedVault, UserConfig, home_dirs
from vaultmem.errors import ConfigError
from vaultmem.notes.frontmatter import parse_yaml
from vaultmem.store.disk import DISK
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import (
    set_default_vault,
    set_model,
    trust,
    untrust,
)

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
OTHER_ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W3"


@pytest.fixture
def home(tmp_path: Path) -> HomeDirs:
    return home_dirs(Environment(home=str(tmp_path / "home")))


def write(home: HomeDirs, text: str) -> Path:
    home.config.mkdir(parents=True, exist_ok=True)
    home.config_file.write_bytes(text.encode())
    return home.config_file


def test_trust_makes_the_file_for_its_user_alone(home: HomeDirs, tmp_path: Path) -> None:
    vault = tmp_path / "Vault"
    vault.mkdir()
    assert trust(home, vault, vault_id=ID) == TrustedVault(vault, "Memory", ID)
    assert home.config_file.read_text() == (
        f"trusted:\n  - path: {vault}\n    root: Memory\n    id: {ID}\n"
    )
    assert home.config_file.stat().st_mode & 0o777 == 0o600
    assert home.config.stat().st_mode & 0o777 == 0o700
    assert read_user_config(home).config.trusted == (TrustedVault(vault, "Memory", ID),)


def test_comments_order_and_quotes_of_the_person_stay(home: HomeDirs, tmp_path: Path) -> None:
    vault = tmp_path / "Vault"
    before = (
        "# mine, do not lose\n"
        'vault: "/v/one"  # the default\n'
        "\n"
        "mystery: 012   # of unknown use\n"
        "trusted:\n"
        "  # the work one\n"
        "  - path: '/v/work'\n"
        "    root: Notes/Memory  # old\n"
        "\n"
        "# what the agent may see\n"
        "knowledge: [Notes, 'Reference']\n"
        "# the end\n"
    )
    write(home, before)
    trust(home, vault, vault_id=ID)
    after = home.config_file.read_text()
    for line in before.splitlines():
        assert line in after.splitlines()
    assert [trusted.path for trusted in read_user_config(home).config.trusted] == [
        Path("/v/work"),
        vault,
    ]
    assert untrust(home, vault)
    assert home.config_file.read_text().split() == before.split()


def test_trusting_again_corrects_the_entry(home: HomeDirs, tmp_path: Path) -> None:
    vault = tmp_path / "Vault"
    vault.mkdir()
    link = tmp_path / "link"
    link.symlink_to(vault)
    trust(home, vault, vault_id=ID)
    trust(home, link, root="Brain", vault_id=OTHER_ID)
    assert read_user_config(home).config.trusted == (TrustedVault(vault, "Brain", OTHER_ID),)
    trust(home, vault)
    assert read_user_config(home).config.trusted == (TrustedVault(vault),)


def test_untrust_says_whether_there_was_something(home: HomeDirs, tmp_path: Path) -> None:
    assert not untrust(home, tmp_path)
    assert not home.config_file.exists()
    trust(home, tmp_path)
    assert untrust(home, tmp_path)
    assert not untrust(home, tmp_path)
    assert read_user_config(home).config == UserConfig()


@pytest.mark.parametrize(
    "spelled", ["trusted: {v}\n", "trusted: [{v}]\n", "trusted:\n- path: {v}\n"]
)
def test_an_entry_in_any_spelling_is_found(home: HomeDirs, tmp_path: Path, spelled: str) -> None:
    write(home, "# top\n" + spelled.format(v=tmp_path))
    trust(home, tmp_path, vault_id=ID)
    assert read_user_config(home).config.trusted == (TrustedVault(tmp_path, "Memory", ID),)
    assert untrust(home, tmp_path)
    assert home.config_file.read_text() == "# top\n"


def test_a_file_of_comments_keeps_them(home: HomeDirs) -> None:
    write(home, "# vault: somewhere\n# the end")
    set_model(home, "a/b")
    assert home.config_file.read_text() == "# vault: somewhere\n# the end\nmodel: a/b\n"
    set_model(home, None)
    assert home.config_file.read_text() == "# vault: somewhere\n# the end\n"


def test_default_vault_and_model_are_set_and_unset(home: HomeDirs, tmp_path: Path) -> None:
    set_default_vault(home, tmp_path)
    set_model(home, "BAAI/bge-small-en-v1.5")
    config = read_user_config(home).config
    assert (config.vault, config.model) == (tmp_path, "BAAI/bge-small-en-v1.5")
    set_default_vault(home, None)
    set_default_vault(home, None)
    assert read_user_config(home).config.vault is None


def test_the_same_again_writes_nothing(home: HomeDirs, tmp_path: Path) -> None:
    path = write(home, "model:    'a/b'\n")
    stat = path.stat()
    set_model(home, "a/b")
    set_default_vault(home, None)
    assert path.read_text() == "model:    'a/b'\n"
    assert path.stat().st_ino == stat.st_ino


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_a_new_line_ends_as_the_first_and_the_byte_order_mark_stays(
    home: HomeDirs, end: str
) -> None:
    path = write(home, f"\ufeff# mine{end}vault: /v{end}")
    set_model(home, "a/b")
    assert path.read_bytes().decode() == f"\ufeff# mine{end}vault: /v{end}model: a/b{end}"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("last", ["\r\n", "\r", "\n", ""])
def test_every_line_keeps_its_own_end(home: HomeDirs, tmp_path: Path, end: str, last: str) -> None:
    lines = ["# mine", "vault: /v  # v", "trusted:", "  # one", "  - /one", "  # two", "  - /two"]
    mixed = end.join(lines[:4]) + "\n" + "\r\n".join(lines[4:]) + last
    path = write(home, mixed)
    untrust(home, Path("/one"))
    left = mixed.replace("  - /one\r\n", "")
    assert path.read_bytes().decode() == left
    set_default_vault(home, Path("/w"))
    left = left.replace("vault: /v ", "vault: /w ")
    assert path.read_bytes().decode() == left
    set_model(home, "a/b")
    added = f"{left}{'' if last else end}model: a/b{end}"
    assert path.read_bytes().decode() == added
    set_default_vault(home, None)
    set_model(home, None)
    gone = added.replace(f"vault: /w  # v{end}", "").removesuffix(f"model: a/b{end}")
    assert path.read_bytes().decode() == gone
    untrust(home, Path("/two"))
    text = path.read_bytes().decode()
    assert "trusted" not in text
    assert all(one in text for one in ("# mine", "  # one\n", "  # two\r\n"))


def test_a_link_stays_a_link(home: HomeDirs, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_text("vault: /v  # mine\n")
    home.config.mkdir(parents=True)
    home.config_file.symlink_to(real)
    set_model(home, "a/b")
    assert home.config_file.is_symlink()
    assert real.read_text() == "vault: /v  # mine\nmodel: a/b\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("vault: [\n", r"config\.yaml.* Correct it first"),
        ("a: b: c\n", r"config\.yaml, line 1: .* Correct it first"),
        ("- one\n", "not a list of `key: value` lines"),
        ("{vault: /v}\n", "Edit it by hand"),
        ("vault: /v\n...\n", "Edit it by hand"),
        ("model: &m a\nvault: *m\n", "Edit it by hand"),
    ],
)
def test_a_file_that_cannot_be_edited_without_loss_is_left_alone(
    home: HomeDirs, text: str, why: str
) -> None:
    path = write(home, text)
    with pytest.raises(ConfigError, match=why):
        set_model(home, "a/b")
    assert path.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        "when: 2024-13-45\nodd: 1_000\nx: !tag y\n",
        "a: &x [1]\nb: *x\n",
        "a: |\n  text\n\n",
        "a: 'x\n  y'\n",
        "---\na: 1\n",
        "a: 1",
    ],
)
def test_what_stands_beside_an_edit_may_be_as_odd_as_yaml_allows(home: HomeDirs, text: str) -> None:
    path = write(home, text)
    set_model(home, "a/b")
    end = "" if text.endswith("\n") else "\n"
    assert path.read_text() == f"{text}{end}model: a/b\n"
    set_model(home, None)
    assert path.read_text() == f"{text}{end}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model: x  # why\n", "model: a/b  # why\n"),
        ("model:   'x'  # why\n", "model:   a/b  # why\n"),
        ("model:\nvault: /v\n", "model: a/b\nvault: /v\n"),
        ("model:   # none yet\n", "model: a/b   # none yet\n"),
        ("model: [x]  # why\n", "model: a/b  # why\n"),
        ("model: >\n  x\n  y\n# next\nz: 1\n", "model: a/b\n# next\nz: 1\n"),
        ("model: 'x\n  y'\nz: 1\n", "model: a/b\nz: 1\n"),
    ],
)
def test_a_value_is_replaced_in_its_place(home: HomeDirs, before: str, after: str) -> None:
    path = write(home, before)
    set_model(home, "a/b")
    assert path.read_text() == after


@pytest.mark.parametrize(
    "name", ["a/b", "~/x", "", "true", "Yes", "12", "a: b", "# x", "é", "'", "C:\\x", "a\nb", "-"]
)
def test_any_text_comes_back_as_it_was_set(home: HomeDirs, name: str) -> None:
    set_model(home, name)
    assert parse_yaml(home.config_file.read_text()) == {"model": name}


LIST = """\
trusted:
  # the work one
  - path: {a}  # old
    # its root
    root: Work

  # the other
  - path: {b}
    root: Memory
  # end of the list
# what the agent may see
knowledge: [Notes]
"""


def test_an_entry_is_corrected_in_its_place(home: HomeDirs, tmp_path: Path) -> None:
    text = LIST.format(a=tmp_path / "a", b=tmp_path / "b")
    path = write(home, text)
    trust(home, tmp_path / "a", root="Brain", vault_id=ID)
    assert path.read_text() == text.replace("root: Work\n", f"root: Brain\n    id: {ID}\n")
    trust(home, tmp_path / "a", root="Work")
    assert path.read_text() == text


def test_an_entry_is_taken_out_and_every_comment_line_stays(home: HomeDirs, tmp_path: Path) -> None:
    text = LIST.format(a=tmp_path / "a", b=tmp_path / "b")
    path = write(home, text)
    assert untrust(home, tmp_path / "b")
    assert path.read_text() == text.replace(f"  - path: {tmp_path / 'b'}\n    root: Memory\n", "")
    trust(home, tmp_path / "c")
    added = f"    root: Work\n  - path: {tmp_path / 'c'}\n    root: Memory\n"
    assert added in path.read_text()
    assert untrust(home, tmp_path / "a")
    assert untrust(home, tmp_path / "c")
    comments = [line.strip() for line in text.splitlines() if line.lstrip().startswith("#")]
    assert [line.strip() for line in path.read_text().splitlines() if "#" in line] == comments
    assert parse_yaml(path.read_text()) == {"knowledge": ["Notes"]}


def test_entries_in_brackets_become_lines(home: HomeDirs, tmp_path: Path) -> None:
    path = write(home, f"trusted: [{tmp_path / 'a'}]  # mine\nmodel: x\n")
    trust(home, tmp_path / "b")
    assert path.read_text() == (
        f"trusted:  # mine\n  - {tmp_path / 'a'}\n"
        f"  - path: {tmp_path / 'b'}\n    root: Memory\nmodel: x\n"
    )
    trust(home, tmp_path / "a")
    assert read_user_config(home).config.trusted == (
        TrustedVault(tmp_path / "a"),
        TrustedVault(tmp_path / "b"),
    )


def test_a_list_in_a_circle_is_left_alone(home: HomeDirs, tmp_path: Path) -> None:
    text = "trusted: &x\n  - *x\n"
    path = write(home, text)
    with pytest.raises(ConfigError, match=r"Correct it first|by hand"):
        trust(home, tmp_path)
    assert path.read_text() == text


def test_bytes_that_are_no_text_are_left_alone(home: HomeDirs) -> None:
    home.config.mkdir(parents=True)
    home.config_file.write_bytes(b"x: \xff\n")
    with pytest.raises(ConfigError, match="not valid UTF-8"):
        set_model(home, "a/b")
    assert home.config_file.read_bytes() == b"x: \xff\n"


def test_a_folder_in_its_place_and_one_that_cannot_be_made_are_said(
    home: HomeDirs, tmp_path: Path
) -> None:
    home.config_file.mkdir(parents=True)
    with pytest.raises(ConfigError, match="is no regular file"):
        set_model(home, "a/b")
    blocked = tmp_path / "file"
    blocked.write_text("x")
    with pytest.raises(ConfigError, match=r"cannot be made .*VAULTMEM_HOME"):
        set_model(home_dirs(Environment(home=str(blocked))), "a/b")


@pytest.mark.parametrize(("root", "vault_id"), [("../x", None), ("Memory", "mem_1")])
def test_a_malformed_root_or_id_is_refused(
    home: HomeDirs, tmp_path: Path, root: str, vault_id: str | None
) -> None:
    with pytest.raises(ConfigError):
        trust(home, tmp_path, root=root, vault_id=vault_id)
    assert not home.config_file.exists()


def test_an_edit_that_another_process_makes_meanwhile_is_kept(
    home: HomeDirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "vault: /v\n")
    real, saves = DISK.fsync, iter(["vault: /w\n"])

    def save_in_between(descriptor: int) -> None:
        real(descriptor)
        if (text := next(saves, None)) is not None:
            path.write_text(text)

    monkeypatch.setattr(DISK, "fsync", save_in_between)
    set_model(home, "a/b")
    assert path.read_text() == "vault: /w\nmodel: a/b\n"


def test_a_file_that_never_stays_the_same_is_given_up(
    home: HomeDirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "vault: /v0\n")
    real, count = DISK.fsync, iter(range(1, 100))

    def save_in_between(descriptor: int) -> None:
        real(descriptor)
        path.write_text(f"vault: /v{next(count)}\n")

    monkeypatch.setattr(DISK, "fsync", save_in_between)
    with pytest.raises(ConfigError, match="keeps changing"):
        set_model(home, "a/b")
    assert "model" not in path.read_text()


def test_processes_that_trust_at_once_lose_nothing(home: HomeDirs, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from vaultmem.config import home_dirs, read_environment\n"
        "from vaultmem.store.user_config_edit import trust\n"
        "trust(home_dirs(read_environment()), Path(sys.argv[1]))\n"
    )
    env = {**os.environ, "VAULTMEM_HOME": str(home.config.parent)}
    vaults = [tmp_path / f"v{number}" for number in range(3)]
    running = [subprocess.Popen([sys.executable, "-c", script, str(v)], env=env) for v in vaults]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert {item.path for item in read_user_config(home).config.trusted} == set(vaults)
    assert sorted(path.name for path in home.config.iterdir()) == ["config.yaml"]


_WORD = st.text("abcXYZ019 _./~'\"#:-é日", max_size=12)
_KEY = st.text("abcdefg_", min_size=1, max_size=6)
_SCALAR = _WORD | st.integers() | st.booleans() | st.none()


@settings(max_examples=40, deadline=None)
@given(
    values=st.dictionaries(
        _KEY, _SCALAR | st.lists(_SCALAR, max_size=3) | st.dictionaries(_KEY, _SCALAR, max_size=2)
    )
)
def test_an_edit_leaves_every_other_key_its_value(
    values: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    import json

    home = home_dirs(Environment(home=str(tmp_path_factory.mktemp("h"))))
    text = "".join(f"{key}: {json.dumps(value)}  # note\n" for key, value in values.items())
    write(home, text)
    set_model(home, "a/b")
    assert parse_yaml(home.config_file.read_text()) == {**values, "model": "a/b"}
    assert home.config_file.read_text().count("# note") == len(values)


@pytest.mark.parametrize("spelled", ["trusted:\n", "trusted:  # none yet\n", "trusted: []\n"])
def test_an_empty_list_gets_its_first_entry(home: HomeDirs, tmp_path: Path, spelled: str) -> None:
    path = write(home, f"{spelled}model: x\n")
    trust(home, tmp_path)
    head = spelled.replace(" []", "")
    assert path.read_text() == f"{head}  - path: {tmp_path}\n    root: Memory\nmodel: x\n"


_COMMENT = st.sampled_from(["", "  # c", "\n  # deep", "\n# top"])
_ENTRY = st.tuples(st.integers(0, 4), st.booleans(), _COMMENT)
_STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    entries=st.lists(_ENTRY, max_size=4, unique_by=lambda e: e[0]), steps=_STEPS, eol=st.booleans()
)
def test_any_steps_of_trust_keep_comments_and_mean_what_they_say(
    entries: list[tuple[int, bool, str]],
    steps: list[tuple[bool, int]],
    eol: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = home_dirs(Environment(home=str(tmp_path_factory.mktemp("h"))))
    lines = "".join(
        f"  - {'path: ' if mapped else ''}/v/{number}{comment}\n"
        for number, mapped, comment in entries
    )
    text = f"# first\ntrusted:\n{lines}# last\nvault: /v # why\n"
    write(home, text.removesuffix("\n") if eol else text)
    trusted = {Path(f"/v/{number}") for number, _, _ in entries}
    for add, number in steps:
        path = Path(f"/v/{number}")
        if add:
            trust(home, path, root="Brain")
            trusted.add(path)
        else:
            assert untrust(home, path) is (path in trusted)
            trusted.discard(path)
        loaded = read_user_config(home)
        assert loaded.findings == ()
        assert {entry.path for entry in loaded.config.trusted} == trusted
    after = home.config_file.read_text().splitlines()
    for line in text.splitlines():
        if line.lstrip().startswith("#") or line.startswith("vault"):
            assert line in after


MOVED = """trusted:
  # work laptop
  - path: {a} # work
    note: mine
    root: Memory
  # home
  - path: {b} # home
    root: Memory
"""


@pytest.mark.parametrize("listed", ["", "  - {new}\n", "  - path: {new}\n    root: Old\n"])
def test_a_vault_that_moved_stands_where_it_stood_with_its_comments_and_keys(
    home: HomeDirs, tmp_path: Path, listed: str
) -> None:
    """Also where its new place is listed already."""
    a, b, new = (tmp_path / name for name in "abn")
    text = MOVED.format(a=a, b=b)
    path = write(home, text + listed.format(new=new))
    trust(home, new, root="Brain", was_at=[a])
    assert path.read_text() == text.replace(f"{a}", f"{new}").replace("Memory", "Brain", 1)


@pytest.mark.parametrize(
    "text",
    [
        "trusted: [\n  /a, # mine\n  /b,\n] # end\n",
        "trusted:\n  path: /a # mine\n  root: Memory\n",
        "trusted:\n  path: /a\n  # mine\n  root: Memory\n",
    ],
)
def test_a_comment_inside_of_what_would_be_replaced_is_not_lost(home: HomeDirs, text: str) -> None:
    path = write(home, text)
    with pytest.raises(ConfigError, match="without losing"):
        trust(home, Path("/new"))
    assert path.read_text() == text


@pytest.mark.parametrize("first", ["  -\n    path: /a\n", "  - # first\n    path: /a\n"])
def test_an_entry_whose_keys_begin_on_the_next_line_can_be_taken_out(
    home: HomeDirs, first: str
) -> None:
    path = write(home, f"trusted:\n{first}    root: Memory\n  - /b # mine\n")
    assert untrust(home, Path("/a"))
    assert path.read_text() == "trusted:\n  - /b # mine\n"


def test_a_line_of_a_text_that_looks_like_a_comment_goes_with_it(home: HomeDirs) -> None:
    path = write(home, 'vault: "/a\n  # b"\n# mine\nmodel: |\n  # no comment\n  x\n')
    set_default_vault(home, None)
    set_model(home, None)
    assert path.read_text() == "# mine\n"


@pytest.mark.parametrize("text", ["---\n# mine\n", "---\n", "# mine\n---\n"])
def test_a_file_of_comments_alone_gets_its_first_key(home: HomeDirs, text: str) -> None:
    path = write(home, text)
    set_model(home, "a/b")
    assert path.read_text() == f"{text}model: a/b\n"


def test_any_name_of_a_folder_is_written_or_said_to_be_none(home: HomeDirs) -> None:
    for name in ("caf\x7f", "a\x85b", "a\u2028b", "\ufeffa", "é #"):
        trust(home, Path("/v") / name)
    known = [one.path.name for one in read_user_config(home).config.trusted]
    assert known == ["caf\x7f", "a\x85b", "a\u2028b", "\ufeffa", "é #"]
    before = home.config_file.read_bytes()
    for verb in (trust, set_default_vault):
        with pytest.raises(ConfigError, match="no UTF-8 text"):
            verb(home, Path("/v/caf\udce9"))
    assert home.config_file.read_bytes() == before


def test_an_entry_that_holds_nothing_is_left_beside_the_new_one(home: HomeDirs) -> None:
    path = write(home, "trusted: [{}]\n")
    trust(home, Path("/a"))
    assert "- {}" in path.read_text()
    assert [one.path for one in read_user_config(home).config.trusted] == [Path("/a")]
