"""What the person wrote stays through restores and rewrites; what the worker wrote does not."""

from __future__ import annotations

import shutil

from tests.pi.model_server import says
from tests.services.notebook.rewriting import (
    FIRST,
    SECOND,
    endpoint,
    good,
    handbook,
    summary,
    writes,
)
from vaultmem.core.notebook.legend import LEGEND
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.restore import accept, restore

MINE = "- Hand line, tabs not spaces.\n"
PLAIN = "Memory/MEMORY.md"


def rewrite(book, server, *replies):
    """A rewrite in which the worker answers so."""
    server.script(*replies)
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE, done.message
    book.device.pass_time(minutes=10)
    return done


def append(book, line):
    """The person appends a line, and the next sync takes it in."""
    path = book.world.path(PLAIN)
    path.write_text(path.read_text() + line)
    book.device.pass_time(minutes=10)
    assert book.device.sync().findings == ()


def text(book):
    """The handbook that is in force, which lies in the vault as well."""
    found = book.published()["MEMORY.md"].decode()
    assert book.world.path(PLAIN).read_text() == found
    return found


def test_after_a_restore_what_an_ignored_session_said_goes_with_the_next_rewrite(book, server):
    first, second = book.card(FIRST), book.card(SECOND)
    old = rewrite(book, server, *good(first, second)).commit
    append(book, MINE)
    kept = handbook(first, more=MINE + "- New. [Task 1]\n")
    book.card(FIRST, watermark=first.watermark + 1)
    rewrite(book, server, writes(memory=kept, summary=summary(first)), says("Done."))
    restore(book.device.call(), old)
    book.device.pass_time(minutes=10)
    append(book, MINE)
    book.catalog.modes.ignore(SECOND, book.now)
    again = writes(memory=handbook(first, second), summary=summary(first, second))
    rewrite(book, server, again, says("Done."))
    assert second.stem not in text(book)
    assert "Task 2" not in text(book)
    assert text(book).endswith(f"[Task 1]\n{MINE}")
    assert second.hash not in book.published()["memory_summary.md"].decode()


def test_a_hand_line_stays_after_all_that_a_person_may_do_to_the_notebook(book, server):
    first = book.card(FIRST)
    old = rewrite(book, server, *good(first)).commit
    path, calling = book.world.path(PLAIN), book.device.call
    # what gave way to a restore, so that a version is there that was never in force
    path.write_text(path.read_text() + MINE)
    restore(calling(), old)
    book.device.pass_time(minutes=10)
    # deleted and made anew
    whole = path.read_text()
    path.unlink()
    book.device.pass_time(minutes=10)
    book.device.sync()
    path.write_text(whole)
    book.device.pass_time(minutes=10)
    book.device.sync()
    # an agent's edit that the person accepts
    path.write_text(path.read_text() + "- An agent wrote this.\n")
    book.device.sync()
    accept(calling())
    book.device.pass_time(minutes=10)
    # a summary of which only the first line is left, and a restore of it
    book.card(SECOND)
    bare = writes(memory=handbook(first, more="- Other. [Task 1]\n"), summary="v1\n")
    thin = rewrite(book, server, bare, says("Done.")).commit
    book.card(SECOND, watermark=book.now)
    rewrite(book, server, *good(first))
    restore(calling(), thin)
    book.device.pass_time(minutes=10)

    append(book, MINE)
    book.catalog.modes.ignore(SECOND, book.now)
    rewrite(book, server, *good(first))

    assert text(book).count(MINE) == 1
    assert "- An agent wrote this.\n" in text(book), "the person accepted it"
    assert "- Other." not in text(book)


def test_a_block_and_lines_at_two_places_come_back_as_they_were(book, server):
    first = book.card(FIRST)
    rewrite(book, server, *good(first))
    path = book.world.path(PLAIN)
    block = "```sh\n# build all\n  make\n```\n"
    other = "## Mine\n- Hand\u2028line.\n- One\x0btwo.\n"
    whole = path.read_text(encoding="utf-8").replace(
        "## Reusable knowledge\n", f"## User preferences\n{MINE}\n{block}\n## Reusable knowledge\n"
    )
    path.write_text(f"{whole}{MINE}\n{other}{MINE}", encoding="utf-8", newline="")
    book.device.pass_time(minutes=10)
    assert book.device.sync().findings == ()
    book.card(FIRST, watermark=first.watermark + 1)
    rewrite(book, server, *good(first))
    made = text(book)
    assert made.count(MINE) == 3
    assert made.count(f"## User preferences\n{MINE}\n{block}") == 1
    assert f"- Use make, not ninja. [Task 1]\n{MINE}" in made
    assert f"{other}{MINE}" in made


def test_a_number_in_a_hand_line_that_is_another_task_now_is_told(book, server):
    first, second = book.card(FIRST), book.card(SECOND)
    rewrite(book, server, *good(first, second))
    append(book, "- Mine, as before. [Task 1]\n- Mine, see there. [Task 2]\n")
    book.card(SECOND, watermark=second.watermark + 1)
    server.script(*good(second, first))
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE, done.message
    lines = text(book).split("\n")
    told = [(one.code, one.path, lines[one.line - 1]) for one in done.findings]
    assert ("VM959", PLAIN, "- Mine, see there. [Task 2]") in told
    assert [code for code, *_ in told].count("VM959") == 2


def test_hand_lines_are_known_though_the_versions_are_lost(book, server):
    first, second = book.card(FIRST), book.card(SECOND)
    rewrite(book, server, *good(first, second))
    append(book, MINE)
    book.card(FIRST, watermark=first.watermark + 1)
    more = writes(memory=handbook(first, second, more="- New. [Task 1]\n"), summary=summary(first))
    rewrite(book, server, more, says("Done."))
    shutil.rmtree(book.call.vault.state.history)
    book.device.pass_time(minutes=10)
    book.device.sync()
    book.catalog.modes.ignore(SECOND, book.now)
    book.card(FIRST, watermark=first.watermark + 2)
    rewrite(book, server, *good(first))
    assert text(book).count(MINE) == 1
    assert text(book).count(LEGEND) == 1
    assert second.stem not in text(book)
    assert second.hash not in book.published()["memory_summary.md"].decode()
