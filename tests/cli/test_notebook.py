"""`vaultmem notebook`: off until a person says so; everything for real against a scripted model."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.cli.noting import OTHER, PROJECT, SESSION, Reader, answer
from tests.cli.terminal import NOW, files
from tests.cli.test_json import COMMANDS, LISTS
from tests.pi.model_server import ModelServer, Reply, says
from tests.services.notebook.dreams import answer as dreamt
from tests.services.notebook.rewriting import good, handbook, summary, writes
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, JobKind

SECRET = "sk-abcdefghijklmnopqrstuvwxyz123456"
NOTEBOOK = "Memory/memory_summary.md"
IDLE = Reply(text="No.", when_system=("You keep a notebook",), repeat=True)
"""A worker that does nothing."""
DREAMT = Reply(text=dreamt(), when_system=("look after the long-term memory",), repeat=True)
"""A dream without a proposal."""
SENDING = ("run", "extract", "consolidate", "dream")


@pytest.fixture
def reader(tmp_path, server):
    """A person in a project with one rested session and a model on this machine."""
    return Reader(tmp_path, server)


@pytest.fixture
def on(reader, server):
    """The same where the notebook is on and the first session was read."""
    reader.ok("notebook", "on")
    server.script(says(answer()))
    reader.ok("notebook", "extract", "--yes")
    return reader


@pytest.fixture
def published(on, server):
    """The same with a published notebook."""
    server.script(*good(on.cards()[SESSION]))
    on.ok("notebook", "consolidate")
    return on


# On and off


def test_it_is_off_and_says_how_to_switch_it_on(reader, server):
    for verb in SENDING:
        done = reader.run("notebook", verb)
        assert done.code == 46
        assert "vaultmem notebook on" in done.err
    assert reader.ok("notebook", "status", "--json").json["on"] is False
    assert "vaultmem notebook on" in reader.ok("notebook", "status").out
    assert server.requests == []


def test_on_and_off_name_the_project_and_send_nothing(reader, server):
    done = reader.ok("notebook", "on", "--json").json
    assert (done["project"], done["on"], done["changed"], done["is_here"]) == (
        PROJECT,
        True,
        True,
        True,
    )
    assert "vaultmem notebook run --dry-run" in reader.ok("notebook", "on").out
    in_shop(reader)
    assert reader.ok("notebook", "on", "--project", "shop", "--json").json["projects"] == [
        PROJECT,
        "shop",
    ]
    assert "notebook:\n  - billing\n  - shop\n" in reader.config_file.read_text()
    assert reader.ok("notebook", "off", "--project", ".", "--json").json["projects"] == ["shop"]
    assert "vaultmem notebook reset" in reader.ok("notebook", "off").out
    assert server.requests == []


def in_shop(reader):
    """A session in another project."""
    shop = reader.cwd.parent / "shop"
    shop.mkdir()
    reader.session(OTHER, "We deploy on Fridays.", hours=30, cwd=shop)


def test_a_second_device_says_which_one_rewrites(reader, tmp_path, server):
    reader.ok("notebook", "on")
    other = Reader(tmp_path / "other", server, vault=reader.vault)
    out = other.ok("notebook", "on").out
    assert "rewrites it" in out
    assert "notebook_device" in out
    assert other.ok("notebook", "status", "--json").json["is_here"] is False
    assert "notebook_device" in other.ok("notebook", "consolidate", "--yes").out


def test_init_asks_and_the_default_is_no(tmp_path, server):
    reader = Reader(tmp_path, server, vault=None)
    (tmp_path / "new").mkdir()
    made = reader.ok("init", str(tmp_path / "new"), typed="y\n\n").out
    assert "Switch it on for this project? [y/N]" in made
    assert reader.ok("notebook", "status", "--json").json["on"] is False


def test_init_asks_where_there_is_a_project_in_which_it_is_off(tmp_path, server, monkeypatch):
    reader = Reader(tmp_path, server, vault=None)
    (tmp_path / "new").mkdir()
    reader.ok("init", str(tmp_path / "new"), "--yes", "--notebook")
    assert "Switch it on" not in reader.ok("init", str(tmp_path / "new")).out
    reader.ok("notebook", "off")
    assert "Switch it on" in reader.ok("init", str(tmp_path / "new"), typed="\n").out
    monkeypatch.setenv("HOME", str(reader.cwd))
    assert "Switch it on" not in reader.ok("init", str(tmp_path / "new")).out


@pytest.mark.parametrize(
    ("options", "typed", "on"),
    [
        (("--yes",), None, False),
        (("--yes", "--notebook"), None, True),
        (("--yes", "--json"), None, False),
        (("--no-notebook",), "y\n", False),
        ((), "y\ny\n", True),
        ((), "y\nn\n", False),
    ],
)
def test_init_switches_it_on_only_where_the_person_says_so(tmp_path, server, options, typed, on):
    reader = Reader(tmp_path, server, vault=None)
    (tmp_path / "new").mkdir()
    done = reader.ok("init", str(tmp_path / "new"), *options, typed=typed)
    assert reader.ok("notebook", "status", "--json").json["on"] is on
    assert ("Switch it on" in done.out) is (options == ())
    if "--json" in options:
        assert done.json["notebook"] is False


# Before anything is sent


@pytest.mark.parametrize("verb", SENDING)
def test_nothing_is_sent_before_the_person_agrees(reader, server, verb):
    reader.ok("notebook", "on")
    for done in (reader.run("notebook", verb), reader.run("notebook", verb, typed="n\n")):
        assert done.code == 42
        assert "Nothing was sent" in done.err
    assert server.url.split("/v1")[0] in reader.run("notebook", verb).err
    assert "--yes" in reader.run("notebook", verb, "--json").json["error"]["message"]
    assert server.requests == []


def test_the_first_run_names_destination_and_size_and_asks_once(reader, server):
    reader.ok("notebook", "on")
    server.script(says(answer("", raw_memory="", rollout_slug=None)))
    out = reader.ok("notebook", "extract", typed="y\n").out
    assert "tokens now" in out
    assert server.url.split("/v1")[0] in out
    assert "Send it? [y/N]" in out
    assert "taught nothing" in out
    assert "Send it?" not in reader.ok("notebook", "extract", typed="").out


def test_another_destination_is_asked_for_again(on, server):
    with ModelServer() as elsewhere:
        on.config(on.config_file.read_text().replace(server.url, elsewhere.url))
        assert on.run("notebook", "extract").code == 42


def test_without_a_model_the_next_step_is_named(reader):
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\n")
    done = reader.run("notebook", "run")
    assert done.code == 60
    assert "llm" in done.err
    assert "config.yaml" in done.err
    assert "llm" in reader.ok("notebook", "status").out
    assert reader.ok("notebook", "dream", "--json").json["usage"]["input"] == 0


# A dry run


def test_a_dry_run_prints_exactly_what_is_then_sent(reader, server):
    reader.talk.said(f"The token is {SECRET}, keep it.")
    reader.ok("notebook", "on")
    before = files(reader.vault)
    plan = reader.ok("notebook", "extract", "--dry-run", "--json").json
    told = reader.ok("notebook", "extract", "--dry-run").out
    assert server.requests == []
    assert files(reader.vault) == before
    assert plan["agreed"] is False
    assert plan["destination"] in told
    assert SECRET not in told

    server.script(says(answer()))
    reader.ok("notebook", "extract", "--yes")
    parts = [one["text"] for one in plan["parts"]]
    sent = server.last
    assert [sent.system_prompt, sent.newest_text] == parts[:2]
    form = sent.body["response_format"]["json_schema"]["schema"]
    assert [form] == [json.loads(part) for part in parts[2:]]
    assert all(part in told for part in parts)
    assert plan["tokens"] == sum(one["tokens"] for one in plan["parts"])
    assert reader.ok("notebook", "extract", "--dry-run", "--json").json["parts"] == []
    assert "nothing is due" in reader.ok("notebook", "extract", "--dry-run").out


def test_a_dry_run_of_a_rewrite_shows_the_task_and_every_file(on, server):
    asked = len(server.requests)
    plan = on.ok("notebook", "consolidate", "--dry-run", "--json").json
    names = [one["what"] for one in plan["parts"]]
    assert {"the task", "file raw_memories.md"} <= set(names)
    assert "Use make, not ninja." in str(plan["parts"])
    whole = on.ok("notebook", "run", "--dry-run", "--json").json
    assert set(whole) == {"extract", "consolidate", "dream"}
    assert whole["consolidate"]["parts"] == plan["parts"]
    tools = next(one["text"] for one in plan["parts"] if one["what"] == "the task: tools")
    assert "notebook_write" in tools
    on.session(OTHER, "Please fix the exporter.")
    told = " ".join(on.ok("notebook", "run", "--dry-run").out.split())
    assert "then go to a rewrite as well" in told
    assert "consolidate: about" in on.ok("notebook", "run", "--dry-run").out
    assert len(server.requests) == asked


def test_a_dry_run_of_a_dream_shows_what_waits(on, server):
    on.agent("add", "Prefer tabs.", "--category", "preference")
    asked = len(server.requests)
    assert "tokens" in on.ok("notebook", "dream", "--dry-run", "--json").json
    assert len(server.requests) == asked


def test_an_agent_is_not_shown_what_would_be_sent(on):
    for verb in SENDING:
        done = on.run("notebook", verb, "--dry-run", env={"AI_AGENT": "coder"})
        assert done.code == 40


# What a run does


def test_the_whole_way_from_a_session_to_the_section(published, server):
    assert "Use make" in (published.vault / NOTEBOOK).read_text()
    found = published.ok("notebook", "status", "--json").json
    assert (found["cards"], found["jobs"], found["dirty"], found["ready"]) == (1, [], False, 0)
    assert {one["purpose"] for one in found["usage"]} == {"extract", "consolidate"}
    assert found["today"]["calls"] >= 2
    out = published.ok("notebook", "status").out
    assert found["version"]["id"][:12] in out
    assert "by consolidation" in out
    assert "Use make" in str(published.ok("report", "--sections", "--json").json["notebook"])


def test_a_run_does_all_three_and_says_so(reader, server):
    reader.ok("notebook", "on")
    server.script(says(answer()), IDLE, DREAMT)
    done = reader.run("notebook", "run", "--yes", "--json")
    assert done.code == 1  # the rewrite left no notebook
    ran = done.json
    assert ran["extracted"]["written"] == 1
    assert ran["consolidated"]["outcome"] == "failed"
    assert ran["dreamed"]["outcome"] in {"nothing", "done", "without_model"}
    job = reader.ok("notebook", "status", "--json").json["jobs"][0]
    assert (job["kind"], job["status"], job["retries"]) == ("consolidate", "error", 2)
    assert job["again"] is not None
    assert "Failed    consolidate:" in reader.ok("notebook", "status").out
    again = reader.ok("notebook", "run").out
    assert "No session is due." in again


def test_a_model_that_is_down_costs_nothing_and_exits_with_1(reader, server):
    reader.ok("notebook", "on")
    server.script(Reply(text="down", status=503, repeat=True))
    done = reader.run("notebook", "extract", "--yes")
    assert done.code == 1
    assert "VM950" in done.out
    assert reader.cards() == {}
    run = reader.run("notebook", "run")
    assert "VM950" in run.out
    assert "Nothing is to be changed" not in run.out, "where nothing could be read"


def test_candidates_wait_and_are_told(reader, server):
    reader.ok("notebook", "on")
    rule = {"statement": "Use make, not ninja.", "category": "preference", "quote": "Use make"}
    server.script(says(answer(memories=[rule])))
    out = reader.ok("notebook", "extract", "--yes").out
    assert "vaultmem inbox review" in out
    assert reader.ok("inbox", "--json").json["candidates"][0]["statement"] == rule["statement"]


def test_nothing_new_is_told_as_that(published):
    assert published.ok("notebook", "extract").out == "No session is due.\n"
    assert "Nothing is to be changed" in published.ok("notebook", "consolidate", "--now").out
    assert "less than six hours ago" in published.ok("notebook", "consolidate").out


def test_a_rewrite_that_changes_nothing_is_not_told_as_if_none_was(published, server):
    card = published.cards()[SESSION]
    published.ok("notebook", "ignore", "--undo", SESSION)
    server.script(says("All is well."))
    note = published.vault / NOTEBOOK
    note.write_text(note.read_text() + "- And tests first.\n")
    published.ok("sync")
    out = published.ok("notebook", "consolidate", "--now").out
    assert "Nothing is to be changed" not in out
    assert "The rewrite left the notebook as it was. " in out
    assert "tokens in" in out
    assert card.stem


def test_the_skills_that_a_rewrite_wrote_are_named(on, server):
    card = on.cards()[SESSION]
    skill = f"---\nname: deploy\ndescription: How to deploy.\n---\nRun make. [{card.hash}]\n"
    files = {"memory": handbook(card), "summary": summary(card), "Skills/deploy/SKILL.md": skill}
    server.script(writes(**files), says("Done."))
    done = on.run("notebook", "consolidate", "--yes", "--json").json
    assert (done["outcome"], done["skills"]) == ("done", ["deploy"])
    assert set(done) == COMMANDS["notebook consolidate"]
    server.script(
        writes(**{"Skills/deploy/SKILL.md": skill.replace("make", "just")}), says("Done.")
    )
    note = on.vault / NOTEBOOK
    note.write_text(note.read_text() + "- And tests first.\n")
    on.ok("sync")
    assert "Skills that the model wrote: deploy." in on.ok("notebook", "consolidate", "--now").out


def test_lines_without_a_source_are_counted_and_told(on, server):
    card = on.cards()[SESSION]
    more = "".join(f"- And this {number}.\n" for number in range(6))
    text = summary(card, more=f"- Made up.\n{more}")
    server.script(writes(memory=handbook(card), summary=text), says("Done."))
    out = on.ok("notebook", "consolidate").out
    assert "7 lines were left out for want of a source:\n  - Made up.\n  - And this 0.\n" in out
    assert "And this 3" in out
    assert "And this 4" not in out
    assert "  and 2 more\n" in out
    assert "Made up" not in (on.vault / NOTEBOOK).read_text()


def test_a_dream_is_told(on, server):
    server.script(DREAMT)
    assert on.ok("notebook", "dream").out.startswith("There is nothing to tidy up. ")
    assert "--now" in on.ok("notebook", "dream").out


def test_a_patch_of_a_dream_waits_and_is_named(on, server):
    on.session(OTHER, "Hello there, say hello.", hours=30)
    hello = {"statement": "Say hello there.", "category": "preference", "quote": ""}
    server.script(
        says(answer("Greetings.", memories=[hello])),
        replace(
            DREAMT, text=dreamt(candidates=[{"id": "c1", "lasts": "no", "reason": "A greeting."}])
        ),
    )
    on.ok("notebook", "extract")
    out = on.ok("notebook", "dream").out
    assert hello["statement"] in server.last.text
    assert "1 candidate looked at; 0 of them may last." in out
    patch = out.partition("vaultmem patch show ")[2].partition("`")[0]
    assert "reject" in on.ok("patch", "show", patch).out
    assert "earlier dream waits" in on.ok("notebook", "dream", "--now").out


def test_a_run_tells_what_went_and_why_it_ended_early(on, server):
    on.now += timedelta(days=40)
    assert "1 card that nobody used went." in on.ok("notebook", "run").out
    assert on.cards() == {}

    on.session(OTHER, "We deploy on Fridays.", hours=24 - 40 * 24)
    few = {"x-ratelimit-limit-tokens": "1000", "x-ratelimit-remaining-tokens": "10"}
    server.script(Reply(text=answer("Deploys."), headers=few))
    out = on.ok("notebook", "run").out
    assert "became a card" in out
    assert "`notebook_rate_percent`" in out
    assert "rewritten" not in out


def test_status_tells_other_projects_what_is_off_and_what_runs(on):
    in_shop(on)
    on.ok("notebook", "on", "--project", "shop")
    on.ok("off", "--write", "--project", ".")
    catalog = NotebookCatalog(on.state)
    catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, on.now.timestamp(), "process 1")
    catalog.close()
    out = on.ok("notebook", "status").out
    assert "Also on   shop" in out
    assert "Off       Remembering is switched off in this project." in out
    assert "Running   consolidate" in out
    assert "Another process rewrites it." in on.ok("notebook", "consolidate").out
    assert on.run("notebook", "reset", "--yes").code == 30


def test_a_session_that_failed_for_good_waits_for_a_change(reader, server):
    reader.ok("notebook", "on")
    for _ in range(3):
        server.script(says("no JSON"), says("no JSON"))
        assert reader.run("notebook", "extract", "--yes").code == 1
        reader.now += timedelta(hours=2)
    out = " ".join(reader.ok("notebook", "status").out.split())
    assert f"Failed extract {SESSION}:" in out
    assert "and is tried again when it changes; 0 tries left." in out
    assert reader.ok("notebook", "status", "--json").json["jobs"][0]["again"] is None
    assert reader.ok("notebook", "extract").out == "No session is due.\n"


# An agent


def test_an_agent_runs_what_a_person_allowed_and_where(on, server, tmp_path):
    on.session(OTHER, "We deploy on Fridays.", hours=30)
    server.script(says(answer("Deploys.")))
    assert on.agent("notebook", "extract", "--json").json["written"] == 1
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    on.cwd = elsewhere
    assert on.agent("notebook", "extract").code == 46


def test_an_agent_agrees_to_nothing(reader, server):
    reader.ok("notebook", "on")
    done = reader.agent("notebook", "extract", "--yes")
    assert done.code == 46
    assert "--dry-run" in done.err
    assert server.requests == []


def test_an_agent_sees_status_and_versions(published):
    published.talk.said("more")
    assert published.agent("notebook", "status", "--json").code == 0
    assert published.agent("notebook", "history", "--json").json["versions"]
    assert "Use make" in published.agent("notebook", "show").out


# For timers


def test_if_due_is_silent_where_nothing_is_allowed_or_due(reader, server):
    def silent():
        done = reader.run("notebook", "run", "--if-due")
        return (done.code, done.out, done.err) == (0, "", "")

    assert silent()
    reader.ok("notebook", "on")
    assert silent()  # nobody agreed to the destination
    assert server.requests == []
    reader.config(f"vault: {reader.vault}\nnotebook: {PROJECT}\n")
    assert silent()  # no model
    done = reader.ok("notebook", "run", "--if-due", "--json").json
    assert (done["extracted"], done["consolidated"], done["dreamed"]) == (None, None, None)


def test_if_due_does_what_is_due_without_a_question(on, server):
    on.session(OTHER, "We deploy on Fridays.", hours=30)
    server.script(
        says(answer("Deploys.")),
        IDLE,
        DREAMT,
    )
    done = on.run("notebook", "run", "--if-due")
    assert "became a card" in done.out
    again = on.run("notebook", "run", "--if-due")
    assert (again.code, again.out) == (0, "")


def test_if_due_excludes_questions(reader):
    assert reader.run("notebook", "run", "--if-due", "--yes").code == 2
    assert reader.run("notebook", "run", "--if-due", "--dry-run").code == 2


def test_sigterm_ends_a_run_and_gives_the_session_back(on, server):
    on.session(OTHER, "We deploy on Fridays.", hours=30)
    server.script(Reply(text=answer(), delay=30.0))
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}

    def end() -> None:
        while len(server.requests) < 2:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGTERM)

    ending = threading.Thread(target=end)
    ending.start()
    today = on.ok("notebook", "status", "--json").json["today"]["calls"]
    done = on.run("notebook", "extract")
    ending.join()
    assert done.code == 130
    assert "1 session was sent; the run ended before an answer came." in done.out
    assert "No session is due" not in done.out
    assert on.ok("notebook", "status", "--json").json["today"]["calls"] == today + 1
    assert OTHER not in on.cards()
    assert {one: signal.getsignal(one) for one in before} == before
    assert on.ok("notebook", "status", "--json").json["ready"] == 1


def test_what_another_run_reads_is_told(reader, server):
    reader.ok("notebook", "on")
    catalog = NotebookCatalog(reader.state)
    catalog.jobs.claim(JobKind.EXTRACT, SESSION, NOW.timestamp(), NOW.timestamp(), "another")
    catalog.close()
    told = reader.ok("notebook", "extract", "--yes").out
    assert "Another run reads 1 session now." in told
    assert "No session is due" not in told


def test_a_timer_asks_a_model_that_is_down_once_an_hour(reader, server):
    reader.ok("notebook", "on")
    server.script(Reply(text="No such key.", status=401, repeat=True))
    assert reader.run("notebook", "extract", "--yes").code == 1
    asked = len(server.requests)
    for _ in range(2):
        done = reader.run("notebook", "run", "--if-due")
        assert (done.code, "not in the notebook yet" in done.out) == (0, False)
    sessions = [one for one in server.requests[asked:] if "transcript" in one.system_prompt]
    assert sessions == []
    (line,) = reader.ok("notebook", "status", "--json").json["jobs"][-1:]
    assert (line["kind"], line["key"], line["retries"]) == ("model", "global", 2)


# Ignore, versions, reset


def test_an_ignored_session_is_left_out_and_its_card_deleted(on, server):
    out = on.ok("notebook", "ignore", SESSION[:8]).out
    assert "is left out" in out
    assert "deleted" in out
    assert on.cards() == {}
    assert not list((on.vault / "Memory/System/Sessions").rglob("*.md"))
    found = on.ok("notebook", "status").out
    assert f"Ignored   {SESSION}" in found
    assert "already" in on.ok("notebook", "ignore", SESSION).out
    back = on.ok("notebook", "ignore", SESSION, "--undo", "--json").json
    assert (back["ignored"], back["changed"], back["dropped"]) == (False, True, False)
    assert on.run("notebook", "ignore", "nothing-like-it").code == 23


@pytest.mark.parametrize("called", ["hash", "slug", "stem", "path"])
def test_a_session_is_ignored_by_what_its_card_is_called(on, server, called):
    card = on.cards()[SESSION]
    (note,) = (on.vault / "Memory/System/Sessions").rglob("*.md")
    names = {
        "hash": f"[{card.hash}]",
        "slug": card.slug,
        "stem": f"[[{card.stem}]]",
        "path": str(note.relative_to(on.vault)),
    }
    assert on.ok("notebook", "ignore", names[called], "--json").json["session"] == SESSION
    assert on.cards() == {}


def test_a_name_of_two_cards_is_refused_with_their_sessions(on, server):
    on.session(OTHER, "We deploy on Fridays.")
    server.script(says(answer()))
    on.ok("notebook", "extract")
    done = on.run("notebook", "ignore", on.cards()[SESSION].slug)
    assert (done.code, SESSION in done.err, OTHER in done.err) == (24, True, True)
    assert len(on.cards()) == 2


def test_an_ignored_session_is_not_sent(reader, server):
    reader.ok("notebook", "on")
    reader.ok("notebook", "ignore", SESSION)
    assert reader.ok("notebook", "extract", "--yes", "--json").json["claimed"] == 0
    assert server.requests == []


def test_versions_are_listed_shown_and_restored(published):
    first = published.ok("notebook", "history", "--json").json["versions"][0]["id"]
    note = published.vault / NOTEBOOK
    old = note.read_text()
    note.write_text(old.replace("Use make", "Always use make"))
    published.now = published.now.replace(hour=18)
    published.ok("sync")
    out = published.ok("notebook", "history").out
    assert "person" in out
    assert first[:12] in out
    assert "Always use make" in published.ok("notebook", "show", "--file", "memory_summary.md").out
    assert "+- Always use make" in published.ok("notebook", "show", "--diff").out.replace("\\", "")
    assert "Always" not in published.ok("notebook", "show", first[:7]).out
    shown = published.ok("notebook", "show", first, "--json").json
    assert {one["path"] for one in shown["files"]} == {"MEMORY.md", "memory_summary.md"}
    assert published.run("notebook", "show", "--file", "nothing.md").code == 23

    assert published.run("notebook", "restore", first[:8], typed="n\n").code == 42
    done = published.ok("notebook", "restore", first[:8], "--yes").out
    assert "memory_summary.md" in done
    assert note.read_text() == old
    assert "Nothing is to be changed" in published.ok("notebook", "restore", "--yes").out


def test_before_the_first_version_that_is_said(reader):
    assert reader.ok("notebook", "history").out == "No version is published yet.\n"
    assert reader.run("notebook", "show").code == 23
    assert reader.run("notebook", "restore", "--yes").code == 23
    assert reader.run("notebook", "accept", "--yes").code == 23


def test_a_reset_says_what_goes_and_asks(published, server):
    refused = published.run("notebook", "reset", typed="n\n")
    assert refused.code == 42
    assert "1 card with their notes" in refused.out
    assert "  memory_summary.md" in refused.out
    assert published.run("notebook", "reset", "--json").code == 42
    assert (published.vault / NOTEBOOK).is_file()
    done = published.ok("notebook", "reset", "--yes", "--json").json
    assert (done["cards"], done["versions"]) == (1, 1)
    assert not (published.vault / NOTEBOOK).exists()
    assert published.cards() == {}
    assert published.ok("notebook", "history", "--json").json == {"versions": [], "findings": []}
    assert "vaultmem notebook off" in published.ok("notebook", "reset", "--yes").out


def test_after_a_reset_nothing_is_new_before_there_is_something_to_tell(
    published, tmp_path, server
):
    other = Reader(tmp_path / "other", server, vault=published.vault)
    published.ok("notebook", "reset", "--yes")
    assert "Rewrite   nothing is new" in published.ok("notebook", "status").out
    published.talk.said("Another word.")  # it has not rested, so nothing is in sight but that
    assert published.ok("notebook", "status", "--json").json["dirty"] is False
    other.ok("notebook", "on")
    server.script(says(answer()))
    other.ok("notebook", "extract", "--yes")
    assert published.ok("notebook", "status", "--json").json["dirty"] is True
    published.ok("notebook", "reset", "--yes")
    assert published.ok("notebook", "status", "--json").json["dirty"] is True, "the other's stays"


def test_after_a_reset_a_note_of_the_persons_is_to_be_told(published):
    (published.vault / "Memory/Notes").mkdir(exist_ok=True)
    (published.vault / "Memory/Notes/2026-11-30T09-00-00-keep.md").write_text("Keep this.\n")
    published.ok("notebook", "reset", "--yes")
    assert published.ok("notebook", "status", "--json").json["dirty"] is True


def test_what_an_agent_wrote_into_it_is_accepted_by_the_person_alone(published):
    assert published.agent("notebook", "accept", "--yes").code == 40
    done = published.ok("notebook", "accept", "--yes", "--json").json
    assert done["paths"] == []
    assert "is in force" in published.ok("notebook", "accept", typed="").out  # nothing to ask


# JSON


def test_every_command_prints_the_documented_keys(published, server):
    def keys(*words):
        done = published.run("notebook", *words, "--json")
        assert set(done.json) == COMMANDS[f"notebook {words[0]}"], words
        return done.json

    server.script(IDLE, DREAMT)
    for verb in SENDING:
        plan = published.ok("notebook", verb, "--dry-run", "--json").json
        assert set(plan) == COMMANDS[f"notebook {verb} --dry-run"]
    parts = published.ok("notebook", "dream", "--dry-run", "--json").json["parts"]
    assert set(parts[0]) == LISTS["parts` of `notebook … --dry-run"]
    for verb in ("on", "ignore", "off", "on", "extract", "consolidate", "dream", "run"):
        more = {"ignore": [SESSION], "extract": ["--yes"]}.get(verb, [])
        keys(verb, *more)
    found = keys("status")
    for name in ("models", "usage"):
        assert set(found[name][0]) == LISTS[f"{name}` of `notebook status"]
    versions = keys("history")["versions"]
    assert set(versions[0]) == LISTS["versions` of `notebook history"]
    assert set(keys("show")["files"][0]) == LISTS["files` of `notebook show"]
    for verb in ("restore", "accept", "reset"):
        keys(verb, "--yes")
