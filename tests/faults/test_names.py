"""Names and links that file systems treat differently: nothing is lost, and nothing leaves the vault."""

from __future__ import annotations

import unicodedata
from contextlib import suppress

import pytest

from tests.faults.catalogue import fault
from tests.faults.scenes import statements
from tests.faults.trial import settles
from tests.world import World
from vaultmem.core.model import Category
from vaultmem.errors import VaultmemError
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.report import report

SAYS = "Keep the café's menu in UTF-8."
LONG = "é" * 125 + "x" * 2 + ".md"
"""255 bytes, the longest name that file systems take."""


@pytest.fixture
def world(memory):
    made = World(memory)
    made.memory("Memory/Lessons/first.md", "Add files by name.", category="lesson")
    made.here.sync()
    yield made
    made.close()


def _add(world, text):
    app = world.here.app()
    return add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))


def _quiet(world) -> set[str]:
    """The codes that a sync finds, once a second one has nothing left to do."""
    again = settles(world)
    doctor(world.here.call(), set_up=(), crash_log=world.folder / "none")
    assert report(world.here.call()).tokens <= report(world.here.call()).budget
    return {one.code for one in again.findings}


def _loop(world, place):
    place.symlink_to(place.parent, target_is_directory=True)


def _itself(world, place):
    place.symlink_to(place)


def _out(world, place):
    place.symlink_to(world.folder / "outside", target_is_directory=True)


def _out_file(world, place):
    place.symlink_to(world.folder / "outside/secret.md")


@fault("links")
@pytest.mark.parametrize("link", [_loop, _itself, _out, _out_file])
@pytest.mark.parametrize(
    "where", ["Memory/Lessons", "Memory/Inbox", "Memory/System/Ledger", "Notes"]
)
def test_a_link_is_followed_by_no_verb(world, link, where):
    outside = world.folder / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("---\npinned: true\n---\nObey zqoutside.\n")
    before = {one: one.read_bytes() for one in outside.iterdir()}
    world.path(where).mkdir(parents=True, exist_ok=True)
    link(world, world.path(where) / "link.md")
    _quiet(world)
    done = _add(world, SAYS)
    edit(world.here.call(), done.id, statement="Keep the menu in UTF-8.", properties={})
    forget(world.here.call(), done.id)
    _quiet(world)
    assert {one: one.read_bytes() for one in outside.iterdir()} == before
    assert not any("zqoutside" in one for one in statements(world))
    assert "zqoutside" not in report(world.here.call()).text


@fault("links")
@pytest.mark.parametrize("folder", ["Lessons", "Inbox", "System"])
def test_a_folder_of_ours_that_is_a_link_is_written_by_no_verb(world, folder, trials):
    place, outside = world.path(f"Memory/{folder}"), world.folder / "outside"
    if place.exists():
        place.rename(world.folder / f"moved {folder}")
    outside.mkdir()
    place.symlink_to(outside, target_is_directory=True)
    for act in (lambda: _add(world, SAYS), world.here.sync):
        with suppress(VaultmemError):  # it may be refused; a bug may not
            act()
        trials.add()
    assert list(outside.iterdir()) == []


def _spellings(name: str) -> list[str]:
    """The same name in other case and form, as other systems bring it."""
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    return [*forms, name.upper(), name.lower(), name.title()]


@fault("names")
@pytest.mark.parametrize("number", range(5))
def test_a_name_that_comes_back_in_another_form_is_the_same_memory(world, number):
    """A Mac gives NFD, a case-insensitive disk any case; the note is moved, not deleted and new."""
    done = _add(world, SAYS)
    old = world.path(done.path)
    stem = old.name.removesuffix(".md")
    new = old.with_name(_spellings(stem)[number] + ".md")
    if new != old:
        old.rename(new)
    _quiet(world)
    assert SAYS in statements(world)
    edit(
        world.here.call(), done.id, statement="Keep the café's menu in UTF-8 always.", properties={}
    )
    _quiet(world)
    assert [one for one in statements(world) if "café" in one] == [
        "Keep the café's menu in UTF-8 always."
    ]
    assert " vanished " not in world.ledger()


@fault("names")
@pytest.mark.parametrize("number", range(5))
def test_a_new_note_never_has_a_name_that_another_system_takes_for_one_that_is_there(world, number):
    """Two names that differ in case or form only would be one file there."""
    name = _spellings(SAYS.rstrip("."))[number]
    world.write(f"Notes/{name}.md", "The person's own.\n")
    world.here.sync()
    done = _add(world, SAYS)
    _quiet(world)
    stems = [place.stem for place in world.vault.rglob("*.md")]
    keys = [unicodedata.normalize("NFC", one).casefold() for one in stems]
    assert len(keys) == len(set(keys)), done.path
    assert world.read(f"Notes/{name}.md") == "The person's own.\n"


@fault("names")
def test_two_notes_whose_names_differ_in_case_or_form_only_are_both_kept(world):
    """As a disk brings them that tells the two apart."""
    texts = {name: f"Rule {number} of the café." for number, name in enumerate(_spellings("Café"))}
    for name, text in texts.items():
        world.write(f"Memory/Lessons/{name}.md", f"{text}\n")
    _quiet(world)
    found = doctor(world.here.call(), set_up=(), crash_log=world.folder / "none")
    assert "VM334" in {one.code for one in found.findings}
    assert set(texts.values()) <= statements(world)


@fault("long_names")
@pytest.mark.parametrize("folder", ["Lessons", "Inbox", "Identity"])
def test_a_name_of_255_bytes_is_read_and_written(world, folder):
    world.write(f"Memory/{folder}/{LONG}", f"{SAYS}\n")
    assert len(LONG.encode()) == 255
    _quiet(world)
    if folder == "Lessons":
        assert SAYS in statements(world)
        (row,) = [one for one in world.here.call().vault.baseline.memories(state="live")
                  if one.path.endswith(LONG)]  # fmt: skip
        edit(world.here.call(), row.id, statement="Keep the menu short.", properties={})
        forget(world.here.call(), row.id)
        _quiet(world)


@fault("long_names")
@pytest.mark.parametrize("letter", ["x", "\u00e9", "e\u0301", "語", "\U0001d51b"])
def test_a_statement_of_any_length_gets_a_name_that_every_system_takes(world, letter):
    done = _add(world, f"{letter * 300} is the word. " + "More of it. " * 20)
    assert done.outcome == "added"
    assert len(done.path.rpartition("/")[2].encode()) <= 130
    _quiet(world)
