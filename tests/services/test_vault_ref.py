"""Which knowledge notes are suggested for a memory, and which never are."""

from __future__ import annotations

import pytest

from tests.index.fake import FakeEmbedder
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.index.engine import SearchEngine
from vaultmem.index.models import EMBEDDED_MODEL
from vaultmem.services.indexing import refresh
from vaultmem.services.vault_ref import suggest, suggest_all

NOTE = "Ranking by BM25 weighs rare words more than common ones and long notes less.\n"
SAYS = "Weigh rare words more than common ones in the ranking of notes."


@pytest.fixture
def ask(world):
    """What is suggested for a statement, by words alone or with a model, in a vault with others."""
    engines = []
    for name in ("Apples", "Berries", "Cherries", "Dates", "Elderberries", "Figs"):
        world.write(f"Fruit/{name}.md", f"{name} are eaten raw, and each of them has a season.\n")

    def asked(statement, *, tags=(), project=None, embedder=None):
        world.here.sync()
        call = world.here.call()
        engine = SearchEngine(call.vault.state.cache / f"index{len(engines)}", embedder=embedder)
        engines.append(engine)
        refresh(call, engine)
        engine.embed()
        memory = Memory(
            id=MemoryId(call.new_id("mem")),
            category=Category.LESSON,
            statement=statement,
            tags=tags,
            project=project,
        )
        return suggest(call, engine, memory)

    yield asked
    for engine in engines:
        engine.close()


def paths(found):
    return [one.path for one in found]


def test_a_note_that_holds_the_words_is_suggested_with_its_link_and_the_reason(world, ask):
    world.write("Notes/BM25 Ranking.md", NOTE)
    (one,) = ask(SAYS)
    assert one.link == "[[Notes/BM25 Ranking|BM25 Ranking]]"
    assert (one.path, one.title, one.vault) == ("Notes/BM25 Ranking.md", "BM25 Ranking", "")
    assert one.reason.startswith("words: Weigh, rare, words")
    assert 0.36 * 0.7 <= one.score <= 0.7


def test_with_a_model_the_reason_says_how_near_it_is(world, ask):
    world.write("Notes/BM25 Ranking.md", NOTE)
    (one,) = ask(SAYS, embedder=FakeEmbedder(name=EMBEDDED_MODEL))
    assert "; meaning 0." in one.reason


def test_a_model_without_measured_thresholds_must_be_surer(world, ask):
    world.write("Notes/Okapi.md", f"{SAYS}\nAll of that was measured twice, and nobody minded.\n")
    assert ask(SAYS, embedder=FakeEmbedder(name=EMBEDDED_MODEL))
    assert not ask(SAYS, embedder=FakeEmbedder(name="unknown"))


def test_governed_row_122_two_notes_of_one_title_are_one_suggestion(world, ask):
    text = "Memory governance decides what a memory may become and who decides.\n"
    world.write("6. Zettelkasten/Concepts/Memory Governance.md", text)
    world.write("6. Zettelkasten/Entities/Memory Governance.md", text)
    found = ask("Memory governance decides what may become a memory.", tags=("memory/memory",))
    assert paths(found) == ["6. Zettelkasten/Concepts/Memory Governance.md"]


def test_governed_row_123_whole_words_of_a_title_and_not_its_first_one(world, ask):
    world.write("6. Zettelkasten/Concepts/A Note.md", "A note on what a note is.\n")
    world.write("6. Zettelkasten/Concepts/BM25 Ranking.md", NOTE)
    assert paths(ask(SAYS, tags=("memory/ranking",))) == [
        "6. Zettelkasten/Concepts/BM25 Ranking.md"
    ]


# The four false hits of the governed memory, its section 12.
@pytest.mark.parametrize(
    ("statement", "tags"),
    [
        ("The ranking of a page is the client's business.", ("memory/ranking",)),
        ("Game theory explains why auctions fail.", ("memory/theory",)),
        ("Static files come from the bunny network.", ("memory/bunny",)),
        ("Answers begin with the result.", ("",)),
        ("Answers begin with the result.", ()),
    ],
)
@pytest.mark.parametrize("model", [None, EMBEDDED_MODEL])
def test_a_tag_or_a_piece_of_a_word_suggests_nothing(world, ask, statement, tags, model):
    world.write("6. Zettelkasten/Concepts/A Note.md", "A note is a file.\n")
    world.write(
        "6. Zettelkasten/Concepts/The Testing Pyramid.md",
        "Many small tests, some of a few parts, few of the whole; the theory is old.\n",
    )
    world.write("6. Zettelkasten/Entities/Bun.md", "Bun runs JavaScript and bundles files.\n")
    embedder = None if model is None else FakeEmbedder(name=model)
    assert ask(statement, tags=tags, embedder=embedder) == ()


@pytest.mark.parametrize(
    "properties",
    [
        'aliases: ["weigh rare words"]',
        "tags: [rare-words, ranking, weigh]",
    ],
)
def test_aliases_and_tags_of_a_note_are_words_of_it(world, ask, properties):
    world.write("Notes/Okapi.md", f"---\n{properties}\n---\nMore than common ones in notes.\n")
    assert paths(ask(SAYS)) == ["Notes/Okapi.md"]


def test_a_note_is_found_by_one_of_its_headings(world, ask):
    other = "Nothing of interest. " * 42
    world.write(
        "Notes/Okapi.md",
        f"## First\n{other}\n## Weigh rare words more than common ones\nIn the ranking.\n",
    )
    assert paths(ask(SAYS)) == ["Notes/Okapi.md"]


@pytest.mark.parametrize(
    ("path", "text", "settings"),
    [
        ("Notes/Okapi.md", f"---\nvaultmem: false\n---\n{NOTE}", {}),
        ("Private/Okapi.md", NOTE, {"app": '{"userIgnoreFilters": ["private/"]}'}),
        ("Notes/Okapi.md", NOTE, {"app": '{"userIgnoreFilters": ["/oka.i/"]}'}),
        ("Forms/Okapi.md", NOTE, {"templates": '{"folder": "Forms"}'}),
        ("Diary/Today.md", NOTE, {"daily-notes": '{"folder": "Diary"}'}),
        ("Forms/Okapi.md", NOTE, {"plugins/templater-obsidian/data": '{"templates_folder": "Forms"}'}),
        ("5. Templates/Okapi.md", NOTE, {}),
        ("Days/2026-11-27.md", NOTE, {}),
        ("6. Zettelkasten/Entities/Okapi Entity Candidate.md", NOTE, {}),
        ("Notes/Okapi.md", f"---\nstatus: candidate\n---\n{NOTE}", {}),
        ("Notes/Okapi (conflicted copy 2026-07-10 070952).md", NOTE, {}),
        ("Memory/My own/Okapi.md", NOTE, {}),
        ("Memory/Lessons/Okapi.md", NOTE, {}),
        ("Notes/Okapi #1.md", NOTE, {}),
        (".hidden/Okapi.md", NOTE, {}),
    ],
)  # fmt: skip
def test_what_is_no_knowledge_note_is_never_suggested(world, ask, path, text, settings):
    for name, content in settings.items():
        world.write(f".obsidian/{name}.json", content)
    world.write(path, text)
    assert ask(SAYS) == ()


def test_a_note_whose_properties_are_broken_is_looked_at_as_plain_text(world, ask):
    world.write("Notes/Okapi.md", f"---\na: [\n---\n{NOTE}")
    assert paths(ask(SAYS)) == ["Notes/Okapi.md"]


def test_nothing_is_asked_for_no_memory(world):
    world.here.sync()
    assert suggest_all(world.here.call(), SearchEngine(world.folder / "index"), []) == []


def test_at_most_three_and_the_same_each_time(world, ask):
    for number in range(6):
        world.write(f"Notes/Ranking {number}.md", NOTE + "and so on " * number)
    found = ask(SAYS)
    assert paths(found) == ["Notes/Ranking 0.md", "Notes/Ranking 1.md", "Notes/Ranking 2.md"]
    assert found == ask(SAYS)


def test_the_note_on_a_project_is_not_suggested_for_all_that_holds_there(world, ask):
    world.write("Projects/Quay web.md", "Quay web is the browser side: quay-web, quay web.\n")
    says = "Open the browser side of quay-web."
    assert paths(ask(says)) == ["Projects/Quay web.md"]
    assert ask(says, project="github.com/h/quay-web") == ()
    world.memory("Memory/Lessons/x.md", "Say so.", project="github.com/h/quay-web", scope="project")
    assert ask(says) == (), "a project that another memory names"


def test_words_that_stand_far_apart_in_a_note_do_not_add_up(world, ask):
    rest = "Nothing of interest. " * 20
    world.write(
        "Notes/Okapi.md",
        f"## First\n{'Weigh rare. ' * 60}\n"
        f"## Last\n{rest}Words, count ranked lists, sort terms.\n{rest}",
    )
    says = "Weigh rare words, count ranked lists, sort terms."
    assert ask(says, embedder=FakeEmbedder(name=EMBEDDED_MODEL)) == ()


def test_a_statement_in_another_script_is_judged_by_its_words(world, ask):
    world.write("Notes/潮位の基準面.md", "観測基準面からの高さは観測所ごとに異なる。潮位の基準。\n")
    embedder = FakeEmbedder(name=EMBEDDED_MODEL)
    (one,) = ask("潮位の高さは観測所の基準面ごとに異なる。", embedder=embedder)
    assert one.title == "潮位の基準面"
    assert "meaning" not in one.reason
    assert ask("コメントは英語で書く。", embedder=embedder) == ()


def test_a_vault_without_such_a_note_suggests_nothing(ask):
    assert ask(SAYS) == ()


def test_a_note_that_changed_since_it_was_indexed_is_judged_as_it_is(world, ask):
    world.write("Notes/Okapi.md", NOTE)
    (one,) = ask(SAYS)
    assert one.title == "Okapi"
    call = world.here.call()
    engine = SearchEngine(call.vault.state.cache / "index0")
    world.write("Notes/Okapi.md", "Something else.\n")
    memory = Memory(id=MemoryId(call.new_id("mem")), category=Category.LESSON, statement=SAYS)
    assert suggest(call, engine, memory) == ()
    world.path("Notes/Okapi.md").unlink()
    assert suggest(call, engine, memory) == ()
    engine.close()
