"""An older version comes back as it was, but for secrets and for what is left out by now."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.services.notebook.noting import FILES, HANDBOOK, SCRIPT, in_force, log, on_disk, put
from tests.services.notebook.rewriting import FIRST, SECOND, handbook, summary
from vaultmem.core.notebook.own import UNPUBLISHED
from vaultmem.services.notebook.enable import disable, enable
from vaultmem.services.notebook.published import publish
from vaultmem.services.notebook.restore import accept, foresee_restore, restore
from vaultmem.services.notebook.versions import history, show

KEY = "sk-ant-api03-" + fake(40)
MADE = b"---\nname: later\n---\nLater. [ab12]\n"
LATER = "Skills/later/SKILL.md"


def newest(device) -> str:
    return history(device.call())[0].id


# Skills


def test_a_skill_that_a_worker_made_since_goes(published):
    first = newest(published.here)
    put(published.here, FILES | {LATER: MADE})
    assert restore(published.here.call(), first).paths == (LATER,)
    assert on_disk(published) == in_force(published.here) == FILES
    assert published.here.sync().findings == ()


@pytest.mark.parametrize("more", [b"Edited.\n", None])
def test_a_skill_that_a_person_made_or_edited_since_stays(published, more):
    first = newest(published.here)
    if more is not None:
        put(published.here, FILES | {LATER: MADE})
    published.write(f"Memory/{LATER}", MADE + (more or b""))
    published.here.sync()
    restore(published.here.call(), first)
    assert on_disk(published)[LATER] == MADE + (more or b"")


def test_a_skill_that_was_deleted_since_comes_back(published):
    first = newest(published.here)
    published.path(SCRIPT).unlink()
    published.here.sync()
    restore(published.here.call(), first)
    assert on_disk(published) == FILES


# Sessions that are left out


@pytest.fixture
def versions_of_two(book):
    """Two sessions in the first version, and another one in force."""
    cards = [book.card(FIRST), book.card(SECOND)]
    skill = f"---\nname: ninja\ndescription: d\n---\nDo. [{cards[0].hash}]\n"
    files = {
        "MEMORY.md": handbook(*cards, more=f"- Only the first. [{cards[0].hash}]\n").encode(),
        "memory_summary.md": summary(*cards).encode(),
        "Skills/ninja/SKILL.md": skill.encode(),
    }
    book.device.sync()
    old = publish(book.device.call(), files, before=None, by="consolidation", message="one")
    new = {
        "MEMORY.md": handbook(cards[1]).encode(),
        "memory_summary.md": summary(cards[1]).encode(),
    }
    publish(book.device.call(), new, before=old, by="consolidation", message="two")
    return book, cards, old, files


def test_what_an_ignored_session_said_stays_away(versions_of_two):
    book, (gone, stays), old, _ = versions_of_two
    book.catalog.modes.ignore(FIRST, book.now)
    foreseen = foresee_restore(book.device.call(), old)
    done = restore(book.device.call(), old)
    text = b"".join(book.published().values()).decode()
    assert gone.hash not in text
    assert gone.stem not in text
    assert stays.hash in text
    assert done.left_out == foreseen.left_out
    assert done.left_out.skills == ("ninja",)
    assert done.left_out.lines > 0
    assert book.in_vault() == book.published()
    assert book.device.sync().findings == ()


def test_what_gave_way_stays_away_too_but_for_what_a_person_wrote(versions_of_two):
    book, (gone, _), old, files = versions_of_two
    restore(book.device.call(), old)
    mine = f"- Mine, never published.\n- key {KEY}\n".encode()
    book.world.write(HANDBOOK, files["MEMORY.md"] + mine)
    book.device.sync()
    restore(book.device.call(), None)
    kept = next(one for one in history(book.device.call()) if one.by == UNPUBLISHED)
    book.catalog.modes.ignore(FIRST, book.now)
    restore(book.device.call(), kept.id)
    text = b"".join(book.published().values()).decode()
    assert gone.hash not in text
    assert "Mine, never published." in text


def test_what_a_project_that_is_off_said_stays_away(versions_of_two):
    book, (_, stays), old, _ = versions_of_two
    app = book.device.app()
    other = book.card(SECOND, project="shop")
    enable(book.device.call(), app.home, "shop")
    disable(book.device.call(), app.home, "acme/billing")
    assert other.hash == stays.hash
    restore(book.device.call(), old)
    text = b"".join(book.published().values()).decode()
    assert "Only the first." not in text
    assert other.hash in text


def test_a_version_of_sessions_that_count_comes_back_whole(versions_of_two):
    book, _, old, files = versions_of_two
    done = restore(book.device.call(), old)
    assert (done.left_out.lines, done.left_out.skills) == (0, ())
    assert book.published() == files
    assert book.catalog.cards.get(FIRST) is not None


def test_where_the_notebook_is_off_nothing_is_left_out_for_that(versions_of_two):
    book, _, old, files = versions_of_two
    app = book.device.app()
    disable(book.device.call(), app.home, "acme/billing")
    restore(book.device.call(), old)
    assert book.published() == files


# Secrets


def test_a_secret_that_gives_way_is_in_no_version(published):
    published.write(HANDBOOK, FILES["MEMORY.md"] + f"- key {KEY}\n- Mine.\n".encode())
    published.here.sync()
    done = restore(published.here.call())
    assert done.cleaned == ("MEMORY.md",)
    kept = history(published.here.call())[1]
    assert kept.by == UNPUBLISHED
    text = show(published.here.call(), kept.id).files["MEMORY.md"].decode()
    assert "- Mine." in text
    for one in history(published.here.call()):
        assert KEY not in str(show(published.here.call(), one.id).files)
    assert KEY not in published.path(HANDBOOK).read_text()


def test_what_was_accepted_as_no_secret_is_kept_as_it_is(published):
    published.write(HANDBOOK, FILES["MEMORY.md"] + f"- key {KEY}\n".encode())
    published.here.sync()
    accept(published.here.call())
    published.write("Memory/memory_summary.md", b"broken\n")
    published.here.sync()
    done = restore(published.here.call())
    assert done.cleaned == ()
    assert KEY in str(show(published.here.call(), log_id(published)).files)


def log_id(world) -> str:
    return next(one for one in history(world.here.call()) if one.by == UNPUBLISHED).id


def test_a_secret_in_what_is_no_text_is_taken_out_as_well(published):
    published.write(HANDBOOK, b"\xff" + f"- key {KEY}\n".encode())
    published.here.sync()
    assert restore(published.here.call()).cleaned == ("MEMORY.md",)
    assert KEY not in str(show(published.here.call(), log_id(published)).files)
    assert log(published.here)[0][0] == "person"


def test_a_skill_that_was_never_published_comes_back_though_its_session_is_left_out(
    versions_of_two,
):
    book, (gone, _), _, _ = versions_of_two
    mine = f"---\nname: mine\ndescription: d\n---\nMine. [{gone.hash}] {KEY}\n"
    book.world.write("Memory/Skills/mine/SKILL.md", mine)
    book.device.sync()
    restore(book.device.call())
    book.catalog.modes.ignore(FIRST, book.now)
    restore(book.device.call(), log_id(book.world))
    assert "Mine." in book.published()["Skills/mine/SKILL.md"].decode()
