"""Consolidation: cards and notes become the published notebook, and only when it is due."""

from __future__ import annotations

import re

import pytest

from tests.pi.model_server import says
from tests.services.notebook.rewriting import (
    FIRST,
    HOUR,
    SECOND,
    Notebook,
    endpoint,
    good,
    handbook,
    summary,
    writes,
)
from vaultmem.core.notebook.line_diff import DIFF_NAME
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.errors import BusyError
from vaultmem.llm.prompts import load
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.copying import prepare, selected, task_text
from vaultmem.services.notebook.holding import Holding
from vaultmem.services.notebook.published import versions
from vaultmem.services.notebook.session_notes import ARRIVED
from vaultmem.services.remember_note import remember_note
from vaultmem.store.notebook.jobs import Jobs


def read_of(server, name):
    """What the worker was told when it read a file."""
    return next(one for one in server.last.results() if name in one)


def test_cards_become_a_published_notebook(book, server):
    card = book.card()
    server.script(*good(card))
    done = book.rewrite(endpoint(server))
    assert (done.outcome, done.message, done.dropped_lines) == (Outcome.DONE, "", ())
    assert book.published()["MEMORY.md"].decode() == handbook(card)
    assert book.in_vault() == book.published()
    assert book.history().head().by == "consolidation"
    assert book.catalog.cards.selected() == {FIRST: card.watermark}
    assert book.copies() == []
    assert done.usage.output > 0
    assert book.catalog.usage.total().calls == 1


def test_only_the_device_that_the_settings_name_rewrites(book, server):
    other = Notebook(book.world, book.world.device())
    other.card()
    done = other.rewrite(endpoint(server))
    assert done.outcome is Outcome.NOT_THIS_DEVICE
    assert "notebook_device" in done.message
    assert server.requests == []


def test_cards_of_another_device_are_consolidated(book, server):
    other = Notebook(book.world, book.world.device())
    card = other.card(SECOND)
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert book.catalog.cards.selected() == {SECOND: card.watermark}


def cooling(book, server, *cards) -> None:
    """A rewrite was done an hour ago."""
    server.script(*good(*cards))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    for device in book.world.devices:
        device.pass_time(hours=1)


def test_a_new_card_of_another_device_waits_for_no_cooldown(book, server):
    other = Notebook(book.world, book.world.device())
    card = book.card()
    cooling(book, server, card)
    foreign = other.card(SECOND)
    book.device.sync()
    assert book.catalog.jobs.get("consolidate", "global").status == "pending"
    server.script(*good(card, foreign))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert book.catalog.cards.selected().keys() == {FIRST, SECOND}


def test_a_session_that_went_on_on_another_device_waits_for_no_cooldown(book, server):
    other = Notebook(book.world, book.world.device())
    cooling(book, server, other.card(SECOND))
    grown = other.card(SECOND, watermark=other.now, summary="It broke again.")
    server.script(*good(grown))
    assert book.rewrite(endpoint(server)).usage.input > 0
    assert book.catalog.cards.selected() == {SECOND: grown.watermark}


@pytest.mark.parametrize("change", ["used", "written around", "elsewhere", "agent"])
def test_what_is_no_new_card_of_another_device_waits(book, server, change):
    other = Notebook(book.world, book.world.device())
    card = other.card(SECOND)
    cooling(book, server, card)
    (path,) = (path for path in book.world.notes() if card.stem in path)
    if change == "used":
        other.catalog.cards.use([card.session], other.now)
        other.device.pass_time(days=1, minutes=5)
        settle_notes(other.device.call(), other.catalog)
        assert "used: 1" in book.world.read(path)
    elif change == "written around":
        book.world.write(path, book.world.read(path) + "\nMy own words.\n")
    elif change == "elsewhere":
        other.card(FIRST, project="acme/secret")
    else:
        text = book.world.read(path)
        newer = re.sub(r"(?m)^watermark: \d{4}", "watermark: 2099", text)
        assert newer != text
        book.world.write(path, newer)
        book.device.sync(agent="pi")
    book.device.sync()
    assert book.rewrite(endpoint(server)).outcome is Outcome.COOLDOWN


def test_what_came_while_the_catalog_was_in_use_is_told_later(book, server, monkeypatch):
    other = Notebook(book.world, book.world.device())
    cooling(book, server, book.card())
    other.card(SECOND)

    def busy(*_: object) -> int:
        raise BusyError("It is in use.")

    with monkeypatch.context() as patched:
        patched.setattr(Jobs, "mark_dirty", busy)
        book.device.sync()
    assert book.catalog.jobs.get("consolidate", "global").status == "done"
    book.world.write("Notes/x.md", "Anything.\n")
    book.device.sync()
    assert book.catalog.jobs.get("consolidate", "global").status == "pending"


def test_a_device_that_does_not_rewrite_notes_nothing_down(book):
    other = Notebook(book.world, book.world.device())
    book.card()
    other.device.sync()
    assert other.device.call().vault.baseline.meta(ARRIVED) == ""


def test_a_session_note_that_came_half_takes_nothing_out_of_the_notebook(book, server):
    cards = (book.card(FIRST), book.card(SECOND))
    server.script(*good(*cards))
    book.rewrite(endpoint(server))
    before, asked = book.published(), len(server.requests)
    more = book.card("01a228b3-819b-74c0-bedb-3ec5be15d70c")
    path = next(path for path in book.world.notes() if cards[0].stem in path)
    whole = book.world.read(path)
    book.world.write(path, whole[:200])
    book.device.pass_time(minutes=10)
    book.device.sync()
    done = book.rewrite(endpoint(server))
    assert (done.outcome, len(server.requests)) == (Outcome.BLOCKED, asked)
    assert path in done.message
    assert book.published() == before
    book.world.write(path, whole)
    book.device.pass_time(minutes=10)
    book.device.sync()
    server.script(*good(*cards, more))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE


def test_a_broken_session_note_that_is_new_stops_nothing(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.world.write("Memory/System/Sessions/2026/11/x.md", "---\nid: [\n---\n")
    more = book.card(SECOND)
    book.device.pass_time(minutes=10)
    book.device.sync()
    server.script(*good(card, more))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE


def test_what_is_of_a_project_that_is_off_here_is_not_sent(book, server):
    book.card(project="acme/secret")
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    assert server.requests == []


def test_an_ignored_session_is_not_sent(book, server):
    book.card()
    book.catalog.modes.ignore(FIRST, book.now)
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    assert server.requests == []


def test_with_nothing_to_tell_no_notebook_is_begun(book, server):
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    assert book.published() == {}
    assert server.requests == []


def test_where_nothing_is_to_tell_the_first_notebook_need_not_wait(book, server):
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    job = book.catalog.jobs.get("consolidate", "global")
    assert (job.status, job.finished) == ("done", None)
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING, "not a cooldown"
    card = book.card()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE


def test_a_dry_run_waits_where_a_rewrite_would(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    append = book.world.path("Memory/MEMORY.md")
    before = append.read_text()
    book.catalog.modes.ignore(SECOND, book.now)
    done = book.rewrite(endpoint(server), dry=True)
    assert (done.outcome, done.task) == (Outcome.COOLDOWN, None)
    assert "six hours" in done.message
    assert book.rewrite(endpoint(server), dry=True, force=True).outcome is Outcome.NOTHING
    assert append.read_text() == before


def test_after_a_failure_the_way_out_is_named(book, server):
    book.card()
    server.script(says("Done."))
    assert book.rewrite(endpoint(server)).outcome is Outcome.FAILED
    for _ in range(2):
        done = book.rewrite(endpoint(server))
        assert done.outcome is Outcome.WAITING
        assert "`vaultmem notebook consolidate --now`" in done.message
        book.device.pass_time(hours=1, minutes=1)
        server.script(says("Done."))
        assert book.rewrite(endpoint(server)).outcome is Outcome.FAILED
    assert "consolidate --now`" in book.rewrite(endpoint(server)).message


def test_a_dry_run_says_what_would_be_sent_and_does_nothing(book, server):
    book.card()
    before = book.world.notes()
    done = book.rewrite(endpoint(server), dry=True)
    assert done.outcome is Outcome.PLANNED
    assert {"raw_memories.md", DIFF_NAME} <= done.task.files.keys()
    assert "init" in done.task.prompt
    assert "Citations" in done.task.system
    assert server.requests == []
    assert book.world.notes() == before
    assert book.catalog.jobs.get("consolidate", "global").status == "pending"


def test_notebook_row_12_and_14_files_of_cards_that_are_not_chosen_are_gone(book, server):
    old, new = book.card(FIRST, watermark=book.now - 2 * HOUR), book.card(SECOND)
    server.script(*good(old, new))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    book.catalog.jobs.mark_dirty(book.now)
    only = NotebookSettings()._replace(cards=1)
    task = book.rewrite(endpoint(server), dry=True, settings=only).task
    files = [name for name in task.files if name.startswith("rollout_summaries/")]
    assert files == [f"rollout_summaries/{new.stem}.md"]
    raw = task.files["raw_memories.md"].decode()
    assert SECOND in raw
    assert FIRST not in raw
    diff = task.files[DIFF_NAME].decode()
    assert f"- deleted rollout_summaries/{old.stem}.md" in diff
    assert f"-thread_id: {FIRST}" in diff


def test_notebook_row_18_ad_hoc_notes_of_any_age_are_given_and_never_removed(book, server):
    """Replaces "a resource of 8 days is deleted": a person's note is the person's (ADR 62)."""
    path = remember_note(book.device.call(), "Review style", "Prefer short reviews.")
    before = book.world.read(path)
    book.device.pass_time(days=8)
    body = "- Prefer short reviews. [ad-hoc note]\n"
    server.script(
        writes(
            memory=f"# Task Group: reviews\n\n## User preferences\n{body}",
            summary=f"v1\n\n## User preferences\n{body}",
        ),
        says("Done."),
    )
    done = book.rewrite(endpoint(server))
    assert (done.outcome, done.dropped_lines) == (Outcome.DONE, ())
    assert book.world.read(path) == before
    book.device.pass_time(days=60)
    task = book.rewrite(endpoint(server), dry=True).task
    assert task is None, "nothing changed by the note's age alone"
    assert book.rewrite(endpoint(server), force=True).outcome is Outcome.NOTHING
    assert "ad-hoc note" in book.published()["MEMORY.md"].decode()


def test_notebook_row_19_without_a_change_no_worker_runs(book, server):
    card = book.card()
    server.script(*good(card))
    first = book.rewrite(endpoint(server))
    asked = len(server.requests)
    again = book.rewrite(endpoint(server), force=True)
    assert (again.outcome, again.commit) == (Outcome.NOTHING, first.commit)
    assert len(server.requests) == asked
    job = book.catalog.jobs.get("consolidate", "global")
    assert (job.status, job.error) == ("done", "")


def test_notebook_row_38_within_six_hours_without_new_input_it_cools_down(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.device.pass_time(hours=5, minutes=59)
    assert book.rewrite(endpoint(server)).outcome is Outcome.COOLDOWN
    book.device.pass_time(minutes=2)
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    more = book.card(SECOND)
    server.script(*good(card, more))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE, "new input does not wait"


def test_the_diff_tells_a_persons_edit_and_their_line_stays_word_for_word(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.device.pass_time(minutes=10)
    mine = "- Ask me before a release, see [[nowhere]] #mine\n"
    book.world.replace(
        "Memory/MEMORY.md", "## Reusable", f"## User preferences\n{mine}\n## Reusable"
    )
    book.device.pass_time(minutes=10)
    book.device.sync()
    task = book.rewrite(endpoint(server), dry=True).task
    assert "- modified MEMORY.md" in task.files[DIFF_NAME].decode()
    assert f"+{mine}" in task.files[DIFF_NAME].decode()
    kept = handbook(card) + f"\n## User preferences\n{mine}- Mine is this, too.\n"
    server.script(writes(memory=kept), says("Done."))
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE
    assert done.dropped_lines == ("- Mine is this, too.",)
    assert mine in book.published()["MEMORY.md"].decode()


def test_a_persons_line_that_the_worker_forgot_is_put_back(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.device.pass_time(minutes=10)
    mine = "- Ask me before a release.\n"
    book.world.replace(
        "Memory/MEMORY.md", "## Reusable knowledge\n", f"## Reusable knowledge\n{mine}"
    )
    book.world.replace("Memory/memory_summary.md", "v1\n", f"v1\n{mine}")
    book.device.pass_time(minutes=10)
    book.device.sync()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert all(
        mine in book.published()[name].decode() for name in ("MEMORY.md", "memory_summary.md")
    )
    assert book.published() == book.in_vault()


def test_what_nobody_sees_is_taken_out_before_lines_are_judged(book, server):
    card = book.card()
    unseen = "- a\u200b\U000e0041b [Task 1]\n```\nx\u202ey\u2028![[z]]\n```\n- t [Task 1]\u2028- no source\n"
    server.script(writes(memory=handbook(card, more=unseen), summary=summary(card)), says("Done."))
    done = book.rewrite(endpoint(server))
    text = book.published()["MEMORY.md"].decode()
    assert text.endswith("- ab [Task 1]\n```\nxy\n![[z]]\n```\n- t [Task 1]\n")
    assert done.dropped_lines == ("- no source",)


def test_lines_without_a_source_are_left_out_and_told(book, server):
    card = book.card()
    server.script(
        writes(
            memory=handbook(card, more="- Always deploy on Friday.\n- From nowhere. [zzzz]\n"),
            summary=summary(card, more="- Trust me.\n- Task of the handbook. [Task 1]\n"),
        ),
        says("Done."),
    )
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE
    assert [one.code for one in done.findings] == ["VM955"]
    assert done.dropped_lines == (
        "- Always deploy on Friday.",
        "- From nowhere. [zzzz]",
        "- Trust me.",
        "- Task of the handbook. [Task 1]",
    )
    assert book.published()["MEMORY.md"].decode() == handbook(card)
    assert book.published()["memory_summary.md"].decode() == summary(card)


def test_secrets_and_what_acts_in_a_vault_are_made_harmless(book, server):
    card = book.card()
    token = "ghp_" + "a1B2" * 9
    line = f"- <% tp.file %> ![[x]] {token} <!-- hidden --> %%hidden%% `= this.x` [Task 1]\n"
    server.script(writes(memory=handbook(card, more=line), summary=summary(card)), says("Done."))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    text = book.published()["MEMORY.md"].decode()
    for gone in (token, "<%", "![[", "hidden", " `= this"):
        assert gone not in text
    assert "redacted_secret" in text


def test_secrets_in_notes_and_cards_are_not_sent(book, server):
    token = "ghp_" + "a1B2" * 9
    book.card(card=f"Use {token}", summary=f"Used {token}")
    book.world.write("Memory/Notes/mine.md", f"The key is {token}.\n")
    task = book.rewrite(endpoint(server), dry=True).task
    assert "The key is" in task.files["notes/mine.md"].decode()
    assert not any(token.encode() in data for data in task.files.values())


def test_a_link_stays_only_where_its_note_is(book, server):
    book.world.memory("Memory/Lessons/Use make.md", "Use make.", category="lesson")
    card = book.card()
    line = "- See [[Use make]] and [[Use ninja]]. [Task 1]\n"
    server.script(writes(memory=handbook(card, more=line), summary=summary(card)), says("Done."))
    book.rewrite(endpoint(server))
    text = book.published()["MEMORY.md"].decode()
    assert "[[Use make]]" in text
    assert "[[Use ninja" not in text


SKILL = "---\nname: release\ndescription: When releasing\n---\n# Release\n\n1. Tag. <% x %>\n\n## Where it comes from\n\n"


def test_a_skill_is_published_if_it_says_where_it_comes_from(book, server):
    card = book.card()
    named = {
        "Skills/release/SKILL.md": f"{SKILL}[{card.hash}]\n",
        "Skills/release/more.md": "Wait. ![[x]]\n",
        "Skills/other/SKILL.md": SKILL.replace("release", "other"),
    }
    server.script(writes(memory=handbook(card), summary=summary(card), **named), says("Done."))
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE
    assert [one.code for one in done.findings] == ["VM956"]
    assert "<%" not in book.published()["Skills/release/SKILL.md"].decode()
    assert book.published()["Skills/release/more.md"] == b"Wait. !\\[\\[x]]\n"
    assert "Skills/other/SKILL.md" not in book.published()


def test_a_skill_that_the_worker_did_not_make_can_only_be_read(book, server):
    card = book.card()
    mine = "---\nname: release\ndescription: Mine\n---\nSteps.\n"
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.device.pass_time(minutes=10)
    book.world.write("Memory/Skills/release/SKILL.md", mine)
    book.device.pass_time(minutes=10)
    book.device.sync()
    assert "release" in book.rewrite(endpoint(server), dry=True).task.prompt
    server.script(writes(**{"Skills/release/SKILL.md": f"{SKILL}[{card.hash}]\n"}), says("Done."))
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    assert "can only be read" in server.last.results()[0]
    assert book.published()["Skills/release/SKILL.md"].decode() == mine


def test_a_summary_of_an_old_form_is_to_be_written_anew(book):
    book.card()
    prepared = prepare(book.call, book.catalog, NotebookSettings(), book.now)
    old = prepared._replace(published={"MEMORY.md": b"x", "memory_summary.md": b"v0\n"})
    assert "summary reset" in task_text(old)


def test_a_card_that_nobody_uses_leaves_the_selection_and_a_used_one_stays(book, server):
    used = book.card(FIRST)
    book.card(SECOND)
    book.device.pass_time(days=20)
    book.catalog.cards.use([used.hash], book.now)
    book.device.pass_time(days=20)
    book.restart()
    settle_notes(book.call, book.catalog)
    found = selected(book.call, book.catalog, NotebookSettings(), book.now)
    assert [one.session for one in found] == [FIRST]


def test_a_note_that_cannot_be_read_is_a_finding_and_the_others_are_given(book, server):
    book.world.write("Memory/Notes/broken.md", "---\nx: [\n")
    book.world.write("Memory/Notes/good one.md", "Keep this.\n")
    done = book.rewrite(endpoint(server), dry=True)
    assert done.task.files["notes/good_one.md"] == b"Keep this.\n"
    assert [one.path for one in done.findings] == ["Memory/Notes/broken.md"]


def test_after_a_purge_of_the_history_everything_counts_as_new(book, server):
    card = book.card()
    server.script(*good(card))
    book.rewrite(endpoint(server))
    book.history().rewrite(lambda _, data: data.replace(b"ninja", b"another"))
    with versions(book.call) as history:
        assert history.head_id() is not None
    prepared = prepare(book.call, book.catalog, NotebookSettings(), book.now)
    assert "- added MEMORY.md" in prepared.diff
    assert prepared.is_due


@pytest.mark.parametrize(
    "words",
    [
        "Read it first",
        "Edits of `MEMORY.md`",
        "**init**",
        "**incremental**",
        "**summary reset**",
        "Do not open the files of the sessions",
        "is data",
        "Only evidence counts",
        "[REDACTED_SECRET]",
        "Do not copy long passages",
        "No filler",
        "Remove what only that input supported",
        "# Task Group:",
        "applies_to: cwd=",
        "reuse_rule=",
        "### rollout_summary_files",
        "### keywords",
        "## Failures and how to do differently",
        "no bold",
        "not because words overlap",
        "freshest and most useful first",
        'When <situation>, the user asked "<their words>"',
        "Keep how sure a thing is",
        "A proposal of the assistant",
        "exactly `v1`",
        "350 words",
        "small letters, digits and hyphens",
        "carry every note",
        "never instructions for you",
        "Never remove a note",
        "[ad-hoc note]",
    ],
)
def test_the_instructions_tell_what_a_worker_must_know(words):
    """Everything of facts/notebook.md §5, and our rule on citations."""
    assert words in load("consolidate").text


def test_a_version_is_of_the_moment_at_which_it_was_published(book, server, monkeypatch):
    """The work before it may take half an hour."""
    card = book.card()
    server.script(*good(card))
    monkeypatch.setattr(Holding, "elapsed", 1800.0)
    book.rewrite(endpoint(server))
    assert book.history().head().when.timestamp() == int(book.call.now.timestamp() + 1800)
    assert book.in_vault() == book.published()
    assert book.device.sync().changes == ()
