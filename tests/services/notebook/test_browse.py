"""The notebook as an agent browses it: what it lists, shows and never shows; uses of cards."""

from __future__ import annotations

import pytest

from tests.services.notebook.published import (
    FILES,
    GREEN,
    HANDBOOK,
    HASHES,
    POOL,
    STEMS,
    card,
    publish_notebook,
)
from vaultmem.core.citation import CitedPlace
from vaultmem.core.notebook.browsing import Entry
from vaultmem.core.notebook.text_search import Question
from vaultmem.errors import BrowseError, NoteNotFoundError, UnsafePathError
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.notebook.browse import Notebook
from vaultmem.services.notebook.card_notes import write_card
from vaultmem.services.notebook.use import count_use, used_by_citing, used_by_reading
from vaultmem.services.purge import purge
from vaultmem.store.notebook.catalog import NotebookCatalog

SECRET = "ghp_" + "a1B2" * 9
NOTE = "Memory/Notes/2026-05-26T13-42-08-pooler.md"


def agent(world):
    return world.here.call(agent="pi")


def notebook(world) -> Notebook:
    return Notebook(agent(world))


def listed(world, folder="") -> list[str]:
    return [one.path for one in notebook(world).listed(folder).entries]


@pytest.fixture
def filled(ready):
    """A published notebook, two cards and an ad-hoc note."""
    ready.write(NOTE, "---\na: 1\n---\nThe pooler.\n")
    publish_notebook(ready)
    for session in (GREEN, POOL):
        write_card(ready.here.call(), card(ready, session))
    return ready


def test_the_root_has_what_is_published_and_what_it_rests_on(filled):
    assert notebook(filled).listed().entries == (
        Entry("MEMORY.md", is_folder=False),
        Entry("Skills", is_folder=True),
        Entry("memory_summary.md", is_folder=False),
        Entry("notes", is_folder=True),
        Entry("rollout_summaries", is_folder=True),
    )
    assert listed(filled, "rollout_summaries") == sorted(
        f"rollout_summaries/{stem}.md" for stem in STEMS.values()
    )
    assert listed(filled, "notes") == [f"notes/{NOTE[13:]}"]


def test_an_empty_notebook_lists_nothing(ready):
    assert listed(ready) == []
    assert notebook(ready).search(Question(("x",))).matches == ()


def test_a_file_is_read_from_the_published_version_whatever_lies_in_the_vault(filled):
    filled.write("Memory/MEMORY.md", "Overwritten by somebody.\n")

    lines = notebook(filled).read("MEMORY.md", offset=2, most_lines=1)

    assert lines.text == "scope: running the tests\n"
    assert was_shown(agent(filled), "scope: running the tests")


def test_a_summary_and_an_ad_hoc_note_are_read(filled):
    text = notebook(filled).read(f"rollout_summaries/{STEMS[GREEN]}.md").text

    assert text.startswith(f"thread_id: {GREEN}\n")
    assert text.endswith("made green with npm test.\n")
    assert notebook(filled).read(f"notes/{NOTE[13:]}").text == "The pooler."


@pytest.mark.parametrize("path", ["", ".", "Skills", "Skills/release"])
def test_notebook_row_28_a_folder_is_no_file(filled, path):
    with pytest.raises(BrowseError, match="a folder and no file"):
        notebook(filled).read(path)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/etc/passwd", UnsafePathError),
        ("Skills/../../x", UnsafePathError),
        ("../Notes/x.md", UnsafePathError),
        (".git/HEAD", NoteNotFoundError),
        ("history.git/HEAD", NoteNotFoundError),
        ("raw_memories.md", NoteNotFoundError),
        ("catalog.sqlite", NoteNotFoundError),
        ("MEMORY.md/x", NoteNotFoundError),
        ("Sessions/x.md", NoteNotFoundError),
    ],
)
def test_a_path_leads_nowhere_else(filled, path, error):
    with pytest.raises(error):
        notebook(filled).read(path)


def test_a_link_in_the_notes_leads_nowhere(filled):
    secret = filled.folder / "secret.md"
    secret.write_text("Private.\n")
    filled.path("Memory/Notes/2026-05-26T13-42-08-link.md").symlink_to(secret)
    filled.here.sync()

    assert listed(filled, "notes") == [f"notes/{NOTE[13:]}"]
    assert notebook(filled).search(Question(("Private",))).matches == ()


def test_search_goes_over_all_files_or_those_in_a_folder(filled):
    found = notebook(filled).search(Question(("npm test",)))

    assert {one.path for one in found.matches} == {
        "MEMORY.md",
        f"rollout_summaries/{STEMS[GREEN]}.md",
        f"rollout_summaries/{STEMS[POOL]}.md",
    }
    assert was_shown(agent(filled), found.matches[0].text)
    (only,) = notebook(filled).search(Question(("push",)), folder="Skills").matches
    assert (only.path, only.line) == ("Skills/release/SKILL.md", 3)
    assert notebook(filled).search(Question(("npm",)), folder="Skill").matches == ()


def test_what_holds_no_text_is_passed_over_and_cannot_be_read(ready):
    publish_notebook(ready, **{"Skills/release/data.bin": b"\xff\xfe npm"})

    assert notebook(ready).search(Question(("npm",)), folder="Skills").matches == ()
    with pytest.raises(BrowseError, match="no text"):
        notebook(ready).read("Skills/release/data.bin")


def test_texts_are_cleaned_and_redacted_on_their_way_out(ready):
    publish_notebook(
        ready,
        **{"MEMORY.md": f"# A\n%%to\nyou%%\n- token {SECRET} </system>\u202e \\[\\[x\\]\\]\n"},
    )

    text = notebook(ready).read("MEMORY.md").text

    assert text.splitlines()[:3] == ["# A", "", ""]
    assert "[redacted_secret" in text
    assert "‹/system› [[x]]" in text


def test_what_was_purged_is_not_shown(ready, purged_line):
    assert purged_line not in notebook(ready).read("MEMORY.md").text
    assert notebook(ready).search(Question((purged_line[2:],))).matches == ()
    assert notebook(ready).read("MEMORY.md").text.count("\n") == HANDBOOK.count("\n")


@pytest.fixture
def purged_line(ready):
    """A line of the published handbook that a purged memory said, however it came there."""
    said = "nobody cites this line"
    ready.memory("Memory/Lessons/A.md", said, category="lesson")
    ready.here.sync()
    purge(ready.here.call(), "Memory/Lessons/A.md")
    publish_notebook(ready)
    return f"- {said}"


def test_a_note_that_the_person_keeps_is_not_shown(filled):
    filled.write(NOTE, "---\nvaultmem: false\n---\nThe pooler.\n")
    filled.here.sync()

    with pytest.raises(BrowseError, match="no text"):
        notebook(filled).read(f"notes/{NOTE[13:]}")


def test_a_person_s_reading_is_no_showing(filled):
    Notebook(filled.here.call()).read("MEMORY.md")

    assert not was_shown(agent(filled), "scope: running the tests")


# use


@pytest.fixture
def catalog(filled):
    made = NotebookCatalog(filled.here.call().vault.state.folder)
    for session in (GREEN, POOL):
        made.cards.put(card(filled, session), 0.0)
    yield made
    made.close()


def uses(catalog) -> dict[str, int]:
    return {one.session: one.used for one in catalog.cards.all()}


def test_reading_a_summary_or_a_few_lines_uses_the_cards_behind_them(filled):
    book = notebook(filled)

    summary = book.read(f"rollout_summaries/{STEMS[GREEN]}.md", most_lines=1)
    line = book.read("MEMORY.md", offset=HANDBOOK.splitlines().index("## Reusable knowledge") + 2)

    assert used_by_reading(book, summary) == {HASHES[GREEN]}
    assert used_by_reading(book, line) == {HASHES[POOL]}


def test_reading_all_of_a_large_handbook_uses_nothing(ready):
    lines = "".join(f"- a line of its own [a{n:03d}]\n" for n in range(9))
    publish_notebook(ready, **{"MEMORY.md": lines})
    book = notebook(ready)

    assert used_by_reading(book, book.read("MEMORY.md")) == frozenset()
    assert len(used_by_reading(book, book.read("MEMORY.md", most_lines=8))) == 8


@pytest.mark.parametrize(
    ("places", "sessions", "used"),
    [
        ([("MEMORY.md", 1, 6)], [], {GREEN}),
        ([("./Skills/release/SKILL.md", 3, 3)], [], {POOL}),
        ([("memory_summary.md", 1, 9_999)], [], {GREEN}),
        ([("../MEMORY.md", 1, 9), ("none.md", 1, 9), (".x", 1, 2), ("Skills", 1, 1)], [], set()),
        ([], [STEMS[POOL], GREEN], {GREEN, POOL}),
        ([(f"rollout_summaries/{STEMS[POOL]}.md", 1, 2)], [], {POOL}),
    ],
)
def test_a_citation_uses_the_cards_behind_it(filled, places, sessions, used):
    cited = [CitedPlace(*one, "why") for one in places]

    assert used_by_citing(notebook(filled), cited, sessions) == {HASHES[one] for one in used}


def test_a_card_counts_once_and_an_unknown_one_nothing(filled, catalog):
    counted: set[str] = set()
    call = agent(filled)

    assert count_use(call, catalog, {HASHES[GREEN], "none"}, counted) == 1
    assert count_use(call, catalog, {HASHES[GREEN]}, counted) == 0
    assert count_use(call, catalog, {HASHES[GREEN], HASHES[POOL]}, set()) == 2
    assert uses(catalog) == {GREEN: 2, POOL: 1}
    assert catalog.cards.get(GREEN).last_used == pytest.approx(call.now.timestamp(), abs=60)


def test_the_files_of_the_fixture_are_a_notebook():
    assert set(FILES) == {"MEMORY.md", "memory_summary.md", "Skills/release/SKILL.md"}
