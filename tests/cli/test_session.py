"""`vaultmem session`: what its commands print, for people and for scripts."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, small_vault
from tests.cli.test_json import COMMANDS, LISTS
from tests.sessions import Talk


@pytest.fixture
def person(tmp_path):
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("trust", ".")
    made.ok("sync")
    folder = tmp_path / "agent" / "sessions"
    folder.mkdir(parents=True)
    made.sessions = folder
    made.extra = {"PI_CODING_AGENT_DIR": str(folder.parent)}
    talk = Talk(folder, cwd="/projects/shop")
    talk.said("The retry loop charges twice. What is wrong?")
    talk.answered("The key is missing.", tools=(("c1", "edit", {"path": "src/retry.py"}),))
    talk.done("c1", "edit")
    talk.said("#decision one key per charge")
    other = Talk(folder, "02bb28b3-619b-74c0", cwd="/projects/docs", at="2026-11-28T10:00:00.000Z")
    other.said("Write about the retry loop")
    return made


def run(person, *words, env=None):
    return person.run("session", *words, env={**person.extra, **(env or {})})


def test_sync_says_what_it_read(person):
    done = run(person, "sync")
    assert (done.code, done.out) == (0, "2 sessions: 2 new, 0 grown, 0 gone; 5 entries read.\n")

    found = run(person, "sync", "--json").json
    assert found == {
        "sessions": 2,
        "new": 0,
        "changed": 0,
        "gone": 0,
        "entries": 0,
        "passed_over": 0,
        "findings": [],
        "degraded": None,
    }


def test_the_keys_are_those_of_the_page(person):
    run(person, "sync")
    for name, words in {
        "sync": [],
        "reindex": [],
        "search": ["retry"],
        "list": [],
        "read": ["01a2"],
        "decisions": [],
    }.items():
        done = run(person, name, *words, "--json").json
        assert set(done) == COMMANDS[f"session {name}"]
        for key, items in done.items():
            if isinstance(items, list) and items:
                assert set(items[0]) == LISTS[f"{key}` of `session {name}"]


def test_sessions_stay_known_while_their_folder_is_away(person):
    run(person, "sync")
    person.sessions.rename(person.sessions.with_name("away"))

    assert run(person, "sync").out.startswith("2 sessions: 0 new, 0 grown, 0 gone")


def test_a_broken_line_is_counted(person):
    Talk(person.sessions, "03cc28b3").raw(b"{broken\n")

    assert "1 line passed over" in run(person, "sync").out


def test_reindex_reads_everything_again(person):
    run(person, "sync")
    done = run(person, "reindex", "--json").json

    assert (done["new"], done["entries"], done["embedded"]) == (2, 5, 0)
    assert run(person, "reindex").out.startswith("2 sessions: 2 new")


def test_search_tells_session_day_project_and_extract(person):
    done = run(person, "search", "retry loop charges")
    assert done.code == 0
    assert "The retry loop charges twice. What is wrong?" in done.out
    assert "2026-11-29  shop  (01a228b3)" in done.out
    assert "words: retry, loop, charges" in done.out
    assert "Note: No embedding model" in done.out

    found = run(person, "search", "retry", "--json", "--mode", "keyword").json
    assert (found["mode"], found["degraded"]) == ("keyword", None)
    assert {hit["session"][:8] for hit in found["hits"]} == {"01a228b3", "02bb28b3"}
    assert set(found["hits"][0]) == {
        "session",
        "project",
        "day",
        "title",
        "kind",
        "entry",
        "extract",
        "score",
        "why",
        "archived",
        "file",
    }


def test_search_is_filtered(person):
    def found(*options):
        hits = run(person, "search", "retry", "--json", *options).json["hits"]
        return sorted(hit["session"][:8] for hit in hits)

    assert found("--project", "docs") == ["02bb28b3"]
    assert found("--after", "2026-11-29") == ["01a228b3"]
    assert found("--before", "2026-11-28") == ["02bb28b3"]
    assert len(found("--limit", "1")) == 1
    assert run(person, "search", "zeppelin").out.startswith("No session was found.")
    assert run(person, "search", "retry", "--after", "soon").code == 2


def test_list_shows_the_newest_first(person):
    lines = run(person, "list").out.splitlines()
    assert lines[0] == "2026-11-29 10:00  01a228b3  shop, 2 messages"
    assert lines[1].strip() == "The retry loop charges twice. What is wrong?"
    assert "1 more; see them with `--limit 2`." in run(person, "list", "--limit", "1").out

    found = run(person, "list", "--json").json
    assert (found["total"], found["degraded"]) == (2, None)
    first = found["sessions"][0]
    assert (first["files"], first["decisions"], first["messages"]) == (["src/retry.py"], 1, 2)
    assert first["started"] == "2026-11-29T10:00:00"
    assert run(person, "list", "--project", "none").out == "There is no session.\n"


def test_read_shows_messages(person):
    out = run(person, "read", "01a2").out
    assert out.startswith("The retry loop charges twice. What is wrong? (shop, 3 messages)\n")
    assert "[2026-11-29 10:00] AGENT  1\nThe key is missing.\ncalled edit\n" in out
    part = run(person, "read", "01a2", "--offset", "1", "--limit", "1")
    assert part.out.endswith("More with `--offset 2`.\n")
    assert run(person, "read", "01a2", "--offset", "9").out.endswith("No message there.\n")

    found = run(person, "read", "01a2", "--json").json
    assert [one["speaker"] for one in found["messages"]] == ["user", "agent", "user"]
    assert found["messages"][1]["tools"] == ["edit"]
    missing = run(person, "read", "nobody")
    assert (missing.code, "vaultmem session list" in missing.err) == (23, True)


def test_decisions_are_listed(person):
    out = run(person, "decisions").out
    assert out == ("2026-11-29  #decision one key per charge\n            session 01a228b3, shop\n")
    found = run(person, "decisions", "--json").json
    assert found["decisions"][0]["text"] == "#decision one key per charge"
    assert run(person, "decisions", "--project", "docs").out.startswith("Nothing was decided")


def test_an_agent_sees_the_sessions_of_its_project(person):
    agent = {"PI_CODING_AGENT": "1"}
    assert run(person, "list", "--json", env=agent).json["sessions"] == []
    assert run(person, "search", "retry", "--json", env=agent).json["hits"] == []
    assert run(person, "read", "01a2", env=agent).code == 23
    Talk(person.sessions, "04dd28b3", cwd=str(person.cwd)).said("The retry loop of this vault")
    found = run(person, "search", "retry", "--json", env=agent).json["hits"]
    assert [hit["session"] for hit in found] == ["04dd28b3"]


def test_without_an_agent_there_is_no_session(person, tmp_path):
    nobody = {"PI_CODING_AGENT_DIR": str(tmp_path / "nowhere")}

    assert run(person, "list", env=nobody).out == "There is no session.\n"
    assert run(person, "sync", env=nobody).out.startswith("0 sessions")


def test_nothing_in_a_session_is_markup(person):
    Talk(person.sessions, "05ee28b3").said("[bold]zeppelin[/bold] \x1b[31m </system>")

    out = run(person, "search", "zeppelin").out
    assert "[bold]zeppelin[/bold] ‹/system›" in out
    assert "\x1b" not in out


def test_the_report_tells_sessions_near_the_prompt(person):
    Talk(person.sessions, "06ff28b3", cwd=str(person.cwd)).said("The zeppelin loop turns twice")
    asked = ["report", "--sections", "--prompt", "Mend the zeppelin loop"]

    told = person.run(*asked, "--json", env=person.extra).json["past_sessions"]
    assert told["sessions"] == ["06ff28b3"]
    assert told["text"].endswith("(06ff28b3): The zeppelin loop turns twice")
    assert 0 < told["tokens"] <= told["budget"] == 300
    assert "<past_sessions>" in person.run(*asked, env=person.extra).out


def test_search_looks_in_sessions_where_it_is_told(person):
    person.ok("add", "The retry loop has one key.", "--category", "lesson")

    def found(place):
        words = ["search", "retry loop", "--in", place, "--json"]
        return person.run(*words, env=person.extra).json["hits"]

    assert {hit["source"] for hit in found("sessions")} == {"session"}
    assert {hit["source"] for hit in found("all")} == {"memory", "session"}
    assert {hit["source"] for hit in found("memory")} == {"memory"}
    scores = [hit["score"] for hit in found("all")]
    assert scores == sorted(scores, reverse=True)
    assert person.run("search", "retry", "--in", "all", "--limit", "1", env=person.extra).code == 0


def test_a_hit_does_not_say_its_title_twice(person):
    talk = Talk(person.sessions, "04dd28b3-619b-74c0", cwd="/projects/shop")
    talk.said("Debug the webhook")
    talk.answered("Hello.")

    out = run(person, "search", "webhook", "--mode", "keyword").out

    assert out.count("Debug the webhook") == 1
    assert "Hello." in out


def test_a_search_in_sessions_names_what_reads_them(person):
    out = person.run(
        "search", "retry", "--in", "sessions", "--mode", "keyword", env=person.extra
    ).out

    assert "`vaultmem session read 01a228b3`" in out
    assert ".jsonl" not in out
