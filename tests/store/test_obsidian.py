"""Obsidian's settings files are read, and merged without taking anything from the person."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from vaultmem.errors import NameTakenError, NoteChangedError
from vaultmem.store.etag import etag_of
from vaultmem.store.excluded import MAX_FILTERS, MAX_PATTERN, Excluded, excluded_by, read_excluded
from vaultmem.store.obsidian import (
    APP,
    MAX_JSON,
    TEMPLATES,
    TYPES,
    TypeClash,
    apply_change,
    outer_vault,
    plan_filter,
    plan_filter_undo,
    plan_types,
    plan_types_merge,
    plan_types_undo,
    read_types,
    templates_folder,
)

if TYPE_CHECKING:
    from pathlib import Path

PERSON = '{\n  "types": {\n    "tags": "tags",\n    "status": "multitext"\n  },\n  "later": 1.50\n}'
OURS = {"id": "text", "status": "text", "tags": "tags", "pinned": "checkbox"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / ".obsidian").mkdir()
    return tmp_path


def write(vault: Path, relative: str, text: str | bytes) -> Path:
    path = vault / relative
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


BROKEN: list[str | bytes] = [
    "{",
    '{"types": {"a": "text",}}',
    '{"types": {}, "types": {}}',
    "[]",
    b'{"types": "\xff"}',
    b" " * (MAX_JSON + 1),
    "[" * 100_000,
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_a_finding_and_stays_as_it_is(vault: Path, text: str | bytes) -> None:
    files = [write(vault, relative, text) for relative in (TYPES, APP, TEMPLATES)]
    before = [path.read_bytes() for path in files]
    types, findings = read_types(vault)
    assert types == {}
    assert [(item.code, item.path) for item in findings] == [("VM215", TYPES)]
    assert templates_folder(vault)[0] is None
    assert [item.path for item in templates_folder(vault)[1]] == [TEMPLATES]
    assert read_excluded(vault)[0] == Excluded()
    assert [item.path for item in read_excluded(vault)[1]] == [APP]
    for plan in (plan_types(vault, OURS), plan_types_undo(vault, OURS)):
        assert (plan.change, [item.code for item in plan.findings]) == (None, ["VM215"])
    for filter_plan in (plan_filter(vault, "x"), plan_filter_undo(vault, "x")):
        assert (filter_plan.added, filter_plan.change) == (False, None)
        assert [item.code for item in filter_plan.findings] == ["VM215"]
    assert [path.read_bytes() for path in files] == before


def test_a_link_or_a_pipe_is_a_finding_and_is_not_read(vault: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"types": {"a": "text"}}')
    (vault / TYPES).symlink_to(secret)
    os.mkfifo(vault / APP)
    assert read_types(vault)[0] == {}
    assert [item.code for item in read_types(vault)[1]] == ["VM215"]
    assert [item.code for item in read_excluded(vault)[1]] == ["VM215"]


def test_a_vault_whose_obsidian_folder_is_a_link_is_not_read(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "types.json").write_text('{"types": {"a": "text"}}')
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / ".obsidian").symlink_to(real)
    types, findings = read_types(vault)
    assert (types, [item.code for item in findings]) == ({}, ["VM215"])


def test_no_files_mean_nothing_set_and_nothing_wrong(tmp_path: Path) -> None:
    assert read_types(tmp_path) == ({}, ())
    assert templates_folder(tmp_path) == (None, ())
    assert read_excluded(tmp_path) == (Excluded(), ())


def test_reads_the_types_and_passes_over_what_is_no_type(vault: Path) -> None:
    write(vault, TYPES, '{"types": {"a": "text", "b": 3}}')
    assert read_types(vault) == ({"a": "text"}, ())
    write(vault, TYPES, '{"types": [1]}')
    assert read_types(vault) == ({}, ())


@pytest.mark.parametrize(
    ("text", "folder", "count"),
    [
        ('{"folder": "Templates"}', "Templates", 0),
        ('{"folder": "/Meta/Templates/"}', "Meta/Templates", 0),
        ('{"folder": "/"}', None, 0),
        ('{"folder": ""}', None, 0),
        ('{"dateFormat": "x"}', None, 0),
        ('{"folder": "../x"}', None, 1),
        ('{"folder": 3}', None, 1),
    ],
)
def test_reads_the_templates_folder(vault: Path, text: str, folder: str | None, count: int) -> None:
    write(vault, TEMPLATES, text)
    found, findings = templates_folder(vault)
    assert (found, len(findings)) == (folder, count)


def test_a_merge_adds_what_is_missing_and_lists_clashes() -> None:
    changes, clashes = plan_types_merge({"tags": "tags", "Status": "multitext"}, OURS)
    assert changes == {"id": "text", "pinned": "checkbox"}
    assert clashes == (TypeClash("Status", "multitext", "text"),)
    assert plan_types_merge({"STATUS": "text"}, {"Status": "text"}) == ({}, ())


def test_types_are_merged_into_the_file_and_taken_out_again(vault: Path) -> None:
    path = write(vault, TYPES, PERSON)
    plan = plan_types(vault, OURS)
    assert plan.added == {"id": "text", "pinned": "checkbox"}
    assert plan.clashes == (TypeClash("status", "multitext", "text"),)
    assert plan.change is not None
    assert path.read_text() == PERSON  # a plan writes nothing
    etag = apply_change(vault, plan.change)
    merged = path.read_text()
    assert merged == PERSON.replace(
        '"multitext"\n', '"multitext",\n    "id": "text",\n    "pinned": "checkbox"\n'
    )
    assert etag == etag_of(path.read_bytes())
    again = plan_types(vault, OURS)
    assert (again.added, again.change) == ({}, None)
    undo = plan_types_undo(vault, plan.added)
    assert undo.change is not None
    apply_change(vault, undo.change)
    assert path.read_text() == PERSON


def test_undo_leaves_what_the_person_changed_since(vault: Path) -> None:
    path = write(vault, TYPES, '{"types": {"id": "number", "pinned": "checkbox"}}')
    undo = plan_types_undo(vault, {"id": "text", "pinned": "checkbox"})
    assert undo.change is not None
    apply_change(vault, undo.change)
    assert path.read_text() == '{"types": {"id": "number"}}'
    assert plan_types_undo(vault, {"id": "text"}).change is None


def test_a_missing_file_is_made_as_obsidian_writes_it(tmp_path: Path) -> None:
    plan = plan_types(tmp_path, {"id": "text"})
    assert plan.change is not None
    apply_change(tmp_path, plan.change)
    assert (tmp_path / TYPES).read_text() == '{\n  "types": {\n    "id": "text"\n  }\n}'
    with pytest.raises(NameTakenError):
        apply_change(tmp_path, plan.change)


def test_nothing_to_add_makes_no_file(tmp_path: Path) -> None:
    assert plan_types(tmp_path, {}).change is None
    assert plan_filter_undo(tmp_path, "x").change is None


def test_a_merge_over_a_newer_file_is_refused(vault: Path) -> None:
    path = write(vault, TYPES, PERSON)
    plan = plan_types(vault, OURS)
    assert plan.change is not None
    path.write_text("{}")
    with pytest.raises(NoteChangedError):
        apply_change(vault, plan.change)
    assert path.read_text() == "{}"


def test_a_byte_order_mark_and_windows_lines_stay(vault: Path) -> None:
    path = write(vault, TYPES, '\ufeff{\r\n  "types": {\r\n    "a": "text"\r\n  }\r\n}\r\n')
    plan = plan_types(vault, {"é": "date"})
    assert plan.change is not None
    apply_change(vault, plan.change)
    assert path.read_bytes().decode() == (
        '\ufeff{\r\n  "types": {\r\n    "a": "text",\r\n    "é": "date"\r\n  }\r\n}\r\n'
    )


def test_types_that_are_no_object_are_a_finding_and_stay(vault: Path) -> None:
    path = write(vault, TYPES, '{"types": ["a"]}')
    plan = plan_types(vault, OURS)
    assert (plan.added, plan.change, len(plan.findings)) == ({}, None, 1)
    assert path.read_text() == '{"types": ["a"]}'
    assert plan_types_undo(vault, OURS).change is None


def test_an_entry_that_is_no_type_is_the_persons_and_stays(vault: Path) -> None:
    path = write(vault, TYPES, '{"types": {"id": 3}}')
    plan = plan_types(vault, {"id": "text"})
    assert (plan.change, [item.code for item in plan.findings]) == (None, ["VM215"])
    assert path.read_text() == '{"types": {"id": 3}}'


def test_one_excluded_entry_is_added_and_taken_out_again(vault: Path) -> None:
    before = (
        '{\n  "attachmentFolderPath": "Attachments",\n  "userIgnoreFilters": [\n    "A/"\n  ]\n}'
    )
    path = write(vault, APP, before)
    plan = plan_filter(vault, "Memory/System/")
    assert plan.added
    assert plan.change is not None
    apply_change(vault, plan.change)
    assert json.loads(path.read_text())["userIgnoreFilters"] == ["A/", "Memory/System/"]
    assert not plan_filter(vault, "Memory/System/").added
    undo = plan_filter_undo(vault, "Memory/System/")
    assert undo.change is not None
    apply_change(vault, undo.change)
    assert path.read_text() == before


def test_filters_that_are_no_list_are_a_finding_and_stay(vault: Path) -> None:
    path = write(vault, APP, '{"userIgnoreFilters": "A/"}')
    assert [item.code for item in plan_filter(vault, "x").findings] == ["VM215"]
    assert [item.code for item in read_excluded(vault)[1]] == ["VM215"]
    assert path.read_text() == '{"userIgnoreFilters": "A/"}'
    write(vault, APP, '{"userIgnoreFilters": null}')
    assert read_excluded(vault) == (Excluded(), ())


def test_reads_the_excluded_entries_and_reports_what_is_no_text(vault: Path) -> None:
    write(vault, APP, '{"userIgnoreFilters": ["Archive/", 3, "", "/[0-9]{4}/"]}')
    excluded, findings = read_excluded(vault)
    assert [item.code for item in findings] == ["VM215"]
    assert excluded.excludes("Archive/x.md")
    assert excluded.excludes("Daily/2026.md")
    assert not excluded.excludes("Notes/x.md")
    write(vault, APP, '{"userIgnoreFilters": ["Archive/"]}')
    assert read_excluded(vault) == (Excluded(("archive/",)), ())


@pytest.mark.parametrize(
    ("entry", "path", "excluded"),
    [
        ("Archive/", "Archive/a.md", True),
        ("Archive/", "archive/a.md", True),
        ("Archive/", "Old/Archive/a.md", False),
        ("Arch", "Archive/a.md", True),
        ("Caf\u00e9/", "Cafe\u0301/a.md", True),
        ("/", "/a.md", True),
        ("//", "a//b.md", False),
        (r"/\.excalidraw\.md$/", "x/Drawing.excalidraw.md", True),
        (r"/\.excalidraw\.md$/", "x/Drawing.md", False),
        ("/^daily/", "Daily/x.md", True),
        ("/^daily/", "x/Daily.md", False),
        ("/日本/", "x/日本語.md", True),
        ("/b/", "\ud800b.md", True),
        (r"/\p{Lu}/", "é.md", True),
    ],
)
def test_an_entry_excludes_as_in_obsidian(entry: str, path: str, excluded: bool) -> None:
    ready, findings = excluded_by([entry])
    assert findings == ()
    assert ready.excludes(path) is excluded


@pytest.mark.parametrize(
    "entry",
    [
        "/(?=a)/",
        r"/(a)\1/",
        "/[/",
        "/*/",
        "/((a{100}){100}){100}/",
        "/\ud800/",
        f"/{'a' * (MAX_PATTERN + 1)}/",
    ],
)
def test_a_pattern_that_cannot_be_used_is_a_finding_and_excludes_nothing(
    entry: str, capfd: pytest.CaptureFixture[str]
) -> None:
    excluded, findings = excluded_by([entry, "Archive/"])
    assert [(item.code, item.path) for item in findings] == [("VM216", APP)]
    assert findings[0].message.isprintable()
    assert not excluded.excludes("aaaa.md")
    assert excluded.excludes("Archive/a.md")
    assert capfd.readouterr() == ("", "")


def test_a_pattern_that_stalls_other_engines_answers_at_once() -> None:
    excluded, findings = excluded_by(["/^(a+)+$/"])
    assert findings == ()
    assert not excluded.excludes("a" * 100_000 + "!")


def test_an_endless_list_of_entries_is_cut() -> None:
    excluded, findings = excluded_by([f"F{number}/" for number in range(MAX_FILTERS + 5)])
    assert len(excluded.prefixes) == MAX_FILTERS
    assert [item.code for item in findings] == ["VM216"]


def test_the_settings_of_a_real_vault_come_through(tmp_path: Path) -> None:
    text = '{\n  "attachmentFolderPath": "Attachments",\n  "alwaysUpdateLinks": true\n}'
    (tmp_path / ".obsidian").mkdir()
    path = write(tmp_path, APP, text)
    plan = plan_filter(tmp_path, "Memory/System/")
    assert plan.change is not None
    apply_change(tmp_path, plan.change)
    assert path.read_text().startswith(text[: text.rindex("\n")])


@pytest.mark.parametrize("name", [".types.json.vm0123456789ab.tmp", ".DS_Store"])
def test_a_leftover_in_our_settings_makes_no_vault_of_its_own(tmp_path: Path, name: str) -> None:
    outer, inner = tmp_path / "notes", tmp_path / "notes/work"
    for place, file in ((outer, "workspace.json"), (inner, "types.json"), (inner, name)):
        (place / ".obsidian").mkdir(parents=True, exist_ok=True)
        (place / ".obsidian" / file).write_text("{}")
    assert outer_vault(inner) == outer
    (inner / ".obsidian/workspace.json").write_text("{}")
    assert outer_vault(inner) is None
