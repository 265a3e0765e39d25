"""`Settings.md` is read with its findings and written one property at a time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from vaultmem.core.governance import Governance, govern
from vaultmem.core.settings import NOTEBOOK_DEVICE, SETTINGS, Settings
from vaultmem.errors import ConfigError, EditRefusedError, NoteChangedError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.store.etag import etag_of
from vaultmem.store.settings import (
    MAX_SETTINGS,
    LoadedSettings,
    new_settings,
    read_settings,
    settings_path,
    write_settings,
)

if TYPE_CHECKING:
    from pathlib import Path

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "Memory").mkdir()
    return tmp_path


def write(vault: Path, text: str | bytes) -> Path:
    path = vault / "Memory" / "Settings.md"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def codes(loaded: LoadedSettings) -> list[tuple[str, int | None]]:
    assert all(finding.path == "Memory/Settings.md" for finding in loaded.findings)
    return [(finding.code, finding.line) for finding in loaded.findings]


def test_reads_what_the_note_says_and_the_version_it_read(vault: Path) -> None:
    text = f"---\nid: {ID}\ntype: settings\nroot: Memory\nreport_budget: 900\nmine: x\n---\nHello\n"
    write(vault, text)
    loaded = read_settings(vault, "Memory")
    assert loaded.settings == Settings(id=ID, root="Memory", report_budget=900)
    assert loaded.findings == ()
    assert loaded.etag == etag_of(text.encode())


def test_the_keys_of_governance_are_read_and_named_where_they_are_wrong(vault: Path) -> None:
    write(vault, "---\ngovernance_mode: Strict\ncurator_min_evidence_count: 3\n---\n")
    loaded = read_settings(vault, "Memory")
    assert loaded.findings == ()
    assert govern(loaded.said)[0] == Governance(mode="strict", min_evidence_count=3)
    write(vault, "---\ntype: settings\ngovernance_mode: lax\n---\n")
    assert codes(read_settings(vault, "Memory")) == [("VM211", 3)]


def test_a_root_may_lie_deeper(vault: Path) -> None:
    (vault / "Notes" / "Memory").mkdir(parents=True)
    (vault / "Notes" / "Memory" / "Settings.md").write_bytes(new_settings("Notes/Memory"))
    assert settings_path("Notes/Memory") == "Notes/Memory/Settings.md"
    loaded = read_settings(vault, "Notes/Memory")
    assert (loaded.settings.root, loaded.findings) == ("Notes/Memory", ())


def test_no_note_is_a_finding_and_the_defaults_hold(vault: Path) -> None:
    loaded = read_settings(vault, "Memory")
    assert (loaded.settings, loaded.etag) == (Settings(), None)
    assert codes(loaded) == [("VM212", None)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\nid: vault_nonsense\n---\n", [("VM214", 2)]),
        ("---\ntype: settings\nreport_budget: lots\n---\n", [("VM211", 3)]),
        ("---\r\nreport_budget: -1\r\n---\r\n", [("VM211", 2)]),
        ("---\nroot: Elsewhere\n---\n", [("VM213", 2)]),
        ("---\nroot: ../x\nreport_budget: []\n---\n", [("VM211", 2)]),
        ("---\na: b: c\n---\n", [("VM210", 2)]),
        ("---\nid: x\n", [("VM210", 1)]),
        (b"---\nid: \xff\n---\n", [("VM210", 2)]),
        ("---\nid: 1\nid: 2\n---\n", [("VM210", 3)]),
        ("No properties at all.\n", []),
        ("", []),
    ],
)
def test_what_is_wrong_is_a_finding_with_its_line_and_the_default_holds(
    vault: Path, text: str | bytes, found: list[tuple[str, int | None]]
) -> None:
    write(vault, text)
    loaded = read_settings(vault, "Memory")
    assert codes(loaded) == found
    assert loaded.settings._replace(root=None) == Settings()
    assert loaded.etag is not None


def test_a_hostile_note_costs_a_finding_and_nothing_else(vault: Path, tmp_path: Path) -> None:
    write(vault, b"---\n" + b"a: b\n" * 250_000 + b"---\n")  # more than any block may have
    assert [code for code, _ in codes(read_settings(vault, "Memory"))] == ["VM210"]
    path = write(vault, b"x" * (MAX_SETTINGS + 1))
    assert codes(read_settings(vault, "Memory")) == [("VM210", None)]
    path.unlink()
    secret = tmp_path / "secret.md"
    secret.write_text(f"---\nid: {ID}\n---\n")
    path.symlink_to(secret)
    loaded = read_settings(vault, "Memory")
    assert codes(loaded) == [("VM210", None)]
    assert loaded.settings.id is None
    assert "symbolic link" in loaded.findings[0].message
    path.unlink()
    os.mkfifo(path)
    assert codes(read_settings(vault, "Memory")) == [("VM210", None)]


def test_a_root_behind_a_link_is_not_read(vault: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "Settings.md").write_text(f"---\nid: {ID}\n---\n")
    (vault / "Linked").symlink_to(elsewhere)
    loaded = read_settings(vault, "Linked")
    assert loaded.settings == Settings()
    assert [finding.code for finding in loaded.findings] == ["VM210"]


def test_a_write_changes_only_the_lines_of_its_properties(vault: Path) -> None:
    before = "---\n# mine\ntype:   settings\nreport_budget: 900   # small\nx: 'y'\n---\nHello\r\n"
    path = write(vault, before)
    loaded = read_settings(vault, "Memory")
    assert loaded.etag is not None
    etag = write_settings(vault, "Memory", {"report_budget": 1200, "id": ID}, expected=loaded.etag)
    after = path.read_bytes().decode()
    assert after == before.replace("900", "1200").replace("x: 'y'\n", f"x: 'y'\nid: {ID}\n")
    assert etag == etag_of(path.read_bytes())
    assert read_settings(vault, "Memory").settings == Settings(id=ID, report_budget=1200)


def test_a_write_over_a_newer_version_is_refused(vault: Path) -> None:
    path = write(vault, "---\ntype: settings\n---\n")
    etag = read_settings(vault, "Memory").etag
    assert etag is not None
    path.write_text("---\ntype: settings\nmine: 1\n---\n")
    with pytest.raises(NoteChangedError):
        write_settings(vault, "Memory", {"id": ID}, expected=etag)
    assert path.read_text() == "---\ntype: settings\nmine: 1\n---\n"


def test_a_write_that_would_lose_something_is_refused(vault: Path) -> None:
    text = "---\nreport_budget: &a 1\nb: *a\n---\n"
    path = write(vault, text)
    with pytest.raises(EditRefusedError):
        write_settings(vault, "Memory", {"report_budget": 5}, expected=etag_of(text.encode()))
    assert path.read_text() == text


def test_a_write_without_a_note_says_what_to_do(vault: Path) -> None:
    with pytest.raises(ConfigError, match=r"is not there.*vaultmem init"):
        write_settings(vault, "Memory", {"id": ID}, expected=etag_of(b""))


def test_a_new_note_spells_every_default_and_reads_as_them() -> None:
    data = new_settings("Memory", vault_id=ID)
    properties = get_properties(data)
    assert properties == {"id": ID, "type": "settings", "root": "Memory", "report_budget": 1700}
    unset = {NOTEBOOK_DEVICE.name}  # nobody rewrites the notebook until the person says so
    assert {setting.name for setting in SETTINGS} - unset < set(properties)
    body = data.decode().split("---\n", 2)[2]
    assert all(f"`{setting.name}`" in body for setting in SETTINGS)
    assert "`governance_mode`" in body
    assert "id" not in get_properties(new_settings("Memory"))
