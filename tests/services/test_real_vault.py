"""A vault that nobody here made: nothing of the person's changes but the property that is asked for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.links import targets
from tests.world import Device
from vaultmem.errors import NoteError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.doctor import doctor
from vaultmem.services.init import init, plan_init
from vaultmem.services.note_property import put, remove
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.undo_init import undo_init

SHARED = Path(__file__).parents[3] / "shared" / "vaults" / "kepano-obsidian"
CARRIED = Path(__file__).parents[1] / "fixtures" / "vaults" / "notes"


def _source() -> Path:
    return SHARED if SHARED.exists() else CARRIED


def _files(vault: Path) -> dict[str, bytes]:
    return {
        place.relative_to(vault).as_posix(): place.read_bytes()
        for place in sorted(vault.rglob("*"))
        if place.is_file()
    }


@pytest.fixture
def vault(tmp_path):
    shutil.copytree(_source(), tmp_path / "vault")
    for place in (tmp_path / "vault").rglob("*"):
        place.chmod(0o755 if place.is_dir() else 0o644)
    (tmp_path / "vault").chmod(0o755)
    return tmp_path / "vault"


@pytest.fixture
def device(vault, tmp_path):
    made = Device(vault, tmp_path / "home", seed=1)
    app = made.app()
    plan = plan_init(app.home, vault, "Memory")
    init(app.home, app.config.config, plan, now=app.now, random=app.random)
    yield made
    made.close()


def test_init_sync_search_report_and_doctor_change_nothing_of_the_persons(vault, device):
    source = _source()
    before = targets(vault)
    done = device.sync()
    app = device.app()
    found = search(app.call(), app.engine, "obsidian", mode=Mode.KEYWORD, sources=(Source.VAULT,))
    report(app.call())
    doctor(app.call(), set_up=(), crash_log=app.home.state / "crash.log")
    files = _files(vault)
    for path, data in _files(source).items():
        if path != ".obsidian/types.json":
            assert files[path] == data, path
    assert done.created == 0
    assert found.hits
    assert {link: targets(vault)[link] for link in before} == before


def test_the_findings_make_sense(vault, device):
    device.sync()
    app = device.app()
    found = doctor(app.call(), set_up=(), crash_log=app.home.state / "crash.log")
    assert {one.code for one in found.findings} <= {"VM103", "VM107", "VM217"}
    for one in found.findings:
        assert one.message
        assert one.remedy


def test_one_property_of_every_note_and_no_other_byte(vault, device):
    device.sync()
    call = device.call()
    changed = 0
    for path, before in sorted(_files(vault).items()):
        if not path.endswith(".md") or path.startswith("Memory/"):
            continue
        try:
            put(call, path, "vaultmem_probe", ["yes"])
        except NoteError:
            assert (vault / path).read_bytes() == before
            continue
        after = (vault / path).read_bytes()
        assert get_properties(after)["vaultmem_probe"] == "yes"
        had_block = before.startswith((b"---", b"\xef\xbb\xbf---"))
        remove(call, path, "vaultmem_probe")
        if had_block:
            assert (vault / path).read_bytes() == before
        changed += 1
    assert changed > 5


def test_a_value_takes_the_type_that_the_vault_shows_it_with(vault, device):
    (vault / ".obsidian").mkdir(exist_ok=True)
    (vault / ".obsidian/types.json").write_text(
        '{"types": {"rating": "number", "done": "checkbox", "genre": "multitext", "seen": "date"}}'
    )
    (vault / "probe.md").write_text("---\nmine: 1\n---\nText\n")
    call = device.call()
    put(call, "probe.md", "rating", ["7"])
    put(call, "probe.md", "done", ["true"])
    put(call, "probe", "genre", ["jazz"])
    put(call, str(vault / "probe.md"), "seen", ["2026-11-29"])
    put(call, "probe.md", "mine", ["2"])
    put(call, "probe.md", "text", ["7"])
    assert (vault / "probe.md").read_text() == (
        '---\nmine: 2\nrating: 7\ndone: true\ngenre:\n  - jazz\nseen: 2026-11-29\ntext: "7"\n---\nText\n'
    )
    for key, value in (("rating", "many"), ("done", "perhaps"), ("seen", "yesterday")):
        with pytest.raises(NoteError, match=key):
            put(call, "probe.md", key, [value])


def test_init_is_undone_to_the_last_byte(tmp_path):
    vault = tmp_path / "vault"
    shutil.copytree(_source(), vault)
    for place in [vault, *vault.rglob("*")]:
        place.chmod(0o755 if place.is_dir() else 0o644)
    before = _files(vault)
    device = Device(vault, tmp_path / "home", seed=1)
    app = device.app()
    plan = plan_init(app.home, vault, "Memory", exclude_system=True)
    init(app.home, app.config.config, plan, now=app.now, random=app.random)
    assert _files(vault) != before
    undone = undo_init(app.home, vault, "Memory")
    assert undone.kept == ()
    assert _files(vault) == before
    assert not (vault / "Memory").exists()
    device.close()


def test_an_agent_sees_the_memory_root_and_the_folders_it_was_given(vault, device):
    device.sync()
    (vault / "Memory/Lessons/x.md").write_text("Evergreen notes are kept in one folder.\n")
    (vault / "Elsewhere.md").write_text("An evergreen note of another kind.\n")
    device.sync()
    app = device.app(agent="pi")
    everywhere = {"mode": Mode.KEYWORD, "sources": (Source.MEMORY, Source.VAULT), "limit": 100}
    hidden = search(app.call(), app.engine, "evergreen", **everywhere)
    assert {hit.path for hit in hidden.hits} == {"Memory/Lessons/x.md"}
    given = search(app.call(), app.engine, "evergreen", knowledge=("Notes",), **everywhere)
    assert len(given.hits) > 1
    assert all(hit.path.startswith(("Memory/", "Notes/")) for hit in given.hits)
    whole = search(app.call(), app.engine, "evergreen", knowledge=("",), **everywhere)
    assert "Elsewhere.md" in {hit.path for hit in whole.hits}
    assert {hit.path for hit in given.hits} <= {hit.path for hit in whole.hits}
    assert not all(hit.path.startswith(("Memory/", "Notes/")) for hit in whole.hits)
