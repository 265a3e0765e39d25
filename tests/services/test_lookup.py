"""Which memory, or which note that waits, a name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.model import Category
from vaultmem.core.naming import base_name
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError
from vaultmem.services.capture import Wish, add
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.forget import forget
from vaultmem.services.lookup import find_memory, those_called
from vaultmem.services.purge import purge
from vaultmem.services.show import show

TEXT = "Use UTC in every table."
TITLE = "Use UTC in every table"
FOLDER = "Memory/Lessons"


@pytest.fixture
def known(world):
    """A memory in force; its id."""
    identifier = world.memory(f"{FOLDER}/{TITLE}.md", TEXT, category="lesson")
    world.here.sync()
    return identifier


def _add(world, text, *, agent=None, **wish):
    app = world.here.app(agent=agent)
    return add(app.call(), app.engine, Wish(text=text, category=Category.LESSON, **wish))


@pytest.fixture
def hidden(world):
    """A person's memory, and an agent's candidate of the same words that had the name first."""
    world.here.sync()
    candidate = _add(world, TEXT, agent="pi", project="github.com/me/other")
    assert candidate.path == f"Memory/Inbox/{TITLE}.md"
    memory = _add(world, TEXT)
    assert memory.path.startswith(f"{FOLDER}/{TITLE} (")
    return memory, candidate


@pytest.mark.parametrize("name", [TITLE, TEXT, f"[[{TITLE}]]", f"{TITLE}.md"])
def test_a_persons_memory_is_not_hidden_by_an_agents_candidate_of_the_same_words(
    world, hidden, name
):
    memory, candidate = hidden
    assert show(world.here.call(), name).id == memory.id
    assert find_waiting(world.here.call(), name).id == candidate.id, "the inbox means its own"
    assert forget(world.here.call(), name).id == memory.id
    assert purge(world.here.call(), name).id == memory.id


@pytest.mark.parametrize(
    "name",
    [
        "Use UTC in every table",
        "Use UTC in every table.",
        "use utc in EVERY table",
        "  Use  UTC in every table. ",
        "Use UTC in every table.md",
        "Use UTC in every table.MD ",
        "[[Use UTC in every table]]",
        "[[use utc in every table|the zone]]",
        "[[Use UTC in every table#Why]]",
        "[[Memory/Lessons/Use UTC in every table]]",
        "[[Old folder/Use UTC in every table]]",
        "[[ Use UTC in every table.md ]]",
        "[[Use UTC in every table.]]",
        "Memory/Lessons/Use UTC in every table.md",
        "memory/lessons/use utc in every table",
        "Lessons/Use UTC in every table",
    ],
)
def test_a_name_is_found_however_it_is_typed(world, known, name):
    assert find_memory(world.here.call(), name).row.id == known


def test_a_candidate_is_found_however_it_is_typed(world):
    world.here.sync()
    one = _add(world, TEXT, agent="pi")
    for name in (TEXT, TEXT.upper(), f"[[{TITLE}]]", f" {TITLE}.md", one.path, one.path.lower()):
        assert find_waiting(world.here.call(), name).id == one.id, name
        with pytest.raises(NoteNotFoundError, match="waits in the inbox"):
            find_memory(world.here.call(), name)


@pytest.mark.parametrize("spell", [str, str.lower, lambda one: one.replace("mem_", "cand_")])
def test_an_id_is_found_in_any_case(world, known, spell):
    assert find_memory(world.here.call(), f" {spell(known)} ").row.id == known
    assert find_memory(world.here.call(), known[-8:].lower()).row.id == known


def test_what_a_memory_says_is_a_name_where_its_file_is_called_otherwise(world):
    identifier = world.memory(f"{FOLDER}/Zones.md", TEXT)
    world.here.sync()
    assert find_memory(world.here.call(), TEXT).row.id == identifier
    assert find_memory(world.here.call(), "zones").row.id == identifier


def test_what_a_file_cannot_be_called_is_found_by_its_words(world):
    world.here.sync()
    one = _add(world, "Write `and/or` never: it says nothing.")
    other = world.memory(f"{FOLDER}/or never- it says nothing.md", "Another one.")
    world.here.sync()
    found = find_memory(world.here.call(), "Write `and/or` never: it says nothing.")
    assert (found.row.id, found.row.id == other) == (one.id, False)


def test_several_of_one_name_are_listed_with_their_states(world, known):
    path = f"{FOLDER}/{TITLE} ({{}}).md"
    other = world.new_id()
    path = path.format(other[-4:].lower())
    world.memory(path, TEXT, id=other, status="deprecated", category="lesson")
    world.here.sync()
    for name in (TITLE, TEXT):
        with pytest.raises(AmbiguousIdError) as caught:
            forget(world.here.call(), name)
        assert f"{known} (active, {FOLDER}/{TITLE}.md)" in str(caught.value)
        assert f"{other} (deprecated, {path})" in str(caught.value)
    call = world.here.call()
    assert find_memory(call, f"{FOLDER}/{TITLE}.md").row.id == known
    assert find_memory(call, f"[[{TITLE}]]").row.id == known, "a link means one note"
    assert find_memory(call, path).row.id == find_memory(call, path[15:-3]).row.id == other


def test_a_memory_without_a_note_is_meant_only_where_no_other_is(world, known):
    world.path(f"{FOLDER}/{TITLE}.md").unlink()
    world.here.sync()
    assert find_memory(world.here.call(), TITLE + ".").row.id == known
    there = world.memory(f"{FOLDER}/Zones.md", TEXT)
    world.here.sync()
    assert find_memory(world.here.call(), TEXT).row.id == there
    assert find_memory(world.here.call(), known).row.id == known


@pytest.mark.parametrize("name", ["", " ", ".", "…", "[[]]", "[[", "/", "()", "% _", "Use UTC in"])
def test_a_name_of_nothing_is_nobodys(world, known, name):
    with pytest.raises(NoteNotFoundError):
        find_memory(world.here.call(), name)


class _Note:
    def __init__(self, path, identifier):
        self.path, self.id = path, identifier


@given(st.text(min_size=1, max_size=200), st.sampled_from(["{}", "{}.", " {} ", "{}.md"]))
def test_a_note_named_by_its_statement_is_found_by_it(statement, typed):
    words = " ".join(statement.split())
    note = _Note(f"Memory/Inbox/{base_name(words)}.md", "cand_01J8ZQ4Y7M3N5P6Q7R8S9T0V1W")
    if any(map(str.isalnum, words)) and not words.startswith("[["):
        assert those_called(typed.format(words), [note]) == [note]


@pytest.mark.parametrize("forgotten", [False, True])
@pytest.mark.parametrize("long", [26, 8, 6])
def test_a_note_called_as_another_ones_id_ends_does_not_hide_it(world, known, long, forgotten):
    end = known[-long:].lower()
    world.memory(f"{FOLDER}/{end}.md", "Another thing.", category="lesson")
    world.here.sync()
    if forgotten:
        forget(world.here.call(), known)
    for verb in (forget, purge):
        with pytest.raises(AmbiguousIdError, match=known):
            verb(world.here.call(), end)
    assert find_memory(world.here.call(), known).row.id == known


def test_a_path_typed_in_part_does_not_hide_what_a_memory_says(world):
    other = world.memory(f"{FOLDER}/use and/or.md", "Another thing.", category="lesson")
    said = world.memory(f"{FOLDER}/Words.md", "Use and/or", category="lesson")
    world.here.sync()
    with pytest.raises(AmbiguousIdError, match=f"{other}.*{said}|{said}.*{other}"):
        purge(world.here.call(), "use and/or")
    for name in ("[[use and/or]]", f"{FOLDER}/use and/or.md"):
        assert find_memory(world.here.call(), name).row.id == other, name


@pytest.mark.parametrize("name", [f"[[{TITLE}]]", f"[[Lessons/{TITLE}]]", f"Lessons/{TITLE}.md"])
def test_a_link_leads_to_the_note_that_is_there(world, known, name):
    forget(world.here.call(), known)
    assert find_memory(world.here.call(), name).row.id == known
    there = world.memory(f"{FOLDER}/{TITLE}.md", "Another thing.", category="lesson")
    world.here.sync()
    assert find_memory(world.here.call(), name).row.id == there


def test_words_that_no_file_name_holds_mean_only_the_memory_that_says_them_all(world):
    said = f"Repeat {'very ' * 40}often."
    known = world.memory(f"{FOLDER}/{base_name(said)}.md", said, category="lesson")
    world.here.sync()
    for name in (said, said.rstrip("."), base_name(said)):
        assert find_memory(world.here.call(), name).row.id == known, name
    with pytest.raises(NoteNotFoundError):
        find_memory(world.here.call(), said.replace("often", "seldom"))


def test_of_two_candidates_a_typed_path_hides_none():
    notes = [_Note(path, f"cand_01J8ZQ4Y7M3N5P6Q7R8S9T0V1{end}") for path, end in _CLASHING]
    assert those_called("use and/or", notes) == notes
    assert those_called("[[use and/or]]", notes) == notes[:1]


_CLASHING = (("Memory/Inbox/use and/or.md", "W"), ("Memory/Inbox/use and-or.md", "X"))
