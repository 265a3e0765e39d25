"""Settings, by whomever and however they were written: a finding with its line, and the defaults."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz.fuzzer import fuzz, says_why
from tests.fuzz.hostile import json_mutants, mutants, texts
from tests.fuzz.stage import stage
from vaultmem.config import Environment, HomeDirs, home_dirs
from vaultmem.core.finding import CODES
from vaultmem.core.json_splice import (
    SpliceError,
    add_to_list,
    add_to_object,
    load,
    remove_from_list,
    remove_from_object,
)
from vaultmem.errors import ConfigError, NoteError, ReviewFileError
from vaultmem.notes.frontmatter import parse_yaml, set_properties
from vaultmem.services.reviewing.pull_requests import safe_review
from vaultmem.store.excluded import read_excluded
from vaultmem.store.obsidian import (
    apply_change,
    plan_filter,
    plan_filter_undo,
    plan_types,
    plan_types_undo,
    read_types,
    templates_folder,
    turned_on_plugins,
)
from vaultmem.store.package_name import PACKAGE_FILES, package_name
from vaultmem.store.pi_settings import SETTINGS, read_project_settings
from vaultmem.store.pr_reviews import ReviewStore
from vaultmem.store.review_file import review_of
from vaultmem.store.settings import new_settings, parse_settings
from vaultmem.store.switches import Switch, read_switches, write_switches
from vaultmem.store.user_config import read_user_config
from vaultmem.store.user_config_edit import set_default_vault, set_model, trust, untrust

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
CONFIG = b"""# mine
vault: /v/one   # the default
knowledge: [Notes, Reference]
knowledge_vaults:
  - ~/other
model: BAAI/bge-small-en-v1.5
report_budget: 1700
governance_mode: strict
curator_policy: high-only
run_after:
  - ruff check .
  - just test   # quick
notebook:
  - github.com/a/b
llm: https://localhost:1234/v1
llm_window: 32000
obsidian_links: false

trusted:
  # the first
  - path: /v/one
    root: Memory
    id: vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2
  - /v/two
"""
CONFIGS = mutants(
    [
        *(CONFIG.replace(b"\n", end) for end in (b"\n", b"\r\n", b"\r")),
        b"trusted: /v/one\n",
        b"trusted: []\n",
        b"",
    ]
)


@cache
def _place() -> Path:
    return Path(tempfile.mkdtemp(prefix="config-", dir=stage().folder))


def _home(data: bytes) -> HomeDirs:
    """A machine whose user config holds these bytes."""
    folder = _place() / "home"
    shutil.rmtree(folder, ignore_errors=True)
    home = home_dirs(Environment(home=str(folder)))
    home.config.mkdir(parents=True)
    home.config_file.write_bytes(data)
    return home


def _check(findings, data: bytes) -> None:
    for one in findings:
        assert one.code in CODES
        assert one.message
        assert one.remedy
        assert one.line is None or 1 <= one.line <= data.count(b"\n") + data.count(b"\r") + 1


@fuzz(CONFIGS, examples=25)
def test_any_user_config_is_read_with_findings_and_its_copy_says_the_same(data):
    home = _home(data)
    first, again = read_user_config(home), read_user_config(home)
    _check(first.findings, data)
    assert repr(first) == repr(again)
    assert home.config_file.read_bytes() == data
    for one in first.config.trusted:
        assert one.path.is_absolute()


EDITS = st.sampled_from(
    [
        lambda home: trust(home, Path("/v/three"), vault_id=ID),
        lambda home: trust(home, Path("/v/one"), root="Other"),
        lambda home: untrust(home, Path("/v/one")),
        lambda home: set_default_vault(home, Path("/v/two")),
        lambda home: set_default_vault(home, None),
        lambda home: set_model(home, "a/b # c"),
        lambda home: set_model(home, None),
    ]
)


@fuzz(CONFIGS, st.lists(EDITS, min_size=1, max_size=3), examples=20)
def test_an_edit_of_any_user_config_keeps_comments_and_other_keys_or_is_refused(data, edits):
    home = _home(data)
    for edit in edits:
        before = home.config_file.read_bytes()
        try:
            edit(home)
        except ConfigError as error:
            says_why(error)
            assert home.config_file.read_bytes() == before
            continue
        after = home.config_file.read_bytes()
        if after == before:
            continue
        old, new = (_values(one) for one in (before, after))
        own = {"trusted", "vault", "model"}
        assert repr({k: v for k, v in old.items() if k not in own}) == repr(
            {k: v for k, v in new.items() if k not in own}
        )
        left = _lines(after)
        comments = [line for line in _lines(before) if line.startswith(b"#")]
        assert all(one in left for one in comments)
        assert not read_user_config(home).findings or _was_wrong(data)


def _lines(data: bytes) -> list[bytes]:
    """Each without the blanks around it; for YAML, a lone carriage return ends one, too."""
    return [line.strip() for line in re.split(rb"\r\n|\r|\n", data)]


def _values(data: bytes) -> dict:
    return dict(parse_yaml(data.decode("utf-8-sig")) or {})


def _was_wrong(data: bytes) -> bool:
    return bool(read_user_config(_home(data)).findings)


SETTINGS_NOTES = mutants(
    [
        new_settings("Memory", vault_id=ID),
        b"---\ntype: settings\nroot: Memory\nreport_budget: 900\ngovernance_mode: strict\n---\nMine.\n",
    ]
)


@fuzz(SETTINGS_NOTES, examples=40)
def test_any_settings_note_is_read_with_findings_and_edited_without_loss(data):
    found = parse_settings(data, path="Memory/Settings.md", root="Memory")
    _check(found.findings, data)
    assert 200 <= found.settings.report_budget <= 10_000
    try:
        changed = set_properties(data, {"id": ID})
    except NoteError:
        return
    assert parse_settings(changed, path="Memory/Settings.md", root="Memory").settings.id == ID


# Obsidian's own

APP = b'{\n  "userIgnoreFilters": [\n    "Memory/System/",\n    "/x.*/"\n  ],\n  "alwaysUpdateLinks": true\n}'
TYPES = b'{\n\t"types": {\n\t\t"aliases": "aliases",\n\t\t"created": "datetime"\n\t}\n}\n'


@fuzz(
    mutants([APP, TYPES, b"{}", b"", b"[]"]),
    st.sampled_from(["app.json", "types.json"]),
    examples=50,
)
def test_any_settings_of_obsidian_are_merged_without_another_byte_or_left(data, name):
    vault = _place() / "vault"
    shutil.rmtree(vault, ignore_errors=True)
    place = vault / ".obsidian" / name
    place.parent.mkdir(parents=True)
    place.write_bytes(data)
    for findings in (read_types(vault)[1], read_excluded(vault)[1], templates_folder(vault)[1]):
        _check(findings, data)
    turned_on_plugins(vault)
    assert place.read_bytes() == data
    if name == "app.json":
        made = plan_filter(vault, "Memory/System/new/")
        change, undo = made.change, lambda: plan_filter_undo(vault, "Memory/System/new/").change
    else:
        types = plan_types(vault, {"mine": "text"})
        change, undo = types.change, lambda: plan_types_undo(vault, {"mine": "text"}).change
    if change is None:
        return
    apply_change(vault, change)
    json.loads(place.read_bytes().decode("utf-8-sig"))
    back = undo()
    if back is not None:
        apply_change(vault, back)
    was, now = (_loaded(one) for one in (data, place.read_bytes()))
    assert {k: v for k, v in was.items() if v not in ({}, [])} == {
        k: v for k, v in now.items() if v not in ({}, [])
    }


def _loaded(data: bytes) -> dict:
    text = data.decode("utf-8-sig", "surrogatepass")
    return json.loads(text) if text.strip() else {}


@fuzz(mutants([APP, TYPES]), texts, texts, examples=40)
def test_a_splice_of_json_adds_one_entry_and_takes_it_out_again(data, key, item):
    text = data.decode("utf-8", "replace")
    try:
        before = load(text)
        more = add_to_list(text, "userIgnoreFilters", item)
        other = add_to_object(text, "types", key, item)
    except SpliceError:
        return
    assert item in load(more)["userIgnoreFilters"]
    assert load(other)["types"][key] == before.get("types", {}).get(key, item)
    if more != text and "userIgnoreFilters" in before and before["userIgnoreFilters"]:
        assert remove_from_list(more, "userIgnoreFilters", item) == text
    if other != text and before.get("types"):
        assert remove_from_object(other, "types", key, item) == text


# a project's

PROJECT = b'{"vaultmem": {"vault": "/v/one", "project": "github.com/a/b"}, "theme": "x"}'
PACKAGES = {
    "pyproject.toml": b'[project]\nname = "tide"\n[tool.poetry]\nname = "x"\n',
    "package.json": b'{"name": "tide", "version": "1"}',
    "Cargo.toml": b'[package]\nname = "tide"\n',
    "go.mod": b"module example.com/tide\n\ngo 1.22\n",
}


@fuzz(
    mutants([PROJECT])
    | json_mutants([json.loads(PROJECT)]).map(lambda one: json.dumps(one).encode()),
    examples=40,
)
def test_any_settings_of_a_project_are_used_or_a_finding(data):
    folder = _place() / "project"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / SETTINGS).parent.mkdir(parents=True)
    (folder / SETTINGS).write_bytes(data)
    found = read_project_settings([folder])
    assert all(one.code == "VM208" and one.remedy for one in found.findings)


@fuzz(st.sampled_from(PACKAGE_FILES), mutants(list(PACKAGES.values())), examples=50)
def test_any_package_file_names_a_project_or_none(name, data):
    folder = _place() / "package"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / name).write_bytes(data)
    found = package_name(folder)
    assert found is None or found.strip() == found != ""


@fuzz(mutants([b'[["read", "all", ""], ["write", "project", "github.com/a/b"]]\n']), examples=40)
def test_any_list_of_what_is_off_is_read_and_written_again(data):
    folder = _place() / "off"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    write_switches(folder, [Switch("read", "all", "")])
    (place,) = folder.iterdir()
    place.write_bytes(data)
    off = read_switches(folder)
    write_switches(folder, off)
    assert read_switches(folder) == off


# reviews

REVIEW = {
    "metadata": {"owner": "acme", "repo": "tide", "pr_number": 12, "head_sha": "abc", "author": "bot"},
    "comments": [
        {"path": "src/a.py", "line": 3, "body": "Name it.", "severity": "low", "status": "posted"},
        {"path": "b.py", "body": "No.", "status": "skipped", "skip_reason": "A test.", "comment_id": 7},
        {"path": "c.py", "line": "9", "body": "x", "posted_at": "2026-03-01T10:00:00Z", "thread_id": "t"},
    ],
}  # fmt: skip
REVIEWS = st.one_of(
    mutants([json.dumps(REVIEW, indent=1).encode()]),
    json_mutants([REVIEW]).map(lambda one: json.dumps(one).encode()),
)


@fuzz(REVIEWS, examples=60)
def test_any_review_is_read_or_refused_and_what_was_read_is_stored_as_it_was(data):
    try:
        review = review_of(data)
    except ReviewFileError as error:
        says_why(error)
        return
    folder = _place() / "reviews"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    store = ReviewStore(folder)
    safe = safe_review(review)
    store.put([safe])
    (kept,) = store.history(safe.of)
    assert tuple(one.comment for one in kept.comments) == safe.comments
    store.skipped(safe.of)
