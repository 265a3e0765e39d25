"""The scratchpad: person and machine both write there, and nobody's lines are lost."""

from __future__ import annotations

import pytest

from vaultmem.core.place import SCRATCHPAD
from vaultmem.errors import CaptureRefusedError, NoteNotFoundError, NoteUnreadableError
from vaultmem.services.scratchpad import MAX_ITEM, add_item, clear_done, scratchpad, tick
from vaultmem.services.sync import sync

PATH = f"Memory/{SCRATCHPAD}"


def agent(world):
    return world.here.call(agent="pi")


def texts(done):
    return [(one.text, one.done) for one in done.items]


def test_the_first_item_makes_the_note(ready):
    assert scratchpad(agent(ready)).items == ()

    done = add_item(agent(ready), "Measure the pooler")

    assert texts(done) == [("Measure the pooler", False)]
    assert done.changed == "Measure the pooler"
    assert ready.read(PATH) == "---\ntype: scratchpad\n---\n- [ ] Measure the pooler\n"


def test_what_the_person_wrote_stays_byte_for_byte(ready):
    ready.write(PATH, "---\r\ntype: scratchpad\r\n---\r\nMine.\r\n- [ ] One\r\nMore.\r\n")
    ready.here.sync()

    add_item(agent(ready), "Two")
    tick(agent(ready), "one", done=True)

    assert ready.read(PATH) == (
        "---\r\ntype: scratchpad\r\n---\r\nMine.\r\n- [x] One\r\n- [ ] Two\r\nMore.\r\n"
    )
    tick(agent(ready), "one", done=False)
    tick(agent(ready), "two", done=True)
    clear_done(agent(ready))
    assert ready.read(PATH).count("\r\n") == 6
    assert "Two" not in ready.read(PATH)


def test_an_item_is_inert_and_holds_no_secret(ready):
    add_item(agent(ready), "See [[Home]] #now\n- [x] and ghp_" + "a1B2" * 9)

    line = ready.read(PATH).splitlines()[-1]
    assert line == ("- [ ] See \\[\\[Home]] \\#now - [x] and [redacted_secret:github_token]")
    assert len(scratchpad(agent(ready)).items) == 1


def test_what_the_machine_wrote_is_no_difference_at_the_next_look(ready):
    add_item(agent(ready), "One")

    found = sync(ready.here.call())

    assert (found.external, found.changes) == (0, ())
    assert '"via":"scratchpad"' in ready.ledger()


@pytest.mark.parametrize("text", ["", "  \n ", "%%hidden%%"])
def test_an_item_without_words_is_refused(ready, text):
    with pytest.raises(CaptureRefusedError, match="needs words"):
        add_item(agent(ready), text)


def test_an_item_is_a_line_and_no_document(ready):
    with pytest.raises(CaptureRefusedError, match=f"at most {MAX_ITEM}"):
        add_item(agent(ready), "x" * (MAX_ITEM + 1))


@pytest.mark.parametrize(("part", "done"), [("two", True), ("one", False), (" ", True)])
def test_an_item_that_is_not_there_is_named(ready, part, done):
    add_item(agent(ready), "One")

    with pytest.raises(NoteNotFoundError, match="List the items"):
        tick(agent(ready), part, done=done)


def test_a_broken_note_is_refused_and_stays(ready):
    ready.write(PATH, b"- [ ] \xff\n")

    with pytest.raises(NoteUnreadableError, match="UTF-8"):
        add_item(agent(ready), "One")
    assert ready.path(PATH).read_bytes() == b"- [ ] \xff\n"


def test_clearing_an_empty_list_writes_nothing(ready):
    ready.write(PATH, "- [ ] One\n")
    ready.here.sync()
    before = ready.snapshot()

    clear_done(agent(ready))

    assert ready.snapshot() == before
