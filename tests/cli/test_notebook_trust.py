"""What a person must be able to see, to foresee and to take back of what the notebook sends."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta, timezone

import pytest

from tests.cli.noting import OTHER, PROJECT, SESSION, answer
from tests.pi.model_server import Reply, says
from tests.services.notebook.rewriting import handbook, writes
from vaultmem.cli import notebook_work
from vaultmem.store.notebook_agreed import agreed_destinations

NOTEBOOK = "Memory/memory_summary.md"


def agreeing(reader, server):
    server.script(says(answer("", raw_memory="", rollout_slug=None)))
    reader.ok("notebook", "extract", "--yes")
    return f"{server.url}, model fake-model"


# What was agreed to is seen, and taken back


def test_status_shows_what_was_agreed_to(reader, server):
    assert reader.ok("notebook", "status", "--json").json["agreed"] == []
    destination = agreeing(reader, server)
    assert reader.ok("notebook", "status", "--json").json["agreed"] == [destination]
    out = " ".join(reader.ok("notebook", "status").out.split())
    assert f"Agreed {destination}" in out
    assert "vaultmem notebook off --forget-destinations" in out


def test_off_for_the_last_project_takes_the_yes_back(reader, server):
    destination = agreeing(reader, server)
    off = reader.ok("notebook", "off", "--json").json
    assert (off["on"], off["forgotten"]) == (False, [destination])
    assert agreed_destinations(reader.state) == frozenset()
    reader.ok("notebook", "on")
    reader.session(OTHER, "We deploy on Fridays.", hours=30)
    assert reader.run("notebook", "extract").code == 42


def test_off_for_one_of_several_keeps_the_yes_unless_it_is_to_be_forgotten(reader, server):
    destination = agreeing(reader, server)
    shop = reader.cwd.parent / "shop"
    shop.mkdir()
    reader.session(OTHER, "We deploy on Fridays.", hours=30, cwd=shop)
    reader.ok("notebook", "on", "--project", "shop")
    assert reader.ok("notebook", "off", "--project", "shop", "--json").json["forgotten"] == []
    reader.ok("notebook", "on", "--project", "shop")
    out = reader.ok("notebook", "off", "--project", "shop", "--forget-destinations").out
    assert f"Your yes to {destination} is taken back" in " ".join(out.split())
    assert reader.run("notebook", "extract").code == 42


def test_the_question_names_sessions_projects_and_what_else_the_yes_is_for(reader, server):
    done = reader.run("notebook", "extract", typed="n\n")
    out = " ".join(done.out.split())
    assert f"“Use make, not ninja.” of 2026-11-28 12:00 in {PROJECT} ({SESSION}) (about" in out
    assert ": instructions" not in out
    assert f"later sessions of {PROJECT} as well, and for runs by a timer" in out
    assert "vaultmem notebook off --forget-destinations" in out


def test_more_sessions_than_a_question_names_are_counted(reader):
    for number in range(13):
        name = f"01a228b3-719b-74c0-bedb-{number:012x}"
        reader.session(name, "We deploy on Fridays.", hours=30 + number)
    out = reader.run("notebook", "extract", "--limit", "14", typed="n\n").out
    assert out.count("  session ") == 12
    assert "  and 2 more" in out


# Before a yes nothing looks as if it were done


def test_before_the_question_nothing_says_that_it_is_done(reader, server, monkeypatch):
    shown = []
    monkeypatch.setattr(notebook_work, "counter", recording(shown, notebook_work.counter))
    monkeypatch.setattr(notebook_work, "stages", recording(shown, notebook_work.stages))
    reader.run("notebook", "run", typed="n\n")
    assert set(shown) == {"Looking for what would be sent"}
    reader.ok("notebook", "run", "--dry-run")
    assert set(shown) == {"Looking for what would be sent"}


def test_who_waits_for_a_run_is_told_what_is_done_now(reader, server, monkeypatch):
    shown = []

    @contextmanager
    def stages(label):
        shown.append(label)
        yield shown.append

    monkeypatch.setattr(notebook_work, "stages", stages)
    server.script(says(answer()), Reply(text="Done.", repeat=True))
    reader.run("notebook", "run", "--yes")
    assert shown[:2] == ["Looking at session files", "Looking at session files: 1"]
    assert "Reading session 1 of at most 2" in shown
    assert shown[-1] == "Rewriting the notebook"


def recording(shown, real):
    def counter(label):
        shown.append(label)
        return real(label)

    return counter


# A model that is not set up, or not as it must be


@pytest.mark.parametrize(
    "value", ["http://models.example/v1", "models.example", "openai", "https://u:p@models.example"]
)
def test_an_address_that_may_not_be_used_is_said_with_its_line(reader, value):
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\nllm: {value}\nllm_model: m\n")
    told = "`llm` must be `pi`, or the address of an endpoint"
    where = f"line 3 of {reader.config_file}"
    for said in (reader.run("notebook", "run").err, reader.ok("notebook", "status").out):
        flat = "".join(said.split())
        assert "".join(told.split()) in flat
        assert "".join(where.split()) in flat


def test_a_model_name_that_may_not_be_used_is_said(reader, server):
    reader.config(
        f"vault: {reader.vault}\nnotebook: {PROJECT}\nllm: {server.url}\nllm_model: --x\n"
    )
    assert "`llm_model` must be" in reader.run("notebook", "run").err


def test_without_a_model_the_file_is_named(reader):
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\n")
    assert str(reader.config_file) in reader.run("notebook", "run").err
    out = "".join(reader.ok("notebook", "status").out.split())
    assert str(reader.config_file) in out


@pytest.mark.parametrize("verb", ["run", "extract", "consolidate", "dream"])
def test_what_would_be_sent_is_shown_before_a_model_is_named(reader, server, verb):
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\n")
    found = reader.ok("notebook", verb, "--dry-run", "--json").json
    plan = found["extract"] if verb == "run" else found
    assert (plan["destination"], plan["model"], plan["agreed"]) == (None, None, False)
    out = reader.ok("notebook", verb, "--dry-run").out
    if verb in ("run", "extract"):
        assert "Use make, not ninja." in out
        assert "to nowhere yet: no language model is set up" in " ".join(out.split())
    assert server.requests == []


# Which project is meant


def test_a_project_of_which_nothing_is_known_is_not_switched_on(reader):
    before = reader.config_file.read_text()
    done = reader.run("notebook", "on", "--project", "biling")
    assert done.code == 17
    assert "nothing was switched on" in done.err
    assert reader.config_file.read_text() == before


def test_off_of_a_project_that_was_not_on_says_so(reader):
    reader.ok("notebook", "off")
    found = reader.ok("notebook", "off", "--json").json
    assert (found["project"], found["on"], found["changed"]) == (PROJECT, False, False)
    done = reader.ok("notebook", "off")
    assert f"off for {PROJECT} already" in done.out
    assert done.err == ""


def test_off_of_a_project_of_which_nothing_is_known_is_refused_and_names_those_that_are_on(reader):
    reader.ok("notebook", "on")
    before = reader.config_file.read_text()
    done = reader.run("notebook", "off", "--project", "nosuch")
    assert done.code == 17
    assert "nothing was switched off. It is on for" in done.err
    assert PROJECT in done.err
    assert reader.config_file.read_text() == before
    reader.ok("notebook", "off")
    assert "on for none" in reader.run("notebook", "off", "--project", "nosuch").err


def test_off_of_a_project_that_is_on_says_nothing_of_a_new_one(reader):
    elsewhere = reader.cwd.parent
    reader.cwd = elsewhere
    done = reader.ok("notebook", "off", "--project", PROJECT)
    assert (done.err, f"is off for {PROJECT}." in done.out) == ("", True)


@pytest.mark.parametrize("place", ["home", "root"])
def test_the_home_folder_is_no_project_unless_it_is_named(reader, monkeypatch, place):
    if place == "home":
        monkeypatch.setenv("HOME", str(reader.cwd))
    else:
        reader.cwd = type(reader.cwd)(reader.cwd.anchor)
    done = reader.run("notebook", "on")
    assert done.code == 17
    assert "--project" in done.err
    if place == "home":
        assert reader.ok("notebook", "on", "--project", PROJECT, "--json").json["on"] is True


# Before files change


def test_a_restore_shows_what_it_changes_and_asks(published):
    note = published.vault / NOTEBOOK
    old = note.read_text()
    first = published.ok("notebook", "history", "--json").json["versions"][0]["id"]
    note.write_text(old.replace("Use make", "Always use make"))
    published.now = published.now.replace(hour=18)
    published.ok("sync")

    for typed in ("n\n", None):
        done = published.run("notebook", "restore", first[:8], typed=typed)
        assert done.code == 42
        assert "-- Always use make" in done.out.replace("\\", "")
        assert "+- Use make" in done.out.replace("\\", "")
    assert "It would change memory_summary.md." in done.err
    as_json = published.run("notebook", "restore", first[:8], "--json").json
    assert "It would change memory_summary.md." in as_json["error"]["message"]
    assert note.read_text() != old


def test_a_restore_tells_what_it_does_not_put_back_nor_keep(published):
    bare = published.ok("notebook", "history", "--json").json["versions"][0]["id"]
    handbook = published.vault / "Memory/MEMORY.md"
    handbook.write_text(handbook.read_text() + "- Mine.\n")
    published.ok("sync")
    first = published.ok("notebook", "history", "--json").json["versions"][0]["id"]
    published.ok("notebook", "ignore", SESSION)
    gone = published.run("notebook", "restore", bare[:8], "--yes")
    assert gone.code == 48
    assert "notebook ignore ID --undo" in gone.err
    asked = published.run("notebook", "restore", first[:8], typed="n\n").out
    done = " ".join(published.ok("notebook", "restore", first[:8], "--yes").out.split())
    for told in (" ".join(asked.split()), done):
        assert "Not put back:" in told
        assert "of sessions that you left out" in told
    assert published.ok("notebook", "restore", first[:8], "--json", "--yes").json["left_out"] == {
        "lines": 4,
        "skills": [],
    }
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text() + "- sk-abcdefghijklmnopqrstuvwxyz123456\n")
    done = " ".join(published.ok("notebook", "restore", "--yes").out.split())
    assert "memory_summary.md is kept in the history without its secrets" in done


def test_where_nothing_would_change_nothing_is_asked(published):
    for verb in ("restore", "accept"):
        assert "Nothing is to be changed" in published.ok("notebook", verb).out


def test_an_acceptance_shows_what_it_publishes(published):
    published.ok("sync")
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text().replace("Use make", "Never use make"))
    published.agent("sync")
    done = published.run("notebook", "accept", typed="n\n")
    assert done.code == 42
    assert "+- Never use make" in done.out.replace("\\", "")
    assert published.ok("notebook", "accept", "--yes", "--json").json["paths"] == [
        "memory_summary.md"
    ]


@pytest.mark.parametrize(
    ("verb", "more"),
    [("accept", "- An agent came back.\n"), ("restore", "- Mine.\n"), ("reset", "- Mine.\n")],
)
def test_what_is_saved_while_it_asks_is_neither_published_nor_lost(
    published, monkeypatch, verb, more
):
    published.ok("sync")
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text() + "- Written before.\n")
    published.agent("sync")
    versions = published.ok("notebook", "history", "--json").json["versions"]

    def while_it_asks(*_: str) -> None:
        note.write_text(note.read_text() + more)

    monkeypatch.setattr("vaultmem.cli.commands.notebook_versions.confirm", while_it_asks)
    done = published.run("notebook", verb, typed="y\n")

    assert done.code == 21
    assert "changed while you looked at it. Look again." in done.err
    assert note.read_text().endswith(f"- Written before.\n{more}")
    assert published.ok("notebook", "history", "--json").json["versions"] == versions


def test_what_a_version_changed_is_shown_without_words_for_the_worker(published):
    diff = published.ok("notebook", "show", "--diff", "--json").json["diff"]
    assert "Do not edit it" not in diff
    assert diff.startswith("--- /dev/null\n+++ b/MEMORY.md\n")


# What status, history and sync tell


def test_sync_tells_that_an_edit_by_hand_is_published(published):
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text().replace("Use make", "Always use make"))
    published.now = published.now.replace(hour=18)
    done = published.ok("sync", "--json").json
    newest = published.ok("notebook", "history", "--json").json["versions"][0]
    assert (done["notebook"], newest["by"]) == (newest["id"], "person")
    assert published.ok("sync", "--json").json["notebook"] is None

    note.write_text(note.read_text().replace("Always", "Sometimes"))
    published.now = published.now.replace(hour=19)
    out = published.ok("sync").out
    newest = published.ok("notebook", "history", "--json").json["versions"][0]
    assert f"what you wrote is in force: version {newest['id'][:12]}" in out
    assert "No other change;" in out


@pytest.mark.parametrize("verb", ["status", "history", "show"])
def test_a_file_that_is_not_in_force_is_told_wherever_the_notebook_is_shown(published, verb):
    assert published.ok("notebook", verb, "--json").json["findings"] == []
    note = published.vault / NOTEBOOK
    note.write_text("not what it must begin with\n")
    published.now = published.now.replace(hour=18)
    (found,) = published.ok("notebook", verb, "--json").json["findings"]
    assert found["code"] == "VM972"
    assert "VM972" in published.ok("notebook", verb).out


def test_a_version_that_is_named_too_short_is_told_as_that(published):
    first = published.ok("notebook", "history", "--json").json["versions"][0]["id"]
    for verb in ("show", "restore"):
        assert "At least 7 digits" in published.run("notebook", verb, first[:6]).err
        assert "At least" not in published.run("notebook", verb, "0" * 8).err


def test_status_tells_all_times_by_the_persons_clock(published):
    made = published.ok("notebook", "history", "--json").json["versions"][0]["when"]
    assert made.startswith("2026-11-29T12:00:")
    published.now = published.now.astimezone(timezone(timedelta(hours=5)))
    out = published.ok("notebook", "status").out
    assert " of 2026-11-29 17:00 by consolidation" in out
    assert "the last one was done 2026-11-29 17:00" in out


def test_status_says_nothing_that_lies_behind(published):
    out = published.ok("notebook", "status").out
    assert "generation" not in out
    published.session(OTHER, "We deploy on Fridays.", hours=30)
    published.now += published.now - published.now.replace(hour=published.now.hour - 1)
    found = published.ok("notebook", "status", "--json").json
    assert found["next"] >= published.now.replace(tzinfo=None, microsecond=0).isoformat()


def test_without_a_model_nothing_comes_next(reader):
    assert reader.ok("notebook", "status", "--json").json["next"] is not None
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\n")
    assert reader.ok("notebook", "status", "--json").json["next"] is None
    out = reader.ok("notebook", "status").out
    assert "Next      nothing before a language model is set up" in out


# Reset


def test_a_reset_of_nothing_says_so_and_advises_off_only_where_it_is_on(reader):
    out = reader.ok("notebook", "reset", "--yes").out
    assert out.startswith("There was nothing to delete.\n")
    assert "vaultmem notebook off" in out
    reader.ok("notebook", "off")
    assert "vaultmem notebook off" not in reader.ok("notebook", "reset", "--yes").out


def test_a_reset_names_what_the_person_wrote_in_and_that_it_is_for_good(published):
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text().replace("Use make", "Always use make"))
    published.now = published.now.replace(hour=18)
    out = published.run("notebook", "reset", typed="n\n").out
    assert "memory_summary.md (you wrote in it)" in out
    assert "It cannot be undone." in out
    published.ok("notebook", "reset", "--yes")
    assert not list((published.vault / "Memory/System/Sessions").iterdir())


# Search


def test_search_looks_into_the_notebook_where_it_is_asked_to(published):
    found = published.ok("search", "use make", "--in", "notebook", "--json").json
    hits = {(one["path"], one["source"]) for one in found["hits"]}
    assert ("Memory/memory_summary.md", "notebook") in hits
    assert all(one["line"] > 0 and "make" in one["title"].casefold() for one in found["hits"])
    told = published.agent("search", "make", "--in", "notebook").out
    assert "\nmemory_summary.md:" in f"\n{told}", "an agent reads it by the notebook's own paths"
    assert "rollout_summaries/" in published.agent("search", "repaired", "--in", "notebook").out
    assert published.ok("search", "xyzzy", "--in", "notebook").out == "Nothing was found.\n"


@pytest.mark.parametrize("words", ["make", "repaired"])
def test_what_a_person_finds_in_the_notebook_is_at_a_path_and_line_of_the_vault(published, words):
    found = published.ok("search", words, "--in", "notebook", "--json").json["hits"]
    for one in found:
        line = (published.vault / one["path"]).read_text().split("\n")[one["line"] - 1]
        assert words in line.casefold()
    cards = [one for one in found if one["path"].startswith("Memory/System/Sessions/")]
    assert bool(cards) == (words == "repaired")


def test_search_in_the_notebook_finds_one_of_the_words_where_none_holds_all(published):
    found = published.ok("search", "make xyzzy", "--in", "notebook", "--json").json
    assert found["hits"]
    assert {one["why"] for one in found["hits"]} == {"word: make"}


POINTS = "The notebook has lines with these words: add `--in notebook`.\n"


@pytest.mark.parametrize("place", [(), ("--in", "all")])
def test_a_search_in_vain_points_a_person_to_the_notebook(published, place):
    words = ("search", "reusable knowledge", "--mode", "keyword", *place)
    assert published.ok(*words).out == f"Nothing was found.\n{POINTS}"
    assert published.agent(*words).out == "Nothing was found.\n"
    assert published.ok(*words, "--json").json["hits"] == []
    vain = ("search", "reusable xyzzy", "--mode", "keyword", *place)
    assert published.ok(*vain).out == "Nothing was found.\n"
    published.ok("add", "Keep reusable knowledge in skills.", "--category", "preference")
    assert POINTS not in published.ok(*words).out


def test_where_the_notebook_is_off_or_elsewhere_looked_for_nothing_points_to_it(published):
    words = ("search", "make", "--mode", "keyword")
    assert POINTS not in published.ok(*words, "--in", "vault").out
    assert POINTS in published.ok(*words).out
    published.ok("off", "--read")
    assert POINTS not in published.ok(*words).out
    published.ok("on", "--read")
    published.ok("notebook", "off")
    assert POINTS not in published.ok(*words).out


def test_search_in_the_notebook_is_by_words_and_only_where_it_is_on(published):
    done = published.run("search", "make", "--in", "notebook", "--mode", "semantic")
    assert done.code == 2
    published.ok("off", "--read", "--project", ".")
    assert published.run("search", "make", "--in", "notebook").code == 40
    published.ok("notebook", "off")
    assert published.run("search", "make", "--in", "notebook").code == 46


# A rewrite of which nothing is left


def test_a_summary_of_which_no_line_has_a_source_is_not_published(reader, server):
    server.script(says(answer()))
    reader.ok("notebook", "extract", "--yes")
    card = reader.cards()[SESSION]
    text = "v1\n\n## General Tips\n\n- Made up.\n"
    server.script(writes(memory=handbook(card), summary=text), says("Done."))
    done = reader.run("notebook", "consolidate")
    assert done.code == 1
    assert "memory_summary.md" in done.out
    assert not (reader.vault / NOTEBOOK).exists()
