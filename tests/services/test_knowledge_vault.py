"""Other vaults are read and indexed on this machine, follow their notes, and are never written."""

from __future__ import annotations

import pytest

from tests.index.fake import FakeEmbedder
from tests.world import SETTINGS
from vaultmem.config import Environment, TrustedVault, UserConfig, home_dirs
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.index.documents import Source
from vaultmem.index.engine import SearchEngine
from vaultmem.services.knowledge import read_knowledge
from vaultmem.services.knowledge_vault import SEEN, KnowledgeVault, open_vaults
from vaultmem.services.reindex import reindex
from vaultmem.services.vault_ref import suggest

NOTE = "Ranking by BM25 weighs rare words more than common ones and long notes less.\n"
SAYS = "Weigh rare words more than common ones in the ranking of notes."
NO_CONFIG = UserConfig()
FRUIT = ("Apples", "Berries", "Cherries", "Dates", "Elderberries", "Figs")


@pytest.fixture
def wiki(tmp_path):
    """Another vault, with a note on ranking and some others."""
    folder = tmp_path / "My wiki"
    for name in FRUIT:
        write(folder, f"Fruit/{name}.md", f"{name} are eaten raw; each of them has a season.\n")
    write(folder, "Concepts/BM25 Ranking.md", NOTE)
    return folder


@pytest.fixture
def opened(tmp_path, wiki):
    """A way to open it as a new process would; all are closed at the end."""
    made = []

    def open_(**options):
        one = KnowledgeVault(wiki, tmp_path / "cache", root=None, embedder=None, **options)
        made.append(one)
        return one

    yield open_
    for one in made:
        one.close()


def write(folder, path, text):
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def files(folder):
    return {
        place: (place.read_bytes(), place.stat().st_mtime_ns)
        for place in sorted(folder.rglob("*"))
        if place.is_file()
    }


def found(vault, query):
    return [hit.path for hit in vault.engine.search(query, sources=(Source.VAULT,)).hits]


def suggested(world, *others):
    world.here.sync()
    call = world.here.call()
    engine = SearchEngine(call.vault.state.cache / "index")
    memory = Memory(id=MemoryId(call.new_id("mem")), category=Category.LESSON, statement=SAYS)
    ones = suggest(call, engine, memory, others=others)
    engine.close()
    return ones


def opening(tmp_path, named, *, own, config=NO_CONFIG):
    return open_vaults(
        named,
        own=own,
        home=home_dirs(Environment(home=str(tmp_path / "home"))),
        config=config,
        embedder=lambda: None,
    )


def test_a_note_of_another_vault_is_suggested_by_an_address_that_names_the_vault(
    world, wiki, opened
):
    before = files(wiki)
    (one,) = suggested(world, opened())
    address = "obsidian://open?vault=My%20wiki&file=Concepts%2FBM25%20Ranking"
    assert one.link == f"[BM25 Ranking]({address})"
    assert (one.path, one.vault) == ("Concepts/BM25 Ranking.md", "My wiki")
    assert files(wiki) == before, "nothing was written there"


def test_a_note_of_the_own_vault_goes_before_one_of_the_same_title(world, opened):
    world.write("Notes/BM25 Ranking.md", NOTE)
    for name in FRUIT:
        world.write(f"Fruit/{name}.md", f"{name} are eaten raw; each of them has a season.\n")
    (one,) = suggested(world, opened())
    assert one.link == "[[Notes/BM25 Ranking|BM25 Ranking]]"


def test_the_other_vaults_own_settings_say_what_is_left_out(world, wiki, opened):
    write(wiki, ".obsidian/app.json", '{"userIgnoreFilters": ["Concepts/"]}')
    assert suggested(world, opened()) == ()
    write(wiki, ".obsidian/app.json", "{}")
    write(wiki, ".obsidian/templates.json", '{"folder": "Concepts"}')
    assert suggested(world, opened()) == ()
    write(wiki, ".obsidian/templates.json", "{}")
    write(wiki, "Concepts/BM25 Ranking.md", f"---\nvaultmem: false\n---\n{NOTE}")
    assert suggested(world, opened()) == ()


def test_the_index_follows_the_notes(wiki, opened):
    vault = opened()
    assert vault.refresh() is None
    assert found(vault, "rare words") == ["Concepts/BM25 Ranking.md"]
    write(wiki, "Concepts/BM25 Ranking.md", "Something quite different.\n")
    write(wiki, "New.md", "Rare words count.\n")
    (wiki / "Fruit/Figs.md").unlink()
    again = opened()
    assert again.refresh() is None
    assert found(again, "rare words") == ["New.md"]
    assert found(again, "figs") == []
    assert found(again, "quite different") == ["Concepts/BM25 Ranking.md"]


def test_its_templates_are_no_knowledge_as_its_settings_are_now(wiki, opened):
    settings = ".obsidian/templates.json"
    for folder, names in (("Concepts", []), ("Forms", ["Concepts/BM25 Ranking.md"])):
        write(wiki, settings, f'{{"folder": "{folder}"}}')
        vault = opened()
        assert vault.refresh() is None
        assert found(vault, "rare words") == names


def test_only_what_changed_is_read_again(wiki, opened, monkeypatch):
    opened().refresh()
    write(wiki, "New.md", "Rare words count.\n")
    asked = []

    def reading(vault, path):
        asked.append(path)
        return read_knowledge(vault, path)

    monkeypatch.setattr("vaultmem.services.knowledge_vault.read_knowledge", reading)
    vault = opened()
    assert (vault.refresh(), vault.refresh()) == (None, None)
    assert asked == ["New.md"]
    assert vault.stamp == vault.engine.stamp


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"stamp": "x", "notes": {"a.md": [1]}}',
        '{"stamp": "x", "notes": {"a.md": 1}}',
        '{"stamp": "x"}',
    ],
)
def test_a_lost_or_damaged_record_means_that_all_is_read_again(wiki, opened, tmp_path, text):
    opened().refresh()
    (tmp_path / "cache" / SEEN).write_text(text)
    write(wiki, "New.md", "Rare words count.\n")
    vault = opened()
    assert vault.refresh() is None
    assert sorted(found(vault, "rare words")) == ["Concepts/BM25 Ranking.md", "New.md"]
    assert vault.engine.stamp == vault.stamp


def test_a_reindex_builds_the_other_indexes_anew_as_well(world, wiki, tmp_path):
    model = FakeEmbedder()
    vault = KnowledgeVault(wiki, tmp_path / "cache", root=None, embedder=model)
    vault.refresh()
    world.here.sync()
    call = world.here.call()
    engine = SearchEngine(call.vault.state.cache / "index", embedder=model)
    done = reindex(call, engine, others=[vault])
    assert (done.embedded, done.degraded) == (1 + len(FRUIT), None)
    assert found(vault, "rare words")[0] == "Concepts/BM25 Ranking.md"
    wiki.rename(wiki.with_name("away"))
    assert "cannot be read" in str(reindex(call, engine, others=[vault]).degraded)
    engine.close()
    vault.close()


def test_a_vault_that_is_not_there_for_now_keeps_its_index(wiki, opened):
    opened().refresh()
    away = wiki.rename(wiki.with_name("away"))
    vault = opened()
    assert "cannot be read" in str(vault.refresh())
    assert vault.stamp == ""
    assert found(vault, "rare words") == ["Concepts/BM25 Ranking.md"]
    away.rename(wiki)
    assert vault.refresh() is None


def test_a_cache_that_cannot_be_used_is_a_sentence_and_no_crash(wiki, tmp_path):
    (tmp_path / "file").write_text("")
    vault = KnowledgeVault(wiki, tmp_path / "file", root=None, embedder=None)
    assert "no real folder" in str(vault.refresh())
    vault.close()


def test_its_own_memories_are_no_knowledge(tmp_path, world, wiki):
    write(wiki, "Agent/Settings.md", SETTINGS)
    (wiki / "Concepts").rename(wiki / "Agent/Lessons")
    (vault,), findings = opening(tmp_path, [wiki], own=world.vault)
    assert (vault.root, findings) == ("Agent", ())
    assert suggested(world, vault) == ()
    assert found(vault, "rare words") == [], "nor are they indexed"
    vault.close()


def test_a_trusted_vault_is_known_by_its_root(tmp_path, world, wiki):
    (wiki / "Concepts").rename(wiki / "Mem")
    config = UserConfig(trusted=(TrustedVault(wiki, "Mem"),))
    (vault,), _ = opening(tmp_path, [wiki], own=world.vault, config=config)
    assert vault.root == "Mem"
    vault.close()


def test_each_vault_counts_once_and_never_the_own_one(tmp_path, world, wiki):
    link = tmp_path / "link"
    link.symlink_to(wiki)
    own = tmp_path / "own"
    own.symlink_to(world.vault)
    vaults, findings = opening(tmp_path, [wiki, link, world.vault, own, wiki], own=world.vault)
    assert [one.path for one in vaults] == [wiki]
    assert findings == ()


def test_a_vault_that_cannot_be_used_is_a_finding(tmp_path, world):
    named = [tmp_path / "none", world.vault / "Notes", world.vault.parent]
    (world.vault / "Notes").mkdir()
    vaults, findings = opening(tmp_path, named, own=world.vault)
    assert vaults == ()
    assert [one.code for one in findings] == ["VM820", "VM821", "VM821"]
